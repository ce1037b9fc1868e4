"""Runs a command with the sandbox settings of the gesture daemon and checks what is permitted."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

from kit.machine import Installed
from kit.sandbox import probe
from kit.wait import equal

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
