"""Runs the functions test_… of a folder, each in a scene of its own, and prints a line for each.

  python3 -m kit.runner [OPTION…] PROGRAMS FOLDER [PATTERN…]

Only the tests run that a pattern names as `file.function`, or, where it names none, whose name contains it.
  --times N        runs each of them N times
  --claims FOLDER  runs only the tests that no other runner with this folder has claimed: several share the work
"""

import argparse
import importlib.util
import subprocess
import sys
import time
import traceback
from pathlib import Path

from kit.programs import PROGRAMS
from kit.scene import Scene
from kit.wait import eventually


def prepare(programs):
    """Installs the programs where every user can reach them, and makes uinput ready where the kernel has it."""
    for name in ["tallyd", "tally-inputd", "tally"]:
        subprocess.run(["install", "-m", "755", programs / name, PROGRAMS / name], check=True)
    if subprocess.run(["modprobe", "-a", "uinput", "evdev"], capture_output=True).returncode == 0:
        eventually(Path("/dev/uinput").exists, "there is uinput")


def tests(path):
    """The name and the function of each test in a file."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    for name, function in vars(module).items():
        if name.startswith("test_"):
            yield f"{path.stem}.{name}", function


def failure(function, scene):
    """Runs a test and closes its scene; returns what went wrong, an empty text where nothing did."""
    said = []
    try:
        function(scene)
    except Exception:
        said.append(traceback.format_exc())
        said += [f"--- what {name} wrote (its end) ---\n{log[-4000:]}" for name, log in scene.logs()]
    try:
        scene.close()
    except Exception:
        said.append(traceback.format_exc())
    return "\n".join(said)


def passes(name, function):
    scene = Scene(user=getattr(function, "user", None))
    started = time.monotonic()
    sentence = " ".join(function.__doc__.split()).rstrip(".")
    said = failure(function, scene)
    if said:
        print(f"FAILED  {name}: {sentence}\n{said}", flush=True)
        return False
    print(f"passed  {name}: {sentence} ({time.monotonic() - started:.1f} s)", flush=True)
    return True


def chosen(found, patterns):
    """The tests that the patterns mean."""
    names = {name for name, _ in found}
    parts = [pattern for pattern in patterns if pattern not in names]
    return [(name, function) for name, function in found if name in patterns or any(part in name for part in parts)]


def is_claimed(folder, name):
    """Claims a test; True where another runner has claimed it."""
    try:
        (folder / name).mkdir()
        return False
    except FileExistsError:
        return True


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--claims", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_args()
    found = [test for path in sorted(options.folder.glob("test_*.py")) for test in tests(path)]
    if options.patterns:
        found = chosen(found, options.patterns)
    if not found:
        print(f"No test in {options.folder.name} has {' or '.join(options.patterns)} in its name.", flush=True)
        return 1
    print(f"==> {len(found) * options.times} tests", flush=True)
    prepare(options.programs)
    results = [
        passes(name, function)
        for name, function in found if not (options.claims and is_claimed(options.claims, name))
        for _ in range(options.times)
    ]
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
