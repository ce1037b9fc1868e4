"""The machine sleeps, really suspended to memory: what goes on meanwhile, and what was begun and is not gone on with."""

import os
import time
from pathlib import Path

from evdev import ecodes as e

from kit import devices
from kit.clocks import set_time, suspend
from kit.wait import becomes, equal, eventually

GESTURES = """
    [timing]
    double-tap = 2
    double-press = 2
    long-press = 3

    [[bind]]
    gesture = "tap"
    do = "add 1"
    [[bind]]
    gesture = "double-tap"
    do = "add 100"
    [[bind]]
    gesture = "long-press"
    do = "add 10000"
    [[bind]]
    gesture = "press"
    key = "KEY_PAGEDOWN"
    do = "add 1"
    [[bind]]
    gesture = "double-press"
    key = "KEY_PAGEDOWN"
    do = "add 100"
    [[bind]]
    gesture = "long-press"
    key = "KEY_PAGEDOWN"
    do = "add 10000"
"""
WINDOW = 2


def changes(scene):
    return [event["change"] for event in scene.core.counts()]


def nothing_more(scene, expected):
    """What was counted, and that it stays at that when all times have run out."""
    eventually(lambda: len(changes(scene)) >= len(expected), f"{expected} is counted")
    time.sleep(WINDOW + 0.5)
    equal(changes(scene), expected, "what was counted")


def test_suspend(scene):
    """The machine sleeps: one clock stands still and the other goes on. Daemons, devices and watchers are there after it."""
    presenter = scene.presenter()
    scene.start(presenter)
    watch = scene.watch()
    watch.next()
    before = [time.clock_gettime(clock) for clock in (time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME, time.CLOCK_REALTIME)]
    length = suspend()
    after = [time.clock_gettime(clock) for clock in (time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME, time.CLOCK_REALTIME)]
    passed = [round(then - now, 1) for now, then in zip(before, after)]
    print(f"        slept {length:.1f} s; monotonic, boottime, realtime went on by {passed} s", flush=True)
    for _ in range(20):
        presenter.press()
        scene.daemon.catch_up()
    scene.counts_to(20)
    equal(len(changes(scene)), 20, "how many events")
    equal(watch.next()["event"]["kind"], "created", "what a watcher is told first")


def test_two_taps(scene):
    """A tap before a sleep and one after it are two taps, and never a double-tap; neither are presses."""
    screen, presenter = scene.touchscreen(), scene.presenter()
    scene.start(screen, presenter, configuration=GESTURES)
    for act in (screen.tap, presenter.press):
        act()
        scene.daemon.catch_up()
        suspend()
        act()
    nothing_more(scene, [1, 1, 1, 1])
    screen.tap()
    screen.tap()
    nothing_more(scene, [1, 1, 1, 1, 100])


def test_two_taps_read_late(scene):
    """The same where the gesture daemon comes to the first one only after the sleep; it has the time at which it was made."""
    screen = scene.touchscreen()
    scene.start(screen, configuration=GESTURES)
    screen.tap()
    scene.counts_to(1)
    scene.daemon.freeze()
    made = time.time()
    screen.tap()
    suspend()
    screen.tap()
    scene.daemon.resume()
    nothing_more(scene, [1, 1, 1])
    late = scene.core.counts()[1]["time"] / 1e6 - made
    equal(-0.5 < late < 0.5, True, f"the tap is in the history at its time; it is {late:.2f} s later")


def test_held(scene):
    """A key and a finger that are held when the machine falls asleep are no long press, and nothing when they are let go."""
    screen, presenter = scene.touchscreen(), scene.presenter()
    scene.start(screen, presenter, configuration=GESTURES)
    presenter.down(e.KEY_PAGEDOWN)
    screen.land()
    scene.daemon.catch_up()
    suspend()
    scene.daemon.catch_up()
    presenter.up(e.KEY_PAGEDOWN)
    screen.lift()
    time.sleep(0.1)
    screen.tap()
    scene.daemon.catch_up()
    nothing_more(scene, [1])
    presenter.press()
    nothing_more(scene, [1, 1])


class UnspokenTouchscreen(devices.Touchscreen):
    """One without BTN_TOUCH: the kernel has nothing to let go of when the machine falls asleep."""

    KEYS = []

    def landing(self, x, y):
        return [event for event in super().landing(x, y) if event[0] != e.EV_KEY]

    lifting = [(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)]


def test_held_without_a_word(scene):
    """A finger that nobody takes off when the machine falls asleep is no long press, and no tap when it lifts."""
    screen = scene.keep(UnspokenTouchscreen())
    scene.start(screen, configuration=GESTURES)
    screen.land()
    scene.daemon.catch_up()
    suspend()
    screen.lift()
    time.sleep(0.1)
    screen.tap()
    nothing_more(scene, [1])


def test_reset(scene):
    """A reset that was asked for before a sleep is not done by asking once after it, however short that was."""
    Path("/etc/tallymark").mkdir(exist_ok=True)
    Path("/etc/tallymark/core.toml").write_text("reset-window = 30\n")
    presenter = scene.presenter()
    scene.start(presenter, configuration="""
        [[bind]]
        gesture = "press"
        key = "KEY_PAGEDOWN"
        do = "add"
        [[bind]]
        gesture = "press"
        key = "KEY_PAGEUP"
        do = "reset"
    """)
    kinds = lambda: [event["kind"] for event in scene.core.call("History", after=0, limit=100)["events"]]
    presenter.press(e.KEY_PAGEDOWN)
    presenter.press(e.KEY_PAGEUP)
    becomes(kinds, ["created", "added", "armed"], "what happened before")
    suspend()
    presenter.press(e.KEY_PAGEUP)
    becomes(kinds, ["created", "added", "armed", "armed"], "what happened")
    presenter.press(e.KEY_PAGEUP)
    becomes(kinds, ["created", "added", "armed", "armed", "reset"], "what happened in the end")
    os.unlink("/etc/tallymark/core.toml")


def test_stopwatch(scene):
    """A stopwatch runs on while the machine sleeps."""
    scene.core.start()
    scene.core.call("Create", name="swim", kind="stopwatch")
    scene.core.call("Start", counter="swim")
    begun = time.clock_gettime(time.CLOCK_BOOTTIME)
    suspend()
    shown = scene.core.call("Get", counter="swim")["counter"]["elapsed"] / 1e6
    counted = scene.core.call("Stop", counter="swim")["event"]["change"] / 1e6
    passed = time.clock_gettime(time.CLOCK_BOOTTIME) - begun
    print(f"        {counted:.2f} s were counted, {passed:.2f} s have passed", flush=True)
    equal((abs(shown - passed) < 0.5, abs(counted - passed) < 0.5), (True, True), f"{shown} and {counted} of {passed}")


def test_period(scene):
    """A period that ends while the machine sleeps is closed, once, as soon as it wakes up, with nobody asking."""
    scene.core.start()
    scene.core.call("Create", name="visitors", period="daily 00:00")
    now = time.time()
    midnight = (int(now) // 86400 + 1) * 86400
    set_time(midnight - 2)
    scene.core.call("Add", counter="visitors", amount=7)
    watch = scene.watch()
    watch.next()
    length = suspend()
    woken, begun = time.time(), time.monotonic()
    event = watch.next()["event"]
    waited = time.monotonic() - begun
    print(f"        slept {length:.1f} s over it; closed within {waited:.2f} s after the machine had woken up", flush=True)
    equal((event["kind"], event["change"], event["time"]), ("renewed", -7, midnight * 1_000_000), "what happened")
    equal((length > 2, woken > midnight, waited < 2), (True, True, True), "whether it slept over it and closed it soon")
    time.sleep(1)
    history = scene.core.call("History", after=0, limit=100)["events"]
    equal([entry["kind"] for entry in history].count("renewed"), 1, "how often it ended")
    set_time(now)
