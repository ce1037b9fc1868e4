"""Programs that a test starts, kills and starts again, with a core among them."""

import os
import re
import signal
import subprocess
from pathlib import Path

from kit.varlink import Connection
from kit.wait import PATIENCE, eventually


class Process:
    """A program that can be started again after its end; its log is in the folder."""

    def __init__(self, folder, command, environment):
        self.command, self.environment = command, environment
        self.log = folder / f"{Path(command[0]).name}.log"
        self.log.touch()
        self.process = None
        # The user that runs it, as subprocess takes it.
        self.identity = {}

    def start(self):
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.identity,
                env={**os.environ, "NO_COLOR": "1", **self.environment})

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGTERM):
        """Ends the program, also one that was stopped; returns its exit status."""
        self.send(signal.SIGCONT)
        self.send(number)
        return self.process.wait(PATIENCE)

    def kill(self):
        self.end(signal.SIGKILL)

    @property
    def said(self):
        return self.log.read_text()

    def _status(self, pattern):
        return int(re.search(pattern, Path(f"/proc/{self.process.pid}/status").read_text(), re.M)[1])

    @property
    def resident(self):
        """The resident memory, in bytes."""
        return self._status(r"^VmRSS:\s+(\d+)") * 1024

    @property
    def peak(self):
        """The largest resident memory so far, in bytes."""
        return self._status(r"^VmHWM:\s+(\d+)") * 1024

    @property
    def memory(self):
        """The proportional share of memory, in KiB."""
        return int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(), re.M)[1])

    @property
    def written(self):
        """The memory that the program itself has written, in KiB: neither shared with others nor read from files again."""
        return int(re.search(r"^Private_Dirty:\s+(\d+)", Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(), re.M)[1])

    @property
    def processor_time(self):
        """In seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def wakeups(self):
        return self._status(r"^voluntary_ctxt_switches:\s+(\d+)")


class Core(Process):
    """A core with its socket and its counts in a folder."""

    def __init__(self, folder, programs, environment):
        self.socket, self.programs = folder / "core.sock", programs
        super().__init__(
            folder, [programs / "tallyd", "--socket", self.socket, "--state", folder / "state"],
            {"TALLYMARK_SOCKET": str(self.socket), "XDG_CONFIG_HOME": str(folder), **environment})

    def start(self):
        super().start()
        eventually(self.answers, "the core answers")

    def answers(self):
        try:
            Connection(self.socket).close()
            return True
        except OSError:
            return False

    def call(self, method, **parameters):
        """Calls the core; returns its reply."""
        connection = Connection(self.socket)
        try:
            return connection.call(f"org.tallymark.Counters.{method}", **parameters)
        finally:
            connection.close()

    def tally(self, *words):
        """Runs tally; returns what it printed."""
        done = subprocess.run(
            [self.programs / "tally", *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "NO_COLOR": "1", **self.environment})
        if done.returncode:
            raise AssertionError(f"tally {' '.join(map(str, words))}: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout
