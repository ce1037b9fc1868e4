"""Runs the board's stories; see run."""

import argparse
import sys
from pathlib import Path

from browser import Browser
from kit import suite
from stage import Stage

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/release")
    parser.add_argument("--board", type=Path, default=ROOT / "Board/.build/release")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    browser = Browser()
    try:
        return suite.run(
            HERE, options.patterns, lambda _: Stage(options.programs, options.board, browser), options.times)
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
