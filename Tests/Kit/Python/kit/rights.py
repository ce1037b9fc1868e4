"""The rights of users and groups in the machine's core, and its configuration."""

import grp
import pwd
import subprocess
from pathlib import Path

from kit.machine import run, state, systemctl
from kit.wait import becomes

CONFIGURATION = Path("/etc/tallymark/core.toml")
ALICE = "tally-alice"


def alice(*groups):
    """A person's identity, with the groups that she has been given."""
    try:
        pwd.getpwnam(ALICE)
    except KeyError:
        run("useradd", "--no-create-home", ALICE)
    numbers = [grp.getgrnam(group).gr_gid for group in groups]
    return {"user": ALICE, "group": ALICE, "extra_groups": numbers}


def tally(identity, *arguments):
    """Runs tally as somebody; returns its exit status and what it printed."""
    answer = subprocess.run(["tally", *arguments], capture_output=True, text=True, cwd="/", **identity)
    return answer.returncode, answer.stdout + answer.stderr


def may(identity, *arguments):
    """Whether tally's verb is done; a refusal must name the right that is missing."""
    code, said = tally(identity, *arguments)
    if code and "You may not" not in said:
        raise AssertionError(f"tally {' '.join(arguments)}: {code} {said}")
    return code == 0


class Rights:
    """A configuration of the core, in force until it is closed."""

    def __init__(self, text):
        self.text = text

    def __enter__(self):
        CONFIGURATION.parent.mkdir(exist_ok=True)
        self.before = CONFIGURATION.read_text() if CONFIGURATION.exists() else None
        self.write(self.text)
        return self

    def write(self, text):
        CONFIGURATION.write_text(text)
        self.reload()

    def reload(self):
        systemctl("start", "tallyd.service")
        systemctl("reload", "tallyd.service")
        becomes(lambda: "is in force" in state("tallyd.service", "StatusText"), True, "the configuration is in force")

    def __exit__(self, *_):
        if self.before is None:
            CONFIGURATION.unlink()
        else:
            CONFIGURATION.write_text(self.before)
        systemctl("stop", "tallyd.service")
