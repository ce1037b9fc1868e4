"""Devices name themselves, and no name tells a terminal, a log or a spreadsheet what to do."""

import csv
import io
import os
import re
import subprocess

from evdev import ecodes as e

from kit.devices import Keys
from kit.programs import PROGRAMS
from kit.wait import equal

NAME = "=cmd|'x'!A0\x1b]0;PWN\x07\u202e\u009b5m<&\"\n@x"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_name_of_a_device(scene):
    """A device with a hostile name counts, and its name harms in no output."""
    device = scene.keep(Keys(NAME, 0x046D, 0xC52D, [e.KEY_PAGEDOWN, e.KEY_PAGEUP]))
    scene.start(device, configuration="[[device]]\nname = \"*cmd*\"\n")
    device.press()
    scene.counts_to(1)
    environment = {**os.environ, "TALLYMARK_SOCKET": str(scene.core.socket), "LC_ALL": "C.UTF-8"}
    tally = lambda *words: subprocess.run(
        [PROGRAMS / "tally", *words], capture_output=True, text=True, env=environment, check=True).stdout
    outputs = {
        "devices": scene.daemon.run("devices", "--config", scene.daemon.configuration).stdout,
        "devices --json": scene.daemon.run("devices", "--json", "--config", scene.daemon.configuration).stdout,
        "history": tally("history"), "history --json": tally("history", "--json"),
        "export --json --events": tally("export", "--json", "--events"), "log": scene.daemon.log.read_text(),
    }
    for what, text in outputs.items():
        equal("cmd|" in text or what == "log", True, f"whether {what} names the device: {text!r}")
        equal(HARMFUL.findall(text), [], f"what could change a terminal in {what}")
    records = list(csv.DictReader(io.StringIO(tally("export", "--csv", "--events"), newline="")))
    named = {record["device"] for record in records if record["device"]}
    equal(all(name.startswith("'=cmd|") for name in named) and named != set(), True, f"what a spreadsheet runs of {named}")
