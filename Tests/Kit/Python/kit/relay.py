"""Stands between a client and a server, on a port of loopback or at a Unix socket."""

import socket
import threading
import time
from contextlib import suppress


class Relay:
    """Passes on what both say until it is closed.

    `target` is the server: a port of loopback, or the path of a socket. The relay listens at `path`, or without one at a free
    `port`."""

    def __init__(self, target, path=None):
        self.target, self.socket, self.connections = target, path, []
        # The number of calls of `cut`. A connection that was accepted before one, and is served after it, is ended too.
        self.lock, self.cuts = threading.Lock(), 0
        if path:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(str(path))
            self.listener.listen()
        else:
            self.listener = socket.create_server(("127.0.0.1", 0))
            self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def edit(self, data, is_answer):
        """What is passed on of a piece; ends its connection by an OSError. For subclasses."""
        return data

    def _accept(self):
        with suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=(self.listener.accept()[0], self.cuts), daemon=True).start()

    def _serve(self, client, cuts):
        server = socket.socket(socket.AF_INET if isinstance(self.target, int) else socket.AF_UNIX)
        try:
            server.connect(("127.0.0.1", self.target) if isinstance(self.target, int) else str(self.target))
        except OSError:
            server.close()
            return client.close()
        with self.lock:
            self.connections += [client, server]
            if cuts != self.cuts:
                shut(client, server)
        threading.Thread(target=self._pass, args=(client, server, False), daemon=True).start()
        self._pass(server, client, True)

    def _pass(self, source, sink, is_answer):
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(self.edit(data, is_answer))
        shut(source, sink)

    def cut(self):
        """Ends all connections."""
        with self.lock:
            self.cuts += 1
            shut(*self.connections)
            self.connections = []

    def close(self):
        # Wakes the thread that accepts; close alone does not.
        shut(self.listener)
        self.listener.close()
        self.cut()


def shut(*sockets):
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


class DeliveryRelay(Relay):
    """Stands before a core; `acknowledgements` has the time (nanoseconds of CLOCK_MONOTONIC) of each answer to a delivery,
    just before it is passed on."""

    def __init__(self, path, core):
        self.acknowledgements = []
        super().__init__(core.socket, path)

    def edit(self, data, is_answer):
        if is_answer and b'"duplicate"' in data:
            self.acknowledgements.append(time.clock_gettime_ns(time.CLOCK_MONOTONIC))
        return data
