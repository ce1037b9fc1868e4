"""udev's data base of known devices, and the syntax of the rules."""

import re
import subprocess
import tomllib

from evdev import ecodes as e

from kit.machine import CHECKOUT, Installed, run
from kit.wait import equal

KNOWN = CHECKOUT / "Sources/Bindings/known-devices.toml"
BUSES = {"usb": e.BUS_USB, "bluetooth": e.BUS_BLUETOOTH}


def sample(device):
    """The identity and the name of each device that an entry of the list matches."""
    several = lambda value: value if isinstance(value, list) else [value]
    for identity in several(device.get("id", "1234:5678")):
        for name in several(device.get("name", "Something")):
            yield device.get("bus", "usb"), identity, name.replace("*", "")


def test_every_known_device(scene):
    """udev's data base knows every known device, and its kind."""
    with Installed():
        rules = tomllib.loads(KNOWN.read_text())["device"]
        for kind, (bus, identity, name) in [(rule["kind"], one) for rule in rules for one in sample(rule)]:
            vendor, product = (int(part, 16) for part in identity.split(":"))
            found = run(
                "systemd-hwdb", "query", f"tallymark:b{BUSES[bus]:04x}v{vendor:04x}p{product:04x}:{name}")
            equal(found.strip(), f"TALLYMARK_KIND={kind}", f"what udev knows of {identity} “{name}”")


def test_rules_are_sound(scene):
    """udev and its hardware data base have nothing to say against rules and entries."""
    with Installed():
        answer = subprocess.run(["systemd-hwdb", "--usr", "update", "--strict"], capture_output=True, text=True)
        equal([line for line in answer.stderr.splitlines() if "tallymark" in line], [], "what systemd-hwdb said")
        # Any device has all rules read.
        answer = subprocess.run(["udevadm", "test", "/devices/virtual/mem/null"], capture_output=True, text=True)
        said = answer.stdout + answer.stderr
        equal("rules.d/70-tallymark.rules" in said, True, f"whether udevadm reads the rules: {said}")
        complaints = [
            line for line in said.splitlines()
            if "tallymark" in line and re.search("invalid|unknown|error|fail|ignoring", line, re.IGNORECASE)
        ]
        equal(complaints, [], "what udevadm test said")
        if subprocess.run(["udevadm", "verify", "--help"], capture_output=True).returncode == 0:
            run("udevadm", "verify", "--resolve-names=early", "/usr/lib/udev/rules.d/70-tallymark.rules")
