"""Runs a venue of many stations with random faults, which must agree on a total that the drivers' answers allow.

  soak [STATIONS [STEPS]]      TALLYMARK_SEED repeats a run, whose seed is printed."""

import sys
import time

from kit import stories, suite
from kit.chance import seeded
from kit.fleet import Stage
from kit.venue import Venue


def main():
    parser = stories.parser()
    parser.add_argument("stations", type=int, nargs="?", default=50)
    parser.add_argument("steps", type=int, nargs="?", default=1000)
    options = parser.parse_args()
    suite.close_at_signals()
    chance = seeded()
    print("==> 1 tests", flush=True)
    stage = Stage(options.programs.resolve())
    begun, name = time.monotonic(), f"venue: {options.stations} stations, {options.steps} steps"
    try:
        venue = Venue(stage, options.stations, chance, lambda line: print("        " + line, flush=True))
        venue.run(options.steps)
    except Exception as error:
        # The journals and logs stay, for whoever looks for the reason.
        stage.end()
        print(f"FAILED  {name}\n        The stations are in {stage.folder}. " + str(error).replace("\n", "\n        "), flush=True)
        if not isinstance(error, AssertionError):
            raise
        return 1
    except BaseException:
        # As at a signal.
        stage.close()
        raise
    stage.close()
    print("        " + venue.summary.replace("\n", "\n        "), flush=True)
    print(f"passed  {name} ({time.monotonic() - begun:.1f} s)\n1 passed, 0 failed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
