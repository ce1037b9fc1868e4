"""A core, a board and a browser, for one test."""

import http.client
import json
import re
import shutil
import socket
import subprocess
from contextlib import suppress

from kit import stage, varlink
from kit.core import Core
from kit.process import Process, free_port
from kit.wait import PATIENCE, eventually


class Stage(stage.Stage):
    def __init__(self, programs, browser):
        super().__init__()
        self.programs, self.browser = programs, browser
        self.core = self.keep(Core(self.folder, programs))
        self.socket, self.tally, self.environment = self.core.socket, self.core.tally, self.core.environment
        self.port = free_port()
        self.board = self.keep(Process(
            self.folder, [programs / "tally-board", "--state", self.folder / "board", "--control", self.folder / "board.sock",
                          "--listen", f"127.0.0.1:{self.port}"], self.environment))
        try:
            self.core.start()
            self.start_board()
        except BaseException:
            self.close()
            raise

    def start_board(self):
        """Starts the board, which has ended, and waits until it listens."""
        says = lambda: self.board.said.count("The board is at")
        before = says()
        self.board.start()
        eventually(lambda: self.board.pid and says() > before, "the board listens")

    def run_board_as(self, user):
        """Starts the board again, as another user (as root). The user may not enter the folder of the build."""
        self.board.end()
        self.board.command[0] = shutil.copy(self.board.command[0], self.folder)
        for path in (self.folder, self.socket):
            path.chmod(0o777)
        self.board.options = {"user": user, "group": user, "extra_groups": []}
        self.start_board()

    def call(self, method, **parameters):
        """Changes something, as a program does that is neither the page nor tally: which takes less time than to run tally."""
        return self.core.call(method, cause={"producer": "test"}, **parameters)

    def new(self, name, **settings):
        self.call("Create", name=name, **settings)

    def group(self, name, **settings):
        self.call("CreateGroup", name=name, **settings)

    def formula(self, name, formula):
        self.call("CreateFormula", name=name, formula=formula)

    def add(self, name, amount=None):
        self.call("Add", counter=name, **({} if amount is None else {"amount": amount}))

    def subtract(self, name):
        self.call("Subtract", counter=name)

    def tally_board(self, *words):
        """Runs a command of tally-board; returns what it printed."""
        command = [self.board.command[0], *words, "--control", self.folder / "board.sock"]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.core.whole_environment).stdout

    def code(self, setup=False):
        """A code that pairs a device."""
        return varlink.call(self.folder / "board.sock", "org.tallymark.Board.Pair", setup=setup)["code"]

    def key(self, name="Anna", setup=False):
        """The cookie of a device that was paired just now."""
        answer = self.post("/pair", {"code": self.code(setup), "name": name})
        return answer.getheader("Set-Cookie").split(";")[0]

    def knows_device_at(self, port):
        """Gives the key of the device that was paired last to pages at another port of the board, as a second pairing would."""
        [one] = self.browser.command("Network.getCookies", urls=[self.origin])["cookies"]
        self.browser.command("Network.setCookie", name=f"tallymark-{port}", value=one["value"], url=self.origin, path="/", httpOnly=True, sameSite="Strict")

    def paired(self, path="/", name="Anna's phone", setup=False, **options):
        """A page of a device that may count, and set up as well."""
        cookie, _, value = self.key(name, setup).partition("=")
        self.browser.command("Network.setCookie", name=cookie, value=value, url=self.origin, path="/", httpOnly=True, sameSite="Strict")
        page = self.page(path, **options)
        if not setup:
            page.can_count()
        return page

    def counting(self, *arguments, **options):
        """Makes the counter people, and opens a page of a device that may count it."""
        self.new("people")
        page = self.paired(*arguments, **options)
        page.shows("0")
        return page

    def watching(self, *arguments, **options):
        """Makes the counter people, and opens a page that only watches it."""
        self.new("people")
        page = self.page(*arguments, **options)
        page.shows("0")
        return page

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def page(self, path="/", **options):
        """Opens a page, and waits for the font of its digits, which changes their size."""
        page = self.browser.open(self.origin + path, **options)
        page.run_async("document.fonts.load('700 1em Digits').then(() => done(), done)")
        return page

    def post(self, path, content, cookie=None, **headers):
        """Sends an order as the board's own page does."""
        headers = {"Origin": self.origin, "Content-Type": "application/json", **headers}
        if cookie:
            headers["Cookie"] = cookie
        return self.ask(path, "POST", headers, json.dumps(content))

    def ask(self, path="/", method="GET", headers=None, body=None):
        """Sends one request; returns the answer, with its text as `said`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        # A font is no text.
        answer.said = answer.read().decode(errors="surrogateescape")
        connection.close()
        return answer

    def greedy(self):
        """Connects clients that read no answers; returns what has each send as many requests as the kernel takes."""
        clients = [self.keep(socket.create_connection(("127.0.0.1", self.port))) for _ in range(8)]
        for client in clients:
            client.setblocking(False)

        def send():
            for client in clients:
                with suppress(BlockingIOError):
                    client.send(b"GET /board.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)

        return send

    def page_files(self):
        """The texts of the page and of all files that it loads, by path."""
        files, waiting = {}, ["/"]
        while waiting:
            path = waiting.pop()
            if path not in files:
                files[path] = self.ask(path).said
                waiting += re.findall(r"(?:(?:href|src)=\"|url\()(/[^\")]+\.\w+)[\")]", files[path])
                waiting += [path[1:] for path in re.findall(r"(?:import|from) ?\"(\./[^\"]+)\"", files[path])]
        return files

    def close(self):
        try:
            if self.browser:
                self.browser.forget()
        finally:
            super().close()


# The titles of the rows of an overview.
ROWS = "return [...document.querySelectorAll('.row .name b')].map(one => one.textContent)"


def set_value(page, selector, value):
    """Sets a control as a person does."""
    page.run("const one = document.querySelector(arguments[0]); if (one.type === 'checkbox') one.click();"
             "else { one.value = arguments[1]; for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind)); }",
             selector, value)


def taps_at_once(page, number):
    """Taps faster than a person can, by the space bar."""
    page.run("for (let tap = 0; tap < arguments[0]; tap++)"
             " document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}))", number)
