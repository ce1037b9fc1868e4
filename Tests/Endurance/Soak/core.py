"""A real tallyd that is started, killed and asked, and its folder."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

INTERFACE = "org.tallymark.Counters"


class Failure(Exception):
    """What was found, in one sentence."""


class Connection:
    """Calls in a row on one connection; replies are read when they are wanted."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.rest = b""

    def send(self, method, parameters, **flags):
        message = {"method": f"{INTERFACE}.{method}", "parameters": parameters, **flags}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def reply(self):
        """The next reply as (short error or "", parameters); None if the core has gone."""
        while b"\0" not in self.rest:
            try:
                portion = self.socket.recv(1 << 18)
            except ConnectionError:
                return None
            if not portion:
                return None
            self.rest += portion
        message, _, self.rest = self.rest.partition(b"\0")
        reply = json.loads(message)
        return reply.get("error", "").rpartition(".")[2], reply.get("parameters", {})

    def close(self):
        self.socket.close()


class Core:
    """tallyd on a folder of its own, which goes with it."""

    def __init__(self, programs, environment=None):
        self.programs = Path(programs)
        self.folder = Path(tempfile.mkdtemp(prefix="tallymark-soak-"))
        self.socket, self.state, self.log = self.folder / "socket", self.folder / "state", self.folder / "log"
        self.environment = {**os.environ, **(environment or {})}
        self.process, self.kills = None, 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def launch(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "tallyd", "--socket", self.socket, "--state", self.state],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, start_new_session=True)

    def start(self):
        """Starts it and waits until it answers."""
        self.launch()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if self.call("List")[0] == "":
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                raise Failure(f"tallyd ended by itself with status {self.process.returncode}: {self.said()}")
            time.sleep(0.005)
        raise Failure(f"tallyd does not answer: {self.said()}")

    def said(self):
        return self.log.read_text(errors="replace")[-3000:]

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.kills += 1
        if self.process:
            self.process.wait()

    def stop(self):
        self.process.terminate()
        if self.process.wait(60) != 0:
            raise Failure(f"tallyd ended with status {self.process.returncode}: {self.said()}")

    def connect(self):
        return Connection(self.socket)

    def call(self, method, **parameters):
        connection = self.connect()
        try:
            connection.send(method, parameters)
            reply = connection.reply()
        finally:
            connection.close()
        if reply is None:
            raise ConnectionError("the core has gone")
        return reply

    def ask(self, method, **parameters):
        error, reply = self.call(method, **parameters)
        if error:
            raise Failure(f"{method} {parameters} was refused: {error} {reply.get('message')}")
        return reply

    def events(self):
        events, after = [], 0
        while True:
            page = self.ask("History", after=after, limit=1000)
            events += page["events"]
            if not page["more"]:
                return events
            after = page.get("next") or events[-1]["sequence"]

    def tally(self, *arguments, check=True, **more):
        done = subprocess.run(
            [self.programs / "tally", *map(str, arguments)], capture_output=True, text=True, timeout=300,
            stdin=subprocess.DEVNULL, cwd=self.folder,
            env={**self.environment, "TALLYMARK_SOCKET": str(self.socket), "HOME": str(self.folder)}, **more)
        if check and done.returncode:
            raise Failure(f"tally {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}{done.stdout[-500:]}")
        return done
