"""The guest's clocks: suspend to memory, the time that people read, leap seconds."""

import ctypes
import errno
import os
import time
from pathlib import Path

POWER = Path("/sys/power")

# linux/timex.h
ADJ_MAXERROR, ADJ_STATUS = 0x0004, 0x0010
STA_PLL, STA_INS, STA_DEL = 0x0001, 0x0010, 0x0020
TIME_INS, TIME_DEL, TIME_OOP, TIME_WAIT = 1, 2, 3, 4


def slept():
    """For how long the machine has slept since it was started, in seconds."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


# For how long the machine sleeps at least, in seconds, until it is woken up from outside (boot --suspend). The kernel tells
# the time by a clock that shows whole seconds, and corrects up to two more by how the other clock went until then.
NIGHT = 4


def suspend():
    """Suspends the machine to memory (ACPI S3) for at least ``NIGHT`` seconds; returns for how long it slept."""
    before = slept()
    (POWER / "mem_sleep").write_text("deep")
    (POWER / "state").write_text("mem")
    length = slept() - before
    if length < NIGHT:
        raise AssertionError(f"the machine slept for {length} s")
    return length


def set_time(seconds):
    """Sets the time that people read, in seconds since 1970."""
    time.clock_settime(time.CLOCK_REALTIME, seconds)


class Timex(ctypes.Structure):
    """struct timex, as adjtimex(2) has it on 64-bit machines."""

    _fields_ = [
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long), ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long), ("status", ctypes.c_int), ("constant", ctypes.c_long),
        ("precision", ctypes.c_long), ("tolerance", ctypes.c_long), ("seconds", ctypes.c_long),
        ("microseconds", ctypes.c_long), ("tick", ctypes.c_long), ("ppsfreq", ctypes.c_long),
        ("jitter", ctypes.c_long), ("shift", ctypes.c_int), ("stabil", ctypes.c_long), ("jitcnt", ctypes.c_long),
        ("calcnt", ctypes.c_long), ("errcnt", ctypes.c_long), ("stbcnt", ctypes.c_long), ("tai", ctypes.c_int),
        ("padding", ctypes.c_int * 11),
    ]


def adjust(modes=0, status=0):
    """adjtimex(2); returns the clock's state, including leap seconds."""
    library = ctypes.CDLL(None, use_errno=True)
    clock = Timex(modes=modes, status=status)
    state = library.adjtimex(ctypes.byref(clock))
    if state < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno() or errno.EINVAL))
    return state


class Leap:
    """The kernel puts a second in at the coming midnight UTC, or leaves one out, unless the time is set until then."""

    def __init__(self, status):
        self.status = status

    def __enter__(self):
        # Ends what another leap has left: the kernel begins none until it has seen a second without one. Losing the lock
        # to another clock (STA_PLL) resets that.
        adjust(ADJ_STATUS, STA_PLL)
        adjust(ADJ_STATUS)
        # A clock that was just set is taken to be wrong, and then nothing is told of the leap.
        adjust(ADJ_STATUS | ADJ_MAXERROR, self.status)
        return self

    def __exit__(self, *_):
        adjust(ADJ_STATUS)
