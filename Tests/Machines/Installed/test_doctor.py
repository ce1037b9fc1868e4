"""What `tally doctor` finds: each of its findings is brought about, and its remedy is run."""

import os
import shutil
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

from kit.doctor import doctor, finds, healthy, mend
from kit.machine import SOCKET, UNITS, Installed, Override, call, run, state, stop_daemons, systemctl, wait_for
from kit.places import in_container, in_guest
from kit.wait import equal, eventually

RULES = Path("/usr/lib/udev/rules.d/70-tallymark.rules")


@in_container
def test_healthy(scene):
    """On a machine where all is well the doctor finds nothing, and says what is there."""
    with Installed():
        healthy()
        # Another test may have installed a board.
        equal({one["about"] for one in doctor()} - {"board"}, {
            "services", "socket", "rights", "versions", "rules", "devices", "sensor", "disk"}, "what it looks at")
        finds("devices", "No known clicker", "notice")
        finds("sensor", "no motion sensor", "notice")


@in_container
def test_services(scene):
    """The doctor finds a service that is stopped, masked, has failed, or will not start with the machine."""
    with Installed():
        systemctl("stop", "tally-inputd.service")
        mend(finds("services", "tally-inputd.service is not running"))
        systemctl("mask", "--runtime", "--now", "tally-inputd.service")
        mend(finds("services", "tally-inputd.service is masked"))
        equal(state("tally-inputd.service"), "active", "the service that was masked")
        configuration = Path("/etc/tallymark/input.toml")
        configuration.write_text("nonsense")
        subprocess.run(["systemctl", "restart", "tally-inputd.service"], capture_output=True)
        remedy = finds("services", "tally-inputd.service has failed")
        configuration.unlink()
        mend(remedy)
        systemctl("disable", "tally-inputd.service")
        mend(finds("services", "will not start at the next boot", "notice"))
        healthy()


@in_container
def test_no_units(scene):
    """Where systemd has no units of them the doctor names no unit, and the core that it has started answers."""
    with Installed():
        stop_daemons()
        kept = Path("/run/kept-units")
        kept.mkdir()
        for unit in UNITS:
            shutil.move(f"/usr/lib/systemd/system/{unit}", kept)
        systemctl("daemon-reload")
        try:
            equal("tallymark_*.deb" in finds("services", "No systemd units are installed", "notice"), True, "what installs them")
            remedy = finds("socket", "the socket does not exist")
            # The machine's root may have a journal of an earlier build.
            core = subprocess.Popen(["env", f"XDG_STATE_HOME={kept}", "bash", "-c", f"exec {remedy}"], stderr=subprocess.DEVNULL)
            eventually(lambda: Path(SOCKET).exists(), "the core serves")
            finds("socket", "A core replies", "fine")
            core.terminate()
            core.wait()
        finally:
            for unit in UNITS:
                shutil.move(kept / unit, "/usr/lib/systemd/system")
            shutil.rmtree(kept)
            systemctl("daemon-reload")
        systemctl("start", "tallyd.socket", "tally-inputd.service")
        healthy()


@in_container
def test_socket(scene):
    """The doctor finds a socket that nobody listens on, is left over, or may not be connected to."""
    with Installed():
        stop_daemons()
        mend(finds("socket", "the socket does not exist"))
        stop_daemons()
        run("python3", "-c", f"import socket; s = socket.socket(socket.AF_UNIX); s.bind({SOCKET!r})")
        mend(finds("socket", "the socket is stale"))
        os.chmod(SOCKET, 0o600)
        mend(finds("socket", "its permissions, or those of a folder", identity={"user": "nobody"}))
        systemctl("start", "tally-inputd.service")
        healthy()


@in_container
def test_silent_core(scene):
    """The doctor does not wait for a core that hangs, which a restart mends; one that is being started is left alone."""
    with Installed():
        call("List")
        os.kill(int(state("tallyd.service", "MainPID")), signal.SIGSTOP)
        mend(finds("socket", "does not reply"))
        healthy()
        with Override("tallyd.service", "[Service]", "ExecStartPre=/bin/sleep 600"):
            systemctl("stop", "tallyd.service")
            systemctl("start", "--no-block", "tallyd.service")
            # The doctor waits ten seconds for an answer.
            findings = doctor()
            mend(finds("socket", "is starting", "notice", findings=findings))
            equal([one for one in findings if one["severity"] == "fault"], [], "what is at fault meanwhile")
            stop_daemons()
        systemctl("start", "tallyd.socket", "tally-inputd.service")
        healthy()


@in_container
def test_rights(scene):
    """The doctor finds that somebody has not been given the right to read, and says how to give it."""
    person = "tally-eve"
    with Installed(), ExitStack() as ends:
        run("useradd", "--no-create-home", person)
        ends.callback(run, "userdel", person)
        identity = {"user": person, "group": person, "extra_groups": []}
        mend(finds("rights", "“read”", identity=identity), env={**os.environ, "USER": person})
        groups = run("id", "--groups", "--name", person).split()
        finds("rights", "may read", "fine", identity={**identity, "extra_groups": groups})


@in_container
def test_rules(scene):
    """The doctor finds missing and hidden rules, a data base without the devices, and a missing group."""
    known = Path("/usr/lib/udev/hwdb.d/70-tallymark.hwdb")
    with Installed():
        shutil.move(RULES, "/run/rules")
        equal("tallymark_*.deb" in finds("rules", "rules of Tallymark are not installed"), True, "what mends it")
        shutil.move("/run/rules", RULES)

        own = Path("/usr/local/lib/udev/rules.d/70-tallymark.rules")
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("# Of an older version.\n")
        mend(finds("rules", f"{own} differs from {RULES}", "notice"))
        equal(own.exists(), False, "whether the package's rules are still hidden")
        list_of_own = Path("/etc/udev/hwdb.d/70-tallymark.hwdb")
        list_of_own.parent.mkdir(parents=True, exist_ok=True)
        list_of_own.write_text("# Of an older version.\n")
        equal("--usr update" in finds("rules", f"{list_of_own} differs", "notice"), True, "what mends a hidden list")
        list_of_own.unlink()

        run("groupmod", "--new-name", "somebody", "tallymark-input")
        mend(finds("rules", "does not exist"))
        healthy()

        for base in [Path("/etc/udev/hwdb.bin"), Path("/usr/lib/udev/hwdb.bin")]:
            base.unlink(missing_ok=True)
        shutil.move(known, "/run/known")
        equal("tallymark_*.deb" in finds("rules", "database file of Tallymark is not installed"), True, "what mends it")
        shutil.move("/run/known", known)
        mend(finds("rules", "lacks the known devices"))
        healthy()


@in_container
def test_settings(scene):
    """The doctor applies the service's settings and reports their faults; the caller's own settings do not matter."""
    with Installed():
        own, machine = Path("/root/.config/tallymark/input.toml"), Path("/etc/tallymark/input.toml")
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("nonsense")
        healthy()
        own.unlink()
        machine.write_text("nonsense")
        remedy = finds("devices", "cannot list")
        answer = subprocess.run(["bash", "-c", remedy], capture_output=True, text=True)
        equal(f"{machine}:1" in answer.stderr, True, f"whether it says why: {answer.stderr}")
        machine.unlink()
        healthy()


@in_container
def test_disk(scene):
    """The doctor finds a full disk and one that is read-only."""
    kept = Path("/var/lib/tallymark")
    with Installed():
        # A core that runs would keep the file system mounted.
        stop_daemons()
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", kept)
        try:
            (kept / "large").write_bytes(bytes(1 << 19))
            equal(str(kept / "large") in mend(finds("disk", "is full")), True, "whether it says what takes the room")
        finally:
            run("umount", kept)
        run("mount", "-t", "tmpfs", "-o", "size=128m,ro", "tmpfs", kept)
        try:
            mend(finds("disk", "read-only"))
            finds("disk", "are free", "fine")
        finally:
            run("umount", kept)
        systemctl("start", "tallyd.socket", "tally-inputd.service")
        healthy()


@in_container
def test_versions(scene):
    """The doctor finds programs of another version, and missing ones."""
    program = Path("/usr/bin/tally-inputd")
    with Installed():
        program.rename("/usr/bin/tally-inputd.before")
        try:
            finds("versions", "program tally-inputd is not in PATH")
            program.write_text("#!/bin/sh\necho tally-inputd 0.0.1\n")
            program.chmod(0o755)
            finds("versions", "tally-inputd is version 0.0.1")
        finally:
            Path("/usr/bin/tally-inputd.before").rename(program)
        healthy()


@in_guest
def test_devices(scene):
    """The doctor finds a device that is not the gesture daemon's, that has no node, or whose group does not exist."""
    with Installed():
        presenter = scene.presenter()
        wait_for(presenter)
        node = Path(presenter.node)
        finds("devices", "accessible to tally-inputd", "fine")
        shutil.chown(node, group="input")
        mend(finds("devices", f"{node} (Logitech USB Receiver)"))
        healthy()
        number = node.stat().st_rdev
        node.unlink()
        mend(finds("devices", "has no device node"))
        equal((node.stat().st_rdev, node.group()), (number, "tallymark-input"), "the node that was missing")
        healthy()
        run("groupmod", "--new-name", "somebody", "tallymark-input")
        mend(finds("rules", "does not exist"))
        equal(node.group(), "tallymark-input", "the group of the presenter")
        wait_for(presenter)
        healthy()
    # The kernel takes away only what it has made.
    node.unlink()


@in_guest
def test_sensor(scene):
    """The doctor finds a motion sensor that is not the gesture daemon's."""
    with Installed():
        sensor = Path(scene.stub_sensor().node)
        eventually(lambda: sensor.group() == "tallymark-input", "udev is done with it")
        shutil.chown(sensor, group="root")
        mend(finds("sensor", f"The motion sensor {sensor.name} belongs to the group root"))
        finds("sensor", "accessible to tally-inputd", "fine")
