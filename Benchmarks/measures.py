"""What is measured. Servers that are compared take turns, so that whatever else the machine does troubles both."""

import os
import subprocess
import sys
import time
from statistics import median

import journals
from servers import Failure, Tallyd, clear, end_with_parent
from tools import PROGRAMS, WORK, Load, call, count, progress, redis_benchmark

CLIENTS = (1, 50)
HUGE, LARGE, SMALL = 10_000_000, 1_000_000, 1_000
COUNTERS = 10_000


def loads(tallyd, redis, floors, rounds=9, seconds=0.8):
    """Adds and queries with 1 and 50 clients, by (server, kind, clients), and what the disk alone allows. In each round each
    server takes its turn, so that what else the machine does slows all. `floors` are the servers that do the least for an
    add and for a query, with 1 client."""
    kinds = (("add", Tallyd.add, "incr"), ("query", Tallyd.get, "get"))
    cases = [(clients, *kind) for clients in CLIENTS for kind in kinds]
    found = {(server, kind, clients): Load() for server in ("tallyd", "redis") for clients, kind, _, _ in cases}
    found.update({("floor", kind, 1): Load() for kind in floors})
    disk, added = Load(), 0
    # redis-benchmark takes a number of calls, not a time: as many as the last round says.
    for clients, kind, _, test in cases:
        found["redis", kind, clients].pace = redis_benchmark(redis.socket, test, clients, 2000)[0]
    for number in range(1, rounds + 1):
        for clients, kind, request, test in cases:
            ours, theirs = found["tallyd", kind, clients], found["redis", kind, clients]
            # Neither always goes first.
            for server in (ours, theirs) if number % 2 else (theirs, ours):
                if server is theirs:
                    theirs.note(*redis_benchmark(redis.socket, test, clients, theirs.pace * seconds))
                    theirs.pace = theirs.last
                    continue
                calls, *result, _ = call("load", tallyd.socket, clients, seconds, request)
                added += calls if kind == "add" else 0
                ours.note(*result)
            progress("round %d of %d, %s, %d client%s: tallyd %s/s, Redis %s/s" % (
                number, rounds, kind, clients, "s" * (clients > 1), count(ours.last), count(theirs.last)))
        for kind, request, _ in kinds:
            found["floor", kind, 1].note(*call("load", floors[kind].socket, 1, seconds / 2, request)[1:4])
        disk.note(*call("append", os.path.join(WORK, "disk"), seconds / 2)[1:])
    # Whatever was answered was counted, and nothing else.
    if tallyd.value() != added:
        raise Failure("tallyd answered %d adds and counted %d." % (added, tallyd.value()))
    return found, disk


def starts(servers, rounds=25):
    """The median time in microseconds from exec to the first answer, of ended servers over what they left behind."""
    times = {server: [] for server in servers}
    for _ in range(rounds):
        for server in servers:
            times[server] += call("start", server.socket, server.question, *server.command)
    return {server: median(found) for server, found in times.items()}


def idle(servers, seconds=10):
    """PSS and RSS in kB and the number of wake-ups, by the names of `servers`."""
    time.sleep(1)
    before = {name: server.switches() for name, server in servers.items()}
    time.sleep(seconds)
    return {name: (*server.memory(), server.switches() - before[name]) for name, server in servers.items()}


def frames():
    """Nanoseconds for a frame of ten fingers: with the defaults bound, and with 27 bindings more."""
    program = os.path.join(PROGRAMS, "recognizer-cost")
    return [int(number) for number in subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.split()]


def history(rounds=12):
    """Median microseconds for a start, an add, a page and a day's totals, by the number of events in the history."""
    cores = {SMALL: _filled("small", SMALL), LARGE: _filled("large", LARGE), HUGE: _grown("huge", HUGE)}
    times = {size: {"add": [], "page": [], "day": []} for size in cores}
    for number in range(1, rounds + 1):
        progress("asking all three, round %d of %d" % (number, rounds))
        for size, core in cores.items():
            # Few adds, so that the small history stays small.
            times[size]["add"].append(call("load", core.socket, 1, 2, Tallyd.add, 25)[2])
            times[size]["page"].append(call("load", core.socket, 1, 0.3, Tallyd.page)[2])
            times[size]["day"].append(call("load", core.socket, 1, 0.3, Tallyd.day())[2])
    for core in cores.values():
        core.end()
    progress("starting all three again and again")
    begun = starts(cores.values())
    return {
        size: {"start": begun[core], **{name: median(found) for name, found in times[size].items()}}
        for size, core in cores.items()
    }


def readers(rounds=3, seconds=3):
    """Microseconds for an add in a history of a million events: (median, p99, longest), by what goes on beside it."""
    core = _filled("readers", LARGE)
    found = {"alone": [], "asks": [], "leaves": []}
    for number in range(1, rounds + 1):
        for beside, times in found.items():
            progress("an add beside readers, round %d of %d: %s" % (number, rounds, beside))
            crowd = None
            if beside != "alone":
                command = [sys.executable, os.path.join("Benchmarks", "readers.py"), beside, core.socket]
                crowd = subprocess.Popen(command, preexec_fn=end_with_parent)
                time.sleep(1)
            try:
                times.append(call("load", core.socket, 1, seconds, Tallyd.add)[2:])
            finally:
                if crowd:
                    if crowd.poll() is not None:
                        raise Failure("The readers ended by themselves.")
                    crowd.kill()
                    crowd.wait()
                    # What they had asked is dropped.
                    time.sleep(1)
    core.end()
    # The longest of all, and medians of the others.
    return {beside: (median(t[0] for t in times), median(t[1] for t in times), max(t[2] for t in times))
            for beside, times in found.items()}


def _filled(name, events):
    core = Tallyd(os.path.join(PROGRAMS, "tallyd"), clear(os.path.join(WORK, name)))
    told = time.monotonic()

    def tell(done):
        nonlocal told
        if time.monotonic() > told + 1:
            told = time.monotonic()
            progress("recorded %s of %s events" % (count(done), count(events)))

    core.fill(events, tell)
    return core


def _grown(name, events):
    program = os.path.join(PROGRAMS, "tallyd")
    core = Tallyd(program, clear(os.path.join(WORK, name)))
    core.end()
    progress("writing %s events of %s counters" % (count(events), count(COUNTERS)))
    journals.grow(os.path.join(core.folder, "state"), COUNTERS, events)
    progress("having them summarised")
    return Tallyd(program, core.folder, patience=900)
