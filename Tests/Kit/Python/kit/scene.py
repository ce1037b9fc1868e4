"""What a test plays in: a core, a gesture daemon and devices of its own, all gone when the test has ended."""

import os
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from kit import devices, sensors
from kit.pedal import Pedal
from kit.programs import Core, GestureDaemon
from kit.wait import becomes

NOBODY = 65534


def without_rights(test):
    """Marks a test whose programs run as a user with no rights at all."""
    test.user = NOBODY
    return test


class Scene:
    def __init__(self, user=None, parent="/run"):
        self.folder = Path(tempfile.mkdtemp(prefix="scene-", dir=parent))
        if user:
            os.chown(self.folder, user, user)
        self.core = Core(self.folder, user)
        self.daemon = GestureDaemon(self.folder, self.core, user)
        self.things = []

    def keep(self, thing):
        self.things.append(thing)
        return thing

    def pedal(self):
        return self.keep(Pedal())

    def presenter(self):
        return self.keep(devices.presenter())

    def keyboard(self):
        return self.keep(devices.keyboard())

    def touchscreen(self):
        return self.keep(devices.Touchscreen())

    def hid_sensor(self):
        return self.keep(sensors.HidSensor())

    def stub_sensor(self):
        return self.keep(sensors.StubSensor())

    def controller_sensor(self, *name):
        return self.keep(sensors.ControllerSensor(*name))

    def watch(self, **parameters):
        return self.keep(self.core.watch(**parameters))

    def start(self, *used, configuration=""):
        """Starts core and gesture daemon, and waits until the devices are in use."""
        self.core.start()
        self.daemon.start(configuration)
        self.daemon.use(*used)

    def counts_to(self, expected, name="count"):
        """Waits until a counter has a value."""
        becomes(lambda: self.core.value(name), expected, f"the counter {name}")

    def logs(self):
        """What the programs wrote, for a test that has failed."""
        for program in (self.core, self.daemon):
            if program.log.exists():
                yield program.name, program.log.read_text()

    def close(self):
        """Ends everything, whatever goes wrong with one of them."""
        with ExitStack() as ends:
            # The last one is called first.
            ends.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for end in (self.core.kill, self.daemon.kill, *(thing.close for thing in reversed(self.things))):
                ends.callback(end)
