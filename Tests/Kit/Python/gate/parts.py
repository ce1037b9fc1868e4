"""The table of the parts."""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from gate import DEBUG, RELEASE, ROOT


@dataclass
class Part:
    """Tests of one kind. `commands(names, times)` returns the commands that run those with one of the words in their name."""

    about: str
    commands: object
    # The targets of the Makefile that it needs.
    needs: tuple = ()
    # The sets that it belongs to: quick, gate, endure.
    sets: tuple = ("gate",)
    # One job per lane; each claims its tests in a shared folder.
    shares: bool = False
    # The command repeats tests by itself; otherwise it is run several times.
    repeats: bool = False
    # It needs a browser, a broker, a container or a guest: what fails runs once more, with nothing beside it.
    is_retried: bool = False
    # It prints no line per test, so it counts as one test.
    is_one_test: bool = False
    takes_names: bool = True
    # Its output is that of Swift Testing.
    is_swift: bool = False
    # Where its tests are functions `test_…` of Python files.
    folder: str = ""
    # The mark `@in_…` of those that it runs; without it, all of the folder.
    mark: str = ""
    # Where else its tests have their names: patterns of files.
    sources: tuple = ()
    # Additional environment variables.
    environment: dict = field(default_factory=dict)


def suite(program, folder, *options, **more):
    """A part whose program selects and repeats tests by itself."""

    def commands(names, times):
        return [[*shlex.split(program), *options, "--times", str(times), *names]]

    return {"commands": commands, "repeats": True, "folder": folder, **more}


def stories(packages, stage, folder):
    """The stories of a folder, with packages as `Tests/Kit/Python/run` names them."""
    return suite(f"Tests/Kit/Python/run {packages} -m kit.stories {stage} {folder}", folder)


# Modules whose unit tests take half of the total time.
SLOW_UNITS = r"^CoreServiceTests\."
# Tests of the built commands: in the same bundle as the unit tests, and no units.
COMMANDS = r"^CommandTests\."


def bundle(*choice):
    """Runs tests of the bundle in sequence, so that each time is the test's own."""
    return [f"{DEBUG}/tallymarkPackageTests.xctest", "--testing-library", "swift-testing", "--no-parallel", *choice]


def filters(names):
    # Each of the words may be anywhere in a suite's or a test's name.
    return [word for name in names for word in ("--filter", re.escape(name))]


def units(names, _):
    if names:
        return [bundle("--skip", COMMANDS, *filters(names))]
    return [bundle("--skip", f"{COMMANDS}|{SLOW_UNITS}"), bundle("--filter", SLOW_UNITS)]


def commands(names, _):
    return [bundle("--filter", COMMANDS)] if not names else [bundle("--skip", r"^(?!CommandTests)\w+\.", *filters(names))]


def press(names, times):
    chosen = names or ["test_gestures.test_pedal", "test_gestures.test_tap_and_swipe_down"]
    return [["Tests/Machines/Guest/run", "--programs", DEBUG, "--times", str(times), *chosen]]


# In the order in which they begin once what they need is built: the longest job first, so that none is left alone at the end.
PARTS = {
    "sources": Part(
        "names in the Python sources, the layout of Sources and documents, and generated files against their origin",
        lambda *_: [["sh", "-c", "scripts/check-python && scripts/check-house && scripts/check-documents && udev/make-hwdb --check"]], ("setup-test",),
        sets=("quick", "gate"), is_one_test=True, takes_names=False),
    "installed": Part(
        "the installed package with real devices, in a virtual machine", needs=("deb-all",),
        is_retried=True, **suite("Tests/Machines/Guest/run", "Tests/Machines/Installed", "--installed", mark="in_guest")),
    "machine": Part(
        "devices, gestures, feedback and commands on a real kernel, in virtual machines", needs=("build-all",),
        is_retried=True, **suite("Tests/Machines/Guest/run", "Tests/Machines/Guest/tests", shares=True)),
    "board": Part(
        "the board with a real core, in Chromium and for other programs", needs=("build-all", "setup-gate"),
        is_retried=True, **stories("browser", "board", "Tests/Programs/Board")),
    "unit": Part(
        "the unit tests", units, ("build-tests",), sets=("quick", "gate"), is_swift=True, sources=("Tests/Unit/**/*.swift",)),
    "container": Part(
        "services, rights, disks, packages and doctor, in containers with systemd (as root)",
        needs=("setup-root", "deb-all", "setup-gate"),
        is_retried=True, **suite("Tests/Machines/Container/run", "Tests/Machines/Installed", shares=True, mark="in_container")),
    "command": Part(
        "the built commands where a shell is not enough: terminals, random histories, the documents' examples", commands, ("build-tests", "build-all", "setup-gate"),
        is_swift=True, environment={"TALLYMARK_PROGRAMS": str(ROOT / RELEASE)}, sources=("Tests/Programs/Command/*.swift",)),
    "sessions": Part(
        "the built commands: what they print, change and refuse, in the files Tests/Programs/Sessions/*.session",
        lambda names, _: [["Tests/Programs/Sessions/run", RELEASE, *names]], ("build-all", "setup-gate"),
        sources=("Tests/Programs/Sessions/*.session",)),
    "clocks": Part(
        "suspend, leap seconds and a clock that is set, in a virtual machine", needs=("build-all",),
        is_retried=True, **suite("Tests/Machines/Guest/run", "Tests/Machines/Guest/clocks", "--clocks")),
    "fleet": Part(
        "stations that count together through a real broker, with kills, partitions and strangers",
        needs=("build-all", "setup-gate"),
        is_retried=True, **stories("fleet", "virtual-fleet", "Tests/Programs/Fleet")),
    "press": Part(
        "a press, a tap and a swipe on a real kernel, in a virtual machine", press, ("build-tests",), sets=("quick", "gate"),
        repeats=True, is_retried=True, folder="Tests/Machines/Guest/tests"),
    "client": Part(
        "the core and the Varlink library against PyPI's client and server (by group)",
        lambda names, _: [["Tests/Kit/Python/run", "varlink", "Tests/Programs/ForeignClient/checks.py", DEBUG, *names]],
        ("build-tests",), sets=("quick", "gate"), sources=("Tests/Programs/ForeignClient/*.py",)),
    "demands": Part(
        "the commands in the tables of Tests/Programs/Demands/demands.md (by the words of a demand)",
        lambda names, _: [["Tests/Programs/Demands/run", RELEASE, *names]], ("build-all", "setup-gate"),
        sources=("Tests/Programs/Demands/demands.md",)),
    "texts": Part(
        "hostile texts through every output: terminal, log, CSV, JSON, pictures, mail",
        lambda *_: [["Tests/Programs/Texts/run", RELEASE]], ("build-all", "setup-gate"), takes_names=False),
    "manuals": Part(
        "manual pages and completions against the programs; what the daemons must not carry",
        lambda *_: [["sh", "-c", f"scripts/check-daemons {RELEASE} && Tests/Programs/Manuals/run"]],
        ("build-all", "setup-gate"), takes_names=False),
    "runner": Part(
        "the runner of the tests itself, with jobs that crash, hang and lose tests", needs=("setup-test",), sets=("quick", "gate"),
        **suite("env PYTHONPATH=Tests/Kit/Python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m kit.stories plain Tests/Kit/Gate", "Tests/Kit/Gate")),
    "additions": Part(
        "how many files a new setting, a new verb and a new gesture touch, as patches that apply",
        lambda *_: [["Tests/Programs/Additions/run"]], (), takes_names=False),
    "endurable": Part(
        "that the long parts agree with the sources: the fuzzer's targets, some seconds of the soak, and a few cuts of power",
        lambda *_: [["Tests/Endurance/Fuzz/run", "--check"], ["Tests/Endurance/PowerCuts/run", "4"],
                    ["Tests/Endurance/Soak/run", "15", "model", "watchers", "roundtrips", "periods", "memory"]],
        ("build-all", "setup-gate"), takes_names=False, environment={"TALLYMARK_SEED": "1"}),
    "additions-built": Part(
        "the programs with these patches, built in a copy of the tree, and what they do",
        lambda *_: [["Tests/Programs/Additions/run", "--build"]], ("setup-test",), sets=("endure",), takes_names=False),
    "rounds": Part(
        "fifty rounds of the random tests among the unit tests", units, ("build-tests",), sets=("endure",), is_swift=True,
        environment={"TALLYMARK_TEST_ROUNDS": "50"}, sources=("Tests/Unit/**/*.swift",)),
    "fuzz": Part(
        "random input for all that reads devices, files and sockets, for ten minutes (by target)",
        lambda names, _: [["Tests/Endurance/Fuzz/run", "600", *names]], ("setup-test",), sets=("endure",),
        sources=("Tests/Endurance/Fuzz/run",)),
    "kills": Part(
        "2000 kills of either daemon while a pedal is pressed; a number stands for another number",
        lambda names, _: [["Tests/Endurance/Kills/run", *(names or ["2000"])]], ("build-all",), sets=("endure",),
        is_one_test=True),
    "cuts": Part(
        "power cuts of each program that says what is on the disk, on the disks that they may leave (by scene)",
        lambda names, _: [["Tests/Endurance/PowerCuts/run", "300", *names]], ("build-all", "setup-gate"), sets=("endure",),
        sources=("Tests/Endurance/PowerCuts/scenes.py",)),
    "soak": Part(
        "an hour of a model with kills, an order for all answers, round trips and hostile clients (by kind)",
        lambda names, _: [["Tests/Endurance/Soak/run", "3600", *names]], ("build-all",), sets=("endure",),
        sources=("Tests/Endurance/Soak/*",)),
    "times": Part(
        "how long calls take at a million events, and another user's counts beside attacks (as root; by attack)",
        lambda names, _: [["Tests/Endurance/Times/run", *names]], ("setup-root", "build-all"), sets=("endure",),
        sources=("Tests/Endurance/Times/attacks.py",)),
    "venue": Part(
        "50 stations and 1,000 faults of paths, brokers, processes and disks, beside an oracle; or as many as two numbers say",
        lambda names, _: [["Tests/Kit/Python/run", "fleet", "Tests/Endurance/Venue/soak.py", *names]],
        ("build-all", "setup-gate"), sets=("endure",)),
    "two-machines": Part(
        "stations in virtual machines over a bad network: a power cut, a disk that is put back, and a clone",
        needs=("build-all", "setup-gate"), sets=("endure",),
        **stories("fleet", "fleet", "Tests/Endurance/TwoMachines")),
    "home-assistant": Part(
        "Home Assistant itself, from PyPI, with real stations; needs Python 3.13, and some minutes for the installation",
        needs=("build-all", "setup-gate"), sets=("endure",),
        **suite("Tests/Endurance/HomeAssistant/run", "Tests/Endurance/HomeAssistant")),
    "fleet-figures": Part(
        "speed, memory and wake-ups of bridges, which depend on the machine", needs=("build-all", "setup-gate"),
        sets=("endure",), **stories("fleet", "fleet", "Tests/Endurance/Figures/Fleet")),
    "board-figures": Part(
        "how soon the board and its page do things, which depends on the machine", needs=("build-all", "setup-gate"),
        sets=("endure",), **stories("browser", "board", "Tests/Endurance/Figures/Board")),
    "deaths": Part(
        "kills and stops of board and core while a page counts", needs=("build-all", "setup-gate"), sets=("endure",),
        **stories("browser", "board", "Tests/Endurance/Deaths")),
    "kiosk": Part(
        "the kiosk with a screen, a touchscreen and its browser, in a virtual machine", needs=("build-all", "setup-gate"),
        sets=("endure",), **suite("Tests/Machines/Guest/run", "Tests/Endurance/Kiosk", "--kiosk")),
    "mutation": Part(
        "twenty breaks of the sources, and those that no test notices (a number stands for another number)",
        lambda names, _: [["Tests/Endurance/Mutation/run", *(names or ["20"])]], ("build-tests",), sets=("endure",),
        is_one_test=True),
    "coverage": Part(
        "which share of Sources the tests run, and which files they run least",
        lambda *_: [["scripts/measure-coverage"]], ("setup-test",), sets=("endure",), is_one_test=True, takes_names=False),
}


def is_known(part, word):
    """Whether a test of a part may have this word in its name."""
    if part.folder:
        return any(word in function for function in functions(part))
    # A module's or a suite's name, or that of a test; which of them has it, only the built program knows.
    return not part.sources or any(
        word.lower() in f"{file.parent} {file.read_text(errors='replace')}".lower()
        for pattern in part.sources for file in ROOT.glob(pattern) if file.is_file())


def functions(part):
    """The tests of a part as `file.function`."""
    return [
        f"{file.stem}.{function}" for file in Path(ROOT / part.folder).glob("test_*.py")
        for marks, function in re.findall(r"^((?:@\w+\n)*)def (test_\w+)", file.read_text(), re.M)
        if not part.mark or f"@{part.mark}\n" in marks]
