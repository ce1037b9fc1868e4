"""Motors: what they are taught, when they run, and that nothing waits for them."""

import os
import statistics
import time

from evdev import ecodes as e

from kit.feedback import PAD, PLAYED, SHORT, pad, pulse_times, vibrates
from kit.wait import becomes, equal, eventually


def test_named_motor(scene):
    """A device without a motor is answered by the motor that the configuration names."""
    keys = scene.presenter()
    motor, other = pad(scene, name="gpio-vibrator"), pad(scene, name="other")
    scene.start(keys, configuration='motor = "gpio-*"\n')
    motor.is_taught()
    keys.press()
    vibrates(motor, SHORT, "pulses of the named motor")
    equal((other.pulses, other.effects), ([], {}), "what the other motor was told")


def test_effects_are_removed(scene):
    """The motor is taught once, and forgets everything when the daemon ends."""
    own = pad(scene)
    scene.start(own, configuration=PAD)
    own.is_taught()
    taught = dict(own.effects)
    for _ in range(3):
        own.press()
        time.sleep(0.2)
    equal(own.effects, taught, "the effects after some counts")
    scene.daemon.stop()
    becomes(lambda: own.effects, {}, "the effects after its end")


def test_killed_daemon_leaves_no_effects(scene):
    """The same when it is killed."""
    own = pad(scene)
    scene.start(own, configuration=PAD)
    own.is_taught()
    scene.daemon.kill()
    becomes(lambda: own.effects, {}, "the effects after its end")


def test_unplugged_while_vibrating(scene):
    """A device that is pulled out while it vibrates harms nothing, and answers when it is back."""
    for round in range(1, 4):
        own = pad(scene)
        scene.start(own, configuration=PAD + '[[feedback]]\non = "added"\nvibrate = [2.0, 0.1, 2.0]\n') \
            if round == 1 else scene.daemon.use(own)
        own.is_taught()
        own.press()
        becomes(own.lengths, [2000], "it vibrates")
        own.close()
        eventually(lambda: not scene.daemon.open_nodes(), "every node is closed")
    scene.counts_to(3)
    log = scene.daemon.log.read_text()
    equal("feedback" in log, False, f"whether something was said about feedback: {log}")


def test_deaf_motor_delays_no_count(scene):
    """A motor that never answers when it is taught holds up no count, neither its own nor others'."""
    deaf, keys = pad(scene, deaf=True), scene.presenter()
    scene.core.start()
    scene.daemon.start(PAD)
    scene.daemon.use(deaf, keys)
    started = time.monotonic()
    for number in range(1, 11):
        deaf.press()
        keys.press()
        scene.counts_to(2 * number)
    # The kernel would have it wait for 30 seconds.
    equal(time.monotonic() - started < 25, True, "whether they were counted while it waited")
    deaf.deaf = False


def test_flood(scene):
    """Hundreds of counts at once are felt as few pulses, and every one counts."""
    own = pad(scene)
    scene.start(own, configuration=PAD + "[timing]\nbounce = false\n")
    own.is_taught()
    for _ in range(60):
        own.frames(*[[(e.EV_KEY, e.BTN_SOUTH, value)] for _ in range(5) for value in (1, 0)])
        scene.daemon.catch_up()
    scene.counts_to(300)
    count = len(own.pulses)
    time.sleep(PLAYED)
    equal(len(own.pulses) - count <= 2, True, f"pulses after the flood ({len(own.pulses) - count})")


def test_time_from_acknowledgement_to_pulse(scene):
    """The pulse follows the acknowledgement of its count."""
    # On one processor, so that what is measured is not the emulator's waking of another one.
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {0})
    try:
        times = pulse_times(scene, 30)
    finally:
        os.sched_setaffinity(0, processors)
    equal((len(times), all(time > 0 for time in times)), (30, True), f"pulses after their acknowledgements: {times}")
    print(f"        from acknowledgement to pulse: median {statistics.median(times):.0f} µs, "
          f"longest {max(times):.0f} µs, of {len(times)}", flush=True)
