"""From the device to the count: what each gesture does without any configuration."""

import time

from evdev import ecodes as e

from kit.other import Other
from kit.wait import equal, eventually


def test_pedal(scene):
    """A press of a USB foot pedal adds one."""
    pedal = scene.pedal()
    scene.start(pedal)
    pedal.press()
    scene.counts_to(1)
    pedal.press()
    pedal.press()
    scene.counts_to(3)


def test_presenter(scene):
    """A press on a presenter adds one, forward or back."""
    presenter = scene.presenter()
    scene.start(presenter)
    presenter.press(e.KEY_PAGEDOWN)
    scene.counts_to(1)
    presenter.press(e.KEY_PAGEUP)
    scene.counts_to(2)


def test_tap_and_swipe_down(scene):
    """On a touchscreen a tap adds one and a swipe down takes one off."""
    screen = scene.touchscreen()
    scene.start(screen)
    for _ in range(3):
        screen.tap()
    scene.counts_to(3)
    screen.swipe_down()
    scene.counts_to(2)


def test_other_swipes(scene):
    """The other three swipes, a stroke that comes back and a drag with two fingers count nothing."""
    screen = scene.touchscreen()
    scene.start(screen)
    screen.tap()
    scene.counts_to(1)
    screen.swipe_up()
    screen.swipe_left()
    screen.swipe_right()
    screen.land(0.5, 0.3)
    screen.move(0.5, 0.7)
    # In its first moments a contact may be reported anywhere.
    time.sleep(0.1)
    screen.move(0.5, 0.3)
    screen.lift()
    screen.land(0.3, 0.3)
    screen.land_second(0.6, 0.3)
    screen.move(0.6, 0.8)
    screen.lift_second()
    screen.lift()
    # Gestures of one device come in order: whatever those had done would be there before this.
    screen.tap()
    scene.counts_to(2)
    equal([event["change"] for event in scene.core.counts()], [1, 1], "what was counted")


def test_first_gesture_makes_a_counter(scene):
    """With no counter at all the first gesture makes one called count."""
    presenter = scene.presenter()
    scene.start(presenter)
    equal(scene.core.call("List"), {"counters": []}, "the counters at first")
    presenter.press()
    scene.counts_to(1)
    [counter] = scene.core.call("List")["counters"]
    equal((counter["name"], counter["current"]), ("count", True), "the counter")


def test_current_counter(scene):
    """A gesture means the current counter, with its step."""
    presenter = scene.presenter()
    scene.start(presenter)
    scene.core.call("Create", name="people")
    scene.core.call("Create", name="dozens", step=12)
    presenter.press()
    scene.counts_to(1, "people")
    scene.core.call("Select", name="dozens")
    presenter.press()
    scene.counts_to(12, "dozens")
    equal(scene.core.value("people"), 1, "the counter that is not current any more")


def test_history_has_the_cause(scene):
    """History tells with which device, by which gesture and when each count was made."""
    presenter, screen = scene.presenter(), scene.touchscreen()
    scene.start(presenter, screen)
    before = time.time()
    presenter.press()
    scene.counts_to(1)
    screen.tap()
    scene.counts_to(2)
    screen.swipe_down()
    scene.counts_to(1)
    counts = scene.core.counts()
    causes = [(event["change"], event["cause"]["device"], event["cause"]["gesture"]) for event in counts]
    expected = [
        (1, "Logitech USB Receiver", "press"),
        (1, "Plain Touchscreen", "tap"),
        (-1, "Plain Touchscreen", "swipe-down"),
    ]
    equal(causes, expected, "the causes")
    for event in counts:
        # The time is that of the gesture itself, from the kernel's other clock; a second is ample for the difference.
        if not before - 1 <= event["time"] / 1e6 <= time.time() + 1:
            raise AssertionError(f"a count is said to have been made at {event['time']}")


def test_watch(scene):
    """A watcher is told the state first and then every change in order, with its cause."""
    presenter, screen = scene.presenter(), scene.touchscreen()
    scene.start(presenter, screen)
    presenter.press()
    scene.counts_to(1)
    watch = scene.watch()
    state = watch.next()
    equal([(c["name"], c["value"]) for c in state["counters"]], [("count", 1)], "the state")
    for _ in range(5):
        screen.tap()
    screen.swipe_down()
    changes = [watch.next()["event"] for _ in range(6)]
    equal([event["value"] for event in changes], [2, 3, 4, 5, 6, 5], "the values")
    equal([event["cause"]["gesture"] for event in changes], ["tap"] * 5 + ["swipe-down"], "the gestures")
    sequences = [event["sequence"] for event in changes]
    equal(sequences, list(range(sequences[0], sequences[0] + 6)), "the sequence numbers")


def test_autorepeat(scene):
    """A key that is held counts once, however often the kernel repeats it."""
    pedal = scene.pedal()
    scene.start(pedal)
    other = Other(pedal)
    pedal.down()
    repeats = 0

    def repeated():
        nonlocal repeats
        repeats += sum(value == 2 for _, value in other.keys)
        return repeats >= 5

    eventually(repeated, "the kernel has repeated the key")
    pedal.up()
    other.close()
    pedal.press()
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_several_devices_at_once(scene):
    """Presses on several devices at once are all counted."""
    devices = [scene.presenter() for _ in range(4)]
    scene.start(*devices)
    for _ in range(25):
        for device in devices:
            device.press()
        scene.daemon.catch_up()
    scene.counts_to(100)
    equal(len(scene.core.counts()), 100, "the number of counts")
