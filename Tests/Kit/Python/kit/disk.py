"""A disk of its own for the core's state, which can be filled and can fail."""

import ctypes
import os
import pwd
import stat
import struct
import subprocess
from pathlib import Path

from kit.failing_file import FailingFile
from kit.machine import run
from kit.wait import eventually

STATE = Path("/var/lib/tallymark")
IMAGE = Path("/run/disk.image")
SIZE = 24 << 20
FILLER = STATE / "filler"
# A container has no loop nodes. 64 are enough for tests that run side by side.
LOOPS = 64
C = ctypes.CDLL(None, use_errno=True)


class Disk:
    """ext4 on a file that can be made to fail every write, mounted on the folder of the core's state.

    Without a journal, which would end the whole file system at the first write that fails. With `has_quota`, blocks are
    counted for each user; few kernels outside distributions can do that.
    """

    def __init__(self, has_quota=False):
        self.quota = (["-O", "quota", "-E", "quotatype=usrquota"], ",usrquota") if has_quota else ([], "")

    def __enter__(self):
        # Where these are not built in; a container takes what its host has loaded.
        subprocess.run(["modprobe", "-a", "loop", "ext4", "fuse", "quota_v2"], capture_output=True)
        self.file = FailingFile(IMAGE, SIZE)
        try:
            self._mount()
        except BaseException:
            self.file.close()
            raise
        return self

    def _mount(self):
        features, options = self.quota
        run("mkfs.ext4", "-q", "-O", "^has_journal", *features, "-m", "0", IMAGE)
        for number in range(LOOPS):
            if not Path(f"/dev/loop{number}").exists():
                os.mknod(f"/dev/loop{number}", 0o600 | stat.S_IFBLK, os.makedev(7, number))
        if not Path("/dev/loop-control").exists():
            os.mknod("/dev/loop-control", 0o600 | stat.S_IFCHR, os.makedev(10, 237))
        STATE.mkdir(exist_ok=True)
        # The kernel frees a loop device that mount has made when the last mount of it is gone.
        run("mount", "-o", f"loop,errors=continue{options}", IMAGE, STATE)
        self.device = run("findmnt", "--noheadings", "--output=SOURCE", STATE).strip()

    def fail(self):
        """From now on every write fails; reads succeed."""
        self.file.fails = True

    def mend(self):
        self.file.fails = False

    def fill(self):
        """Leaves no room at all."""
        descriptor = os.open(FILLER, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            for size in (1 << 20, 1 << 12, 1 << 9):
                try:
                    while True:
                        os.write(descriptor, bytes(size))
                except OSError:
                    pass
        finally:
            os.close(descriptor)

    def make_room(self):
        FILLER.unlink()

    def refuse_writes(self):
        """Makes the file system read-only, as ext4 does by itself after an error."""
        run("mount", "-o", "remount,ro", STATE)

    def accept_writes(self):
        run("mount", "-o", "remount,rw", STATE)

    def use_up_quota(self, user):
        """Limits a user to the blocks that the user has."""
        self._limit(user, 1)

    def lift_quota(self, user):
        self._limit(user, 0)

    def _limit(self, user, blocks):
        # struct if_dqblk of linux/quota.h; 1, QIF_BLIMITS, says that only the limits of blocks are meant.
        limits = struct.pack("8QI4x", blocks, 0, 0, 0, 0, 0, 0, 0, 1)
        # QCMD(Q_SETQUOTA, USRQUOTA)
        if C.quotactl(0x800008 << 8, self.device.encode(), pwd.getpwnam(user).pw_uid, limits):
            raise OSError(ctypes.get_errno(), "no limit was set")

    def __exit__(self, *_):
        self.mend()
        # A service that is ending may have the folder mounted in a place of its own for a moment longer.
        subprocess.run(["umount", "--lazy", STATE])
        number = Path(self.device).name
        eventually(lambda: not Path(f"/sys/block/{number}/loop").exists(), f"{self.device} is free")
        self.file.close()
