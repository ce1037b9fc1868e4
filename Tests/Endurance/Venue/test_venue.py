"""The short form of a venue with random faults; `Tests/run venue` runs the long one."""

import os
import random

from venue import Venue


def test_random_faults(stage):
    """Random faults of paths, brokers, processes and disks take no count away that anybody had heard, and count nothing twice."""
    seed = int(os.environ.get("TALLYMARK_SEED") or random.randrange(1 << 32))
    print(f"TALLYMARK_SEED={seed}", flush=True)
    venue = Venue(stage, 6, seed)
    venue.run(40)
    print("        " + venue.summary.replace("\n", "\n        "), flush=True)
