"""Measures in the virtual machine, where there are devices; `virtual.py` starts it there and reads what it prints.

    guest.py PROGRAMS TOOLS MEASURE…     the folders of the programs and of the C programs beside this file, built; and
                                         what is measured, by the functions' names
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from evdev import ecodes as e

from kit.devices import Keys
from kit.feedback import pulse_times
from kit.process import process_state
from kit.relay import DeliveryRelay
from kit.runner import prepare
from kit.scene import Scene
from kit.wait import eventually

PRESSES = 100
# As fast as the fastest touchscreens report.
RATE = 1000
SECONDS = 10
SHAKES = 20

DISK = Path("/dev/vda")
MOUNTED = Path("/run/disk")

COUNTED = """
    [[device]]
    name = "Counted Pedal"
      [[device.bind]]
      gesture = "press"
      do = "add"
"""


class Beside:
    """Programs that run beside the daemon; ended together."""

    def __init__(self):
        self.processes = []

    def start(self, *command):
        self.processes.append(subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.processes[-1]

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def _reads(process, node):
    """Whether the process has opened the device and waits."""
    if process.poll() is not None:
        raise AssertionError(f"{process.args[0]} has ended with status {process.returncode}")
    names = {os.readlink(link) for link in Path(f"/proc/{process.pid}/fd").iterdir()}
    return node in names and process_state(process.pid) == "S"


def _time(process):
    """Seconds of processor time so far, as the scheduler counts them."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def on_disk(tools, scene, beside):
    """The same where everything that is recorded waits for the machine's disk."""
    return presses(tools, scene, beside)


def presses(tools, scene, beside):
    """From a press to its effect: the median and the 99th percentile in microseconds, by who acts upon it."""
    # Everything on one processor: the time is that of the work, and not of the emulator waking its other one.
    os.sched_setaffinity(0, {0})
    names = ("Counted Pedal", "Triggered Pedal", "Recorded Pedal")
    counted, triggered, recorded = pedals = [Keys(name, 0x1234, 0x5678, [e.KEY_PAGEDOWN]) for name in names]
    scene.kept += pedals
    scene.start(counted, configuration=COUNTED)
    scene.core.call("Create", name="count")
    fifos = [scene.folder / name for name in ("triggered", "recorded")]
    for fifo in fifos:
        os.mkfifo(fifo)
    triggers = scene.folder / "triggers.conf"
    triggers.write_text(f"KEY_PAGEDOWN 1 {tools}/stamp {fifos[0]}\n")
    thd = beside.start("/usr/sbin/thd", "--triggers", triggers, triggered.node)
    record = beside.start(tools / "record", recorded.node, scene.folder / "record", fifos[1])
    eventually(lambda: _reads(thd, triggered.node), "triggerhappy reads its device")
    eventually(lambda: _reads(record, recorded.node), "the floor reads its device")
    targets = [
        f"{counted.fd}:watch:{scene.core.socket}", f"{triggered.fd}:stamp:{fifos[0]}",
        f"{recorded.fd}:stamp:{fifos[1]}"]
    workers = {"tally-inputd": scene.daemon.process, "tallyd": scene.core.process}
    started = {name: _time(process) for name, process in workers.items()}
    answer = subprocess.run(
        [tools / "press", str(PRESSES), *targets], pass_fds=[pedal.fd for pedal in pedals], stdout=subprocess.PIPE,
        text=True, check=True)
    figures = [list(map(float, line.split())) for line in answer.stdout.splitlines()]
    work = {name: (_time(process) - started[name]) / PRESSES for name, process in workers.items()}
    return {"presses": PRESSES, "work": work, **dict(zip(("tallymark", "triggerhappy", "floor"), figures))}


def fingers(tools, scene, beside):
    """Seconds of processor time for ten fingers, by who reads them, and how many wake-ups an untouched screen costs."""
    os.sched_setaffinity(0, range(os.cpu_count()))
    screen = scene.touchscreen()
    scene.start(screen)
    time.sleep(1)
    before = scene.daemon.wakeups
    time.sleep(SECONDS)
    idle = scene.daemon.wakeups - before
    evtest = beside.start("evtest", screen.node)
    eventually(lambda: _reads(evtest, screen.node), "evtest reads the device")
    readers = {"tally-inputd": scene.daemon.process, "evtest": evtest}
    started = {name: _time(process) for name, process in readers.items()}
    start = time.monotonic()
    subprocess.run(
        [tools / "fingers", str(screen.fd), str(RATE), str(SECONDS)], pass_fds=[screen.fd],
        stdout=subprocess.DEVNULL, check=True)
    wall = time.monotonic() - start
    scene.daemon.catch_up()
    eventually(lambda: _reads(evtest, screen.node), "evtest has read everything")
    return {
        "seconds": SECONDS, "took": wall, "wake-ups": idle, "dropped": "dropped" in scene.daemon.log.read_text(),
        **{name: _time(process) - started[name] for name, process in readers.items()}}


def answers(tools, scene, beside):
    """From a count's acknowledgement to the motor that answers it: the median and the 99th percentile in microseconds."""
    os.sched_setaffinity(0, {0})
    times = sorted(pulse_times(scene, PRESSES))
    return [times[PRESSES // 2], times[PRESSES * 99 // 100]]


def shakes(tools, scene, beside):
    """From the sample that makes a shake certain to its acknowledged count: the median and the longest in milliseconds.
    And how often a second the daemon wakes while the sensor rests."""
    os.sched_setaffinity(0, range(os.cpu_count()))
    sensor = scene.hid_sensor()
    scene.core.start()
    relay = scene.keep(DeliveryRelay(scene.folder / "relay", scene.core))
    scene.daemon.deliver_to(relay)
    scene.daemon.start('[[bind]]\ngesture = "shake"\ndo = "add"\n')
    eventually(lambda: sensor.is_powered, "the sensor is in use")
    time.sleep(1)
    before, begun = scene.daemon.wakeups, time.monotonic()
    time.sleep(SECONDS)
    rate = (scene.daemon.wakeups - before) / (time.monotonic() - begun)
    for seed in range(SHAKES):
        sensor.shake(seed=seed)
    scene.counts_to(SHAKES)
    # Counts bear the wall clock's time of what was done.
    shift = time.time_ns() - time.monotonic_ns()
    made = [event["time"] for event in scene.core.counts()]
    taken = sorted((told + shift) / 1e6 - when / 1e3 for told, when in zip(relay.acknowledgements, made))
    return {"shakes": SHAKES, "median": taken[SHAKES // 2], "longest": taken[-1], "wake-ups": rate}


def mount():
    """A file system on the machine's disk."""
    subprocess.run(["modprobe", "-a", "virtio_blk", "ext4"], check=True)
    eventually(DISK.exists, "there is a disk")
    subprocess.run(["mkfs.ext4", "-q", DISK], check=True)
    MOUNTED.mkdir()
    subprocess.run(["mount", "-t", "ext4", DISK, MOUNTED], check=True)


def main(programs, tools, *names):
    prepare(programs)
    mount()
    for measure in (presses, on_disk, answers, shakes, fingers):
        if measure.__name__ not in names:
            continue
        scene, beside = Scene(parent=MOUNTED if measure is on_disk else "/run"), Beside()
        try:
            print(json.dumps({measure.__name__: measure(tools, scene, beside)}), flush=True)
        except Exception:
            for name, log in scene.logs():
                print(f"--- what {name} wrote ---\n{log[-2000:]}", flush=True)
            raise
        finally:
            beside.end()
            scene.close()


main(*map(Path, sys.argv[1:3]), *sys.argv[3:])
