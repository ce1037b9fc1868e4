"""The kiosk's unit on a screen that is not there: it waits for screen and board, shows the board, and pairs itself."""

import json
import os
import pwd
import signal
import socket
import subprocess
from pathlib import Path

from kit import ROOT
from kit.board import PORT, SOCKETS, Board, shows_the_board
from kit.doctor import finds
from kit.machine import Installed, Override, call, process, run, state, systemctl
from kit.places import in_container
from kit.wait import PATIENCE, equal, eventually


class Kiosk:
    """The kiosk's own unit on a screen that is not there: Weston draws into memory, and no console is needed."""

    SERVICE = "tallymark-kiosk.service"

    def __init__(self, scene):
        self.screen = scene.folder / "drm"
        (self.screen / "card0-HDMI-A-1").mkdir(parents=True)
        self.override = Override(
            self.SERVICE, "[Unit]", "ConditionPathExists=", "[Service]", "ExecStartPre=",
            "ExecStartPre=-!/usr/lib/tallymark-kiosk/pair", "PAMName=", "TTYPath=", "StandardInput=null",
            "UtmpIdentifier=", f"Environment=XDG_RUNTIME_DIR={self.session()}",
            "ExecStart=", "ExecStart=/usr/lib/tallymark-kiosk/run --backend=headless-backend.so --use-pixman",
            "TemporaryFileSystem=/sys/class", f"BindReadOnlyPaths={self.screen}:/sys/class/drm", *self.stand_in(scene))

    @staticmethod
    def session():
        """The folder of the session that the unit would have on a console, in the place where it has it."""
        run("scripts/install", "kiosk", cwd=ROOT, env=Installed.environment)
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
        # systemd cleans no unit that failed at its last end, and forgets some that did not.
        subprocess.run(["systemctl", "reset-failed", self.SERVICE], stderr=subprocess.DEVNULL)
        self.override.__exit__()
        systemctl("disable", self.SERVICE)
        systemctl("clean", "--what=state", self.SERVICE)
        Path("/var/lib/tallymark-kiosk.paired").unlink(missing_ok=True)


def ask_in_vain():
    """Waits until the start page asks for the board, whose sockets are closed, and hangs up on it."""
    with socket.create_server(("127.0.0.1", PORT)) as listener:
        listener.settimeout(PATIENCE)
        listener.accept()[0].close()


@in_container
def test_kiosk(scene):
    """The kiosk waits for a screen, then for the board, shows the board, and shows it again after the browser was killed."""
    with Board(), Kiosk(scene) as kiosk:
        browser = lambda: process(kiosk.SERVICE, "chromium")
        call("Create", name="people")
        eventually(lambda: process(kiosk.SERVICE, "sleep"), "the kiosk waits for a screen")
        equal((state(kiosk.SERVICE), browser()), ("active", 0), "the kiosk without a screen")
        # The kiosk's unit would start the sockets again.
        systemctl("mask", "--now", "--runtime", *SOCKETS)
        kiosk.plug("connected")
        eventually(browser, "the browser runs")
        ask_in_vain()
        systemctl("unmask", "--runtime", *SOCKETS)
        systemctl("start", *SOCKETS)
        shows_the_board()
        former = browser()
        os.kill(former, signal.SIGKILL)
        eventually(lambda: browser() not in (0, former), "another browser runs")
        shows_the_board()


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
        # The doctor looks at each moment of a start, the commands before it included.
        for _ in range(10):
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
        # Only then has the page been able to ask.
        shows_the_board()
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
        run("scripts/install", "kiosk", cwd=ROOT, env=Installed.environment)
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
                "systemd-run", "--quiet", "--wait", "--pipe", f"--property=RuntimeMaxSec={PATIENCE}", *settings, "sh", "-c",
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
        run("scripts/install", "kiosk", cwd=ROOT, env=Installed.environment)
        answer = subprocess.run(["udevadm", "test", "/devices/virtual/mem/null"], capture_output=True, text=True)
        lines = [line for line in (answer.stdout + answer.stderr).splitlines() if "71-tallymark-kiosk.rules" in line]
        equal(lines != [], True, "whether udevadm reads the rule")
        equal([line for line in lines if not line.startswith("Reading rules file")], [], "what udevadm test said")
