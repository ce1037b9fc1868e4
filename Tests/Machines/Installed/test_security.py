"""SECURITY.md's settings that give the gesture daemon more devices."""

import grp
import re
from pathlib import Path

from kit.machine import Installed, Override, state, systemctl
from kit.security import block
from kit.wait import equal


def groups():
    status = Path(f"/proc/{state('tally-inputd.service', 'MainPID')}/status").read_text()
    numbers = re.search(r"^Groups:(.*)$", status, re.MULTILINE).group(1).split()
    return {grp.getgrgid(int(number)).gr_name for number in numbers}


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
