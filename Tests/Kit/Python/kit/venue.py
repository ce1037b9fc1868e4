"""A venue of real stations, random faults, and an oracle that knows what each driver was answered.

The oracle is a range: an act whose answer did not come, or that was lost with its disk before anybody had heard it, may be in
the total or not. Whenever all faults are over, all stations must agree on a total in that range, and the range becomes that
total."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

from kit.faults import FAULTS, Faults
from kit.varlink import Refused
from kit import wait
from kit.wait import InVain, eventually

# Steps until all faults are over.
ROUND = 25
# Far beyond what the way through all stations takes, even on a machine that does other things.
PATIENCE = max(180, wait.PATIENCE)


class Wrong(AssertionError):
    """A total that is none of those that the answers allow, or stations that do not agree."""


class Door:
    """A station, its proxy, and what its driver knows."""

    def __init__(self, station, proxy):
        self.station, self.proxy = station, proxy
        # Acts that are answered, since all agreed, and whether one of them was an undo.
        self.acts, self.has_undone = [], False
        # How many acts an undo finds at least; beyond them there is what made the counter.
        self.undoable = 0
        # How many counts nobody else had reported before the end of its core; `None` where that is not known.
        self.unheard = None
        # Copies of the journal: a folder, and how many acts it has; none is of another course of things than the present one.
        self.copies = []


class Venue(Faults):
    def __init__(self, stage, count, chance, say=lambda line: None):
        self.stage, self.chance, self.say = stage, chance, say
        self.broker = stage.start_broker()
        self.least = self.most = 0
        # What the broker had stored at an earlier time.
        self.stored = None
        self.names = 0
        self.done, self.tally, self.healing, self.lost = [], {}, [], 0
        self.presses = 0
        self.doors = [self.door() for _ in range(count)]
        self.doors[0].station.share()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda door: door.station.adopt(), self.doors[1:]))

    def door(self, state=None):
        """A new station, with a copy of another one's journal if there is one."""
        self.names += 1
        proxy = self.stage.proxy()
        station = self.stage.station(f"door{self.names}", begins=state is None)
        if state is not None:
            shutil.copytree(state, station.folder / "state")
            station.start()
        station.join(f"mqtt://127.0.0.1:{proxy.port}")
        return Door(station, proxy)

    # MARK: Steps

    def run(self, steps):
        begun = time.monotonic()
        for step in range(1, steps + 1):
            kind, = self.chance.choices(list(FAULTS), FAULTS.values())
            door = self.chance.choice(self.doors)
            self.done.append(f"{step}: {kind} {door.station.name}")
            self.tally[kind] = self.tally.get(kind, 0) + 1
            getattr(self, kind)(door)
            self.press()
            if step % ROUND == 0 or step == steps:
                self.agree()
                self.say(f"{step} steps, {self.presses} answered acts, total {self.least}, {time.monotonic() - begun:.0f} s; "
                         f"all agreed {self.healing[-1]:.1f} s after the last fault")

    def press(self):
        """Several drivers act at the same time; one core may be killed meanwhile."""
        chosen = [door for door in self.doors if door.station.core.is_running]
        chosen = self.chance.sample(chosen, min(len(chosen), self.chance.randint(1, 6)))
        calls = [(door, self.call(door), door.station.core.connect()) for door in chosen]
        for _, (method, parameters), connection in calls:
            connection.send(method, **parameters)
        victim = self.chance.choice(chosen) if chosen and self.chance.random() < 0.1 else None
        if victim:
            self.done.append(f"   kill core {victim.station.name} in a call")
            victim.station.core.kill()
        for door, call, connection in calls:
            try:
                self.answered(door, call[0], connection.receive()["event"].get("change", 0))
            except Refused as refusal:
                if not refusal.name.endswith(("NothingToUndo", "CannotUndo")):
                    raise
            except OSError:
                # Undone is at most what was done last.
                amount = call[1].get("amount", 9)
                self.widen([amount if call[0] == "Add" else -amount] if call[0] != "Undo" else [amount, -amount])
                door.has_undone, door.undoable = door.has_undone or call[0] == "Undo", 0
            connection.close()
        if victim:
            victim.station.core.start()

    def call(self, door):
        kind = self.chance.random()
        if kind < 0.05 and door.undoable:
            return "Undo", {"counter": "people"}
        return "Add" if kind < 0.85 else "Subtract", {"counter": "people", "amount": self.chance.randint(1, 9)}

    def answered(self, door, method, change):
        door.acts.append(change)
        door.undoable += -1 if method == "Undo" else 1
        door.has_undone = door.has_undone or method == "Undo"
        self.least, self.most, self.presses = self.least + change, self.most + change, self.presses + 1

    def widen(self, changes):
        """Changes that may have been made or not."""
        self.least += sum(change for change in changes if change < 0)
        self.most += sum(change for change in changes if change > 0)

    def forget(self, door, kept):
        """The acts after the first ones are on no disk of that station any more: only those that others heard are certain."""
        acts, door.acts, door.undoable = door.acts[kept:], door.acts[:kept], 0
        unheard = len(acts)
        if not door.has_undone and door.unheard is not None:
            unheard = min(unheard, door.unheard)
        lost = acts[len(acts) - unheard:]
        self.lost += len(lost)
        self.least -= sum(change for change in lost if change > 0)
        self.most -= sum(change for change in lost if change < 0)
        # Those that others have heard are learned again; no copy has them.
        door.acts += acts[:len(acts) - unheard]

    def look(self, door):
        """How many counts of the station nobody else has reported, before its end."""
        door.unheard = None
        if door.station.core.is_running:
            counters = door.station.fleet().get("counters") or []
            door.unheard = next((one.get("unheard") or 0 for one in counters if one["name"] == "people"), None)

    # MARK: Agreement

    @property
    def summary(self):
        """The figures of the run, in lines."""
        healing = sorted(self.healing)
        return "\n".join([
            f"{self.presses} answered acts; {self.lost} lost with their disk before anybody had heard them",
            "faults: " + ", ".join(f"{kind} {count}" for kind, count in sorted(self.tally.items())),
            f"from the end of all faults to agreement: median {healing[len(healing) // 2]:.1f} s, longest {healing[-1]:.1f} s"])

    def agree(self):
        """Ends all faults; all must agree on a total that the answers allow."""
        for door in self.doors:
            self.revive(door)
            door.proxy.heal()
        begun = time.monotonic()
        found = []

        def agreed():
            found[:] = [door.station.show()[0] for door in self.doors]
            return len(set(found)) == 1 and self.least <= found[0] <= self.most

        try:
            eventually(agreed, "all agree", PATIENCE)
        except InVain:
            shown = ", ".join(f"{door.station.name} {total}" for door, total in zip(self.doors, found))
            raise Wrong(f"The answers allow {self.least} to {self.most}, and after {PATIENCE} s the stations show: {shown}.\n"
                        + "\n".join(self.done[-2 * ROUND:])) from None
        self.healing.append(time.monotonic() - begun)
        if self.least != self.most:
            # What is lost now must not come back from an older state of the broker.
            self.stored = self.broker.store()
        self.least = self.most = found[0]
        for door in self.doors:
            # All copies have less than all stations know; acts that a copy lacks are known everywhere.
            door.acts, door.has_undone = [], False
            door.copies = [(folder, 0) for folder, _ in door.copies[-2:]]
