"""A Varlink client, written from the protocol's description: JSON objects, each ended by a zero byte."""

import json
import queue
import socket
import struct
import threading

from kit.wait import PATIENCE

# The interface of methods whose names have no dot.
INTERFACE = "org.tallymark.Counters"
PORTION = 1 << 18
# Calls that `pipeline` sends ahead of their replies.
WINDOW = 500


class Refused(Exception):
    """The service answered with an error."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name = name
        self.parameters = parameters


def dial(path):
    """A socket connected to the service at a path."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # With a timeout Python does not wait where the service's queue of new connections is full.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(PATIENCE), 0))
    try:
        connection.connect(str(path))
        connection.settimeout(PATIENCE)
    except OSError:
        connection.close()
        raise
    return connection


def message(method, /, more=False, oneway=False, **parameters):
    """A call as bytes, with its end."""
    call = {"method": method if "." in method else f"{INTERFACE}.{method}"}
    flags = {name: True for name, is_set in (("more", more), ("oneway", oneway)) if is_set}
    return json.dumps(call | ({"parameters": parameters} if parameters else {}) | flags).encode() + b"\0"


class Connection:
    """One connection to the service at a path; replies are read when they are wanted."""

    def __init__(self, path):
        self.socket = dial(path)
        self.buffer = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        # Wakes a thread that waits in recv; close alone does not.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    # Bytes

    def write(self, data):
        self.socket.sendall(data)

    def read(self):
        """The next message without its end; None where the service has closed the connection."""
        searched = 0
        while (end := self.buffer.find(b"\0", searched)) < 0:
            searched = len(self.buffer)
            try:
                portion = self.socket.recv(PORTION)
            except ConnectionError:
                portion = b""
            if not portion:
                return None
            self.buffer += portion
        found = bytes(self.buffer[:end])
        del self.buffer[:end + 1]
        return found

    def exchange(self, data):
        """Sends a call; returns the bytes of its reply."""
        self.write(data)
        reply = self.read()
        if reply is None:
            raise ConnectionError("the service closed the connection")
        return reply

    # Calls

    def send(self, method, /, **parameters):
        """Sends a call; see `message`."""
        self.write(message(method, **parameters))

    def reply(self):
        """The next reply as it is; None where the service has closed the connection."""
        reply = self.read()
        return None if reply is None else json.loads(reply)

    def outcome(self):
        """The next reply as the last part of its error's name, or "", and its parameters; None as `reply`."""
        reply = self.reply()
        return None if reply is None else (reply.get("error", "").rpartition(".")[2], reply.get("parameters") or {})

    def receive(self):
        """The parameters of the next reply; throws `Refused` or `ConnectionError`."""
        reply = self.reply()
        if reply is None:
            raise ConnectionError("the service closed the connection")
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters"))
        return reply.get("parameters") or {}

    def call(self, method, /, **parameters):
        self.send(method, **parameters)
        return self.receive()

    def pipeline(self, messages):
        """Sends many calls, at most WINDOW of them ahead of the replies, of which none may be an error."""
        sent = 0
        for done in range(len(messages)):
            if sent - done <= WINDOW // 2:
                self.write(b"".join(messages[sent:done + WINDOW]))
                sent = min(len(messages), done + WINDOW)
            self.receive()


def call(path, method, /, **parameters):
    """Calls a method on a connection of its own; returns the parameters of the reply."""
    with Connection(path) as connection:
        return connection.call(method, **parameters)


def events(path):
    """All events of the core at a path, oldest first."""
    found, after = [], 0
    with Connection(path) as connection:
        while True:
            page = connection.call("History", after=after, limit=1000)
            found += page["events"]
            if not page["more"]:
                return found
            after = page.get("next") or found[-1]["sequence"]


class Watch:
    """Collects the replies of a call that streams, on a thread of its own."""

    def __init__(self, path, method, **parameters):
        self.connection = Connection(path)
        self.connection.socket.settimeout(None)
        self.connection.send(method, more=True, **parameters)
        self.replies = queue.Queue()
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self):
        try:
            while True:
                self.replies.put(self.connection.receive())
        except (OSError, Refused) as end:
            self.replies.put(end)

    def next(self):
        """The next reply; waits for it."""
        reply = self.replies.get(timeout=PATIENCE)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def close(self):
        self.connection.close()
