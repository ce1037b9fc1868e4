"""What tally-inputd says of devices and configurations."""

from kit.scene import without_rights
from kit.wait import equal


def test_devices(scene):
    """tally-input devices says of each device whether it is used, and why."""
    presenter, screen, keyboard = scene.presenter(), scene.touchscreen(), scene.keyboard()
    scene.start(presenter, screen)
    devices = scene.daemon.devices()
    uses = {device.node: devices[device.node]["used"] for device in (presenter, screen, keyboard)}
    equal(uses, {presenter.node: True, screen.node: True, keyboard.node: False}, "what is used")
    for device, word in [(presenter, "Logitech"), (screen, "touchscreen"), (keyboard, "keyboard")]:
        if word not in devices[device.node]["why"]:
            raise AssertionError(f"no word of {word} in {devices[device.node]}")


@without_rights
def test_devices_without_permission(scene):
    """Without permission it names the group that has it and the command that mends it."""
    presenter = scene.presenter()
    scene.start()
    device = scene.daemon.devices()[presenter.node]
    equal(device["used"], False, "whether it is used")
    equal((device["wanted"], device["readable"]), (True, False), "whether it would be used, and can be read")
    if "group input" not in device["problem"] or "usermod -aG input" not in device["remedy"]:
        raise AssertionError(f"neither the group nor the command is named in {device}")
