"""A file whose writes can be made to fail: the root of a FUSE file system, served by a thread of the test."""

import ctypes
import errno
import os
import stat
import struct
import subprocess
import threading
from pathlib import Path

# linux/fuse.h
GETATTR, SETATTR, OPEN, READ, WRITE, RELEASE, FSYNC, FLUSH, INIT = 3, 4, 14, 15, 16, 18, 20, 25, 26
FORGET, INTERRUPT, DESTROY, BATCH_FORGET = 2, 36, 38, 42
UNANSWERED = {FORGET, INTERRUPT, DESTROY, BATCH_FORGET}
REQUEST, REPLY = struct.Struct("IIQQIIIHH"), struct.Struct("IiQ")
VERSION, MINOR, ROOT, FOPEN_DIRECT_IO = 7, 31, 1, 1
MOST_WRITTEN = 128 << 10

MS_NOSUID_NODEV = 0x2 | 0x4
C = ctypes.CDLL(None, use_errno=True)


class FailingFile:
    """A file of `size` zero bytes at `path` until it is closed. While `fails` is true, every write and every sync of it
    fails with EIO, and reads succeed."""

    def __init__(self, path, size):
        self.path = Path(path)
        self.fails = False
        self._content = bytearray(size)
        self.path.touch()
        node = Path("/dev/fuse")
        if not node.exists():
            os.mknod(node, 0o600 | stat.S_IFCHR, os.makedev(10, 229))
        self._fd = os.open(node, os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self._fd},rootmode=100600,user_id=0,group_id=0"
        if C.mount(b"test", bytes(self.path), b"fuse", MS_NOSUID_NODEV, options.encode()):
            os.close(self._fd)
            raise OSError(ctypes.get_errno(), "mount a FUSE file system")
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                request = os.read(self._fd, MOST_WRITTEN + 4096)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT):
                    continue
                # It is unmounted.
                return
            operation, unique = REQUEST.unpack_from(request)[1:3]
            if operation in UNANSWERED:
                continue
            answer = self._answer(operation, memoryview(request)[REQUEST.size :])
            code, body = (-answer, b"") if isinstance(answer, int) else (0, answer)
            try:
                os.write(self._fd, REPLY.pack(REPLY.size + len(body), code, unique) + body)
            except FileNotFoundError:
                # The request was interrupted or aborted, so the kernel drops the reply.
                pass

    def _answer(self, operation, arguments):
        """The body of the reply, or the number of an error."""
        if operation == INIT:
            head = struct.pack("IIIIHHIIHHI", VERSION, MINOR, MOST_WRITTEN, 0, 12, 9, MOST_WRITTEN, 1, 0, 0, 0)
            return head.ljust(64, b"\0")
        if operation in (GETATTR, SETATTR):
            size = len(self._content)
            times = (0,) * 6
            attributes = struct.pack("QQQ3Q3I7I", ROOT, size, size >> 9, *times, 0o100600, 1, 0, 0, 0, 4096, 0)
            return struct.pack("QII", 3600, 0, 0) + attributes
        if operation == OPEN:
            return struct.pack("QII", 0, FOPEN_DIRECT_IO, 0)
        if operation == READ:
            _, offset, count = struct.unpack_from("QQI", arguments)
            return bytes(self._content[offset : offset + count])
        if operation == WRITE:
            _, offset, count = struct.unpack_from("QQI", arguments)
            if self.fails:
                return errno.EIO
            self._content[offset : offset + count] = arguments[40 : 40 + count]
            return struct.pack("II", count, 0)
        if operation == FSYNC:
            return errno.EIO if self.fails else b""
        return b"" if operation in (FLUSH, RELEASE) else errno.ENOSYS

    def close(self):
        subprocess.run(["umount", "--lazy", self.path], check=True)
        self._thread.join()
        os.close(self._fd)
        self.path.unlink()
