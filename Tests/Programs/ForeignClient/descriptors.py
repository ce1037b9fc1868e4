"""A server that runs out of file descriptors waits for one to come free, and does not spin meanwhile."""

import time

from kit.checking import check
from kit.core import Server
from kit.virtual_time import is_asleep
from kit.wait import InVain, eventually

INFO = "org.varlink.service.GetInfo"


def run(programs, folder):
    path = folder / "few"
    command = ["bash", "-c", 'ulimit -n 16; exec "$0" server "$1"', programs / "varlink-certification", path]
    with Server(folder, command, path) as server:
        first, *others = connections = [server.connect() for _ in range(20)]
        for connection in connections:
            connection.send(INFO)
        first.reply()
        check("a server without descriptors sleeps", sleeps(server.pid))
        # Each one that leaves makes room for one that waits.
        first.close()
        answered = 0
        for connection in others:
            answered += connection.reply() is not None
            connection.close()
        check("all clients are answered as others leave", answered == len(others), answered)


def sleeps(pid):
    """Whether a process sleeps at last, at each of ten looks in a row: one that spins never does."""
    def look():
        for _ in range(10):
            if not is_asleep(pid):
                return False
            time.sleep(0.01)
        return True

    try:
        return eventually(look, "the server sleeps")
    except InVain:
        return False
