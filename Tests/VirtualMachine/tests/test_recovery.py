"""Nothing lost, nothing doubled: the kernel's buffer runs over, the core is away."""

import random
import threading

from evdev import ecodes as e

from kit.wait import equal

# Two keys that can be told apart in the history.
DIFFERENT_AMOUNTS = """
    [[device]]
    id = "046d:c52d"
      [[device.bind]]
      gesture = "press"
      key = "KEY_PAGEDOWN"
      do = "add 1"
      [[device.bind]]
      gesture = "press"
      key = "KEY_PAGEUP"
      do = "add 100"
"""
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


def test_overrun_touchscreen(scene):
    """When the kernel's buffer runs over in the middle of a touch, no gesture is made up, and the next tap counts."""
    screen = scene.touchscreen()
    scene.start(screen)
    scene.daemon.freeze()
    screen.land(0.5, 0.2)
    for step in range(2000):
        screen.move(0.5, 0.2 + 0.6 * step / 2000)
    screen.lift()
    scene.daemon.resume()
    screen.tap()
    scene.counts_to(1)
    equal([event["cause"]["gesture"] for event in scene.core.counts()], ["tap"], "the gestures")


def test_overrun_with_a_finger_down(scene):
    """A finger that came down while the buffer ran over counts nothing when it lifts."""
    screen = scene.touchscreen()
    scene.start(screen)
    scene.daemon.freeze()
    for _ in range(500):
        screen.tap()
    screen.land(0.5, 0.5)
    scene.daemon.resume()
    screen.lift()
    screen.tap()
    # The lifting of the finger above and whatever is left of the taps come before the last tap; they count as far as
    # they could be read in full, and that was not the first tap.
    counts = wait_until_quiet(scene)
    screen.tap()
    scene.counts_to(counts + 1)


def test_overrun_keys(scene):
    """Of presses that the kernel dropped none is made up, and a key left down is not pressed by that."""
    presenter = scene.presenter()
    scene.start(presenter)
    scene.daemon.freeze()
    for _ in range(500):
        presenter.press(e.KEY_PAGEUP)
    presenter.down(e.KEY_PAGEDOWN)
    scene.daemon.resume()
    presenter.up(e.KEY_PAGEDOWN)
    presenter.press(e.KEY_F5)
    counts = wait_until_quiet(scene)
    if not 1 <= counts < 500:
        raise AssertionError(f"{counts} presses were counted of 502, most of which the kernel dropped")
    presenter.press()
    scene.counts_to(counts + 1)


def test_core_stopped(scene):
    """What is pressed while the core is stopped is counted in order, once, when it is back."""
    presenter = start_with_two_keys(scene)
    pattern = a_pattern(23)
    for amount in pattern[:3]:
        presenter.press(KEYS[amount])
    scene.counts_to(sum(pattern[:3]))
    scene.core.stop()
    for amount in pattern[3:]:
        presenter.press(KEYS[amount])
    scene.core.start()
    scene.counts_to(sum(pattern))
    equal(changes(scene), pattern, "what was counted")


def test_core_started_last(scene):
    """The gesture daemon can be started before the core: what is pressed until then is counted."""
    presenter = scene.presenter()
    scene.daemon.start()
    scene.daemon.use(presenter)
    for _ in range(5):
        presenter.press()
    scene.core.start()
    scene.counts_to(5)
    equal(changes(scene), [1] * 5, "what was counted")


def test_core_killed(scene):
    """A core killed at any moment while presses arrive loses none and doubles none."""
    presenter = start_with_two_keys(scene)
    pattern = a_pattern(300)
    halfway = [threading.Event() for _ in range(5)]

    def press():
        for index, amount in enumerate(pattern):
            presenter.press(KEYS[amount])
            if index % 60 == 30:
                halfway[index // 60].set()

    presses = threading.Thread(target=press)
    presses.start()
    for moment in halfway:
        moment.wait()
        scene.core.kill()
        scene.core.start()
    presses.join()
    scene.counts_to(sum(pattern))
    equal(changes(scene), pattern, "what was counted")


def wait_until_quiet(scene):
    """The number of counts once the daemon and the core have nothing left to do."""
    from kit.wait import eventually

    eventually(lambda: scene.daemon.is_idle, "the daemon waits")
    last = None

    def settled():
        nonlocal last
        previous, last = last, scene.core.value() or 0
        return previous == last and scene.daemon.is_idle

    eventually(settled, "the counts stay as they are")
    return last
