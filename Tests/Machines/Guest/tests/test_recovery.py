"""Nothing lost, nothing doubled: the kernel's buffer runs over, the core is away."""

import random
import threading

from evdev import ecodes as e

from kit.configuration import presses
from kit.opening import Interruption
from kit.wait import PATIENCE, equal

# Two keys that can be told apart in the history.
DIFFERENT_AMOUNTS = presses('id = "046d:c52d"', KEY_PAGEDOWN="add 1", KEY_PAGEUP="add 100")
KEYS = {1: e.KEY_PAGEDOWN, 100: e.KEY_PAGEUP}


def a_pattern(length):
    generator = random.Random(length)
    return [generator.choice([1, 100]) for _ in range(length)]


def start_with_two_keys(scene):
    presenter = scene.presenter()
    scene.start(presenter, configuration=DIFFERENT_AMOUNTS)
    scene.core.call("Create", name="count")
    return presenter


def changes(scene):
    return [event["change"] for event in scene.core.counts()]


def press(scene, presenter, amounts):
    for amount in amounts:
        presenter.press(KEYS[amount])
        scene.daemon.catch_up()


def test_overrun_touchscreen(scene):
    """When the kernel's buffer runs over in the middle of a touch, no gesture is made up, and the next tap counts."""
    screen = scene.touchscreen()
    scene.start(screen)
    screen.land(0.5, 0.2)
    scene.daemon.catch_up()
    scene.daemon.freeze()
    for step in range(2000):
        screen.move(0.5, 0.2 + 0.6 * step / 2000)
    screen.lift()
    scene.daemon.resume()
    scene.daemon.catch_up()
    screen.tap()
    scene.counts_to(1)
    equal([event["cause"]["gesture"] for event in scene.core.counts()], ["tap"], "the gestures")


def test_overrun_with_a_finger_down(scene):
    """A finger that came down while the buffer ran over counts nothing when it lifts."""
    screen = scene.touchscreen()
    scene.start(screen)
    scene.daemon.freeze()
    screen.frames(*[frame for _ in range(500) for frame in (screen.landing(0.5, 0.5), screen.lifting)])
    screen.land(0.5, 0.5)
    scene.daemon.resume()
    scene.daemon.catch_up()
    screen.lift()
    screen.swipe_down()
    screen.tap()
    screen.tap()
    scene.counts_to(1)
    gestures = [event["cause"]["gesture"] for event in scene.core.counts()]
    equal(gestures, ["swipe-down", "tap", "tap"], "the gestures")


def test_overrun_keys(scene):
    """Of presses that the kernel dropped none is made up, and a key that is found held is not taken for pressed."""
    presenter = start_with_two_keys(scene)
    scene.daemon.freeze()
    presenter.frames(*[[(e.EV_KEY, e.KEY_F5, value)] for _ in range(500) for value in (1, 0)])
    presenter.down(e.KEY_PAGEDOWN)
    scene.daemon.resume()
    scene.daemon.catch_up()
    presenter.up(e.KEY_PAGEDOWN)
    press(scene, presenter, [100, 1])
    scene.counts_to(101)
    equal(changes(scene), [100, 1], "what was counted")


def test_press_right_after_opening(scene):
    """What comes between the opening of a device and the choice of its clock, the kernel drops, and says so with the next
    report: that report is a press that counts."""
    presenter = scene.presenter()
    other_key = [[(e.EV_KEY, e.KEY_F5, value)] for value in (1, 0)]
    interruption = scene.keep(Interruption(presenter, *other_key))
    scene.start(presenter, configuration=DIFFERENT_AMOUNTS)
    interruption.close()
    scene.kept.remove(interruption)
    press(scene, presenter, [100, 1])
    scene.counts_to(101)
    equal(changes(scene), [100, 1], "what was counted")


def test_core_stopped(scene):
    """What is pressed while the core is stopped is counted in order, once, when it is back."""
    presenter = start_with_two_keys(scene)
    pattern = a_pattern(23)
    press(scene, presenter, pattern[:3])
    scene.counts_to(sum(pattern[:3]))
    scene.core.stop()
    press(scene, presenter, pattern[3:])
    scene.core.start()
    scene.counts_to(sum(pattern))
    equal(changes(scene), pattern, "what was counted")


def test_core_started_last(scene):
    """The gesture daemon can be started before the core: what is pressed until then is counted."""
    presenter = scene.presenter()
    scene.daemon.start()
    scene.daemon.use(presenter)
    press(scene, presenter, [1] * 5)
    scene.core.start()
    scene.counts_to(5)
    equal(changes(scene), [1] * 5, "what was counted")


def test_core_killed(scene):
    """A core killed at any moment while presses arrive loses none and doubles none."""
    presenter = start_with_two_keys(scene)
    pattern = a_pattern(300)
    halfway = [threading.Event() for _ in range(5)]

    def press_all():
        for index, amount in enumerate(pattern):
            press(scene, presenter, [amount])
            if index % 60 == 30:
                halfway[index // 60].set()

    presses = threading.Thread(target=press_all, daemon=True)
    presses.start()
    for moment in halfway:
        equal(moment.wait(PATIENCE), True, "whether presses go on")
        scene.core.kill()
        scene.core.start()
    presses.join()
    scene.counts_to(sum(pattern))
    equal(changes(scene), pattern, "what was counted")
