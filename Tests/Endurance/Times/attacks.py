"""What users do to a core in the test of times: for each method the calls that cost it most."""

import time
from dataclasses import dataclass
from itertools import pairwise

import clients
from journal import COUNTERS, FORMULAS, MICROSECONDS, NAMES, STOPWATCHES
from kit.varlink import message

# Users, whom the core knows by their numbers alone.
TIMED, READER, COUNTER, ADMINISTRATOR, STRANGER = 62001, 62002, 62003, 62004, 62005
CROWD = range(62100, 62116)
# The longest that a count may take beside an exception, in seconds.
MOST_OF_EXCEPTIONS = 0.5
RIGHTS = {
    "read": [READER, COUNTER, ADMINISTRATOR, *CROWD], "count": [TIMED, COUNTER, ADMINISTRATOR],
    "administer": [ADMINISTRATOR], "share": [ADMINISTRATOR],
}


@dataclass
class Attack:
    """Calls, how they are made, and who makes them; `longest` is the longest time of one of them alone, in seconds."""

    name: str
    calls: list
    longest: float = 0.05
    user: int = READER
    manner: object = clients.asks
    users: tuple = ()
    # Whether one call alone is timed as well.
    is_method: bool = True
    # Whether the core's own thread does it, so that another user waits for one of the calls.
    holds: bool = False
    # Whether another user's count may wait for it longer than the aim.
    is_exception: bool = False
    # Whether the core has work left when the attackers have ended.
    lasts: bool = False
    # Whether the core may refuse its calls, each time that they are made.
    is_refused: bool = False
    # The core: "large", "small" (its state is just small enough to be read by its own thread), or "fleet".
    core: str = "large"

    @property
    def everybody(self):
        return self.users or (self.user,)


# Its requests are those of `viewers`.
BOARD = Attack("Pipelined requests of one address to the board", [], is_method=False)


# The writers of a fleet's counter `people`, each with a register: nearly all for which a core has room.
WRITERS = 131_000


def registers(counter, number, count=WRITERS, portion=1000):
    """Messages of stations about `count` writers, whose last entry is `number`."""
    for start in range(0, count, portion):
        station = f"door{start // 3000 + 2}"
        rows = [{"writer": f"{writer * 2654435761 % 2**256:064x}", "number": number, "added": number, "subtracted": 0,
                 "counts": number} for writer in range(start + 1, start + portion + 1)]
        yield {"station": station, "topic": f"{station}/reg/a/{counter}/{start}",
               "counts": {"counter": counter, "own": True, "registers": rows}}


def attacks(last, shared):
    """All attacks on a core whose last event is `last`, and on one in a fleet with the counter of the ID `shared`."""
    now = int(time.time() * MICROSECONDS)
    day = 86_400 * MICROSECONDS
    inner = [1, now - 77, now + 1]
    many = [now - 300 * day + number * 11_000_000_007 for number in range(2000)]
    read = [
        Attack("List", [message("List")], 0.3),
        Attack("List of 399 counters", [message("List")], core="small", holds=True),
        Attack("Watch of 399 counters", [message("Watch", more=True)], core="small", is_method=False,
               manner=clients.connects),
        Attack("Get", [message("Get", counter="c5")]),
        Attack("Groups", [message("Groups")], 0.1),
        Attack("Overview", [message("Overview"), message("Overview", group="g3")], 0.3),
        Attack("History that finds nothing", [message("History", device="zzz", after=0),
                                              message("History", gesture="zzz", producer="zzz")], 0.2),
        Attack("History of few", [message("History", counters=["spare"], after=last // 2, limit=1000),
                                  message("History", counters=NAMES[:65], **{"from": now - 5, "until": now})], 0.3),
        Attack("History", [message("History", limit=1000)], 0.1),
        Attack("Totals", [message("Totals", bounds=inner), message("Totals", bounds=many)], 4),
        Attack("Totals of each", [message("Totals", counters=NAMES[:48], bounds=many, each=True),
                                  message("Totals", counters=NAMES[:50], bounds=many[:1999], each=True)], 3),
        Attack("Statistics", [message("Statistics"), message("Statistics", counters=NAMES)], 3),
        Attack("Past", [message("Past", time=now - number * 50 * day) for number in range(1, 6)], 10),
        Attack("Export", [message("Export", after=last // 2), message("Export")], 0.5),
        Attack("Export as a stream", [message("Export", more=True)], is_method=False),
        Attack("Watch", [message("Watch", more=True)], is_method=False, manner=clients.connects),
        Attack("Watch, 1,024 of 16 users", [message("Watch", more=True)], is_method=False, manner=clients.stays,
               users=CROWD),
        Attack("Calls of 250 KB", [message("Totals", counters=[f"x{number}" for number in range(25_000)], bounds=[1]),
                                   message("Totals", bounds=[[]] * 50_000)], holds=True, is_refused=True),
        Attack("Queries of a client that left", [message("History", device="zzz", after=0)], is_method=False,
               manner=clients.leaves),
        Attack("Queries whose replies are not read", [message("History", limit=1000)], is_method=False,
               manner=clients.asks_and_reads_nothing),
        Attack("Queries of 16 users", [message("Totals", bounds=inner), message("Past", time=now - 100 * day)],
               is_method=False, users=CROWD),
        Attack("Calls of a stranger", [message("Add"), message("List")], is_method=False, user=STRANGER),
        Attack("Calls of a stranger that left", [message("Add")], is_method=False, user=STRANGER,
               manner=clients.leaves),
    ]
    all_watches = {"group": "watches"}
    counts = [
        Attack("Add, 2,000 at a time", [message("Add", counter="theirs")], manner=clients.floods),
        Attack("Add", [message("Add", counter="theirs")]),
        Attack("Subtract, Correct, Select, Next", [
            message("Subtract", counter="theirs"), message("Correct", counter="theirs", value=7),
            message("Select", counter="theirs"), message("Next"), message("Previous", groups=True)]),
        Attack("Note", [message("Note", sequence=1 + number * 997, text="x" * 500) for number in range(500)]),
        Attack("Start, Stop", [message(verb, counter="w1") for verb in ("Start", "Lap", "Stop", "Toggle", "Toggle")]),
        Attack(f"Toggle of {STOPWATCHES}", [message("Toggle", **all_watches)], 0.1),
        Attack(f"Reset of {COUNTERS}", [message("Reset", all=True, confirmed=True), message("Add", counter="c3")], 0.3),
        Attack("Undo of one event", [message("Undo", sequence=last - number * 2) for number in range(1, 500)],
               0.2, is_refused=True),
        Attack("Undo that searches", [message("Undo", counter="theirs")], 0.1, is_refused=True),
        Attack("Redo", [message("Redo", counter="theirs"), message("Redo")], 0.2, is_refused=True),
        Attack("Undo, Redo in turn", [message("Add", counter="theirs"), message("Undo", counter="theirs"), message("Redo", counter="theirs")], 0.1),
        Attack("Undo, Redo that are refused", [message("Undo", counter="imported"), message("Undo", sequence=1),
                                               message("Redo", sequence=1), message("Undo", counter="spare")], 0.1,
               is_refused=True),
        Attack("Open, Deliver", deliveries(100), 0.1, manner=clients.delivers),
        Attack("Deliver of resets and undos", [message("Deliver", producer="refused", epoch=0, sequence=1, changes=[
            {"verb": "reset", "all": True}] * 2 + [{"verb": "undo"}, {"verb": "redo"}] * 49)] * 100, manner=clients.delivers,
            is_method=False),
    ]
    administers = [
        Attack("Set", [message("Set", counter="spare", title=f"Title {number % 7}", note="x" * 2000)
                       for number in range(50)]),
        Attack("Set of a name in formulas", [message("Set", counter=one, newName=other) for one, other in pairwise(
            ["c2", "c2x", "c2"])], 0.2),
        Attack("Lock, Move", [message("Lock", counter="spare"), message("Unlock", counter="spare"),
                              message("Move", counter="spare", first=True)], 0.1),
        Attack("Create, Remove", [message("Create", name="new"), message("Remove", counter="new")], 0.1),
        # The undo may be one of the other user's counts.
        Attack("CreateGroup, RemoveGroup", [message("RemoveGroup", group="g5"), message("Undo")], 0.3, is_refused=True),
        Attack("SetGroup, MoveGroup", [message("SetGroup", group="g1", title="a"), message("MoveGroup", group="g1")],
               0.1),
        Attack("CreateFormula", [message("CreateFormula", name="new", formula=f"f{FORMULAS - 1} + " * 150 + "1"),
                                 message("SetFormula", name="new", formula="+".join(["sum(group:g1)"] * 70)),
                                 message("Remove", counter="new")], 0.2),
        Attack("Import of 20,000 counts", [message("Import", trial=True, entries=[
            {"count": {"name": "mine", "time": now - number * 1000, "amount": "1"}} for number in range(20_000)])], 1,
            manner=one_by_one, is_exception=True),
        Attack("Import of 20,000 events", [message("Import", trial=True, entries=history(20_000, now))], 1,
               manner=one_by_one, is_exception=True),
        Attack("Import of 60 formulas", [message("Import", trial=True, entries=formulas(60, 300))], 1,
               manner=one_by_one, is_exception=True),
    ]
    in_fleet = [
        Attack("Fleet of 131,000 registers", [message("Fleet")], core="fleet"),
        Attack("Reset, Undo, Redo of 131,000 registers", [
            message("Reset", counter="people", confirmed=True), message("Undo", counter="people"),
            message("Redo", counter="people"), message("Undo", counter="people")], 0.1, core="fleet"),
        Attack("LearnFleet of 1,000 registers", [
            message("LearnFleet", messages=list(registers(shared, number, 1000))) for number in range(2, 40)],
            core="fleet"),
    ]
    for attack in counts + administers + in_fleet:
        attack.holds = True
    for attack in counts:
        attack.user = COUNTER
    for attack in administers + in_fleet:
        attack.user = ADMINISTRATOR
    left = Attack("Adds of a client that left", [message("Add", counter="theirs")], user=COUNTER, manner=clients.leaves,
                  is_method=False, lasts=True)
    four = Attack("Adds of four clients that left", [message("Add", counter="theirs")], users=(COUNTER,) * 4,
                  manner=clients.leaves, is_method=False, lasts=True)
    return [*read, *counts, *administers, *in_fleet, left, four]


def one_by_one(path, texts):
    clients.asks(path, texts, 1, 1)


def deliveries(size):
    changes = [{"verb": "add", "counter": "theirs"}] * size
    return [message("Deliver", producer="p", epoch=0, sequence=number, changes=changes) for number in range(1, 200)]


def history(count, now, name="there"):
    """A new counter with as many counts."""
    entries = [{"counter": {"id": 900_000, "name": name, "value": count}}]
    event = {"id": 900_000, "counter": name, "producer": "tally", "device": "Pedal", "gesture": "press KEY_B"}
    for number in range(count + 1):
        entries.append({"event": event | {"sequence": number + 1, "time": now - (count - number) * 60_000_000} | (
            {"kind": "added", "change": 1, "value": number} if number else
            {"kind": "created", "change": 0, "value": 0, "presence": 1, "alterations": [["name", None, name]]})})
    return entries


def formulas(count, references):
    """Each mentions the one before many times."""
    entries = []
    for number in range(count):
        text = f"i{number - 1}+" * min(references, 900 // len(f"i{number - 1}+")) if number else ""
        entries.append({"formula": {"id": 900_000 + number, "name": f"i{number}", "formula": f"{text}1"}})
    return entries
