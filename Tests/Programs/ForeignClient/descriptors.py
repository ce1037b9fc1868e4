"""A server that runs out of file descriptors waits for one to come free, and does not spin meanwhile."""

import os
import time

from checking import Connection, Running, check

INFO = {"method": "org.varlink.service.GetInfo"}


def run(programs, folder):
    path = f"{folder}/few"
    command = ["bash", "-c", f"ulimit -n 16; exec {programs}/varlink-certification server {path}"]
    with Running(path, *command) as server:
        connections = [Connection(path) for _ in range(20)]
        for connection in connections:
            connection.send(INFO)
        connections[0].receive()
        before = cpu(server.process.pid)
        time.sleep(1)
        used = cpu(server.process.pid) - before
        check("a server without descriptors uses less than a tenth of the processor", used < 0.1, f"{used} s of 1 s")
        # Each one that leaves makes room for one that waits.
        answered = 0
        for connection in connections:
            reply = INFO if connection is connections[0] else connection.receive()
            answered += reply is not None
            connection.close()
        check("all clients are answered as others leave", answered == len(connections), answered)


def cpu(pid):
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
