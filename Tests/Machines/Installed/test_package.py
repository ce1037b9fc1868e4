"""The Debian package: installed, upgraded, removed and purged by dpkg itself."""

import json
import re
import subprocess
from pathlib import Path

from kit import ROOT, motion
from kit.clicker import press
from kit.configuration import SHAKE
from kit.disk import STATE
from kit.feedback import CAN_SHINE, pad
from kit.journal import INPUTD, hears
from kit.machine import GESTURES, LEARNED, SOCKET, Installed, configure, run, state, systemctl, values, wait_for
from kit.package import CONFIGURATION, OWN_DATA_BASE, VERSION, Packages, another, dpkg, package, status
from kit.places import in_container, in_guest
from kit.varlink import Connection
from kit.wait import becomes, equal

SPOOL = Path("/run/tallymark-input")


def known():
    """What udev's data base says of a pedal."""
    return run("systemd-hwdb", "query", "tallymark:b0003v0c45p7403:FootSwitch").strip()


def own_files(*folders):
    """What bears the name of the product or of a daemon there."""
    names = ["-name", "*tallymark*", "-o", "-name", "tallyd*", "-o", "-name", "tally-inputd*"]
    # Other things may go while it looks.
    return subprocess.run(["find", *folders, "-xdev", *names], capture_output=True, text=True).stdout.splitlines()


@in_container
def test_package(scene):
    """After the package is installed gestures count; upgrades keep counts and settings, removal keeps both, a purge nothing."""
    with Packages():
        dpkg("--install", another("0.0.1"))
        press()
        becomes(values, {"count": 1}, "the counters")
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
        press()
        becomes(values, {"count": 2}, "the counters after the upgrade")
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
        press()
        becomes(values, {"count": 3}, "the counters after it is installed again")

        # The spool outlives the gesture daemon, as does the rule written by `tally-input learn`.
        systemctl("stop", "tallyd.service")
        systemctl("mask", "--now", "--runtime", "tallyd.socket", "tallyd.service")
        press()
        hears("Gestures wait here", INPUTD)
        equal([path for path in SPOOL.glob("*.spool") if "add" in path.read_text()] != [], True, "whether a press waits")
        systemctl("unmask", "--runtime", "tallyd.socket", "tallyd.service")
        LEARNED.write_text('SUBSYSTEM=="input", GROUP="tallymark-input"\n')
        GESTURES.write_text("")
        dpkg("--purge", "tallymark")
        equal(known(), "", "what udev knows of a pedal after a purge")
        OWN_DATA_BASE.unlink()
        equal([*filter(Path.exists, files), *own_files("/etc", "/run", "/var")], [], "the files after a purge")
        equal(status().split()[:1] in ([], ["not-installed"]), True, "whether dpkg knows of it")


@in_container
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


@in_container
def test_versions_agree(scene):
    """Programs, core, package and manual pages say the same version."""
    with Installed():
        equal(run("dpkg-deb", "--field", package(), "Version").strip(), VERSION, "the package's version")
        for program in ["tallyd", "tally-inputd"]:
            equal(run(program, "--version"), f"{program} {VERSION}\n", f"what {program} says")
        connection = Connection(SOCKET)
        equal(connection.call("org.varlink.service.GetInfo")["version"], VERSION, "what the core says")
        connection.close()
        for page in (ROOT / ".build/share/man").glob("man*/*"):
            equal(f"Tallymark {VERSION}" in page.read_text().splitlines()[1], True, f"whether {page.name} says it")


@in_guest
def test_devices(scene):
    """A presenter, a sensor and a light that were there before the package was installed count and answer right after it, and
    are given back when it is purged."""
    presenter, sensor, own = scene.presenter(), scene.hid_sensor(), pad(scene, CAN_SHINE)
    light = own.kernel_light
    with Packages():
        configure(f'led = "{light.name}"\n{SHAKE}')
        dpkg("--install", package())
        wait_for(presenter)
        wait_for(sensor)
        becomes(lambda: [(light / name).group() for name in ("trigger", "brightness")], ["tallymark-input"] * 2, "the light's")
        answers = lambda: [value for _, (_, value) in own.lights]
        own.lights.clear()
        presenter.press()
        becomes(values, {"count": 1}, "the counters after a press")
        becomes(answers, [1, 0], "the light")
        own.lights.clear()
        sensor.play(motion.rest, 1)
        sensor.shake()
        becomes(values, {"count": 2}, "the counters after a shake")
        becomes(answers, [1, 0], "the light")
        dpkg("--purge", "tallymark")
        becomes(lambda: Path(presenter.node).group(), "input", "whose the presenter is after a purge")
