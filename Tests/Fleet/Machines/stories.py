"""Runs the stories of stations in virtual machines; see Tests/Fleet/run."""

import sys
from pathlib import Path

from kit import stories
from stage import Stage

if __name__ == "__main__":
    sys.exit(stories.run(Path(__file__).resolve().parent, "bridge", Stage))
