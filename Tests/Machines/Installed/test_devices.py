"""What the installed rules and the sandboxed service let devices do: be read, vibrate, shine and sound."""

import grp
import subprocess
import time
from pathlib import Path

from kit import motion
from kit.configuration import SHAKE
from kit.feedback import CAN_SHINE, CAN_VIBRATE, SHORT, pad
from kit.journal import INPUTD, hears, journal
from kit.machine import Installed, Override, process, run, start_with, systemctl, values, wait_for
from kit.places import in_guest
from kit.security import block
from kit.sound import Ear
from kit.virtual_time import is_asleep
from kit.wait import becomes, equal, eventually


@in_guest
def test_rules_give_the_rights(scene):
    """The rules of udev/ give lights, and what a trigger adds to a light, to the gesture daemon's group."""
    with Installed():
        light = pad(scene, CAN_VIBRATE, CAN_SHINE, name="gpio-vibrator", keys=()).kernel_light

        def is_writable(file):
            status = file.stat()
            return grp.getgrgid(status.st_gid).gr_name == "tallymark-input" and status.st_mode & 0o020 != 0

        eventually(lambda: is_writable(light / "brightness") and is_writable(light / "trigger"), "the light's rights")
        subprocess.run(["modprobe", "ledtrig-pattern"], check=True)
        (light / "trigger").write_text("pattern")
        eventually(lambda: is_writable(light / "pattern") and is_writable(light / "repeat"), "the pattern's rights")


class LateLight:
    """A light that the gesture daemon is to use, and for which udev has not given it the right."""

    def __init__(self, scene):
        subprocess.run(["modprobe", "ledtrig-pattern"], check=True)
        scene.presenter()
        self.light = pad(scene, CAN_SHINE).kernel_light
        self.files = [self.light / name for name in ("trigger", "brightness")]
        run("udevadm", "settle")
        self.belong("root", "644")
        self.start = int(time.time())
        start_with(f'led = "{self.light.name}"\n')

    def belong(self, group, mode):
        for file in self.files:
            run("chgrp", group, file)
            run("chmod", mode, file)

    def complaints(self):
        return journal(INPUTD, f"--since=@{self.start}").count("gives no feedback")

    def is_ready(self):
        return "[pattern]" in self.files[0].read_text()


@in_guest
def test_permission_that_comes_late(scene):
    """A light that udev gives to the group only when the daemon has asked for it is used from then on, without a word."""
    with Installed():
        light = LateLight(scene)
        # It complains after 10 s.
        eventually(lambda: is_asleep(process("tally-inputd.service")), "it has tried the light")
        light.belong("tallymark-input", "664")
        eventually(light.is_ready, "the light is ready")
        equal(light.complaints(), 0, "how often it complains")


@in_guest
def test_permission_that_comes_very_late(scene):
    """The same where the daemon has said already that it may not use the light, which it says once."""
    with Installed():
        light = LateLight(scene)
        hears("gives no feedback", INPUTD, f"--since=@{light.start}")
        light.belong("tallymark-input", "664")
        eventually(light.is_ready, "the light is ready")
        equal(light.complaints(), 1, "how often it complains")


@in_guest
def test_shakes_in_the_sandbox(scene):
    """Installed as a service, with no rights but its own, it counts the shakes of a sensor that is plugged in, through
    its buffer, and lets it go at its end."""
    with Installed():
        start_with(SHAKE + '[[feedback]]\non = "added"\nvibrate = [0.2]\n')
        sensor = scene.hid_sensor()
        wait_for(sensor)
        eventually(lambda: (sensor.folder / "buffer/enable").read_text() == "1\n", "its buffer is read")
        sensor.play(motion.rest, 1)
        for number, strength in ((1, 22), (2, 40)):
            sensor.shake(strength=strength, seed=number)
            becomes(values, {"count": number}, "the counters")
        systemctl("stop", "tally-inputd.service")
        eventually(lambda: not sensor.is_powered, "the sensor is switched off")


@in_guest
def test_feedback_from_the_sandbox(scene):
    """Installed as a service, with no rights but its own and SECURITY.md's drop-in for sounds, it lets a motor, a light and a
    loudspeaker answer a press."""
    subprocess.run(["modprobe", "ledtrig-pattern"], check=True)
    keys = scene.presenter()
    with Installed(), Override("tally-inputd.service", *block("SupplementaryGroups").splitlines()):
        # The kernel knows of no sound cards when the daemon starts; the card comes when all else is ready.
        systemctl("stop", "tally-inputd.service")
        subprocess.run(["modprobe", "-r", "snd-aloop", "snd-pcm", "snd-timer", "snd"], capture_output=True)
        equal("alsa" in Path("/proc/devices").read_text(), False, "whether the kernel knows of sound cards")
        own = pad(scene, CAN_VIBRATE, CAN_SHINE, name="gpio-vibrator", keys=())
        start_with(
            f'motor = "gpio-vibrator"\nled = "{own.kernel_light.name}"\n[[feedback]]\non = "added"\nsound = "click"\n')
        wait_for(keys)
        own.is_taught()
        becomes(lambda: "[pattern]" in (own.kernel_light / "trigger").read_text(), True, "the light is ready")
        ear = scene.keep(Ear())
        # udev gives a new node to its group a moment after the node appears.
        eventually(lambda: {node.group() for node in Path("/dev/snd").glob("*C*")} == {"audio"}, "the daemon may use the card")
        keys.press()
        becomes(values, {"count": 1}, "the counters")
        becomes(own.lengths, SHORT, "pulses")
        # The trigger may have switched the light off before.
        becomes(lambda: [value for _, (_, value) in own.lights][-2:], [1, 0], "the light")
        eventually(ear.sounds, "a sound is heard")
