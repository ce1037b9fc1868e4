"""The programs installed on a machine: under systemd, with users and rights of their own."""

import os
import re
import subprocess
import time
from pathlib import Path

from kit import ROOT, varlink
from kit.journal import journal
from kit.process import waits
from kit.wait import eventually

# The rules that `learn` and `use` write.
LEARNED = Path("/etc/udev/rules.d/70-tallymark-learned.rules")
GESTURES = Path("/etc/tallymark/input.toml")
SOCKET = "/run/tallymark/tallymark.sock"
# In an order in which they can be stopped: a client or the socket would start the core again.
UNITS = ["tally-inputd.service", "tallyd.socket", "tallyd.service"]
# A trap of Swift's, a fault of memory, an assertion of the C libraries. systemd's watchdog sends SIGABRT as well.
CRASH = re.compile(r"status=(4/ILL|5/TRAP|7/BUS|8/FPE|11/SEGV)|Code should not be reached|Assertion .* failed|Fatal error")


def run(*command, **options):
    """Runs a command, which must succeed; returns what it printed."""
    answer = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    if answer.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {answer.returncode}\n{answer.stdout}{answer.stderr}")
    return answer.stdout


def systemctl(*arguments):
    return run("systemctl", *arguments)


def stop_daemons():
    """Stops the daemons one after the other: a client that connects meanwhile would cancel the stop of the core."""
    for unit in UNITS:
        systemctl("stop", unit)


def state(unit, what="ActiveState"):
    return systemctl("show", "--value", "-p", what, unit).strip()


def process(unit, name=None):
    """The number of a service's process that runs the program `name`, 0 where there is none; by default a program called
    like the service. An emulated machine needs half a second for systemctl."""
    name = name or unit.removesuffix(".service")
    try:
        for pid in Path(f"/sys/fs/cgroup/system.slice/{unit}/cgroup.procs").read_text().split():
            if Path(f"/proc/{pid}/comm").read_text().strip() == name:
                return int(pid)
    except OSError:
        # It has just gone.
        pass
    return 0


def call(method, **parameters):
    """Calls a method of the machine's core, as root."""
    return varlink.call(SOCKET, method, **parameters)


def values():
    return {counter["name"]: counter["value"] for counter in call("List")["counters"]}


def uses(device):
    """Whether the gesture daemon has a device open and waits for its events."""
    pid = process("tally-inputd.service")
    try:
        # A descriptor that an earlier process opened shows the path that the node had in that process's mount namespace.
        number = os.stat(device.node).st_rdev
        is_open = any(link.stat().st_rdev == number for link in Path(f"/proc/{pid}/fd").iterdir())
        # Events between the opening and the first wait are dropped.
        return is_open and waits(pid)
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(device):
    eventually(lambda: uses(device), f"tally-inputd uses {device.node}")


def use(*words):
    """Has the machine count with devices, each given as DEVICE or `touchscreens`."""
    for word in words:
        run("tally-inputd", "use", word)


def catch_up():
    """Waits until the gesture daemon has read all that was injected: the kernel buffers sixteen presses."""
    pid = process("tally-inputd.service")
    eventually(lambda: waits(pid), "tally-inputd has nothing left to do")


def configure(text):
    """Writes the gesture daemon's configuration."""
    GESTURES.parent.mkdir(exist_ok=True)
    GESTURES.write_text(text)


def start_with(text):
    """Has the gesture daemon start again with a configuration."""
    configure(text)
    systemctl("restart", "tally-inputd.service")


class Override:
    """Settings that replace those of a unit until it is closed."""

    def __init__(self, unit, *settings):
        self.file = Path(f"/run/systemd/system/{unit}.d/test.conf")
        self.settings = settings

    def __enter__(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text("\n".join(self.settings) + "\n")
        systemctl("daemon-reload")

    def __exit__(self, *_):
        self.file.unlink()
        self.file.parent.rmdir()
        systemctl("daemon-reload")


def forget_vendors():
    """Removes the 8 MB of vendors' and products' names from the sources of udev's data base: with them an emulated machine
    needs half a minute to compile it, without them a second."""
    for names in Path("/usr/lib/udev/hwdb.d").glob("20-*.hwdb"):
        names.unlink()


class Installed:
    """Everything installed as `make install` does it, with both units running, until it is closed."""

    environment = {**os.environ, "PREFIX": "/usr"}
    # Everything stays installed from one test to the next, which saves time.
    is_there = False

    def __enter__(self):
        self.start = int(time.time())
        if Installed.is_there:
            systemctl("start", "tallyd.socket", "tally-inputd.service")
        else:
            forget_vendors()
            run("scripts/install", "install", cwd=ROOT, env=self.environment)
            Installed.is_there = True
        return self

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname"])
        subprocess.run(["systemctl", "stop", *UNITS])
        subprocess.run(["systemctl", "reset-failed", *UNITS], capture_output=True)
        systemctl("clean", "--what=state", "tallyd.service")
        # Gestures that still wait for a core would count in the next test.
        systemctl("clean", "--what=runtime", "tally-inputd.service")
        GESTURES.unlink(missing_ok=True)
        if LEARNED.exists():
            LEARNED.unlink()
            run("udevadm", "control", "--reload")
        if not failure:
            self.nothing_crashed()

    def nothing_crashed(self):
        """Fails where a daemon crashed, which a restart hides."""
        said = journal(f"--since=@{self.start}", *(f"--unit={unit}" for unit in UNITS))
        if CRASH.search(said):
            raise AssertionError(f"A daemon crashed:\n{said}")
