"""Lights and sensors in the gesture daemon's sandbox; Tests/Machines/Container has the other tests of it."""

import grp
import subprocess
from pathlib import Path

from evdev import ecodes as e

from kit.devices import Device
from kit.machine import Installed, run, systemctl
from kit.other import Other
from kit.sandbox import probe
from kit.scene import NOBODY
from kit.wait import equal, eventually


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


# Names a device to the gesture daemon, as tally-input does, and prints the first part of the reply.
ASK = """
import glob, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(glob.glob("/run/tallymark-input/*.events")[0])
connection.sendall(sys.argv[1].encode() + b"\\n")
print(connection.recv(16).hex())
"""


def test_grabbed_devices(scene):
    """From the sandbox the events of a device that is held are passed on: to root, to the group as far as it may read the
    node, and to nobody else."""
    presenter = scene.presenter()
    event = Path(presenter.node).name
    syspath = Path(f"/sys/class/input/{event}").resolve()
    with Installed():
        group = grp.getgrnam("tallymark-input").gr_gid
        Path("/etc/tallymark/input.toml").write_text('[[device]]\nid = "046d:c52d"\ngrab = true\n')
        other = Other(presenter)
        eventually(lambda: other.is_shut_out, "the device is taken")

        def reply(groups):
            identity = {"user": NOBODY, "group": NOBODY, "extra_groups": groups} if groups is not None else {}
            answer = subprocess.run(
                ["/usr/bin/python3", "-c", ASK, syspath], capture_output=True, text=True, cwd="/", **identity)
            return answer.stdout.strip() or answer.stderr.splitlines()[-1].split(":")[0]

        is_held = lambda held: "00" * 8 + "0000" + "0100" + ("01" if held else "00") + "000000"
        equal(reply(None), is_held(True), "what root hears")
        equal(reply([group]), is_held(True), "what the group hears")
        equal(reply([]), "IndexError", "what everyone else hears, who may not look into the folder")
        # As if a person had given it to the user alone.
        run("chown", "tallymark-input", presenter.node)
        run("chmod", "600", presenter.node)
        systemctl("restart", "tally-inputd.service")
        eventually(lambda: reply(None) == is_held(True), "the device is taken again")
        equal(reply([group]), is_held(False), "what the group hears of a device that it may not read")
