"""Runs tests that are commands for bash, each with a core of its own, several at a time.

The words that the commands may use are those of Tests/Programs/Demands/words.sh."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kit import ROOT, wait

# Seconds for one test, which may wait several times.
PATIENCE = max(300, wait.PATIENCE)
WORDS = ROOT / "Tests/Programs/Demands"
# The scripts that run now. Each leads a process group, which does not end with this program.
running = set()


def end_scripts(*_):
    for process in list(running):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    sys.exit(128 + signal.SIGTERM)


@dataclass
class Run:
    """What a script has printed, and how it ended; `files` are the texts of those that it has left in its folder."""

    output: str
    code: int
    files: dict

    @property
    def fault(self):
        """Why the script has no result; empty where it has one."""
        return f"it has not ended after {PATIENCE} s" if self.code in (-signal.SIGKILL, 128 + signal.SIGKILL) else ""


def spaced(text):
    """The text with one space for any white space."""
    return " ".join(text.split())


def perform(script, programs, before=""):
    """Runs a script in an empty folder `$W`, with a core; `before` runs before the core starts."""
    script = f'source "$HERE/words.sh"; {before}\nup || exit; {script}\ncode=$?; down; exit $code'
    with tempfile.TemporaryDirectory(prefix="tally") as folder, tempfile.TemporaryFile() as output:
        environment = {**os.environ, "W": folder, "HERE": str(WORDS), "PROGRAMS": str(programs), "ROW": script}
        # `timeout` also ends the script's programs when this one has been killed; it leads their process group.
        process = subprocess.Popen(
            ["timeout", "--signal=KILL", str(PATIENCE), "bash", "-c", script], cwd=ROOT, env=environment,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, process_group=0)
        running.add(process)
        code = process.wait()
        running.discard(process)
        # What a script that has failed has left.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        output.seek(0)
        files = {file.name: file.read_text(errors="replace").replace(folder, "$W") for file in Path(folder).glob("step-*")}
        return Run(output.read().decode(errors="replace"), code, files)


def main(tests, judge, words):
    """Runs those of the tests, pairs of a name and anything, whose names contain one of the words; returns the exit status.

    `judge(test, programs)` returns the lines that a test printed, and why it fails, or an empty text. Among the words may be
    the folder of the programs, and --show, which prints the lines of all tests."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end_scripts)
    shows = "--show" in words
    words = [word for word in words if word != "--show"]
    programs = ROOT / ".build/release"
    if words and (Path(words[0]) / "tally").exists():
        programs = Path(words.pop(0)).resolve()
    chosen = [(name, test) for name, test in tests if not words or any(word in name for word in words)]
    print(f"==> {len(chosen)} tests", flush=True)
    lock, failures = threading.Lock(), []

    def play(pair):
        name, test = pair
        lines, reason = judge(test, programs)
        with lock:
            print(f"{'FAILED' if reason else 'passed'}  {name}", flush=True)
            if reason or shows:
                print("".join(f"  {line}\n" for line in [*([reason] if reason else []), *lines]))
            if reason:
                failures.append(name)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(play, chosen))
    print(f"{len(chosen) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not chosen else 0


# Sessions: see Tests/Programs/Sessions/README.md.

@dataclass
class Step:
    command: str
    expected: str | None
    code: int

    def fault(self, output, code):
        """Why a result is not the expected one; empty where it is."""
        if code != self.code:
            return f"ended with code {code}, not {self.code}"
        if self.expected is not None:
            pattern = ".*".join(map(re.escape, re.split(r" ?\.\.\. ?", spaced(self.expected))))
            if not re.fullmatch(pattern, spaced(output), re.S):
                return f"expected: {self.expected}"
        return ""


def sessions(path):
    """The sessions of a file: pairs of a name and its steps."""
    text = re.sub(r"\n +", " ", re.sub(r"^#(?!#).*\n", "", path.read_text(), flags=re.M))
    for part in text.split("\n## ")[1:]:
        name, _, lines = part.partition("\n")
        steps = []
        for line in filter(None, lines.splitlines()):
            command, arrow, expected = line.partition(" =>")
            expected = expected.lstrip()
            code = re.match(r"\[(\d+)\] ?", expected)
            text = expected[code.end():] if code else expected
            steps.append(Step(command, text if arrow else None, int(code[1]) if code else 0))
        yield name, steps


def play_session(steps, programs, before):
    """Runs the steps of a session in one shell; returns what `main` wants of a test."""
    script = "\n".join(
        f'{{ {step.command}\n}} > "$W/step-{number}" 2>&1; echo $? > "$W/step-{number}-code"' for number, step in enumerate(steps))
    run = perform(script, programs, before)
    lines, reason = run.output.splitlines(), run.fault
    for number, step in enumerate(steps):
        output, code = run.files.get(f"step-{number}", ""), run.files.get(f"step-{number}-code", "").strip()
        lines += [f"$ {step.command}", *output.splitlines()]
        if not reason:
            fault = step.fault(output, int(code)) if code else "has not ended"
            reason = fault and f"“{step.command}” {fault}\n  found: {spaced(output)}"
    return lines, reason
