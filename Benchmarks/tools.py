"""The C programs beside this file and redis-benchmark, called for the numbers they print."""

import os
import shutil
import subprocess
import sys
from statistics import median

from servers import Failure

WORK = ".build-bench"
PROGRAMS = os.path.join(".build", "release")
# The Swift toolchain brings clang along.
COMPILER = shutil.which("cc") or shutil.which("clang")


def require():
    """Says what has to be installed or built first, if anything has."""
    missing = [
        package for package, tool in (
            ("redis-server", shutil.which("redis-server")), ("redis-tools", shutil.which("redis-benchmark")),
            ("triggerhappy", shutil.which("thd", path=os.environ["PATH"] + ":/usr/sbin")), ("evtest", shutil.which("evtest")),
            ("gcc", COMPILER)) if tool is None]
    if missing:
        raise Failure("The benchmark needs programs that are not here. Install them with:\n"
                      "  sudo apt-get install " + " ".join(missing))
    if not os.access(os.path.join(PROGRAMS, "tallyd"), os.X_OK):
        raise Failure("%s/tallyd is not built; run `make build` first." % PROGRAMS)


def build():
    # Without libraries to look for, a command that does nothing starts as fast as any can.
    linking = {"stamp": ["-static"]}
    for name in ("load", "append", "answer", "start", "press", "record", "stamp", "fingers"):
        source, target = "Benchmarks/%s.c" % name, os.path.join(WORK, name)
        if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
            subprocess.run(
                [COMPILER, "-O2", "-Wall", "-Wextra", *linking.get(name, []), "-o", target, source], check=True)


def call(name, *arguments):
    """The numbers that one of the C programs prints."""
    command = [os.path.join(WORK, name), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure("%s failed: %s" % (" ".join(command), done.stderr.strip()))
    return [float(number) for number in done.stdout.split()]


def redis_benchmark(socket, test, clients, calls):
    """Calls per second, and the times of a call in microseconds: median and 99th percentile."""
    done = subprocess.run(
        ["redis-benchmark", "-s", socket, "-t", test, "-c", str(clients), "-n", str(int(calls)), "--csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [line.replace('"', "").split(",") for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(lines) != 2:
        raise Failure("redis-benchmark failed: " + done.stderr.strip())
    result = dict(zip(*lines))
    return float(result["rps"]), 1000 * float(result["p50_latency_ms"]), 1000 * float(result["p99_latency_ms"])


class Load:
    """What one kind of load did in each round: calls per second, and the times of a call in microseconds."""

    def __init__(self):
        self.rounds = []

    def note(self, rate, p50, p99):
        self.rounds.append((rate, p50, p99))

    last = property(lambda self: self.rounds[-1][0])
    rate = property(lambda self: median(found[0] for found in self.rounds))
    p50 = property(lambda self: median(found[1] for found in self.rounds))
    p99 = property(lambda self: median(found[2] for found in self.rounds))

    def ratios(self, other, figure):
        """A figure in each round over that of `other` in the same round, when the machine was as busy with other things."""
        return [mine[figure] / theirs[figure] for mine, theirs in zip(self.rounds, other.rounds, strict=True)]


def count(number):
    """A whole number as people write it: 12,345."""
    return format(round(number), ",d")


def step(text):
    """What is done from now on, on a line of its own."""
    print("\r\033[K" * sys.stderr.isatty() + "==> " + text, file=sys.stderr, flush=True)


def progress(text):
    """How far that is; on a terminal each takes the place of the one before."""
    on_terminal = sys.stderr.isatty()
    print("\r\033[K" + text if on_terminal else "    " + text, end="" if on_terminal else "\n", file=sys.stderr, flush=True)
