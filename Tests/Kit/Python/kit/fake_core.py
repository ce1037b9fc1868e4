"""A core that says what a test wants and keeps what it is told: for tests of the bridge alone."""

import json
import socket
import threading

from kit.relay import shut
from kit.wait import eventually

COUNTER = "00112233445566778899aabbccddeeff"


class FakeCore:
    def __init__(self, path, broker, sleep):
        self.path, self.lock, self.sleep = path, threading.Condition(), sleep
        self.settings = {"fleet": "venue", "station": "door1", "id": "ab" * 16, "broker": broker, "obeying": True}
        self.publications = [
            {"topic": f"door1/def/{COUNTER}", "retained": True,
             "payload": json.dumps({
                 "version": 1, "counter": COUNTER, "name": "people", "title": "People", "decimals": 1, "step": 1, "start": 0})}]
        self.counters = [{"name": "people", "id": COUNTER, "value": 125, "own": 125}]
        # What the bridge has said.
        self.received, self.reports, self.calls, self.links = [], [], [], 0
        # How often the counters were asked for.
        self.questions = 0
        # Whether calls of `Fleet` and of changes are answered.
        self.flows = threading.Event()
        self.flows.set()
        # Seconds for each batch of messages.
        self.delay = 0
        # Publications and problems that answer a topic.
        self.answers, self.problems = {}, []
        # The sentences about messages and names of stations that the bridge reported last.
        self.shown = []
        self.streams, self.watchers, self.open = [], [], []
        self.listener, self.door = None, threading.Lock()
        self.start()

    def start(self):
        self.path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def _accept(self, listener):
        while True:
            try:
                one, _ = listener.accept()
            except OSError:
                return
            with self.door:
                self.open.append(one)
                if listener.fileno() < 0:
                    shut(one)
            threading.Thread(target=self._serve, args=(one,), daemon=True).start()

    def _serve(self, one):
        buffer = b""
        try:
            while data := one.recv(65536):
                *calls, buffer = (buffer + data).split(b"\0")
                for call in calls:
                    self._answer(one, json.loads(call))
        except OSError:
            pass

    def _reply(self, one, parameters, continues=False):
        message = {"parameters": parameters, **({"continues": True} if continues else {})}
        one.sendall(json.dumps(message).encode() + b"\0")

    def _answer(self, one, call):
        method, given = call["method"].rpartition(".")[2], call.get("parameters") or {}
        if method in ("Fleet", "Add"):
            self.flows.wait()
        if method == "LearnFleet" and self.delay:
            self.sleep(self.delay)
        with self.lock:
            if method == "LinkFleet":
                assert call["more"]
                self.links += 1
                self.streams.append(one)
                return self._reply(one, {**self.settings, "publications": self.publications} if self.settings else {}, True)
            if method == "LearnFleet":
                self.received += given["messages"]
                answers = [answer for message in given["messages"] for answer in self.answers.get(message["topic"], [])]
                problems, self.problems = self.problems, []
                return self._reply(one, {"publications": answers, "problems": problems})
            if method == "ReportFleet":
                self.reports.append((given["connected"], given.get("trouble")))
                self.shown = given.get("problems", [])
                return self._reply(one, {})
            if method == "SendReport":
                return self._reply(one, {})
            if method == "Watch":
                self.watchers.append(one)
                return self._reply(one, {"counters": []}, True)
            if method == "History":
                # Newest first.
                events = [{"cause": given.get("cause", {})} for _, given in reversed(self.calls)]
                return self._reply(one, {"events": events, "more": False})
            if method == "Fleet":
                self.questions += 1
                return self._reply(one, {**(self.settings or {}), "counters": self.counters})
            self.calls.append((method, given))
            self._reply(one, {"event": {}})

    def tell(self, **reply):
        """Sends a reply on the stream."""
        with self.lock:
            for one in self.streams:
                try:
                    self._reply(one, reply, True)
                except OSError:
                    pass

    def publish(self, topic, payload, retained=True):
        self.tell(publications=[{"topic": topic, "retained": retained, "payload": payload}])

    def heard(self, topic):
        """The messages that the bridge passed on for a topic, without what each has."""
        return [{name: value for name, value in message.items() if name not in ("station", "topic", "retained")}
                for message in self.received if message["topic"] == topic]

    @property
    def report(self):
        return self.reports[-1] if self.reports else None

    def is_connected(self):
        eventually(lambda: self.report == (True, None), "the bridge reports a connection")

    def says(self, words):
        """Waits until the bridge reports a trouble with those words."""
        eventually(lambda: self.report and words in (self.report[1] or ""), f"the bridge reports “{words}”")

    def end(self):
        with self.door:
            # Wakes the thread that accepts; close alone does not.
            shut(self.listener)
            self.listener.close()
            shut(*self.open)
            self.streams, self.watchers, self.open = [], [], []

    def close(self):
        self.flows.set()
        self.end()
