"""Brokers, stations and strangers for one test."""

import errno
import os
import shutil
import time
from pathlib import Path

from kit import stage
from kit.broker import Broker, Proxy, Stranger
from kit.core import Core
from kit.fake_core import FakeCore
from kit.process import Process
from kit.second_broker import SecondBroker
from kit.virtual_time import VirtualTime
from kit.wait import PATIENCE, becomes, eventually


class Station:
    """A core and a bridge with places of their own."""

    def __init__(self, stage, name, *options):
        self.stage, self.name = stage, name
        self.folder = stage.folder / name
        self.runtime = self.folder / "run"
        self.runtime.mkdir(parents=True)
        # Root has no runtime folder of a person.
        self.core = Core(
            self.folder, stage.programs,
            {"XDG_RUNTIME_DIR": str(self.runtime), "RUNTIME_DIRECTORY": str(self.runtime), **stage.environment})
        self.socket, self.tally, self.call = self.core.socket, self.core.tally, self.core.call
        self.bridge = Process(
            self.folder, [stage.programs / "tally-mqttd", "--socket", self.socket, *options], self.core.environment)

    def join(self, url=None, **more):
        self.call("JoinFleet", broker=url or self.stage.url, fleet="venue", station=self.name, **more)
        return self

    def share(self, name="people"):
        """Makes a counter and shares it."""
        self.call("Create", name=name)
        self.call("ShareCounter", counter=name)
        return self

    def adopt(self, **more):
        eventually(lambda: any(offer["name"] == "people" for offer in self.fleet().get("offers") or []), f"{self.name} is offered people")
        self.call("AdoptCounter", counter="people", **more)
        return self

    def press(self, amount=1, name="people"):
        """Counts; the answer means that the count is on disk."""
        self.call("Add", counter=name, amount=amount)

    def show(self):
        """The total, and this station's share."""
        counter = self.call("Get", counter="people")["counter"]
        return counter["value"], counter.get("own")

    def fleet(self):
        """What the core says of its fleet."""
        return self.call("Fleet")

    def stations(self, *members):
        """These members of what the core says of each station of the fleet; of one member no tuple."""
        rows = [tuple(one.get(member) for member in members) for one in self.fleet()["stations"]]
        return rows if len(members) > 1 else [row[0] for row in rows]

    @property
    def is_connected(self):
        return bool(self.fleet().get("connected"))

    def kill(self):
        for process in (self.bridge, self.core):
            process.close()

    def start(self):
        self.core.start()
        self.bridge.start()

    def boot(self, identity):
        """What a boot changes: the runtime folder is empty, and the kernel has another ID."""
        shutil.rmtree(self.runtime)
        self.runtime.mkdir()
        self.core.environment["TALLYMARK_BOOT_ID"] = identity


class SmallDisk:
    """A file system of a few MiB for the counts of a station, which only its core sees."""

    def __init__(self, station):
        self.core = station.core
        self.core.state.mkdir()
        mount = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"'
        self.core.command = [
            "unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", mount,
            self.core.state, *self.core.command]

    @property
    def _filler(self):
        return Path(f"/proc/{self.core.process.pid}/root{self.core.state}/filler")

    def fill(self):
        with self._filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1024)):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC

    def free(self):
        self._filler.unlink()


class Stage(stage.Stage):
    """With virtual time the stage has a clock, which its cores, bridges and brokers follow."""

    def __init__(self, programs, has_virtual_time=False):
        super().__init__()
        self.programs = programs
        self.broker = None
        self.clock = VirtualTime(self.folder / "time") if has_virtual_time else None
        self.environment = self.clock.environment if self.clock else {}

    def _clocked(self, process):
        """Has a process closed with the stage; it follows the clock, if there is one."""
        if self.clock:
            self.clock.processes.append(process)
        return self.keep(process)

    def end(self):
        try:
            super().end()
        finally:
            if self.clock:
                self.clock.close()

    def start_broker(self, *settings, **more):
        self.broker = self._clocked(
            Broker(self.folder / f"broker{len(self.kept)}", *settings, environment=self.environment, **more))
        self.broker.start()
        return self.broker

    def start_second_broker(self):
        """That of others, in the place of mosquitto."""
        self.broker = self._clocked(SecondBroker(self.folder / "amqtt"))
        self.broker.start()
        return self.broker

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.broker.port}"

    def stranger(self, *filters, **more):
        return self.keep(Stranger(self.broker.port, *filters, **more))

    def proxy(self, **more):
        return self.keep(Proxy(self.broker.port, **more))

    def station(self, name, *options, begins=True):
        station = Station(self, name, *options)
        self._clocked(station.core)
        self._clocked(station.bridge)
        if begins:
            station.start()
        return station

    def stations(self, count, **more):
        """Stations that count people together."""
        first, *others = [self.station(f"door{number}").join(**more) for number in range(1, count + 1)]
        first.share()
        for other in others:
            other.adopt()
        return [first, *others]

    def agree(self, stations, total, seconds=PATIENCE):
        """Waits until all stations show the total."""
        becomes(lambda: [station.show()[0] for station in stations], [total] * len(stations), "all show the total", seconds)

    def fake_core(self, url=None):
        sleep = self.clock.sleep if self.clock else time.sleep
        return self.keep(FakeCore(self.folder / "core.sock", url or self.url, sleep))

    def core_behind_proxy(self, **more):
        """A proxy before the broker, which starts if there is none, and a fake core that joins there."""
        if not self.broker:
            self.start_broker()
        proxy = self.proxy(**more)
        return proxy, self.fake_core(f"mqtt://127.0.0.1:{proxy.port}")

    def lone_bridge(self, *options):
        """A bridge without a real core."""
        process = self._clocked(Process(
            self.folder, [self.programs / "tally-mqttd", "--socket", self.folder / "core.sock", *options], self.environment))
        process.start()
        return process
