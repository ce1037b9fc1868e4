"""SECURITY.md's rule for devices of the seat."""

from pathlib import Path

from kit.machine import Installed, run
from kit.security import block
from kit.wait import equal


def test_touchscreens_for_the_seat(scene):
    """A touchscreen is not for whoever sits at the machine, until SECURITY.md's rule gives it; the daemon keeps it."""
    touchscreen = scene.touchscreen()
    tags = lambda: run("udevadm", "info", "--query=property", "--property=CURRENT_TAGS", "--value", touchscreen.node)
    apply = lambda: run("bash", "-c", "udevadm control --reload && udevadm trigger --subsystem-match=input --settle")
    with Installed():
        apply()
        equal("uaccess" in tags(), False, "whether it is the seat's")
        rules = Path("/etc/udev/rules.d/71-tallymark-seat.rules")
        rules.write_text(block("TAG+="))
        try:
            apply()
            equal("uaccess" in tags(), True, "whether it is the seat's now")
            equal(Path(touchscreen.node).group(), "tallymark-input", "whose it is")
        finally:
            rules.unlink()
            apply()
