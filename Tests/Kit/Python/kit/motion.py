"""What an accelerometer feels: generated, or recorded. A motion is a function of seconds that gives m/s² along x, y, z."""

import bisect
import csv
import math
import random

from kit import ROOT

GRAVITY = 9.80665
RECORDINGS = ROOT / "Recordings/accelerometer"
# Seconds before a recording's part in which the device lies still.
AT_REST = 1.5


def rest(_):
    return 0.0, 0.0, GRAVITY


def shake(strength=22, frequency=4, swings=4, start=1.0, axis=(0.8, 0.5, 0.33), tremor=0.5, seed=1):
    """A hand's shake: full swings to and fro along an axis, rising and falling, with a tremor. Gives it and its length,
    with rest before and after."""
    hand = random.Random(seed)
    phases = [hand.uniform(0, 2 * math.pi) for _ in range(3)]
    length = swings / frequency

    def felt(t):
        x, y, z = rest(t)
        if start <= t < start + length:
            part = (t - start) / length
            # The first and the last stroke are weaker.
            envelope = min(1, 0.55 + 2 * min(part, 1 - part) * swings / 2)
            swing = strength * envelope * math.sin(2 * math.pi * frequency * (t - start))
            x, y, z = x + axis[0] * swing, y + axis[1] * swing, z + axis[2] * swing
            trembling = [tremor * math.sin(2 * math.pi * 9 * t + phase) for phase in phases]
            x, y, z = x + trembling[0], y + trembling[1], z + trembling[2]
        return x, y, z

    return felt, start + length + 1.2


def rumble(t):
    """What a motor that turns 106 times a second is at 100 samples in it: strokes as firm as a hand's."""
    return 16 * math.sin(2 * math.pi * 106 * round(t, 2))


def recording(name, start, length):
    """A part of a recording, begun and ended by what was felt on average in it: the device at rest."""
    with (RECORDINGS / name).open() as file:
        rows = [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]
    rows = [row for row in rows if start <= row[0] - rows[0][0] <= start + length]
    times = [row[0] - rows[0][0] for row in rows]
    mean = [sum(row[axis] for row in rows) / len(rows) for axis in (1, 2, 3)]
    size = math.sqrt(sum(value * value for value in mean)) or 1
    still = tuple(value * GRAVITY / size for value in mean)

    def felt(t):
        t -= AT_REST
        if not 0 <= t < times[-1]:
            return still
        index = bisect.bisect_right(times, t)
        part = (t - times[index - 1]) / (times[index] - times[index - 1])
        return tuple(a + (b - a) * part for a, b in zip(rows[index - 1][1:], rows[index][1:]))

    return felt, AT_REST + times[-1] + 1.2
