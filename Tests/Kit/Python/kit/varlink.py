"""The Varlink protocol as a stranger would write it from its description: JSON objects, each ended by a zero byte."""

import json
import queue
import socket
import threading

from kit.wait import PATIENCE


class Refused(Exception):
    """The service answered with an error."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name = name
        self.parameters = parameters


class Connection:
    """One connection to the service at a path."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.buffer = b""

    def send(self, method, parameters, **flags):
        message = {"method": method, "parameters": parameters, **flags}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.buffer:
            received = self.socket.recv(65536)
            if not received:
                raise ConnectionError("the service closed the connection")
            self.buffer += received
        message, self.buffer = self.buffer.split(b"\0", 1)
        reply = json.loads(message)
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters"))
        return reply.get("parameters") or {}

    def call(self, method, **parameters):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        # Wakes a thread that waits in recv; close alone does not.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Watch:
    """Collects the replies of a call that streams, on a thread of its own."""

    def __init__(self, path, method, **parameters):
        self.connection = Connection(path)
        self.connection.socket.settimeout(None)
        self.connection.send(method, parameters, more=True)
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
