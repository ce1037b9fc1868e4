"""Runs groups of checks, all of them unless some are named, with the programs in the folder that is given."""

import sys
import tempfile
from pathlib import Path

import certification
import core
import descriptors
from kit import checking

GROUPS = {"certification": certification, "descriptors": descriptors, "core": core}

programs, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(GROUPS)
if unknown := set(names) - set(GROUPS):
    sys.exit(f"There are no checks called {', '.join(unknown)}; there are {', '.join(GROUPS)}.")
for name in names:
    checking.group = name
    with tempfile.TemporaryDirectory() as folder:
        GROUPS[name].run(programs, Path(folder))
checking.finish()
