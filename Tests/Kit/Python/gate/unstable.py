"""Tests that passed only the second time, over the runs of this person on this machine."""

import json
import os
from pathlib import Path

# The third run in a row in which a test passes only the second time fails.
LIMIT = 3
STATE = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "tallymark-tests/unstable.json"


def note(passed, second):
    """Remembers which tests passed at once and which the second time; returns those of the second with their row of runs."""
    try:
        rows = json.loads(STATE.read_text())
    except (OSError, ValueError):
        rows = {}
    rows = {name: row for name, row in rows.items() if name not in passed}
    for name in second:
        rows[name] = rows.get(name, 0) + 1
    try:
        STATE.parent.mkdir(parents=True, exist_ok=True)
        STATE.write_text(json.dumps(rows))
    except OSError:
        # Without a place for it each run is the first.
        pass
    return {name: rows[name] for name in second}
