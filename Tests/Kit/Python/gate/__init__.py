"""What runs the project's tests: the parts, the jobs, and what is said of them; see Tests/run."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
LOGS = ROOT / ".build/tests"
DEBUG, RELEASE = ".build/debug", ".build/release"
