"""How fast the machine is just now, as the time of a fixed work of one process."""

import json
import sqlite3
import time

from clients import Child

# Seconds that the work takes on the machine that the limits are from, while it does nothing else.
REFERENCE = 0.1
# The largest factor, so that no test passes for ever because the machine is slow.
MOST = 4


def work():
    """Makes and reads a text, fills a table and sums it up, as a core does; returns the seconds that it took."""
    begun = time.monotonic()
    rows = json.loads(json.dumps(
        [{"sequence": number, "name": f"c{number % 100}", "change": number % 7} for number in range(24_000)]))
    with sqlite3.connect(":memory:") as table:
        table.execute("CREATE TABLE event (sequence INTEGER PRIMARY KEY, name TEXT, change INTEGER)")
        table.executemany("INSERT INTO event VALUES (:sequence, :name, :change)", rows)
        table.execute("CREATE INDEX names ON event (name, sequence)")
        table.execute("SELECT name, sum(change), count(*) FROM event GROUP BY name").fetchall()
        table.execute("SELECT sum(a.change * b.change) FROM event a JOIN event b USING (sequence)").fetchall()
    return time.monotonic() - begun


def factor(priority):
    """How many times longer the work takes than where the limits are from: from 1 to ``MOST``."""
    return min(max(Child(0, work, priority=priority).result() / REFERENCE, 1), MOST)
