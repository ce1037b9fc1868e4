"""The real programs as processes."""

import json
import os
import signal
import subprocess
from pathlib import Path

from kit.configuration import named
from kit.varlink import Connection, Refused, Watch
from kit.wait import becomes, eventually

INTERFACE = "org.tallymark.Counters"
PROGRAMS = Path("/usr/bin")

# epoll_wait, epoll_pwait, epoll_pwait2 on x86-64 (arch/x86/entry/syscalls/syscall_64.tbl).
WAITING_CALLS = {"232", "281", "441"}


def process_state(pid):
    """The letter for what a process does, as ps shows it."""
    # The name in parentheses may hold anything.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def waits(pid):
    """Whether a process waits in its loop.

    One that has been woken but not been given a processor yet still shows the call that it waited in; only its
    state tells it from one that sleeps.
    """
    return process_state(pid) == "S" and Path(f"/proc/{pid}/syscall").read_text().split()[0] in WAITING_CALLS


class Program:
    """A program that can be started, stopped, killed and frozen. What it writes goes to a log beside its state."""

    name = ""

    def __init__(self, folder, user=None):
        self.folder = folder
        self.user = user
        self.groups = []
        self.environment = {}
        self.process = None
        self.log = folder / f"{self.name}.log"

    def _start(self, *arguments):
        identity = {"user": self.user, "group": self.user, "extra_groups": self.groups} if self.user else {}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / self.name, *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **identity,
                env={**os.environ, **self.environment},
            )

    @property
    def pid(self):
        status = self.process.poll()
        if status is not None:
            raise AssertionError(f"{self.name} has ended with status {status}")
        return self.process.pid

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Asks it to end, and expects it to end well."""
        if self.runs:
            self.resume()
            self.process.terminate()
            status = self.process.wait(30)
            if status != 0:
                raise AssertionError(f"{self.name} was asked to stop and ended with status {status}")

    def kill(self):
        if self.runs:
            self.process.kill()
            self.process.wait()

    def freeze(self):
        os.kill(self.pid, signal.SIGSTOP)
        becomes(lambda: process_state(self.pid), "T", f"{self.name} is frozen")

    def resume(self):
        os.kill(self.pid, signal.SIGCONT)

    @property
    def is_idle(self):
        """Whether it waits in its loop: all that it had to do is done."""
        return waits(self.pid)

    @property
    def wake_ups(self):
        """How often it has been given a processor."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)

    def open_files(self):
        names = []
        for link in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                names.append(os.readlink(link))
            except FileNotFoundError:
                pass
        return names


class Core(Program):
    """tallyd, and what can be asked of it."""

    name = "tallyd"

    def __init__(self, folder, user=None):
        super().__init__(folder, user)
        self.socket = folder / "socket"

    def start(self):
        self._start("--socket", self.socket, "--state", self.folder / "state")
        eventually(self._answers, "tallyd answers")

    def _answers(self):
        self.pid
        try:
            connection = Connection(self.socket)
        except OSError:
            return False
        connection.close()
        return True

    def call(self, method, **parameters):
        connection = Connection(self.socket)
        try:
            return connection.call(f"{INTERFACE}.{method}", **parameters)
        finally:
            connection.close()

    def watch(self, **parameters):
        return Watch(self.socket, f"{INTERFACE}.Watch", **parameters)

    def value(self, name="count"):
        """A counter's value; None where there is no such counter."""
        try:
            return self.call("Get", name=name)["counter"]["value"]
        except Refused as refused:
            if refused.name == f"{INTERFACE}.NoSuchCounter":
                return None
            raise

    def counts(self):
        """Everything that was counted, oldest first, without the makings of counters and the like."""
        events, after = [], 0
        while True:
            page = self.call("History", after=after, limit=1000)
            events += page["events"]
            if not page["more"]:
                return [event for event in events if event["kind"] in ("added", "subtracted")]
            after = events[-1]["sequence"]


class GestureDaemon(Program):
    """tally-inputd, delivering to a core."""

    name = "tally-inputd"

    def __init__(self, folder, core, user=None):
        super().__init__(folder, user)
        self.core = core
        self.configuration = folder / "input.toml"

    def start(self, configuration=""):
        """Starts it with a configuration, in which touchscreens and the pedal are named besides."""
        self.configuration.write_text(named(configuration))
        self._start("--socket", self.core.socket, "--config", self.configuration)

    def open_nodes(self):
        return {name for name in self.open_files() if name.startswith("/dev/input/event")}

    def has_opened(self, device):
        return device.node in self.open_nodes()

    def catch_up(self):
        """Waits until it has taken in all that was injected. Many presses in one moment are more than a person makes,
        and more than the kernel keeps for a reader who has no time yet."""
        eventually(lambda: self.is_idle, "tally-inputd has nothing left to do")

    def use(self, *devices):
        """Waits until it has opened the devices and waits for what they send."""
        for device in devices:
            eventually(lambda: self.has_opened(device) and self.is_idle, f"tally-inputd has opened {device.node}")

    def devices(self):
        """What `tally-input devices --json` says, by event node."""
        answer = self.run("devices", "--json", "--config", self.configuration)
        return {device["path"]: device for device in map(json.loads, answer.stdout.splitlines())}

    def run(self, *arguments):
        """Runs one of its commands as the user that it runs as."""
        identity = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        return subprocess.run(
            [PROGRAMS / self.name, *map(str, arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd="/", **identity,
            env={**os.environ, **self.environment},
        )
