"""Both services under systemd, killed at random while a presenter is pressed."""

import random
import subprocess

from kit import devices
from kit.machine import Installed, Override, call, state, systemctl, values, wait_for
from kit.wait import becomes, equal

KILLS = 200
SERVICES = ["tallyd.service", "tally-inputd.service"]


def test_killed_while_pressed(scene):
    """Either service or both are killed two hundred times while a presenter is pressed: every press counts once."""
    presenter = scene.presenter()
    chance = random.Random(7)
    made = 0

    def press(most):
        nonlocal made
        for _ in range(chance.randrange(most)):
            presenter.press()
            made += 1

    def counted():
        nonlocal made
        presenter.press()
        made += 1
        becomes(values, {"count": made}, "the presses that were counted")

    patient = ["[Unit]", "StartLimitIntervalSec=0"]
    with Installed(), Override(SERVICES[0], *patient), Override(SERVICES[1], *patient):
        systemctl("start", *SERVICES)
        wait_for(presenter)
        for number in range(KILLS):
            # The kernel keeps sixteen presses; every second time the next process may not have come to them yet.
            if number % 2 == 0:
                counted()
            press(3)
            victims = chance.choice([SERVICES[:1], SERVICES[1:], SERVICES])
            subprocess.run(["systemctl", "kill", "--signal=KILL", *victims], capture_output=True)
            # While they start again, and a moment later.
            press(3)
            for victim in victims:
                becomes(lambda: state(victim), "active", victim)
        counted()
        events = []
        while page := call("History", after=len(events), limit=1000)["events"]:
            events += page
        counts = [event["value"] for event in events if event["kind"] == "added"]
        equal(counts, list(range(1, made + 1)), "the counts")
        equal(state(SERVICES[1], "NFileDescriptorStore"), "1", "the devices that systemd keeps open")
        print(f"        {KILLS} kills, {made} presses, {len(counts)} counted", flush=True)


def test_plugging_under_systemd(scene):
    """Cycles of plugging leave nothing in systemd's store of descriptors, and a restart loses no press."""
    stored = lambda: state(SERVICES[1], "NFileDescriptorStore")
    with Installed():
        for _ in range(10):
            presenter = devices.presenter()
            wait_for(presenter)
            becomes(stored, "1", "what systemd keeps")
            presenter.close()
            becomes(stored, "0", "what systemd keeps")
        presenter = scene.presenter()
        wait_for(presenter)
        restart = subprocess.Popen(["systemctl", "restart", SERVICES[1]])
        for _ in range(20):
            presenter.press()
        equal(restart.wait(60), 0, "the end of the restart")
        becomes(values, {"count": 20}, "the presses that were counted")
