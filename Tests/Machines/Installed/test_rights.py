"""Who may do what with the machine's core: real users, whom the kernel tells apart."""

import json
import socket
import subprocess
import sys
from pathlib import Path

from kit.clicker import Clicker, press, spooled
from kit.machine import SOCKET, Installed, call, run, state, systemctl, values
from kit.places import in_container
from kit.programs import waits
from kit.rights import ALICE, CONFIGURATION, Rights, alice
from kit.wait import becomes, equal, eventually


def tally(identity, *arguments):
    answer = subprocess.run(["tally", *arguments], capture_output=True, text=True, cwd="/", **identity)
    return answer.returncode, answer.stdout + answer.stderr


def may(identity, *arguments):
    """Whether tally's verb is done; a refusal must name the right that is missing."""
    code, said = tally(identity, *arguments)
    if code and "You may not" not in said:
        raise AssertionError(f"tally {' '.join(arguments)}: {code} {said}")
    return code == 0


@in_container
def test_defaults(scene):
    """Unless it is said otherwise a stranger may nothing, the group tallymark read and count, and root everything."""
    with Installed():
        equal(may({}, "new", "people"), True, "whether root may make a counter")
        for verb in [("show",), ("add", "people"), ("new", "dogs")]:
            code, said = tally(alice(), *verb)
            right = {"show": "read", "add": "count", "new": "administer"}[verb[0]]
            equal((code, f"“{right}”" in said), (1, True), f"what a stranger is answered: {said}")
        member = alice("tallymark")
        equal([may(member, *verb) for verb in [("show",), ("add", "people"), ("undo",)]], [True] * 3, "what a member may")
        equal([may(member, *verb) for verb in [("new", "dogs"), ("remove", "people")]], [False] * 2, "what she may not")
        equal(may({}, "remove", "people"), True, "whether root may remove it")


@in_container
def test_rights_of_a_user(scene):
    """Each right is given by itself in core.toml, and a reload applies it."""
    with Installed():
        may({}, "new", "people")
        person = alice()
        verbs = {"read": ("show",), "count": ("add", "people"), "administer": ("new",)}
        holders = [("read", "*"), ("count", ALICE), ("administer", f"@{ALICE}")]
        for number, (right, holder) in enumerate(holders):
            lists = "".join(f'{name} = {[holder] if name == right else []}\n' for name in verbs)
            with Rights("[rights]\n" + lists.replace("'", '"')):
                allowed = [name for name, verb in verbs.items()
                           if may(person, *verb, *([f"dogs-{number}"] if verb == ("new",) else []))]
                equal(allowed, [right], f"what {right} for {holder} allows")


@in_container
def test_rights_withdrawn(scene):
    """Who loses the right to read is told no more of what changes, and why."""
    with Installed(), Rights(f'[rights]\nread = ["{ALICE}"]\n') as rights:
        may({}, "new", "people")
        watch = subprocess.Popen(
            ["tally", "watch", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/", **alice())
        try:
            equal("people" in watch.stdout.readline(), True, "whether she sees the counter")
            rights.write("[rights]\nread = []\n")
            changes, complaint = watch.communicate(timeout=30)
            equal((watch.returncode, "You may not read" in complaint), (1, True), f"what she is told: {complaint}")
            equal("added" in changes, False, "whether she saw a change")
        finally:
            watch.kill()


@in_container
def test_rights_of_a_number(scene):
    """Somebody who is not in /etc/passwd is given rights by number, as a user and through a group."""
    with Installed():
        may({}, "new", "people")
        for holder in ["70001", "@70002"]:
            with Rights(f'[rights]\nread = ["{holder}"]\n'):
                person = {"user": 70001, "group": 70001, "extra_groups": [70002]}
                equal([may(person, *verb) for verb in [("show",), ("add", "people")]], [True, False],
                      f"what read for {holder} allows")


@in_container
def test_gestures_without_a_right(scene):
    """What is pressed while the gesture daemon has no right to count is kept, and counted once it has."""
    with Installed(), Clicker() as clicker:
        with Rights("[rights]\ncount = []\n"):
            # The core was started anew, perhaps after some presses.
            counted = values()
            said = lambda: run("journalctl", "--boot", "--unit=tally-inputd.service", "--output=cat")
            becomes(lambda: "You may not count" in said(), True, "the gesture daemon says what is missing")
            clicker.press(20)
            equal(values(), counted, "the counters")
        clicker.counts(20)
        clicker.all_counted()


@in_container
def test_taking_back_what_was_administered(scene):
    """Whoever may only count takes back counts; that a counter was made, set or removed she does not, and a pedal's undo of
    that is refused for good."""
    with Installed():
        member = alice("tallymark")
        may({}, "new", "people")
        may({}, "add", "people")
        equal([may(member, "undo"), may(member, "redo"), values()], [True, True, {"people": 1}], "what she takes back")
        for verb in [("set", "people", "--maximum", "3"), ("new", "dogs"), ("remove", "dogs")]:
            may({}, *verb)
            code, said = tally(member, "undo")
            equal((code, "“administer”" in said), (1, True), f"what she is answered to an undo of {verb[0]}: {said}")
        spooled({"verb": "undo"}, {"verb": "add", "counter": "people"})
        becomes(values, {"people": 2}, "the counters: what was pressed behind it counts")
        said = lambda: run("journalctl", "--boot", "--unit=tally-inputd.service", "--output=cat")
        eventually(lambda: "A gesture may not undo or redo" in said(), "the gesture daemon says what is missing")
        spooled({"verb": "undo"})
        becomes(values, {"people": 1}, "the counters: a count is taken back")
        equal(may({}, "undo"), True, "whether root may take it back")


@in_container
def test_producer_of_another_user(scene):
    """Whoever may count cannot end the machine's gesture daemon by delivering under its name."""
    script = """
import socket, sys
s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
s.sendall(b'{"method":"org.tallymark.Counters.Open","parameters":{"producer":"tally-inputd"}}\\0')
print(s.recv(4096))
"""
    with Installed():
        press()
        becomes(values, {"count": 1}, "the counters")
        pid = state("tally-inputd.service", "MainPID")
        equal("epoch" in run(sys.executable, "-c", script, SOCKET, **alice("tallymark"), cwd="/"), True, "her epoch")
        equal(state("tally-inputd.service", "MainPID"), pid, "the gesture daemon")
        press()
        becomes(values, {"count": 2}, "the counters")


@in_container
def test_wrong_configuration(scene):
    """A configuration with a fault changes nothing, says where the fault is, and does not let the core start anew."""
    with Installed():
        person = alice()
        with Rights(f'[rights]\nread = ["{ALICE}"]\n'):
            CONFIGURATION.write_text('[rights]\nraed = ["*"]\n')
            systemctl("reload", "tallyd.service")
            becomes(lambda: "not valid" in state("tallyd.service", "StatusText"), True, "it says that it is not valid")
            equal(may(person, "show"), True, "whether the former configuration holds")
            run("journalctl", "--sync")
            said = run("journalctl", "--unit=tallyd.service", "--boot", "--lines=20", "--output=cat")
            equal("core.toml:2:1:" in said and 'did you mean "read"?' in said, True, f"what it says: {said}")
            equal(subprocess.run(["systemctl", "restart", "tallyd.service"], capture_output=True).returncode != 0, True,
                  "whether it refuses to start")
            CONFIGURATION.write_text("")
            systemctl("reset-failed", "tallyd.service", "tallyd.socket")
            systemctl("start", "tallyd.socket")


@in_container
def test_limits_of_a_user(scene):
    """One user's connections and calls are limited together, and nobody else notices."""
    script = """
import socket, sys, time
def connect():
    s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1]); return s
call = b'{"method":"org.varlink.service.GetInfo"}\\0'
held = [connect() for _ in range(5)]
answered = 0
for s in held:
    try:
        s.sendall(call); answered += s.recv(4096).endswith(b'\\0')
    except OSError:
        pass
print(answered)
for s in held[3:]: s.close()
started = time.monotonic()
held[0].sendall(call * 60)
got = 0
while got < 60: got += held[0].recv(65536).count(b'\\0')
print(time.monotonic() - started > 1)
"""
    with Installed(), Rights('[rights]\nread = ["*"]\n[limits]\nconnections = 3\ncalls = 20\n'):
        answer = run(sys.executable, "-c", script, SOCKET, **alice(), cwd="/")
        equal(answer.split(), ["3", "True"], "connections that are answered, and whether calls are put off")
        equal(may({}, "show"), True, "whether root is served")


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
        s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
        try:
            s.sendall(call)
            if s.recv(4096).endswith(b'\\0'): answered += 1; held.append(s)
        except OSError:
            pass
    print(answered, flush=True)
"""
    text = '[rights]\nread = ["*"]\n[limits]\nconnections = {}\n'
    with Installed(), Rights(text.format(3)) as rights:
        person = subprocess.Popen([sys.executable, "-c", script, SOCKET], text=True, cwd="/",
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
        s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1]); held.append(s)
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
        crowd = subprocess.Popen([sys.executable, "-c", script, SOCKET], text=True,
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
        lines = [json.dumps({"count": {"name": "people", "time": at * 1_000_000, "amount": "1"}}) for at in range(1000)]
        call("Import", lines=lines)
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
                connection.settimeout(30)
                connection.connect(SOCKET)
                call = json.dumps({"method": "org.varlink.service.GetInfo"}).encode() + b"\0"
                socket.send_fds(connection, [call], [file.fileno()])
                equal(connection.recv(100), b"", "what the core answers")
        becomes(descriptors, before, "the core's open descriptors")
