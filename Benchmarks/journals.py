"""A journal of any size, written at once; ten million requests would take an hour."""

import os
import sqlite3
import time

MICROSECONDS = 1_000_000
# Ten million events are a little less than a year then.
BETWEEN_EVENTS = 3 * MICROSECONDS


def grow(state, counters, events):
    """Gives an ended core's journal with one counter `counters` of them and `events` more events.

    They take turns, so that each quarter of an hour holds few events of each of many counters: the costliest case.
    The core makes its summaries when it starts next.
    """
    with sqlite3.connect(os.path.join(state, "counters.sqlite"), isolation_level=None) as journal:
        journal.execute("PRAGMA synchronous = OFF")
        journal.execute("PRAGMA cache_size = -200000")
        journal.execute("BEGIN")
        _add_counters(journal, counters)
        _add_events(journal, counters, events)
        journal.execute("COMMIT")
        journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()


def _copy(journal, table, key, values, numbers):
    """Copies the row of `table` whose `key` is 1 for each of `numbers`, with other values as SQL of that number, `n`."""
    columns = [row[1] for row in journal.execute("PRAGMA table_info(%s)" % table)]
    journal.execute(
        "WITH RECURSIVE numbers(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?) "
        "INSERT INTO %s SELECT %s FROM numbers JOIN %s ON %s = 1" % (
            table, ", ".join(values.get(name, "%s.%s" % (table, name)) for name in columns), table, key),
        (numbers[0], numbers[-1]))


def _add_counters(journal, counters):
    numbers = range(2, counters + 1)
    _copy(journal, "counter", "id", {"id": "n", "name": "'counter' || n", "title": "'counter' || n", "place": "n << 20"}, numbers)
    _copy(journal, "event", "sequence", {"sequence": "n", "counter": "n"}, numbers)


def _add_events(journal, counters, events):
    first = int(time.time()) * MICROSECONDS - events * BETWEEN_EVENTS
    journal.execute("UPDATE event SET time = ?", (first,))
    turn = "(n - %d)" % (counters + 1)
    _copy(journal, "event", "sequence", {
        "sequence": "n", "time": "%d + %s * %d" % (first, turn, BETWEEN_EVENTS), "kind": "'added'", "presence": "0",
        "counter": "1 + (%s * 7919) %% %d" % (turn, counters), "change": "1", "value": "1 + %s / %d" % (turn, counters),
    }, range(counters + 1, counters + events + 1))
