"""Devices taken for oneself."""

import time

from evdev import ecodes as e

from kit.other import Other
from kit.wait import equal, eventually

GRABBED = """
    [[device]]
    id = "046d:c52d"
    grab = true
"""


def test_grab(scene):
    """A grabbed device is heard by nobody else."""
    presenter = scene.presenter()
    other = Other(presenter)
    scene.start(presenter, configuration=GRABBED)
    presenter.press()
    scene.counts_to(1)
    equal(other.keys, [], "what another program has heard")


def test_taken_as_soon_as_it_can_be(scene):
    """A device that another program has taken is this one's as soon as that lets it go, before anybody presses."""
    presenter = scene.presenter()
    other, bystander = Other(presenter), Other(presenter)
    other.grab()
    scene.start(presenter, configuration=GRABBED)
    eventually(lambda: "cannot be grabbed" in scene.daemon.log.read_text(), "the daemon says so")
    other.ungrab()
    eventually(lambda: bystander.is_shut_out, "the device is taken")
    presenter.press()
    scene.counts_to(1)
    equal(bystander.keys, [], "what another program has heard")
    equal(scene.daemon.log.read_text().count("cannot be grabbed"), 1, "how often it was said")


def test_grab_waits_for_the_keys(scene):
    """A device is taken only when all its keys are up: no other program is left with a key that hangs."""
    presenter = scene.presenter()
    other = Other(presenter)
    presenter.down(e.KEY_PAGEUP)
    scene.start(presenter, configuration=GRABBED)

    def sleeps_for_a_second():
        before = scene.daemon.wakeups
        time.sleep(1)
        return scene.daemon.wakeups == before

    # What it began with may still be answered, and udev may tell of something else.
    eventually(sleeps_for_a_second, "it sleeps while the key is held")
    presenter.up(e.KEY_PAGEUP)
    equal(other.keys, [(e.KEY_PAGEUP, 1), (e.KEY_PAGEUP, 0)], "what another program has heard")
    eventually(lambda: other.is_shut_out, "the device is taken")
    presenter.press()
    scene.counts_to(1)
    equal(other.keys, [], "what another program has heard after that")
    equal(len(scene.core.counts()), 1, "the number of counts")


def test_no_keyboard_by_a_pattern(scene):
    """A pattern takes no keyboard from other programs, nor counts its keys, and takes what is known as a clicker; by its full
    name a keyboard is taken."""
    keyboard, presenter = scene.keyboard(), scene.presenter()
    other = Other(keyboard)
    scene.start(presenter, configuration='[[device]]\nname = "*"\ngrab = true\n')
    eventually(lambda: "would take it from all other programs" in scene.daemon.log.read_text(), "the daemon says so")
    eventually(lambda: Other(presenter).is_shut_out, "the clicker is taken")
    keyboard.press(e.KEY_B)
    presenter.press()
    scene.counts_to(1)
    equal(other.keys, [(e.KEY_B, 1), (e.KEY_B, 0)], "what another program has heard")
    equal(scene.daemon.has_opened(keyboard), False, "whether the keyboard is open")
    checked = scene.daemon.run("check", scene.daemon.configuration)
    equal(checked.returncode, 1, "the status of check")
    equal("a keyboard" in checked.stdout and keyboard.node in checked.stdout, True, checked.stdout)
    scene.daemon.configuration.write_text('[[device]]\nname = "Plain Keyboard"\ngrab = true\n')
    scene.daemon.use(keyboard)
    eventually(lambda: other.is_shut_out, "the keyboard is taken by its full name")
    equal(scene.daemon.run("check", scene.daemon.configuration).returncode, 0, "the status of check")
