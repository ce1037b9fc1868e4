"""What the checks share: counting them, running programs, and a raw connection."""

import json
import os
import socket
import subprocess
import sys
import time

from kit.wait import PATIENCE

passed = 0
failed = 0
# The group of the checks that run now.
group = ""


def check(what, holds, found=""):
    """Counts one check and says how it went."""
    global passed, failed
    if holds:
        passed += 1
        print(f"passed  {group}: {what}", flush=True)
    else:
        failed += 1
        print(f"FAILED  {group}: {what}\n        {found}", flush=True)


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


class Running:
    """A program that serves at a path for as long as a block lasts."""

    def __init__(self, path, *command):
        self.path = path
        self.command = command

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                Connection(self.path).close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{self.command[0]} does not serve at {self.path}")
                time.sleep(0.01)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        if os.path.exists(self.path):
            os.unlink(self.path)


class Connection:
    """Messages over a Unix socket as they are written, without a library in between."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.rest = b""

    def close(self):
        self.socket.close()

    def send(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        """The next message; None where the other end closed the connection."""
        while b"\0" not in self.rest:
            portion = self.socket.recv(65536)
            if not portion:
                return None
            self.rest += portion
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, parameters=None, **flags):
        message = {"method": method, **flags}
        if parameters is not None:
            message["parameters"] = parameters
        self.send(message)
        return self.receive()
