"""The figures as the README's table has them."""

from statistics import median

from measures import CLIENTS, COUNTERS, HUGE, LARGE, SMALL
from tools import count


class Table:
    def __init__(self):
        self.rows = [("What", "Goal", "Measured", "Compared with", "Ratio"), ("---",) * 5]
        self.notes = []

    def __str__(self):
        lines = ["| %s |" % " | ".join(row) for row in self.rows]
        return "\n".join(lines + [""] * bool(self.notes) + self.notes)

    def row(self, what, goal, measured, compared, ratio=None):
        """Adds a row; several ratios are those of rounds, of which the median is printed with the lowest and the highest."""
        if isinstance(ratio, list):
            ratio = "%.2f (%.2f to %.2f)" % (median(ratio), min(ratio), max(ratio))
        elif ratio is not None:
            ratio = "%.2f" % ratio
        self.rows.append((what, goal, measured, compared, ratio or ""))

    def loads(self, found, disk):
        for kind, title, command, least in (
                ("add", "Durable adds per second", "INCR", "writes over 1,024 bytes, syncs and answers"),
                ("query", "Queries per second", "GET", "answers")):
            for clients in CLIENTS:
                ours, theirs = found["tallyd", kind, clients], found["redis", kind, clients]
                self.row("%s, %d client%s" % (title, clients, "s" * (clients > 1)), "at least Redis", count(ours.rate),
                         "Redis %s: %s" % (command, count(theirs.rate)), ours.ratios(theirs, 0))
                if ("floor", kind, clients) in found:
                    floor = found["floor", kind, clients]
                    self.row("The same", "", count(ours.rate), "C program that only %s: %s (%.2f of Redis)" % (
                        least, count(floor.rate), median(floor.ratios(theirs, 0))), ours.ratios(floor, 0))
        ours, theirs = found["tallyd", "add", 1], found["redis", "add", 1]
        for figure, name in ((1, "p50"), (2, "p99")):
            mine, other, floor = (getattr(load, name) for load in (ours, theirs, disk))
            self.row("Durable add, 1 client, " + name, "", "%.0f µs" % mine, "Redis INCR: %.0f µs" % other,
                     ours.ratios(theirs, figure))
            self.row("The same beside the disk alone, " + name, "", "%+.0f µs" % (mine - floor),
                     "appending 64 bytes, fdatasync: %.0f µs" % floor, ours.ratios(disk, figure))

    def writes(self, found):
        self.row("Pages written a count, 1 client", "at most 2", "%.2f of 1,024 bytes" % found["pages"], "")
        if found["bytes"]:
            ours, theirs, floor = found["bytes"]
            self.row("Bytes on the disk a count, 1 client", "", count(ours), "Redis INCR: " + count(theirs), ours / theirs)
            self.row("The same", "", count(ours), "appending 64 bytes, fdatasync: " + count(floor), ours / floor)
        if found["calls"]:
            ours, theirs = found["calls"]
            self.row("System calls an add, 1 client", "at most 10", "%.1f" % ours, "Redis INCR: %.1f" % theirs, ours / theirs)

    def starts(self, ours, theirs):
        self.row("Start to first answer", "", "%.1f ms" % (ours / 1000), "Redis: %.1f ms" % (theirs / 1000), ours / theirs)

    def idle(self, found):
        redis = found["redis"]
        daemons = {name: found[name] for name in ("tallyd", "tally-inputd") if name in found}
        note = "" if len(daemons) == 2 else " (tally-inputd: not built)"
        for index, what, goal in ((0, "Memory when idle (PSS), both daemons", "at most 16 MB"), (1, "The same as RSS", "")):
            total = sum(figures[index] for figures in daemons.values())
            each = " + ".join("%s %.1f" % (name, figures[index] / 1024) for name, figures in daemons.items())
            self.row(what, goal, "%.1f MB = %s%s" % (total / 1024, each, note),
                     "Redis: %.1f MB" % (redis[index] / 1024), total / redis[index])
        each = ", ".join("%s %d" % (name, figures[2]) for name, figures in daemons.items())
        self.row("Wake-ups in 10 s when idle", "none", each + note, "Redis: %d" % redis[2])

    def history(self, found):
        small, large = found[SMALL], found[LARGE]
        for name, title in (("start", "Start to first answer"), ("add", "Durable add, 1 client, p50"),
                            ("page", "Page of 100 events, p50")):
            self.row("%s, with %s events" % (title, count(LARGE)), "at most 1.20", "%.0f µs" % large[name],
                     "with %s events: %.0f µs" % (count(SMALL), small[name]), large[name] / small[name])
        huge, size = found[HUGE], "%s counters and %s events" % (count(COUNTERS), count(HUGE))
        for name, title, goal in (
                ("start", "Start to first answer", "under 200 ms"), ("add", "Durable add, 1 client, p50", "at most 1.20"),
                ("page", "Page of 100 events, p50", "under 20 ms"), ("day", "Totals of a day by the hour, p50", "under 20 ms")):
            self.row("%s, with %s" % (title, size), goal, "%.2f ms" % (huge[name] / 1000),
                     "with 1 and %s: %.2f ms" % (count(SMALL), small[name] / 1000), huge[name] / small[name])

    def readers(self, found):
        alone = found["alone"]
        for beside, title in (
                ("asks", "beside 64 connections that ask the dearest questions"),
                ("leaves", "beside a client that asks and leaves, again and again")):
            for index, (name, goal) in enumerate((("p50", ""), ("p99", "at most 3.00"), ("longest", "under 100 ms"))):
                self.row("Durable add %s, with %s events, %s" % (title, count(LARGE), name), goal,
                         "%.2f ms" % (found[beside][index] / 1000), "alone: %.2f ms" % (alone[index] / 1000),
                         found[beside][index] / alone[index])

    def board(self, found):
        """Hummingbird and FlyingFox did the same job in Swift: their figures are of another machine."""
        crowd, viewers = found["crowd"], count(found["crowd"]["viewers"])
        for title, goals, (p50, p95) in (
                ("Key of a terminal to the frame that shows the count", (35, 60), found["presses"]),
                ("Tap in the page to the flash", (40, 80), found["taps"])):
            self.row(title + ", p50", "%d ms" % goals[0], "%.1f ms" % p50, "a frame at 60 Hz: 16.7 ms", p50 / 16.7)
            self.row(title + ", p95", "%d ms" % goals[1], "%.1f ms" % p95, "a frame at 60 Hz: 16.7 ms", p95 / 16.7)
        (page, taps), (empty, most) = found["frames"]
        self.row("Frame of the page at %.0f taps a second, processor slowed 4 times, p95" % taps, "16.7 ms", "%.1f ms" % page,
                 "an empty page, %.0f taps a second: %.1f ms" % (most, empty), page / empty)
        self.row("Memory of tally-board (PSS), idle", "12 MB", "%.1f MB" % crowd["idle"], "Hummingbird: 15.0 MB, FlyingFox: 21.6 MB",
                 crowd["idle"] / 15)
        self.row("The same with %s viewers" % viewers, "24 MB", "%.1f MB" % crowd["memory"],
                 "Hummingbird: 48.0 MB, FlyingFox: 35.1 MB", crowd["memory"] / 48)
        self.row("Processor time a message, %s viewers" % viewers, "15 µs", "%.1f µs" % crowd["message"],
                 "Hummingbird: 22 µs, FlyingFox: 17.5 µs", crowd["message"] / 22)
        self.row("Add to the last of %s viewers, p95" % viewers, "100 ms", "%.1f ms" % crowd["spread"], "")
        self.row("Durable add at 200 a second before %s viewers, p50" % viewers, "at most 1.10", "%.2f ms" % crowd["watched"],
                 "without a board: %.2f ms" % crowd["alone"], crowd["watched"] / crowd["alone"])
        plain, packed = (size / 1000 for size in found["weight"])
        self.row("Files that a page loads to count", "100 KB", "%.1f KB" % plain, "gzip: %.1f KB" % packed)
        changes, growth = found["soak"]
        self.row("Growth of the page's heap by %s changes" % count(changes), "1 MB a million", "%.2f MB" % growth, "")

    def fleet(self, found):
        """All stations are on one machine, whose processors they share."""
        stations, load = found["stations"], found["load"]
        for name, goal, value in zip(("p50", "p99"), ("100 ms", "500 ms"), found["latency"]):
            self.row("Acknowledged press to %d equal totals, %s" % (stations, name), goal, "%.0f ms" % (value * 1000), "")
        for name, goal, title in (("partition", "2 s", "The end of a partition in halves"), ("empty", "3 s", "The start of an emptied broker")):
            self.row("%s to %d equal totals, p50" % (title, stations), goal, "%.1f s" % found[name][0], "longest: %.1f s" % found[name][1])
        for name, goal in (("slow", ""), ("fast", "broker 25 %")):
            figures = load[name]
            self.row("%d stations × %.1f presses a second: messages a count" % (stations, figures["rate"]),
                     "1" if name == "slow" else "", "%.2f" % figures["messages"], "")
            self.row("The same: a processor's share for broker, and for a bridge", goal, "%.1f %% and %.2f %%" % (
                figures["broker"] * 100, figures["bridge"] * 100), "all equal %.1f s after the last press" % figures["backlog"])
        self.row("Memory of a bridge (PSS) after that", "8 MB", "%.1f MB" % load["memory"], "")
        press = found["press"]
        for index, name in enumerate(("p50", "p99")):
            self.row("Durable add beside the messages of %d noisy stations, %s" % (stations, name), "at most 1.10" if index == 0 else "",
                     "%.2f ms" % press["noisy"][index], "alone: %.2f ms" % press["alone"][index],
                     press["noisy"][index] / press["alone"][index])

    def frames(self, plain, many):
        self.row("Recognising a frame of ten moving fingers", "at most 1,000 ns", "%s ns" % count(plain),
                 "with 27 bindings in 9 zones: %s ns" % count(many), plain / many)

    @property
    def has_rows(self):
        return len(self.rows) > 2

    def machine(self, found):
        """What was measured in the virtual machine, where only the ratios mean anything."""
        for name, place in (("presses", "in memory"), ("on_disk", "on a disk")):
            if name in found:
                self._presses(found[name], place)
        if "presses" in found:
            self._work(found["presses"])
        if "answers" in found:
            for index, name in enumerate(("p50", "p99")):
                self.row("Acknowledged count to the pulse of the device's motor, %s*" % name, "", "%.2f ms" % (
                    found["answers"][index] / 1000), *self._beside_a_press(found, index))
        if "shakes" in found:
            self._shakes(found["shakes"])
        if "fingers" in found:
            self._fingers(found["fingers"])
        self.notes = [
            "\\* In the virtual machine, which is emulated, so only the ratios mean anything. Everything is made in turns."
            " In memory is the guest's tmpfs, where fdatasync costs nothing and only the work is compared: the guest's clock"
            " counts instructions there, a nanosecond each, so the figures come again however busy this machine is. On a"
            " disk, every flush of the guest is one of this machine's disk, and the clock is the true one.%s" % (
                " The kernel dropped some frames of the fingers, for the emulation was too slow."
                * found.get("fingers", {}).get("dropped", False))]

    def _presses(self, found, place):
        ours, theirs, floor = (found[name] for name in ("tallymark", "triggerhappy", "floor"))
        for index, name in enumerate(("p50", "p99")):
            mine = "%.2f ms" % (ours[index] / 1000)
            title = "Press to acknowledged count, recorded %s, %s of %d*" % (place, name, found["presses"])
            self.row(title, "at most 0.05", mine, "triggerhappy starting a command that does nothing: %.2f ms" % (
                theirs[index] / 1000), ours[index] / theirs[index])
            self.row("The same", "at most 3.00", mine, "C program, 64 bytes and fdatasync: %.2f ms" % (
                floor[index] / 1000), ours[index] / floor[index])

    def _work(self, found):
        """Where time is counted in instructions, a processor's time is a number of instructions."""
        for name, goal in (("tally-inputd", "at most 60,000"), ("tallyd", "")):
            self.row("Instructions of %s a press, with what follows the count*" % name, goal,
                     count(found["work"][name] * 1e9), "C program, 64 bytes and fdatasync: %s" % count(
                         found["floor"][0] * 1000), found["work"][name] * 1e6 / found["floor"][0])

    @staticmethod
    def _beside_a_press(found, index):
        if "presses" not in found:
            return ("",)
        counted = found["presses"]["tallymark"][index]
        return "press to acknowledged count: %.2f ms" % (counted / 1000), found["answers"][index] / counted

    def _shakes(self, found):
        times = "%.0f ms, at most %.0f ms" % (found["median"], found["longest"])
        title = "The sample that makes a shake certain to the acknowledged count, of %d*" % found["shakes"]
        self.row(title, "seen within 40 ms", times, "")
        self.row("Wake-ups of tally-inputd a second, motion sensor at rest*", "at most 25", "%.1f" % found["wake-ups"], "")

    def _fingers(self, found):
        mine, other = (found[name] * 60 / found["seconds"] for name in ("tally-inputd", "evtest"))
        self.row("Processor time for a minute of ten fingers at 1 kHz, from %d s*" % found["seconds"], "", "%.1f s" % mine,
                 "evtest on the same device: %.1f s" % other, mine / other)
        self.row("Wake-ups of tally-inputd in %d s, touchscreen untouched*" % found["seconds"], "none",
                 str(found["wake-ups"]), "")
