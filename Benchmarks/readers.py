#!/usr/bin/env python3
"""readers.py asks|leaves SOCKET: clients that keep a core busy with questions, until they are killed.

asks    64 connections ask the dearest questions, 16 each at a time.
leaves  A client connects, sends as many questions as the kernel takes, leaves, and begins again."""

import json
import os
import select
import socket
import sys
import time

CONNECTIONS, DEPTH = 64, 16


def message(method, **parameters):
    return json.dumps({"method": "org.tallymark.Counters." + method, "parameters": parameters}).encode() + b"\0"


def questions():
    now = int(time.time() * 1_000_000)
    return [
        # Bounds in the middle of quarters of an hour.
        message("Totals", bounds=[1, now - 77, now + 1]),
        message("Totals", bounds=[now - 4_000_000_007 + 2_000_000 * number for number in range(2000)]),
        message("Totals", bounds=[1, now - 77, now + 1], each=True),
        message("Statistics"), message("Past", time=now - 1_000_000),
        # What no block of events can be left out for, and what is found at once.
        message("History", device="pedals", after=0), message("History", limit=1000), message("List"),
    ]


def asks(path):
    sockets, asked, messages = {}, 0, questions()
    poll = select.poll()
    for _ in range(CONNECTIONS):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        sockets[connection.fileno()] = connection
        poll.register(connection, select.POLLIN)

    def ask(connection, count):
        nonlocal asked
        for _ in range(count):
            connection.sendall(messages[asked % len(messages)])
            asked += 1

    for connection in sockets.values():
        ask(connection, DEPTH)
    while True:
        for number, _ in poll.poll():
            ask(sockets[number], sockets[number].recv(1 << 16).count(b"\0"))


def leaves(path):
    bytes = message("History", device="pedals", after=0) * 3000
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            connection.setblocking(False)
            connection.send(bytes)
        except OSError:
            pass
        connection.close()


if __name__ == "__main__":
    # What is measured is who waits for whom in the core, not how the kernel shares out the processors.
    os.nice(19)
    {"asks": asks, "leaves": leaves}[sys.argv[1]](sys.argv[2])
