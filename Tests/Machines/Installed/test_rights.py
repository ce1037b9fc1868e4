"""Who may do what with the machine's core: real users, whom the kernel tells apart."""

import subprocess
import sys

from kit.clicker import Clicker, press, spooled
from kit.journal import INPUTD, hears, journal
from kit.machine import SOCKET, Installed, run, state, systemctl, values
from kit.places import in_container
from kit.rights import ALICE, CONFIGURATION, Rights, alice, may, tally
from kit.wait import PATIENCE, becomes, equal


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
            changes, complaint = watch.communicate(timeout=PATIENCE)
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
            hears("You may not count", INPUTD)
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
        hears("a gesture cannot undo", INPUTD)
        spooled({"verb": "undo"})
        becomes(values, {"people": 1}, "the counters: a count is taken back")
        equal(may({}, "undo"), True, "whether root may take it back")


@in_container
def test_producer_of_another_user(scene):
    """Whoever may count cannot end the machine's gesture daemon by delivering under its name."""
    script = """
import socket, sys
s = socket.socket(socket.AF_UNIX); s.settimeout(int(sys.argv[2])); s.connect(sys.argv[1])
s.sendall(b'{"method":"org.tallymark.Counters.Open","parameters":{"producer":"tally-inputd"}}\\0')
print(s.recv(4096))
"""
    with Installed():
        press()
        becomes(values, {"count": 1}, "the counters")
        pid = state("tally-inputd.service", "MainPID")
        equal("epoch" in run(sys.executable, "-c", script, SOCKET, str(PATIENCE), **alice("tallymark"), cwd="/"), True, "her epoch")
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
            said = journal("--unit=tallyd.service", "--lines=20")
            equal("core.toml:2:1:" in said and 'did you mean "read"?' in said, True, f"what it says: {said}")
            equal(subprocess.run(["systemctl", "restart", "tallyd.service"], capture_output=True).returncode != 0, True,
                  "whether it refuses to start")
            CONFIGURATION.write_text("")
            systemctl("reset-failed", "tallyd.service", "tallyd.socket")
            systemctl("start", "tallyd.socket")
