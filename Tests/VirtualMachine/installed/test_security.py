"""What SECURITY.md says of the gesture daemon's devices, and that what it says closes them does."""

import grp
import re
from pathlib import Path

from kit.machine import CHECKOUT, Installed, Override, run, state, systemctl
from kit.wait import equal

BLOCKS = re.findall(r"```\n(.*?)```", (CHECKOUT / "SECURITY.md").read_text(), re.DOTALL)


def block(words):
    found = [block for block in BLOCKS if words in block]
    equal(len(found), 1, f"how often SECURITY.md has “{words}” to be copied")
    return found[0]


def groups():
    status = Path(f"/proc/{state('tally-inputd.service', 'MainPID')}/status").read_text()
    numbers = re.search(r"^Groups:(.*)$", status, re.MULTILINE).group(1).split()
    return {grp.getgrgid(int(number)).gr_name for number in numbers}


def test_without_sound(scene):
    """The gesture daemon is of the group audio, until SECURITY.md's drop-in takes sound cards away from it."""
    with Installed():
        equal("audio" in groups(), True, "whether it may use sound cards")
        with Override("tally-inputd.service", *block("SupplementaryGroups").splitlines()):
            systemctl("restart", "tally-inputd.service")
            equal("audio" in groups(), False, "whether it still may")
            equal("alsa" in state("tally-inputd.service", "DeviceAllow"), False, "which devices it may open")
        systemctl("restart", "tally-inputd.service")


def test_nothing_for_the_seat(scene):
    """A touchscreen is for whoever sits at the machine, until SECURITY.md's rule takes it back; the daemon keeps it."""
    touchscreen = scene.touchscreen()
    tags = lambda: run("udevadm", "info", "--query=property", "--property=CURRENT_TAGS", "--value", touchscreen.node)
    apply = lambda: run("bash", "-c", "udevadm control --reload && udevadm trigger --subsystem-match=input --settle")
    with Installed():
        apply()
        equal("uaccess" in tags(), True, "whether it is the seat's")
        rules = Path("/etc/udev/rules.d/71-tallymark-no-seat.rules")
        rules.write_text(block("TAG-="))
        try:
            apply()
            equal("uaccess" in tags(), False, "whether it is still the seat's")
            equal(Path(touchscreen.node).group(), "tallymark-input", "whose it is")
        finally:
            rules.unlink()
            apply()
