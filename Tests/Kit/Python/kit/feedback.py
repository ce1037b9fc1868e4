"""Devices that can answer: a motor, lights and a buzzer whose every order is noted with the kernel's time stamp."""

import ctypes
import fcntl
import os
import select
import struct
import threading
import time
from pathlib import Path

from evdev import ecodes as e, ff

from kit.configuration import presses
from kit.devices import Device, UNBOUNCED
from kit.relay import DeliveryRelay
from kit.wait import becomes, equal, eventually

EVENT = struct.Struct("llHHi")

# linux/uinput.h: events of this type ask whoever made the device to take, or forget, an effect.
EV_UINPUT, UI_FF_UPLOAD, UI_FF_ERASE = 0x0101, 1, 2


def _request(direction, number, kind):
    """_IOWR('U', number, kind) or _IOW."""
    return direction << 30 | ctypes.sizeof(kind) << 16 | ord("U") << 8 | number


UI_BEGIN_FF_UPLOAD = _request(3, 200, ff.UInputUpload)
UI_END_FF_UPLOAD = _request(1, 201, ff.UInputUpload)
UI_BEGIN_FF_ERASE = _request(3, 202, ff.UInputErase)
UI_END_FF_ERASE = _request(1, 203, ff.UInputErase)

CAN_VIBRATE = {e.EV_FF: [e.FF_RUMBLE]}
CAN_SHINE = {e.EV_LED: [e.LED_SCROLLL, e.LED_CAPSL]}
CAN_BUZZ = {e.EV_SND: [e.SND_TONE]}


class Answering(Device):
    """A device with a few keys, or with none, and what it answers with.

    Its notes are pairs of the time in nanoseconds (CLOCK_MONOTONIC) and what it was told.
    """

    def __init__(self, name, *abilities, deaf=False, keys=(e.BTN_SOUTH, e.BTN_EAST, e.BTN_NORTH, e.BTN_WEST)):
        events = {e.EV_KEY: keys} if keys else {}
        for ability in abilities:
            events.update(ability)
        self.effects = {}
        self.pulses, self.lights, self.tones = [], [], []
        # Whether it never answers when it is taught something.
        self.deaf = deaf
        self.ended = False
        super().__init__(name, 0x1234, 0xFEED, events)

    def attend(self):
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        while not self.ended:
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.fd, 64 * EVENT.size)
            except (BlockingIOError, OSError):
                continue
            for event in EVENT.iter_unpack(data):
                self._note(*event)

    def _note(self, seconds, microseconds, kind, code, value):
        stamp = seconds * 1_000_000_000 + microseconds * 1000
        if kind == EV_UINPUT and not self.deaf:
            self._take(value) if code == UI_FF_UPLOAD else self._forget(value)
        elif kind == e.EV_FF and value > 0:
            self.pulses.append((stamp, self.effects.get(code)))
        elif kind == e.EV_LED:
            self.lights.append((stamp, (code, value)))
        elif kind == e.EV_SND:
            self.tones.append((stamp, value))

    def _take(self, request):
        upload = ff.UInputUpload(request_id=request)
        fcntl.ioctl(self.fd, UI_BEGIN_FF_UPLOAD, upload)
        self.effects[upload.effect.id] = upload.effect.ff_replay.length
        upload.retval = 0
        fcntl.ioctl(self.fd, UI_END_FF_UPLOAD, upload)

    def _forget(self, request):
        erase = ff.UInputErase(request_id=request)
        fcntl.ioctl(self.fd, UI_BEGIN_FF_ERASE, erase)
        self.effects.pop(erase.effect_id, None)
        erase.retval = 0
        fcntl.ioctl(self.fd, UI_END_FF_ERASE, erase)

    def press(self, key=e.BTN_SOUTH):
        self.frames([(e.EV_KEY, key, 1)], [(e.EV_KEY, key, 0)])
        time.sleep(UNBOUNCED)

    @property
    def kernel_light(self):
        """Its first light as the kernel shows it to everyone."""
        folder = Path("/sys/class/input") / Path(self.node).name / "device"
        return Path("/sys/class/leds") / next(folder.glob("*::scrolllock")).name

    @property
    def vibrates(self):
        """Whether its motor runs now."""
        now = time.monotonic_ns()
        return any(begun <= now < begun + length * 1_000_000 for begun, length in self.pulses)

    def lengths(self):
        """How long each pulse so far was, in milliseconds."""
        return [length for _, length in self.pulses]

    def is_taught(self):
        """Waits until it has been told of effects and nothing more comes."""
        def settled():
            # More than once: the daemon may be kept from its processor in the midst of them.
            looks = []
            for _ in range(3):
                looks.append(dict(self.effects))
                time.sleep(0.3)
            return looks[0] and all(look == self.effects for look in looks)
        eventually(settled, f"{self.name} has been taught its effects")

    def close(self):
        self.ended = True
        if self.fd > -1:
            self.thread.join()
        super().close()


PAD = presses('name = "Pad*"', BTN_SOUTH="add", BTN_EAST="subtract", BTN_NORTH="undo", BTN_WEST="reset")

SHORT, DOUBLE, TRIPLE, LONG = [60], [60] * 2, [60] * 3, [500]
# Longer than any rhythm and the pause after it.
PLAYED = 1.2


def pad(scene, *abilities, name="Pad", **options):
    return scene.keep(Answering(name, *(abilities or [CAN_VIBRATE]), **options))


def vibrates(pad, expected, what):
    """Waits for pulses since the last time, and that no more follow."""
    becomes(pad.lengths, expected, what)
    time.sleep(PLAYED)
    equal(pad.lengths(), expected, what)
    pad.pulses.clear()


def pulse_times(scene, count):
    """Microseconds from the acknowledgement of each of so many counts to the pulse that answers it."""
    own = scene.keep(Answering("Pad", CAN_VIBRATE))
    scene.core.start()
    relay = scene.keep(DeliveryRelay(scene.folder / "relay", scene.core))
    scene.daemon.deliver_to(relay)
    scene.daemon.start(presses('name = "Pad"', KEY_ANY="add"))
    scene.daemon.use(own)
    own.is_taught()
    for number in range(1, count + 1):
        own.press()
        becomes(lambda: len(own.pulses), number, "pulses")
        time.sleep(0.15)
    return [(pulse - told) / 1000 for told, (pulse, _) in zip(relay.acknowledgements, own.pulses)]
