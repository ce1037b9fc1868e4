"""What a durable add asks of the kernel and of the disk, which a memory card wears by."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from servers import Failure, Tallyd
from tools import WORK, call, progress, redis_benchmark

ADDS, ROUNDS = 3000, 5
# The length of the log at which it is begun anew; from then on it is written over, as it is in use.
LOG_PAGES = 1000
PAGE, FRAME_HEADER = 1024, 24


def _device():
    """Bytes that all programs together have written to the disk that holds `WORK`; `None` where Linux does not tell."""
    number = os.stat(WORK).st_dev
    try:
        with open("/sys/dev/block/%d:%d/stat" % (os.major(number), os.minor(number))) as line:
            return int(line.read().split()[6]) * 512
    except FileNotFoundError:
        return None


def _written(server):
    """Bytes that a process has written to files."""
    with open("/proc/%d/io" % server.process.pid) as lines:
        return int(dict(line.split(": ") for line in lines)["wchar"])


def _add(tallyd, calls):
    return call("load", tallyd.socket, 1, 60, Tallyd.add, calls)[0]


def _incr(redis, calls):
    redis_benchmark(redis.socket, "incr", 1, calls)
    return calls


def _append():
    return call("append", os.path.join(WORK, "disk"), 1)[0]


def _on_disk(work):
    """Bytes on the disk for each of the counts that `work` returns."""
    os.sync()
    before = _device()
    counts = work()
    return (_device() - before) / counts


def bytes_on_disk(tallyd, redis):
    """Bytes on the disk a count, of tallyd, Redis and appending; `None` where Linux does not tell.

    The disk is everybody's, so the lowest of several rounds is taken.
    """
    if _device() is None:
        progress("Linux does not tell what is written to the disk of %s" % WORK)
        return None
    works = (lambda: _add(tallyd, ADDS), lambda: _incr(redis, ADDS), _append)
    found = []
    for number in range(1, ROUNDS + 1):
        found.append([_on_disk(work) for work in works])
        progress("round %d of %d: tallyd %.0f, Redis %.0f, appending %.0f bytes a count" % (number, ROUNDS, *found[-1]))
    return [min(column) for column in zip(*found)]


def _calls(server, work):
    """System calls of `server` for each of the counts that `work` returns."""
    with tempfile.NamedTemporaryFile("r") as table:
        strace = subprocess.Popen(
            ["strace", "-f", "-q", "-c", "-o", table.name, "-p", str(server.process.pid)], stderr=subprocess.PIPE)
        time.sleep(1)
        counts = work()
        strace.send_signal(signal.SIGINT)
        complaint = strace.communicate()[1].decode()
        total = re.search(r"^100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+(?:\d+\s+)?total$", table.read(), re.MULTILINE)
    if not total:
        raise Failure("strace counted nothing: " + complaint.strip())
    return int(total.group(1)) / counts


def system_calls(tallyd, redis):
    """System calls an add, of tallyd and Redis; `None` where they cannot be counted."""
    if not shutil.which("strace"):
        progress("System calls are not counted: strace is not installed")
        return None
    return _calls(tallyd, lambda: _add(tallyd, ADDS)), _calls(redis, lambda: _incr(redis, ADDS))


def measure(tallyd, redis):
    """Pages of the log a count, with what is copied into the file; bytes on the disk; and system calls."""
    _add(tallyd, LOG_PAGES + ADDS)
    before = _written(tallyd)
    counts = _add(tallyd, ADDS)
    pages = (_written(tallyd) - before) / (PAGE + FRAME_HEADER) / counts
    return {"pages": pages, "bytes": bytes_on_disk(tallyd, redis), "calls": system_calls(tallyd, redis)}
