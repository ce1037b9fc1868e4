"""The board beside the daemons, and somebody who looks at it."""

import http.client
import json
import re
import subprocess
from pathlib import Path

from kit import ROOT
from kit.machine import Installed, call, run, systemctl
from kit.wait import PATIENCE, eventually

SERVICE, SOCKETS = "tally-board.service", ["tally-board.socket", "tally-board-control.socket"]
PORT = 8464


class Board(Installed):
    """The board installed beside the daemons, as `make install-board` does it, until it is closed."""

    def __enter__(self):
        super().__enter__()
        if not Path("/usr/bin/tally-board").exists():
            run("scripts/install", "board", cwd=ROOT, env=self.environment)
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


def ask(path="/", method="GET", body=None, cookie=None, *, connection=None, host=f"127.0.0.1:{PORT}", origin=None):
    """The status, the text and the headers of an answer; `connection` reaches the board from elsewhere."""
    connection = connection or http.client.HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE)
    headers = {"Host": host, "Origin": origin or f"http://{host}", "Content-Type": "application/json"}
    if cookie:
        headers["Cookie"] = cookie
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer.headers


def count(cookie, ask=ask):
    """Counts as a page does; returns the status and the text of the last answer."""
    code, text, _ = ask("/open", "POST", {}, cookie)
    if code != 200:
        return code, text
    change = {"epoch": json.loads(text)["epoch"], "sequence": 1, "taps": [{"verb": "add", "counter": "people", "age": 0}]}
    return ask("/count", "POST", change, cookie)[:2]


class Viewer:
    """An open stream of events, until it is closed."""

    def __init__(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE)
        self.connection.request("GET", "/events")
        self.answer = self.connection.getresponse()

    def until(self, name, condition=lambda _: True):
        """The data of the next event that has this name and fulfils the condition."""
        found = None
        while True:
            line = self.answer.readline().decode()
            if not line:
                raise ConnectionError(f"The board ended the stream before an event “{name}”.")
            line = line.rstrip()
            if line.startswith("event: "):
                found = line[7:]
            elif line.startswith("data: ") and found == name and condition(json.loads(line[6:])):
                return json.loads(line[6:])

    def close(self):
        self.connection.close()


def received():
    """The bytes that each of the browsers' connections to the board has received, by the connection's own address."""
    lines = run("ss", "-tniHO", "state", "established", f"dport = :{PORT}").splitlines()
    sizes = {line.split()[2]: re.search(r"bytes_received:(\d+)", line) for line in lines}
    return {address: int(size[1]) for address, size in sizes.items() if size}


def shows_the_board(patience=PATIENCE):
    """Counts thirty, more than a page has files to load, and waits each time until the browser is told."""
    former = received()

    def is_told():
        nonlocal former
        before, former = former, received()
        return any(size > before.get(address, size) for address, size in former.items())

    for _ in range(30):
        call("Add", counter="people")
        eventually(is_told, "the browser is told of a count", patience)
