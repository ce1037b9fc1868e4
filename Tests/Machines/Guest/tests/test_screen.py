"""A touchscreen has one owner: the gesture daemon counts its touches, or a page on it does."""

import json
import subprocess

from evdev import InputDevice, ecodes as e

from kit.other import Other
from kit.programs import PROGRAMS
from kit.wait import eventually, equal

DOOR = """
[touchscreens]
use = true
[zones]
door = { left = 0.5 }
[[bind]]
gesture = "tap"
zone = "door"
do = "add 2"
"""

IGNORED = """
[[device]]
name = "Plain Touchscreen"
ignore = true
"""

PEDAL = """
[[device]]
name = "RDing FootSwitch1F1."
grab = true
"""


def owner(scene):
    """What `tally-input screen` says, which the kiosk asks."""
    command = [PROGRAMS / "tally-input", "screen", "--config", scene.daemon.configuration]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def landings(other):
    """How many fingers another program, such as a compositor, has seen since it was last asked."""
    try:
        return sum(event.code == e.ABS_MT_TRACKING_ID and event.value >= 0 for event in other.read())
    except BlockingIOError:
        return 0


def test_screen_of_the_daemon(scene):
    """The daemon counts each touch once, by its zones, and tells the page which gestures are in force."""
    screen = scene.touchscreen()
    other = InputDevice(screen.node)
    scene.start(screen, configuration=DOOR)
    gestures = [{"gesture": "tap", "do": "add 2", "zone": [0.5, 0, 1, 1]}, {"gesture": "tap", "do": "add"},
                {"gesture": "swipe down", "do": "subtract"}]
    equal(owner(scene), {"owner": "daemon", "gestures": gestures}, "whose the screen is")
    for count, place in [(2, 0.75), (3, 0.25), (5, 0.9), (6, 0.1)]:
        screen.tap(place, 0.5)
        scene.counts_to(count)
    screen.swipe_down()
    scene.counts_to(5)
    equal(len(scene.core.counts()), 5, "the number of counts")
    equal(landings(other), 5, "the touches that a page sees as well, and does not count")


def test_screen_of_the_page(scene):
    """The daemon leaves a touchscreen alone that it is to ignore: a page sees each touch, and is told that they are its own."""
    screen, presenter = scene.touchscreen(), scene.presenter()
    other = InputDevice(screen.node)
    scene.start(presenter, configuration="[touchscreens]\nuse = true\n" + IGNORED)
    equal(owner(scene), {"owner": "page"}, "whose the screen is")
    equal(scene.daemon.has_opened(screen), False, "whether the daemon reads it")
    for _ in range(5):
        screen.tap()
    presenter.press()
    scene.counts_to(1)
    equal(len(scene.core.counts()), 1, "the number of counts")
    equal(landings(other), 5, "the touches that the page sees")


def test_owner_changes(scene):
    """The answer changes with the configuration and with the devices that are there, as the daemon does."""
    presenter = scene.presenter()
    scene.start(presenter, configuration=IGNORED)
    equal(owner(scene), {"owner": "nobody"}, "whose the screen is without one")
    screen = scene.touchscreen()
    equal(owner(scene), {"owner": "page"}, "whose the screen is")
    scene.daemon.configuration.write_text("[touchscreens]\nuse = true\n")
    equal(owner(scene)["owner"], "daemon", "whose the screen is after the configuration was changed")
    scene.daemon.use(screen)
    screen.tap()
    scene.counts_to(1)


def test_pedal_types_nothing(scene):
    """A pedal that the daemon has grabbed types nothing into a page, which has the device open as well."""
    pedal = scene.pedal()
    other = Other(pedal)
    scene.start(pedal, configuration=PEDAL)
    eventually(lambda: other.is_shut_out, "the pedal is grabbed")
    for count in [1, 2, 3]:
        pedal.press()
        scene.counts_to(count)
    equal(other.keys, [], "what was typed")
