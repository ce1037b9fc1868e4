"""Gestures without a device of the kernel, delivered by the gesture daemon's own service."""

import json
import struct
from pathlib import Path

from kit import ROOT, varlink
from kit.machine import SOCKET, Override, process, run, state, systemctl, values
from kit.programs import PROGRAMS
from kit.wait import PATIENCE, equal, eventually

SERVICE = "tally-inputd.service"
FOLDER = Path("/run/tallymark-input")
NAME = "replayed-clicker"
# Microseconds between the times of two presses.
PERIOD = 50_000


class Clicker:
    """The gesture daemon's service with a replayed pedal in place of devices, until it is closed: the real recogniser,
    queue and spool in the real sandbox. The pedal is pressed every millisecond, and the n-th press has the time n * PERIOD.
    """

    def __init__(self, *settings):
        """`settings` are further ones of the unit."""
        self.override = Override(
            SERVICE, "[Service]", "Type=exec", "ExecStart=", f"ExecStart={PROGRAMS / NAME} {SOCKET} {FOLDER}",
            "WatchdogSec=0", f"TimeoutStopSec={PATIENCE}", *settings)

    def __enter__(self):
        run("install", "-m", "755", ROOT / ".build/release" / NAME, PROGRAMS)
        systemctl("stop", SERVICE)
        self.override.__enter__()
        systemctl("start", SERVICE)
        return self

    def __exit__(self, *failure):
        systemctl("stop", SERVICE)
        self.override.__exit__(*failure)

    @property
    def presses(self):
        """The number of the last press that was made."""
        try:
            return struct.unpack("q", (FOLDER / "pedal").read_bytes())[0]
        except (FileNotFoundError, struct.error):
            return 0

    def press(self, times):
        """Waits until the pedal has been pressed so many times more."""
        goal = self.presses + times
        eventually(lambda: self.presses >= goal, f"the pedal is pressed {times} times")

    def counts(self, times):
        """Waits until so many presses more are counted."""
        goal = values().get("count", 0) + times
        eventually(lambda: values().get("count", 0) >= goal, f"{times} presses more are counted")

    def all_counted(self):
        """Ends the pressing; each press counts once, in the order of the presses."""
        systemctl("stop", SERVICE)
        equal(state(SERVICE, "Result"), "success", "the end of the gesture daemon, which delivers what waits")
        equal(values(), {"count": self.presses}, "the counters")
        numbers = [event["time"] / PERIOD for event in events("added")]
        equal(numbers, list(range(1, self.presses + 1)), "the presses that were counted")


def clicker_process():
    """The number of the replayed pedal's process, 0 where there is none."""
    # The kernel keeps 15 letters of a name.
    return process(SERVICE, NAME[:15])


def events(kind):
    """All events of that kind, oldest first."""
    return [event for event in varlink.events(SOCKET) if event["kind"] == kind]


def fnv1a(data):
    """The checksum of a line of the spool: FNV-1a with 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def spooled(*changes, folder=FOLDER, systemctl=systemctl):
    """Restarts the gesture daemon, which finds that its last process made these changes and did not deliver them."""
    systemctl("start", SERVICE)
    file = eventually(lambda: next(folder.glob("*.spool"), None), "the gesture daemon has a spool")
    systemctl("stop", SERVICE)
    with file.open("ab") as lines:
        for change in changes:
            line = {"time": 1_000_000, "device": "Presenter", "gesture": "press", **change}
            delivery = json.dumps({"changes": [line]}).encode()
            lines.write(b"+1 %016x %s\n" % (fnv1a(delivery), delivery))
    systemctl("start", SERVICE)


def press():
    """A gesture of the real daemon that adds one to the current counter."""
    spooled({"verb": "add"})
