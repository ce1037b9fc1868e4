"""Programs that say what is on the disk, and what must hold of the disks that a power cut may leave."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kit.core import Core
from kit.process import Process, free_port
from kit.wait import equal, eventually

# What `tally add a` prints.
COUNTED = re.compile(r"(\d+) a\b")
# For each script. $D is the disk, $P the programs, $HERE this folder; sockets, inputs and outputs lie in $W.
WORDS = """
set -e
exec 2>>"$W/errors"
export TALLYMARK_SOCKET="$W/core.sock" NO_COLOR=1 XDG_CONFIG_HOME="$W" XDG_STATE_HOME="$W" PATH="$P:$PATH"
trap 'kill $(jobs -p) || true' EXIT
serve() {
  rm -f "$W/core.sock"
  tallyd --state "$D/state" --socket "$W/core.sock" & core=$!
  until [[ -S $W/core.sock ]]; do kill -0 $core; sleep 0.05; done
}
stop() { kill $core; wait $core; }
die() { kill -9 $core; wait $core || true; }
count() { for _ in $(seq "$1"); do tally add a; done; }
has() { serve; tally new a; count "$1"; }
"""


@dataclass
class Cut:
    """A disk that a power cut may leave, in a folder; the lines that were printed until then; and the recorded disk as it was
    before the script and after it, in folders as well."""

    image: Path
    said: list
    programs: Path
    before: Path
    after: Path

    def core(self, state="state"):
        """A core on the disk. Its files are copied, as it changes them."""
        folder = self.image / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if (self.image / state).exists():
            subprocess.run(["cp", "-a", self.image / state, folder / "state"], check=True)
        return Core(folder, self.programs)

    def value(self, name="a", state="state"):
        """What a core on the disk says of a counter."""
        with self.core(state) as core:
            return core.value(name)

    def holds_counts(self, base=0):
        """A count that was said is there, and at most the one after it."""
        known = max((int(match[1]) for line in self.said if (match := COUNTED.match(line))), default=base)
        found = self.value() or 0
        if not known <= found <= known + 1:
            raise AssertionError(f"{known} was said, and {found} is on the disk")

    def is_one_of(self, found, *right):
        if found not in right:
            raise AssertionError(f"{found!r} is on the disk, where it must be {' or '.join(map(repr, right))}")


class Scene:
    """`before` makes the disk, and the writes of `script` are recorded: both are shell scripts."""

    before = ""
    script = ""

    def check(self, cut):
        """Fails where a disk does not hold what was said until the cut."""
        raise NotImplementedError


class FirstStart(Scene):
    """The first start, a new counter, and counts."""

    script = "serve; tally new a; count 25; stop"

    def check(self, cut):
        cut.holds_counts()


class FullLog(Scene):
    """So many counts that the log is copied into the file."""

    before = "has 1; stop"
    script = 'serve; python3 "$HERE/counts.py" "$W/core.sock" 2500; stop'

    def check(self, cut):
        cut.holds_counts(1)


class KilledCore(Scene):
    """A start on the log of a core that was killed, and counts."""

    before = "has 5; die"
    script = "serve; count 5; stop"

    def check(self, cut):
        cut.holds_counts(5)


class Import(Scene):
    """An import of a table, and its undo."""

    before = """has 3; stop
        { echo time,counter,amount; for n in $(seq 10 59); do echo "2026-01-01T00:00:$n,b,1"; done; } > "$W/table.csv" """
    script = 'serve; tally import "$W/table.csv"; echo imported; echo undoing; tally undo; echo undone; stop'

    def check(self, cut):
        found = cut.value("b")
        if "undone" in cut.said:
            cut.is_one_of(found, None)
        elif "imported" in cut.said and "undoing" not in cut.said:
            cut.is_one_of(found, 50)
        else:
            cut.is_one_of(found, None, 50)
        equal(cut.value(), 3, "the counter beside it")


class Backup(Scene):
    """A backup while the core counts."""

    before = 'has 5; stop; mkdir "$D/out"'
    script = 'serve; count 1; tally backup "$D/out/b.tally" --state "$D/state"; echo written; count 1; stop'

    def check(self, cut):
        cut.holds_counts(5)
        if "written" in cut.said:
            subprocess.run([cut.programs / "tally", "restore", cut.image / "out/b.tally", "--state", cut.image / "restored"],
                           check=True, capture_output=True)
            equal(cut.value(state="restored"), 6, "the counts in the backup")


class Restore(Scene):
    """A backup that takes the place of the counts of a core that was killed."""

    end = "die"
    script = 'tally restore "$W/b.tally" --state "$D/state"; echo restored'

    @property
    def before(self):
        return f'has 5; tally backup "$W/b.tally" --state "$D/state"; count 4; {self.end}'

    def check(self, cut):
        cut.is_one_of(cut.value(), 5, *([] if "restored" in cut.said else [9]))


class RestoreOfEnded(Restore):
    """A backup that takes the place of the counts of a core that has ended."""

    end = "stop"


class Repair(Scene):
    """A repair into a new folder."""

    before = "has 5; stop"
    script = 'tally repair "$D/state" "$D/new"; echo repaired'

    def check(self, cut):
        equal(cut.value(), 5, "the counts that are repaired")
        if "repaired" in cut.said:
            equal(cut.value(state="new"), 5, "the repaired counts")


class Files(Scene):
    """Exports and set-ups, new ones and such that replace a file."""

    before = 'has 3; mkdir "$D/out"; tally export --csv -o "$D/out/old.csv"; tally share -o "$D/out/old.tally"; count 2; stop'
    script = """serve
        for name in old new; do
          tally export --csv --force -o "$D/out/$name.csv"; echo "$name.csv"
          tally share --values --force -o "$D/out/$name.tally"; echo "$name.tally"
        done
        stop"""

    def check(self, cut):
        for name in ("old.csv", "old.tally", "new.csv", "new.tally"):
            path = Path("out", name)
            found, before, after = (
                (folder / path).read_bytes() if (folder / path).exists() else None for folder in (cut.image, cut.before, cut.after))
            cut.is_one_of(found, after, *([] if name in cut.said else [before]))


class Devices(Scene):
    """Devices of a board that are paired and revoked."""

    script = """serve
        tally-board --state "$D/board" --control "$W/board.sock" --listen "127.0.0.1:$PORT" & board=$!
        id=$(python3 "$HERE/pair.py" "$W/board.sock" "$PORT")
        echo paired; echo revoking
        tally-board revoke "$id" --control "$W/board.sock"; echo revoked
        kill $board; wait $board; stop"""

    def check(self, cut):
        (cut.image / "board").mkdir(exist_ok=True)
        control = cut.image / "board.sock"
        with Core(cut.image, cut.programs) as core:
            board = [cut.programs / "tally-board", "--state", cut.image / "board", "--control", control, "--listen", f"127.0.0.1:{free_port()}"]
            with Process(cut.image, board, core.environment) as process:
                eventually(lambda: process.pid and "The board is at" in process.said, "the board listens")
                devices = subprocess.run([board[0], "devices", "--control", control], check=True, capture_output=True, text=True).stdout
        if "revoked" in cut.said:
            cut.is_one_of("Anna" in devices, False)
        elif "paired" in cut.said and "revoking" not in cut.said:
            cut.is_one_of("Anna" in devices, True)


class Fleet(Scene):
    """A station that joins a fleet, shares a counter and counts it, while the broker is away."""

    before = "has 2; stop"
    script = """serve
        tally fleet join mqtt://127.0.0.1:1 --fleet venue --station door1; echo joined
        tally fleet share a; echo shared
        count 5; stop"""

    def check(self, cut):
        cut.holds_counts(2)
        with cut.core() as core:
            fleet = core.call("Fleet")
        if "joined" in cut.said:
            equal(fleet.get("station"), "door1", "the station of a core that has joined")
        if "shared" in cut.said:
            equal([counter["name"] for counter in fleet["counters"]], ["a"], "the shared counters")


SCENES = {scene.__name__: scene for scene in [
    FirstStart, FullLog, KilledCore, Import, Backup, Restore, RestoreOfEnded, Repair, Files, Devices, Fleet]}
