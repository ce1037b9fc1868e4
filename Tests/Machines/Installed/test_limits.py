"""What one user, or all strangers together, may take of the machine's core: connections, calls, files and memory."""

import json
import socket
import subprocess
import sys
from pathlib import Path

from kit.machine import SOCKET, Installed, call, state, systemctl
from kit.places import in_container
from kit.process import waits
from kit.rights import ALICE, Rights, alice, may
from kit.wait import PATIENCE, becomes, equal, eventually


@in_container
def test_limits_of_a_user(scene):
    """One user's connections and calls are limited together, and nobody else notices."""
    script = """
import socket, sys
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(int(sys.argv[2])); return s
call = b'{"method":"org.varlink.service.GetInfo"}\\0'
held = [connect() for _ in range(5)]
answered = 0
for s in held:
    try:
        s.sendall(call); answered += s.recv(4096).endswith(b'\\0')
    except OSError:
        pass
print(answered, flush=True)
for s in held[3:]: s.close()
held[0].sendall(call * 60)
# Afterwards root has been served.
sys.stdin.readline()
held[0].setblocking(False)
got = 0
try:
    while part := held[0].recv(65536): got += part.count(b'\\0')
except BlockingIOError:
    pass
held[0].settimeout(int(sys.argv[2]))
print(got < 60, held[0].recv(65536).endswith(b'\\0'))
"""
    with Installed(), Rights('[rights]\nread = ["*"]\n[limits]\nconnections = 3\ncalls = 1\n'):
        person = subprocess.Popen([sys.executable, "-c", script, SOCKET, str(PATIENCE)], text=True, cwd="/",
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, **alice())
        with person:
            equal(person.stdout.readline().strip(), "3", "the connections that are answered")
            equal(may({}, "show"), True, "whether root is served before 60 calls are answered")
            print("served", file=person.stdin, flush=True)
            equal(person.stdout.readline().split(), ["True", "True"], "whether calls wait, and whether they are answered later")


@in_container
def test_limits_are_read_again(scene):
    """Other limits in core.toml hold after a reload, for whoever has made calls before and is connected as well."""
    script = """
import socket, sys
call = b'{"method":"org.varlink.service.GetInfo"}\\0'
held = []
for line in sys.stdin:
    answered = 0
    for _ in range(10):
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(int(sys.argv[2]))
        try:
            s.sendall(call)
            if s.recv(4096).endswith(b'\\0'): answered += 1; held.append(s)
        except OSError:
            pass
    print(answered, flush=True)
"""
    text = '[rights]\nread = ["*"]\n[limits]\nconnections = {}\n'
    with Installed(), Rights(text.format(3)) as rights:
        person = subprocess.Popen([sys.executable, "-c", script, SOCKET, str(PATIENCE)], text=True, cwd="/",
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, **alice())
        with person:
            for limit, more in [(3, 3), (8, 5), (1, 0), (9, 1)]:
                rights.write(text.format(limit))
                # The signal is handled before anybody is answered who comes after it.
                may({}, "show")
                print("more", file=person.stdin, flush=True)
                equal(int(person.stdout.readline()), more, f"further connections that are taken, of {limit}")


@in_container
def test_strangers_are_limited_together(scene):
    """Users without a right, of whom a person may be thousands, claim together what one user may."""
    script = """
import os, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
held = []
for user in range(100000, 100030):
    os.seteuid(0); os.setegid(user); os.seteuid(user)
    for _ in range(64):
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(int(sys.argv[2])); held.append(s)
answered = 0
for s in held:
    try:
        s.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0'); answered += s.recv(4096).endswith(b'\\0')
    except OSError:
        pass
print(answered, flush=True)
sys.stdin.readline()
"""
    person = alice()
    with Installed(), Rights(f'[rights]\nread = ["{ALICE}"]\n'):
        crowd = subprocess.Popen([sys.executable, "-c", script, SOCKET, str(PATIENCE)], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with crowd:
            equal(crowd.stdout.readline().strip(), "64", "how many connections of 1,920 are answered")
            equal(may({}, "show"), True, "whether root is served meanwhile")
            equal(may(person, "show"), True, "whether who has a right is served meanwhile")
            crowd.stdin.close()


@in_container
def test_open_files(scene):
    """The core may open as many files as it takes connections, and some more."""
    with Installed():
        may({}, "show")
        limits = Path(f"/proc/{state('tallyd.service', 'MainPID')}/limits").read_text()
        soft = int(next(line for line in limits.splitlines() if line.startswith("Max open files")).split()[3])
        equal(soft, 8192, "files that the core may have open")


def memory(pid):
    """The most memory that a process ever had, in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


@in_container
def test_memory(scene):
    """Neither strangers nor readers bring the core near the memory that its unit allows, whatever they send or leave."""
    script = """
import select, socket, sys
MESSAGES = {
    "unfinished": b'{"method":"' + b"x" * (16 << 20),
    "values": b'{"method":"org.tallymark.Counters.List","parameters":{"x":[' + b'{"a":0},' * (2 << 20) + b'0]}}\\0',
    "short values": b'{"method":"org.tallymark.Counters.List","parameters":{"x":[' + b'{"a":0},' * 32000 + b'0]}}\\0',
    "names": (b'{"method":"org.tallymark.Counters.Watch","more":true,"parameters":{"counters":['
              + b'"people",' * 20000 + b'"people"]}}\\0'),
    "history": b'{"method":"org.tallymark.Counters.History","parameters":{"limit":1000}}\\0' * 4,
}
message = MESSAGES[sys.argv[2]]
def connect():
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.setblocking(False); return s
held = {connect(): 0 for _ in range(60)}
# Reports how much is sent, as often as it is asked.
for line in sys.stdin:
    while ready := select.select([], [s for s in held if held[s] < len(message)], [], 0)[1]:
        for s in ready:
            try:
                held[s] += s.send(message[held[s]:held[s] + 65536])
            except BlockingIOError:
                pass
            except OSError:
                held[s] = len(message)
    print(sum(held.values()), flush=True)
"""

    def attempt(what, pid):
        """Somebody sends as much as the core takes; afterwards the core has nothing left to do."""
        crowd = subprocess.Popen([sys.executable, "-c", script, SOCKET, what], text=True, cwd="/",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, **alice())

        def sent():
            print("more", file=crowd.stdin, flush=True)
            return int(crowd.stdout.readline())

        with crowd:
            eventually(lambda: sent() == sent() and waits(pid) and sent() == sent(), "the core takes no more")
            crowd.stdin.close()

    with Installed():
        counts = [{"count": {"name": "people", "time": at * 1_000_000, "amount": "1"}} for at in range(1000)]
        call("Import", entries=counts)
        pid = state("tallyd.service", "MainPID")
        for what in ["unfinished", "values", "short values"]:
            attempt(what, pid)
            equal(memory(pid) < 200, True, f"whether {memory(pid)} MiB are few after {what} of a stranger")
        with Rights('[rights]\nread = ["*"]\n'):
            pid = state("tallyd.service", "MainPID")
            for what in ["short values", "names", "history"]:
                attempt(what, pid)
                equal(memory(pid) < 400, True, f"whether {memory(pid)} MiB are few after {what} of a reader")
            print(f"        {memory(pid)} MiB at most", flush=True)
        equal(state("tallyd.service", "NRestarts"), "0", "how often the core was killed")
        equal(may({}, "show"), True, "whether root is served")


@in_container
def test_no_descriptors(scene):
    """Whoever passes a descriptor to the core is disconnected, and the core keeps nothing of it."""
    with Installed():
        # The gesture daemon's connection would change the number of descriptors.
        systemctl("stop", "tally-inputd.service")
        may({}, "show")
        pid = state("tallyd.service", "MainPID")
        eventually(lambda: waits(pid), "the core has closed the connection and is idle")
        descriptors = lambda: len(list(Path(f"/proc/{pid}/fd").iterdir()))
        before = descriptors()
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as connection, open("/dev/null") as file:
                connection.settimeout(PATIENCE)
                connection.connect(SOCKET)
                call = json.dumps({"method": "org.varlink.service.GetInfo"}).encode() + b"\0"
                socket.send_fds(connection, [call], [file.fileno()])
                equal(connection.recv(100), b"", "what the core answers")
        becomes(descriptors, before, "the core's open descriptors")
