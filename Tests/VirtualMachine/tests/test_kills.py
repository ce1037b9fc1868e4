"""Both services under systemd, killed at random while a presenter is pressed."""

import random
import subprocess

from kit.machine import Installed, Override, call, state, systemctl, values, wait_for
from kit.wait import becomes

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

    patient = ["[Unit]", "StartLimitIntervalSec=0"]
    with Installed(), Override(SERVICES[0], *patient), Override(SERVICES[1], *patient):
        systemctl("start", *SERVICES)
        wait_for(presenter)
        for _ in range(KILLS):
            press(4)
            victims = chance.choice([SERVICES[:1], SERVICES[1:], SERVICES])
            subprocess.run(["systemctl", "kill", "--signal=KILL", *victims], capture_output=True)
            # While they start again, and a moment later.
            press(4)
            for victim in victims:
                becomes(lambda: state(victim), "active", victim)
        presenter.press()
        made += 1
        becomes(values, {"count": made}, "the presses that were counted")
        events = []
        while page := call("History", after=len(events), limit=1000)["events"]:
            events += page
        counts = [event["value"] for event in events if event["kind"] == "added"]
        if counts != list(range(1, made + 1)):
            raise AssertionError(f"{made} presses became {counts}")
