"""Learning a device: recorded, replayed, watched, and taught."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from evdev import ecodes as e

from kit import ROOT
from kit.configuration import GRABBED
from kit.devices import UNBOUNCED, Device
from kit.other import Other
from kit.programs import PROGRAMS
from kit.scene import without_rights
from kit.terminal import Terminal
from kit.wait import becomes, equal, eventually


class Recorder:
    """`tally-input record`, into a file."""

    def __init__(self, file, device, environment=None):
        self.log = file.with_suffix(".log")
        self.process = subprocess.Popen(
            [PROGRAMS / "tally-inputd", "record", device], stdout=file.open("w"), stderr=self.log.open("w"),
            env={**os.environ, **(environment or {})},
        )
        eventually(lambda: "Recording" in self.log.read_text(), "it records")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        equal(self.process.wait(30), 0, "the status of the recorder")


def replay(scene, file):
    answer = scene.daemon.run("replay", "--as-fast-as-possible", file)
    equal((answer.returncode, answer.stderr), (0, ""), "the status of the replay, and its complaints")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_recorded_and_replayed(scene):
    """What was recorded gives the same gestures when it is replayed, from what the recording says of the device alone."""
    screen = scene.touchscreen()
    file = scene.folder / "screen.evemu"
    recorder = Recorder(file, screen.node)
    screen.tap(0.25, 0.75)
    screen.swipe_down()
    recorder.end()
    gestures = replay(scene, file)
    equal([gesture["gesture"] for gesture in gestures], ["tap", "swipe-down"], "the gestures")
    equal([gesture.get("action") for gesture in gestures], ["add", "subtract"], "what they do")
    equal((round(gestures[0]["x"], 2), round(gestures[0]["y"], 2)), (0.25, 0.75), "where the tap was")
    times = [gesture["time"] for gesture in gestures]
    if not 0 <= times[0] <= times[1] < 60:
        raise AssertionError(f"the times are {times}")


def test_recorded_beside_the_daemon(scene):
    """A device in use is recorded beside the daemon, which counts on; replayed, the recording does the same."""
    presenter = scene.presenter()
    scene.start(presenter)
    file = scene.folder / "presenter.evemu"
    recorder = Recorder(file, "046d:c52d")
    for _ in range(5):
        presenter.press()
    scene.counts_to(5)
    recorder.end()
    equal([line["action"] for line in replay(scene, file)], ["add"] * 5, "what was recorded")


def test_recorded_with_a_finger_down(scene):
    """A key that is held when the recording begins is no press in it."""
    presenter = scene.presenter()
    presenter.down(e.KEY_PAGEDOWN)
    file = scene.folder / "held.evemu"
    recorder = Recorder(file, presenter.node)
    presenter.up(e.KEY_PAGEDOWN)
    time.sleep(UNBOUNCED)
    presenter.press()
    recorder.end()
    equal(len(replay(scene, file)), 1, "the number of presses")


def test_keyboards_are_not_recorded(scene):
    """A keyboard is recorded only if it is named by its path."""
    keyboard = scene.keyboard()
    for word in ["Plain*", "1234:5678", keyboard.node.rpartition("/")[2]]:
        answer = scene.daemon.run("record", word)
        equal((answer.returncode, answer.stdout), (64, ""), f"the answer to record {word}")
    recorder = Recorder(scene.folder / "keyboard.evemu", keyboard.node)
    recorder.end()


def test_evemu_reads_recordings(scene):
    """evemu's own tools make the device out of a recording, and play it to the daemon, which counts it."""
    scene.start()
    recording = ROOT / "Recordings/presenter.evemu"
    maker = subprocess.Popen(["evemu-device", recording], stdout=subprocess.PIPE, text=True)
    try:
        node = maker.stdout.readline().rpartition(" ")[2].strip()
        eventually(lambda: node in scene.daemon.open_nodes() and scene.daemon.is_idle, f"{node} is open")
        subprocess.run(["evemu-play", node], stdin=recording.open(), check=True)
        # Five add, and "back" subtracts.
        scene.counts_to(4)
    finally:
        maker.kill()
        maker.wait()


def test_tune(scene):
    """tune measures how somebody counts and double-taps, and says that the default interval tells them apart."""
    screen = scene.touchscreen()
    tune = scene.keep(Terminal("tune", screen.node))
    tune.expect("then stop")
    for _ in range(5):
        screen.tap()
        # Who pauses for 2.5 s has stopped counting.
        time.sleep(0.7)
    tune.expect("Now double-tap")
    for pair in range(1, 6):
        # Both in one moment: the machine's own pauses are none of a person's.
        screen.frames(*[frame for _ in range(2) for frame in (screen.landing(0.5, 0.5), screen.lifting)])
        tune.expect(f"{pair} of 5")
    tune.expect("Pauses while counting:")
    equal("nothing needs to be set" in tune.expect("set."), True, "whether it says so")
    equal(tune.ends(), 0, "the status")


def test_monitor(scene):
    """monitor shows a press beside a running daemon, and the lines that bind it."""
    pedal = scene.pedal()
    scene.start(pedal)
    monitor = scene.keep(Terminal("monitor", "--config", scene.daemon.configuration, "0c45:7403"))
    monitor.expect("Listening to")
    pedal.press()
    written = monitor.expect('do = "add"')
    for words in ["KEY_B down (scan code 70005)", "press of KEY_B → add", "below the [[device]]", "[[device.bind]]",
                  'gesture = "press"', 'key = "KEY_B"']:
        equal(words in written, True, f"whether {words} is in {written}")
    monitor.expect("KEY_B up")
    scene.counts_to(1)


def test_monitor_of_a_screen(scene):
    """monitor shows contacts as they land and lift, and swipes; what is typed on keyboards it leaves alone."""
    screen, keyboard = scene.touchscreen(), scene.keyboard()
    monitor = scene.keep(Terminal("monitor"))
    monitor.expect("Not listening to the keyboard")
    monitor.expect("Listening to")
    keyboard.press(e.KEY_A)
    screen.swipe_down()
    written = monitor.expect('gesture = "swipe-down"')
    equal("KEY_A" in written, False, "whether it shows what was typed")
    equal("contact 0 lands at 50 %, 30 %" in written, True, f"whether the contact lands in {written}")


def start_grabbing(scene, device):
    """Starts a daemon that holds the device and can pass on its events; gives another program that hears it."""
    scene.daemon.environment["XDG_RUNTIME_DIR"] = str(scene.folder)
    other = Other(device)
    scene.start(device, configuration=GRABBED)
    eventually(lambda: other.is_shut_out, "the device is taken")
    return other


def held(device):
    return f"{device.node.rpartition('/')[2]} is grabbed by tally-inputd; its events come from tally-inputd."


def test_monitor_of_a_device_that_is_taken(scene):
    """monitor says so where a program has a device for itself and passes nothing on."""
    presenter = scene.presenter()
    other = Other(presenter)
    other.grab()
    scene.daemon.configuration.write_text(GRABBED)
    monitor = scene.keep(Terminal("monitor", "--config", scene.daemon.configuration, "046d:c52d"))
    monitor.expect("is grabbed by another program, which passes nothing on")


def test_monitor_of_a_device_that_the_daemon_holds(scene):
    """monitor shows what the daemon passes on of a device that it holds, also after the daemon has started again."""
    presenter = scene.presenter()
    other = start_grabbing(scene, presenter)
    monitor = scene.keep(
        Terminal("monitor", "--config", scene.daemon.configuration, "046d:c52d", environment=scene.daemon.environment))
    monitor.expect(held(presenter))
    presenter.press()
    monitor.expect("press of KEY_PAGEDOWN → add")
    scene.counts_to(1)
    equal(other.keys, [], "what another program has heard")
    scene.daemon.stop()
    monitor.expect("does not pass on the events of")
    eventually(lambda: not other.is_shut_out, "the device is let go")
    # Meanwhile monitor hears the device itself.
    presenter.press(e.KEY_PAGEUP)
    monitor.expect("press of KEY_PAGEUP → subtract")
    scene.daemon.start(GRABBED)
    monitor.expect(held(presenter))
    presenter.press()
    monitor.expect("press of KEY_PAGEDOWN → add")
    scene.counts_to(2)
    time.sleep(1)
    equal(monitor.text.count("KEY_PAGEDOWN down"), 2, "how often monitor has shown the two presses")


def test_recorded_while_the_daemon_holds_it(scene):
    """A device that the daemon holds is recorded, and no other program hears it."""
    presenter = scene.presenter()
    other = start_grabbing(scene, presenter)
    file = scene.folder / "presenter.evemu"
    recorder = Recorder(file, "046d:c52d", scene.daemon.environment)
    equal(held(presenter) in recorder.log.read_text(), True, "whether it says so")
    for _ in range(5):
        presenter.press()
    scene.counts_to(5)
    recorder.end()
    equal([line["action"] for line in replay(scene, file)], ["add"] * 5, "what was recorded")
    equal(other.keys, [], "what another program has heard")


def test_recorded_without_a_session(scene):
    """Without a runtime folder, such as in a container, the daemon that holds a device passes its events on as well."""
    presenter = scene.presenter()
    for name in ["XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY"]:
        equal(scene.daemon.environment.get(name), None, name)
    other = Other(presenter)
    scene.start(presenter, configuration=GRABBED)
    eventually(lambda: other.is_shut_out, "the device is taken")
    recorder = Recorder(scene.folder / "presenter.evemu", "046d:c52d", scene.daemon.environment)
    equal(held(presenter) in recorder.log.read_text(), True, "whether it says so")
    recorder.end()


def test_nothing_waits_for_a_device_that_is_taken(scene):
    """learn says that nothing can be heard of a device, and record and tune end with that."""
    presenter = scene.presenter()
    other = Other(presenter)
    other.grab()
    scene.daemon.configuration.write_text(GRABBED)
    for command in ["record", "tune"]:
        ended = scene.keep(Terminal(command, presenter.node))
        ended.expect("is grabbed by another program, which passes nothing on")
        equal(ended.ends() != 0, True, f"whether {command} fails")
    learn = scene.keep(Terminal("learn", "--config", scene.daemon.configuration))
    learn.expect("is grabbed by another program, which passes nothing on")


def test_tune_while_the_daemon_holds_it(scene):
    """tune hears a device that the daemon holds."""
    presenter = scene.presenter()
    start_grabbing(scene, presenter)
    tune = scene.keep(Terminal("tune", presenter.node, environment=scene.daemon.environment))
    tune.expect(held(presenter))
    tune.expect("then stop")
    for _ in range(5):
        presenter.press()
        time.sleep(0.7)
    tune.expect("5 times. Now double-tap")


def test_learn_of_a_device_that_the_daemon_holds(scene):
    """learn hears the second key of a presenter that the daemon holds; what the daemon counted for it is taken back."""
    presenter = scene.presenter()
    start_grabbing(scene, presenter)
    presenter.press()
    scene.counts_to(1)
    learn = begin_learning(
        scene, "--config", scene.daemon.configuration, environment=scene.daemon.environment, first=held(presenter))
    presenter.press(e.KEY_PAGEUP)
    answer(learn, ("What should it do?", "subtract people"), ("Make it now?", ""), ("You are root", "no"))
    learn.expect("The gesture daemon counted it; that is taken back: count is 1.")
    learn.expect("Try it")
    becomes(lambda: "is in force" in scene.daemon.log.read_text(), True, "the daemon has taken it over")
    presenter.press(e.KEY_PAGEUP)
    learn.expect("press KEY_PAGEUP → people is -1, counted by the gesture daemon")
    equal(learn.ends(), 0, "the status")
    equal(scene.core.value("count"), 1, "the former counter")


def begin_learning(scene, *options, environment=None, first=None):
    """`tally-input learn`, that waits for something to be pressed, and has said `first` before."""
    learn = scene.keep(Terminal("learn", "--socket", scene.core.socket, *options, environment=environment))
    if first:
        learn.expect(first)
    learn.expect("Press the thing you want to count with")
    return learn


def answer(learn, *answers):
    """Answers one question after the other, each given as words of it and what is typed."""
    for question, line in answers:
        learn.expect(question)
        learn.expect("> ")
        learn.type(line)


def test_learn(scene):
    """learn asks for a press and what it should do, writes it beside the comments, and tries it; the daemon follows.
    The pedal types a letter, which no other program sees from then on; root is offered the rule for the others."""
    pedal = scene.pedal()
    scene.start(pedal, configuration="# my own words\n")
    scene.core.call("Create", name="people")
    learn = begin_learning(scene, "--config", scene.daemon.configuration)
    pedal.press()
    answer(learn, ("What should it do?", "ad people"), ('did you mean "add"', "add peopel 2"),
           ("Did you mean “people”?", ""), ("say again", "add people 2"), ("as if it were typed", ""), ("You are root", ""))
    learn.expect("Try it")
    becomes(lambda: "is in force" in scene.daemon.log.read_text(), True, "the daemon has taken it over")
    # The first press counted by the defaults.
    counted = scene.core.value("people")
    # The daemon has taken it, so it is the daemon's count that learn tells of.
    scene.daemon.catch_up()
    pedal.press()
    learn.expect(f"press KEY_B → people is {counted + 2}, counted by the gesture daemon")
    equal(learn.ends(), 0, "the status")
    scene.counts_to(counted + 2, "people")
    text = scene.daemon.configuration.read_text()
    equal(text.startswith("# my own words\n"), True, f"whether the comment is there in {text}")
    equal("grab = true" in text, True, f"whether it is taken in {text}")
    rules = Path("/etc/udev/rules.d/70-tallymark-learned.rules").read_text()
    for words in ['ATTRS{id/product}=="7403"', 'ATTRS{name}=="RDing FootSwitch1F1."', "ID_PATH", 'MODE="0640"']:
        equal(words in rules, True, f"whether {words} is in {rules}")


def test_learn_a_scan_code(scene):
    """A button that sends only a scan code, to which the system gives no key, is bound by that code."""
    remote = scene.keep(Device("Camera remote", 0x1234, 0x00C8, {e.EV_KEY: [e.KEY_VOLUMEUP], e.EV_MSC: [e.MSC_SCAN]}))
    press = [(e.EV_MSC, e.MSC_SCAN, 0xC00E9)]
    scene.start(remote, configuration='[[device]]\nname = "Camera remote"\n')
    scene.core.call("Create", name="photos")
    learn = begin_learning(scene, "--config", scene.daemon.configuration)
    remote.frames(press)
    learn.expect("press of scan code 0xc00e9")
    answer(learn, ("What should it do?", "add photos"), ("You are root", "no"))
    learn.expect("Try it")
    becomes(lambda: "is in force" in scene.daemon.log.read_text(), True, "the daemon has taken it over")
    remote.frames(press)
    learn.expect(" → ")
    equal(learn.ends(), 0, "the status")
    scene.counts_to(1, "photos")
    equal("scan = 0xc00e9" in scene.daemon.configuration.read_text(), True, "whether the code is bound")


def test_learn_a_place(scene):
    """On a screen learn asks which part of it is meant, and makes the counter that is missing."""
    screen = scene.touchscreen()
    scene.core.start()
    file = scene.folder / "mine.toml"
    learn = begin_learning(scene, "--config", file)
    screen.tap(0.9, 0.2)
    answer(learn, ("Where on the screen?", "3x4"), ("What should it do?", "add cars"),
           ("There is no counter “cars” yet. Make it now?", ""), ("You are root", "no"))
    learn.expect("Try it")
    screen.tap(0.1, 0.2)
    screen.tap(0.8, 0.1)
    equal("tap at 10 %" in learn.expect("→ add cars"), False, "whether a tap elsewhere is meant, too")
    equal(learn.ends(), 0, "the status")
    text = file.read_text()
    equal("grid = [3, 4]" in text and "cell = [3, 1]" in text, True, f"whether the cell is in {text}")
    equal(scene.core.value("cars"), 0, "the new counter")


def test_learn_again(scene):
    """What is learnt a second time replaces what the press did before, on its line."""
    presenter = scene.presenter()
    file = scene.folder / "mine.toml"
    for action in ["add", "subtract"]:
        learn = begin_learning(scene, "--config", file)
        presenter.press()
        answer(learn, ("What should it do?", action), ("as if it were typed", "no"), ("You are root", "no"))
        learn.expect("Try it")
        presenter.press()
        equal(learn.ends(), 0, "the status")
    text = file.read_text()
    equal((text.count("[[device]]"), text.count("do =")), (1, 1), f"the devices and bindings in {text}")
    equal('do = "subtract"' in text, True, f"whether it subtracts in {text}")


@without_rights
def test_learn_without_permission(scene):
    """Without permission learn says what it may not read, and the command that listens to it."""
    scene.presenter()
    answer = scene.daemon.run("learn", "--config", scene.folder / "mine.toml")
    equal(answer.returncode, 1, "the status")
    for words in ["Logitech USB Receiver (/dev/input/event", "sudo tally-input learn --config /"]:
        equal(words in answer.stdout, True, f"whether {words} is in {answer.stdout}")
