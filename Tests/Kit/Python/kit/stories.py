"""The command line of stories: where the programs are, and which stories are meant."""

import argparse
from pathlib import Path

from kit import suite

ROOT = Path(__file__).resolve().parents[4]


def parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/release")
    return parser


def run(folder, make_stage):
    """Runs the stories of a folder; `make_stage` gets the folder of the programs. Returns the exit status."""
    options = parser()
    options.add_argument("--times", type=int, default=1)
    options.add_argument("patterns", nargs="*")
    options = options.parse_args()
    return suite.run(folder, options.patterns, lambda _: make_stage(options.programs.resolve()), options.times)
