"""SECURITY.md's settings that take devices from the gesture daemon."""

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


def test_without_sound(scene):
    """The gesture daemon is of the group audio, until SECURITY.md's drop-in takes sound cards away from it."""
    with Installed():
        equal("audio" in groups(), True, "whether it may use sound cards")
        with Override("tally-inputd.service", *block("SupplementaryGroups").splitlines()):
            systemctl("restart", "tally-inputd.service")
            equal("audio" in groups(), False, "whether it still may")
            equal("alsa" in state("tally-inputd.service", "DeviceAllow"), False, "which devices it may open")
        systemctl("restart", "tally-inputd.service")
