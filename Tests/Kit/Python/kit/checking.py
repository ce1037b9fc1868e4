"""Counts checks and says how they went."""

import sys

passed = 0
failed = 0
# The group of the checks that run now.
group = ""


def check(what, holds, found=""):
    """Counts one check and says how it went."""
    global passed, failed
    name = f"{group}: {what}" if group else what
    if holds:
        passed += 1
        print(f"passed  {name}", flush=True)
    else:
        failed += 1
        print(f"FAILED  {name}\n        {found}", flush=True)


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
