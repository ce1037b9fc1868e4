"""What tally-inputd says of devices and configurations."""

from evdev import ecodes as e

from kit.configuration import presses
from kit.scene import without_rights
from kit.wait import equal, eventually


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


def test_ignored_strokes(scene):
    """tally-input devices says how many presses of each device the daemon took for bouncing or for a text, at once."""
    presenter = scene.presenter()
    slow = presses('id = "046d:c52d"', "bounce = 1.0", KEY_ANY="add")
    scene.daemon.environment["XDG_RUNTIME_DIR"] = str(scene.folder)
    scene.start(presenter, configuration=slow)
    equal("ignored" in scene.daemon.devices()[presenter.node], False, "whether anything was ignored")
    presenter.frames(*[[(e.EV_KEY, e.KEY_PAGEDOWN, value)] for _ in range(3) for value in (1, 0)])
    scene.daemon.catch_up()
    scene.counts_to(1)
    equal(scene.daemon.devices()[presenter.node]["ignored"], {"bounced": 2, "typed": 0}, "what was ignored")
    keys = [e.KEY_PAGEUP, e.KEY_F5, e.KEY_ESC, e.KEY_DOT, e.KEY_F5, e.KEY_ESC]
    presenter.frames(*[[(e.EV_KEY, key, value)] for key in keys for value in (1, 0)])
    scene.daemon.catch_up()
    eventually(lambda: scene.daemon.devices()[presenter.node]["ignored"]["typed"] > 0, "the text is told of")
    text = scene.daemon.run("devices", "--config", scene.daemon.configuration).stdout
    equal("typed faster than a hand can" in text, True, text)


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
