"""SECURITY.md's settings that give the gesture daemon, or whoever sits at the machine, more devices."""

import grp
import re
from pathlib import Path

from kit.machine import Installed, Override, run, state, systemctl
from kit.places import in_container, in_guest
from kit.security import block
from kit.wait import equal


def groups():
    status = Path(f"/proc/{state('tally-inputd.service', 'MainPID')}/status").read_text()
    numbers = re.search(r"^Groups:(.*)$", status, re.MULTILINE).group(1).split()
    return {grp.getgrgid(int(number)).gr_name for number in numbers}


@in_container
def test_sound_is_an_option(scene):
    """The gesture daemon has no right to sound cards, until SECURITY.md's drop-in gives it."""
    with Installed():
        equal("audio" in groups(), False, "whether it is of the group audio")
        equal("alsa" in state("tally-inputd.service", "DeviceAllow"), False, "whether it may open sound cards")
        with Override("tally-inputd.service", *block("SupplementaryGroups").splitlines()):
            systemctl("restart", "tally-inputd.service")
            equal("audio" in groups(), True, "whether it is of the group audio now")
            equal("alsa" in state("tally-inputd.service", "DeviceAllow"), True, "whether it may open sound cards now")
        systemctl("restart", "tally-inputd.service")


@in_guest
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
