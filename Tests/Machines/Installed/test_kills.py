"""Both services under systemd, killed at random while a pedal is pressed."""

import os
import random
import signal
import time

from kit.clicker import Clicker, clicker_process
from kit.machine import Installed, Override, process
from kit.wait import eventually

KILLS = 200
SERVICES = ["tallyd.service", "tally-inputd.service"]
# systemd starts the services again at once, however often they are killed.
PATIENT = ["[Service]", "RestartSec=20ms", "[Unit]", "StartLimitIntervalSec=0"]


def processes(killed=()):
    """The process of each service; nothing while a service has none, or one that was killed."""
    found = {SERVICES[0]: process(SERVICES[0]), SERVICES[1]: clicker_process()}
    return all(pid and pid not in killed for pid in found.values()) and found


def test_killed_while_pressed(scene):
    """Either service or both are killed two hundred times while a pedal is pressed all the time: every press counts once."""
    seed = int(os.environ.get("TALLYMARK_SEED") or random.randrange(1 << 32))
    chance = random.Random(seed)
    print(f"TALLYMARK_SEED={seed}", flush=True)
    with Installed(), Override(SERVICES[0], *PATIENT), Clicker(*PATIENT) as clicker:
        clicker.counts(1)
        pids = processes()
        for number in range(KILLS):
            # Every second time the services are killed while they start or catch up.
            if number % 2 == 0:
                clicker.counts(1)
            time.sleep(chance.random() * 0.02)
            victims = [pids[service] for service in chance.choice([SERVICES[:1], SERVICES[1:], SERVICES])]
            for victim in victims:
                os.kill(victim, signal.SIGKILL)
            pids = eventually(lambda: processes(victims), "both are started again")
        clicker.counts(1)
        clicker.all_counted()
        print(f"        {KILLS} kills, {clicker.presses} presses", flush=True)
