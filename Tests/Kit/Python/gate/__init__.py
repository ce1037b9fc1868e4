"""What runs the project's tests: the parts, the jobs, and what is said of them; see Tests/run."""

import os
import sys

from kit import ROOT

LOGS = ROOT / ".build/tests"
DEBUG, RELEASE = ".build/debug", ".build/release"


def number(variable, default=None):
    """The number in an environment variable; ends the program where it is none, or less than 1."""
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        sys.exit(f"{variable} is “{text}”, and should be a whole number of at least 1.")
    return int(text)
