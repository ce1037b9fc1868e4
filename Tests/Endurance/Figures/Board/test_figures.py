"""How soon the board and its page do things on this machine: figures that depend on what else it does."""

import socket
import time

from kit.wait import PATIENCE, equal, eventually


def test_core_away(stage):
    """Where the core ends, the number looks old within two seconds; once it is back, it is right within three."""
    stage.new("people", start=5)
    page = stage.page()
    page.shows("5")
    stage.core.kill()
    begun = time.monotonic()
    eventually(lambda: page.is_old, "the number looks old")
    looked_old = time.monotonic() - begun
    time.sleep(1)
    stage.core.start()
    stage.add("people")
    begun = time.monotonic()
    page.shows("6")
    page.is_live()
    was_right = time.monotonic() - begun
    print(f"        looked old after {looked_old:.2f} s, right again after {was_right:.2f} s", flush=True)
    equal((looked_old <= 2, was_right <= 3), (True, True), "whether both were soon enough")


def test_frozen_board(stage):
    """A number whose board has stopped looks old within 12 seconds."""
    page = stage.watching()
    stage.board.freeze()
    begun = time.monotonic()
    eventually(lambda: page.is_old, "the number looks old")
    looked_old = time.monotonic() - begun
    print(f"        looked old after {looked_old:.1f} s", flush=True)
    stage.board.resume()
    equal(looked_old <= 12, True, "whether that was soon enough")


def test_slow_request(stage):
    """A request that does not get complete ends its connection after 5 seconds, and within 7."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", stage.port), PATIENCE) as connection:
        connection.sendall(b"GET / HT")
        equal(connection.recv(100), b"", "the answer")
        took = time.monotonic() - begun
    print(f"        ended after {took:.1f} s", flush=True)
    equal(5 <= took <= 7, True, "whether that was in time")


def test_end_beside_viewers(stage):
    """The board ends within a second beside a hundred viewers, one of whom reads nothing."""
    streams = [stage.keep(socket.create_connection(("127.0.0.1", stage.port))) for _ in range(101)]
    streams[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    for stream in streams:
        stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for stream in streams[1:]:
        stream.recv(1)
    begun = time.monotonic()
    equal(stage.board.end(), 0, "the board's exit status")
    took = time.monotonic() - begun
    print(f"        ended after {took:.2f} s", flush=True)
    equal(took <= 1, True, "whether that was soon enough")


def test_requests_without_reading(stage):
    """Beside clients that send requests without reading answers, another one is answered within a second."""
    send = stage.greedy()
    slowest, until = 0, time.monotonic() + 5
    while time.monotonic() < until:
        send()
        begun = time.monotonic()
        equal(stage.ask().status, 200, "the answer to somebody else")
        slowest = max(slowest, time.monotonic() - begun)
    print(f"        the slowest other answer after {slowest:.2f} s", flush=True)
    equal(slowest <= 1, True, "whether that was soon enough")
