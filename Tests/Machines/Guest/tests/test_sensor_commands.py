"""An accelerometer recorded, replayed and tuned by the program itself."""

import json
import signal
import subprocess

from kit import motion
from kit.programs import PROGRAMS
from kit.terminal import Terminal
from kit.wait import equal, eventually


def test_recorded_shake(scene):
    """What record writes of a live sensor gives the shakes again when it is replayed, at their times."""
    sensor = scene.hid_sensor()
    file, log = scene.folder / "shakes.csv", scene.folder / "record.log"
    process = subprocess.Popen(
        [PROGRAMS / "tally-inputd", "record", sensor.node], stdout=file.open("w"), stderr=log.open("w"))
    eventually(lambda: "Recording" in log.read_text(), "it records")
    sensor.play(motion.rest, 1)
    sensor.shake()
    sensor.shake(strength=40, frequency=5, seed=2)
    process.send_signal(signal.SIGINT)
    equal(process.wait(30), 0, "the status of the recorder")
    equal(file.read_text().splitlines()[0], "t_seconds,x,y,z", "the first line")
    answer = scene.daemon.run("replay", "--accelerometer", file)
    equal((answer.returncode, answer.stderr), (0, ""), "the status of the replay, and its complaints")
    shakes = [json.loads(line) for line in answer.stdout.splitlines()]
    equal([shake["gesture"] for shake in shakes], ["shake"] * 2, "the gestures")
    equal(0 < shakes[0]["time"] < shakes[1]["time"] < 60, True, f"whether the times are in order: {shakes}")


def test_tuned_shakes(scene):
    """tune measures a person's shakes, and says by which sensitivity they count."""
    sensor = scene.hid_sensor()
    tune = scene.keep(Terminal("tune", sensor.node))
    tune.expect("5 times")
    sensor.play(motion.rest, 2)
    for number in range(1, 6):
        sensor.shake(seed=number)
        sensor.play(motion.rest, 1)
        tune.expect(f"{number}: ")
    tune.expect("firm")
    equal(tune.ends(), 0, "the status")


def switched_off(sensor):
    return (sensor.folder / "buffer/enable").read_text().strip() == "0"


def test_monitored_sensor(scene):
    """monitor of a sensor shows each shake and what it does, and each bout of motion, and lets the sensor go at its end."""
    sensor = scene.hid_sensor()
    scene.daemon.configuration.write_text('[[bind]]\ngesture = "shake"\ndo = "add"\n')
    monitor = scene.keep(Terminal("monitor", sensor.node, "--config", scene.daemon.configuration))
    monitor.expect("Listening to")
    eventually(lambda: sensor.is_powered, "the sensor is switched on")
    sensor.play(motion.rest, 1)
    sensor.shake()
    monitor.expect("shake → add")
    monitor.expect("moved: ")
    monitor.process.send_signal(signal.SIGINT)
    equal(monitor.ends(), 0, "the status of the monitor")
    eventually(lambda: switched_off(sensor) and not sensor.is_powered, "the sensor is switched off")


def test_nobody_reads_any_more(scene):
    """A recorder or a monitor whose reader has gone lets the sensor go; so does one that is hung up."""
    sensor = scene.hid_sensor()
    for verb in ("record", "monitor"):
        program = f"{PROGRAMS / 'tally-inputd'} {verb} {sensor.node} | head -n 3 > /dev/null"
        pipeline = subprocess.Popen(["/bin/bash", "-c", program], stderr=subprocess.DEVNULL)
        eventually(lambda: sensor.is_powered, "the sensor is switched on")
        while pipeline.poll() is None:
            sensor.shake()
        eventually(lambda: switched_off(sensor) and not sensor.is_powered, f"{verb} has let the sensor go")
    ends = [("record", signal.SIGTERM), ("monitor", signal.SIGHUP), ("tune", signal.SIGINT), ("tune", signal.SIGTERM)]
    for verb, end in ends:
        process = subprocess.Popen(
            [PROGRAMS / "tally-inputd", verb, sensor.node], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: sensor.is_powered, f"{verb} has switched the sensor on")
        process.send_signal(end)
        process.wait(30)
        eventually(lambda: switched_off(sensor) and not sensor.is_powered, f"{verb} has let the sensor go")
