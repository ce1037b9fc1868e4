"""Plays a golden file (`Tests/Unit/Values/Gestures/Golden/README.md`) on a device of the kernel, and says what must be counted.

The times in the files are meant to the millisecond, so the guest must be an exact one.
"""

import re
import time

from evdev import AbsInfo, ecodes as e

from kit import ROOT
from kit.devices import Device

FOLDER = ROOT / "Tests/Unit/Values/Gestures/Golden"

# What nobody but the kernel and whoever pulls the plug can do.
NOT_PLAYED = re.compile(r"^\d+ms (drop|gone)\b", re.MULTILINE)


# By how many milliseconds each pause is made longer, where a file waits for the very moment in which something ends to
# count: a frame is some microseconds on its way.
SLACK = {"touch-dropout": -0.2, "chord-not": 0.2}

# What no binding means unless it names it.
STICK = {1344: "STICK_UP", 1345: "STICK_DOWN"}


def _axis(low, high, rest=0):
    return AbsInfo(rest, low, high, 0, 0, 0)


# Vendor and product of devices that are known by them.
IDS = {"shuttle": (0x0B33, 0x0020)}
DEVICES = {
    "screen": (
        {
            e.EV_KEY: [e.BTN_TOUCH],
            e.EV_ABS: [
                (e.ABS_X, _axis(0, 1000)), (e.ABS_Y, _axis(0, 1000)), (e.ABS_MT_SLOT, _axis(0, 9)),
                (e.ABS_MT_TOUCH_MAJOR, _axis(0, 1000)), (e.ABS_MT_POSITION_X, _axis(0, 1000)),
                (e.ABS_MT_POSITION_Y, _axis(0, 1000)), (e.ABS_MT_TOOL_TYPE, _axis(0, 2)),
                (e.ABS_MT_TRACKING_ID, _axis(0, 65535)), (e.ABS_MT_DISTANCE, _axis(0, 100)),
            ],
        },
        [e.INPUT_PROP_DIRECT],
    ),
    "pedal": ({e.EV_KEY: list(range(1, 256)), e.EV_MSC: [e.MSC_SCAN], e.EV_SW: list(range(e.SW_MAX + 1))}, []),
    "gamepad": (
        {
            e.EV_KEY: [e.BTN_SOUTH, e.BTN_EAST],
            e.EV_ABS: [
                (e.ABS_X, _axis(0, 65535, 32768)), (e.ABS_Y, _axis(0, 65535, 32768)), (e.ABS_HAT0X, _axis(-1, 1)),
                (e.ABS_HAT0Y, _axis(-1, 1)),
            ],
        },
        [],
    ),
    "touchpad": (
        {
            e.EV_KEY: [
                e.BTN_LEFT, e.BTN_TOUCH, e.BTN_TOOL_FINGER, e.BTN_TOOL_DOUBLETAP, e.BTN_TOOL_TRIPLETAP,
                e.BTN_TOOL_QUADTAP, e.BTN_TOOL_QUINTTAP,
            ],
            e.EV_ABS: [
                (e.ABS_X, _axis(0, 1000)), (e.ABS_Y, _axis(0, 1000)), (e.ABS_MT_SLOT, _axis(0, 1)),
                (e.ABS_MT_POSITION_X, _axis(0, 1000)), (e.ABS_MT_POSITION_Y, _axis(0, 1000)),
                (e.ABS_MT_TRACKING_ID, _axis(0, 65535)),
            ],
        },
        [e.INPUT_PROP_POINTER, e.INPUT_PROP_SEMI_MT],
    ),
    "shuttle": ({e.EV_KEY: list(range(0x104, 0x109)), e.EV_REL: [e.REL_DIAL, e.REL_WHEEL, e.REL_WHEEL_HI_RES]}, []),
    "mouse": ({e.EV_REL: [e.REL_HWHEEL, e.REL_DIAL, e.REL_WHEEL, e.REL_WHEEL_HI_RES, e.REL_HWHEEL_HI_RES]}, []),
}


class Golden:
    """One golden file. Every gesture in it adds an amount of its own to a counter that is called as the file is."""

    def __init__(self, name, text):
        self.name = name
        self.device_name = f"golden {name}"
        done, _, expected = text.partition("\n\n")
        self.lines = [line.split("#")[0].split() for line in done.splitlines()]
        self.lines = [line for line in self.lines if line]
        self.expected = [self._expectation(line) for line in expected.splitlines() if line.split("#")[0].strip()]
        numbers = {int(word) for word in re.findall(r"\b\d+\b", expected)}
        self.sticks = [name for number, name in STICK.items() if number in numbers]
        bound = {words[1] for words in self.lines if words[0] == "bind"}
        # What is bound to nothing takes back all the same.
        self.taken = [gesture for _, all_taken in self.expected for gesture in all_taken]
        self.expected = [given for given, _ in self.expected if given[1] in bound or not self._minds(given[1])]
        self.settings = [words[1:] for words in self.lines if words[0] == "set"]
        self.kind = next((words[1] for words in self.lines if words[0] == "device"), "screen")
        self.amounts = {}
        self.frames = []
        self.end = 0
        self._tracking = 0
        done = 0
        for words in self.lines:
            if words[0] not in ("device", "bind", "set"):
                done = self._play(done, words)

    # What is expected

    @staticmethod
    def _gesture(words):
        """Fingers, kind and whether a hold ends, from "2 double-tap", "hold 48 off" or "tap left"."""
        fingers = int(words[0]) if words[0].isdigit() else 1
        return fingers, words[1 if words[0].isdigit() else 0], words[-1] == "off"

    def _minds(self, kind):
        """Whether a binding for this gesture would change what is recognised: then it gets none, and is not counted."""
        return kind == "long-press" or any(words[:2] == ["set", "refractory"] for words in self.lines)

    def _expectation(self, line):
        """A gesture and those that it takes back, from "500ms long-press (400ms) takes back tap"."""
        words = re.sub(r"\(.*?\)", "", line.split("#")[0])
        given, _, taken = words.partition("takes back")
        taken = [self._gesture(word.split()) for word in taken.split(",") if word.strip()]
        return self._gesture(given.split()[1:]), taken

    def _amount(self, gesture):
        # Each kind counts in places of its own, so that the sum says how often each was counted.
        return self.amounts.setdefault(gesture, 100 ** len(self.amounts))

    def causes(self):
        """What must be counted, in order: the gesture and its amount."""
        return [(gesture[1], self._amount(gesture)) for gesture in self.expected]

    def value(self):
        """What must be left when all that was taken back is."""
        return sum(amount for _, amount in self.causes()) - sum(map(self._amount, self.taken))

    # The configuration

    def configuration(self):
        """The device's table, with the bindings of the file, and for what is expected without one."""
        lines = ["[[device]]", f'name = "{self.device_name}"']
        lines += [f"{name} = {value}" for name, value in self.settings]
        bound = set()
        for words in self.lines:
            if words[0] == "bind":
                lines += self._binding(words[1], words[2:], bound)
        for fingers, kind, _ in self.expected:
            if (fingers, kind) not in bound:
                lines += self._binding(kind, [str(fingers)], bound)
        return "\n".join(lines) + "\n"

    def _binding(self, kind, words, bound):
        lines = ["[[device.bind]]", f'gesture = "{kind}"']
        fingers, keys, scans, numbers = 1, [], [], None
        for word in words:
            if word == "KEY":
                numbers = keys
            elif word == "/":
                numbers = scans
            elif word.isdigit() and numbers is not None:
                numbers.append(int(word))
            elif word.isdigit():
                fingers = int(word)
            elif word in ("wait", "eager"):
                lines.append(f'mode = "{word}"')
            else:
                lines.append(f'zone = "{word}"')
        bound.add((fingers, kind))
        if fingers > 1:
            lines.append(f"fingers = {fingers}")
        if not keys and self.sticks:
            lines.append(f"keys = {self.sticks}")
        if keys:
            names = [e.KEY[key] if isinstance(e.KEY[key], str) else e.KEY[key][0] for key in keys]
            lines.append(f"keys = {names}")
        if scans:
            lines.append(f"scan = {scans[0]}")
        lines.append(f'do = "add {self.name} {self._amount((fingers, kind, False))}"')
        if kind == "hold":
            lines.append(f'then = "add {self.name} {self._amount((fingers, kind, True))}"')
        return lines

    # What is done

    def _play(self, done, words):
        """Adds what a line does, after the line before it, which was done at `done`; returns when this one is."""
        moment, words = int(words[0].removesuffix("ms")), words[1:]
        if moment > done:
            self.end += moment - done + SLACK.get(self.name, 0)
        if not words:
            return moment
        if words[0] == "tap":
            return self._for_80_ms(moment, ["down", "0", *words[1:]], ["up", "0"])
        if words[0] == "click":
            return self._for_80_ms(moment, ["press", *words[1:]], ["release", *words[1:]])
        self._frame(words)
        return moment

    def _for_80_ms(self, moment, first, second):
        self._frame(first)
        self.end += 80
        self._frame(second)
        return moment + 80

    def _frame(self, words):
        events, part = [], []
        for word in [*words, "+"]:
            if word == "+":
                events += self._events(part[0], list(map(float, part[1:])))
                part = []
            else:
                part.append(word)
        self.frames.append((self.end, events))

    def _events(self, word, numbers):
        whole = list(map(int, numbers))
        slot = [(e.EV_ABS, e.ABS_MT_SLOT, whole[0])]
        if word in ("down", "move"):
            x, y = (round(number * 1000) for number in numbers[1:])
            place = [(e.EV_ABS, e.ABS_MT_POSITION_X, x), (e.EV_ABS, e.ABS_MT_POSITION_Y, y)]
            if word == "move":
                return slot + place
            self._tracking += 1
            return [*slot, (e.EV_ABS, e.ABS_MT_TRACKING_ID, self._tracking), *place]
        if word == "up":
            return [*slot, (e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)]
        if word in ("tool", "size"):
            return [*slot, (e.EV_ABS, e.ABS_MT_TOOL_TYPE if word == "tool" else e.ABS_MT_TOUCH_MAJOR, whole[1])]
        if word == "scan":
            return [(e.EV_MSC, e.MSC_SCAN, whole[0])]
        values = {"press": 1, "release": 0, "repeat": 2}
        if word in values:
            return [(e.EV_KEY, whole[0], values[word])]
        return [({"rel": e.EV_REL, "abs": e.EV_ABS, "switch": e.EV_SW}[word], *whole)]

    def plug(self):
        events, properties = DEVICES[self.kind]
        self.device = Device(self.device_name, *IDS.get(self.kind, (0x1234, 0x5678)), events, properties)
        return self.device

    def play(self):
        """Does everything at its time."""
        start = time.monotonic() + 0.01
        for milliseconds, events in [*self.frames, (self.end, [])]:
            moment = start + milliseconds / 1000
            time.sleep(max(0, moment - 0.001 - time.monotonic()))
            # A sleep ends late by more than some pauses allow.
            while time.monotonic() < moment:
                pass
            if events:
                self.device.frames(events)


def files():
    """The files that can be played."""
    texts = {path.stem: path.read_text() for path in sorted(FOLDER.glob("*.t"))}
    return [Golden(name, text) for name, text in texts.items() if not NOT_PLAYED.search(text)]
