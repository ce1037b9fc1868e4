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

# How often a test is played that fails each time, and each time the machine paused while a sensor was moved in it.
TRIES = 3


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


def failure(function, scene):
    """Plays a test to the end of its scene; says what went wrong, and nothing where all is well."""
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


def passes(function, tries=TRIES):
    scene = Scene(user=getattr(function, "user", None))
    started = time.monotonic()
    sentence = " ".join(function.__doc__.split()).rstrip(".")
    said = failure(function, scene)
    if said and tries > 1 and scene.was_disturbed:
        print(f"again   {sentence}: the machine paused while a sensor was moved\n{said}", flush=True)
        return passes(function, tries - 1)
    if said:
        print(f"FAILED  {sentence}\n{said}", flush=True)
        return False
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
