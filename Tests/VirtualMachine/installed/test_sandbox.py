"""What the gesture daemon's sandbox lets through: a command in its place, under the same settings."""

import subprocess
from pathlib import Path

from evdev import ecodes as e

from kit.devices import Device
from kit.machine import Installed, run, systemctl
from kit.wait import equal

UNIT = Path("/usr/lib/systemd/system/tally-inputd.service")
PROBE = Path("/run/systemd/system/probe.service")


def probe(command):
    """Whether a shell command succeeds in the sandbox, and what it said."""
    text = UNIT.read_text().replace("Type=notify", "Type=oneshot").replace("Restart=on-failure", "Restart=no")
    text = text.replace("ExecStart=/usr/bin/tally-inputd", f"ExecStart=/bin/sh -c '{command}'")
    PROBE.write_text(text)
    systemctl("daemon-reload")
    succeeded = subprocess.run(["systemctl", "start", "probe.service"], capture_output=True).returncode == 0
    subprocess.run(["systemctl", "reset-failed", "probe.service"], capture_output=True)
    return succeeded


def test_event_nodes(scene):
    """In the sandbox a device that counts can be opened to read and write, and a keyboard cannot be opened."""
    presenter, keyboard = scene.presenter(), scene.keyboard()
    with Installed():
        equal(probe(f"exec 3<>{presenter.node}"), True, "whether the presenter opens")
        equal(probe(f"exec 3<{keyboard.node}"), False, "whether the keyboard opens")


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


def test_closed(scene):
    """In the sandbox there is no network, no other device, no home, and nothing can be written."""
    with Installed():
        for command, what in [
            ("exec 3</dev/mem", "memory"),
            ("exec 3</dev/vda || exec 3</dev/uinput", "disks and uinput"),
            ("exec 3>/dev/tcp/127.0.0.1/9 || grep -q eth /proc/net/dev", "the network"),
            ("ls /root/.", "homes"),
            ("touch /var/lib/tallymark/x || touch /run/x || touch /etc/x", "writing"),
            ("ls /proc/1/", "other processes"),
        ]:
            equal(probe(command), False, what)
