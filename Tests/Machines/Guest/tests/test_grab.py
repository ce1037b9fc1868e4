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
    eventually(lambda: "cannot be taken" in scene.daemon.log.read_text(), "the daemon says so")
    other.ungrab()
    eventually(lambda: bystander.is_shut_out, "the device is taken")
    presenter.press()
    scene.counts_to(1)
    equal(bystander.keys, [], "what another program has heard")
    equal(scene.daemon.log.read_text().count("cannot be taken"), 1, "how often it was said")


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
