"""Lights and sensors in the gesture daemon's sandbox; Tests/Container has the other tests of it."""

from pathlib import Path

from evdev import ecodes as e

from kit.devices import Device
from kit.machine import Installed, run
from kit.sandbox import probe
from kit.wait import equal


def test_lights(scene):
    """In the sandbox a light that udev gives to the group can be switched, and no other one."""
    device = scene.keep(
        Device("Light", 0x046D, 0xC52D, {e.EV_KEY: [e.KEY_PAGEDOWN], e.EV_LED: [e.LED_CAPSL, e.LED_NUML]}))
    folder = Path(f"/sys/class/input/{Path(device.node).name}/device")
    mine, other = (next(folder.glob(f"*::{name}")) / "brightness" for name in ["capslock", "numlock"])
    with Installed():
        # The rules give both to the group, as lights of a device that counts.
        run("udevadm", "settle")
        for light, group, mode in [(mine, "tallymark-input", "664"), (other, "root", "644")]:
            run("chgrp", group, light)
            run("chmod", mode, light)
        equal(probe(f"echo 1 > {mine.resolve()}"), True, "whether the light can be switched")
        equal(mine.read_text().strip(), "1", "the light")
        equal(probe(f"echo 1 > {other.resolve()}"), False, "whether another light can be switched")


def test_sensors(scene):
    """In the sandbox a motion sensor's node that udev gives to the group can be opened."""
    with Installed():
        # A node of the class is enough: without a device behind it the kernel says so, and not that it is forbidden.
        major = next(line.split()[0] for line in Path("/proc/devices").read_text().splitlines() if line.endswith(" iio"))
        node = Path("/dev/iio:device99")
        run("mknod", node, "c", major, "99")
        run("chgrp", "tallymark-input", node)
        run("chmod", "660", node)
        try:
            equal(probe(f"cat {node} 2>&1 | grep -q \"No such device\""), True, "whether the kernel lets it through")
        finally:
            node.unlink()
