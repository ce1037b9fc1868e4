"""The kiosk's own start page, which waits for the board."""

import json
import os
import signal
import subprocess
from contextlib import contextmanager

from kit import ROOT
from kit.wait import becomes, equal, eventually

START = ROOT / "kiosk/start.html"
RUN = START.with_name("run")


def test_start_page(stage):
    """The kiosk's start page says that the board is away, and shows the board as soon as it answers; a board that hangs too."""
    stage.new("people")
    file = stage.folder / "start.html"
    file.write_text(START.read_text().replace(":8464", f":{stage.port}"))
    for away, back in [(stage.board.end, stage.board.start), (stage.board.freeze, stage.board.resume)]:
        away()
        page = stage.browser.open(file.as_uri())
        page.says("does not answer", "p")
        back()
        page.shows("0")
        becomes(lambda: page.run("return location.href"), f"{stage.origin}/wall", "the address")
    page.touch(400, 300)
    # A later count comes after all that the page would say.
    stage.add("people")
    page.shows("1")
    equal(page.run("return window.notices.filter(Boolean)"), [], "what a touch is answered")


def kiosk(stage, owner, code=""):
    """Opens the start page, with what the kiosk's script found out."""
    file, script = stage.folder / "start.html", stage.folder / "screen.js"
    script.write_text(f"var screenOwner = {json.dumps(owner)};\nvar pairingCode = {json.dumps(code)};\n")
    file.write_text(START.read_text().replace(":8464", f":{stage.port}").replace("/var/lib/tallymark-kiosk/screen.js", str(script)))
    page = stage.browser.open(file.as_uri())
    page.shows(str(stage.core.value("people")))
    return page


def test_screen_of_the_daemon(stage):
    """A page on a screen of the gesture daemon's draws its zones and gestures, and counts nothing, even when it was paired."""
    stage.new("people", title="People in")
    stage.paired().can_count()
    door = {"gesture": "tap", "do": "add people 2", "zone": [0.5, 0.25, 1, 0.75]}
    page = kiosk(stage, {"owner": "daemon", "gestures": [door, {"gesture": "swipe down", "do": "<b>subtract</b>"}]}, stage.code())
    eventually(lambda: page.run("return document.querySelectorAll('.zone').length") == 2, "zones are drawn")
    place = "const { left, top, right, bottom } = document.querySelector('.zone').getBoundingClientRect(); return [left, top, right, bottom]"
    equal(page.run(place), [400, 150, 800, 450], "the place of the zone")
    words = "return [...document.querySelectorAll('.zone')].map(one => one.textContent.trim())"
    eventually(lambda: page.run(words) == ["tap: +2 People in", "swipe down: <b>subtract</b>"], "the words in the zones")
    equal(page.axe(), [], "what axe finds")
    page.picture("kiosk")
    for place in [(100, 100), (600, 300), (400, 590)]:
        page.touch(*place)
    page.touch(400, 200, dy=300)
    page.key(" ")
    # A later count by another way comes after all that the page would have sent.
    stage.add("people", 5)
    page.shows("5")
    equal(page.run("return Object.keys(localStorage).filter(key => key.startsWith('tap '))"), [], "the counts that wait")
    equal(stage.core.value("people"), 5, "the counter")
    # Words that are none draw nothing, and keep nothing else from being drawn.
    for number, words in enumerate(["%", "{}", '{"gestures":[null]}', '{"gestures":3}', '{"gestures":"abc"}', '{"gestures":[{"gesture":"tap"}]}',
                  '{"gestures":[{"gesture":"tap","do":"add","zone":"left"}]}', '{"gestures":[{"gesture":"tap","do":"add","zone":[0,0,9,9]}]}']):
        # An address that differs behind its # alone would be no load.
        page = stage.page(f"/wall?{number}#{words}")
        page.shows("5")
        equal(page.run("return document.querySelectorAll('.zone').length"), 0, f"the zones that {words} draws")


def test_screen_of_the_page(stage):
    """A screen that the gesture daemon ignores belongs to the page: it pairs itself once and counts each touch once, until it is revoked."""
    stage.new("people")
    page = kiosk(stage, {"owner": "page"}, stage.code())
    page.can_count()
    becomes(lambda: page.run("return location.pathname + location.hash"), "/", "the address")
    for count in range(1, 6):
        page.touch(400, 300)
        page.shows(str(count))
    # Started again: no code, and it is paired still.
    page = kiosk(stage, {"owner": "page"})
    page.can_count()
    page.touch(400, 300)
    page.shows("6")
    equal(stage.core.value("people"), 6, "the counter")
    device, name = stage.tally_board("devices").split()
    equal(name, "Kiosk", "the paired device")
    stage.tally_board("revoke", device)
    page = kiosk(stage, {"owner": "page"})
    page.touch(400, 300)
    page.says("may only watch")
    equal(stage.core.value("people"), 6, "the counter after the device was revoked")


def test_codes_of_a_kiosk(stage):
    """A code that is wrong pairs nothing, and the kiosk shows the count all the same."""
    stage.new("people")
    page = kiosk(stage, {"owner": "page"}, "0" * 32)
    becomes(lambda: page.run("return location.pathname + location.hash"), "/", "the address")
    page.shows("0")
    page.touch(400, 300)
    page.says("may only watch")
    equal(stage.core.value("people"), 0, "the counter")


def test_pairing_needs_a_press(stage):
    """An address pairs nothing and tries no code before the person presses the button, whatever name stands in it."""
    stage.new("people")
    local = stage.origin.replace("127.0.0.1", "localhost")
    for address in [f"{stage.origin}/pair#x.Anna", f"{stage.origin}/pair#x.Kiosk", f"{stage.origin}/pair#{stage.code()}.Anna",
                    f"{local}/pair#{stage.code()}.Kiosk"]:
        stage.browser.forget()
        page = stage.browser.open(address)
        eventually(lambda: page.run("return document.querySelector('form') !== null"), "the form is there")
        equal(page.requests("/pair"), 0, f"codes that {address} sent")
        equal("No device may count yet" in stage.tally_board("devices"), True, f"whether {address} paired no device")


@contextmanager
def running(stage):
    """The kiosk's script with a screen, and programs in the place of compositor and tally-input; gives the process, the
    configuration and the folder in which udev keeps what it knows of devices."""
    programs, configuration, screen, devices = [stage.folder / name for name in ("programs", "tallymark", "screens/HDMI", "udev")]
    for folder in (programs, configuration, screen, devices):
        folder.mkdir(parents=True)
    (screen / "status").write_text("connected\n")
    (devices / "c13:64").write_text("E:ID_INPUT=1\n")
    file = configuration / "input.toml"
    file.write_text("page")
    # The script sleeps between two looks.
    for name, text in [("weston", f"echo > {stage.folder}/shown; exec /bin/sleep 600"), ("sleep", f"echo >> {stage.folder}/looks; exec /bin/sleep 0.02"),
                       ("tally-input", f'echo "{{\\"owner\\":\\"$(cat {file})\\"}}"')]:
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    script = stage.folder / "run"
    text = RUN.read_text()
    for path, other in [("/etc/tallymark", configuration), ("/sys/class/drm", screen.parent), ("/run/udev/data", devices)]:
        text = text.replace(path, str(other))
    script.write_text(text)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "STATE_DIRECTORY": str(stage.folder)}
    kiosk = subprocess.Popen(["sh", script], env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        for name in ("shown", "looks"):
            eventually((stage.folder / name).exists, "the browser runs")
        yield kiosk, file, devices
    finally:
        if kiosk.poll() is None:
            os.killpg(kiosk.pid, signal.SIGKILL)
            kiosk.wait()


def test_restored_configuration(stage):
    """The kiosk ends its browser when another owner of the screen is configured, also by a file that is older than the former one."""
    with running(stage) as (kiosk, file, _):
        equal('{"owner":"page"}' in (stage.folder / "screen.js").read_text(), True, "whether the page is the owner")
        with file.open("w") as changed:
            changed.write("daemon")
            changed.flush()
            os.utime(file, (0, 0))
        eventually(lambda: kiosk.poll() is not None, "the browser is ended")


def test_named_pedal(stage):
    """The kiosk ends its browser when a pedal is named that its compositor has open, and not for one that was ignored from the start."""
    ignored = "E:ID_INPUT=1\nE:LIBINPUT_IGNORE_DEVICE=1\n"
    with running(stage) as (kiosk, _, devices):
        (devices / "c13:65").write_text(ignored)
        looks = stage.folder / "looks"
        before = looks.stat().st_size
        eventually(lambda: looks.stat().st_size > before + 3, "the kiosk looks three times")
        equal(kiosk.poll(), None, "the kiosk's end after a known pedal was plugged in")
        (devices / "c13:64").write_text(ignored)
        eventually(lambda: kiosk.poll() is not None, "the browser is ended")
