"""What `tally doctor` finds about devices; Tests/Machines/Container has its other findings."""

import shutil
from pathlib import Path

from kit.doctor import finds, healthy, mend
from kit.machine import Installed, run, wait_for
from kit.wait import equal, eventually


def test_devices(scene):
    """The doctor finds a device that is not the gesture daemon's, that has no node, or whose group does not exist."""
    with Installed():
        presenter = scene.presenter()
        wait_for(presenter)
        node = Path(presenter.node)
        finds("devices", "accessible to tally-inputd", "fine")
        shutil.chown(node, group="input")
        mend(finds("devices", f"{node} (Logitech USB Receiver)"))
        healthy()
        number = node.stat().st_rdev
        node.unlink()
        mend(finds("devices", "has no device node"))
        equal((node.stat().st_rdev, node.group()), (number, "tallymark-input"), "the node that was missing")
        healthy()
        run("groupmod", "--new-name", "somebody", "tallymark-input")
        mend(finds("rules", "does not exist"))
        equal(node.group(), "tallymark-input", "the group of the presenter")
        wait_for(presenter)
        healthy()
    # The kernel takes away only what it has made.
    node.unlink()


def test_sensor(scene):
    """The doctor finds a motion sensor that is not the gesture daemon's."""
    with Installed():
        run("modprobe", "i2c-stub", "chip_addr=0x0f")
        bus = next(path for path in Path("/sys/bus/i2c/devices").glob("i2c-*") if "stub" in (path / "name").read_text().lower())
        number = bus.name.split("-")[1]
        run("modprobe", "i2c-dev")
        run("modprobe", "kxcjk-1013")
        run("python3", "-c", f"""
import fcntl, os
# SMBus write of the chip's identity (WHO_AM_I, 0x0f: 0x0a), by way of the C library's ioctl numbers.
import ctypes
class Data(ctypes.Union): _fields_ = [("byte", ctypes.c_uint8), ("block", ctypes.c_uint8 * 34)]
class Call(ctypes.Structure):
    _fields_ = [("rw", ctypes.c_uint8), ("command", ctypes.c_uint8), ("size", ctypes.c_uint32), ("data", ctypes.POINTER(Data))]
bus = os.open("/dev/i2c-{number}", os.O_RDWR)
fcntl.ioctl(bus, 0x0703, 0x0f)
data = Data(byte=0x0a)
fcntl.ioctl(bus, 0x0720, Call(0, 0x0f, 2, ctypes.pointer(data)))
""")
        (bus / "new_device").write_text("kxcj91008 0x0f")
        sensor = eventually(lambda: next(Path("/dev").glob("iio:device*"), None), "there is a sensor")
        eventually(lambda: sensor.group() == "tallymark-input", "udev is done with it")
        shutil.chown(sensor, group="root")
        mend(finds("sensor", f"The motion sensor {sensor.name} belongs to the group root"))
        finds("sensor", "accessible to tally-inputd", "fine")
        (bus / "delete_device").write_text("0x0f")
