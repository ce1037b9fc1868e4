"""The gesture daemon's configuration: how it is checked, and put in force by systemd."""

import subprocess
from pathlib import Path

from kit.machine import Installed, state, systemctl
from kit.places import in_container
from kit.wait import becomes, equal


@in_container
def test_check(scene):
    """tally-input check accepts a right configuration and says line and reason for a wrong one."""
    file = scene.folder / "input.toml"
    check = lambda: subprocess.run(["tally-input", "check", file], capture_output=True, text=True)
    file.write_text('[[bind]]\ngesture = "tap"\ndo = "add"\n')
    equal(check().returncode, 0, "the status for a right one")
    file.write_text('[[bind]]\ngesture = "tap"\ndo = "ad people"\n')
    answer = check()
    equal(answer.returncode, 1, "the status for a wrong one")
    said = answer.stdout + answer.stderr
    for word in [f"{file}:3", "ad", "add"]:
        equal(word in said, True, f"whether it names {word}: {said}")


@in_container
def test_reload_by_systemd(scene):
    """systemd reloads the gesture daemon, and shows which configuration is in force."""
    file = Path("/etc/tallymark/input.toml")
    with Installed():
        file.write_text('[[bind]]\ngesture = "tap"\ndo = "add 2"\n')
        systemctl("reload", "tally-inputd.service")
        status = lambda: state("tally-inputd.service", "StatusText")
        becomes(status, f"The configuration in {file} is in force.", "the status")
        file.write_text("nonsense")
        becomes(lambda: "not valid" in status(), True, "it says that the new one is wrong")
        file.unlink()
        becomes(status, "The defaults are in force.", "the status without a file")
