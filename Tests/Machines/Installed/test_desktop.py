"""The units for a desktop: a person's own daemons, under the systemd of that person's session."""

import re
import shutil
import urllib.request
from pathlib import Path

from kit.clicker import press, spooled
from kit.journal import hears
from kit.machine import UNITS, Installed, run, state, stop_daemons, systemctl, values
from kit.places import in_container, in_guest
from kit.session import COMMANDS, Run, Session
from kit.wait import PATIENCE, becomes, equal, eventually


def count(session):
    """A gesture of the person's own daemon."""
    spooled({"verb": "add"}, folder=Path(f"/run/user/{session.number}/tallymark"), systemctl=session.systemctl)


@in_container
def test_own_daemons(scene):
    """With the documented commands a person's own daemons count into counts of that person; the doctor agrees."""
    equal(len(COMMANDS), 2, f"the documented commands: {COMMANDS}")
    with Installed(), Session() as session:
        session.use_own_daemons()
        count(session)
        # The first gesture makes the counter; until then the report says that there is none.
        becomes(lambda: session.run("tally", "report", check=False), "1 count\n", "the counters")
        session.is_healthy()
        equal(session.finds(f"/run/user/{session.number}/tallymark", "fine"), "", "where the core is")


@in_container
def test_doctor_of_own_daemons(scene):
    """The doctor finds daemons that count twice, and faults of a person's own; its remedies mend just those."""
    with Installed(), Session() as session:
        session.use_own_daemons()
        systemctl("enable", "--now", "tallyd.socket", "tally-inputd.service")
        session.types(session.finds("each press is counted twice"))
        equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")
        session.is_healthy()
        session.systemctl("stop", "tally-inputd.service")
        session.types(session.finds("tally-inputd.service is not running"))
        session.systemctl("stop", "tally-inputd.service", "tallyd.socket", "tallyd.service")
        session.types(session.finds("tallyd.socket is not running"))
        # A core that is only being started is no core that hangs.
        session.run("tally")
        becomes(lambda: session.run("systemctl", "--user", "is-active", "tallyd.service", check=False), "active\n", "the core")
        pid = session.systemctl("show", "--value", "-p", "MainPID", "tallyd.service").strip()
        run("kill", "-STOP", pid)
        session.types(session.finds("does not reply"))
        equal([state(unit) for unit in UNITS], ["inactive"] * 3, "the machine's own")
        session.systemctl("start", "tally-inputd.service")
        session.is_healthy()


@in_container
def test_run_beside_services(scene):
    """`make run` counts into a core of that person's own beside the machine's services, and beside services of that person
    it only shows what they count."""
    counted = lambda: session.run("tally", "report", check=False)
    with Installed(), Session() as session:
        with Run(session, scene.folder) as own:
            eventually(lambda: "Starting the gesture daemon" in own.said(), "its core serves")
            said = own.said()
            address = re.search(r"^The board is at (http://127\.0\.0\.1:8464/)$", said.partition("Starting the gesture")[0], re.MULTILINE)
            equal(bool(address), True, f"whether the page's address is printed before the live counts: {said}")
            equal(urllib.request.urlopen(f"{address[1]}ready", timeout=PATIENCE).status, 200, "the page")
            press()
            becomes(values, {"count": 1}, "the machine's counters")
            session.run("tally", "new", "own")
            session.run("tally", "add", "own")
            equal(counted(), "1 own\n", "that person's counters")
        stop_daemons()
        session.systemctl("start", "tallyd.socket", "tally-inputd.service")
        with Run(session, scene.folder) as own:
            eventually(lambda: "is counting" in own.said(), "it says that somebody counts already")
            count(session)
            becomes(counted, "2 own\n", "that person's counters")
            eventually(lambda: "2 " in own.said(), "it shows the count")
        equal(counted(), "2 own\n", "that person's counters in the end")


@in_guest
def test_device_of_own_daemons(scene):
    """A person's own daemons count what that person may read; the doctor finds a device that the person may not read."""
    presenter = scene.presenter()
    with Installed(), Session() as session:
        # As for a member of the group tallymark-input.
        shutil.chown(presenter.node, group=session.identity["group"])
        session.use_own_daemons()
        hears(f"{presenter.node} (Logitech USB Receiver) is in use", f"_UID={session.number}")
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
