"""Clients that write and read at the same time, watchers, and kills: there must be one order of all calls that explains
every answer and in which no call comes before one that had ended when it began (linearisability).

The orders of each counter are searched for without the numbers of the events (Wing and Gong, 1993); then these numbers,
the watchers and the history must tell the same."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from kit.core import Core
from kit.kills import Killer
from kit.wait import PATIENCE, eventually

COUNTERS = ["a", "b"]
NEVER = float("inf")
# Calls of a counter between two moments at which none is under way, at most.
LONGEST = 4000
# The kills of a run that are tried however long they take.
LEAST = 3


class Call:
    def __init__(self, kind, argument, begun):
        self.kind, self.argument, self.begun = kind, argument, begun
        self.ended, self.value, self.sequence, self.label = NEVER, None, None, None

    def __repr__(self):
        return f"{self.kind} {self.argument} → {self.value} at {self.begun:.6f}–{self.ended:.6f}"


def order_exists(calls, value):
    """Whether calls of one counter have an order that explains the answers, from `value` on. An unanswered write may
    have been done at any time after it began, or never; unanswered reads say nothing."""
    calls = sorted((call for call in calls if call.kind != "read" or call.ended != NEVER), key=lambda call: call.begun)
    # A state: how many calls from the front are all done, which further ones are, and the value.
    seen, stack = set(), [(0, frozenset(), value)]
    while stack:
        front, ahead, value = state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        while front < len(calls) and front in ahead:
            ahead, front = ahead - {front}, front + 1
        # What may come next: all that began before the earliest end of what is not done.
        earliest, choices, index = NEVER, [], front
        while index < len(calls) and calls[index].begun <= earliest:
            if index not in ahead:
                choices.append(index)
                earliest = min(earliest, calls[index].ended)
            index += 1
        if all(calls[index].ended == NEVER for index in range(front, len(calls)) if index not in ahead):
            return True
        for index in choices:
            call = calls[index]
            if call.kind == "add":
                after = value + call.argument
            else:
                after = call.argument if call.kind == "correct" else value
            if call.ended == NEVER or call.value == after:
                stack.append((front, ahead | {index}, after))
    return False


def check_itself():
    """The search accepts what is in order and refuses a stale read, a lost write and a doubled one."""
    def history(*calls):
        made = []
        for kind, argument, begun, ended, value in calls:
            call = Call(kind, argument, begun)
            call.ended, call.value = ended, value
            made.append(call)
        return made

    add = ("add", 1, 0, 1, 1)
    for expected, calls in [
            (True, [add, ("read", 0, 2, 3, 1)]), (True, [("add", 1, 0, 4, 1), ("read", 0, 2, 3, 0)]),
            (True, [("add", 1, 0, NEVER, None), ("read", 0, 2, 3, 0), ("read", 0, 4, 5, 1)]),
            (True, [("correct", 5, 0, 4, 5), ("add", 1, 0, 4, 1)]),
            (False, [add, ("read", 0, 2, 3, 0)]), (False, [add, ("read", 0, 2, 3, 2)]),
            (False, [("add", 1, 0, NEVER, None), ("read", 0, 2, 3, 1), ("read", 0, 4, 5, 0)]),
            (False, [("correct", 5, 0, 4, 5), ("add", 1, 5, 6, 1)])]:
        if order_exists(history(*calls), 0) != expected:
            raise AssertionError(f"the search for an order is wrong about {calls}")


def client(core, chance, name, calls, stopping):
    """Writes and reads until it is told to end; opens a connection anew when the core was killed."""
    connection, number = None, 0
    while not stopping.is_set():
        try:
            connection = connection or core.connect()
        except OSError:
            time.sleep(0.002)
            continue
        counter, kind = chance.choice(COUNTERS), chance.choices(["add", "subtract", "correct", "read"], [5, 2, 1, 5])[0]
        amount, number = chance.randint(1, 50), number + 1
        call = Call("add" if kind == "subtract" else kind, -amount if kind == "subtract" else amount, time.monotonic())
        call.label = f"{name} {number}"
        calls[counter].append(call)
        cause = {"producer": "soak", "device": call.label}
        try:
            match kind:
                case "read":
                    connection.send("Get", counter=counter)
                case "correct":
                    connection.send("Correct", counter=counter, value=amount, cause=cause)
                case _:
                    connection.send(kind.capitalize(), counter=counter, amount=amount, cause=cause)
            reply = connection.outcome()
        except OSError:
            reply = None
        if reply is None:
            connection = None
            continue
        call.ended = time.monotonic()
        call.value = reply[1]["counter" if kind == "read" else "event"]["value"]
        call.sequence = None if kind == "read" else reply[1]["event"]["sequence"]


def watcher(core, seen, stopping):
    """Keeps what each watch tells: lists of (sequence, counter, value), each after the values at its beginning."""
    while not stopping.is_set():
        try:
            connection = core.connect()
            connection.socket.settimeout(0.5)
            connection.send("Watch", more=True)
            first = connection.outcome()
        except OSError:
            first = None
        if first is None:
            time.sleep(0.002)
            continue
        watched = {"values": {c["name"]: c["value"] for c in first[1]["counters"]}, "events": []}
        seen.append(watched)
        while not stopping.is_set():
            try:
                reply = connection.outcome()
            except TimeoutError:
                continue
            except OSError:
                reply = None
            if reply is None:
                break
            if reply[1].get("resynchronise"):
                watched = {"values": {c["name"]: c["value"] for c in reply[1]["counters"]}, "events": []}
                seen.append(watched)
            elif "event" in reply[1]:
                event = reply[1]["event"]
                watched["events"].append((event["sequence"], event["counter"], event["change"], event["value"]))
        connection.close()


def check_calls(counter, calls, history):
    """The order that the numbers of the events give against the answers."""
    written = {event["cause"].get("device"): event for event in history if event["counter"] == counter}
    for call in calls:
        event = written.get(call.label)
        if call.kind != "read" and call.ended != NEVER and (event is None or event["value"] != call.value):
            raise AssertionError(f"{call} was answered, and the history has {event}")
    if len([event for event in history if event["cause"].get("device")]) != len({
            event["cause"].get("device") for event in history if event["cause"].get("device")}):
        raise AssertionError("a call is twice in the history")


def check_watch(watched, by_sequence):
    """What a watcher saw: every event from its beginning on, in order, without a gap, with the history's values."""
    values, last = dict(watched["values"]), None
    for sequence, counter, change, value in watched["events"]:
        if last is not None and sequence != last + 1:
            raise AssertionError(f"a watcher was told {sequence} after {last}")
        if (counter, change, value) != by_sequence.get(sequence):
            raise AssertionError(f"a watcher was told {(counter, change, value)} as {sequence}, the history has {by_sequence.get(sequence)}")
        if counter in values and values[counter] + change != value:
            raise AssertionError(f"a watcher had {counter} at {values[counter]}, then {change} made it {value}")
        values[counter], last = value, sequence


def is_complete(watched, last, values):
    """Whether a watch has told the history's last event, or began after it with these values."""
    return watched["events"][-1][0] == last if watched["events"] else watched["values"] == values


def run(programs, chance, seconds):
    check_itself()
    end, totals = time.monotonic() + seconds, {"calls": 0, "kills": 0, "watches": 0, "events_watched": 0, "runs": 0}
    while not totals["runs"] or time.monotonic() < end:
        with Core.alone(programs) as core:
            one_run(core, chance, min(end, time.monotonic() + 4), totals)
        totals["runs"] += 1
    return totals


def one_run(core, chance, end, totals):
    for name in COUNTERS:
        core.call("Create", name=name)
    calls = [{name: [] for name in COUNTERS} for _ in range(6)]
    seen = [[] for _ in range(3)]
    done_writing, done_watching, killer = threading.Event(), threading.Event(), Killer(chance, core)
    pool = ThreadPoolExecutor(len(calls) + len(seen))
    clients = [pool.submit(client, core, type(chance)(chance.random()), f"client {number}", mine, done_writing)
               for number, mine in enumerate(calls)]
    watchers = [pool.submit(watcher, core, mine, done_watching) for mine in seen]

    def has_tried():
        return killer.rounds >= LEAST and any(watched["events"] for mine in seen for watched in mine)

    def has_failed():
        return any(thread.done() for thread in clients + watchers)

    try:
        while (not has_tried() or time.monotonic() < end) and not has_failed() and sum(
                len(mine[COUNTERS[0]]) for mine in calls) < LONGEST:
            killer.strike(chance.choice([0.05, 0.3, 1]))
        done_writing.set()
        # Each client waits for the reply to its last call. A result raises what its thread has raised.
        for thread in clients:
            thread.result(PATIENCE + 10)
        history = core.events()
        values = {name: core.value(name) for name in COUNTERS}
        eventually(
            lambda: any(thread.done() for thread in watchers) or all(
                mine and is_complete(mine[-1], history[-1]["sequence"], values) for mine in seen),
            "each watcher is told the last event")
    finally:
        done_writing.set()
        done_watching.set()
    for thread in watchers:
        thread.result(PATIENCE + 10)
    if not any(watched["events"] for mine in seen for watched in mine):
        raise AssertionError("no watcher was told an event")
    by_sequence = {event["sequence"]: (event["counter"], event["change"], event["value"]) for event in history}
    for name in COUNTERS:
        mine = [call for some in calls for call in some[name]]
        final = Call("read", 0, time.monotonic())
        final.value, final.ended = core.call("Get", counter=name)["counter"]["value"], time.monotonic()
        check_calls(name, mine, history)
        # An unanswered call that the history does not have did not happen; the others may have.
        kept = {event["cause"].get("device") for event in history}
        considered = [call for call in mine if call.ended != NEVER or call.label in kept]
        if not order_exists([*considered, final], 0):
            raise AssertionError(f"no order explains the answers about {name}: " + "\n".join(map(str, sorted(
                mine, key=lambda call: call.begun)[:200])))
        totals["calls"] += len(mine)
    for watched in (watch for some in seen for watch in some):
        check_watch(watched, by_sequence)
        totals["watches"] += 1
        totals["events_watched"] += len(watched["events"])
    totals["kills"] += core.kills
