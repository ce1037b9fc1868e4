"""systemd's journal since the machine was started."""

import subprocess
import threading

from kit import varlink
from kit.wait import PATIENCE, InVain

INPUTD = "--unit=tally-inputd.service"


def command(matches, output="cat"):
    return ["journalctl", "--boot", f"--output={output}", *matches]


def journal(*matches, **options):
    """All that has been said until now, as journalctl's matches choose it."""
    # As journalctl --sync does, without starting it.
    varlink.call("/run/systemd/journal/io.systemd.journal", "io.systemd.Journal.Synchronize")
    return subprocess.run(command(matches, **options), capture_output=True, text=True, check=True).stdout


def hears(words, *matches):
    """Waits until a line of the journal has these words."""
    with subprocess.Popen([*command(matches), "--follow", "--lines=all"], stdout=subprocess.PIPE, text=True) as follower:
        limit = threading.Timer(PATIENCE, follower.kill)
        limit.start()
        try:
            if not any(words in line for line in follower.stdout):
                raise InVain(f"waited {PATIENCE} seconds in vain until the journal said “{words}”:\n{journal(*matches)}")
        finally:
            limit.cancel()
            follower.kill()
