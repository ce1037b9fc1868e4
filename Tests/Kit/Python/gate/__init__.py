"""What runs the project's tests: the parts, the jobs, and what is said of them; see Tests/run."""

from kit import ROOT

LOGS = ROOT / ".build/tests"
DEBUG, RELEASE = ".build/debug", ".build/release"
