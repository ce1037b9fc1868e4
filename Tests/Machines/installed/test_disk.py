"""A quota under a core that nobody looks after; Tests/Machines/Container has the other faults of disks."""

from contextlib import ExitStack

from kit.clicker import events
from kit.disk import Disk
from kit.machine import UNITS, Installed, call, run, state, stop_daemons, systemctl, values, wait_for
from kit.wait import becomes, equal, eventually


def trouble():
    return call("List").get("trouble", "")


def test_quota(scene):
    """Where the quota is used up counting stops and says so, and goes on by itself once there is room in it: each press of
    a presenter counts once."""
    presenter = scene.presenter()
    with Installed(), ExitStack() as ends:
        stop_daemons()
        disk = ends.enter_context(Disk(has_quota=True))
        ends.callback(systemctl, "stop", *UNITS)
        systemctl("start", "tallyd.socket", "tally-inputd.service")
        wait_for(presenter)
        made = 0

        def press(times):
            nonlocal made
            for _ in range(times):
                presenter.press()
            made += times

        press(5)
        becomes(values, {"count": made}, "the counters")
        process = state("tallyd.service", "MainPID")
        disk.use_up_quota("tallymark")

        def is_used_up():
            # What has its place already is filled first.
            press(5)
            return "quota" in trouble()

        eventually(is_used_up, "the quota is used up")
        equal("quota" in state("tallyd.service", "StatusText"), True, "what systemctl status says")
        run("journalctl", "--sync")
        said = run("journalctl", "--boot", "--unit=tallyd.service", "--output=cat")
        equal("quota" in said, True, f"what the journal says: {said}")
        counted = values()["count"]
        press(5)
        equal(values(), {"count": counted}, "the counters, while presses wait")
        disk.lift_quota("tallymark")
        becomes(values, {"count": made}, "the counters")
        equal([event["value"] for event in events("added")], [*range(1, made + 1)], "the counts")
        equal((trouble(), state("tallyd.service", "MainPID")), ("", process), "what troubles the core, and its process")
