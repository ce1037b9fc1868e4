"""The board beside the daemons, and somebody who looks at it."""

import http.client
import json
import subprocess
from pathlib import Path

from kit.machine import CHECKOUT, Installed, run, systemctl

SERVICE, SOCKETS = "tally-board.service", ["tally-board.socket", "tally-board-control.socket"]
PORT = 8464


class Board(Installed):
    """The board installed beside the daemons, as `make install-board` does it, until it is closed."""

    def __enter__(self):
        super().__enter__()
        if not Path("/usr/bin/tally-board").exists():
            run("scripts/install", "board", cwd=CHECKOUT, env=self.environment)
        systemctl("enable", "--now", *SOCKETS)
        return self

    def __exit__(self, failure, *rest):
        # A board that should run, and does not, is what the doctor complains of in later tests.
        subprocess.run(["systemctl", "disable", "--now", *SOCKETS])
        subprocess.run(["systemctl", "stop", SERVICE])
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=30", "--no-hostname", f"--unit={SERVICE}"])
        subprocess.run(["systemctl", "reset-failed", SERVICE, *SOCKETS], capture_output=True)
        systemctl("clean", "--what=state", SERVICE)
        super().__exit__(failure, *rest)


class Viewer:
    """An open stream of events, until it is closed."""

    def __init__(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
        self.connection.request("GET", "/events")
        self.answer = self.connection.getresponse()

    def until(self, name, condition=lambda _: True):
        """The data of the next event that has this name and fulfils the condition."""
        found = None
        while True:
            line = self.answer.readline().decode().rstrip()
            if line.startswith("event: "):
                found = line[7:]
            elif line.startswith("data: ") and found == name and condition(json.loads(line[6:])):
                return json.loads(line[6:])

    def close(self):
        self.connection.close()
