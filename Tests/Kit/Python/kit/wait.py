"""Waits for conditions, on machines of unknown speed."""

import time

# Far beyond what anything here takes; only a failure ever waits so long.
PATIENCE = 60


class InVain(AssertionError):
    """Something did not become so in time."""


def eventually(condition, what, seconds=PATIENCE):
    """Returns what `condition()` gives as soon as that is true; fails with `what` was waited for after the time."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise InVain(f"waited {seconds} seconds in vain until {what}; at last it was {value!r}")
        time.sleep(0.02)


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
