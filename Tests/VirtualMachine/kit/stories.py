"""The command line of stories: where the programs are, and which stories are meant."""

import argparse
from pathlib import Path

from kit import suite

ROOT = Path(__file__).resolve().parents[3]


def parser(other):
    """For the folder of the core's programs, and for that of another package, such as "bridge"."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/release")
    parser.add_argument(f"--{other}", dest="other", type=Path, default=ROOT / f"{other.capitalize()}/.build/release")
    return parser


def run(folder, other, make_stage):
    """Runs the stories of a folder; `make_stage` gets the two folders of programs. Returns the exit status."""
    options = parser(other)
    options.add_argument("--times", type=int, default=1)
    options.add_argument("patterns", nargs="*")
    options = options.parse_args()
    return suite.run(
        folder, options.patterns, lambda _: make_stage(options.programs.resolve(), options.other.resolve()), options.times)
