"""A USB foot pedal: a gadget, described byte for byte as a PCsensor FootSwitch is, plugged into the guest's own USB."""

import os
import select
import subprocess
import time
from pathlib import Path

from kit.devices import UNBOUNCED
from kit.wait import PATIENCE, eventually

LINK = Path("/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd")
CONFIGFS = Path("/sys/kernel/config")
GADGET = CONFIGFS / "usb_gadget/pedal"
REPORTS = "/dev/hidg0"
KEY_B_USAGE = 0x05

# A boot keyboard (HID 1.11, appendix B.1) without its lights: a byte of modifiers, a byte of nothing, six keys.
REPORT_DESCRIPTOR = bytes.fromhex(
    "05010906a101"  # a keyboard of the generic desktop page, as one application:
    "050719e029e715002501750195088102"  # eight modifiers, a bit each
    "950175088103"  # a constant byte
    "95067508150025650507190029658100"  # six keys, a byte each
    "c0"
)


class Pedal:
    """Plugged in when made. Its one pedal is the key B."""

    def __init__(self):
        subprocess.run(["modprobe", "-a", "dummy_hcd", "libcomposite", "usb_f_hid", "usbhid", "hid-generic", "evdev"], check=True)
        if not (CONFIGFS / "usb_gadget").exists():
            subprocess.run(["mount", "-t", "configfs", "configfs", CONFIGFS], check=True)
        if not GADGET.exists():
            self._describe()
        self.plug()

    @staticmethod
    def _describe():
        function = GADGET / "functions/hid.0"
        for folder in ["strings/0x409", "functions/hid.0", "configs/c.1"]:
            (GADGET / folder).mkdir(parents=True)
        values = {
            "idVendor": "0x0c45",
            "idProduct": "0x7403",
            "strings/0x409/manufacturer": "RDing",
            "strings/0x409/product": "FootSwitch1F1.",
            "functions/hid.0/protocol": "1",
            "functions/hid.0/subclass": "1",
            "functions/hid.0/report_length": "8",
        }
        for name, value in values.items():
            (GADGET / name).write_text(value)
        (function / "report_desc").write_bytes(REPORT_DESCRIPTOR)
        (GADGET / "configs/c.1/hid.0").symlink_to(function)

    @property
    def node(self):
        """The event node, which another plugging may change."""
        return os.path.realpath(LINK)

    def plug(self):
        controller = next(Path("/sys/class/udc").iterdir()).name
        (GADGET / "UDC").write_text(controller)
        eventually(LINK.exists, "udev has made the pedal's link")
        eventually(Path(REPORTS).exists, "the gadget takes reports")
        # udev writes down what it knows of a device when it has made the link.
        subprocess.run(["udevadm", "settle"], check=True)

    def unplug(self):
        (GADGET / "UDC").write_text("\n")
        # The node that it leads to is gone at once.
        eventually(lambda: not LINK.is_symlink(), "udev has removed the pedal's link")

    def _report(self, key):
        descriptor = os.open(REPORTS, os.O_WRONLY)
        try:
            os.write(descriptor, bytes([0, 0, key, 0, 0, 0, 0, 0]))
            # Another one can be written when the kernel has fetched this one: what follows is counted from there.
            if not select.select([], [descriptor], [], PATIENCE)[1]:
                raise AssertionError("nobody has fetched what the pedal reports")
        finally:
            os.close(descriptor)

    def down(self):
        self._report(KEY_B_USAGE)

    def up(self):
        self._report(0)
        time.sleep(UNBOUNCED)

    def press(self):
        self.down()
        self.up()

    def close(self):
        if LINK.is_symlink():
            self.unplug()
