"""Runs the stories of a folder with real programs, each on a stage of its own.

  python3 -m kit.stories STAGE FOLDER [--programs FOLDER] [--times N] [PATTERN…]

  plain           a folder alone; with /usr/bin/python3
  board           a core, a board and a browser; with `Tests/Kit/Python/run browser`
  fleet           cores, bridges and a broker; with `Tests/Kit/Python/run fleet`
  virtual-fleet   the same, whose time passes only while all programs sleep
"""

import argparse
import resource
import sys
from pathlib import Path

from kit import ROOT, suite


def parser():
    """A command line that says where the programs are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/release")
    return parser


def plain(_, play):
    from kit.stage import Stage

    return play(lambda _: Stage())


# What each stage needs is not installed for the others.
def board(programs, play):
    from kit.browser import Browser
    from kit.pages import Stage

    browser = Browser()

    def make_stage(_):
        nonlocal browser
        # A browser that crashed in a story fails that one alone.
        if not browser.answers():
            browser.close()
            browser = Browser()
        return Stage(programs, browser)

    try:
        return play(make_stage)
    finally:
        browser.close()


def fleet(programs, play, **options):
    from kit.fleet import Stage

    return play(lambda _: Stage(programs, **options))


def virtual_fleet(programs, play):
    return fleet(programs, play, has_virtual_time=True)


STAGES = {"plain": plain, "board": board, "fleet": fleet, "virtual-fleet": virtual_fleet}


def main():
    options = parser()
    options.usage = __doc__
    options.add_argument("--times", type=int, default=1)
    options.add_argument("stage", choices=STAGES)
    options.add_argument("folder", type=Path)
    options.add_argument("patterns", nargs="*")
    options = options.parse_intermixed_args()
    suite.close_at_signals()
    # Tests of the board open 2,000 connections, and so does the board, which inherits this.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # The stories import what lies beside them.
    sys.path.insert(0, str(options.folder.resolve()))
    return STAGES[options.stage](
        options.programs.resolve(), lambda make_stage: suite.run(options.folder, options.patterns, make_stage, options.times))


if __name__ == "__main__":
    sys.exit(main())
