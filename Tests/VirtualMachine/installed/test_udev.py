"""What udev makes of devices; Tests/Container has the tests of its data base and of the rules' syntax."""

import grp
import os

from evdev import ecodes as e

from kit.devices import Keys
from kit.feedback import CAN_BUZZ, CAN_VIBRATE, pad
from kit.machine import Installed, run
from kit.wait import equal


def group(path):
    status = os.stat(path)
    return grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777


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
