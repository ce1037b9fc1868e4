"""The kiosk as it is installed, in a virtual machine with a screen: touches and presses of real devices, and a real browser."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from kit import ROOT
from kit.board import PORT, Board
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


@contextmanager
def kiosk():
    """The kiosk beside the daemons, as `make install-kiosk` does it."""
    run("modprobe", "virtio_gpu")
    run("udevadm", "trigger", "--subsystem-match=drm", "--subsystem-match=graphics")
    run("udevadm", "settle")
    # On the emulated screen cage crashes with Mesa's renderer.
    with Override(UNIT, "[Service]", "Environment=WLR_RENDERER=pixman"):
        run("scripts/install", "kiosk", cwd=ROOT, env={**os.environ, "PREFIX": "/usr"})
        try:
            yield
        except BaseException:
            subprocess.run(["journalctl", "--boot", "--lines=60", "--no-hostname", "-t", "tallymark-kiosk"])
            raise
        finally:
            systemctl("disable", "--now", UNIT)


def browsers():
    """The connections of browsers to the board, each by its own port."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = "01"
    return {line[1] for line in lines if line[2].endswith(f":{PORT:04X}") and line[3] == established}


def is_shown(former=frozenset()):
    """Waits until a browser shows the page, and listens to touches."""
    eventually(lambda: browsers() - former, "a browser shows the page", PATIENCE)
    time.sleep(3 * LULL)


def counts_to(value, what):
    becomes(lambda: values()["people"], value, what, PATIENCE)


def causes(count):
    """What made the last events, oldest first."""
    return [event["cause"]["producer"].partition("/")[0] for event in reversed(call("History", limit=count)["events"])]


def test_each_touch_counts_once(scene):
    """Each touch on a kiosk's screen counts exactly once: by the page where the configuration says so, else by the gesture
    daemon. Pedals and presenters type nothing into the page."""
    screen, presenter = scene.touchscreen(), scene.presenter()
    with Board(), Rights(RIGHTS):
        call("Create", name="people")
        GESTURES.write_text(PAGE_COUNTS)
        systemctl("restart", "tally-inputd.service")
        with kiosk():
            is_shown()
            equal("Kiosk" in run("tally-board", "devices"), True, "whether the browser is paired")
            for value in range(1, 6):
                screen.tap(0.1 + value / 10, 0.5)
                counts_to(value, "a touch that the page counts")
            screen.swipe_down()
            counts_to(4, "a swipe takes off")
            wait_for(presenter)
            presenter.press()
            counts_to(5, "a press of a presenter")
            time.sleep(LULL)
            equal(values(), {"people": 5}, "the counters")
            equal(causes(7), ["tally-board"] * 6 + ["tally-inputd"], "what counted")

            # The kiosk notices, and starts its browser again.
            former = browsers()
            GESTURES.write_text(DAEMON_COUNTS)
            systemctl("restart", "tally-inputd.service")
            wait_for(screen)
            is_shown(former)
            for value in range(6, 11):
                screen.tap(0.1 + (value - 5) / 10, 0.5)
                counts_to(value, "a touch that the gesture daemon counts")
            time.sleep(LULL)
            equal(values(), {"people": 10}, "the counters")
            equal(causes(5), ["tally-inputd"] * 5, "what counted")
            equal(state(UNIT), "active", "the kiosk")
