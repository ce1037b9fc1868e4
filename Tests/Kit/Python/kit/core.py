"""tallyd and other programs that serve Varlink."""

import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from kit import varlink
from kit.process import Process
from kit.varlink import Connection, Refused, Watch
from kit.wait import PATIENCE, eventually


class Server(Process):
    """A program that serves Varlink at a socket."""

    def __init__(self, folder, command, socket, environment=None, **options):
        super().__init__(folder, command, environment, **options)
        self.socket = socket

    def start(self, seconds=PATIENCE):
        """Starts the program and waits until it answers; throws `Ended` where it does not run any more."""
        self.launch()
        eventually(lambda: self.pid and self.answers(), f"{self.name} answers", seconds)

    def answers(self):
        try:
            varlink.call(self.socket, "org.varlink.service.GetInfo")
            return True
        except OSError:
            return False

    def connect(self):
        return Connection(self.socket)

    def call(self, method, /, **parameters):
        """Calls a method on a connection of its own; returns the parameters of the reply."""
        return varlink.call(self.socket, method, **parameters)


class Core(Server):
    """tallyd with its socket and its counts in a folder, and tally, which talks to it."""

    def __init__(self, folder, programs, environment=None, **options):
        self.programs, self.state = programs, folder / "state"
        socket = folder / "core.sock"
        super().__init__(
            folder, [programs / "tallyd", "--socket", socket, "--state", self.state], socket,
            {"TALLYMARK_SOCKET": str(socket), "XDG_CONFIG_HOME": str(folder), **(environment or {})}, **options)

    @classmethod
    @contextmanager
    def alone(cls, programs, environment=None):
        """A core that runs in a folder of its own, which goes with it."""
        with tempfile.TemporaryDirectory(prefix="tallymark-") as folder:
            core = cls(Path(folder), programs, environment)
            try:
                core.start()
                yield core
            finally:
                core.close()

    def watch(self, **parameters):
        return Watch(self.socket, "Watch", **parameters)

    def value(self, name="count"):
        """A counter's value; None where there is no such counter."""
        try:
            return self.call("Get", counter=name)["counter"]["value"]
        except Refused as refused:
            if refused.name == f"{varlink.INTERFACE}.NoSuchCounter":
                return None
            raise

    def events(self):
        """All events, oldest first."""
        return varlink.events(self.socket)

    def counts(self):
        """Everything that was counted, oldest first, without the makings of counters and the like."""
        return [event for event in self.events() if event["kind"] in ("added", "subtracted")]

    def run_tally(self, *words):
        """Runs tally; returns its status and what it printed."""
        return subprocess.run(
            [self.programs / "tally", *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=max(300, PATIENCE),
            env=self.whole_environment)

    def tally(self, *words):
        """Runs tally, which must succeed; returns what it printed."""
        done = self.run_tally(*words)
        if done.returncode:
            raise AssertionError(f"tally {' '.join(map(str, words))}: {done.returncode} {done.stdout[-500:]}{done.stderr}")
        return done.stdout
