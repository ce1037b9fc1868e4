#!/usr/bin/env python3
"""Measures tally-board with a real core, a real gesture daemon and Chromium; prints the figures as JSON.

`Benchmarks/run board` calls it by Tests/Kit/Python/run.
"""

import gzip
import itertools
import json
import os
import pty
import random
import select
import socket
import statistics
import threading
import time

from kit import ROOT
from kit.browser import Browser
from kit.pages import Stage
from kit.varlink import message
from kit.wait import eventually
from tools import progress

VIEWERS = 1000
CHANGES = int(os.environ.get("CHANGES", 20_000))
# With a slowed processor.
TAPS = 200

# The times of the frame callbacks in which the number changed, and of the flashes after taps.
WATCH = """
window.frames = []; window.flashes = []; let lifted = 0;
const now = () => performance.timeOrigin + performance.now();
const number = document.querySelector(".number");
new MutationObserver(() => requestAnimationFrame(() => frames.push([number.textContent, now()])))
  .observe(number, {childList: true, characterData: true, subtree: true});
addEventListener("pointerup", event => { lifted = event.timeStamp; }, true);
new MutationObserver(changes => {
  if (changes.some(one => one.target.classList.contains("flash") && !one.oldValue.includes("flash")))
    requestAnimationFrame(() => flashes.push(performance.now() - lifted));
}).observe(document.querySelector(".area"), {attributes: true, attributeOldValue: true, attributeFilter: ["class"]});
"""


def middle_and_worst(values):
    """The median and the 95th percentile."""
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


# The times of all frames, by the browser's clock of frames.
FRAMES = """
window.times = [];
requestAnimationFrame(function next(time) {
  times.push(time);
  requestAnimationFrame(next);
});
"""


def weight(stage):
    """The bytes of the files that a page loads to count, and of their gzip."""
    files = [text.encode(errors="surrogateescape") for text in stage.page_files().values()]
    return sum(map(len, files)), sum(len(gzip.compress(text)) for text in files)


def presses(stage, count):
    """The times in ms from a key of a terminal, which tally-inputd reads, to the frame that shows the count."""
    page = stage.page("/counter/people")
    page.shows("0")
    page.run(WATCH)
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TALLYMARK_SOCKET"] = str(stage.socket)
        os.environ["XDG_RUNTIME_DIR"] = os.environ["XDG_CONFIG_HOME"] = os.environ["HOME"] = str(stage.folder)
        os.execv(stage.programs / "tally-inputd", ["tally-inputd", "--terminal"])
    said = b""
    while b"q quits" not in said:
        said += os.read(terminal, 4096)
    times = []
    for number in range(1, count + 1):
        time.sleep(random.uniform(0.35, 0.6))
        while select.select([terminal], [], [], 0)[0]:
            os.read(terminal, 4096)
        pressed = time.time() * 1000
        os.write(terminal, b" ")
        page.shows(str(number))
        eventually(lambda: page.run(f"return frames.length >= {number}"), "the frame comes")
        times.append(page.run(f"return frames[{number - 1}][1]") - pressed)
    os.write(terminal, b"q")
    os.waitpid(child, 0)
    return times


def taps(stage, count):
    """The times in ms from a finger that lifts in the page to the flash, which means that the count is on disk."""
    page = stage.paired("/counter/taps")
    page.run(WATCH)
    for number in range(1, count + 1):
        time.sleep(random.uniform(0.4, 0.6))
        page.touch(400, 300)
        eventually(lambda: page.run(f"return flashes.length >= {number}"), "it flashes")
    return page.run("return flashes")


def gaps(page, count):
    """The times in ms between frames during that many taps, about ten a second, with the processor slowed four times."""
    page.browser.command("Emulation.setCPUThrottlingRate", rate=4)
    try:
        page.run(FRAMES)
        # Chromium makes the taps itself, each when the page has taken the one before: a slow page gets fewer a second.
        page.browser.command("Input.synthesizeTapGesture", x=400, y=300, duration=40, tapCount=count, gestureSourceType="touch")
        times = page.run("return times")
    finally:
        page.browser.command("Emulation.setCPUThrottlingRate", rate=1)
    return [after - before for before, after in itertools.pairwise(times)]


def frames(stage, count):
    """The times between frames on the page of a counter, and on an empty page beside it."""
    page = stage.paired("/counter/frames")
    page.shows("0")
    on_page = gaps(page, count)
    page.shows(str(count))
    return on_page, gaps(stage.browser.open("data:text/html,<!doctype html><body style='height:100vh'>"), count)


def soak(stage, changes):
    """The growth of the page's heap in MB, with that many changes of twenty counters."""
    names = [f"soak{number}" for number in range(20)]
    for name in names:
        stage.tally("new", name)
    page = stage.page("/all")
    eventually(lambda: page.text(".row") is not None, "the overview is there")
    page.browser.command("Performance.enable")

    def heap():
        page.browser.command("HeapProfiler.collectGarbage")
        metrics = page.browser.command("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize") / 1e6

    core, calls = stage.keep(stage.core.connect()), [message("Add", counter=name) for name in names] * 25

    def count(number):
        for _ in range(0, number, 500):
            core.pipeline(calls)
            time.sleep(0.05)

    count(2000)
    time.sleep(1)
    before = heap()
    count(changes)
    time.sleep(1)
    return heap() - before


class Viewers:
    """Streams that are read on a thread, and the time at which each chunk came."""

    def __init__(self, port, count):
        self.sockets = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            self.sockets.append(one)
        self.messages, self.last, self.is_over = 0, 0.0, False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        poll = select.epoll()
        by_number = {one.fileno(): one for one in self.sockets}
        for number in by_number:
            poll.register(number, select.EPOLLIN)
        while not self.is_over:
            for number, _ in poll.poll(0.1):
                self.messages += by_number[number].recv(1 << 16).count(b"\n\n")
                self.last = time.monotonic()

    def close(self):
        self.is_over = True
        self.thread.join()
        for one in self.sockets:
            one.close()


def adds(core, seconds, rate=200):
    """The times of single adds in ms, that many a second."""
    times, begin = [], time.monotonic()
    for number in range(int(seconds * rate)):
        time.sleep(max(0, begin + number / rate - time.monotonic()))
        start = time.monotonic()
        core.call("Add", counter="crowd")
        times.append((time.monotonic() - start) * 1000)
    return times


def crowd(stage):
    """A board with a thousand viewers."""
    stage.tally("new", "crowd")
    core = stage.keep(stage.core.connect())
    stage.board.end()
    time.sleep(0.3)
    alone = adds(core, 3)
    stage.start_board()
    idle = stage.board.memory / 1024
    viewers = Viewers(stage.port, VIEWERS)
    eventually(lambda: viewers.messages >= 3 * VIEWERS, "all have the state")
    time.sleep(1)
    memory = stage.board.memory / 1024
    spreads = []
    for _ in range(20):
        seen = viewers.messages
        start = time.monotonic()
        core.call("Add", counter="crowd")
        eventually(lambda: viewers.messages >= seen + VIEWERS, "all have it")
        spreads.append((viewers.last - start) * 1000)
        time.sleep(0.1)
    seen, used = viewers.messages, stage.board.processor_time
    watched = adds(core, 3)
    time.sleep(0.3)
    told, used = viewers.messages - seen, stage.board.processor_time - used
    viewers.close()
    return {
        "idle": idle, "viewers": VIEWERS, "memory": memory, "spread": middle_and_worst(spreads)[1], "message": used / told * 1e6,
        "alone": statistics.median(alone), "watched": statistics.median(watched)}


def main():
    browser = Browser()
    stage = Stage(ROOT / ".build/release", browser)
    try:
        found = {"weight": weight(stage)}
        stage.tally("new", "people")
        stage.tally("new", "taps")
        stage.tally("new", "frames")
        progress("60 presses in a terminal, to the frame that shows each")
        found["presses"] = middle_and_worst(presses(stage, 60))
        progress("60 taps in the page, to the flash")
        found["taps"] = middle_and_worst(taps(stage, 60))
        progress(f"{TAPS} taps with a processor that is slowed 4 times, and {TAPS} on an empty page")
        found["frames"] = [(middle_and_worst(one)[1], TAPS / sum(one) * 1000) for one in frames(stage, TAPS)]
        progress(f"{CHANGES:,} changes before one page")
        found["soak"] = [CHANGES, soak(stage, CHANGES)]
        stage.browser.forget()
        progress(f"{VIEWERS:,} viewers")
        found["crowd"] = crowd(stage)
        print(json.dumps(found))
    finally:
        stage.close()
        browser.close()


main()
