"""The gesture daemon, as it is installed in a virtual machine."""

import json
import os
import subprocess
from pathlib import Path

from kit.configuration import named
from kit.process import Process
from kit.wait import PATIENCE, eventually

PROGRAMS = Path("/usr/bin")


def identity(user):
    """The options of subprocess.Popen for a program of a user, of root without one."""
    return {"cwd": "/"} | ({"user": user, "group": user, "extra_groups": []} if user else {})


class GestureDaemon(Process):
    """tally-inputd, delivering to a core."""

    def __init__(self, folder, core, user=None):
        self.user = user
        self.configuration = folder / "input.toml"
        super().__init__(
            folder, [PROGRAMS / "tally-inputd", "--config", self.configuration, "--socket", core.socket], **identity(user))

    def deliver_to(self, other):
        """Has it deliver to something in the place of the core."""
        self.command[-1] = other.socket

    def start(self, configuration=""):
        """Starts it with a configuration, in which touchscreens and the pedal are named besides."""
        self.configuration.write_text(named(configuration))
        super().start()

    def open_nodes(self):
        return {name for name in self.open_files() if name.startswith("/dev/input/event")}

    def has_opened(self, device):
        return device.node in self.open_nodes()

    def catch_up(self):
        """Waits until it has read all that was injected. Many presses in one moment are more than a person makes,
        and more than the kernel keeps for a reader that has had no processor yet."""
        eventually(lambda: self.is_idle, "tally-inputd has nothing left to do")

    def use(self, *devices):
        """Waits until it has opened the devices and waits for what they send."""
        for device in devices:
            eventually(lambda: self.has_opened(device) and self.is_idle, f"tally-inputd has opened {device.node}")

    def devices(self):
        """What `tally-input devices --json` says, by event node."""
        answer = self.run("devices", "--json", "--config", self.configuration)
        return {device["path"]: device for device in map(json.loads, answer.stdout.splitlines())}

    def run(self, *arguments):
        """Runs one of its commands as the user that it runs as."""
        return subprocess.run(
            [PROGRAMS / self.name, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, **self.environment}, **identity(self.user))
