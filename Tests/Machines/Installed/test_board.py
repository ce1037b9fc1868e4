"""The board under the real systemd: started by its socket, closed to the network, with rights that the core gives."""

import json
import re
import socket
import subprocess
import threading
from pathlib import Path

from kit.board import PORT, SERVICE, SOCKETS, Board, Viewer, ask, count
from kit.doctor import finds, healthy, mend
from kit.machine import Override, call, run, state, systemctl, values
from kit.package import NAMES, Packages, another, dpkg, package, status
from kit.places import in_container
from kit.rights import Rights, alice
from kit.sandbox import probe
from kit.units import exposed, verified
from kit.wait import PATIENCE, becomes, equal

SHORT = ["[Service]", "ExecStart=", "ExecStart=/usr/bin/tally-board --exit-idle-time 1"]


def pair():
    """Pairs a device as a person does; returns its cookie."""
    code = re.search(r"/pair#(\w+)", run("tally-board", "pair"))[1]
    code, text, headers = ask("/pair", "POST", {"code": code, "name": "Anna's phone"})
    equal(code, 200, f"the answer to a code: {text}")
    return headers["Set-Cookie"].partition(";")[0]


class Knocking:
    """Connects to the board again and again, and asks nothing; nobody may be refused."""

    def __enter__(self):
        self.has_ended, self.faults = threading.Event(), []
        self.thread = threading.Thread(target=self.knock)
        self.thread.start()

    def knock(self):
        while not self.has_ended.wait(0.005):
            try:
                socket.create_connection(("127.0.0.1", PORT), 30).close()
            except OSError as error:
                self.faults.append(str(error))

    def __exit__(self, failure, *_):
        self.has_ended.set()
        self.thread.join()
        if not failure:
            equal(self.faults, [], "the connections that failed")


@in_container
def test_board_exposure(scene):
    """systemd calls the board safe: at most 0.5 of 10 points of exposure; it finds nothing to say against its units."""
    with Board():
        exposed(SERVICE, 0.5)
        verified(SERVICE, *SOCKETS)


@in_container
def test_board_by_its_socket(scene):
    """The first request starts the board; a second after the last viewer has gone it ends, and the next request starts it again."""
    with Board(), Override(SERVICE, *SHORT):
        call("Create", name="people")
        equal(state(SERVICE), "inactive", "the board before anybody looked")
        for value in [1, 2]:
            equal(ask()[0], 200, "the page")
            viewer = Viewer()
            viewer.until("state", lambda data: [one["name"] for one in data["counters"]] == ["people"])
            call("Add", counter="people")
            viewer.until("change", lambda data: data["counter"]["value"] == value)
            # A viewer keeps it running.
            viewer.until("beat")
            equal(state(SERVICE), "active", "the board while somebody looks")
            viewer.close()
            becomes(lambda: state(SERVICE), "inactive", "the board after the last viewer has gone")
            equal(state(SERVICE, "Result"), "success", "its end")


@in_container
def test_board_stops(scene):
    """A board that is stopped tells its viewer and ends, without waiting for the viewer to go."""
    with Board(), Override(SERVICE, "[Service]", f"TimeoutStopSec={PATIENCE}"):
        viewer = Viewer()
        viewer.until("state")
        # The viewer stays; a board that waited for its going would be killed.
        systemctl("stop", SERVICE)
        equal(state(SERVICE, "Result"), "success", "its end")
        viewer.until("bye")


@in_container
def test_board_rights(scene):
    """The board may read; a paired device may count once core.toml gives the board's user the right, and stays paired."""
    with Board():
        call("Create", name="people")
        viewer = Viewer()
        viewer.until("state", lambda data: len(data["counters"]) == 1)
        viewer.close()
        equal(count(None)[0], 403, "a count without pairing")
        cookie = pair()
        code, text = count(cookie)
        equal((code, "count" in text), (403, True), f"a count before the board's user has the right: {text}")
        with Rights('[rights]\nread = ["tallymark-board"]\ncount = ["tallymark-board"]\n'):
            equal(count(cookie)[0], 200, "a count with the right")
            becomes(values, {"people": 1}, "the counters")
            event = call("History")["events"][0]
            equal("Anna's phone" in json.dumps(event), True, f"whether the history names the device: {event}")
            # The device stays paired, whatever happens to the board.
            systemctl("stop", SERVICE)
            equal("Anna's phone" in run("tally-board", "devices"), True, "whether the device is still paired")
            equal(count(cookie)[0], 200, "a count after the board was started again")
        member = subprocess.run(["tally-board", "devices"], capture_output=True, text=True, cwd="/", **alice("tallymark"))
        equal(member.returncode, 0, f"what a member of the group is told: {member.stderr}")
        stranger = subprocess.run(["tally-board", "pair"], capture_output=True, text=True, cwd="/", **alice())
        equal((stranger.returncode, "Permission denied" in stranger.stderr), (64, True), f"what a stranger is told: {stranger.stderr}")


@in_container
def test_board_doctor(scene):
    """The doctor finds what the board lacks: a right, an open socket; and says who reaches it."""
    with Board():
        finds("board", "to this machine only", "fine")
        finds("board", "may read, but not count. No devices are paired", "notice")
        pair()
        equal("core.toml" in finds("board", "may read, but not count. 1 device is paired"), True, "what gives the right")
        with Rights('[rights]\nread = ["tallymark-board"]\ncount = ["tallymark-board"]\n'):
            finds("board", "may read and count. 1 device is paired", "fine")
            healthy()
            finds("board", "You may not ask the board", "notice", identity=alice())
        systemctl("stop", SERVICE, *SOCKETS)
        systemctl("enable", *SOCKETS)
        mend(finds("board", "does not exist"))
        finds("board", "A board replies", "fine")
        systemctl("stop", SERVICE, *SOCKETS)
        systemctl("disable", *SOCKETS)
        mend(finds("board", "installed, but not enabled", "notice"))
        equal([state(unit, "UnitFileState") for unit in SOCKETS], ["enabled"] * 2, "whether they start with the machine")


@in_container
def test_board_taken_over(scene):
    """In the board's sandbox there is no network and no file of the machine's, and nothing but its own state can be written."""
    opening = lambda kind: f'python3 -c "from socket import *; socket({kind})"'
    with Board():
        equal(probe(opening("AF_UNIX"), "tally-board"), True, "whether a command runs in the sandbox")
        equal(probe("touch /var/lib/tallymark-board/x", "tally-board"), True, "whether it can write its state")
        equal(probe("test -S /run/tallymark/tallymark.sock", "tally-board"), True, "whether it reaches the core")
        for command, what in [
            (opening("AF_INET"), "the network"),
            (opening("AF_NETLINK, SOCK_RAW"), "network interfaces"),
            ("ls /root/.", "homes"),
            ("cat /etc/passwd", "files of the machine"),
            ("ls /var/lib/tallymark/*", "the counts"),
            ("ls /run/systemd/system", "what systemd runs"),
            *((f"touch {folder}/x", f"writing to {folder}") for folder in ["/etc", "/usr", "/run/tallymark", "/var/lib/tallymark"]),
            ("ls /proc/1/", "other processes"),
            ("unshare --user true", "namespaces"),
        ]:
            equal(probe(command, "tally-board"), False, f"{what} in the sandbox")


@in_container
def test_board_packages(scene):
    """The packages of board and kiosk: installed, the page is there; upgraded, a new board runs; purged, nothing is left."""
    with Packages():
        dpkg("--install", package())
        call("Create", name="people")
        dpkg("--install", another("0.0.1", "tallymark-board"))
        equal([state(unit, "UnitFileState") for unit in SOCKETS], ["enabled"] * 2, "whether they start with the machine")
        viewer = Viewer()
        viewer.until("state", lambda data: [one["name"] for one in data["counters"]] == ["people"])
        equal("tallymark-board" in run("stat", "-c", "%U", "/var/lib/tallymark-board"), True, "whose its state is")
        pair()

        former = state(SERVICE, "MainPID")
        with Knocking():
            dpkg("--install", package("tallymark-board"))
        viewer.until("bye")
        viewer = Viewer()
        viewer.until("state")
        equal(state(SERVICE, "MainPID") == former, False, "whether the former board still runs")
        equal("Anna's phone" in run("tally-board", "devices"), True, "whether the device is still paired")

        dpkg("--install", package("tallymark-kiosk"))
        equal(state("tallymark-kiosk.service", "UnitFileState"), "enabled", "whether the kiosk starts with the machine")
        # Here is no console.
        equal(state("tallymark-kiosk.service"), "inactive", "the kiosk")
        said = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", "/lib/systemd/system/tallymark-kiosk.service"], capture_output=True, text=True)
        equal([line for line in said.stderr.splitlines() if "tally" in line], [], "what systemd says about the kiosk's unit")
        files = [path for name in NAMES[:2] for path in map(Path, run("dpkg", "--listfiles", name).splitlines()) if not path.is_dir()]
        equal(len(files) > 10, True, f"the files of the packages: {files}")

        dpkg("--remove", "tallymark-kiosk", "tallymark-board")
        equal([state(unit) for unit in [SERVICE, *SOCKETS]], ["inactive"] * 3, "the board after removal")
        equal(Path("/var/lib/tallymark-board/board.json").exists(), True, "whether paired devices are kept")
        equal(values(), {"people": 0}, "the counters, which have nothing to do with it")
        dpkg("--purge", "tallymark-kiosk", "tallymark-board")
        left = [path for folder in ["/etc", "/run", "/var/lib", "/usr/lib"] for path in Path(folder).rglob("*tally*")
                if re.search(r"tally\w*-(board|kiosk)", path.name) and "dpkg" not in path.parts]
        equal([*filter(Path.exists, files), *left], [], "the files after a purge")
        equal([status(name).split()[:1] in ([], ["not-installed"]) for name in NAMES[:2]], [True] * 2, "whether dpkg knows of them")
