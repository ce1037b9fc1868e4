"""Both services under systemd, killed at random while a pedal is pressed."""

from kit.chance import seeded
from kit.clicker import SERVICE, Clicker, clicker_process
from kit.kills import Killer, Service
from kit.machine import Installed, Override, process

KILLS = 200
CORE = "tallyd.service"
# systemd starts the services again at once, however often they are killed.
PATIENT = ["[Service]", "RestartSec=20ms", "[Unit]", "StartLimitIntervalSec=0"]


def test_killed_while_pressed(scene):
    """Either service or both are killed two hundred times while a pedal is pressed all the time: every press counts once."""
    killer = Killer(seeded(), Service(CORE, lambda: process(CORE)), Service(SERVICE, clicker_process))
    with Installed(), Override(CORE, *PATIENT), Clicker(*PATIENT) as clicker:
        clicker.counts(1)
        for number in range(KILLS):
            # Every second time the services are killed while they start or catch up.
            if number % 2 == 0:
                clicker.counts(1)
            killer.strike(0.02)
        clicker.counts(1)
        clicker.all_counted()
        print(f"        {killer.summary}; {clicker.presses} presses", flush=True)
