"""A viewer of the board, and one address that asks it for pages as fast as it may."""

import gc
import re
import select
import socket
import time

from kit.process import Process
from kit.varlink import PORTION, Connection, message
from kit.wait import PATIENCE, eventually

# What the board lets one address have.
CONNECTIONS = 64
REQUESTS = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000
# The board sends at most 20 changes of a counter in a second.
PAUSE = 0.06


class Board(Process):
    """A board that shows the counters of a core."""

    def __init__(self, folder, programs, core):
        super().__init__(
            folder, [programs / "tally-board", "--state", folder / "board", "--control", folder / "board.sock",
                     "--listen", "127.0.0.1:0", "--socket", core.socket])

    def start(self):
        super().start()
        eventually(lambda: "The board is at" in self.said, "the board listens")

    @property
    def port(self):
        return int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.said)[1])


def timed_changes(path, port, seconds):
    """The durations from a count to its change in a viewer's stream, in seconds."""
    gc.disable()
    stream = socket.create_connection(("127.0.0.1", port))
    stream.settimeout(PATIENCE)
    stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    lines = stream.makefile("rb")
    while b"event: state" not in lines.readline():
        pass
    client, text = Connection(path), message("Add", counter="mine")
    found, end = [], time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        reply = client.exchange(text)
        value = re.search(rb'"value":(\d+)', reply)[1]
        while b'"value":' + value not in (line := lines.readline()):
            if not line:
                raise ConnectionError("the stream has ended")
        found.append(time.monotonic() - begun)
        time.sleep(PAUSE)
    return found


def pipelines(_, port):
    """Many connections, on each of which there are always unanswered requests."""
    poll, sockets = select.poll(), {}
    for _ in range(CONNECTIONS):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setblocking(False)
        sockets[connection.fileno()] = [connection, b""]
        poll.register(connection, select.POLLIN | select.POLLOUT)
    while True:
        for number, ready in poll.poll():
            state = sockets[number]
            try:
                if ready & select.POLLIN and not state[0].recv(PORTION):
                    raise OSError
                if ready & select.POLLOUT:
                    unsent = state[1] or REQUESTS
                    state[1] = unsent[state[0].send(unsent):]
            except BlockingIOError:
                pass
            except OSError:
                poll.unregister(number)
                sockets.pop(number)[0].close()
