"""The gesture daemon's service with real devices; Tests/Machines/Container has the other tests of the units."""

import json
from pathlib import Path

from evdev import ecodes as e

from kit.machine import Installed, run, use, values, wait_for
from kit.wait import becomes, equal, eventually


def test_gestures_of_a_sandboxed_daemon(scene):
    """Pedal, presenter and touchscreen count under systemd, plugged in before the start and after it."""
    pedal = scene.pedal()
    with Installed():
        use("touchscreens", pedal.node)
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 1}, "the counters after the pedal")
        presenter = scene.presenter()
        wait_for(presenter)
        presenter.press()
        becomes(values, {"count": 2}, "the counters after the presenter")
        screen = scene.touchscreen()
        wait_for(screen)
        screen.tap()
        becomes(values, {"count": 3}, "the counters after the tap")
        pedal.unplug()
        pedal.plug()
        wait_for(pedal)
        pedal.press()
        becomes(values, {"count": 4}, "the counters after the pedal was plugged in again")


def test_journal(scene):
    """The journal has lines with fields about a device that is used, and nothing of what is pressed on it or elsewhere."""
    presenter, keyboard = scene.presenter(), scene.keyboard()
    Path("/etc/tallymark").mkdir(exist_ok=True)
    Path("/etc/tallymark/input.toml").write_text(
        '[[device]]\nname = "Logitech*"\n[[device.bind]]\ngesture = "press"\nkey = "KEY_PAGEDOWN"\ndo = "add"\n')
    with Installed():
        wait_for(presenter)

        def said(*fields):
            run("journalctl", "--sync")
            lines = run("journalctl", "--boot", "--output=json", "--unit=tally-inputd.service", *fields).splitlines()
            return [json.loads(line) for line in lines]

        messages = lambda: [line["MESSAGE"] for line in said()]
        eventually(lambda: f"{presenter.node} (Logitech USB Receiver) is in use" in "\n".join(messages()), "it is in use")
        lines = said(f"TALLYMARK_DEVICE={presenter.node}")
        equal(any(line["TALLYMARK_DEVICE_NAME"] == "Logitech USB Receiver" for line in lines), True, "the fields")
        before = messages()
        for key in [e.KEY_F5, e.KEY_DOT, e.KEY_ESC]:
            presenter.press(key)
            keyboard.press(key)
        presenter.press(e.KEY_PAGEDOWN)
        becomes(values, {"count": 1}, "the counters")
        equal(messages(), before, "the journal after presses that are not bound")
        stored = b"".join(path.read_bytes() for path in Path("/var/lib/tallymark").iterdir())
        equal(b"press KEY_PAGEDOWN" in stored, True, "whether the history has the key that counted")
        for word in [b"F5", b"DOT", b"ESC"]:
            equal(word in stored, False, f"whether {word} is stored")
