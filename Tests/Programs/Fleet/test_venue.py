"""The short form of a venue with random faults; `Tests/run venue` runs the long one."""

from kit.chance import seeded
from kit.venue import Venue


def test_random_faults(stage):
    """Random faults of paths, brokers, processes and disks take no count away that anybody had heard, and count nothing twice."""
    venue = Venue(stage, 6, seeded())
    venue.run(40)
    print("        " + venue.summary.replace("\n", "\n        "), flush=True)
