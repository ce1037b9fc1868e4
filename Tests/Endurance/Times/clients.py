"""Clients of a core that act as other users: one whose counts are timed, and those that attack meanwhile."""

import gc
import json
import os
import select
import signal
import time
import traceback

from kit.varlink import PORTION, Connection, dial, message
from kit.wait import eventually

# What all of one user's programs may claim together (core.toml).
CONNECTIONS, CALLS = 64, 10_000


def precede(priority):
    """Has the calling process run before all others: what is measured is who waits for whom in the core."""
    try:
        # On a busy machine the kernel may pause a busy core with such a priority for 50 ms each second.
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(priority))
    except PermissionError:
        # In some containers.
        os.nice(-10)


class Child:
    """A child process as another user, which returns what `body` does."""

    def __init__(self, user, body, *arguments, priority=0):
        self.read, write = os.pipe()
        self.number = os.fork()
        if self.number == 0:
            status = 1
            try:
                if priority:
                    precede(priority)
                else:
                    # An attack that has no processor is none.
                    os.nice(-15)
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
                result = json.dumps(body(*arguments)).encode()
                with open(write, "wb") as pipe:
                    pipe.write(result)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(write)

    @property
    def descriptors(self):
        """How many files and sockets it has open."""
        return len(os.listdir(f"/proc/{self.number}/fd"))

    def result(self):
        with open(self.read, "rb") as pipe:
            text = pipe.read()
        os.waitpid(self.number, 0)
        if not text:
            raise RuntimeError("a client of the test failed")
        return json.loads(text)

    def kill(self):
        os.kill(self.number, signal.SIGKILL)
        os.waitpid(self.number, 0)
        os.close(self.read)


# Seconds between two counts: people and their programs count now and then.
PAUSE = 0.001


def timed_adds(path, seconds):
    """The durations of counts in seconds, by turns of a program that stays connected and of one that connects anew."""
    gc.disable()
    stays, text = Connection(path), message("Add", counter="mine")
    found, end = [], time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        client = Connection(path) if len(found) % 2 else stays
        reply = client.exchange(text)
        found.append(time.monotonic() - begun)
        if is_refusal(reply):
            raise RuntimeError(reply.decode())
        time.sleep(PAUSE)
    return found


def patient(path):
    """A connection, as soon as what the user sent before and left behind is done."""

    def asked():
        try:
            client = Connection(path)
            client.exchange(message("org.varlink.service.GetInfo"))
            return client
        except OSError:
            return None

    return eventually(asked, "the core answers the user again")


def is_refusal(reply):
    return b'"error"' in reply[:40]


def longest(path, texts, seconds):
    """The longest duration of one of the calls, and a refusal of one that is never accepted, or an empty text.

    Each call is made at least once. One that is refused is made again after the others, which may be what it needs."""
    client, worst, end, made = patient(path), 0, time.monotonic() + seconds, 0
    texts, refusals = with_epoch(client, texts), {}
    accepted = set()
    while made < len(texts) * (3 if refusals.keys() - accepted else 1) or (time.monotonic() < end and made < 200):
        text = texts[made % len(texts)]
        begun = time.monotonic()
        reply = client.exchange(text)
        worst = max(worst, time.monotonic() - begun)
        made += 1
        if is_refusal(reply):
            refusals[text] = reply.decode()
        else:
            accepted.add(text)
    return worst, next((refusal for text, refusal in refusals.items() if text not in accepted), "")


def with_epoch(client, texts):
    """Calls, with the epoch of a producer that is opened for them where they are deliveries."""
    if b'"epoch": 0' not in texts[0]:
        return texts
    epoch = client.call("Open", producer=json.loads(texts[0][:-1])["parameters"]["producer"])["epoch"]
    return [text.replace(b'"epoch": 0', b'"epoch": %d' % epoch) for text in texts]


# Attacks, each until it is killed.

def asks(path, texts, connections=CONNECTIONS, depth=16):
    """Many connections, each with some calls under way."""
    poll, sockets, asked = select.poll(), {}, 0
    for _ in range(connections):
        connection = dial(path)
        sockets[connection.fileno()] = [connection, b"", 0]
        connection.setblocking(False)
        poll.register(connection, select.POLLIN | select.POLLOUT)
    while True:
        for number, ready in poll.poll():
            state = sockets[number]
            connection, unsent, under_way = state
            if ready & (select.POLLIN | select.POLLHUP):
                try:
                    portion = connection.recv(PORTION)
                except BlockingIOError:
                    portion = b" "
                if not portion:
                    poll.unregister(number)
                    connection.close()
                    sockets.pop(number)
                    continue
                under_way -= portion.count(b"\0")
            while under_way < depth and len(unsent) < PORTION:
                unsent += texts[asked % len(texts)]
                asked += 1
                under_way += 1
            try:
                unsent = unsent[connection.send(unsent):] if unsent else unsent
            except BlockingIOError:
                pass
            except OSError:
                unsent = b""
            state[1:] = unsent, under_way
            poll.modify(number, select.POLLIN | (select.POLLOUT if unsent else 0))


def delivers(path, texts):
    """Opens a producer, sends its deliveries, and begins again."""
    client = Connection(path)
    while True:
        for text in with_epoch(client, texts):
            client.exchange(text)


def floods(path, texts):
    """One connection that always has 2,000 calls under way."""
    asks(path, texts, 1, 2000)


def leaves(path, texts):
    """Connects, sends 10,000 calls or what the kernel takes, leaves, and begins again."""
    text = b"".join(texts)
    calls = text * (CALLS // len(texts))
    while True:
        try:
            connection = dial(path)
            connection.setblocking(False)
            connection.send(calls)
            connection.close()
        except OSError:
            time.sleep(0.001)


def asks_and_reads_nothing(path, texts):
    """Connections that send calls, and take no reply."""
    connections = []
    for _ in range(CONNECTIONS):
        connection = dial(path)
        connection.setblocking(False)
        connections.append(connection)
    while True:
        for connection in connections:
            try:
                connection.send(b"".join(texts) * 10)
            except OSError:
                pass
        time.sleep(0.01)


def connects(path, texts):
    """Connects, makes one call, and leaves after its first reply."""
    while True:
        try:
            connection = dial(path)
            connection.sendall(texts[0])
            connection.recv(PORTION)
            connection.close()
        except OSError:
            time.sleep(0.001)


def stays(path, texts):
    """Connections that each make one call and read what is sent for it."""
    poll = select.poll()
    kept = []
    for _ in range(CONNECTIONS):
        connection = dial(path)
        connection.sendall(texts[0])
        poll.register(connection, select.POLLIN)
        kept.append(connection)
    while True:
        for number, _ in poll.poll():
            if not os.read(number, PORTION):
                poll.unregister(number)
