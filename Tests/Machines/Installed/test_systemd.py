"""The units of systemd/ under the real systemd."""

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from evdev import ecodes as e

from kit.clicker import press
from kit.journal import INPUTD, hears, journal
from kit.machine import Installed, Override, call, configure, state, systemctl, use, values, wait_for
from kit.places import in_container, in_guest
from kit.units import exposed, verified
from kit.wait import PATIENCE, becomes, equal, eventually


@in_container
def test_exposure(scene):
    """systemd calls the core and the gesture daemon safe: at most 0.3 and 1.0 of 10 points of exposure."""
    with Installed():
        for unit, most in [("tallyd.service", 0.3), ("tally-inputd.service", 1.0)]:
            exposed(unit, most)


@in_container
def test_units_verify(scene):
    """systemd finds nothing to say against the units, those for a desktop too."""
    with Installed():
        verified("tallyd.socket", "tallyd.service", "tally-inputd.service")


@in_container
def test_socket_activation(scene):
    """systemd holds the socket: the first call starts the core, and a core that was stopped starts again with its counts."""
    with Installed():
        # The gesture daemon's reconnect would start the core.
        systemctl("stop", "tally-inputd.service")
        call("List")
        systemctl("stop", "tallyd.service")
        equal(state("tallyd.service"), "inactive", "the core before anybody asked")
        call("Create", name="people")
        call("Add", counter="people", amount=41)
        equal(state("tallyd.service"), "active", "the core")
        systemctl("stop", "tallyd.service")
        equal(state("tallyd.service"), "inactive", "the core after being stopped")
        equal(call("Add", counter="people")["event"]["value"], 42, "the count")


@in_container
def test_station_of_a_fleet_goes_on(scene):
    """A core in a fleet that is stopped, or killed, goes on as the same writer; one whose journal was put back does not."""
    def writer():
        [proof] = Path("/run/tallymark/core").iterdir()
        return proof.read_text().split()[1]

    def count():
        call("Add", counter="people")
        return writer()

    with Installed():
        call("Create", name="people")
        call("JoinFleet", broker="mqtt://127.0.0.1", fleet="venue", station="door1")
        call("ShareCounter", counter="people")
        first = count()
        systemctl("restart", "tallyd.service")
        equal(count(), first, "the writer after a restart")
        systemctl("kill", "--signal=KILL", "tallyd.service")
        equal(count(), first, "the writer after a kill")
        systemctl("stop", "tallyd.service")
        subprocess.run(["tally", "backup", "--state", "/var/lib/tallymark", "/root/people.tally"], check=True, capture_output=True)
        count()
        systemctl("stop", "tallyd.service", "tallyd.socket")
        subprocess.run(["tally", "restore", "--state", "/var/lib/tallymark", "/root/people.tally"], check=True, capture_output=True)
        systemctl("start", "tallyd.socket")
        equal(count() == first, False, "whether it is the same writer after its journal was put back")
        Path("/root/people.tally").unlink()


@in_container
def test_killed_under_systemd(scene):
    """A daemon that is killed is started again by systemd, and callers only wait."""
    with Installed():
        call("Create", name="people")
        for unit in ["tallyd.service", "tally-inputd.service"]:
            first = state(unit, "MainPID")
            systemctl("kill", "--signal=KILL", unit)
            becomes(lambda: state(unit, "MainPID") not in ("0", first), True, f"{unit} runs again")
        press()
        becomes(values, {"people": 1}, "the counters")


@in_container
def test_watchdog(scene):
    """A daemon that hangs is ended and started again."""
    with Installed():
        for unit in ["tallyd.service", "tally-inputd.service"]:
            # On a busy machine a daemon may wait for its processor for some seconds.
            with Override(unit, "[Service]", "WatchdogSec=30s"):
                systemctl("restart", unit)
                # Number 0 would mean the own process group.
                pid = eventually(lambda: int(state(unit, "MainPID")), f"{unit} runs")
                os.kill(pid, signal.SIGSTOP)
                eventually(lambda: int(state(unit, "NRestarts")) >= 1, f"{unit} is started again")
                becomes(lambda: state(unit), "active", unit)
            systemctl("restart", unit)
        call("List")


@in_container
def test_restart_limit(scene):
    """A core that ends again and again is left alone after a while, and comes back when it is asked to."""
    limited = ["[Unit]", "StartLimitBurst=3", "StartLimitIntervalSec=1h", "[Service]", "RestartSec=20ms"]
    with Installed(), Override("tallyd.service", *limited):
        systemctl("reset-failed", "tallyd.service")
        systemctl("restart", "tallyd.service")

        def killed_until_given_up():
            pid = int(state("tallyd.service", "MainPID"))
            # Between the question and the kill it may have ended.
            with suppress(ProcessLookupError):
                if pid:
                    os.kill(pid, signal.SIGKILL)
            return state("tallyd.service") == "failed"

        eventually(killed_until_given_up, "systemd gives up")
        systemctl("reset-failed", "tallyd.service", "tallyd.socket")
        systemctl("restart", "tallyd.socket")
        equal(values(), {}, "the counters")


@in_container
def test_clean_stop(scene):
    """Both daemons end well when they are stopped, the gesture daemon before the core."""
    patient = ["[Service]", f"TimeoutStopSec={PATIENCE}"]
    with Installed(), Override("tallyd.service", *patient), Override("tally-inputd.service", *patient):
        press()
        becomes(values, {"count": 1}, "the counters")
        systemctl("stop", "tally-inputd.service", "tallyd.service")
        for unit in ["tallyd.service", "tally-inputd.service"]:
            equal((state(unit, "Result"), state(unit, "ExecMainStatus")), ("success", "0"), f"the end of {unit}")
        ends = [state(unit, "InactiveEnterTimestampMonotonic") for unit in ["tally-inputd.service", "tallyd.service"]]
        equal(ends, sorted(ends, key=int), "the order of the ends")


@in_guest
def test_gestures_of_a_sandboxed_daemon(scene):
    """Pedal, presenter and touchscreen count under systemd, plugged in before the start and after it."""
    pedal = scene.pedal()
    with Installed():
        use("touchscreens", pedal.node)
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 1}, "the counters after the pedal")
        presenter = scene.presenter()
        wait_for(presenter)
        presenter.press()
        becomes(values, {"count": 2}, "the counters after the presenter")
        screen = scene.touchscreen()
        wait_for(screen)
        screen.tap()
        becomes(values, {"count": 3}, "the counters after the tap")
        pedal.unplug()
        pedal.plug()
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 4}, "the counters after the pedal was plugged in again")


@in_guest
def test_journal(scene):
    """The journal has lines with fields about a device that is used, and nothing of what is pressed on it or elsewhere."""
    presenter, keyboard = scene.presenter(), scene.keyboard()
    configure(
        '[[device]]\nname = "Logitech*"\n[[device.bind]]\ngesture = "press"\nkey = "KEY_PAGEDOWN"\ndo = "add"\n')
    with Installed():
        wait_for(presenter)

        def said(*fields):
            return [json.loads(line) for line in journal(INPUTD, *fields, output="json").splitlines()]

        messages = lambda: [line["MESSAGE"] for line in said()]
        hears(f"{presenter.node} (Logitech USB Receiver) is in use", INPUTD)
        lines = said(f"TALLYMARK_DEVICE={presenter.node}")
        equal(any(line["TALLYMARK_DEVICE_NAME"] == "Logitech USB Receiver" for line in lines), True, "the fields")
        before = messages()
        for key in [e.KEY_F5, e.KEY_DOT, e.KEY_ESC]:
            presenter.press(key)
            keyboard.press(key)
        presenter.press(e.KEY_PAGEDOWN)
        becomes(values, {"count": 1}, "the counters")
        equal(messages(), before, "the journal after presses that are not bound")
        stored = b"".join(path.read_bytes() for path in Path("/var/lib/tallymark").iterdir())
        equal(b"press KEY_PAGEDOWN" in stored, True, "whether the history has the key that counted")
        # A shorter word may be in the numbers of a journal by chance.
        for word in [b"KEY_F5", b"KEY_DOT", b"KEY_ESC"]:
            equal(word in stored, False, f"whether {word} is stored")
