"""Devices that come and go."""

import os
import time

from evdev import ecodes as e

from kit import devices
from kit.configuration import presses
from kit.devices import Device
from kit.scene import without_rights
from kit.wait import equal, eventually


def test_unplug_in_mid_press(scene):
    """A pedal pulled out while pressed leaves nothing pressed, and counts again when it is back."""
    pedal = scene.pedal()
    scene.start(pedal)
    pedal.down()
    scene.counts_to(1)
    pedal.unplug()
    eventually(lambda: not scene.daemon.open_nodes(), "the node is closed")
    pedal.plug()
    scene.daemon.use(pedal)
    pedal.up()
    pedal.press()
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_plugged_in_later(scene):
    """A device that is plugged in while the daemon runs is used, again and again."""
    scene.start()
    for plugging in range(1, 6):
        presenter = devices.presenter()
        scene.daemon.use(presenter)
        presenter.press()
        scene.counts_to(plugging)
        presenter.close()


def test_screen_unplugged_in_mid_touch(scene):
    """A touchscreen that goes away under a finger leaves no finger down when it is back."""
    scene.start()
    screen = scene.touchscreen()
    scene.daemon.use(screen)
    # The kernel lifts the finger when the device goes; what it has done so far is no gesture.
    screen.land(0.3, 0.3)
    screen.move(0.6, 0.6)
    screen.close()
    screen = scene.touchscreen()
    scene.daemon.use(screen)
    screen.tap()
    scene.counts_to(1)
    equal(len(scene.core.counts()), 1, "the number of counts")


def test_keyboards_stay_closed(scene):
    """A keyboard is never opened, whatever else is in use."""
    keyboard, presenter = scene.keyboard(), scene.presenter()
    scene.start(presenter)
    another = scene.keyboard()
    for device in (keyboard, another):
        device.press(e.KEY_A)
    # It has seen the second keyboard when it uses what was plugged in after it.
    screen = scene.touchscreen()
    scene.daemon.use(screen)
    equal(scene.daemon.open_nodes(), {presenter.node, screen.node}, "the event nodes that it has open")
    presenter.press()
    scene.counts_to(1)


def test_keyboard_named_for_use(scene):
    """A keyboard that the configuration names is used."""
    keyboard = scene.keyboard()
    scene.start(keyboard, configuration=presses('name = "Plain Keyboard"', KEY_F12="add laps 3"))
    scene.core.call("Create", name="laps")
    keyboard.press(e.KEY_F12)
    scene.counts_to(3, "laps")


@without_rights
def test_permission_that_arrives_late(scene):
    """A device whose permission comes two seconds after its node is used from then on."""
    presenter = scene.presenter()
    scene.start()
    scene.daemon.catch_up()
    time.sleep(2)
    equal(scene.daemon.has_opened(presenter), False, "whether it is open without permission")
    os.chmod(presenter.node, 0o644)
    scene.daemon.use(presenter)
    presenter.press()
    scene.counts_to(1)


@without_rights
def test_permission_for_a_device_that_comes_later(scene):
    """The same for a device that is plugged in while the daemon runs."""
    scene.start()
    presenter = scene.presenter()
    scene.daemon.catch_up()
    os.chmod(presenter.node, 0o644)
    scene.daemon.use(presenter)
    presenter.press()
    scene.counts_to(1)


def test_node_reused_by_a_keyboard(scene):
    """When another device gets the same eventN it is judged anew: a keyboard stays closed."""
    scene.start()
    presenter = devices.presenter()
    node = presenter.node
    scene.daemon.use(presenter)
    presenter.press()
    scene.counts_to(1)
    presenter.close()
    keyboard = scene.keyboard()
    equal(keyboard.node, node, "the keyboard's node")
    keyboard.press(e.KEY_PAGEDOWN)
    screen = scene.touchscreen()
    scene.daemon.use(screen)
    equal(scene.daemon.has_opened(keyboard), False, "whether the keyboard is open")
    screen.tap()
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_node_reused_while_nobody_looks(scene):
    """A device that was exchanged for another one of the same eventN in one moment is used as what it is."""
    scene.start()
    presenter = devices.presenter()
    scene.daemon.use(presenter)
    scene.daemon.freeze()
    presenter.close()
    screen = scene.touchscreen()
    equal(screen.node, presenter.node, "the touchscreen's node")
    scene.daemon.resume()
    scene.daemon.use(screen)
    screen.tap()
    scene.counts_to(1)
    screen.swipe_down()
    scene.counts_to(0)
    equal([event["cause"]["gesture"] for event in scene.core.counts()], ["tap", "swipe-down"], "the gestures")


def test_no_descriptor_is_left(scene):
    """Forty cycles of plugging leave no descriptor open."""
    scene.start()
    scene.daemon.catch_up()
    before = len(scene.daemon.open_files())
    for _ in range(40):
        presenter = devices.presenter()
        scene.daemon.use(presenter)
        presenter.close()
    eventually(lambda: len(scene.daemon.open_files()) == before, f"{before} descriptors are open again")


def test_twenty_devices(scene):
    """Twenty devices at once all count."""
    scene.start()
    presenters = [scene.presenter() for _ in range(20)]
    scene.daemon.use(*presenters)
    for _ in range(10):
        for presenter in presenters:
            presenter.down(e.KEY_PAGEDOWN)
        time.sleep(devices.UNBOUNCED)
        for presenter in presenters:
            presenter.up(e.KEY_PAGEDOWN)
        time.sleep(devices.UNBOUNCED)
        # One press of each is on its way at a time.
        scene.daemon.catch_up()
    scene.counts_to(200)


def test_four_pedals(scene):
    """Four pedals at twenty presses a second count into four counters, each press once."""
    names = ["north", "east", "south", "west"]
    pedals = [scene.keep(devices.Keys(f"Pedal {name}", 0x0C45, 0x7403, [e.KEY_B])) for name in names]
    configuration = "".join(presses(f'name = "Pedal {name}"', KEY_ANY=f"add {name}") for name in names)
    scene.start(*pedals, configuration=configuration)
    for name in names:
        scene.core.call("Create", name=name)
    for number in range(100):
        for pedal in pedals:
            pedal.frames([(e.EV_KEY, e.KEY_B, 1)], [(e.EV_KEY, e.KEY_B, 0)])
        time.sleep(0.05)
        # The kernel keeps sixteen presses of each.
        if number % 8 == 0:
            scene.daemon.catch_up()
    for name in names:
        scene.counts_to(100, name)
    equal(len(scene.core.counts()), 400, "the number of counts")


def test_connecting_is_a_press(scene):
    """A remote that connects because it is pressed counts once where `connect` says so: not once more for the press itself
    within a second, and not for what was there when the daemon started."""
    remote = lambda: Device("Sleepy Remote", 0x1234, 0x4321, {e.EV_KEY: [e.KEY_VOLUMEUP]}, bus=e.BUS_BLUETOOTH)
    first = remote()
    scene.start(configuration='[[device]]\nname = "Sleepy*"\nconnect = "press"\n')
    scene.daemon.use(first)
    first.close()
    second = scene.keep(remote())
    scene.daemon.use(second)
    # The press that made it connect, as it arrives.
    second.frames([(e.EV_KEY, e.KEY_VOLUMEUP, 1)], [(e.EV_KEY, e.KEY_VOLUMEUP, 0)])
    scene.counts_to(1)
    # It counted when the daemon used the device, so the second after that has passed then.
    time.sleep(2)
    second.frames([(e.EV_KEY, e.KEY_VOLUMEUP, 1)], [(e.EV_KEY, e.KEY_VOLUMEUP, 0)])
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_bluetooth_clicks_in_a_burst(scene):
    """Clicks that a radio link delivers 3 to 8 ms apart count each, where they come over Bluetooth."""
    remote = Device("AB Shutter3", 0x1234, 0x4321, {e.EV_KEY: [e.KEY_VOLUMEUP]}, bus=e.BUS_BLUETOOTH)
    scene.keep(remote)
    scene.start(remote)
    for click in range(27):
        remote.frames([(e.EV_KEY, e.KEY_VOLUMEUP, 1)], [(e.EV_KEY, e.KEY_VOLUMEUP, 0)])
        time.sleep(0.003 if click % 2 else 0.008)
    scene.counts_to(27)
