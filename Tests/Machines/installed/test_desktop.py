"""A person's own gesture daemon with a device; Tests/Machines/Container has the other tests of the units for a desktop."""

import shutil
from pathlib import Path

from kit.machine import Installed, run
from kit.session import Session
from kit.wait import becomes, equal, eventually


def test_own_daemons(scene):
    """A person's own daemons count what that person may read; the doctor finds a device that the person may not read."""
    presenter = scene.presenter()
    with Installed(), Session() as session:
        # As for a member of the group tallymark-input.
        shutil.chown(presenter.node, group=session.identity["group"])
        session.use_own_daemons()
        log = lambda: run("journalctl", "--boot", "--output=cat", f"_UID={session.number}")
        eventually(lambda: f"{presenter.node} (Logitech USB Receiver) is in use" in log(), "the presenter is in use")
        presenter.press()
        # The first press makes the counter; until then the report says that there is none.
        becomes(lambda: session.run("tally", "report", check=False), "1 count\n", "the counters")
        session.is_healthy()
        shutil.chown(presenter.node, group="root")
        session.types(session.finds("this user is not in it"))
        equal(Path(presenter.node).group(), "tallymark-input", "whose the presenter is")
        equal(
            session.finds("this user is not in it"), 'sudo usermod -aG tallymark-input "$USER"',
            "what lets somebody use it who does not sit at the machine")
