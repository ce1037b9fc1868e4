"""The group of devices after `make install` and `make uninstall`; Tests/Machines/Container has the other tests of both."""

from pathlib import Path

from kit.machine import CHECKOUT, Installed, run, wait_for
from kit.runner import prepare
from kit.wait import becomes, equal


def test_uninstall(scene):
    """Devices go to the gesture daemon's group when it is installed, and back to their former group when it is removed."""
    presenter = scene.presenter()
    owner = lambda: Path(presenter.node).group()
    with Installed():
        wait_for(presenter)
        equal(owner(), "tallymark-input", "the presenter's group")
    try:
        run("scripts/install", "uninstall", cwd=CHECKOUT, env=Installed.environment)
        Installed.is_there = False
        becomes(owner, "input", "the presenter's group")
    finally:
        prepare(CHECKOUT / ".build/release")
