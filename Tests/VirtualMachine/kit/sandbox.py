"""A command in the gesture daemon's sandbox, under the same settings."""

import subprocess
from pathlib import Path

from kit.machine import systemctl

UNIT = Path("/usr/lib/systemd/system/tally-inputd.service")
PROBE = Path("/run/systemd/system/probe.service")


def probe(command):
    """Whether a shell command succeeds in the sandbox."""
    text = UNIT.read_text().replace("Type=notify", "Type=oneshot").replace("Restart=on-failure", "Restart=no")
    text = text.replace("ExecStart=/usr/bin/tally-inputd", f"ExecStart=/bin/sh -c '{command}'")
    PROBE.write_text(text)
    systemctl("daemon-reload")
    succeeded = subprocess.run(["systemctl", "start", "probe.service"], capture_output=True).returncode == 0
    subprocess.run(["systemctl", "reset-failed", "probe.service"], capture_output=True)
    return succeeded
