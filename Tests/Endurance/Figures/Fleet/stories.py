"""Takes the figures of stations that count together; see run."""

import sys
from pathlib import Path

from kit import stories
from kit.fleet import Stage

if __name__ == "__main__":
    sys.exit(stories.run(Path(__file__).resolve().parent, Stage))
