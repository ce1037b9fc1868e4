"""The virtual time in which stations are tested."""

import time

from kit.wait import eventually


def test_stands_still(stage):
    """Time stands still while the test itself works, and passes while it waits."""
    begun, before = time.perf_counter(), stage.clock.passed
    while time.perf_counter() - begun < 0.3:
        sum(range(1000))
    passed = stage.clock.passed - before
    # A move or two that had begun; without a look at the test there would be thirty and more.
    assert passed < 0.5, f"{passed} s have passed"
    eventually(lambda: stage.clock.passed - before > 1, "time passes")
