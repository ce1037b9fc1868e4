"""Runs the stories of stations that count together; see run."""

import argparse
import sys
from pathlib import Path

from kit import suite
from stage import Stage

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/release")
    parser.add_argument("--bridge", type=Path, default=ROOT / "Bridge/.build/release")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    return suite.run(HERE, options.patterns, lambda _: Stage(options.programs, options.bridge), options.times)


if __name__ == "__main__":
    sys.exit(main())
