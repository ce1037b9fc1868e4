"""What udev makes of devices that count, and of others."""

import grp
import os
import re
import subprocess
import tomllib

from evdev import ecodes as e

from kit.devices import Keys
from kit.feedback import CAN_BUZZ, CAN_VIBRATE, pad
from kit.machine import CHECKOUT, Installed, run
from kit.wait import equal

KNOWN = CHECKOUT / "Sources/Bindings/known-devices.toml"
BUSES = {"usb": e.BUS_USB, "bluetooth": e.BUS_BLUETOOTH}


def group(path):
    status = os.stat(path)
    return grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777


def sample(device):
    """A device that an entry of the list means, for each identity and each name in it."""
    several = lambda value: value if isinstance(value, list) else [value]
    for identity in several(device.get("id", "1234:5678")):
        for name in several(device.get("name", "Something")):
            yield device.get("bus", "usb"), identity, name.replace("*", "")


def test_every_known_device(scene):
    """Every known device goes to the gesture daemon's group and to whoever sits at the machine."""
    with Installed():
        rules = tomllib.loads(KNOWN.read_text())["device"]
        for kind, (bus, identity, name) in [(rule["kind"], one) for rule in rules for one in sample(rule)]:
            vendor, product = (int(part, 16) for part in identity.split(":"))
            found = run(
                "systemd-hwdb", "query", f"tallymark:b{BUSES[bus]:04x}v{vendor:04x}p{product:04x}:{name}")
            equal(found.strip(), f"TALLYMARK_KIND={kind}", f"what udev knows of {identity} “{name}”")


def test_rights_of_devices(scene):
    """A pedal, a presenter, a touchscreen and a Bluetooth shutter go to the group; no keyboard does."""
    shutter = Keys("AB Shutter3 Keyboard", 0x05AC, 0x0255, [e.KEY_VOLUMEUP, e.KEY_ENTER])
    with Installed():
        for device in [scene.pedal(), scene.presenter(), scene.touchscreen(), scene.keep(shutter)]:
            equal(group(device.node), ("tallymark-input", 0o660), f"the rights of {device.node}")
            tags = run("udevadm", "info", "--query=property", "--property=TAGS", "--value", device.node)
            equal(":uaccess:" in tags, True, f"whether whoever sits at the machine may use {device.node}")
        keyboard = scene.keyboard()
        equal(group(keyboard.node)[0] == "tallymark-input", False, "whether the keyboard goes to the group")
        tags = run("udevadm", "info", "--query=property", "--property=TAGS", "--value", keyboard.node)
        equal("uaccess" in tags, False, "whether the keyboard goes to whoever sits at the machine")


def test_names_give_nothing(scene):
    """A motor and a buzzer that are devices of their own go to the group, whatever they are called; nothing with a key does
    that is called like one."""
    with Installed():
        for own in [pad(scene, CAN_VIBRATE, name="Something", keys=()), pad(scene, CAN_BUZZ, name="Something else", keys=())]:
            equal(group(own.node), ("tallymark-input", 0o660), f"the rights of {own.node}")
        for name in ["Haptic Keyboard", "vibra haptic", "PC Speaker"]:
            keyboard = scene.keep(Keys(name, 0x1234, 0x5678, [e.KEY_A, e.KEY_ENTER]))
            equal(group(keyboard.node)[0] == "tallymark-input", False, f"whether a keyboard called {name} goes to the group")
        gamepad = pad(scene, CAN_VIBRATE, name="Haptic Gamepad")
        equal(group(gamepad.node)[0] == "tallymark-input", False, "whether a gamepad goes to the group")


def test_rules_are_sound(scene):
    """udev and its hardware data base have nothing to say against rules and entries."""
    presenter = scene.presenter()
    with Installed():
        answer = subprocess.run(["systemd-hwdb", "--usr", "update", "--strict"], capture_output=True, text=True)
        equal([line for line in answer.stderr.splitlines() if "tallymark" in line], [], "what systemd-hwdb said")
        syspath = run("udevadm", "info", "--query=path", presenter.node).strip()
        answer = subprocess.run(["udevadm", "test", syspath], capture_output=True, text=True)
        complaints = [
            line for line in (answer.stdout + answer.stderr).splitlines()
            if "tallymark" in line and re.search("invalid|unknown|error|fail|ignoring", line, re.IGNORECASE)
        ]
        equal(complaints, [], "what udevadm test said")
        if subprocess.run(["udevadm", "verify", "--help"], capture_output=True).returncode == 0:
            run("udevadm", "verify", "--resolve-names=early", "/usr/lib/udev/rules.d/70-tallymark.rules")
