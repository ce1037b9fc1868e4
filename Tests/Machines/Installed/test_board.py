"""The board under the real systemd: started by its socket, closed to the network, with rights that the core gives."""

import json
import os
import pwd
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from kit.board import PORT, SERVICE, SOCKETS, Board, Viewer, ask, count
from kit.doctor import finds, healthy, mend
from kit.machine import CHECKOUT, Installed, Override, call, process, run, state, systemctl, values
from kit.package import NAMES, Packages, another, dpkg, package, status
from kit.places import in_container
from kit.rights import Rights, alice
from kit.sandbox import probe
from kit.units import exposed, verified
from kit.wait import becomes, equal, eventually

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
            call("Add", name="people")
            viewer.until("change", lambda data: data["counter"]["value"] == value)
            # A viewer keeps it running.
            viewer.until("beat")
            equal(state(SERVICE), "active", "the board while somebody looks")
            viewer.close()
            becomes(lambda: state(SERVICE), "inactive", "the board after the last viewer has gone")
            equal(state(SERVICE, "Result"), "success", "its end")


@in_container
def test_board_stops(scene):
    """systemd stops a board with a viewer within a second, and the viewer is told."""
    with Board():
        viewer = Viewer()
        viewer.until("state")
        pid = state(SERVICE, "MainPID")
        systemctl("stop", SERVICE)
        viewer.until("bye")
        stamps = [int(state(SERVICE, f"{name}TimestampMonotonic")) for name in ["ActiveExit", "InactiveEnter"]]
        equal(stamps[1] - stamps[0] < 3_000_000, True, f"whether it took less than three seconds: {stamps}")
        equal((state(SERVICE, "Result"), pid != "0"), ("success", True), "its end")


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


class Kiosk:
    """The kiosk's own unit on a screen that is not there: wlroots draws into memory, and no console is needed."""

    SERVICE = "tallymark-kiosk.service"

    def __init__(self, scene):
        self.screen = scene.folder / "drm"
        (self.screen / "card0-HDMI-A-1").mkdir(parents=True)
        self.override = Override(
            self.SERVICE, "[Unit]", "ConditionPathExists=", "[Service]", "ExecStartPre=",
            "ExecStartPre=-!/usr/lib/tallymark-kiosk/pair", "PAMName=", "TTYPath=", "StandardInput=null",
            "UtmpIdentifier=", f"Environment=XDG_RUNTIME_DIR={self.session()}",
            "Environment=WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman",
            "TemporaryFileSystem=/sys/class", f"BindReadOnlyPaths={self.screen}:/sys/class/drm", *self.stand_in(scene))

    @staticmethod
    def session():
        """The folder of the session that the unit would have on a console, in the place where it has it."""
        run("scripts/install", "kiosk", cwd=CHECKOUT, env=Installed.environment)
        user = pwd.getpwnam("tallymark-kiosk")
        run("install", "-d", "-m", "700", "-o", user.pw_name, f"/run/user/{user.pw_uid}")
        return f"/run/user/{user.pw_uid}"

    def stand_in(self, scene):
        """A program in the place of tally-input, which finds no touchscreen in a container."""
        self.answer, program = scene.folder / "owner", scene.folder / "tally-input"
        self.owner("nobody")
        program.write_text(f"#!/bin/sh\ncat {self.answer}\n")
        program.chmod(0o755)
        scene.folder.chmod(0o755)
        return [f"BindReadOnlyPaths={program}:/usr/bin/tally-input"]

    def owner(self, word):
        """The touchscreen has another owner, since the configuration was changed."""
        self.answer.write_text(f'{{"owner":"{word}"}}\n')
        Path("/etc/tallymark").mkdir(exist_ok=True)
        os.utime("/etc/tallymark")

    def plug(self, status):
        (self.screen / "card0-HDMI-A-1/status").write_text(f"{status}\n")

    def __enter__(self):
        self.plug("disconnected")
        equal(state(self.SERVICE), "inactive", "the kiosk on a machine without a console")
        self.override.__enter__()
        systemctl("start", self.SERVICE)
        return self

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname", f"--unit={self.SERVICE}"])
        systemctl("stop", self.SERVICE)
        # Debian's cage ends by an assertion.
        subprocess.run(["systemctl", "reset-failed", self.SERVICE], capture_output=True)
        self.override.__exit__()
        systemctl("disable", self.SERVICE)
        systemctl("clean", "--what=state", self.SERVICE)
        Path("/var/lib/tallymark-kiosk.paired").unlink(missing_ok=True)


def shows_the_board():
    """Whether somebody has looked at the board for longer than it runs without."""
    begun = state(SERVICE, "ActiveEnterTimestampMonotonic")
    time.sleep(3)
    return state(SERVICE) == "active" and state(SERVICE, "ActiveEnterTimestampMonotonic") == begun


@in_container
def test_kiosk(scene):
    """The kiosk waits for a screen, then for the board, shows the board, and shows it again after the browser was killed."""
    with Board(), Override(SERVICE, *SHORT), Kiosk(scene) as kiosk:
        browser = lambda: process(kiosk.SERVICE, "chromium")
        time.sleep(3)
        equal((state(kiosk.SERVICE), browser()), ("active", 0), "the kiosk without a screen")
        systemctl("stop", *SOCKETS)
        kiosk.plug("connected")
        eventually(browser, "the browser runs")
        time.sleep(3)
        systemctl("start", *SOCKETS)
        eventually(shows_the_board, "the kiosk shows the board")
        former = browser()
        os.kill(former, signal.SIGKILL)
        eventually(lambda: browser() not in (0, former), "another browser runs")
        eventually(shows_the_board, "the kiosk shows the board again")


@in_container
def test_kiosk_that_cannot_stay(scene):
    """The doctor tells of a kiosk that ends whenever it is started, which systemd starts again for ever."""
    with Board(), Kiosk(scene) as kiosk:
        systemctl("enable", kiosk.SERVICE)
        finds("kiosk", "The kiosk runs", "fine")
        with kiosk.override.file.open("a") as settings:
            settings.write("ExecStart=\nExecStart=/bin/false\nRestartSec=100ms\n")
        systemctl("daemon-reload")
        systemctl("restart", "--no-block", kiosk.SERVICE)
        eventually(lambda: int(state(kiosk.SERVICE, "NRestarts")) > 5, "it was started again some times")
        equal(finds("kiosk", "cannot stay").startswith("sudo journalctl"), True, "the remedy")


@in_container
def test_kiosk_pairs_itself(scene):
    """A kiosk whose touches are the page's pairs itself once; it asks anew when the configuration changes, and stays revoked."""
    with Board(), Kiosk(scene) as kiosk:
        browser = lambda: process(kiosk.SERVICE, "chromium")
        devices = lambda: [line.split() for line in run("tally-board", "devices").splitlines() if line.endswith("  Kiosk")]
        call("Create", name="people")
        kiosk.plug("connected")
        eventually(browser, "the browser runs")
        equal(devices(), [], "the paired devices while the gesture daemon owns the screen")
        former = browser()
        kiosk.owner("page")
        eventually(lambda: browser() not in (0, former), "another browser runs after the configuration was changed")
        eventually(lambda: len(devices()) == 1, "the kiosk is paired")
        (device, _), = devices()
        run("tally-board", "revoke", device)
        former = browser()
        systemctl("restart", kiosk.SERVICE)
        eventually(lambda: browser() not in (0, former), "another browser runs after a restart")
        equal([Path("/run/tallymark-kiosk.code").exists(), devices()], [False, []], "a further code, and the devices")


@in_container
def test_kiosk_policies(scene):
    """The kiosk's browser shows the board and its own start page, and no other page or file; the machine's browser is free."""
    with Board():
        run("scripts/install", "kiosk", cwd=CHECKOUT, env=Installed.environment)
        # The browser prints a page by its developer tools, which one of the policies takes away.
        folder = scene.folder / "policies"
        folder.mkdir()
        policies = json.loads(Path("/usr/lib/tallymark-kiosk/policies/tallymark-kiosk.json").read_text())
        equal(policies.pop("DeveloperToolsAvailability"), 2, "the policy of the developer tools")
        (folder / "policies.json").write_text(json.dumps(policies))
        kiosk = ["--property=TemporaryFileSystem=/etc/chromium:ro", f"--property=BindReadOnlyPaths={folder}:/etc/chromium/policies/managed"]
        unit = Path("/usr/lib/systemd/system/tallymark-kiosk.service").read_text()
        equal("=/usr/lib/tallymark-kiosk/policies:/etc/chromium/policies/managed" in unit, True, "whether the unit has the policies")

        def blocked(address, settings=kiosk):
            # A profile of its own: the browser before may not have left its own yet.
            return "ERR_BLOCKED_BY_ADMINISTRATOR" in run(
                "systemd-run", "--quiet", "--wait", "--pipe", "--property=RuntimeMaxSec=60", *settings, "sh", "-c",
                "chromium --headless=new --no-sandbox --user-data-dir=$(mktemp -d) --dump-dom $0 2>&1", address)

        for address, expected in [
            (f"http://127.0.0.1:{PORT}/ready", False), ("file:///usr/lib/tallymark-kiosk/start.html", False),
            (f"http://localhost:{PORT}/ready", True), ("file:///etc/passwd", True), ("https://example.com/", True), ("chrome://version", True),
        ]:
            equal(blocked(address), expected, f"whether {address} is blocked")
        equal(blocked("file:///etc/passwd", []), False, "whether another browser of the machine is bound by this")


@in_container
def test_kiosk_rule(scene):
    """udev reads the rule that hides counting devices from compositors, and reports no fault in it."""
    with Board():
        run("scripts/install", "kiosk", cwd=CHECKOUT, env=Installed.environment)
        answer = subprocess.run(["udevadm", "test", "/devices/virtual/mem/null"], capture_output=True, text=True)
        lines = [line for line in (answer.stdout + answer.stderr).splitlines() if "71-tallymark-kiosk.rules" in line]
        equal(lines != [], True, "whether udevadm reads the rule")
        equal([line for line in lines if not line.startswith("Reading rules file")], [], "what udevadm test said")
