"""Full and failing disks: the core recovers without help."""

import os
import signal
import subprocess
from contextlib import ExitStack

from kit.clicker import Clicker, events
from kit.disk import Disk
from kit.journal import journal
from kit.machine import UNITS, Installed, call, state, stop_daemons, systemctl, values, wait_for
from kit.places import in_container, in_guest
from kit.varlink import INTERFACE, Refused
from kit.wait import becomes, equal, eventually


class Unattended(Clicker):
    """The core on a disk of its own, and a gesture daemon whose pedal is pressed all the time."""

    def __enter__(self):
        with ExitStack() as entered:
            entered.enter_context(Installed())
            stop_daemons()
            self.disk = entered.enter_context(Disk())
            entered.callback(systemctl, "stop", *UNITS)
            systemctl("start", "tallyd.socket")
            super().__enter__()
            entered.push(super().__exit__)
            self.counts(20)
            self.exit = entered.pop_all()
        return self

    def __exit__(self, *failure):
        self.exit.__exit__(*failure)

    def goes_on(self, process=None):
        """Counting goes on by itself, in the same process if one is given, and nothing troubles the core."""
        eventually(lambda: standing() == "", "the core records again")
        self.counts(20)
        self.all_counted()
        equal(trouble(), "", "what troubles the core")
        equal(state("tallyd.service", "StatusText"), "", "what systemctl status says")
        if process:
            equal(core(), process, "the process")


def standing():
    """The sentence with which the core says that it records nothing now; empty where it does."""
    try:
        return trouble()
    except (Refused, ConnectionError) as reason:
        # A core that failed ends its connections when another one takes over.
        return str(reason)


def refused(method, **parameters):
    """The sentence with which the core refuses what it cannot record."""
    try:
        answer = call(method, **parameters)
    except Refused as refusal:
        equal(refusal.name, f"{INTERFACE}.StorageFailed", "the error")
        return refusal.parameters["message"]
    raise AssertionError(f"{method} was answered: {answer}")


def trouble():
    return call("List").get("trouble", "")


def says(words):
    """The core, tally, the doctor, systemd and the journal say so; reading goes on, and nothing is counted. Returns the
    count."""
    eventually(lambda: words in trouble(), f"the core says “{words}”")
    counted = values()["count"]
    equal(words in refused("Add", counter="count"), True, "the refusal of a count")
    shown = subprocess.run(["tally"], capture_output=True, text=True)
    equal((f"{counted}" in shown.stdout, words in shown.stderr), (True, True), f"what tally shows: {shown}")
    found = subprocess.run(["tally", "doctor"], capture_output=True, text=True).stdout
    equal(words in found, True, f"what the doctor says: {found}")
    said(words)
    equal(values(), {"count": counted}, "the counters, which can still be read")
    return counted


def said(words):
    equal(words in state("tallyd.service", "StatusText"), True, "what systemctl status says")
    equal(words in journal("--unit=tallyd.service"), True, "what the journal says")


def core():
    return int(state("tallyd.service", "MainPID"))


def struck(spoil, mend, words):
    """A core whose disk stops taking writes says so in these words, and resumes in the same process when it does again."""
    with Unattended() as counter:
        process = core()
        spoil(counter.disk)
        counted = says(words)
        counter.press(100)
        equal(values(), {"count": counted}, "the counters, while presses wait")
        mend(counter.disk)
        counter.goes_on(process)


@in_container
def test_full(scene):
    """On a full disk the core reports the fault and resumes when there is space; each press counts once."""
    struck(Disk.fill, Disk.make_room, "is full")


def started_on(spoil, mend, words, in_the_same_process=True):
    """A core that is started on a disk that takes no writes says so in these words, and begins once the disk does."""
    with Unattended() as counter:
        # A gesture daemon that waits for a core would start it before.
        systemctl("stop", "tally-inputd.service", "tallyd.service")
        spoil(counter.disk)
        systemctl("start", "tally-inputd.service")
        counter.press(100)
        eventually(lambda: state("tallyd.service") == "active", "the core runs")
        equal(words in refused("List"), True, "what is said")
        said(words)
        process = core() if in_the_same_process else None
        mend(counter.disk)
        counter.goes_on(process)


@in_container
def test_started_on_a_full_disk(scene):
    """A core that is started on a full disk says why it counts nothing, is not given up, and begins once there is room."""
    started_on(Disk.fill, Disk.make_room, "is full")


@in_container
def test_started_on_a_disk_that_is_only_read(scene):
    """A core started on a read-only disk reports it and serves once the disk is writable."""
    # The core's view of the disk stays as it was when it was started.
    started_on(Disk.refuse_writes, Disk.accept_writes, "Read-only", in_the_same_process=False)


@in_container
def test_failing(scene):
    """After a failed sync, reads succeed, and counting resumes when the disk works; each press counts once."""
    struck(Disk.fail, Disk.mend, "disk I/O error")


@in_container
def test_killed_on_a_failing_disk(scene):
    """systemd restarts a core killed on a failing disk; every press counts once afterwards."""
    with Unattended() as counter:
        counter.disk.fail()
        for _ in range(3):
            counter.press(20)
            victim = core()
            os.kill(victim, signal.SIGKILL)
            # Until systemd has another one there is none, or still the former one; 0 would be everybody here.
            eventually(lambda: core() not in (0, victim), "the core runs again")
            eventually(lambda: state("tallyd.service") == "active", "the core runs again")
        equal("disk I/O error" in refused("Add"), True, "what is said")
        process = core()
        counter.disk.mend()
        counter.goes_on(process)


@in_guest
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
        said("quota")
        counted = values()["count"]
        press(5)
        equal(values(), {"count": counted}, "the counters, while presses wait")
        disk.lift_quota("tallymark")
        becomes(values, {"count": made}, "the counters")
        equal([event["value"] for event in events("added")], [*range(1, made + 1)], "the counts")
        equal((trouble(), state("tallyd.service", "MainPID")), ("", process), "what troubles the core, and its process")
