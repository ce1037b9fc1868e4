"""What tests and benchmarks in Python share; see Tests/Kit."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
