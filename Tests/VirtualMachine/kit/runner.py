"""Runs every function test_… of the files given, each in a scene of its own, and says what became of it."""

import importlib.util
import subprocess
import sys
import time
import traceback
from pathlib import Path

from kit.programs import PROGRAMS
from kit.scene import Scene
from kit.wait import eventually


def prepare(release):
    """Puts the programs where they are installed, which every user can reach, and makes uinput ready."""
    for name in ["tallyd", "tally-inputd", "tally"]:
        subprocess.run(["install", "-m", "755", release / name, PROGRAMS / name], check=True)
    subprocess.run(["modprobe", "-a", "uinput", "evdev"], check=True)
    eventually(Path("/dev/uinput").exists, "there is uinput")


def tests(path):
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return [function for name, function in vars(module).items() if name.startswith("test_")]


def passes(function):
    scene = Scene(user=getattr(function, "user", None))
    started = time.monotonic()
    sentence = " ".join(function.__doc__.split()).rstrip(".")
    try:
        function(scene)
    except Exception:
        print(f"FAILED  {sentence}", flush=True)
        print(traceback.format_exc())
        for name, log in scene.logs():
            print(f"--- what {name} wrote (its end) ---\n{log[-4000:]}")
        return False
    finally:
        scene.close()
    print(f"passed  {sentence} ({time.monotonic() - started:.1f} s)", flush=True)
    return True


def main(release, folder, patterns):
    prepare(Path(release))
    results = []
    for path in sorted(Path(folder).glob("test_*.py")):
        for function in tests(path):
            if not patterns or any(pattern in f"{path.stem}.{function.__name__}" for pattern in patterns):
                results.append(passes(function))
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed", flush=True)
    return 0 if results and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
