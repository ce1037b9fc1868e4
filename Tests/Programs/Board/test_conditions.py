"""Facts beside the counts: what the core lets the board do, and which stations of its fleet are missing."""

import json
import os
import signal

from kit.core import Core
from kit.varlink import Connection
from kit.suite import Skipped
from kit.wait import becomes, equal, eventually


NOBODY = 65534


def test_without_the_right_to_count(stage):
    """A board whose core gives it no right to count says so, shows a paired device nothing to press, and counts nothing; with the right the page counts."""
    # The core gives its own user all rights, and only root can start the board as another one.
    if os.geteuid() != 0:
        raise Skipped("only root can start the board as another user")
    configuration = stage.folder / "core.toml"
    configuration.write_text('[rights]\nread = ["*"]\ncount = []\n')
    stage.core.end()
    stage.core.command += ["--config", configuration]
    stage.core.start()
    stage.run_board_as(NOBODY)
    page = stage.counting(setup=True, width=1280, height=800)
    page.says("may only show counts", "#hints")
    # A selector that finds nothing is an error.
    shown = "return [...arguments].filter(one => getComputedStyle(document.querySelector(one)).display !== 'none')"
    equal(page.run(shown, ".acts", "#edit"), [], "what can be pressed")
    equal(page.run("return document.documentElement.classList.contains('counts')"), False, "whether it counts")
    page.touch(400, 300)
    page.key(" ")
    page.says("core.toml")
    equal(page.text("#waiting"), "", "what waits")
    page.picture("no-right")
    equal(page.axe(), [], "what axe finds")
    equal(stage.core.value("people"), 0, "the count")
    configuration.write_text('[rights]\nread = ["*"]\ncount = ["*"]\n')
    stage.core.send(signal.SIGHUP)
    page.can_count()
    page.touch(400, 300)
    page.shows("1")
    buttons = [".acts", "#edit", ".last button"]
    becomes(lambda: page.run(shown, *buttons), buttons, "what can be pressed with the right")
    configuration.write_text('[rights]\nread = ["*"]\ncount = []\n')
    stage.core.send(signal.SIGHUP)
    becomes(lambda: page.run(shown, *buttons), [], "what can be pressed without the right again")


def read(publication):
    """What the bridge passes on of a message about a station's counters or their registers."""
    topic, members = publication["topic"], json.loads(publication["payload"])
    station, kind = topic.split("/")[:2]
    message = {"station": station, "topic": topic, "retained": True}
    del members["version"]
    if kind == "def":
        return {**message, "definition": members}
    names = ("writer", "number", "added", "subtracted", "counts")
    rows = [dict(zip(names, row, strict=True)) for row in members["registers"]]
    return {**message, "counts": {"counter": members["counter"], "own": True, "registers": rows}}


class Station:
    """A core of a fleet. The test carries the messages between two of them, as their bridges do."""

    def __init__(self, name, core):
        self.call, self.socket = core.call, core.socket
        self.call("JoinFleet", broker="mqtt://broker.test", fleet="venue", station=name)
        self.call("ReportFleet", connected=True)

    def tell(self, other, *more):
        """Carries all messages of this station, and `more`, to another one."""
        with Connection(self.socket) as connection:
            connection.send("LinkFleet", more=True)
            messages = connection.receive()["publications"]
        other.call("LearnFleet", messages=[*map(read, messages), *more])


def test_missing_stations(stage):
    """The overview names a station that is offline, and nothing without a fleet or while all are there; a shared counter shows the share of this station."""
    stage.new("bikes")
    page = stage.page("/all")
    eventually(lambda: page.text(".row") is not None, "the overview is there")
    missing = "return document.querySelector('.all > .full').textContent"
    folder = stage.folder / "peer"
    folder.mkdir()
    core = stage.keep(Core(folder, stage.programs, {"RUNTIME_DIRECTORY": str(folder)}))
    core.start()
    here, there = Station("door1", stage.core), Station("door2", core)
    there.call("Create", name="people")
    there.call("ShareCounter", counter="people")
    online = {"station": "door2", "topic": "door2/online", "online": True}
    there.tell(here, online)
    here.call("AdoptCounter", counter="people")
    here.call("Add", counter="people", amount=17)
    there.call("Add", counter="people", amount=40)
    there.tell(here)
    page = stage.page("/counter/people")
    page.shows("57")
    page.shows("17 of them here", ".detail")
    page.picture("share")
    page = stage.page("/counter/bikes")
    page.shows("0")
    equal(page.text(".detail"), "", "what is beside a counter of this station alone")
    page = stage.page("/all")
    page.says("17 of them here", ".all")
    equal(page.run(missing), "", "what is missing while all are there")
    here.call("LearnFleet", messages=[{**online, "online": False}])
    becomes(lambda: page.run(missing), "door2 is offline", "the line")
    page.picture("missing")
    equal(page.axe(), [], "what axe finds")
    here.call("LearnFleet", messages=[online])
    becomes(lambda: page.run(missing), "", "the line after its return")
    here.call("ReportFleet", connected=False)
    becomes(lambda: page.run(missing), "This station is not connected to its fleet: counts of others are old", "the line")
    # A page that comes later is told with its state.
    page = stage.page("/all")
    becomes(lambda: page.run(f"return document.querySelector('.row') && (() => {{ {missing} }})()"),
            "This station is not connected to its fleet: counts of others are old", "the line of a new page")
    here.call("LeaveFleet")
    becomes(lambda: page.run(missing), "", "the line without a fleet")


def test_core_that_hangs(stage):
    """Numbers of a core that answers nothing, though it keeps its connections, are old, also on a page that is opened then; they return with its answers."""
    page = stage.watching()
    stage.core.freeze()
    try:
        eventually(lambda: page.is_old, "the page knows")
        page.says("no core since")
        page = stage.page()
        eventually(lambda: page.is_old, "a new page knows")
    finally:
        stage.core.resume()
    page.is_live()


def test_formulas_that_change_with_time(stage):
    """A formula of a running stopwatch goes on, as the core's does."""
    stage.new("swim", kind="stopwatch")
    stage.call("CreateFormula", name="twice", formula="swim * 2")
    stage.call("Start", counter="swim")
    page = stage.page("/counter/twice")
    eventually(lambda: page.text(".number") not in (None, ""), "the page is there")
    first = page.text(".number")
    eventually(lambda: page.text(".number") != first, "the number goes on")
