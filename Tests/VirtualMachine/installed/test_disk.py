"""A disk that is full, and one that fails, under a core that nobody looks after."""

import os
import signal
import subprocess
from contextlib import ExitStack

from kit.disk import Disk
from kit.machine import UNITS, Installed, call, catch_up, run, state, systemctl, values, wait_for
from kit.programs import INTERFACE
from kit.varlink import Refused
from kit.wait import becomes, equal, eventually


class Unattended:
    """Both services on a disk of their own, and a presenter that is pressed."""

    def __init__(self, scene):
        self.presenter = scene.presenter()
        self.presses = 0

    def __enter__(self):
        with ExitStack() as entered:
            entered.enter_context(Installed())
            systemctl("stop", *UNITS)
            self.disk = entered.enter_context(Disk())
            entered.callback(systemctl, "stop", *UNITS)
            systemctl("start", "tallyd.socket", "tally-inputd.service")
            wait_for(self.presenter)
            self.press(5)
            self.all_counted()
            self.exit = entered.pop_all()
        return self

    def __exit__(self, *failure):
        self.exit.__exit__(*failure)

    def press(self, times):
        for number in range(1, times + 1):
            self.presenter.press()
            if number % 8 == 0:
                catch_up()
        self.presses += times

    def all_counted(self):
        """Every press, once, in the order of the values."""
        becomes(standing, {"count": self.presses}, "the counters")
        events, after = [], 0
        while page := call("History", after=after, limit=1000)["events"]:
            events += page
            after = page[-1]["sequence"]
        counts = [event["value"] for event in events if event["kind"] == "added"]
        equal(counts, list(range(1, self.presses + 1)), "the counts")

    def goes_on(self, process=None):
        """By itself, in the same process if one is given, and nothing troubles it."""
        self.all_counted()
        equal(trouble(), "", "what troubles the core")
        equal(state("tallyd.service", "StatusText"), "", "what systemctl status says")
        if process:
            equal(core(), process, "the process")


def standing():
    """The counters, or why there are none now."""
    try:
        return values()
    except (Refused, ConnectionError) as reason:
        # Whoever is connected to a core that failed is let go when another takes over.
        return str(reason)


def refused(method, **parameters):
    """The sentence with which the core says that it cannot keep anything."""
    try:
        answer = call(method, **parameters)
    except Refused as refusal:
        equal(refusal.name, f"{INTERFACE}.StorageFailed", "the error")
        return refusal.parameters["message"]
    raise AssertionError(f"{method} was answered: {answer}")


def trouble():
    return call("List").get("trouble", "")


def says(words, presses):
    """Everybody who could be asked says so: the core, tally, the doctor, systemd, the journal; and reading goes on."""
    eventually(lambda: words in trouble(), f"the core says “{words}”")
    equal(values(), {"count": presses}, "the counters, which can still be read")
    equal(words in refused("Add", name="count"), True, "what who counts is told")
    shown = subprocess.run(["tally"], capture_output=True, text=True)
    equal((f"{presses}" in shown.stdout, words in shown.stderr), (True, True), f"what tally shows: {shown}")
    found = subprocess.run(["tally", "doctor"], capture_output=True, text=True).stdout
    equal(words in found, True, f"what the doctor says: {found}")
    said(words)


def said(words):
    equal(words in state("tallyd.service", "StatusText"), True, "what systemctl status says")
    run("journalctl", "--sync")
    equal(words in run("journalctl", "--boot", "--unit=tallyd.service", "--output=cat"), True, "what the journal says")


def core():
    return int(state("tallyd.service", "MainPID"))


def test_full(scene):
    """On a full disk counting stops and says so, and goes on by itself once there is room: each press counts once."""
    with Unattended(scene) as counter:
        process = core()
        counter.disk.fill()
        counter.press(20)
        eventually(trouble, "the disk is full")
        # What had its place already was kept.
        says("is full", values()["count"])
        equal(values()["count"] < counter.presses, True, "whether anything waits")
        counter.press(20)
        counter.disk.make_room()
        counter.goes_on(process)


def started_on(scene, spoil, mend, words, in_the_same_process=True):
    """A core that is started on a disk that takes no writes says so in these words, and begins once it does."""
    with Unattended(scene) as counter:
        # Whoever waits to be connected would start it again before.
        systemctl("stop", "tally-inputd.service", "tallyd.service")
        spoil(counter.disk)
        systemctl("start", "tally-inputd.service")
        wait_for(counter.presenter)
        counter.press(20)
        eventually(lambda: state("tallyd.service") == "active", "the core runs")
        equal(words in refused("List"), True, "what is said")
        said(words)
        process = core() if in_the_same_process else None
        mend(counter.disk)
        counter.goes_on(process)


def test_started_on_a_full_disk(scene):
    """A core that is started on a full disk says why it counts nothing, is not given up, and begins once there is room."""
    started_on(scene, Disk.fill, Disk.make_room, "is full")


def test_started_on_a_disk_that_is_only_read(scene):
    """A core that is started on a disk mounted for reading only says so, and begins once it can be written to."""
    # What it sees of the disk stays as it was when it was started.
    started_on(scene, Disk.refuse_writes, Disk.accept_writes, "Read-only", in_the_same_process=False)


def test_quota(scene):
    """Where the quota is used up counting stops and says so, and goes on by itself once there is room in it."""
    with Unattended(scene) as counter:
        process = core()
        counter.disk.use_up_quota("tallymark")

        def is_used_up():
            # What has its place already is filled first.
            counter.press(5)
            return trouble()

        eventually(is_used_up, "the quota is used up")
        says("quota", values()["count"])
        counter.disk.lift_quota("tallymark")
        counter.goes_on(process)


def test_failing(scene):
    """When a sync has failed reading goes on, and counting does by itself when the disk is well: each press counts once."""
    with Unattended(scene) as counter:
        process, counted = core(), counter.presses
        counter.disk.fail()
        counter.press(20)
        says("disk I/O error", counted)
        counter.press(20)
        counter.disk.mend()
        counter.goes_on(process)


def test_killed_on_a_failing_disk(scene):
    """A core that is killed while the disk fails is not given up, whatever it finds; all of it counts once in the end."""
    with Unattended(scene) as counter:
        counter.disk.fail()
        for _ in range(3):
            counter.press(5)
            victim = core()
            os.kill(victim, signal.SIGKILL)
            # Until systemd has another one there is none, or still the former one; 0 would be everybody here.
            eventually(lambda: core() not in (0, victim), "the core runs again")
            eventually(lambda: state("tallyd.service") == "active", "the core runs again")
        equal("disk I/O error" in refused("Add"), True, "what is said")
        process = core()
        counter.disk.mend()
        counter.goes_on(process)
