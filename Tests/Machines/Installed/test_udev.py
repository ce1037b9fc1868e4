"""udev's data base of known devices, the syntax of the rules, and what udev makes of devices."""

import grp
import os
import re
import subprocess
import tomllib

from evdev import ecodes as e

from kit import ROOT
from kit.devices import Device, Keys, keyboard
from kit.feedback import CAN_BUZZ, CAN_SHINE, CAN_VIBRATE, pad
from kit.machine import Installed, run, use
from kit.places import in_container, in_guest
from kit.wait import equal

KNOWN = ROOT / "Sources/Input/Bindings/known-devices.toml"
# The group of the devices that the rules leave alone.
FOREIGN = "input"
BUSES = {"usb": e.BUS_USB, "bluetooth": e.BUS_BLUETOOTH}


def sample(device):
    """The identity and the name of each device that an entry of the list matches."""
    several = lambda value: value if isinstance(value, list) else [value]
    for identity in several(device.get("id", "1234:5678")):
        for name in several(device.get("name", "Something")):
            yield device.get("bus", "usb"), identity, name.replace("*", "")


@in_container
def test_every_known_device(scene):
    """udev's data base knows every known device, and its kind."""
    with Installed():
        rules = tomllib.loads(KNOWN.read_text())["device"]
        for kind, (bus, identity, name) in [(rule["kind"], one) for rule in rules for one in sample(rule)]:
            vendor, product = (int(part, 16) for part in identity.split(":"))
            found = run(
                "systemd-hwdb", "query", f"tallymark:b{BUSES[bus]:04x}v{vendor:04x}p{product:04x}:{name}")
            equal(found.strip(), f"TALLYMARK_KIND={kind}", f"what udev knows of {identity} “{name}”")


@in_container
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


def rights(path):
    """The group, the mode, and whether whoever sits at the machine may use it, too."""
    status = os.stat(path)
    tags = run("udevadm", "info", "--query=property", "--property=CURRENT_TAGS", "--value", path)
    return grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777, "uaccess" in tags


def remote(name):
    return Device(name, 0x05AC, 0x0255, {e.EV_KEY: [e.KEY_VOLUMEUP, e.KEY_ENTER]}, bus=e.BUS_BLUETOOTH)


@in_guest
def test_rights_of_devices(scene):
    """A presenter, a touchscreen and a Bluetooth shutter can be read by the group, and written by nobody; a quote in a name
    changes nothing."""
    with Installed():
        shutters = [scene.keep(remote(name)) for name in ["AB Shutter3 Keyboard", "AB Shutter's ‘3’ (\"Mini\")"]]
        for device in [scene.presenter(), scene.touchscreen(), *shutters]:
            equal(rights(device.node), ("tallymark-input", 0o640, False), f"the rights of {device.node}")


@in_guest
def test_what_types_is_given_to_nobody(scene):
    """A node that can type letters is given to nobody, whatever its id and name are."""
    with Installed():
        for name, vendor, product in [
            ("Plain Keyboard", 0x1234, 0x5678), ("Trust Wireless Keyboard", 0x1EA7, 0x0002),
            ("HID 413d:2107", 0x413D, 0x2107), ("HID 1a86:e026 Keyboard", 0x1A86, 0xE026),
            ("Tenx Foot Pedal/Thermometer", 0x1130, 0x660C), ("PCsensor FootSwitch", 0x1A86, 0xE026),
            ("RDing FootSwitch1F1.", 0x0C45, 0x7403), ("Logitech USB Receiver", 0x046D, 0xC52D),
        ]:
            # All keys of a keyboard, or so few that udev itself takes it for none.
            for keys in [range(1, 128), [e.KEY_Q, e.KEY_W, e.KEY_E, e.KEY_R, e.KEY_PAGEUP, e.KEY_PAGEDOWN]]:
                device = scene.keep(Keys(name, vendor, product, list(keys)))
                equal(rights(device.node)[::2], (FOREIGN, False), f"the rights of {name}")
        pointer = Device("Logitech USB Receiver", 0x046D, 0xC53E, {e.EV_KEY: [e.BTN_LEFT], e.EV_REL: [e.REL_X, e.REL_Y]})
        equal(rights(scene.keep(pointer).node)[0], FOREIGN, "the group of a presenter's pointer")


@in_guest
def test_a_named_device_alone(scene):
    """A device that a person named is given to the group for reading, and no other one: neither one of another name with its
    id, nor one of its name on another bus. A gamepad that is named can be written to, a keyboard with lights cannot."""
    with Installed():
        pedal = scene.pedal()
        equal(rights(pedal.node)[0], FOREIGN, "the group of a pedal that nobody named")
        use(pedal.node)
        equal(rights(pedal.node), ("tallymark-input", 0o640, False), "the rights of the pedal")
        pedal.unplug()
        pedal.plug()
        equal(rights(pedal.node), ("tallymark-input", 0o640, False), "the rights of the pedal that is back")
        rocker = scene.keep(Device("gpio-keys", 1, 1, {e.EV_KEY: [e.KEY_VOLUMEUP]}, bus=e.BUS_HOST))
        use(rocker.node)
        equal(rights(rocker.node), ("tallymark-input", 0o640, False), "the rights of the volume rocker")
        letters = {e.EV_KEY: list(range(1, 128))}
        built_in = Device("AT Translated Set 2 keyboard", 1, 1, letters, bus=e.BUS_I8042)
        same_name = Device("gpio-keys", 1, 1, letters, bus=e.BUS_USB)
        for other in [built_in, same_name, Keys("Another", 0x0C45, 0x7403, [e.KEY_B, *range(1, 128)])]:
            equal(rights(scene.keep(other).node)[0], FOREIGN, f"the group of {other.name}")
        gamepad = pad(scene, CAN_VIBRATE, name="Haptic Gamepad", keys=[e.BTN_SOUTH])
        use(gamepad.node)
        equal(rights(gamepad.node)[:2], ("tallymark-input", 0o660), "the rights of a gamepad")
        shining = pad(scene, CAN_SHINE, name="Shining Keyboard", keys=list(range(1, 128)))
        use(shining.node)
        equal(rights(shining.node), ("tallymark-input", 0o640, False), "the rights of a keyboard with lights")


@in_guest
def test_names_give_nothing(scene):
    """A motor and a buzzer that are devices of their own go to the group, whatever they are called; nothing with a key does
    that is called like one."""
    with Installed():
        for own in [pad(scene, CAN_VIBRATE, name="Something", keys=()), pad(scene, CAN_BUZZ, name="Something else", keys=())]:
            equal(rights(own.node), ("tallymark-input", 0o660, True), f"the rights of {own.node}")
        for name in ["Haptic Keyboard", "vibra haptic", "PC Speaker"]:
            keys = scene.keep(Keys(name, 0x1234, 0x5678, [e.KEY_A, e.KEY_ENTER]))
            equal(rights(keys.node)[0], FOREIGN, f"the group of a keyboard called {name}")
        equal(rights(scene.keep(keyboard()).node)[0], FOREIGN, "the group of a keyboard")
        gamepad = pad(scene, CAN_VIBRATE, name="Haptic Gamepad")
        equal(rights(gamepad.node)[0], FOREIGN, "the group of a gamepad")
