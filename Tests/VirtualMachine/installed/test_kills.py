"""Both services under systemd, killed at random while a presenter is pressed."""

import os
import random
import signal
import subprocess

from kit import devices
from kit.machine import Installed, Override, call, state, systemctl, values, wait_for
from kit.wait import becomes, equal, eventually

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

    def started(killed=()):
        """The processes of both; nothing while one was killed and no other one has followed."""
        found = dict(zip(SERVICES, map(int, systemctl("show", "--value", "-p", "MainPID", *SERVICES).split())))
        return all(pid and pid not in killed for pid in found.values()) and found

    patient = ["[Unit]", "StartLimitIntervalSec=0", "[Service]", "RestartSec=20ms"]
    with Installed(), Override(SERVICES[0], *patient), Override(SERVICES[1], *patient):
        systemctl("start", *SERVICES)
        wait_for(presenter)
        pids = started()
        for number in range(KILLS):
            # The kernel keeps sixteen presses; every second time the next process may not have come to them yet.
            if number % 2 == 0:
                counted()
            press(3)
            victims = [pids[service] for service in chance.choice([SERVICES[:1], SERVICES[1:], SERVICES])]
            for victim in victims:
                os.kill(victim, signal.SIGKILL)
            # While they start again.
            press(3)
            pids = eventually(lambda: started(victims), "both are started again")
        counted()
        events = []
        while page := call("History", after=len(events), limit=1000)["events"]:
            events += page
        counts = [event["value"] for event in events if event["kind"] == "added"]
        equal(counts, list(range(1, made + 1)), "the counts")
        equal(state(SERVICES[1], "NFileDescriptorStore"), "2", "the descriptors that systemd keeps")
        print(f"        {KILLS} kills, {made} presses, {len(counts)} counted", flush=True)


def test_plugging_under_systemd(scene):
    """Cycles of plugging leave nothing in systemd's store of descriptors, and a restart loses no press."""
    stored = lambda: state(SERVICES[1], "NFileDescriptorStore")
    with Installed():
        for _ in range(10):
            presenter = devices.presenter()
            wait_for(presenter)
            becomes(stored, "2", "what systemd keeps")
            presenter.close()
            becomes(stored, "0", "what systemd keeps")
        presenter = scene.presenter()
        wait_for(presenter)
        restart = subprocess.Popen(["systemctl", "restart", SERVICES[1]])
        # The kernel keeps sixteen, if the next process does not come to them before.
        for _ in range(12):
            presenter.press()
        equal(restart.wait(60), 0, "the end of the restart")
        becomes(values, {"count": 12}, "the presses that were counted")
