"""Random histories, with removals, names used again, renames, notes and undos, through everything that writes them and
reads them back: export and import, share and adopt, backup and restore, and verify on each."""

import json
import time
from contextlib import suppress

from kit.core import Core
from kit.varlink import Refused
from model import Model, difference, expected, operation, real_state


def live(core, chance, steps):
    """Performs random calls; the core alone decides what becomes of them."""
    model, last = Model(), 0
    for _ in range(steps):
        method, call = operation(chance, model)
        if method == "Deliver":
            continue
        if method == "Note":
            call = {"sequence": chance.randint(1, max(1, last)), "text": chance.choice(["", "that was the dog", "“x”, =1+1"])}
        elif method in ("Add", "Subtract", "Reset", "Create") and chance.random() < 0.5:
            call = {**call, "cause": {"producer": "soak", "device": chance.choice(["pedal", "=cmd|x", "a\"b"]), "gesture": "press"}}
        if method == "Add" and chance.random() < 0.1:
            call = {**call, "time": int((time.time() - chance.randint(1, 10_000_000)) * 1e6)}
        if method == "Undo" and chance.random() < 0.3 and model.counters:
            call = {"counter": chance.choice(list(model.counters.values()))["name"]}
        try:
            last = core.call(method, **call).get("event", {"sequence": last})["sequence"]
        except Refused:
            continue
        # The model only knows names and locks here, for the choice of what comes next.
        unknown = ("cause", "time", "counter") if method == "Undo" else ("cause", "time")
        plain = {key: value for key, value in call.items() if key not in unknown}
        expected(model, method, plain)
    for counter in core.call("List")["counters"]:
        if counter.get("kind") == "stopwatch" and "since" in counter:
            with suppress(Refused):
                core.call("Stop", counter=counter["name"])


def same(what, one, other):
    if one != other:
        raise AssertionError(f"{what} (before, after): {difference(one, other)}")


def same_events(what, one, other):
    for before, after in zip(one, other):
        if before != after:
            raise AssertionError(f"{what} gives other events: {before} became {after}")
    if len(one) != len(other):
        raise AssertionError(f"{what} gives {len(other)} events of {len(one)}")


def plain_events(core):
    """The history without the numbers of counters, which may differ."""
    return [{key: value for key, value in event.items() if key != "id"} for event in core.events()]


def round_trip(programs, core, totals):
    state, events = real_state(core), plain_events(core)
    core.tally("verify", core.state)
    file = core.folder / "export"
    core.tally("export", "--events", "--json", "--force", "-o", file)
    with Core.alone(programs) as other:
        other.tally("import", file)
        same("export and import", state, real_state(other))
        same_events("export and import", events, plain_events(other))
        other.tally("verify", other.state)
        again = other.folder / "again"
        other.tally("export", "--events", "--json", "--force", "-o", again)
        if file.read_text() != again.read_text():
            raise AssertionError("an export of what was imported is another one")
    core.tally("import", file)
    same("import of what is there", state, real_state(core))
    totals["exports"] += 1
    events = plain_events(core)
    for options in ([], ["--values"], ["--history"]):
        file = core.folder / "club.tally"
        core.tally("share", *options, "--force", "-o", file)
        with Core.alone(programs) as other:
            other.tally("adopt", file)
            adopted = real_state(other)
            if options:
                same(f"share {options[0]} and adopt", state, adopted)
            else:
                same("share and adopt, without values", [sorted(c[0] for c in state[0]), [f[0] for f in state[1]], state[2]],
                     [sorted(c[0] for c in adopted[0]), [f[0] for f in adopted[1]], adopted[2]])
            other.tally("verify", other.state)
        totals["shares"] += 1
    copy = core.folder / "backup.tally"
    core.tally("backup", copy, "--state", core.state)
    core.tally("verify", copy)
    with Core.alone(programs) as other:
        other.stop()
        other.tally("restore", copy, "--state", other.state)
        other.start()
        same("backup and restore", state, real_state(other))
        same_events("backup and restore", events, plain_events(other))
        other.tally("verify", other.state)
    totals["backups"] += 1


def run(programs, chance, seconds):
    end = time.monotonic() + seconds
    totals = {"histories": 0, "events": 0, "exports": 0, "shares": 0, "backups": 0}
    # The first history is tried however long it takes.
    while not totals["histories"] or time.monotonic() < end:
        with Core.alone(programs) as core:
            live(core, chance, chance.choice([20, 60, 200]))
            try:
                round_trip(programs, core, totals)
            except AssertionError as failure:
                lines = [json.dumps({key: event.get(key) for key in ("sequence", "kind", "counter", "group", "formula", "value",
                         "undoes", "about", "batch", "alterations") if key in event}, ensure_ascii=False) for event in core.events()]
                raise AssertionError(f"{failure}\nits history:\n" + "\n".join(lines[-60:])) from failure
            totals["events"] += len(core.events())
        totals["histories"] += 1
    return totals
