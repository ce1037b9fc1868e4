"""Stations in virtual machines, with disks and boots of their own, over a network that is bad (see guest)."""

import time

from kit.wait import becomes, equal, eventually
from machine import Machine

# Seconds: an emulated machine that others keep busy needs half a minute to boot, and lost packets delay the rest.
PATIENCE = 300


def test_two_machines(stage):
    """Two machines agree over a bad network, through a power cut, a disk that is put back, and a copy of it that runs beside
    its original: nothing that was heard is lost, and nothing counts twice."""
    stage.start_broker()
    listener = stage.stranger("tallymark/venue/#")
    first, second = (Machine(stage, name) for name in ("first", "second"))
    begun = time.monotonic()

    def say(what):
        nonlocal begun
        print(f"        {what}: {time.monotonic() - begun:.1f} s", flush=True)
        begun = time.monotonic()

    def agree(machines, total, what):
        nonlocal begun
        begun = time.monotonic()
        stage.agree(machines, total, PATIENCE)
        say(what)

    def writers(station):
        """Those of which a station has published counts."""
        return {topic.split("/")[4] for topic in listener.topics(f"^tallymark/venue/{station}/reg/")} - {"rest"}

    for machine, name in ((first, "door1"), (second, "door2")):
        machine.join(name)
    say("both have booted and joined")
    first.tally("new", "people")
    first.tally("fleet", "share", "people")
    eventually(lambda: "people" in second.tally("fleet"), "the counter is offered", PATIENCE)
    second.tally("fleet", "adopt", "people", "--from-now")
    first.press(10)
    second.press(7)
    agree([first, second], 17, "both counted and agree")
    equal([first.show()[1], second.show()[1]], [10, 7], "the own shares")

    # The counts before it are on the disk; nobody else need have heard them.
    first.press(5)
    first.press()
    first.kill()
    old = first.copy("old")
    known = writers("door1")
    second.press(2)
    begun = time.monotonic()
    first.start()
    first.press()
    say("booted after a power cut")
    agree([first, second], 26, "agree after the power cut")
    equal([first.show()[1], second.show()[1]], [17, 9], "the own shares after the power cut")
    eventually(lambda: len(writers("door1") - known) == 1, "the boot has a writer of its own", PATIENCE)

    # Heard by the other machine, so the disk that is put back takes nothing away.
    first.kill()
    known = writers("door1")
    first.restore(old)
    begun = time.monotonic()
    first.start()
    first.press(3)
    say("booted from the disk that was put back")
    agree([first, second], 29, "agree after the disk was put back")
    eventually(lambda: len(writers("door1") - known) == 1, "it counts as a new writer", PATIENCE)

    begun = time.monotonic()
    clone = Machine(stage, "clone", disk=old)
    clone.press(4)
    say("booted from a copy of the disk, beside the original")
    for machine, words in ((second, "Two stations are called “door1”"), (first, "called “door1”"), (clone, "called “door1”")):
        eventually(lambda: words in machine.tally("fleet"), f"{machine.name} says that two have one name", PATIENCE)
    say("all say that two have one name")
    first.press()
    second.press()
    agree([first, second, clone], 35, "all agree while two have one name")

    clone.join("door3")
    clone.press(2)
    agree([first, second, clone], 37, "all agree after the copy has a name of its own")
    for machine in (first, second, clone):
        becomes(lambda: "are called" in machine.tally("fleet"), False, f"{machine.name} says that two have one name", PATIENCE)
    equal(second.show()[1], 10, "the own share of the second machine")
    for machine in (first, second, clone):
        # Each machine has counted what stood on the disk when it was copied, so it takes these for its own.
        eventually(
            lambda: sum(line["contribution"] for line in machine.stations().values()) == 37,
            f"{machine.name} gives each count to one station", PATIENCE)
        print("        " + machine.tally("fleet").replace("\n", "\n        ").rstrip(), flush=True)
