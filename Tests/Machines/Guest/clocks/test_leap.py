"""Leap seconds, which the kernel itself puts in and leaves out."""

import time

from kit.clocks import STA_DEL, STA_INS, TIME_DEL, TIME_INS, TIME_OOP, TIME_WAIT, Leap, adjust, set_time
from kit.wait import becomes, equal

MIDNIGHT = 1798761600  # 2027-01-01T00:00:00Z


def count_through(scene, leap, length):
    """Presses from six seconds before midnight until two after it, through a leap; gives what the clock said of itself,
    and the events."""
    presenter = scene.presenter()
    scene.start(presenter)
    now = time.time()
    try:
        set_time(MIDNIGHT - 6)
        begun = time.monotonic()
        # A day that begins only now.
        scene.core.call("Create", name="count", period="daily 00:00")
        scene.core.call("Create", name="swim", kind="stopwatch")
        with Leap(leap):
            started = time.monotonic()
            scene.core.call("Start", counter="swim")
            most = time.monotonic()
            states, presses = set(), 0
            while time.time() < MIDNIGHT + 2:
                states.add(adjust())
                presenter.press()
                presses += 1
                # The kernel keeps sixteen for the daemon.
                if presses % 8 == 0:
                    scene.daemon.catch_up()
                time.sleep(0.02)
            ended, shown = time.monotonic(), time.time() - (MIDNIGHT - 6)
            counted = scene.core.call("Stop", counter="swim")["event"]["change"] / 1e6
            bounds = [ended - most, time.monotonic() - started]
            states.add(adjust())
        passed = ended - begun
        events = lambda: scene.core.call("History", after=0, limit=1000)["events"]
        becomes(lambda: sum(event["kind"] == "added" for event in events()), presses, "the presses that were counted")
        print(f"        {passed:.1f} s between two times {shown:.1f} s apart, {presses} presses; the stopwatch counted "
              f"{counted:.2f} s of {bounds[0]:.2f} to {bounds[1]:.2f}", flush=True)
        equal(round(passed - shown - length), 0, f"how much more than {shown} s {passed} s are, without the leap")
        equal(bounds[0] - 0.01 < counted < bounds[1] + 0.01, True, f"the stopwatch counted {counted} s of {bounds}")
        return states, events()
    finally:
        set_time(now)


def check(events, steps):
    """The order is that of the presses, the day ended once, and the time went back so often by so much."""
    equal([event["sequence"] for event in events], sorted({event["sequence"] for event in events}), "the sequence")
    counts = [event for event in events if event["kind"] in ("added", "renewed")]
    # What was pressed before midnight and delivered after it is counted and taken off again at the end of its day.
    late = [event for event in counts if "batch" in event]
    equal([event["kind"] for event in late], ["added", "renewed"] * (len(late) // 2), "what came too late for its day")
    equal([event["time"] // 1_000_000 >= MIDNIGHT for event in late], [False, True] * (len(late) // 2), "its times")
    counts = [event for event in counts if "batch" not in event]
    expected, value, ends = [], 0, 0
    for event in counts:
        value = value + 1 if event["kind"] == "added" else 0
        ends += event["kind"] == "renewed"
        expected.append(value)
    equal([event["value"] for event in counts], expected, "the values")
    equal(ends, 1, "how often the day ended")
    end = [event["kind"] for event in counts].index("renewed")
    days = [[event["time"] // 1_000_000 < MIDNIGHT for event in part] for part in (counts[:end], counts[end + 1:])]
    # What the kernel shows in the tick in which it puts the second in may belong to either.
    equal((days[0].count(False) <= 1, any(days[1][2:])), (True, False), f"the days of the presses {days}")
    # Presses alone, late ones too: a day that ended in that tick makes late every press of the second that came again.
    times = [event["time"] for event in events if event["kind"] == "added"]
    back = [later - former for former, later in zip(times, times[1:]) if later < former]
    equal(len(back), steps, f"how often the time went back ({back})")


def test_leap_second(scene):
    """A second is put in at midnight: every press counts once and in its order, the day ends once, stopwatches stay right."""
    states, events = count_through(scene, STA_INS, 1)
    equal({TIME_INS, TIME_OOP, TIME_WAIT} <= states, True, f"the states of the clock {states}")
    check(events, 1)


def test_second_left_out(scene):
    """The same where a second is left out."""
    states, events = count_through(scene, STA_DEL, -1)
    equal({TIME_DEL, TIME_WAIT} <= states, True, f"the states of the clock {states}")
    check(events, 0)
