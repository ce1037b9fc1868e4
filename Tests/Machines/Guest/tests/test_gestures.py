"""From the device to the count: what each gesture does without any configuration."""

import time

from evdev import ecodes as e

from kit import devices
from kit.machine import LEARNED
from kit.other import Other
from kit.wait import becomes, equal, eventually


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
    """On a presenter "forward" adds one and "back" takes one off."""
    presenter = scene.presenter()
    scene.start(presenter)
    for count in [1, 2]:
        presenter.press(e.KEY_PAGEDOWN)
        scene.counts_to(count)
    presenter.press(e.KEY_PAGEUP)
    scene.counts_to(1)


def test_borrowed_ids(scene):
    """What is typed on keyboards and scanners with ids that clickers bear too counts nothing, and they are not opened; nor
    is a pedal that can type letters and that nobody named, and the log says which command has it count."""
    names = [
        ("Trust Wireless Keyboard", 0x1EA7, 0x0002), ("HID 413d:2107", 0x413D, 0x2107),
        ("HID 1a86:e026 Keyboard", 0x1A86, 0xE026), ("Tenx Foot Pedal/Thermometer", 0x1130, 0x660C),
        ("PCsensor FootSwitch Keyboard", 0x1A86, 0xE026), ("Logitech USB Receiver", 0x046D, 0xC52D)]
    keyboards = [scene.keep(devices.Keys(*name, list(range(1, 128)))) for name in names]
    presenter = scene.presenter()
    scene.start(presenter)
    for keyboard in keyboards:
        equal(scene.daemon.has_opened(keyboard), False, f"whether {keyboard.name} is open")
        for key in [e.KEY_H, e.KEY_E, e.KEY_L, e.KEY_L, e.KEY_O, e.KEY_ENTER]:
            keyboard.press(key)
    presenter.press()
    scene.counts_to(1)
    equal(len(scene.core.counts()), 1, "the number of counts")
    log = scene.daemon.log.read_text()
    for keyboard in keyboards[4:]:
        command = f"sudo tally-input use {keyboard.node.rpartition('/')[2]}"
        equal(log.count(command), 1, f"how often {command} is in {log}")


def test_touchscreens_nobody_spoke_of(scene):
    """Without a word of the configuration a touchscreen is not opened; `use touchscreens` says that word."""
    screen = scene.touchscreen()
    scene.core.start()
    scene.daemon.start("[touchscreens]\nuse = false\n")
    eventually(lambda: "sudo tally-input use touchscreens" in scene.daemon.log.read_text(), "the log says the command")
    equal(scene.daemon.has_opened(screen), False, "whether the screen is open")
    equal(scene.daemon.run("use", "touchscreens", "--config", scene.daemon.configuration).returncode, 0, "the status")
    scene.daemon.use(screen)
    screen.tap()
    scene.counts_to(1)


def test_used_by_one_command(scene):
    """`use` names a pedal that can type letters, takes its keys from other programs and writes a rule for it alone; a
    keyboard has to be named by its node."""
    pedal, keyboard = scene.pedal(), scene.keyboard()
    scene.core.start()
    scene.daemon.start("# FootSwitch: not named yet\n")
    use = lambda word: scene.daemon.run("use", word, "--config", scene.daemon.configuration)
    equal(use("1234:5678").returncode, 64, "the status for a keyboard by its id")
    answer = use("0c45:7403")
    equal((answer.returncode, answer.stderr), (0, ""), f"the status of {answer.stdout}")
    scene.daemon.use(pedal)
    pedal.press()
    scene.counts_to(1)
    equal("grab = true" in scene.daemon.configuration.read_text(), True, "whether its keys are taken")
    rules = LEARNED.read_text()
    for words in ['ATTRS{id/bustype}=="0003"', 'ATTRS{name}=="RDing FootSwitch1F1."', "ID_PATH", 'MODE="0640"']:
        equal(words in rules, True, f"whether {words} is in {rules}")
    equal("uaccess" in rules, False, f"whether the seat is in {rules}")
    equal("already" in use(pedal.node).stdout, True, "whether it says that the pedal is named")
    equal(use(keyboard.node).returncode, 0, "the status for a keyboard by its node")
    scene.daemon.use(keyboard)
    # Other tests are asked whether a rule is to be written.
    LEARNED.unlink()


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
    """The other three swipes and a stroke that comes back count nothing; each of two fingers is judged by itself."""
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
    # Gestures of one device come in order: whatever those had done would be there before this.
    screen.tap()
    scene.counts_to(2)
    screen.land(0.3, 0.3)
    time.sleep(0.3)
    screen.land_second(0.6, 0.3)
    screen.move(0.6, 0.8)
    screen.lift_second()
    scene.counts_to(1)
    # The finger that rested meanwhile was a slow tap.
    screen.lift()
    scene.counts_to(2)
    equal([event["change"] for event in scene.core.counts()], [1, 1, -1, 1], "what was counted")


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
    scene.core.call("Select", counter="dozens")
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
        (1, "Logitech USB Receiver", "press KEY_PAGEDOWN"),
        (1, "Plain Touchscreen", "tap"),
        (-1, "Plain Touchscreen", "swipe-down"),
    ]
    equal(causes, expected, "the causes")
    for event in counts:
        # The time is that of the gesture itself, from the kernel's other clock; a second is ample for the difference.
        if not before - 1 <= event["time"] / 1e6 <= time.time() + 1:
            raise AssertionError(f"a count is said to have been made at {event['time']}")


def test_several_actions(scene):
    """A substitution by one press: one step for an undo, and nothing at all if a part of it is refused."""
    presenter = scene.presenter()
    scene.start(presenter, configuration="""
        [[device]]
        id = "046d:c52d"
        [[device.bind]]
        gesture = "press"
        key = "KEY_PAGEDOWN"
        do = ["stop anna", "start bea"]
        [[device.bind]]
        gesture = "press"
        key = "KEY_F5"
        do = "next-group"
        """)
    for name in ("anna", "bea"):
        scene.core.call("Create", name=name, kind="stopwatch")
    scene.core.call("CreateGroup", name="goals")
    scene.core.call("Create", name="home", group="goals")
    scene.core.call("Start", counter="anna")

    def running():
        return [name for name in ("anna", "bea") if scene.core.call("Get", counter=name)["counter"].get("since")]

    presenter.press()
    becomes(running, ["bea"], "who plays")
    scene.core.call("Undo")
    equal(running(), ["anna"], "who plays after the undo")
    scene.core.call("Redo")
    equal(running(), ["bea"], "who plays after the redo")
    presenter.press()
    eventually(lambda: "The core refused “press KEY_PAGEDOWN”" in scene.daemon.log.read_text(), "the refusal is logged")
    equal(running(), ["bea"], "who plays after the refusal")
    presenter.press(e.KEY_F5)
    becomes(lambda: scene.core.call("Get")["counter"]["name"], "home", "the current counter")
    found = scene.core.call("History", gesture="press KEY_F5")["events"]
    equal([event["kind"] for event in found], ["selected"], "what that key did")


def test_a_default_that_is_taken_away(scene):
    """A binding to nothing takes one default away; why a touch gave nothing is in the log for who asks for it."""
    presenter, screen = scene.presenter(), scene.touchscreen()
    scene.daemon.environment["SYSTEMD_LOG_LEVEL"] = "debug"
    scene.start(presenter, screen, configuration="""
        [[device]]
        id = "046d:c52d"
        [[device.bind]]
        gesture = "press"
        key = "KEY_PAGEUP"
        do = "nothing"
        """)
    presenter.press(e.KEY_PAGEUP)
    screen.swipe((0.5, 0.5), (0.5, 0.58))
    presenter.press()
    scene.counts_to(1)
    equal(len(scene.core.counts()), 1, "the number of counts")
    eventually(lambda: "a touch was no gesture: it moved" in scene.daemon.log.read_text(), "the touch is logged")


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
