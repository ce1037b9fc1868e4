"""Waits for conditions, on machines of unknown speed."""

import os
import time

# Seconds, far beyond what anything here takes: only a failure ever waits so long. The gate has one limit for a whole part.
PATIENCE = int(os.environ.get("TALLYMARK_PATIENCE") or 60)
# Seconds between two looks, in between an eighth of those waited so far: an emulated machine needs long for a look.
SHORTEST, LONGEST = 0.01, 0.1


class InVain(AssertionError):
    """Something did not become so in time."""


def eventually(condition, what, seconds=PATIENCE):
    """Calls `condition` until it returns a true value, and returns that. Raises InVain after `seconds`.

    `what` is what the error says that the test waited for: a text, or a function that returns one, called at the end."""
    begun = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - begun
        if waited > seconds:
            what = what() if callable(what) else what
            raise InVain(f"waited {seconds} seconds in vain until {what}; at last it was {value!r}")
        time.sleep(min(LONGEST, max(SHORTEST, waited / 8)))


def equal(found, expected, what):
    """Fails with both values where they differ."""
    if found != expected:
        raise AssertionError(f"{what}: expected {expected!r}, found {found!r}")


def becomes(function, expected, what, seconds=PATIENCE):
    """Waits until `function()` gives `expected`; what it throws is a failure at once."""
    found = None

    def matches():
        nonlocal found
        found = function()
        return found == expected

    try:
        eventually(matches, what, seconds)
    except InVain:
        raise InVain(f"{what}: expected {expected!r}, found {found!r} at last") from None
