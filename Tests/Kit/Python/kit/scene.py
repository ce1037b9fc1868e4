"""A stage with a core, a gesture daemon and devices, in a virtual machine."""

import os

from kit import devices, sensors
from kit.core import Core
from kit.pedal import Pedal
from kit.programs import PROGRAMS, GestureDaemon, identity
from kit.stage import Stage
from kit.wait import becomes

NOBODY = 65534


def without_rights(test):
    """Marks a test whose programs run as a user with no rights at all."""
    test.user = NOBODY
    return test


class Scene(Stage):
    def __init__(self, user=None, parent="/run"):
        super().__init__(parent)
        if user:
            os.chown(self.folder, user, user)
        self.core = self.keep(Core(self.folder, PROGRAMS, **identity(user)))
        self.daemon = self.keep(GestureDaemon(self.folder, self.core, user))

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
