"""What a device answers when a gesture has been recorded."""

import os
import subprocess
import time

from evdev import ecodes as e

from kit.feedback import CAN_BUZZ, CAN_SHINE, CAN_VIBRATE, DOUBLE, LONG, PAD, PLAYED, SHORT, TRIPLE, pad, vibrates
from kit.scene import without_rights
from kit.wait import becomes, equal, eventually


def test_each_thing_feels_otherwise(scene):
    """The device that made the gesture vibrates once for up, twice for down, three times for what was taken back, and
    otherwise for a reset."""
    own, other = pad(scene), pad(scene, name="Pad of somebody else")
    scene.start(own, other, configuration=PAD)
    scene.core.call("Create", name="count")
    own.is_taught()
    own.press()
    vibrates(own, SHORT, "pulses for adding")
    own.press(e.BTN_EAST)
    vibrates(own, DOUBLE, "pulses for taking off")
    own.press(e.BTN_NORTH)
    vibrates(own, TRIPLE, "pulses for undoing")
    own.press(e.BTN_WEST)
    becomes(own.lengths, [60, 300], "pulses for asking for a reset")
    # At once: who asks again after 3 s has asked once more.
    own.press(e.BTN_WEST)
    vibrates(own, [60, 300, 300, 300], "pulses for asking for a reset, and for it")
    equal(other.pulses, [], "pulses of the other device")


def test_refusal_is_felt(scene):
    """What the core refuses is felt as one long pulse, and nothing is recorded."""
    own = pad(scene)
    scene.start(own, configuration=PAD)
    # There is nothing to undo.
    own.press(e.BTN_NORTH)
    vibrates(own, LONG, "pulses for a refusal")


def test_nothing_is_felt_before_it_is_recorded(scene):
    """While there is no core nothing is felt; when it has come, what it recorded is."""
    own = pad(scene)
    scene.start(own, configuration=PAD)
    own.press()
    vibrates(own, SHORT, "pulses for the first count")
    scene.core.stop()
    for _ in range(20):
        own.press()
        scene.daemon.catch_up()
    time.sleep(PLAYED)
    equal(own.pulses, [], "pulses without a core")
    scene.core.start()
    scene.counts_to(21)
    time.sleep(PLAYED)
    # However many waited, they are felt as no more than two.
    equal(len(own.pulses) in (1, 2), True, f"one or two pulses ({own.lengths()})")


def test_rules_of_the_configuration(scene):
    """Rhythm, light and tone follow the rules: for one counter, for all, for every third."""
    own = pad(scene, CAN_VIBRATE, CAN_SHINE, CAN_BUZZ)
    scene.start(own, configuration=PAD + """
        [[feedback]]
        on = "added"
        vibrate = [0.08, 0.05, 0.2]
        light = "short"
        tone = [880, 1320]

        [[feedback]]
        on = "subtracted"
        counter = "dogs"
        vibrate = false

        [[feedback]]
        on = "boundary"
        every = 3
        vibrate = "long"
    """)
    scene.core.call("Create", name="dogs", start=4)
    own.press()
    vibrates(own, [80, 200], "pulses for adding")
    lights = [what for _, what in own.lights]
    equal(lights, [(e.LED_SCROLLL, 1), (e.LED_SCROLLL, 0)], "the light")
    equal([what for _, what in own.tones], [880, 1320, 0], "the buzzer")
    (on, _), (off, _) = own.lights
    equal(off - on > 10_000_000, True, f"the light is on for a while ({off - on} ns)")
    own.press(e.BTN_EAST)
    vibrates(own, [], "pulses for taking off dogs")
    own.press()
    vibrates(own, [80, 200], "pulses for the fifth")
    own.press()
    vibrates(own, LONG, "pulses for the sixth")


def test_what_the_core_says_of_a_count(scene):
    """A goal and a limit of the counter are felt, and so is one of its boundaries where a rule speaks of them."""
    own = pad(scene)
    scene.start(own, configuration=PAD + '[[feedback]]\non = "boundary"\nvibrate = [0.15]\n')
    scene.core.call("Create", name="laps", target=3, every=2, maximum=4, limits="stop")
    for expected, what in ((SHORT, "one"), ([150], "a boundary"), ([300] * 3, "a goal"), ([150], "another boundary")):
        own.press()
        vibrates(own, expected, f"pulses for {what}")
    own.press()
    vibrates(own, LONG, "pulses for what the limit kept back")


def test_reload_changes_feedback(scene):
    """What is saved applies to feedback at once, lengths that the motor must be taught included."""
    own = pad(scene)
    scene.start(own, configuration=PAD)
    own.press()
    vibrates(own, SHORT, "pulses before")
    scene.daemon.configuration.write_text(PAD + '[[feedback]]\non = "added"\nvibrate = [0.123]\n')
    eventually(lambda: 123 in own.effects.values(), "the motor is taught the new length")
    own.press()
    vibrates(own, [123], "pulses after")


@without_rights
def test_missing_permission(scene):
    """A device that may be read but not written to counts; what mends it is said once, and then it vibrates."""
    own = pad(scene)
    os.chmod(own.node, 0o644)
    scene.start(own, configuration=PAD)
    for number in range(1, 4):
        own.press()
        scene.counts_to(number)
    # A permission may come late, so that it is missing is not said at once.
    eventually(lambda: "gives no feedback" in scene.daemon.log.read_text(), "the lack is said")
    time.sleep(0.5)
    log = scene.daemon.log.read_text()
    equal(log.count("gives no feedback"), 1, f"how often it is said: {log}")
    equal("./tallymark_*.deb" in log, True, f"whether what mends it is named: {log}")
    os.chmod(own.node, 0o666)
    own.is_taught()
    own.press()
    vibrates(own, SHORT, "pulses with permission")


def test_light_of_the_kernel(scene):
    """A light of /sys/class/leds is played by the kernel: rhythms with its pattern trigger, pulses with oneshot, and
    without either by switching it; afterwards it is as it was."""
    own = pad(scene, CAN_SHINE)
    light = own.kernel_light

    def in_force():
        return (light / "trigger").read_text().split("[")[1].split("]")[0]

    former = in_force()

    def shines(expected):
        becomes(lambda: [value for _, (code, value) in own.lights if code == e.LED_SCROLLL], expected, "the light")
        time.sleep(PLAYED)
        own.lights.clear()

    for trigger in ("none", "oneshot", "pattern"):
        if trigger != "none":
            subprocess.run(["modprobe", f"ledtrig-{trigger}"], check=True)
        scene.start(own, configuration=f'led = "{light.name}"\n' + PAD)
        becomes(in_force, trigger, "the trigger")
        time.sleep(0.3)
        own.lights.clear()
        own.press()
        shines([1, 0])
        own.press(e.BTN_EAST)
        shines([1, 0, 1, 0])
        scene.daemon.stop()
        equal(in_force(), former, "the trigger afterwards")
        scene.core.stop()


def test_devices_say_what_they_can(scene):
    """`tally-input devices` says what each device can answer with."""
    own, keys = pad(scene, CAN_VIBRATE, CAN_SHINE, CAN_BUZZ), scene.presenter()
    scene.daemon.configuration.write_text(PAD)
    devices = scene.daemon.devices()
    equal(devices[own.node]["feedback"], ["vibration", "light", "tone"], "what the pad can")
    equal(devices[keys.node]["feedback"], [], "what a presenter can")


def test_feedback_is_tried(scene):
    """`tally-input feedback` plays everything, and says what it means."""
    own = pad(scene)
    scene.daemon.configuration.write_text(PAD)
    answer = scene.daemon.run("feedback", "--config", scene.daemon.configuration, own.node)
    equal(answer.returncode, 0, f"its status ({answer.stderr})")
    equal(": added: vibrates short" in answer.stdout, True, answer.stdout)
    equal(own.lengths()[:3], [60, 60, 60], "the first pulses: added, subtracted")
    equal(own.effects, {}, "the effects afterwards")
    own.close()
    answer = scene.daemon.run("feedback", "--config", scene.daemon.configuration)
    equal((answer.returncode, "Nothing here gives feedback" in answer.stderr), (1, True), "what it says without any")
