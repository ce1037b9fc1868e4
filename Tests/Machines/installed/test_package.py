"""What the Debian package does with devices; Tests/Machines/Container has its other tests."""

from pathlib import Path

from kit import motion
from kit.feedback import CAN_SHINE, pad
from kit.machine import values, wait_for
from kit.package import GESTURES, Packages, dpkg, package
from kit.wait import becomes
from tests.test_accelerometer import BOUND


def test_devices(scene):
    """A presenter, a sensor and a light that were there before the package was installed count and answer right after it, and
    are given back when it is purged."""
    presenter, sensor, own = scene.presenter(), scene.hid_sensor(), pad(scene, CAN_SHINE)
    light = own.kernel_light
    with Packages():
        GESTURES.parent.mkdir(exist_ok=True)
        GESTURES.write_text(f'led = "{light.name}"\n{BOUND}')
        dpkg("--install", package())
        wait_for(presenter)
        wait_for(sensor)
        becomes(lambda: [(light / name).group() for name in ("trigger", "brightness")], ["tallymark-input"] * 2, "the light's")
        answers = lambda: [value for _, (_, value) in own.lights]
        own.lights.clear()
        presenter.press()
        becomes(values, {"count": 1}, "the counters after a press")
        becomes(answers, [1, 0], "the light")
        own.lights.clear()
        sensor.play(motion.rest, 1)
        sensor.shake()
        becomes(values, {"count": 2}, "the counters after a shake")
        becomes(answers, [1, 0], "the light")
        dpkg("--purge", "tallymark")
        becomes(lambda: Path(presenter.node).group(), "input", "whose the presenter is after a purge")
