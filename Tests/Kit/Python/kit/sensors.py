"""Accelerometers: a HID sensor made through uhid and one on a stub of an I²C bus, which the kernel's own drivers turn into
IIO sensors, and a controller's made through uinput."""

import ctypes
import fcntl
import os
import select
import struct
import subprocess
import threading
import time
from pathlib import Path

from evdev import AbsInfo, ecodes as e

from kit import motion
from kit.devices import Device
from kit.wait import eventually

DEVICES = Path("/sys/bus/iio/devices")


class Mover:
    """Moves a sensor at the motion's true pace: each sample is what the sensor feels when the sample is taken."""

    RATE = 100

    def __init__(self):
        self._felt, self._begun, self._length = motion.rest, 0.0, 0.0
        # A motor that it feels.
        self.motor = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def feels(self):
        t = time.monotonic() - self._begun
        x, y, z = self._felt(t) if t < self._length else motion.rest(t)
        return x + (motion.rumble(time.monotonic()) if self.motor and self.motor.vibrates else 0), y, z

    def begin(self, felt, length):
        self._felt, self._begun, self._length = felt, time.monotonic(), length

    def play(self, felt, length):
        """Moves the sensor; returns when that is over."""
        self.begin(felt, length)
        time.sleep(length)

    def shake(self, times=1, **how):
        for _ in range(times):
            self.play(*motion.shake(**how))

    def _run(self):
        due = time.monotonic()
        while not self._stopped.is_set():
            self.sample(*self.feels())
            due = max(due + 1 / self.RATE, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))

    def sample(self, x, y, z):
        raise NotImplementedError

    def stop(self):
        self._stopped.set()
        self._thread.join()


def iio_folder(name):
    """The folder of the IIO sensor with this name; None where there is none."""
    for folder in DEVICES.glob("iio:device*"):
        try:
            if (folder / "name").read_text().strip() == name:
                return folder
        except OSError:
            pass
    return None


# include/uapi/linux/uhid.h
DESTROY, START, STOP, OPEN, CLOSE, OUTPUT = 1, 2, 3, 4, 5, 6
GET_REPORT, GET_REPORT_REPLY, CREATE2, INPUT2, SET_REPORT, SET_REPORT_REPLY = 9, 10, 11, 12, 13, 14
EVENT_SIZE = 4380

# The collection of an accelerometer with three axes of 32 bits in thousandths of g, after the kernel's
# drivers/hid/amd-sfh-hid/hid_descriptor/amd_sfh_hid_report_desc.h.
ACCELEROMETER = bytes.fromhex(
    "05200973a100850105200a16031500250575089501a1020a40080a41080a42080a43080a44080a4508b100c0"
    "0a19031500250575089501a1020a50080a51080a52080a53080a54080a5508b100c0"
    "0a01021500250675089501a1020a00080a01080a02080a03080a04080a05080a0608b100c0"
    "0a0e03150027ffffff7f752095015500b1020a5214150026ff7f75109501550db102"
    "05200a01021500250675089501a1020a00080a01080a02080a03080a04080a05080a06088100c0"
    "0a02021500250575089501a1020a10080a11080a12080a13080a14080a15088100c0"
    "0a5304170000018027ffffff7f75209501550d81020a5404170000018027ffffff7f75209501550d8102"
    "0a5504170000018027ffffff7f75209501550d8102c0"
)
FULL_POWER = 2


class HidSensor(Mover):
    """A HID accelerometer, plugged in when made: the kernel makes `accel_3d` of it, with a trigger of its own."""

    NAME = "accel_3d"

    def __init__(self):
        modules = ["uhid", "hid-sensor-hub", "hid-sensor-iio-common", "hid-sensor-trigger", "hid-sensor-accel-3d"]
        subprocess.run(["modprobe", "-a", *modules], check=True)
        self.is_powered = False
        self._feature = bytes([1, 1, 6, 1]) + struct.pack("<IH", 100, 0)
        self._fd = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        name, rest = b"Test Sensor".ljust(128, b"\0"), bytes(128)
        numbers = struct.pack("<HHIIII", len(ACCELEROMETER), e.BUS_USB, 0x1234, 0x5678, 0, 0)
        os.write(self._fd, struct.pack("<I", CREATE2) + name + rest + numbers + ACCELEROMETER.ljust(4096, b"\0"))
        self._answering = threading.Thread(target=self._answer, daemon=True)
        self._ended = threading.Event()
        self._answering.start()
        super().__init__()
        self.folder = eventually(lambda: iio_folder(self.NAME), "the kernel has made a sensor of it")
        self.node = f"/dev/{self.folder.name}"
        subprocess.run(["udevadm", "settle"], check=True)

    def _answer(self):
        while not self._ended.is_set():
            if not select.select([self._fd], [], [], 0.1)[0]:
                continue
            event = os.read(self._fd, EVENT_SIZE)
            try:
                self._answer_to(event)
            except OSError:
                pass  # The kernel is not waiting for it any more: the driver is going.

    def _answer_to(self, event):
        kind, request = struct.unpack_from("<II", event)
        if kind == GET_REPORT:
            answer = self._report() if event[9] == 2 else self._feature
            reply = struct.pack("<IIHH", GET_REPORT_REPLY, request, 0, len(answer)) + answer.ljust(4096, b"\0")
            os.write(self._fd, reply)
        elif kind == SET_REPORT:
            size = struct.unpack_from("<H", event, 10)[0]
            self._feature = event[12 : 12 + size]
            self.is_powered = self._feature[2] == FULL_POWER
            os.write(self._fd, struct.pack("<IIH", SET_REPORT_REPLY, request, 0))

    def _report(self):
        return bytes([1, 1, 3]) + struct.pack("<iii", *(round(a / motion.GRAVITY * 1000) for a in self.feels()))

    def sample(self, x, y, z):
        if self.is_powered:
            report = self._report()
            os.write(self._fd, struct.pack("<IH", INPUT2, len(report)) + report.ljust(4096, b"\0"))

    def close(self):
        """Unplugs it."""
        if self._ended.is_set():
            return
        self.stop()
        os.write(self._fd, struct.pack("<I", DESTROY))
        self._ended.set()
        self._answering.join()
        os.close(self._fd)
        eventually(lambda: iio_folder(self.NAME) is None, "the kernel has removed the sensor")


I2C_SLAVE_FORCE, I2C_SMBUS = 0x0706, 0x0720
SMBUS_WORD = 3


class StubSensor(Mover):
    """A KXCJ9-1008 on a stub of an I²C bus: without an interrupt it has no trigger, and can only be asked."""

    ADDRESS, NAME = 0x0F, "kxcj91008"
    # 12 bits of ±4 g, as the driver sets it up.
    UNITS = 2048 / (4 * motion.GRAVITY)

    def __init__(self):
        subprocess.run(["modprobe", "i2c-stub", f"chip_addr={self.ADDRESS}"], check=True)
        subprocess.run(["modprobe", "-a", "i2c-dev", "kxcjk-1013"], check=True)
        self._bus = next(
            bus for bus in Path("/sys/bus/i2c/devices").glob("i2c-*") if "stub" in (bus / "name").read_text()
        )
        node = Path("/dev") / self._bus.name
        eventually(node.exists, "the bus has a node")
        self._fd = os.open(node, os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._fd, I2C_SLAVE_FORCE, self.ADDRESS)
        self._write(0x0F, 0x0A)  # WHO_AM_I
        (self._bus / "new_device").write_text(f"{self.NAME} {self.ADDRESS:#x}")
        super().__init__()
        self.node = "/dev/" + eventually(lambda: iio_folder(self.NAME), "the kernel has made a sensor of it").name
        subprocess.run(["udevadm", "settle"], check=True)

    def _write(self, register, word):
        data = ctypes.create_string_buffer(34)
        struct.pack_into("<H", data, 0, word & 0xFFFF)
        request = struct.pack("@BBIP", 0, register, SMBUS_WORD, ctypes.addressof(data))
        fcntl.ioctl(self._fd, I2C_SMBUS, request)

    def sample(self, *felt):
        for axis, value in enumerate(felt):
            raw = max(-2048, min(2047, round(value * self.UNITS)))
            self._write(0x06 + 2 * axis, raw << 4)

    def close(self):
        self.stop()
        (self._bus / "delete_device").write_text(f"{self.ADDRESS:#x}")
        os.close(self._fd)
        subprocess.run(["rmmod", "i2c-stub"], check=True)


class ControllerSensor(Device, Mover):
    """The accelerometer of a game controller."""

    UNITS = 4096

    def __init__(self, name="Test Controller Motion Sensors"):
        axis = AbsInfo(0, -32767, 32767, 0, 0, self.UNITS)
        Device.__init__(
            self, name, 0x1234, 0xACCE, {e.EV_ABS: [(code, axis) for code in (e.ABS_X, e.ABS_Y, e.ABS_Z)]},
            properties=[e.INPUT_PROP_ACCELEROMETER],
        )
        Mover.__init__(self)

    def sample(self, *felt):
        codes = (e.ABS_X, e.ABS_Y, e.ABS_Z)
        self.frames(
            [(e.EV_ABS, code, round(value / motion.GRAVITY * self.UNITS)) for code, value in zip(codes, felt)]
        )

    def close(self):
        self.stop()
        super().close()
