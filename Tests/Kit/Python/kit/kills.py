"""Programs and services that are killed at random moments and start again."""

import os
import signal
import time

from kit.process import Ended
from kit.wait import eventually


class Service:
    """A service that systemd starts again. `find` returns the number of its process, 0 where there is none."""

    def __init__(self, name, find):
        self.name, self.find = name, find
        self.pid, self.kills = 0, 0

    @property
    def is_running(self):
        return self.find() != 0

    def kill(self):
        self.pid = self.find()
        # Number 0 would mean the own process group.
        if not self.pid:
            raise Ended(f"{self.name} has ended by itself")
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            raise Ended(f"{self.name} has ended by itself") from None
        self.kills += 1

    def start(self):
        """Waits until systemd has started another process."""
        eventually(lambda: self.find() not in (0, self.pid), f"{self.name} is started again")


class Killer:
    """Kills some victims, each a `Process` or a `Service`, with SIGKILL, and has them start again."""

    def __init__(self, chance, *victims, start=lambda victim: victim.start()):
        self.chance, self.victims, self.start, self.rounds = chance, list(victims), start, 0
        # Who can be struck at a time.
        self.choices = [[one] for one in self.victims] + [self.victims]

    def strike(self, within=0.0, meanwhile=lambda: None, chosen=None):
        """Waits for at most `within` seconds, kills one victim or all at once, calls `meanwhile`, and has them start."""
        time.sleep(self.chance.random() * within)
        chosen = chosen or self.chance.choice(self.choices)
        for victim in chosen:
            if not victim.is_running:
                raise Ended(f"{victim.name} has ended by itself")
            victim.kill()
        self.rounds += 1
        meanwhile()
        for victim in chosen:
            self.start(victim)

    @property
    def summary(self):
        """How often each victim was killed, in words."""
        return f"{self.rounds} rounds: " + ", ".join(f"{victim.name} killed {victim.kills} times" for victim in self.victims)
