"""Runs jobs, a few at a time, and reads their results from what they print."""

import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from gate import LOGS, ROOT, number
from gate.parts import COMMANDS, PARTS, functions

# Seconds between two progress lines.
PULSE = 10
# Seconds after which a job is ended: the one limit of tests that wait for events.
LIMIT = number("TALLYMARK_JOB_SECONDS", 1800)
# The limit of a guest or a container, which is shorter, so that it says how it ended; and its status then.
INNER_LIMIT, TIMED_OUT = LIMIT * 2 // 3, 124

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
RESULT = re.compile(r"(passed|FAILED|skipped)  (.+?)(?: \([0-9.]+ s\))?$")
PLAN = re.compile(r"==> (\d+) tests$")
TOTAL = re.compile(r"\d+ passed, \d+ failed(, \d+ skipped)?$")
SEED = re.compile(r"TALLYMARK_SEED=(\d+)$")
UNIT_BEGIN = re.compile(r"◇ Test (?!run |case )(.+) started\.$")
UNIT_RESULT = re.compile(r"[✔✘] Test (?!run with)(.+?)(?: with \d+ test cases?)? (passed|failed) after ([0-9.]+) seconds")
UNIT_ISSUE = re.compile(r"✘ Test .* recorded an issue|↳ (?!Testing Library|Target Platform)")
UNIT_END = re.compile(r"[✔✘] Test run with")


@dataclass
class Result:
    name: str
    seconds: float
    passed: bool
    # What runs the test again, and the words that choose it; for a job as a whole, those of its tests without a result.
    again: str
    words: list = field(default_factory=list)
    seed: str = ""
    is_skipped: bool = False
    # Whether this is the end of a job, and not of a test.
    is_whole: bool = False
    # Whether the job met a limit of time.
    is_late: bool = False

    @property
    def key(self):
        """The same for a test however its run ended."""
        return "the job as a whole" if self.is_whole else self.words[0] if self.words else self.name


@dataclass
class Job:
    part: str
    command: list
    number: int
    names: list
    environment: dict
    # Whether no other jobs run meanwhile, to which a failure might be due.
    is_alone: bool = False
    planned: int = 0
    results: list = field(default_factory=list)
    process: subprocess.Popen = None
    seconds: float = 0
    # Those that its tests have printed.
    seeds: list = field(default_factory=list)
    # Whether it was ended because it met the limit.
    is_late: bool = False
    # The unit tests that have begun and not ended.
    begun: dict = field(default_factory=dict)
    has_ended: bool = False
    # Its last lines, for a job that ends without saying which test failed.
    end: deque = field(default_factory=lambda: deque(maxlen=40))
    # Whether its lines belong to a test that failed.
    explains: bool = False

    @property
    def log(self):
        return LOGS / f"{self.part}-{'again-' if self.is_alone else ''}{self.number}.log"

    def again(self, *words):
        variables = [f"TALLYMARK_SEED={self.seeds[-1]}"] if self.seeds else []
        return " ".join([*variables, "Tests/run", self.part, *map(shlex.quote, words or self.names)])


def jobs_of(name, names, times, folder, lanes, is_alone=False, environment=()):
    """The jobs of a part; `folder` is for what they share. `environment` holds further variables."""
    part = PARTS[name]
    commands = part.commands(names, times) * (1 if part.repeats else times)
    if part.shares and not names:
        claims = Path(folder, name)
        claims.mkdir()
        commands = [[command[0], "--claims", str(claims), *command[1:]] for command in commands for _ in range(lanes)]
    variables = {**part.environment, **dict(environment)}
    jobs = [Job(name, command, number, names, variables, is_alone) for number, command in enumerate(commands, 1)]
    if part.is_swift and not names:
        # Swift's runner does not say how many it will run.
        tests = "Tests/Programs/Command" if COMMANDS in jobs[0].command[-1] and len(jobs) == 1 else "Tests/Unit"
        declared = sum(len(re.findall(r"^ *@Test\b", file.read_text(), re.M)) for file in ROOT.glob(f"{tests}/**/*.swift"))
        jobs[0].planned = declared * times
    return jobs


class BuildFailed(Exception):
    """What tests need could not be made."""


class Run:
    """Runs jobs in `lanes` threads, each as soon as what it needs is built; the first thread builds."""

    def __init__(self, jobs, lanes, builds):
        self.jobs, self.lanes, self.builds, self.waiting = jobs, lanes, builds, list(jobs)
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.has_stopped = False

    def clock(self):
        seconds = int(time.monotonic() - self.begun)
        return f"{seconds // 60:3}:{seconds % 60:02}"

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def everything(self):
        lanes = [threading.Thread(target=self.lane, args=(number == 0,), daemon=True) for number in range(self.lanes)]
        for lane in lanes:
            lane.start()
        while any(lane.is_alive() for lane in lanes):
            deadline = time.monotonic() + PULSE
            for lane in lanes:
                lane.join(max(0, deadline - time.monotonic()))
            if self.builds.failed:
                break
            running = [job for job in self.jobs if job.process and job.process.returncode is None]
            if running:
                parts = dict.fromkeys(job.part for job in running)
                self.say(f"{self.clock()}  " + ", ".join(map(self.progress, parts)))
        if self.builds.failed:
            raise BuildFailed(f"make {self.builds.failed} failed (see above), so no test that needs it ran.")
        for part in {job.part for job in self.jobs if PARTS[job.part].shares}:
            jobs = [job for job in self.jobs if job.part == part]
            done, planned = sum(not result.is_whole for job in jobs for result in job.results), max(job.planned for job in jobs)
            # Also beside failures: a container that dies takes the test along that it had claimed.
            if done < planned and not any(result.is_whole for job in jobs for result in job.results):
                self.fail_as_a_whole(jobs[0], f"{done} of {planned} tests ran")

    def next_job(self):
        """The first job that can run, once there is one; none where all have begun, or a build failed."""
        with self.builds.changed:
            while self.waiting and not self.builds.failed and not self.has_stopped:
                for job in self.waiting:
                    if self.builds.has(job.part):
                        self.waiting.remove(job)
                        return job
                self.builds.changed.wait()
        return None

    def lane(self, builds):
        if builds:
            self.builds.everything()
        while job := self.next_job():
            begun = time.monotonic()
            try:
                self.do(job)
            except Exception as error:
                self.fail_as_a_whole(job, f"it could not run: {error}")
            job.seconds = time.monotonic() - begun
            if not self.has_stopped:
                failed = sum(not result.passed for result in job.results)
                skipped = sum(result.is_skipped for result in job.results)
                self.say(f"{self.clock()}  {job.part} ended after {job.seconds:.0f} s: "
                         f"{len(job.results) - failed - skipped} passed, {failed} failed"
                         + (f", {skipped} skipped" if skipped else ""))

    def do(self, job):
        environment = {**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1", **job.environment}
        has_limit = PARTS[job.part].sets != ("endure",)
        if has_limit:
            environment = {"VM_SECONDS": str(INNER_LIMIT), "CONTAINER_SECONDS": str(INNER_LIMIT), **environment}
        with job.log.open("w") as log:
            job.process = subprocess.Popen(
                job.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", cwd=ROOT, env=environment, start_new_session=True)
            limit = threading.Timer(LIMIT, self.end_late, [job])
            if has_limit:
                limit.start()
            last = time.monotonic()
            for line in job.process.stdout:
                line = COLOUR.sub("", line.rstrip("\n"))
                print(line, file=log, flush=True)
                now = time.monotonic()
                if self.read(job, line, now - last):
                    last = now
            status = job.process.wait()
            limit.cancel()
        if not self.has_stopped:
            self.judge(job, status, time.monotonic() - last)

    def end_late(self, job):
        """Ends a job that meets the limit."""
        job.is_late = True
        end_all([job.process])

    def judge(self, job, status, seconds):
        """Fails a job that ended before its tests had, or without any."""
        part = PARTS[job.part]
        # Also with status 0: a test may end the process.
        crashed = part.is_swift and not job.has_ended
        output = f"its output is in {job.log.relative_to(ROOT)}"
        if job.is_late or crashed or (status and all(result.passed for result in job.results)):
            self.say("\n".join(f"        {line}" for line in job.end))
        if job.is_late:
            self.fail_as_a_whole(job, f"it was ended after {LIMIT} s; {output}")
        elif crashed:
            for name in job.begun:
                self.record(job, Result(f"{name}: the process ended in it", 0, False, job.again(name), [name]))
            # The tests behind that one have no names here.
            self.fail_as_a_whole(job, f"it ended with status {status} before its last test; {output}")
        elif status and all(result.passed for result in job.results):
            self.fail_as_a_whole(job, f"it ended with status {status}; {output}", status == TIMED_OUT)
        elif not job.results and part.is_one_test:
            job.results.append(Result(job.part, seconds, True, job.again()))
        elif not part.shares and job.planned > len(job.results) and not part.is_swift:
            self.fail_as_a_whole(job, f"{len(job.results)} of {job.planned} tests ran", status == TIMED_OUT)
        elif part.shares and status == TIMED_OUT:
            self.fail_as_a_whole(job, f"it met its limit of time; {output}", True)
        # Where jobs share their tests, others may have claimed all of them.
        elif not job.results and not (part.shares and job.planned):
            self.fail_as_a_whole(job, "no test has such a name")

    def read(self, job, line, seconds):
        """Records the result in a line of output; returns whether the time of the next test begins with it."""
        job.end.append(line)
        if seed := SEED.match(line):
            job.seeds.append(seed[1])
        if plan := PLAN.match(line):
            job.planned += int(plan[1])
            return True
        if PARTS[job.part].is_swift:
            self.read_unit(job, line)
        elif ended := RESULT.match(line):
            name = ended[2]
            words = [name.partition(":")[0]] if PARTS[job.part].takes_names else []
            job.explains = ended[1] == "FAILED"
            self.record(job, Result(
                name, seconds, not job.explains, job.again(*words), words, job.seeds[-1] if job.seeds else "", ended[1] == "skipped"))
            return True
        elif job.explains and not TOTAL.match(line):
            self.say(f"        {line}")
        return False

    def read_unit(self, job, line):
        if begun := UNIT_BEGIN.match(line):
            job.begun[begun[1].strip('"')] = True
        elif ended := UNIT_RESULT.search(line):
            name = ended[1].strip('"')
            job.begun.pop(name, None)
            self.record(job, Result(name, float(ended[3]), ended[2] == "passed", job.again(name), [name]))
        elif UNIT_ISSUE.match(line):
            self.say(f"        {line}")
        elif UNIT_END.match(line):
            job.has_ended = True

    def record(self, job, result):
        job.results.append(result)
        if not result.passed:
            self.say(f"FAILED  {job.part}: {result.name}\n        Run again: {result.again}")

    def fail_as_a_whole(self, job, reason, is_late=None):
        is_late = job.is_late if is_late is None else is_late
        self.record(job, Result(
            f"the job as a whole: {reason}", 0, False, job.again(), is_whole=True, is_late=is_late))

    def lost(self, name):
        """The tests of a part that should have run and have no result."""
        jobs = [job for job in self.jobs if job.part == name]
        have = {word for job in jobs for result in job.results if not result.is_whole for word in result.words}
        names = jobs[0].names
        return [one for one in functions(PARTS[name]) if one not in have and (not names or any(word in one for word in names))]

    def progress(self, part):
        jobs = [job for job in self.jobs if job.part == part]
        done = sum(len(job.results) for job in jobs)
        # Jobs that share their tests all plan the same ones.
        planned = max(job.planned for job in jobs)
        return f"{part} {done}" + (f" of {planned}" if planned else "") if done or planned else f"{part} is starting"

    def stop(self):
        self.has_stopped = True
        end_all([one.process for one in (self.builds, *self.jobs) if one.process])


def end_all(processes):
    """Ends processes with all that they have started: first they are asked to, then they are killed."""
    # A job still counts as running while a program that it has started keeps its output open. Where the job's own process has
    # ended, its number may belong to another process.
    processes = [process for process in processes if process.poll() is None]
    for request in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            try:
                os.killpg(process.pid, request)
            except ProcessLookupError:
                # A set-up is in the group of this program. Nothing happens to a process that has just ended.
                process.send_signal(request)
            except PermissionError:
                # It belongs to root, and ends with its parent.
                pass
        deadline = time.monotonic() + 30
        while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
            time.sleep(0.05)
