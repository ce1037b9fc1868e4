"""A disk of its own for the core's state, which can be filled and can fail."""

import ctypes
import os
import pwd
import struct
import subprocess
from pathlib import Path

from kit.machine import run

STATE = Path("/var/lib/tallymark")
IMAGE = Path("/run/disk.image")
SIZE = 24 << 20
NAME = "failing"
DEVICE = f"/dev/mapper/{NAME}"
FILLER = STATE / "filler"
C = ctypes.CDLL(None, use_errno=True)


class Disk:
    """ext4 on a device of the kernel's that passes everything on or fails every write, mounted where the counts lie.

    Without a journal of its own, which would end the whole file system at the first write that fails.
    """

    def __enter__(self):
        run("modprobe", "-a", "loop", "ext4", "dm-mod", "dm-flakey", "quota_v2")
        with IMAGE.open("wb") as file:
            file.truncate(SIZE)
        self.loop = run("losetup", "--find", "--show", IMAGE).strip()
        self._create()
        run("mkfs.ext4", "-q", "-O", "^has_journal,quota", "-E", "quotatype=usrquota", "-m", "0", DEVICE)
        STATE.mkdir(exist_ok=True)
        run("mount", "-o", "errors=continue,usrquota", DEVICE, STATE)
        return self

    def _table(self, is_sound):
        sectors = SIZE >> 9
        return f"0 {sectors} linear {self.loop} 0" if is_sound else (
            f"0 {sectors} flakey {self.loop} 0 0 86400 1 error_writes")

    def _create(self):
        run("dmsetup", "create", NAME, "--table", self._table(True))
        run("dmsetup", "mknodes")

    def _become(self, is_sound):
        # What waits to be written is not written first: it is to fail.
        run("dmsetup", "suspend", "--nolockfs", "--noflush", NAME)
        run("dmsetup", "load", NAME, "--table", self._table(is_sound))
        run("dmsetup", "resume", NAME)

    def fail(self):
        """From now on every write fails; what is there can be read."""
        self._become(False)

    def mend(self):
        self._become(True)

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
        """Makes the file system one that is only for reading, as ext4 does by itself after an error."""
        run("mount", "-o", "remount,ro", STATE)

    def accept_writes(self):
        run("mount", "-o", "remount,rw", STATE)

    def use_up_quota(self, user):
        """Lets a user have what he has, and no block more."""
        self._limit(user, 1)

    def lift_quota(self, user):
        self._limit(user, 0)

    def _limit(self, user, blocks):
        # struct if_dqblk of linux/quota.h; 1, QIF_BLIMITS, says that only the limits of blocks are meant.
        limits = struct.pack("8QI4x", blocks, 0, 0, 0, 0, 0, 0, 0, 1)
        # QCMD(Q_SETQUOTA, USRQUOTA)
        if C.quotactl(0x800008 << 8, DEVICE.encode(), pwd.getpwnam(user).pw_uid, limits):
            raise OSError(ctypes.get_errno(), "no limit was set")

    def __exit__(self, *_):
        # The core may have its folder in a place of its own for a moment longer.
        subprocess.run(["umount", "--lazy", STATE])
        subprocess.run(["dmsetup", "remove", "--force", "--retry", NAME], capture_output=True)
        subprocess.run(["losetup", "--detach", self.loop])
        IMAGE.unlink()
