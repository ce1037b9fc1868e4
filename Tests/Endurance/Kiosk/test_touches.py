"""The kiosk as it is installed, in a virtual machine with a screen: touches and presses of real devices, and a real browser."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from kit import ROOT
from kit.board import Board, shows_the_board
from kit.machine import Override, call, run, state, systemctl, values, wait_for
from kit.rights import Rights
from kit.wait import becomes, equal, eventually

UNIT = "tallymark-kiosk.service"
GESTURES = Path("/etc/tallymark/input.toml")
PAGE_COUNTS = '[[device]]\nname = "Plain Touchscreen"\nignore = true\n'
DAEMON_COUNTS = "[touchscreens]\nuse = true\n"
RIGHTS = '[rights]\nread = ["tallymark-board"]\ncount = ["tallymark-board", "tallymark-input"]\n'
# Seconds: an emulated machine starts a browser in one or two minutes, and one that others keep busy even later.
PATIENCE = 600
# Within this time everything that a touch does is done.
LULL = 10
TAPS = 100


@contextmanager
def kiosk():
    """The kiosk beside the daemons, as `make install-kiosk` does it."""
    run("modprobe", "virtio_gpu")
    run("udevadm", "trigger", "--subsystem-match=drm", "--subsystem-match=graphics")
    run("udevadm", "settle")
    # The emulated screen has no graphics card that could draw.
    with Override(UNIT, "[Service]", "ExecStart=", "ExecStart=/usr/lib/tallymark-kiosk/run --use-pixman"):
        run("scripts/install", "kiosk", cwd=ROOT, env={**os.environ, "PREFIX": "/usr"})
        try:
            yield
        except BaseException:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname", "-t", "tallymark-kiosk"])
            raise
        finally:
            systemctl("disable", "--now", UNIT)


def counts_to(value, what):
    becomes(lambda: values()["people"], value, what, PATIENCE)


def causes(count):
    """What made the last events, oldest first."""
    return [event["cause"]["producer"].partition("/")[0] for event in reversed(call("History", limit=count)["events"])]


def tap(screen, what):
    """Taps a hundred times on the sheet in the middle of the page; each tap must count before the next. Gives the value."""
    value = values()["people"]
    for number in range(TAPS):
        screen.tap(0.4 + number * 7 % 15 / 100, 0.35 + number * 3 % 25 / 100)
        value += 1
        counts_to(value, what)
    return value


def test_each_touch_counts_once(scene):
    """Each touch on a kiosk's screen counts exactly once: by the page where the configuration says so, else by the gesture
    daemon. Pedals and presenters type nothing into the page."""
    screen, presenter = scene.touchscreen(), scene.presenter()
    with Board(), Rights(RIGHTS):
        call("Create", name="people")
        GESTURES.write_text(PAGE_COUNTS)
        systemctl("restart", "tally-inputd.service")
        with kiosk():
            eventually(lambda: "Kiosk" in run("tally-board", "devices"), "the browser is paired", PATIENCE)
            shows_the_board(PATIENCE)
            value = tap(screen, "a touch that the page counts")
            screen.swipe_down()
            counts_to(value - 1, "a swipe takes off")
            wait_for(presenter)
            presenter.press()
            counts_to(value, "a press of a presenter")
            time.sleep(LULL)
            equal(values(), {"people": value}, "the counters")
            equal(causes(TAPS + 2), ["tally-board"] * (TAPS + 1) + ["tally-inputd"], "what counted")

            # The kiosk notices, and starts its browser again.
            former = state(UNIT, "MainPID")
            GESTURES.write_text(DAEMON_COUNTS)
            systemctl("restart", "tally-inputd.service")
            wait_for(screen)
            eventually(lambda: state(UNIT, "MainPID") not in ("0", former), "the kiosk starts again", PATIENCE)
            shows_the_board(PATIENCE)
            value = tap(screen, "a touch that the gesture daemon counts")
            time.sleep(LULL)
            equal(values(), {"people": value}, "the counters")
            equal(causes(TAPS), ["tally-inputd"] * TAPS, "what counted")
            equal(state(UNIT), "active", "the kiosk")
