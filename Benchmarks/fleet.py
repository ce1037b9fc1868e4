#!/usr/bin/env python3
"""Measures stations that count together through mosquitto on loopback; prints the figures as JSON.

  fleet.py [--programs FOLDER] [STATIONS]

`Benchmarks/run fleet` calls it by Tests/Kit/Python/run. All stations share this machine, so that its processors are what
most figures depend on; that of the local press has one station, and peers that are only messages."""

import json
import multiprocessing
import random
import statistics
import time

import paho.mqtt.client as paho
from kit import stories
from kit.fleet import Stage
from kit.varlink import Connection
from kit.wait import eventually
from tools import progress

PRESSES = 60
# Seconds after which a connection counts as a success: the bridge comes back sooner when it is lost after that.
LASTING = 6
# Presses a second at each station, and for how many seconds.
RATE, SECONDS = 20, 10


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Crowd:
    """All stations, each with a connection that stays."""

    def __init__(self, stage, count):
        self.stage = stage
        self.stations = stage.stations(count)
        self.connections = [Connection(station.socket) for station in self.stations]
        self.total = 0

    def press(self, chosen):
        """One count at each of the chosen ones, at the same time; all are on disk at the return."""
        for connection in chosen:
            connection.send("Add", counter="people", amount=1)
        for connection in chosen:
            connection.receive()
        self.total += len(chosen)

    def agree(self, since, pause=0.005, seconds=60):
        """Waits until all show the total; returns the seconds since a time. It asks all again after a pause, because questions take
        the processors that the stations need."""
        waiting = self.connections
        while waiting:
            for connection in waiting:
                connection.send("Get", counter="people")
            values = [connection.receive()["counter"]["value"] for connection in waiting]
            waiting = [connection for connection, value in zip(waiting, values) if value != self.total]
            if time.monotonic() - since > seconds:
                raise AssertionError(f"{len(waiting)} stations do not show {self.total} after {seconds} s")
            if waiting:
                time.sleep(pause)
        return time.monotonic() - since

    def load(self, rate, seconds):
        """Presses at all stations, that many a second at each, whether or not the last one was answered yet."""
        begin, rounds = time.monotonic(), int(rate * seconds)
        for number in range(rounds):
            time.sleep(max(0, begin + number / rate - time.monotonic()))
            for connection in self.connections:
                connection.send("Add", counter="people", amount=1)
        for connection in self.connections:
            for _ in range(rounds):
                connection.receive()
        self.total += rounds * len(self.connections)
        return time.monotonic() - begin


def latency(crowd):
    """The seconds from an answer to as many equal totals as there are stations."""
    times = []
    for _ in range(PRESSES):
        time.sleep(random.uniform(0.3, 0.5))
        crowd.press([random.choice(crowd.connections)])
        times.append(crowd.agree(time.monotonic()))
    return times


def load(crowd, listener):
    """Messages a count, processor time of broker and bridges, and memory, at a slow and at a fast rate."""
    found = {}
    bridges, broker = [station.bridge for station in crowd.stations], crowd.stage.broker
    for name, rate in (("slow", 1), ("fast", RATE)):
        before, counted = len(listener.heard), crowd.total
        times = [process.processor_time for process in (broker, *bridges)]
        took = crowd.load(rate, SECONDS)
        backlog = crowd.agree(time.monotonic(), pause=0.05)
        # Nobody says how many messages are still on their way to the foreign client.
        time.sleep(1)
        used = [(process.processor_time - time) / took for process, time in zip((broker, *bridges), times)]
        found[name] = {
            "rate": (crowd.total - counted) / took / len(bridges), "messages": (len(listener.heard) - before) / (crowd.total - counted),
            "broker": used[0], "bridge": statistics.median(used[1:]), "backlog": backlog}
    found["memory"] = max(bridge.memory for bridge in bridges) / 1024
    return found


def partition(crowd):
    """The seconds from the end of a partition in halves to agreement."""
    proxy = crowd.stage.proxy()
    half = crowd.stations[::2]
    for station in half:
        station.join(f"mqtt://127.0.0.1:{proxy.port}")
    times = []
    for _ in range(5):
        eventually(lambda: all(station.is_connected for station in half), "all are connected")
        time.sleep(LASTING)
        proxy.cut()
        for _ in range(3):
            crowd.press(crowd.connections)
            time.sleep(1)
        proxy.heal()
        times.append(crowd.agree(time.monotonic(), pause=0.05))
    for station in half:
        station.join()
    eventually(lambda: all(station.is_connected for station in half), "all are connected")
    return times


def empty_broker(crowd):
    """The seconds from the start of a broker that has lost everything to agreement."""
    times, broker = [], crowd.stage.broker
    for _ in range(5):
        time.sleep(LASTING)
        broker.kill()
        broker.empty()
        crowd.press(crowd.connections)
        time.sleep(2)
        broker.start()
        times.append(crowd.agree(time.monotonic(), pause=0.05))
    return times


def noise(port, counter, peers, stop):
    """Publishes what so many peers would at 5 messages a second each, as a foreign client."""
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    number = 0
    begin = time.monotonic()
    while not stop.is_set():
        peer = number % peers
        count = number // peers + 1
        writer = f"{peer:064x}"
        register = json.dumps({"version": 1, "counter": counter, "registers": [[writer, count, count, 0, count]]})
        client.publish(f"tallymark/venue/peer{peer}/reg/{writer[:16]}/{counter}/0", register, retain=True)
        number += 1
        time.sleep(max(0, begin + number / peers / 5 - time.monotonic()))
    client.disconnect()
    client.loop_stop()


def beside(stage, peers):
    """Median and 99th percentile of a durable add in ms, alone and with noisy peers, in turns."""
    station = stage.station("door1").join().share()
    connection, counter = Connection(station.socket), station.fleet()["counters"][0]["id"]
    found = {"alone": [], "noisy": []}
    for _ in range(5):
        for name, times in found.items():
            stop = multiprocessing.Event()
            peer = multiprocessing.Process(target=noise, args=(stage.broker.port, counter, peers, stop))
            if name == "noisy":
                before = station.show()[0]
                peer.start()
                eventually(lambda: station.show()[0] > before + peers, "the peers are heard")
            for _ in range(100):
                time.sleep(0.02)
                begin = time.monotonic()
                connection.call("Add", counter="people")
                times.append((time.monotonic() - begin) * 1000)
            stop.set()
            if name == "noisy":
                peer.join()
    connection.close()
    return {name: [statistics.median(times), part(times, 0.99)] for name, times in found.items()}


def with_stage(options, work):
    stage = Stage(options.programs.resolve())
    try:
        stage.start_broker()
        return work(stage)
    finally:
        stage.close()


def together(stage, count):
    progress(f"{count} stations join")
    crowd, found = Crowd(stage, count), {}
    progress(f"{PRESSES} presses, each until {count} totals are equal")
    times = latency(crowd)
    found["latency"] = [part(times, 0.5), part(times, 0.99)]
    progress(f"{SECONDS} s of 1, then {RATE} presses a second at each")
    listener = stage.stranger("tallymark/#")
    found["load"] = load(crowd, listener)
    listener.close()
    progress("Partitions in halves")
    found["partition"] = [part(times := partition(crowd), 0.5), max(times)]
    progress("A broker that has lost everything")
    found["empty"] = [part(times := empty_broker(crowd), 0.5), max(times)]
    return found


def main():
    parser = stories.parser()
    parser.add_argument("stations", type=int, nargs="?", default=50)
    options = parser.parse_args()
    found = {"stations": options.stations, **with_stage(options, lambda stage: together(stage, options.stations))}
    progress(f"A press beside {options.stations} noisy peers")
    found["press"] = with_stage(options, lambda stage: beside(stage, options.stations))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
