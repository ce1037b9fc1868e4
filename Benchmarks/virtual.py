"""What needs input devices is measured in the virtual machine of the tests."""

import json
import os
import subprocess

from servers import Failure
from tools import PROGRAMS, WORK

BOOT = os.path.join("Tests", "VirtualMachine", "boot")


# What guest.py can measure.
MEASURES = ["presses", "on_disk", "answers", "shakes", "fingers"]


def measure(names):
    """The figures of `guest.py` by its measures' names."""
    disk = os.path.abspath(os.path.join(WORK, "guest.disk"))
    with open(disk, "wb") as image:
        image.truncate(64 << 20)
    command = [
        BOOT, "env", "PYTHONPATH=" + os.path.abspath("Tests/VirtualMachine"), "PYTHONDONTWRITEBYTECODE=1",
        "/usr/bin/python3", *map(os.path.abspath, ("Benchmarks/guest.py", PROGRAMS, WORK)), *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env={**os.environ, "VM_DISK": disk})
    if done.returncode != 0:
        raise Failure("the virtual machine failed with status %d:\n%s" % (done.returncode, done.stdout[-4000:]))
    figures = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            figures.update(json.loads(line))
    return figures
