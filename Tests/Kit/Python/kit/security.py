"""The settings that SECURITY.md gives to be copied."""

import re

from kit import ROOT
from kit.wait import equal

BLOCKS = re.findall(r"```\n(.*?)```", (ROOT / "SECURITY.md").read_text(), re.DOTALL)


def block(words):
    """The one block of SECURITY.md that contains these words."""
    found = [block for block in BLOCKS if words in block]
    equal(len(found), 1, f"how often SECURITY.md has “{words}” to be copied")
    return found[0]
