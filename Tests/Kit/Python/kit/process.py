"""Programs that a test starts, waits for, kills and starts again."""

import itertools
import os
import re
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

from kit.wait import PATIENCE, becomes, eventually

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


class Ended(AssertionError):
    """A program has ended by itself."""


class Process:
    """A program that can be started again after its end; its log is in the folder."""

    def __init__(self, folder, command, environment=None, **options):
        """`options` are further ones of subprocess.Popen, such as the user that runs it."""
        self.folder, self.command, self.environment, self.options = folder, command, environment or {}, options
        self.name = Path(command[0]).name
        self.log = folder / f"{self.name}.log"
        self.process, self.kills = None, 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, failure, *_):
        self.close() if failure else self.end()

    def launch(self):
        """Starts the program without waiting for anything."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, **{"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "env": self.whole_environment} | self.options)

    def start(self):
        self.launch()

    @property
    def whole_environment(self):
        return {**os.environ, "NO_COLOR": "1", **self.environment}

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self):
        status = self.process.poll()
        if status is not None:
            raise Ended(f"{self.name} has ended with status {status}: {self.said[-3000:]}")
        return self.process.pid

    @property
    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def send(self, number):
        self.process.send_signal(number)

    def freeze(self):
        self.send(signal.SIGSTOP)
        becomes(lambda: process_state(self.pid), "T", f"{self.name} is frozen")

    def resume(self):
        self.send(signal.SIGCONT)

    def end(self, number=signal.SIGTERM):
        """Ends the program, also one that is frozen; returns its exit status."""
        self.resume()
        self.send(number)
        return self.wait()

    def wait(self):
        """Waits until the program has ended; returns its exit status."""
        return self.process.wait(PATIENCE)

    def stop(self):
        """Ends the program, which must end well."""
        status = self.end()
        if status != 0:
            raise AssertionError(f"{self.name} was asked to stop and ended with status {status}: {self.said[-3000:]}")

    def kill(self):
        """Kills the program, unless it has ended."""
        if self.is_running:
            self.process.kill()
            self.kills += 1
        self.process.wait()

    def close(self):
        if self.is_running:
            self.kill()

    # Figures of the kernel

    @property
    def is_idle(self):
        """Whether it waits in its loop: all that it had to do is done."""
        return waits(self.pid)

    def open_files(self):
        names = []
        for link in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                names.append(os.readlink(link))
            except FileNotFoundError:
                pass
        return names

    def _number(self, file, pattern):
        return int(re.search(pattern, Path(f"/proc/{self.pid}/{file}").read_text(), re.M)[1])

    @property
    def resident(self):
        """The resident memory, in bytes."""
        return self._number("status", r"^VmRSS:\s+(\d+)") * 1024

    @property
    def peak(self):
        """The largest resident memory so far, in bytes."""
        return self._number("status", r"^VmHWM:\s+(\d+)") * 1024

    @property
    def memory(self):
        """The proportional share of memory, in KiB."""
        return self._number("smaps_rollup", r"^Pss:\s+(\d+)")

    @property
    def written(self):
        """The memory that the program itself has written, in KiB: neither shared with others nor read from files again."""
        return self._number("smaps_rollup", r"^Private_Dirty:\s+(\d+)")

    @property
    def processor_time(self):
        """In seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def wakeups(self):
        """How often it has waited and been woken."""
        return self._number("status", r"^voluntary_ctxt_switches:\s+(\d+)")


class Listener(Process):
    """A program that is ready when it listens at a port."""

    def __init__(self, folder, command, port, environment=None):
        super().__init__(folder, command, environment)
        self.port = port

    def start(self):
        self.launch()
        eventually(lambda: self.pid and self.listens(), f"{self.name} listens")

    def listens(self):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0


# Below those that the kernel gives to outgoing connections (net.ipv4.ip_local_port_range): one of these would take the port of a
# broker that is just starting again.
PORTS = range(20_000, 32_768)
# Another process begins elsewhere.
_numbers = itertools.count(os.getpid() * 97)


def free_port():
    """A port at which nobody listens, and that no outgoing connection takes."""
    for number in _numbers:
        port = PORTS[number % len(PORTS)]
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
