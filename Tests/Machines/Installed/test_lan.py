"""The board on a network, by the drop-in of Documentation/board.md: another machine watches, and counts only when it is paired."""

import ctypes
import http.client
import os
import re
import socket
import subprocess
import threading
from pathlib import Path

from kit import ROOT, board
from kit.board import PORT, SERVICE, Board, Viewer
from kit.doctor import finds
from kit.machine import call, process, run, state, systemctl, values
from kit.places import in_container
from kit.rights import Rights
from kit.units import exposed
from kit.wait import PATIENCE, becomes, equal

HERE, THERE = "192.168.77.5", "192.168.77.6"
NETWORK = "phone"
CLONE_NEWNET = 0x40000000
RIGHTS = '[rights]\nread = ["tallymark-board"]\ncount = ["tallymark-board"]\n'


def documented():
    """The document's two drop-ins, for the socket and for the service: each as the command that edits it, its lines, and the
    command that puts it in force. Then the command that takes the first one back."""
    text = (ROOT / "Documentation/board.md").read_text().partition("## Other machines")[2]
    commands = lambda verb: re.findall(rf"`sudo (systemctl {verb} [^`]+)`", text)
    lines = re.findall(r"```\n(\[(?:Socket|Service)\]\n.*?)\n```", text, re.S)
    return [*zip(commands("edit"), lines, commands("restart"), strict=True)], *commands("revert")


class Network:
    """Another machine on a network of two, until it is closed."""

    def __enter__(self):
        run("ip", "netns", "add", NETWORK)
        run("ip", "link", "add", "lan0", "type", "veth", "peer", "name", "lan1", "netns", NETWORK)
        for words, address, link in [((), HERE, "lan0"), (("-n", NETWORK), THERE, "lan1")]:
            run("ip", *words, "address", "add", f"{address}/24", "dev", link)
            run("ip", *words, "link", "set", link, "up")
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "link", "delete", "lan0"])
        subprocess.run(["ip", "netns", "delete", NETWORK])

    def connect(self):
        """A connection to the board from that machine: a socket belongs to the network of the thread that made it."""
        made = []

        def enter():
            with open(f"/run/netns/{NETWORK}") as network:
                if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), CLONE_NEWNET):
                    made.append(OSError(ctypes.get_errno(), "setns"))
                    return
            try:
                made.append(socket.create_connection((HERE, PORT), PATIENCE))
            except OSError as error:
                made.append(error)

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        return made[0]

    def reaches_the_board(self):
        try:
            self.connect().close()
            return True
        except ConnectionRefusedError:
            return False

    def open(self):
        connection = http.client.HTTPConnection(HERE, PORT, timeout=PATIENCE)
        connection.sock = self.connect()
        return connection

    def ask(self, path="/", method="GET", body=None, cookie=None, host=f"{HERE}:{PORT}", origin=None):
        """The status, the text and the headers of an answer."""
        return board.ask(path, method, body, cookie, connection=self.open(), host=host, origin=origin)

    def count(self, cookie=None):
        """Counts as a page does; returns the status and the text of the last answer."""
        return board.count(cookie, self.ask)


class Watcher(Viewer):
    """A viewer on the other machine."""

    def __init__(self, network):
        self.connection = network.open()
        self.connection.request("GET", "/events", headers={"Host": f"{HERE}:{PORT}"})
        self.answer = self.connection.getresponse()


def follow(scene, edit, lines, after):
    """Does what the document says to get a drop-in, as a person does in an editor."""
    text, editor = scene.folder / "drop-in", scene.folder / "editor"
    text.write_text(lines + "\n")
    # systemctl edits on a terminal only, and keeps the text between the two comments of its template.
    editor.write_text(f"#!/bin/sh\nsed -i '2r {text}' \"$@\"\n")
    editor.chmod(0o755)
    run("script", "--quiet", "--return", "--command", f"env SYSTEMD_EDITOR={editor} {edit}", "/dev/null", stdin=subprocess.DEVNULL)
    unit = edit.split()[-1]
    equal(Path(f"/etc/systemd/system/{unit}.d/override.conf").read_text().strip(), lines, f"the drop-in of {unit}")
    run(*after.split())


@in_container
def test_board_on_a_network(scene):
    """With the documented drop-in another machine watches; only a paired device counts; the board itself still has no network."""
    (opening, naming), revert = documented()
    with Board(), Network() as network, Rights(RIGHTS):
        call("Create", name="people")
        equal(network.reaches_the_board(), False, "whether another machine reaches the board before it was opened")
        # The board runs, as it does where somebody looks at it while the network is opened.
        viewer = Viewer()
        viewer.until("state")
        try:
            follow(scene, *opening)
            name = socket.gethostname()
            for host, status in [(f"{HERE}:{PORT}", 200), (f"{name}:{PORT}", 200), (f"{name}.local:{PORT}", 200),
                                 (f"{name}.example.org:{PORT}", 421), ("counts.example.org", 421), ("", 421)]:
                equal(network.ask(host=host)[0], status, f"the answer to the name “{host}”")

            watcher = Watcher(network)
            watcher.until("state", lambda data: [one["name"] for one in data["counters"]] == ["people"])
            call("Add", counter="people")
            watcher.until("change", lambda data: data["counter"]["value"] == 1)

            equal(network.count()[0], 403, "a count without pairing")
            equal(network.ask("/pair", "POST", {"code": "0" * 32, "name": "Eve"})[0], 403, "a pairing by a guess")
            code = re.search(rf"http://{HERE}:{PORT}/pair#(\w+)", run("tally-board", "pair"))[1]
            pairing = "/pair", "POST", {"code": code, "name": "Anna's phone"}
            equal(network.ask(*pairing, origin="http://counts.example.org")[0], 403, "a pairing by a foreign page")
            status, text, headers = network.ask(*pairing)
            equal(status, 200, f"the answer to a code: {text}")
            cookie = headers["Set-Cookie"].partition(";")[0]
            equal(network.count(cookie)[0], 200, "a count by the paired device")
            watcher.until("change", lambda data: data["counter"]["value"] == 2)
            becomes(values, {"people": 2}, "the counters")

            finds("board", "to other machines as well", "fine")
            exposed(SERVICE, 0.5)
            networks = [os.readlink(f"/proc/{pid}/ns/net") for pid in ("self", process(SERVICE))]
            equal((networks[0] != networks[1], state(SERVICE, "PrivateNetwork")), (True, "yes"), "whether the board has no network")
            reached = run("nsenter", f"--net=/proc/{process(SERVICE)}/ns/net", "ip", "-brief", "address")
            equal([line.split()[0] for line in reached.splitlines()], ["lo"], "the board's own interfaces")
            watcher.close()

            follow(scene, *naming)
            equal(network.ask(host="counts.example.org")[0], 200, "the answer to a name that was given")
        finally:
            run(*revert.split())
            systemctl("revert", SERVICE)
            run(*opening[2].split())
        equal(network.reaches_the_board(), False, "whether another machine reaches the board after it was closed")
