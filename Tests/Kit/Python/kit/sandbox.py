"""A command in a service's sandbox, under the same settings."""

import re
import subprocess
from pathlib import Path

from kit.machine import systemctl

UNITS = Path("/usr/lib/systemd/system")
PROBE = Path("/run/systemd/system/probe.service")


def probe(command, service="tally-inputd"):
    """Whether a shell command succeeds in the sandbox."""
    text = (UNITS / f"{service}.service").read_text()
    text = text.replace("Type=notify", "Type=oneshot").replace("Restart=on-failure", "Restart=no")
    text = re.sub("^ExecStart=.*", lambda _: f"ExecStart=/bin/sh -c '{command}'", text, flags=re.MULTILINE)
    PROBE.write_text(text)
    systemctl("daemon-reload")
    succeeded = subprocess.run(["systemctl", "start", "probe.service"], capture_output=True).returncode == 0
    subprocess.run(["systemctl", "reset-failed", "probe.service"], capture_output=True)
    return succeeded
