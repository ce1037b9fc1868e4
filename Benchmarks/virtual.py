"""What needs input devices is measured in the virtual machine of the tests."""

import json
import os
import subprocess

from servers import Failure
from tools import PROGRAMS, WORK

BOOT = os.path.join("Tests", "Machines", "Guest", "boot")


# What guest.py can measure.
MEASURES = ["presses", "on_disk", "answers", "shakes", "fingers"]


# A disk takes its time, whatever the guest's clock counts.
TRUE_PACE = ["on_disk"]


def measure(names):
    """The figures of `guest.py` by its measures' names.

    All but those of a disk are counted in instructions, a nanosecond each, so that they come again whatever else this
    machine does."""
    figures = {}
    for options, some in (
            (["--exact"], [name for name in names if name not in TRUE_PACE]),
            ([], [name for name in names if name in TRUE_PACE])):
        if some:
            figures.update(_run(options, some))
    return figures


def _run(options, names):
    disk = os.path.abspath(os.path.join(WORK, "guest.disk"))
    with open(disk, "wb") as image:
        image.truncate(64 << 20)
    command = [
        BOOT, *options, "env", "PYTHONPATH=" + os.path.abspath("Tests/Kit/Python"), "PYTHONDONTWRITEBYTECODE=1",
        "/usr/bin/python3", *map(os.path.abspath, ("Benchmarks/guest.py", PROGRAMS, WORK)), *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env={**os.environ, "VM_DISK": disk})
    if done.returncode != 0:
        raise Failure("the virtual machine failed with status %d:\n%s" % (done.returncode, done.stdout[-4000:]))
    return {
        name: figures for line in done.stdout.splitlines() if line.startswith("{")
        for name, figures in json.loads(line).items()}
