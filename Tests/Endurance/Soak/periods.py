"""A counter with periods beside a model, in a time of the test's own: counts, late ones and batches of both, undos by name and by
number, undone ends of periods, resets, corrections, changes of the schedule, and kills.

The value is the sum of the counts whose period has not ended. A count belongs to the period that the first end after it ended, a late
count to the one that contains its time. No period goes beyond its limits, and the journal fits."""

import subprocess
import tempfile
import time
from pathlib import Path

from kit.core import Core
from kit.varlink import Refused
from kit.virtual_time import Content, library, make, moment

MINUTE = 60
# The steps of a history.
STEPS = 100
MINIMUM, MAXIMUM = 0, 12
SCHEDULES = ["hourly 0 UTC", "hourly 30 UTC", "daily 04:00 UTC", None]
ACTIONS = ["add", "subtract", "late", "late", "batch", "pass", "undo", "undo", "undo_number", "undo_number", "undo_end", "redo", "schedule",
           "reset", "correct", "kill"]


class Unsure(Exception):
    """The model does not say what comes now."""


class History:
    def __init__(self, core, clock, dice, has_limits):
        self.core, self.clock, self.dice, self.has_limits = core, clock, dice, has_limits
        self.log, self.last, self.begun = [], 0, self.now
        # By their numbers: all events, which event undid each, the counts with their places among the ends, and the times of ends.
        self.events, self.undoers, self.counts, self.ends = {}, {}, {}, {}
        # Late counts from before the first period, and ends with late counts that another end than theirs closed.
        self.never, self.odd = set(), set()
        settings = {"minimum": MINIMUM, "maximum": MAXIMUM, "limits": dice.choice(["refuse", "stop"])} if has_limits else {}
        core.call("Create", name="x", period=SCHEDULES[0], **settings)
        self.read()

    @property
    def now(self):
        return int((self.clock.begun + self.clock.passed) * 1e6)

    def stands(self, number):
        stands = True
        while number in self.undoers:
            number, stands = self.undoers[number], not stands
        return stands

    def standing_ends(self):
        return [number for number in sorted(self.ends) if self.stands(number)]

    def read(self):
        """Reads what the last step recorded."""
        new = [event for event in self.core.events() if event["sequence"] > self.last]
        for event in new:
            self.events[event["sequence"]] = event
        for event in new:
            number = event["sequence"]
            self.last = number
            if event.get("undoes"):
                self.undoers[event["undoes"]] = number
            elif event["kind"] == "renewed" and "began" in event:
                self.ends[number] = event["time"]
            elif event["kind"] in ("reset", "corrected"):
                self.counts[number] = (event["change"], number)
            elif event["kind"] in ("added", "subtracted"):
                self.counts[number] = (event["change"], self.place(event))
        self.log.append([(event["sequence"], event["kind"], event["change"], event["value"], event.get("undoes")) for event in new])
        if any(event.get("undoes") in self.odd for event in new):
            raise Unsure

    def place(self, event):
        """Where a count is among the ends of periods: at its number or, if it came late, just before the end of its period."""
        number = event["sequence"]
        closing = self.events.get(number + 1, {})
        if closing.get("kind") != "renewed" or "began" in closing or closing.get("batch") != event.get("batch") or not event["change"]:
            return number
        end = next((end for end in self.standing_ends() if self.ends[end] > event["time"]), None)
        if end is None:
            self.never.add(number)
            return number
        if self.ends[end] != closing["time"]:
            self.odd.add(end)
        return end - 0.5

    def sums(self):
        """The sum of each period by its end; None is the present one."""
        ends, sums = self.standing_ends(), {None: 0}
        for number, (change, place) in self.counts.items():
            if self.stands(number) and number not in self.never:
                end = next((end for end in ends if end > place), None)
                sums[end] = sums.get(end, 0) + change
        return sums

    def check(self):
        sums = self.sums()
        if self.core.value("x") != sums[None]:
            raise AssertionError(f"the value is {self.core.value('x')}, not {sums[None]}")
        for end, total in sums.items() if self.has_limits else ():
            # The hours of an empty end have limits of their own.
            if end not in self.odd and not MINIMUM <= total <= MAXIMUM:
                raise AssertionError(f"the period until event {end} has {total}")

    # What a step does.

    def late_time(self):
        return self.dice.randint(self.begun, self.now)

    def deliver(self, *changes):
        epoch = self.core.call("Open", producer="pedal")["epoch"]
        self.core.call("Deliver", producer="pedal", epoch=epoch, sequence=1, changes=changes)

    def add(self):
        self.core.call("Add", counter="x", amount=self.dice.randint(1, 5))

    def subtract(self):
        self.core.call("Subtract", counter="x", amount=self.dice.randint(1, 5))

    def late(self):
        verb = self.dice.choice(["add", "subtract"])
        self.deliver({"verb": verb, "counter": "x", "time": self.late_time(), "amount": self.dice.randint(1, 5)})

    def batch(self):
        late = {"verb": "add", "counter": "x", "time": self.late_time(), "amount": self.dice.randint(1, 3)}
        self.deliver(late, {"verb": "add", "counter": "x", "amount": self.dice.randint(1, 3), "together": True})

    def undo(self):
        self.core.call("Undo", counter=self.dice.choice(["x", None]))

    def undo_number(self):
        self.core.call("Undo", sequence=self.dice.choice(sorted(self.counts) or [1]))

    def undo_end(self):
        self.core.call("Undo", sequence=self.dice.choice(sorted(self.ends)[-2:] or [1]))

    def redo(self):
        self.core.call("Redo", counter="x")

    def schedule(self):
        chosen = self.dice.choice(SCHEDULES)
        self.core.call("Set", counter="x", **({"period": chosen} if chosen else {"clear": ["period"]}))

    def reset(self):
        if self.dice.random() < 0.3:
            self.core.call("Reset", counter="x", confirmed=True)

    def correct(self):
        self.core.call("Correct", counter="x", value=self.dice.randint(MINIMUM, MAXIMUM))

    def kill(self):
        if self.dice.random() < 0.3:
            self.core.kill()
            self.core.start()

    def step(self):
        action = self.dice.choice(ACTIONS)
        self.log.append(action)
        if action == "pass":
            self.clock.move(self.dice.randint(10, 150) * MINUTE)
            self.core.call("List")
        else:
            try:
                getattr(self, action)()
            except Refused as refused:
                self.log.append(str(refused))
        self.read()
        if not self.core.call("List")["counters"]:
            # Its creation was undone.
            raise Unsure
        self.check()


def run(programs, dice, seconds):
    deadline, histories, steps = time.monotonic() + seconds, 0, 0
    while histories < 2 or time.monotonic() < deadline:
        with tempfile.TemporaryDirectory(prefix="tallymark-") as folder:
            file = Path(folder, "clock")
            make(file, moment() - int(time.time()))
            core = Core(Path(folder), programs, {"VIRTUAL_TIME": str(file), "LD_PRELOAD": str(library())})
            try:
                core.start()
                history = History(core, Content(file), dice, histories % 2 == 0)
                for _ in range(STEPS):
                    history.step()
                    steps += 1
            except Unsure:
                pass
            except AssertionError as failure:
                raise AssertionError(f"{failure}, after\n" + "\n".join(map(str, history.log))) from None
            finally:
                core.close()
            verified = subprocess.run(
                [programs / "tally", "verify", core.state], env={"PATH": "/usr/bin"}, capture_output=True, text=True)
            if verified.returncode:
                raise AssertionError(f"the journal does not fit: {verified.stdout}{verified.stderr}, after {history.log}")
        histories += 1
    return {"steps": steps, "histories": histories}
