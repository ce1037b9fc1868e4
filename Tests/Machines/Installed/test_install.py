"""`make install` and `make uninstall`, beside what the package does."""

import shutil
import subprocess
from pathlib import Path

from kit import ROOT
from kit.machine import UNITS, Installed, run, state, stop_daemons, systemctl, wait_for
from kit.places import in_container, in_guest
from kit.runner import prepare
from kit.wait import becomes, equal

RELEASE = ROOT / ".build/release"


@in_container
def test_other_prefixes(scene):
    """Where systemd and udev would not look nothing is installed, unless it is a tree to be packaged."""
    environment = {**Installed.environment, "PREFIX": "/opt/my tally"}
    for what in ["install", "udev"]:
        answer = subprocess.run(["scripts/install", what], cwd=ROOT, env=environment, capture_output=True, text=True)
        equal((answer.returncode, "/usr/local or /usr" in answer.stderr), (64, True), f"what it says to {what}")
    equal(Path("/opt/my tally").exists(), False, "whether anything is there")
    tree = scene.folder / "tree"
    run("scripts/install", "install", cwd=ROOT, env={**environment, "DESTDIR": str(tree)})
    equal((tree / "opt/my tally/bin/tallyd").exists(), True, "whether a tree can have it anywhere")


@in_container
def test_disabled_stays_disabled(scene):
    """Reinstalling keeps disabled units disabled and restarts only running ones."""
    with Installed():
        systemctl("disable", *UNITS)
        try:
            pid = state("tally-inputd.service", "MainPID")
            said = run("scripts/install", "install", cwd=ROOT, env=Installed.environment)
            equal([state(unit, "UnitFileState") for unit in UNITS], ["disabled"] * 3, "whether they start with the machine")
            equal("enable --now" in said, True, f"whether it says so: {said}")
            becomes(lambda: state("tally-inputd.service"), "active", "the daemon that ran")
            equal(state("tally-inputd.service", "MainPID") == pid, False, "whether it is still the former one")
            stop_daemons()
            run("scripts/install", "install", cwd=ROOT, env=Installed.environment)
            equal([state(unit) for unit in UNITS], ["inactive"] * 3, "what was stopped")
        finally:
            systemctl("enable", "--now", "tallyd.socket", "tally-inputd.service")


@in_container
def test_uninstall_after_clean(scene):
    """`make uninstall` works after `make clean`."""
    checkout = scene.folder / "checkout"
    for folder in ["scripts", "systemd", "udev", "packaging"]:
        shutil.copytree(ROOT / folder, checkout / folder)
    tree = scene.folder / "tree"
    run("scripts/install", "install", cwd=ROOT, env={**Installed.environment, "DESTDIR": str(tree)})
    # Settings stay.
    files = [Path("/", path.relative_to(tree)) for path in (tree / "usr").rglob("*") if path.is_file()]
    with Installed():
        equal([str(file) for file in files if not file.exists()], [], "what is not installed")
    try:
        run("scripts/install", "uninstall", cwd=checkout, env=Installed.environment)
        Installed.is_there = False
        equal([str(file) for file in files if file.exists()], [], "what is left")
    finally:
        prepare(RELEASE)


@in_guest
def test_groups_of_devices(scene):
    """Devices go to the gesture daemon's group when it is installed, and back to their former group when it is removed."""
    presenter = scene.presenter()
    owner = lambda: Path(presenter.node).group()
    with Installed():
        wait_for(presenter)
        equal(owner(), "tallymark-input", "the presenter's group")
    try:
        run("scripts/install", "uninstall", cwd=ROOT, env=Installed.environment)
        Installed.is_there = False
        becomes(owner, "input", "the presenter's group")
    finally:
        prepare(RELEASE)
