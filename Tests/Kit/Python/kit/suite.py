"""Runs tests that are functions `test_…` of Python files, each in a scene of its own, and prints a line for each.

A scene has `logs()`, pairs of a program's name and what it wrote, and `close()`."""

import importlib.util
import signal
import sys
import time
import traceback

from kit.places import runs_in


class Skipped(Exception):
    """The test cannot run here, as its words say."""


def close_at_signals():
    """Has the signals that ask this process to end raise SystemExit, so that it closes what it has started."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + signal.SIGTERM))


def tests(path):
    """The name and the function of each test in a file."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    for name, function in vars(module).items():
        if name.startswith("test_"):
            yield f"{path.stem}.{name}", function


def failure(function, scene):
    """Runs a test and closes its scene; returns what went wrong, an empty text where nothing did, and why it was skipped."""
    said, skipped = [], ""
    try:
        function(scene)
    except Skipped as reason:
        skipped = str(reason)
    except Exception:
        said.append(traceback.format_exc())
        said += [f"--- what {name} wrote (its end) ---\n{log[-4000:]}" for name, log in scene.logs()]
    finally:
        # Also where a signal ends the run.
        try:
            scene.close()
        except Exception:
            said.append(traceback.format_exc())
    return "\n".join(said), skipped


def result(name, function, make_scene):
    """Runs a test, and prints and returns what became of it: passed, failed or skipped."""
    scene = make_scene(function)
    started = time.monotonic()
    sentence = " ".join(function.__doc__.split()).rstrip(".")
    said, skipped = failure(function, scene)
    if said:
        print(f"FAILED  {name}: {sentence}\n{said}", flush=True)
        return "failed"
    if skipped:
        print(f"skipped  {name}: {skipped}", flush=True)
        return "skipped"
    print(f"passed  {name}: {sentence} ({time.monotonic() - started:.1f} s)", flush=True)
    return "passed"


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


def run(folder, patterns, make_scene, times=1, claims=None, prepare=lambda: None, where=None):
    """Runs the tests of a folder that a pattern names as `file.function`, or, where it names none, whose name contains it.

    `make_scene(function)` makes the scene of a test; with `claims`, a folder, only those run that nobody has claimed there;
    with `where`, a place of `kit.places`, only those that are marked for it. Returns the exit status."""
    found = [test for path in sorted(folder.glob("test_*.py")) for test in tests(path)]
    if where:
        found = [(name, function) for name, function in found if runs_in(where, name, function)]
    if patterns:
        found = chosen(found, patterns)
    if not found:
        place = f" for the {where}" if where else ""
        print(f"No test in {folder.name}{place} has {' or '.join(patterns)} in its name.", flush=True)
        return 1
    print(f"==> {len(found) * times} tests", flush=True)
    prepare()
    results = [
        result(name, function, make_scene)
        for name, function in found if not (claims and is_claimed(claims, name))
        for _ in range(times)
    ]
    passed, failed, skipped = (results.count(word) for word in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 1 if failed else 0
