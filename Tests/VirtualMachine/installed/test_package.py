"""The Debian package: installed, upgraded, removed and purged by dpkg itself."""

import json
import os
import re
import subprocess
from pathlib import Path

from kit import motion
from kit.feedback import CAN_SHINE, pad
from kit.machine import CHECKOUT, SOCKET, Installed, forget_vendors, run, state, systemctl, values, wait_for
from kit.runner import prepare
from kit.varlink import Connection
from kit.wait import becomes, equal
from tests.test_accelerometer import BOUND

RELEASE = CHECKOUT / ".build/release"
CONFIGURATION = Path("/etc/tallymark/core.toml")
GESTURES = Path("/etc/tallymark/input.toml")
STATE = Path("/var/lib/tallymark")
SPOOL = Path("/run/tallymark-input")
LEARNED = Path("/etc/udev/rules.d/70-tallymark-learned.rules")
# It wins over that of the system.
OWN_DATA_BASE = Path("/etc/udev/hwdb.bin")
VERSION = subprocess.run([RELEASE / "tally", "--version"], capture_output=True, text=True).stdout.split()[-1]


def package():
    found = list((CHECKOUT / ".build/deb").glob(f"tallymark_{VERSION}_*.deb"))
    if not found:
        raise AssertionError("There is no package of this version. Run: make deb")
    return found[0]


def another(version):
    """The same package as another version."""
    tree, target = f"/tmp/tallymark-{version}", f"/tmp/tallymark-{version}.deb"
    run("dpkg-deb", "--raw-extract", package(), tree)
    control = Path(tree, "DEBIAN/control")
    control.write_text(control.read_text().replace(f"Version: {VERSION}\n", f"Version: {version}\n"))
    run("dpkg-deb", "-Znone", "--root-owner-group", "--build", tree, target)
    return target


class Packages:
    """The machine without what other tests have put there, until it is closed."""

    def __enter__(self):
        # Images for containers forbid packages to start anything.
        Path("/usr/sbin/policy-rc.d").unlink(missing_ok=True)
        # Nor are the pages indexed, for which an emulated machine needs minutes.
        Path("/var/lib/man-db/auto-update").unlink(missing_ok=True)
        forget_vendors()
        run("scripts/install", "uninstall", cwd=CHECKOUT, env=Installed.environment)
        Installed.is_there = False
        CONFIGURATION.unlink(missing_ok=True)

    def __exit__(self, failure, *_):
        if failure:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname"])
        subprocess.run(["dpkg", "--purge", "tallymark"], capture_output=True)
        OWN_DATA_BASE.unlink(missing_ok=True)
        prepare(RELEASE)


def dpkg(*arguments):
    return run("dpkg", "--force-confold", *arguments, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def status():
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", "tallymark"], capture_output=True, text=True)
    return answer.stdout.strip()


def known():
    """What udev's data base says of a pedal."""
    return run("systemd-hwdb", "query", "tallymark:b0003v0c45p7403:FootSwitch").strip()


def own_files(*folders):
    """What bears the name of the product or of a daemon there."""
    names = ["-name", "*tallymark*", "-o", "-name", "tallyd*", "-o", "-name", "tally-inputd*"]
    # Other things may go while it looks.
    return subprocess.run(["find", *folders, "-xdev", *names], capture_output=True, text=True).stdout.splitlines()


def test_package(scene):
    """After the package is installed a pedal counts; upgrades keep counts and settings, removal keeps both, a purge nothing."""
    pedal = scene.pedal()
    with Packages():
        dpkg("--install", another("0.0.1"))
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 1}, "the counters after a press on a pedal that was there")
        presenter = scene.presenter()
        wait_for(presenter)
        presenter.press()
        becomes(values, {"count": 2}, "the counters after a press on what was plugged in later")
        equal(state("tallyd.socket", "UnitFileState"), "enabled", "whether it starts with the machine")
        faults = [one for one in map(json.loads, subprocess.run(
            ["tally", "doctor", "--json"], capture_output=True, text=True).stdout.splitlines()) if one["severity"] == "fault"]
        equal(faults, [], "what tally doctor finds")
        equal(OWN_DATA_BASE.exists(), False, "whether udev has a data base that later ones of the system are hidden by")

        before = {unit: state(unit, "MainPID") for unit in ["tallyd.service", "tally-inputd.service"]}
        CONFIGURATION.write_text(CONFIGURATION.read_text() + "\n# My own words.\n")
        dpkg("--install", package())
        equal(status(), f"installed {VERSION}", "the package after the upgrade")
        for unit, pid in before.items():
            becomes(lambda: state(unit), "active", unit)
            equal(state(unit, "MainPID") == pid, False, f"whether {unit} is still the former one")
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 3}, "the counters after the upgrade")
        equal("My own words" in CONFIGURATION.read_text(), True, "whether settings are kept")

        files = [path for path in map(Path, run("dpkg", "--listfiles", "tallymark").splitlines()) if not path.is_dir()]
        dpkg("--remove", "tallymark")
        equal([path for path in files if path.exists()], [CONFIGURATION], "the files after removal")
        equal([state(unit) for unit in before], ["inactive"] * 2, "the daemons after removal")
        equal(STATE.exists(), True, "whether the counts are kept")
        equal(known(), "", "what udev knows of a pedal after removal")

        # An administrator who made one has it renewed as well.
        run("systemd-hwdb", "update")
        dpkg("--install", package())
        equal(known(), "TALLYMARK_KIND=pedal", "what udev knows of a pedal where the administrator has a data base")
        wait_for(presenter)
        presenter.press()
        becomes(values, {"count": 4}, "the counters after it is installed again")

        # What waits for a core outlives the gesture daemon, and so does a rule that tally-inputd learn has written.
        systemctl("stop", "tallyd.service")
        systemctl("mask", "--now", "--runtime", "tallyd.socket", "tallyd.service")
        presenter.press()
        becomes(lambda: any(path.is_file() and path.stat().st_size > 0 for path in SPOOL.rglob("*")), True, "whether a press waits")
        systemctl("unmask", "--runtime", "tallyd.socket", "tallyd.service")
        LEARNED.write_text('SUBSYSTEM=="input", GROUP="tallymark-input"\n')
        GESTURES.write_text("")
        dpkg("--purge", "tallymark")
        equal(known(), "", "what udev knows of a pedal after a purge")
        becomes(lambda: Path(presenter.node).group(), "input", "whose the presenter is after a purge")
        OWN_DATA_BASE.unlink()
        equal([*filter(Path.exists, files), *own_files("/etc", "/run", "/var")], [], "the files after a purge")
        equal(status().split()[:1] in ([], ["not-installed"]), True, "whether dpkg knows of it")


def test_what_was_there_before(scene):
    """A motion sensor and a light that were there before the package was installed count and answer right after it."""
    sensor, own = scene.hid_sensor(), pad(scene, CAN_SHINE)
    light = own.kernel_light
    with Packages():
        GESTURES.parent.mkdir(exist_ok=True)
        GESTURES.write_text(f'led = "{light.name}"\n{BOUND}')
        dpkg("--install", package())
        wait_for(sensor)
        becomes(lambda: [(light / name).group() for name in ("trigger", "brightness")], ["tallymark-input"] * 2, "the light's")
        own.lights.clear()
        sensor.play(motion.rest, 1)
        sensor.shake()
        becomes(values, {"count": 1}, "the counters")
        becomes(lambda: [value for _, (_, value) in own.lights], [1, 0], "the light")


def test_documents(scene):
    """What the package's documents refer to is in the package, and so are the notices of what is built into the programs."""
    tree = scene.folder / "package"
    run("dpkg-deb", "--extract", package(), tree)
    documents = tree / "usr/share/doc/tallymark"
    for document in [documents / "README.md", documents / "SECURITY.md"]:
        references = re.findall(r"\]\(([\w./]+\.md)", document.read_text())
        equal([one for one in references if not (document.parent / one).is_file()], [], f"what {document.name} misses")
    for page in ["core.toml.5", "input.toml.5"]:
        equal((tree / f"usr/share/man/man5/{page}.gz").is_file(), True, f"whether {page} is there")
    notices = (documents / "copyright").read_text()
    for author in ["Mark Gillard", "Bjoern Hoehrmann", "Swift project authors"]:
        equal(author in notices, True, f"whether {author} is named")


def test_versions_agree(scene):
    """Programs, core, package and manual pages say the same version."""
    with Installed():
        equal(run("dpkg-deb", "--field", package(), "Version").strip(), VERSION, "the package's version")
        for program in ["tallyd", "tally-inputd"]:
            equal(run(program, "--version"), f"{program} {VERSION}\n", f"what {program} says")
        connection = Connection(SOCKET)
        equal(connection.call("org.varlink.service.GetInfo")["version"], VERSION, "what the core says")
        connection.close()
        for page in (CHECKOUT / ".build/share/man").glob("man*/*"):
            equal(f"Tallymark {VERSION}" in page.read_text().splitlines()[1], True, f"whether {page.name} says it")
