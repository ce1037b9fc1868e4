"""Motion sensors of the kernel's IIO subsystem, and those of game controllers."""

import os
import time

from kit import motion
from kit.configuration import SHAKE
from kit.feedback import CAN_VIBRATE, Answering
from kit.scene import without_rights
from kit.wait import becomes, equal, eventually


def start(scene, sensor, configuration=SHAKE):
    """Starts core and daemon, and waits until the sensor is in use."""
    scene.core.start()
    scene.daemon.start(configuration)
    eventually(lambda: "in use" in scene.daemon.log.read_text(), f"{sensor.node} is in use")


def reads_buffer(scene, sensor):
    return sensor.node in scene.daemon.open_files()


def test_shakes_count_once(scene):
    """Each shake of a HID sensor, gentle or long, arrives once at the socket, with the time at which it was made."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    equal(reads_buffer(scene, sensor), True, "whether its buffer is read")
    sensor.shake()
    sensor.shake(strength=16, frequency=3, axis=(0, 0, 1), seed=2)
    sensor.shake(strength=45, frequency=6, swings=5, axis=(-0.6, 0.8, 0), seed=3)
    sensor.shake(swings=14, seed=4)
    scene.counts_to(4)
    # Whatever would count too often has had its time.
    sensor.play(motion.rest, 1.5)
    counts = scene.core.counts()
    equal([count["cause"]["gesture"] for count in counts], ["shake"] * 4, "what was done")
    equal({count["cause"]["device"] for count in counts}, {"accel_3d"}, "with what")
    equal(scene.core.value(), 4, "the counter")


def test_recorded_shakes(scene):
    """What was recorded of real devices counts as it should: a shake cut out of continuous shaking once, a punch not."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    sensor.play(*motion.recording("nano/punch_00.csv", 0, 60))
    for begin in (4.0, 10.0):
        sensor.play(*motion.recording("st/asset_shake.csv", begin, 1.5))
    sensor.play(*motion.recording("st/mobile_walking.csv", 5, 8))
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_only_a_bound_sensor_is_powered(scene):
    """A sensor is switched on when a shake is bound, and off when none is bound any more."""
    sensor = scene.hid_sensor()
    scene.core.start()
    scene.daemon.start()
    screen = scene.touchscreen()
    scene.daemon.use(screen)
    equal(sensor.is_powered, False, "whether the sensor is powered")
    equal(scene.daemon.devices()[sensor.node]["used"], False, "whether it is used")
    scene.daemon.configuration.write_text(SHAKE)
    eventually(lambda: sensor.is_powered, "the sensor is switched on")
    equal(scene.daemon.devices()[sensor.node]["used"], True, "whether it is used")
    sensor.shake()
    scene.counts_to(1)
    scene.daemon.configuration.write_text("")
    eventually(lambda: not reads_buffer(scene, sensor), "the sensor is let go")
    eventually(lambda: not sensor.is_powered, "the sensor is switched off")


def test_wake_ups_at_rest(scene):
    """A quiet sensor wakes the daemon at most 25 times a second, and gives 100 samples in it."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    equal((sensor.folder / "in_accel_sampling_frequency").read_text().strip().split(".")[0], "100", "the rate in Hz")
    equal((sensor.folder / "current_timestamp_clock").read_text().split()[0], "boottime", "the clock of the stamps")
    time.sleep(1)

    def measure():
        before, begun = scene.daemon.wakeups, time.monotonic()
        time.sleep(5)
        return (scene.daemon.wakeups - before) / (time.monotonic() - begun)

    # Being interrupted by other programs counts as well, which a busy machine may do at any time.
    rate = next((rate for rate in (measure() for _ in range(4)) if rate <= 25.5), None) or measure()
    print(f"        {rate:.1f} wake-ups a second at rest", flush=True)
    if rate > 25.5:
        raise AssertionError(f"it wakes {rate:.1f} times a second")


def test_unplugged_in_mid_shake(scene):
    """A sensor that is unplugged while it is shaken counts nothing, and counts again when it is back."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    # Two strokes are no shake yet.
    felt, _ = motion.shake()
    sensor.begin(felt, 1.25)
    time.sleep(1.25)
    sensor.close()
    eventually(lambda: "is gone" in scene.daemon.log.read_text(), "it has noticed")
    sensor = scene.hid_sensor()
    eventually(lambda: reads_buffer(scene, sensor), "it is in use again")
    sensor.play(motion.rest, 1)
    sensor.shake()
    scene.counts_to(1)
    equal(len(scene.core.counts()), 1, "the number of counts")


def test_buffer_switched_off(scene):
    """Another program that switches the buffer off is noticed, named once, and does not end the counting."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    for count in (1, 2):
        (sensor.folder / "buffer/enable").write_text("0")
        becomes(lambda: (sensor.folder / "buffer/enable").read_text().strip(), "1", "the buffer is on again")
        sensor.play(motion.rest, 1)
        sensor.shake()
        scene.counts_to(count)
    equal(scene.daemon.log.read_text().count("switched its buffer off"), 1, "how often that was said")


def test_buffer_of_another(scene):
    """A buffer that another program uses is left alone; the sensor is asked for its values, and shakes count."""
    sensor = scene.hid_sensor()
    other = os.open(sensor.node, os.O_RDONLY | os.O_NONBLOCK)
    for file in sensor.folder.glob("scan_elements/in_accel_*_en"):
        file.write_text("1")
    (sensor.folder / "buffer/enable").write_text("1")
    try:
        start(scene, sensor, SHAKE)
        eventually(lambda: "another program uses its buffer" in scene.daemon.log.read_text(), "it has said why")
    except AssertionError:
        os.close(other)
        raise
    equal((sensor.folder / "buffer/enable").read_text().strip(), "1", "whether the buffer is on")
    sensor.play(motion.rest, 3)
    sensor.shake(frequency=3)
    scene.counts_to(1)
    os.close(other)
    equal((sensor.folder / "buffer/length").read_text().strip(), "2", "the other program's length of the buffer")


def test_left_behind_by_a_kill(scene):
    """A daemon that was killed left the buffer on; the next one takes it for its own."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    scene.daemon.kill()
    equal((sensor.folder / "buffer/enable").read_text().strip(), "1", "whether the buffer is still on")
    scene.daemon.start(SHAKE)
    eventually(lambda: reads_buffer(scene, sensor), "the buffer is read")
    sensor.play(motion.rest, 1)
    sensor.shake()
    scene.counts_to(1)


def test_sensor_without_a_trigger(scene):
    """A sensor that can only be asked, on an I²C bus, counts as well."""
    sensor = scene.stub_sensor()
    start(scene, sensor)
    sensor.play(motion.rest, 3)
    sensor.shake(strength=20)
    sensor.shake(strength=26, frequency=5, seed=2)
    scene.counts_to(2)
    sensor.play(motion.rest, 1)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_controller(scene):
    """The accelerometer of a game controller counts where the controller is named, and is left alone where not."""
    named, other = scene.controller_sensor(), scene.controller_sensor("Other Motion Sensors")
    scene.core.start()
    scene.daemon.start('[[device]]\nname = "Test Controller*"\n')
    eventually(lambda: scene.daemon.has_opened(named), "the controller is in use")
    equal(scene.daemon.has_opened(other), False, "whether the other one is open")
    named.play(motion.rest, 1)
    named.shake()
    other.shake()
    named.shake(seed=3)
    scene.counts_to(2)
    equal(len(scene.core.counts()), 2, "the number of counts")


def test_own_vibration(scene):
    """The motor that answers a count makes no shake, however much it is felt as one; a hand after it does."""
    sensor, keys = scene.hid_sensor(), scene.presenter()
    sensor.motor = scene.keep(Answering("gpio-vibrator", CAN_VIBRATE))
    start(scene, sensor, 'motor = "gpio-*"\n' + SHAKE + '[[feedback]]\non = "added"\nvibrate = [1.5]\n')
    scene.daemon.use(keys)
    sensor.motor.is_taught()
    sensor.play(motion.rest, 1)
    for number in range(1, 4):
        keys.press()
        becomes(lambda: len(sensor.motor.pulses), number, "pulses")
        eventually(lambda: not sensor.motor.vibrates, "the motor stops")
        sensor.play(motion.rest, 0.6)
        equal(scene.core.value(), number, "the counter after the motor")
    keys.press()
    becomes(lambda: len(sensor.motor.pulses), 4, "pulses")
    eventually(lambda: not sensor.motor.vibrates, "the motor stops")
    # It begins 0.3 s after the motor has stopped.
    sensor.play(*motion.shake(start=0.3, swings=6))
    scene.counts_to(5)
    equal([count["cause"]["gesture"] for count in scene.core.counts()], ["press KEY_PAGEDOWN"] * 4 + ["shake"], "what was counted")


@without_rights
def test_without_permission(scene):
    """Who may not use a sensor is told so once, and what mends it; the sensor is asked for its values meanwhile."""
    sensor = scene.hid_sensor()
    start(scene, sensor)
    log = scene.daemon.log.read_text()
    equal(log.count("./tallymark_*.deb"), 1, "how often it is said what mends it")
    sensor.play(motion.rest, 3)
    sensor.shake(frequency=3)
    scene.counts_to(1)
