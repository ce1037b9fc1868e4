"""Runs the functions test_… of a folder, each in a scene of its own, and prints a line for each.

  python3 -m kit.runner [OPTION…] PROGRAMS FOLDER [PATTERN…]

Only the tests run that a pattern names as `file.function`, or, where it names none, whose name contains it.
  --where PLACE    runs only the tests that are marked for the container, or for the guest (see kit.places)
  --times N        runs each of them N times
  --claims FOLDER  runs only the tests that no other runner with this folder has claimed: several share the work
"""

import argparse
import subprocess
import sys
from pathlib import Path

from kit import suite
from kit.places import CONTAINER, GUEST
from kit.programs import PROGRAMS
from kit.scene import Scene
from kit.wait import eventually


def prepare(programs):
    """Installs the programs where every user can reach them, and makes uinput ready where the kernel has it."""
    for name in ["tallyd", "tally-inputd", "tally-input", "tally"]:
        subprocess.run(["install", "-m", "755", programs / name, PROGRAMS / name], check=True)
    if subprocess.run(["modprobe", "-a", "uinput", "evdev"], capture_output=True).returncode == 0:
        eventually(Path("/dev/uinput").exists, "there is uinput")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--where", choices=[CONTAINER, GUEST])
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--claims", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    return suite.run(
        options.folder, options.patterns, lambda function: Scene(user=getattr(function, "user", None)), options.times,
        options.claims, lambda: prepare(options.programs), options.where)


if __name__ == "__main__":
    sys.exit(main())
