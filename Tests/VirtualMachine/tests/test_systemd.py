"""The units of systemd/ under the real systemd."""

import shutil
import subprocess
from pathlib import Path

from kit.programs import INTERFACE
from kit.varlink import Connection
from kit.wait import becomes, equal, eventually

UNITS = Path(__file__).resolve().parents[3] / "systemd"
SOCKET = "/run/tallymark/tallymark.sock"


def systemctl(*arguments):
    answer = subprocess.run(["systemctl", *arguments], capture_output=True, text=True)
    if answer.returncode != 0:
        raise AssertionError(f"systemctl {' '.join(arguments)}: {answer.stderr}")


def state(unit, what="ActiveState"):
    return subprocess.run(
        ["systemctl", "show", "--value", "-p", what, unit], capture_output=True, text=True
    ).stdout.strip()


def call(method, **parameters):
    connection = Connection(SOCKET)
    try:
        return connection.call(f"{INTERFACE}.{method}", **parameters)
    finally:
        connection.close()


class Units:
    """The project's units, installed and with the socket listening, until it is closed."""

    def __enter__(self):
        for unit in UNITS.glob("*.s*"):
            shutil.copy(unit, "/etc/systemd/system")
        systemctl("daemon-reload")
        systemctl("start", "tallyd.socket")
        return self

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=40"])
        systemctl("stop", "tally-inputd.service", "tallyd.service", "tallyd.socket")
        systemctl("clean", "--what=state", "tallyd.service")


def test_socket_activation(scene):
    """systemd holds the socket: the first call starts the core, and a core that was stopped starts again with its counts."""
    with Units():
        equal(state("tallyd.service"), "inactive", "the core before anybody asked")
        call("Create", name="people")
        call("Add", name="people", amount=41)
        equal(state("tallyd.service"), "active", "the core")
        systemctl("stop", "tallyd.service")
        equal(state("tallyd.service"), "inactive", "the core after being stopped")
        equal(call("Add", name="people")["event"]["value"], 42, "the count")


def test_killed_under_systemd(scene):
    """A core that is killed is started again by systemd, and callers only wait."""
    with Units():
        call("Create", name="people")
        first = state("tallyd.service", "MainPID")
        systemctl("kill", "--signal=KILL", "tallyd.service")
        becomes(lambda: call("Add", name="people")["event"]["value"] > 0, True, "the core counts again")
        if state("tallyd.service", "MainPID") == first:
            raise AssertionError("the core was not killed")


def test_reload_by_systemd(scene):
    """systemd reloads the gesture daemon, and shows which configuration is in force."""
    file = Path("/etc/tallymark/input.toml")
    with Units():
        systemctl("start", "tally-inputd.service")
        file.parent.mkdir(exist_ok=True)
        file.write_text('[[bind]]\ngesture = "tap"\ndo = "add 2"\n')
        try:
            systemctl("reload", "tally-inputd.service")
            status = lambda: state("tally-inputd.service", "StatusText")
            becomes(status, f"The configuration in {file} is in force.", "the status")
            file.write_text("nonsense")
            becomes(lambda: "wrong" in status(), True, "it says that the new one is wrong")
        finally:
            file.unlink()
        becomes(status, "The defaults are in force.", "the status without a file")


def test_both_services(scene):
    """Both daemons as services: a press on a presenter reaches the core."""
    presenter = scene.presenter()
    with Units():
        systemctl("start", "tally-inputd.service")
        pid = state("tally-inputd.service", "MainPID")
        opened = lambda: any(link.resolve() == Path(presenter.node) for link in Path(f"/proc/{pid}/fd").iterdir())
        eventually(opened, "the presenter is open")
        presenter.press()
        becomes(lambda: [c["value"] for c in call("List")["counters"]], [1], "the counters")
