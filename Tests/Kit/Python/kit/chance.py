"""Random choices that a seed repeats."""

import os
import random


def seeded():
    """A source of random numbers. Its seed is printed, and TALLYMARK_SEED sets it."""
    seed = int(os.environ.get("TALLYMARK_SEED") or random.randrange(1 << 32))
    print(f"TALLYMARK_SEED={seed}", flush=True)
    return random.Random(seed)
