"""The units of systemd/ under the real systemd."""

import os
import signal
import subprocess
from pathlib import Path

from kit.clicker import press
from kit.machine import Installed, Override, call, state, systemctl, values
from kit.units import exposed, verified
from kit.wait import becomes, equal, eventually


def test_exposure(scene):
    """systemd calls the core and the gesture daemon safe: at most 0.3 and 1.0 of 10 points of exposure."""
    with Installed():
        for unit, most in [("tallyd.service", 0.3), ("tally-inputd.service", 1.0)]:
            exposed(unit, most)


def test_units_verify(scene):
    """systemd finds nothing to say against the units, those for a desktop too."""
    with Installed():
        verified("tallyd.socket", "tallyd.service", "tally-inputd.service")


def test_socket_activation(scene):
    """systemd holds the socket: the first call starts the core, and a core that was stopped starts again with its counts."""
    with Installed():
        # The gesture daemon's reconnect would start the core.
        systemctl("stop", "tally-inputd.service")
        call("List")
        systemctl("stop", "tallyd.service")
        equal(state("tallyd.service"), "inactive", "the core before anybody asked")
        call("Create", name="people")
        call("Add", name="people", amount=41)
        equal(state("tallyd.service"), "active", "the core")
        systemctl("stop", "tallyd.service")
        equal(state("tallyd.service"), "inactive", "the core after being stopped")
        equal(call("Add", name="people")["event"]["value"], 42, "the count")


def test_station_of_a_fleet_goes_on(scene):
    """A core in a fleet that is stopped, or killed, goes on as the same writer; one whose journal was put back does not."""
    def writer():
        [proof] = Path("/run/tallymark/core").iterdir()
        return proof.read_text().split()[1]

    def count():
        call("Add", name="people")
        return writer()

    with Installed():
        call("Create", name="people")
        call("JoinFleet", broker="mqtt://127.0.0.1", fleet="venue", station="door1")
        call("ShareCounter", name="people")
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


def test_watchdog(scene):
    """A daemon that hangs is ended and started again."""
    with Installed():
        for unit in ["tallyd.service", "tally-inputd.service"]:
            with Override(unit, "[Service]", "WatchdogSec=2s"):
                systemctl("restart", unit)
                pid = int(state(unit, "MainPID"))
                os.kill(pid, signal.SIGSTOP)
                eventually(lambda: int(state(unit, "NRestarts")) >= 1, f"{unit} is started again")
                becomes(lambda: state(unit), "active", unit)
        call("List")


def test_restart_limit(scene):
    """A core that ends again and again is left alone after a while, and comes back when it is asked to."""
    with Installed(), Override("tallyd.service", "[Unit]", "StartLimitBurst=3", "[Service]", "RestartSec=20ms"):
        systemctl("reset-failed", "tallyd.service")
        systemctl("restart", "tallyd.service")

        def killed_until_given_up():
            pid = int(state("tallyd.service", "MainPID"))
            if pid:
                os.kill(pid, signal.SIGKILL)
            return state("tallyd.service") == "failed"

        eventually(killed_until_given_up, "systemd gives up")
        systemctl("reset-failed", "tallyd.service", "tallyd.socket")
        systemctl("restart", "tallyd.socket")
        equal(values(), {}, "the counters")


def test_clean_stop(scene):
    """Both daemons end well when they are stopped, the gesture daemon before the core."""
    with Installed():
        press()
        becomes(values, {"count": 1}, "the counters")
        systemctl("stop", "tally-inputd.service", "tallyd.service")
        for unit in ["tallyd.service", "tally-inputd.service"]:
            equal((state(unit, "Result"), state(unit, "ExecMainStatus")), ("success", "0"), f"the end of {unit}")
        ends = [state(unit, "InactiveEnterTimestampMonotonic") for unit in ["tally-inputd.service", "tallyd.service"]]
        equal(ends, sorted(ends, key=int), "the order of the ends")


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
