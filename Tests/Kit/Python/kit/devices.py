"""Input devices made through uinput, which reach programs as real ones do: kernel, udev, event node."""

import fcntl
import os
import struct
import time
from pathlib import Path

from evdev import AbsInfo, UInput, ecodes as e

from kit.wait import eventually

# What follows an edge of a key sooner than 12 ms is taken for the switch's bouncing.
UNBOUNCED = 0.02
# A finger that is back where it lifted sooner than 48 ms is taken for one that never lifted.
UNDROPPED = 0.055

UI_GET_SYSNAME = 0x8040552C  # _IOC(_IOC_READ, 'U', 44, 64)


def seen_by_udev(number):
    """When udev saw the device of this number, in seconds of CLOCK_MONOTONIC; 0 if it has not. Under load it may not yet
    have forgotten a former device of the same number."""
    try:
        entry = Path(f"/run/udev/data/c{number}").read_text()
    except FileNotFoundError:
        return 0
    return next((int(line[2:]) / 1e6 for line in entry.splitlines() if line.startswith("I:")), 0)


class Device(UInput):
    """A device that exists until it is closed. Leaving out its udev properties, it is what a USB one would be."""

    def __init__(self, name, vendor, product, events, properties=(), bus=e.BUS_USB):
        made = time.monotonic()
        super().__init__(events, name, vendor, product, bustype=bus, input_props=properties)
        self.attend()
        sysname = fcntl.ioctl(self.fd, UI_GET_SYSNAME, bytes(64)).rstrip(b"\0").decode()
        folder = Path("/sys/devices/virtual/input") / sysname
        self.node = "/dev/input/" + next(folder.glob("event*")).name
        number = (folder / Path(self.node).name / "dev").read_text().strip()
        eventually(lambda: seen_by_udev(number) > made, f"udev has seen {name}")

    def attend(self):
        """Begins to answer, where there is something to answer: whoever asks a device is held up until it does."""

    def _find_device(self):
        # Nobody but the programs under test opens the node.
        return None

    def frames(self, *frames):
        """Injects frames, each a list of (type, code, value), in one write: no scheduler stretches a gesture."""
        events = []
        for frame in frames:
            events += [*frame, (e.EV_SYN, e.SYN_REPORT, 0)]
        os.write(self.fd, b"".join(struct.pack("llHHi", 0, 0, *event) for event in events))


class Keys(Device):
    """A device with keys."""

    def __init__(self, name, vendor, product, keys):
        super().__init__(name, vendor, product, {e.EV_KEY: keys})

    def down(self, key):
        self.frames([(e.EV_KEY, key, 1)])

    def up(self, key):
        self.frames([(e.EV_KEY, key, 0)])

    def press(self, key=e.KEY_PAGEDOWN):
        self.frames([(e.EV_KEY, key, 1)], [(e.EV_KEY, key, 0)])
        time.sleep(UNBOUNCED)


def presenter():
    """A Logitech R400: a known clicker that pages down and up."""
    keys = [e.KEY_PAGEDOWN, e.KEY_PAGEUP, e.KEY_F5, e.KEY_ESC, e.KEY_DOT]
    return Keys("Logitech USB Receiver", 0x046D, 0xC52D, keys)


def keyboard():
    """A keyboard that nobody means to count with."""
    return Keys("Plain Keyboard", 0x1234, 0x5678, list(range(1, 128)))


class Touchscreen(Device):
    """A touchscreen of type B that states no size, as many do."""

    RANGE = 4095
    KEYS = [e.BTN_TOUCH]

    def __init__(self):
        axis = AbsInfo(0, 0, self.RANGE, 0, 0, 0)
        super().__init__(
            "Plain Touchscreen",
            0x1234,
            0x9ABC,
            {
                e.EV_KEY: self.KEYS,
                e.EV_ABS: [
                    (e.ABS_X, axis),
                    (e.ABS_Y, axis),
                    (e.ABS_MT_SLOT, AbsInfo(0, 0, 9, 0, 0, 0)),
                    (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0)),
                    (e.ABS_MT_POSITION_X, axis),
                    (e.ABS_MT_POSITION_Y, axis),
                ],
            },
            properties=[e.INPUT_PROP_DIRECT],
        )
        self.tracking = 0

    def _position(self, x, y):
        x, y = round(x * self.RANGE), round(y * self.RANGE)
        return [
            (e.EV_ABS, e.ABS_MT_POSITION_X, x),
            (e.EV_ABS, e.ABS_MT_POSITION_Y, y),
            (e.EV_ABS, e.ABS_X, x),
            (e.EV_ABS, e.ABS_Y, y),
        ]

    def landing(self, x, y):
        self.tracking += 1
        contact = [(e.EV_ABS, e.ABS_MT_SLOT, 0), (e.EV_ABS, e.ABS_MT_TRACKING_ID, self.tracking)]
        return [*contact, *self._position(x, y), (e.EV_KEY, e.BTN_TOUCH, 1)]

    lifting = [(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1), (e.EV_KEY, e.BTN_TOUCH, 0)]

    def land(self, x=0.5, y=0.5):
        self.frames(self.landing(x, y))

    def land_second(self, x, y):
        second = [(e.EV_ABS, e.ABS_MT_SLOT, 1), (e.EV_ABS, e.ABS_MT_TRACKING_ID, self.tracking + 1)]
        self.tracking += 1
        self.frames([*second, *self._position(x, y)])

    def lift_second(self):
        self.frames([(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1), (e.EV_ABS, e.ABS_MT_SLOT, 0)])

    def move(self, x, y):
        self.frames(self._position(x, y))

    def lift(self):
        self.frames(self.lifting)

    def tap(self, x=0.5, y=0.5):
        self.frames(self.landing(x, y), self.lifting)
        time.sleep(UNDROPPED)

    def swipe(self, start, end):
        """One finger goes from start to end, both in fractions of the screen."""
        way = [tuple(a + (b - a) * step / 10 for a, b in zip(start, end)) for step in range(1, 11)]
        self.frames(self.landing(*start), *(self._position(*place) for place in way), self.lifting)
        time.sleep(UNDROPPED)

    def swipe_down(self):
        self.swipe((0.5, 0.3), (0.5, 0.7))

    def swipe_up(self):
        self.swipe((0.5, 0.7), (0.5, 0.3))

    def swipe_left(self):
        self.swipe((0.7, 0.5), (0.3, 0.5))

    def swipe_right(self):
        self.swipe((0.3, 0.5), (0.7, 0.5))
