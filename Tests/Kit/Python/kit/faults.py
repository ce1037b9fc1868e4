"""The faults of a venue: of the paths to the broker, the processes, the disks and the broker itself."""

import shutil

# How often each kind of fault is chosen.
FAULTS = {
    "cut": 4, "stall": 2, "delay": 2, "heal": 5, "kill_bridge": 4, "kill_core": 4, "stay_dead": 1, "boot": 1, "back_up": 3,
    "put_back": 3, "clone": 1, "kill_broker": 1, "empty_broker": 1, "store_broker": 1, "set_broker_back": 1}


class Faults:
    """Of a venue; each acts on a station, or on the broker."""

    def cut(self, door):
        door.proxy.cut()

    def stall(self, door):
        door.proxy.stall()

    def delay(self, door):
        door.proxy.delay = self.chance.uniform(0.01, 0.5)

    def heal(self, door):
        door.proxy.heal()

    def kill_bridge(self, door):
        door.station.bridge.kill()
        door.station.bridge.start()

    def kill_core(self, door):
        door.station.core.kill()
        door.station.core.start()

    def stay_dead(self, door):
        door.station.kill()

    def revive(self, door):
        if not door.station.core.is_running:
            door.station.core.start()
        if not door.station.bridge.is_running:
            door.station.bridge.start()

    def boot(self, door):
        door.station.kill()
        door.station.boot(self.chance.randbytes(16).hex())
        self.revive(door)

    def back_up(self, door):
        door.station.kill()
        folder = door.station.folder / f"copy{len(self.done)}"
        shutil.copytree(door.station.folder / "state", folder)
        door.copies.append((folder, len(door.acts)))
        self.revive(door)

    def put_back(self, door):
        if not door.copies:
            return self.back_up(door)
        self.look(door)
        door.station.kill()
        number = self.chance.randrange(len(door.copies))
        door.copies = door.copies[:number + 1]
        folder, kept = door.copies[number]
        shutil.rmtree(door.station.folder / "state")
        shutil.copytree(folder, door.station.folder / "state")
        self.forget(door, kept)
        if self.chance.random() < 0.5:
            door.station.boot(self.chance.randbytes(16).hex())
        self.revive(door)

    def clone(self, door):
        """Another station burns down, and a copy of this one takes its place."""
        others = [other for other in self.doors if other is not door]
        victim = self.chance.choice(others)
        self.look(victim)
        victim.station.kill()
        self.forget(victim, 0)
        self.doors.remove(victim)
        victim.proxy.close()
        door.station.kill()
        self.doors.append(self.door(door.station.folder / "state"))
        self.revive(door)
        shutil.rmtree(victim.station.folder)

    def kill_broker(self, _):
        self.broker.kill()
        self.broker.start()

    def empty_broker(self, _):
        self.broker.kill()
        self.broker.empty()
        self.broker.start()

    def store_broker(self, _):
        self.stored = self.broker.store()

    def set_broker_back(self, _):
        self.broker.kill()
        if self.stored:
            self.broker.put_back(self.stored)
        self.broker.start()
