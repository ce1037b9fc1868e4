"""Runs a command with the sandbox settings of the gesture daemon and checks what is permitted."""

import grp
import os
import shutil
import stat
import subprocess
from pathlib import Path

from evdev import ecodes as e

from kit.devices import Device
from kit.machine import Installed, configure, run, systemctl
from kit.other import Other
from kit.places import in_container, in_guest
from kit.sandbox import probe
from kit.scene import NOBODY
from kit.wait import equal, eventually

# linux/major.h; no kernel makes so many event nodes that this one is a device.
INPUT_MAJOR, FREE_MINOR = 13, (1 << 20) - 1


class Node:
    """A device node until it is closed."""

    def __init__(self, path, kind, major, minor, group="root", mode=0o666):
        self.path = Path(path)
        self.path.parent.mkdir(exist_ok=True)
        self.path.unlink(missing_ok=True)
        os.mknod(self.path, kind, os.makedev(major, minor))
        shutil.chown(self.path, group=group)
        self.path.chmod(mode)

    def close(self):
        self.path.unlink()


def succeeds(command):
    """Whether a shell command succeeds outside the sandbox."""
    return subprocess.run(["sh", "-c", command], capture_output=True).returncode == 0


@in_container
def test_event_nodes(scene):
    """In the sandbox the event node of a device that counts can be opened to read and write, and a keyboard's cannot."""
    with Installed():
        # A node of the class is enough: with no device behind it, the kernel says so only to a process that may open it.
        for group, lets_through in [("tallymark-input", True), ("input", False)]:
            node = Node("/dev/input/test", stat.S_IFCHR, INPUT_MAJOR, FREE_MINOR, group, 0o660)
            try:
                missing = f'(exec 3<>{node.path}) 2>&1 | grep -q "No such device"'
                equal(succeeds(missing), True, "whether there is no device behind the node")
                equal(probe(missing), lets_through, f"whether the sandbox opens a node of the group {group}")
            finally:
                node.close()


@in_container
def test_closed(scene):
    """In the sandbox there is no network, no other device, no home, and nothing can be written."""
    scene.keep(Node("/dev/fuse", stat.S_IFCHR, 10, 229))
    scene.keep(Node("/dev/loop-control", stat.S_IFCHR, 10, 237))
    socket = lambda kind: f'python3 -c "from socket import *; socket({kind})"'
    with Installed():
        equal(probe(socket("AF_UNIX")), True, "whether a command runs in the sandbox")
        for command, what in [
            ("exec 3</dev/fuse || exec 3</dev/loop-control", "other devices"),
            (socket("AF_INET"), "the network"),
            (socket("AF_NETLINK, SOCK_RAW"), "network interfaces"),
            ("ls /root/.", "homes"),
            ("touch /var/lib/x || touch /run/x || touch /etc/x || touch /usr/x", "writing"),
            ("ls /proc/1/", "other processes"),
            ("unshare --user true", "namespaces"),
        ]:
            equal(succeeds(command), True, f"{what} outside the sandbox")
            equal(probe(command), False, f"{what} in the sandbox")


@in_guest
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


@in_guest
def test_sensors(scene):
    """In the sandbox a motion sensor's node that udev gives to the group can be opened."""
    with Installed():
        run("modprobe", "industrialio")
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


@in_guest
def test_grabbed_devices(scene):
    """From the sandbox the events of a device that is held are passed on: to root, to the group as far as it may read the
    node, and to nobody else."""
    presenter = scene.presenter()
    event = Path(presenter.node).name
    syspath = Path(f"/sys/class/input/{event}").resolve()
    with Installed():
        group = grp.getgrnam("tallymark-input").gr_gid
        configure('[[device]]\nid = "046d:c52d"\ngrab = true\n')
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
