"""Time that passes only while all programs of a test sleep, or when a test says so: Tests/Kit/VirtualTime for them.

  python3 -m kit.virtual_time new FILE           makes the file, for clocks that begin at `moment`; prints the library that programs load
  python3 -m kit.virtual_time pass FILE SECONDS  lets time pass
  python3 -m kit.virtual_time set FILE SECONDS   sets the time that people read, so much later than it would be
"""

import ctypes
import mmap
import os
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kit import ROOT
from kit.process import process_state
from kit.wait import eventually

SOURCE, LIBRARY = ROOT / "Tests/Kit/VirtualTime/VirtualTime.c", ROOT / ".build/tests/VirtualTime.so"
SECOND = 1_000_000_000
# Of the file: what the clocks showed at the start and the time that has passed, in nanoseconds, the number of moves, and by how
# much the time that people read was set.
CONTENT = struct.Struct("<qqqqIIq")
PASSED, SET = 24, 40
# By how much the virtual clock is later than the machine's at the start, in seconds: nothing that the machine has made just
# now is of the future.
LEAD = 3600
# How much time a move passes, in seconds, and the shortest real time between two moves.
STEP, PACE = 0.1, 0.002


def library():
    """The library, which is built when it is missing or old."""
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        # Several runs may build at the same time.
        other = LIBRARY.with_suffix(f".{os.getpid()}")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", other, SOURCE, "-ldl", "-pthread"], check=True)
        other.replace(LIBRARY)
    return LIBRARY


def is_asleep(pid):
    """Whether no thread of a process runs, waits for a processor or for a disk."""
    try:
        for task in os.scandir(f"/proc/{pid}/task"):
            with open(f"{task.path}/stat") as file:
                # The name in parentheses may hold anything.
                if file.read().rpartition(")")[2].split(None, 1)[0] in "RD":
                    return False
    except OSError:
        # It has ended.
        pass
    return True


def moment():
    """The time of a Wednesday in the middle of next May, at 12:30 UTC: no hour, day, week, month or year ends soon after it.

    It is later than all that a machine has made."""
    begin = datetime(datetime.now(UTC).year + 1, 5, 11, 12, 30, tzinfo=UTC)
    return int((begin + timedelta(days=(2 - begin.weekday()) % 7)).timestamp())


def make(path, lead=0):
    """Makes the file: clocks that are so many seconds later than the machine's."""
    clocks = [time.clock_gettime_ns(clock) + lead * SECOND for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME)]
    path.write_bytes(CONTENT.pack(*clocks, 0, 0, 0, 0) + bytes(4 << 16))


class Content:
    """The file of the clocks, which programs share."""

    def __init__(self, path):
        with path.open("r+b") as file:
            self._content = mmap.mmap(file.fileno(), 0)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._content))
        self._move = ctypes.CDLL(str(library())).virtual_time_move
        self._move.argtypes = [ctypes.c_void_p, ctypes.c_int64]

    def move(self, seconds):
        self._move(self._address, int(seconds * SECOND))

    def set(self, seconds):
        struct.pack_into("<q", self._content, SET, int(seconds * SECOND))

    @property
    def begun(self):
        """The time at the start, in seconds since 1970."""
        return struct.unpack_from("<q", self._content)[0] / SECOND

    @property
    def passed(self):
        """The time that has passed, in seconds."""
        return struct.unpack_from("<q", self._content, PASSED)[0] / SECOND

    def wakeups(self, pid):
        return struct.unpack_from("<I", self._content, CONTENT.size + 4 * (pid & 0xffff))[0]


class VirtualTime:
    """The clock of some programs, each of which has `environment`."""

    def __init__(self, path):
        make(path, LEAD)
        self._content = Content(path)
        self.environment = {"VIRTUAL_TIME": str(path), "LD_PRELOAD": str(LIBRARY)}
        # The programs, as kit.process has them.
        self.processes = []
        # The threads of this process that wait for time to pass, and how long each other one has run, in nanoseconds.
        self._waiting, self._ran = set(), {}
        # What has to have passed before time stands still; none while it goes on.
        self._end = None
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._has_ended.wait(PACE):
            end = self._end
            if (end is None or self.passed < end) and self._all_sleep() and self._test_sleeps():
                self._content.move(STEP)

    def _all_sleep(self):
        return all(is_asleep(process.process.pid) for process in self.processes if process.is_running)

    def _test_sleeps(self):
        """Whether no other thread of this process, which are the test, strangers, proxies and fake cores, has run since the last
        look, or is about to. One that waits for Python's lock does not show it, but has run."""
        ran, sleeps = {}, True
        for task in os.scandir("/proc/self/task"):
            if int(task.name) in (self._thread.native_id, *self._waiting):
                continue
            try:
                ran[task.name] = Path(task.path, "schedstat").read_text().split()[0]
                sleeps = sleeps and process_state(f"self/task/{task.name}") not in "RD"
            except OSError:
                # It has ended.
                pass
        sleeps, self._ran = sleeps and ran == self._ran, ran
        return sleeps

    @property
    def passed(self):
        """The time that has passed, in seconds."""
        return self._content.passed

    @property
    def now(self):
        """The time that the programs take it to be, in seconds since 1970."""
        return self._content.begun + self.passed

    def sleep(self, seconds):
        """Waits until so much time has passed: a program that never sleeps makes it fail."""
        end = self.passed + seconds
        if self._end is not None:
            self._end = end
        thread = threading.get_native_id()
        self._waiting.add(thread)
        try:
            eventually(lambda: self.passed >= end and self._all_sleep(), f"{seconds} s have passed for programs that sleep")
        finally:
            self._waiting.discard(thread)

    @contextmanager
    def stopped(self):
        """Lets time pass only in `sleep` meanwhile: no timer that is due later fires."""
        self._end = self.passed
        try:
            yield
        finally:
            self._end = None

    def wakeups(self, process):
        """How often something, or a timer, has woken a program up."""
        return self._content.wakeups(process.process.pid)

    def close(self):
        self._has_ended.set()
        self._thread.join()


def main(verb, path, seconds=0):
    path = Path(path)
    if verb == "new":
        make(path, moment() - int(time.time()))
        print(library())
    else:
        {"pass": Content.move, "set": Content.set}[verb](Content(path), float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
