"""What udev makes of devices; Tests/Machines/Container has the tests of its data base and of the rules' syntax."""

import grp
import os

from evdev import ecodes as e

from kit.devices import Device, Keys, keyboard
from kit.feedback import CAN_BUZZ, CAN_SHINE, CAN_VIBRATE, pad
from kit.machine import Installed, run, use
from kit.wait import equal

FOREIGN = "input"


def rights(path):
    """The group, the mode, and whether whoever sits at the machine may use it, too."""
    status = os.stat(path)
    tags = run("udevadm", "info", "--query=property", "--property=CURRENT_TAGS", "--value", path)
    return grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777, "uaccess" in tags


def remote(name):
    return Device(name, 0x05AC, 0x0255, {e.EV_KEY: [e.KEY_VOLUMEUP, e.KEY_ENTER]}, bus=e.BUS_BLUETOOTH)


def test_rights_of_devices(scene):
    """A presenter, a touchscreen and a Bluetooth shutter can be read by the group, and written by nobody; a quote in a name
    changes nothing."""
    with Installed():
        shutters = [scene.keep(remote(name)) for name in ["AB Shutter3 Keyboard", "AB Shutter's ‘3’ (\"Mini\")"]]
        for device in [scene.presenter(), scene.touchscreen(), *shutters]:
            equal(rights(device.node), ("tallymark-input", 0o640, False), f"the rights of {device.node}")


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
