"""Makes the project's own recordings: devices as people have them, used as people do, and `tally-input record` beside
them. Prints each one behind a line that names it; `Recordings/make` puts them into files."""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evdev import ecodes as e

from kit.devices import Device
from kit.pedal import Pedal
from kit.programs import PROGRAMS
from kit.runner import prepare
from kit.wait import eventually

# The scan codes that the firmware sends (HID usages: page and number).
SCAN = {
    e.KEY_PAGEUP: 0x7004B, e.KEY_PAGEDOWN: 0x7004E, e.KEY_F5: 0x7003E, e.KEY_ESC: 0x70029, e.KEY_DOT: 0x70037,
    e.KEY_VOLUMEUP: 0xC00E9, e.KEY_ENTER: 0x70028,
}


class Buttons(Device):
    """A device whose keys come with their scan codes, as those of a HID device do."""

    def __init__(self, name, vendor, product, keys, bus=e.BUS_USB):
        super().__init__(name, vendor, product, {e.EV_KEY: keys, e.EV_MSC: [e.MSC_SCAN]}, bus=bus)

    def send(self, key, value):
        self.frames([(e.EV_MSC, e.MSC_SCAN, SCAN[key]), (e.EV_KEY, key, value)])

    def press(self, key, seconds=0.1):
        self.send(key, 1)
        time.sleep(seconds)
        self.send(key, 0)


def pedal():
    """Six steps on a foot pedal: four calm ones, then two in quick succession."""
    device = Pedal()
    yield device.node
    for wait in (0.7, 0.9, 0.6, 0.8, 0.25, 0.5):
        device.down()
        time.sleep(0.15)
        device.up()
        time.sleep(wait)
    device.close()


def presenter():
    """A presenter: forward three times, back once, and its play button twice, which alternates between F5 and Escape."""
    keys = [e.KEY_PAGEDOWN, e.KEY_PAGEUP, e.KEY_F5, e.KEY_ESC, e.KEY_DOT]
    device = Buttons("Logitech USB Receiver", 0x046D, 0xC52D, keys)
    yield device.node
    for key in (e.KEY_PAGEDOWN, e.KEY_PAGEDOWN, e.KEY_PAGEDOWN, e.KEY_PAGEUP, e.KEY_F5, e.KEY_ESC):
        device.press(key)
        time.sleep(0.6)
    device.close()


def shutter():
    """A Bluetooth shutter: its large button three times; the last press reports down and up in one moment."""
    device = Buttons("AB Shutter3", 0x2717, 0x0040, [e.KEY_VOLUMEUP, e.KEY_ENTER], bus=e.BUS_BLUETOOTH)
    yield device.node
    for seconds in (0.12, 0.15, 0):
        device.press(e.KEY_VOLUMEUP, seconds)
        time.sleep(0.8)
    device.close()


def record(use):
    """What was recorded while a device was used."""
    steps = use()
    node = next(steps)
    with tempfile.TemporaryDirectory() as folder:
        file, log = Path(folder) / "recording", Path(folder) / "log"
        process = subprocess.Popen(
            [PROGRAMS / "tally-input", "record", node], stdout=file.open("w"), stderr=log.open("w")
        )
        eventually(lambda: "Recording" in log.read_text(), "it records")
        list(steps)
        # The device is gone by now, which ends the recording too.
        process.send_signal(signal.SIGINT)
        process.wait(30)
        return file.read_text()


def main(release):
    prepare(Path(release))
    for use in (pedal, presenter, shutter):
        print(f"==> {use.__name__}.evemu")
        # What tells the version must stay the first line.
        version, _, rest = record(use).partition("\n")
        print(version, f"# {use.__doc__}", rest, sep="\n", end="", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
