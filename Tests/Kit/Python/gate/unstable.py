"""Tests that passed only the second time, over the runs of this person on this machine, or of a folder that a variable names."""

import json
import os
from pathlib import Path

# The third run in a row in which a test passes only the second time fails.
LIMIT = 3


def state():
    """The file that keeps them."""
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return Path(os.environ.get("TALLYMARK_TEST_STATE") or home / "tallymark-tests") / "unstable.json"


def note(passed, second):
    """Remembers which tests passed at once and which the second time; returns those of the second with their row of runs."""
    file = state()
    try:
        rows = json.loads(file.read_text())
    except (OSError, ValueError):
        rows = {}
    rows = {name: row for name, row in rows.items() if name not in passed}
    for name in second:
        rows[name] = rows.get(name, 0) + 1
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(rows))
    except OSError:
        # Without a place for it each run is the first.
        pass
    return {name: rows[name] for name in second}


def judge(results, second, counts):
    """Passes the results of the second time that may pass; returns a line for each. `results` and `second` are pairs of a
    result and its part. Only a run that counts is remembered: one of a part or of a test says little of the gate."""
    name = lambda pair: f"{pair[1]}: {pair[0].key}"
    again = dict.fromkeys(map(name, second))
    if not counts:
        for result, _ in second:
            result.passed = True
        return [f"unstable  {one} passed only the second time" for one in again]
    failed = {name(pair) for pair in results if not pair[0].passed}
    whole = {f"{part}: the job as a whole" for _, part in results}
    rows = note(({*map(name, results)} | whole) - failed, again)
    for result, part in second:
        result.passed = rows[name((result, part))] < LIMIT
    return [f"unstable  {one} passed only the second time, in {row} runs in a row; the third one fails" for one, row in rows.items()]
