"""A server that runs out of file descriptors waits for one to come free, and does not spin meanwhile."""

import time

from checking import check
from kit.core import Server

INFO = "org.varlink.service.GetInfo"


def run(programs, folder):
    path = folder / "few"
    command = ["bash", "-c", 'ulimit -n 16; exec "$0" server "$1"', programs / "varlink-certification", path]
    with Server(folder, command, path) as server:
        connections = [server.connect() for _ in range(20)]
        for connection in connections:
            connection.send(INFO)
        connections[0].reply()
        before = server.processor_time
        time.sleep(1)
        used = server.processor_time - before
        check("a server without descriptors uses less than a tenth of the processor", used < 0.1, f"{used} s of 1 s")
        # Each one that leaves makes room for one that waits.
        answered = 0
        for connection in connections:
            reply = INFO if connection is connections[0] else connection.reply()
            answered += reply is not None
            connection.close()
        check("all clients are answered as others leave", answered == len(connections), answered)
