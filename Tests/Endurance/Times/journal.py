"""A journal with a long history of all kinds of things, whose events were mostly written past the core."""

import sqlite3
import time

from kit.varlink import message

MICROSECONDS = 1_000_000
GROUPS, COUNTERS, STOPWATCHES, FORMULAS = 10, 1000, 100, 40
NAMES = [f"c{number}" for number in range(COUNTERS)]
# Pairs of a count and its undo.
PAIRS = 300_000


def define(client):
    """Groups, counters, stopwatches with runs, periods, formulas and notes."""
    calls = [message("CreateGroup", name=f"g{number}") for number in range(GROUPS)]
    calls.append(message("CreateGroup", name="watches"))
    calls += [message("Create", name=name) for name in ("mine", "theirs", "spare")]
    calls += [message("Create", name=name, group=f"g{number % GROUPS}", **settings(number))
              for number, name in enumerate(NAMES)]
    calls += [message("Create", name=f"w{number}", kind="stopwatch", group="watches") for number in range(STOPWATCHES)]
    for number in range(FORMULAS):
        # A chain, half as long as one may be, whose last link follows the counter that is timed.
        before = f"f{number - 1} + " if number % 32 else ""
        counters = "max(mine, theirs)" if number in (31, FORMULAS - 1) else "theirs"
        text = f"{before}sum(group:g{number % GROUPS}) / 2 + {counters} + rate(c{number})"
        calls.append(message("CreateFormula", name=f"f{number}", formula=text))
    client.pipeline(calls)
    for _ in range(5):
        client.pipeline([message(verb, counter=f"w{number}") for number in range(STOPWATCHES) for verb in ("Start", "Stop")])
    first = client.call("History", limit=1)["events"][0]["sequence"]
    client.pipeline([message("Note", sequence=first - number, text=f"what was seen {number}") for number in range(1000)])


def settings(number):
    if number % 50 == 7:
        return {"period": "daily 04:00"}
    if number % 50 == 8:
        return {"target": 1 << 40, "every": 1000}
    if number % 50 == 9:
        return {"maximum": 1 << 40, "limits": "stop"}
    return {}


def grow(state, ids, events):
    """Adds counts to the journal of a core that has ended, for the counters with these IDs, by turns.

    A tenth of them was added later, with a time of long before. The core makes its summaries at its next start.
    """
    between = 30 * 86_400 * MICROSECONDS * 10 // events
    first = int(time.time()) * MICROSECONDS - events * between
    with sqlite3.connect(f"{state}/counters.sqlite", isolation_level=None) as journal:
        journal.execute("PRAGMA synchronous = OFF")
        journal.execute("PRAGMA cache_size = -200000")
        journal.execute("BEGIN")
        journal.execute("CREATE TEMP TABLE turn (number INTEGER PRIMARY KEY, counter INTEGER)")
        journal.executemany("INSERT INTO turn VALUES (?, ?)", enumerate(ids))
        causes = []
        for number in range(50):
            causes.append(journal.execute(
                "INSERT INTO cause (producer, device, gesture) VALUES ('tally-inputd', ?, ?)",
                (f"Pedal {number // 2}", f"press KEY_{number}")).lastrowid)
        last, = journal.execute("SELECT max(sequence) FROM event").fetchone()
        journal.execute(
            f"""
            WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ? - 1)
            INSERT INTO event (sequence, time, kind, counter, change, value, cause, presence, marks)
            SELECT ? + n + 1, ? + (CASE n % 10 WHEN 3 THEN (n * 7907) % (n + 1) ELSE n END) * ?, 'added',
              counter, 1, 1 + n / {len(ids)}, ? + n % 50, 0, 0
            FROM n CROSS JOIN turn ON number = (n * 7919) % {len(ids)}
            """, (events, last, first, between, causes[0]))
        journal.execute("COMMIT")
        journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()


def undo(client):
    """Many counts that were undone at once."""
    pair = [message("Add", counter="theirs"), message("Undo", counter="theirs")]
    for _ in range(50):
        client.pipeline(pair * (PAIRS // 50))
