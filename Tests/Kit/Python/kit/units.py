"""What systemd says of units."""

import os
import re
import subprocess

from kit.machine import run
from kit.wait import equal


def exposed(unit, most):
    """Fails where systemd calls a service exposed by more than so many of 10 points."""
    text = run("systemd-analyze", "security", unit)
    found = float(re.search(r"Overall exposure level for \S+: ([0-9.]+)", text)[1])
    print(f"        {unit}: {found}", flush=True)
    equal(found <= most, True, f"whether {unit}, exposed by {found}, is so by at most {most}\n{text}")


def verified(*names):
    """Fails where systemd finds something to say against units, the machine's and those of persons."""
    for scope, folder in [([], "system"), (["--user"], "user")]:
        units = [f"/usr/lib/systemd/{folder}/{name}" for name in names]
        answer = subprocess.run(
            ["systemd-analyze", "verify", *scope, "--man=no", *units], capture_output=True, text=True,
            env={**os.environ, "XDG_RUNTIME_DIR": "/run"})
        said = [line for line in answer.stderr.splitlines() if "tally" in line]
        equal((answer.returncode, said), (0, []), f"what it said about units of the folder {folder}")
