"""What `tally doctor` finds: each of its findings is brought about, and what it says mends it where that can be run here."""

import json
import os
import shutil
import subprocess
from pathlib import Path


from kit.machine import SOCKET, Installed, run, systemctl, wait_for
from kit.wait import equal, eventually

RULES = Path("/usr/lib/udev/rules.d/70-tallymark.rules")


def doctor(identity={}):
    """Everything that is not as it should be, as (what it is about, sentence, what mends it)."""
    answer = subprocess.run(["tally", "doctor", "--json"], capture_output=True, text=True, cwd="/", **identity)
    findings = [json.loads(line) for line in answer.stdout.splitlines()]
    faults = [finding for finding in findings if finding["severity"] == "fault"]
    equal(answer.returncode, 1 if faults else 0, f"the status with {faults} {answer.stderr}")
    for fault in faults:
        equal(bool(fault.get("remedy")), True, f"whether a command mends it: {fault}")
    return findings


def finds(about, words, severity="fault", identity={}):
    """The one finding that says so; its remedy."""
    findings = doctor(identity)
    found = [one for one in findings if one["about"] == about and one["severity"] == severity and words in one["finding"]]
    if len(found) != 1:
        raise AssertionError(f"“{words}” about {about} is found {len(found)} times in:\n" + "\n".join(map(str, findings)))
    return found[0].get("remedy", "")


def mend(remedy):
    """Does what the doctor says, as root."""
    run("bash", "-c", remedy.split("   (")[0].replace("sudo ", ""))


def healthy():
    equal([one for one in doctor() if one["severity"] == "fault"], [], "what is at fault on a healthy machine")


def test_healthy(scene):
    """On a machine where all is well the doctor finds nothing, and says what is there."""
    presenter = scene.presenter()
    with Installed():
        wait_for(presenter)
        healthy()
        equal({one["about"] for one in doctor()}, {
            "services", "socket", "rights", "versions", "rules", "devices", "sensor", "disk"}, "what it looks at")
        finds("devices", "gesture daemon's to use", "fine")
        finds("sensor", "no motion sensor", "notice")


def test_services(scene):
    """The doctor finds a service that is stopped, masked, has failed, or will not start with the machine."""
    with Installed():
        systemctl("stop", "tally-inputd.service")
        mend(finds("services", "tally-inputd.service does not run"))
        systemctl("stop", "tally-inputd.service")
        systemctl("mask", "--runtime", "tally-inputd.service")
        remedy = finds("services", "tally-inputd.service is masked")
        systemctl("unmask", "--runtime", "tally-inputd.service")
        equal("unmask" in remedy, True, remedy)
        configuration = Path("/etc/tallymark/input.toml")
        configuration.write_text("nonsense")
        subprocess.run(["systemctl", "start", "tally-inputd.service"], capture_output=True)
        remedy = finds("services", "tally-inputd.service has failed")
        configuration.unlink()
        mend(remedy)
        systemctl("disable", "tally-inputd.service")
        mend(finds("services", "will not after the next start", "notice"))
        healthy()


def test_socket(scene):
    """The doctor finds a socket that nobody listens on, is left over, or may not be connected to."""
    with Installed():
        systemctl("stop", "tally-inputd.service", "tallyd.service", "tallyd.socket")
        mend(finds("socket", "there is no such socket"))
        systemctl("stop", "tallyd.service", "tallyd.socket")
        run("python3", "-c", f"import socket; s = socket.socket(socket.AF_UNIX); s.bind({SOCKET!r})")
        mend(finds("socket", "left over"))
        os.chmod(SOCKET, 0o600)
        mend(finds("socket", "permissions are not", identity={"user": "nobody"}))
        systemctl("start", "tally-inputd.service")
        healthy()


def test_rights(scene):
    """The doctor finds that somebody has not been given the right to read, and says how to give it."""
    with Installed():
        remedy = finds("rights", "“read”", identity={"user": "nobody", "group": "nogroup", "extra_groups": []})
        equal("usermod -aG tallymark" in remedy, True, remedy)


def test_rules(scene):
    """The doctor finds missing rules, a data base without the devices, and a missing group."""
    presenter = scene.presenter()
    with Installed():
        wait_for(presenter)
        shutil.move(RULES, "/run/rules")
        equal("make install-udev" in finds("rules", "no rules"), True, "what mends it")
        shutil.move("/run/rules", RULES)
        group = Path("/etc/group").read_text()
        Path("/etc/group").write_text(group.replace("tallymark-input:", "somebody:"))
        finds("rules", "does not exist")
        Path("/etc/group").write_text(group)
        base = next(path for path in map(Path, ["/etc/udev/hwdb.bin", "/usr/lib/udev/hwdb.bin"]) if path.exists())
        base.rename("/etc/udev/hwdb.before")
        finds("rules", "does not have the devices")
        Path("/etc/udev/hwdb.before").rename(base)
        healthy()


def test_devices(scene):
    """The doctor finds a device that is not the gesture daemon's, and that there is none."""
    with Installed():
        finds("devices", "nothing to count with", "notice")
        presenter = scene.presenter()
        wait_for(presenter)
        shutil.chown(presenter.node, group="input")
        mend(finds("devices", f"{presenter.node} (Logitech USB Receiver)"))
        healthy()


def test_disk(scene):
    """The doctor finds a full disk and one that is read-only."""
    state = Path("/var/lib/tallymark")
    with Installed():
        # Nobody must wake the core, which would hold on to the file system.
        systemctl("stop", "tally-inputd.service", "tallyd.service", "tallyd.socket")
        for options, words in [("size=1m", "is full"), ("size=128m,ro", "read-only")]:
            run("mount", "-t", "tmpfs", "-o", options, "tmpfs", state)
            try:
                finds("disk", words)
            finally:
                run("umount", state)
        systemctl("start", "tallyd.socket", "tally-inputd.service")
        healthy()


def test_versions(scene):
    """The doctor finds programs of another version, and missing ones."""
    program = Path("/usr/bin/tally-inputd")
    with Installed():
        program.rename("/usr/bin/tally-inputd.before")
        try:
            finds("versions", "no program tally-inputd")
            program.write_text("#!/bin/sh\necho tally-inputd 0.0.1\n")
            program.chmod(0o755)
            finds("versions", "tally-inputd is version 0.0.1")
        finally:
            Path("/usr/bin/tally-inputd.before").rename(program)
        healthy()


def test_sensor(scene):
    """The doctor finds a motion sensor that is not the gesture daemon's."""
    with Installed():
        run("modprobe", "i2c-stub", "chip_addr=0x0f")
        bus = next(path for path in Path("/sys/bus/i2c/devices").glob("i2c-*") if "stub" in (path / "name").read_text().lower())
        number = bus.name.split("-")[1]
        run("modprobe", "i2c-dev")
        run("modprobe", "kxcjk-1013")
        run("python3", "-c", f"""
import fcntl, os
# SMBus write of the chip's identity (WHO_AM_I, 0x0f: 0x0a), by way of the C library's ioctl numbers.
import ctypes
class Data(ctypes.Union): _fields_ = [("byte", ctypes.c_uint8), ("block", ctypes.c_uint8 * 34)]
class Call(ctypes.Structure):
    _fields_ = [("rw", ctypes.c_uint8), ("command", ctypes.c_uint8), ("size", ctypes.c_uint32), ("data", ctypes.POINTER(Data))]
bus = os.open("/dev/i2c-{number}", os.O_RDWR)
fcntl.ioctl(bus, 0x0703, 0x0f)
data = Data(byte=0x0a)
fcntl.ioctl(bus, 0x0720, Call(0, 0x0f, 2, ctypes.pointer(data)))
""")
        (bus / "new_device").write_text("kxcj91008 0x0f")
        sensor = eventually(lambda: next(Path("/dev").glob("iio:device*"), None), "there is a sensor")
        eventually(lambda: sensor.group() == "tallymark-input", "udev is done with it")
        shutil.chown(sensor, group="root")
        finds("sensor", f"The motion sensor {sensor.name} belongs to the group root")
        shutil.chown(sensor, group="tallymark-input")
        finds("sensor", "gesture daemon's to use", "fine")
        (bus / "delete_device").write_text("0x0f")
