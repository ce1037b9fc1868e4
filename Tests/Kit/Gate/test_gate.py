"""The gate itself: no test that did not run may count as passed."""

import io
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, redirect_stdout

import gate.jobs
from gate import LOGS, number, unstable
from gate.again import try_again
from gate.builds import Builds
from gate.jobs import BuildFailed, Result, Run, jobs_of
from gate.parts import PARTS, Part, is_known
from kit import suite
from kit.stage import Stage
from kit.wait import becomes, equal, eventually


@contextmanager
def set_to(owner, **values):
    """Gives attributes of something other values meanwhile."""
    before = {name: getattr(owner, name) for name in values}
    for name, value in values.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


def stage_of(stage):
    """A stage of its own, where a test needs several."""
    return stage.keep(Stage(stage.folder))


class Trial:
    """A part whose job is a script for sh, run as the gate does. `$claims` is the folder of claims; the words are the chosen tests."""

    def __init__(self, stage, script, lanes=1, limit=600, tests=(), **more):
        (stage.folder / "tests").mkdir()
        (stage.folder / "tests/test_a.py").write_text("".join(f"def {test}(scene):\n    pass\n" for test in tests))
        program = stage.folder / "job"
        program.write_text(f'#!/bin/sh\n[ "$1" != --claims ] || {{ claims=$2; shift 2; }}\n{script}\n')
        program.chmod(0o755)
        folder, logs, output = stage.folder / "shared", LOGS / "runner", io.StringIO()
        folder.mkdir()
        logs.mkdir(parents=True, exist_ok=True)
        PARTS["trial"] = Part("", lambda names, _: [[str(program), *names]], folder=str(stage.folder / "tests"), **more)
        try:
            # The lines are no results of the part that runs this.
            with redirect_stdout(output), set_to(gate.jobs, LOGS=logs):
                run = Run(jobs_of("trial", [], 1, folder, lanes), lanes, Builds([]))
                with set_to(gate.jobs, LIMIT=limit):
                    run.everything()
                second = try_again(run, folder)
        finally:
            del PARTS["trial"]
        self.printed = output.getvalue()
        self.results = [result for job in run.jobs for result in job.results]
        self.failed = [result.name.partition("; ")[0] for result in self.results if not result.passed]
        # What has passed the second time.
        self.second = [result.name.partition("; ")[0] for result, _ in second]


def test_crash(stage):
    """A process of unit tests that ends in a test fails as a whole as well, as the tests behind it have not run."""
    for end, status in [("kill -KILL $$", -9), ("exit 0", 0)]:
        trial = Trial(stage_of(stage), f"echo '◇ Test one() started.'; {end}", is_swift=True)
        whole = f"the job as a whole: it ended with status {status} before its last test"
        equal(trial.failed, ["one(): the process ended in it", whole], f"what fails after {end}")
        equal(trial.second, [], "what ran a second time")


def test_lost_claim(stage):
    """A container that dies after a failed test fails as a whole as well, as the test that it had claimed has no result."""
    trial = Trial(stage, """
        echo "==> 3 tests"
        if mkdir "$claims/first"; then echo "FAILED  test_a.test_one: fails"; exit 70; fi
        echo "passed  test_a.test_three: passes"
        """, lanes=2, shares=True, is_retried=True)
    equal(sorted(trial.failed), ["test_a.test_one: fails", "the job as a whole: 2 of 3 tests ran"], "what fails")
    equal(trial.second, [], "what passed the second time")


def test_seed(stage):
    """A random test that has failed runs once more with the same numbers."""
    trial = Trial(stage, """
        echo "==> 1 tests"
        echo TALLYMARK_SEED=7
        [ "$TALLYMARK_SEED" != 7 ] || { echo "passed  test_a.test_one: runs"; exit 0; }
        echo "FAILED  test_a.test_one: runs"
        exit 1
        """, is_retried=True)
    equal(trial.second, ["test_a.test_one: runs"], trial.printed)


# Passes where words choose its tests, which only a second run does.
PASSES_SECOND = 'for one; do echo "passed  $one: runs"; done; [ $# = 0 ] || exit 0'


def test_no_second_run(stage):
    """A failed test that chance cannot fail does not run once more."""
    for is_retried in (False, True):
        trial = Trial(stage_of(stage), f'{PASSES_SECOND}; echo "FAILED  test_a.test_one: runs"; exit 1', is_retried=is_retried)
        equal(trial.second, ["test_a.test_one: runs"] if is_retried else [], f"what passed the second time with {is_retried}")


def test_logs_of_second_runs(stage):
    """Each second run of a part has a log of its own."""
    Trial(stage, f'{PASSES_SECOND}; for one in one two; do echo "FAILED  test_a.test_$one: runs"; done; exit 1', is_retried=True)
    logs = [(LOGS / f"runner/trial-again-{number}.log").read_text() for number in (1, 2)]
    equal(logs, ["passed  test_a.test_one: runs\n", "passed  test_a.test_two: runs\n"], "what the logs hold")


def test_limit(stage):
    """A job that hangs is ended, says so, and runs once more with the tests that have no result."""
    trial = Trial(stage, f"""
        {PASSES_SECOND}
        echo "==> 3 tests"
        echo "passed  test_a.test_one: runs"
        # Also one that ends well when it is asked to.
        trap 'exit 0' TERM
        sleep 1000 & wait
        """, limit=1, tests=["test_one", "test_two", "test_three"], is_retried=True)
    equal((trial.failed, trial.second), (["the job as a whole: it was ended after 1 s"],) * 2, trial.printed)
    # A slow machine may not have run the first one.
    names = {line.split()[1] for line in (LOGS / "runner/trial-again-1.log").read_text().splitlines()} - {"test_a.test_one:"}
    equal(names, {"test_a.test_two:", "test_a.test_three:"}, "what ran a second time")


def test_limit_of_a_guest(stage):
    """A guest that met its own limit runs once more with the tests that have no result; one that ended otherwise fails."""
    for status in (124, 70):
        trial = Trial(stage_of(stage), f'{PASSES_SECOND}; echo "==> 2 tests"; echo "passed  test_a.test_one: runs"; exit {status}',
                      shares=True, is_retried=True, tests=["test_one", "test_two"])
        whole = [f"the job as a whole: it ended with status {status}"]
        equal((trial.failed, trial.second), (whole, whole if status == 124 else []), trial.printed)


def test_unstable(stage):
    """The third run of the gate in a row in which a test passes only the second time fails, however its first runs ended."""

    def run(counts, *endings):
        results = [(Result(f"test_a.test_one: {ending}", 1, False, "", ["test_a.test_one"]), "trial") for ending in endings]
        passed = [] if endings else [(Result("test_a.test_one: runs", 1, True, "", ["test_a.test_one"]), "trial")]
        unstable.judge(passed + results, results, counts)
        return [result.passed for result, _ in results]

    before = os.environ.get("TALLYMARK_TEST_STATE")
    os.environ["TALLYMARK_TEST_STATE"] = str(stage.folder)
    try:
        equal([run(True, "runs"), run(True, "the process ended in it")], [[True], [True]], "the first two")
        # A run of this test alone.
        equal([run(False), run(False, "runs")], [[], [True]], "those that do not count")
        equal(run(True, "runs"), [False], "the third one")
        equal([run(True), run(True, "runs")], [[], [True]], "the next one after one that passed at once")
    finally:
        del os.environ["TALLYMARK_TEST_STATE"]
        if before is not None:
            os.environ["TALLYMARK_TEST_STATE"] = before


def test_skipped(stage):
    """A test that cannot run here is neither passed nor failed."""
    folder = stage.folder / "skipping"
    folder.mkdir()
    (folder / "test_b.py").write_text(
        'from kit.suite import Skipped\ndef test_one(scene):\n    "Runs."\n    raise Skipped("only root can run it")\n')
    output = io.StringIO()
    with redirect_stdout(output):
        equal(suite.run(folder, [], lambda _: stage_of(stage)), 0, "the status")
    line = "skipped  test_b.test_one: only root can run it"
    equal(output.getvalue().splitlines(), ["==> 1 tests", line, "0 passed, 0 failed, 1 skipped"], "what is printed")
    trial = Trial(stage, f'echo "==> 1 tests"; echo "{line}"')
    equal([(result.passed, result.is_skipped) for result in trial.results], [(True, True)], "the results")


def test_signal(stage):
    """A run that is asked to end closes the stage of its test."""
    folder, says = stage.folder / "waiting", stage.folder / "says"
    folder.mkdir()
    (folder / "test_b.py").write_text(
        f'from pathlib import Path\nimport time\ndef test_one(stage):\n    "Waits."\n'
        f'    Path("{says}").write_text(str(stage.folder))\n    while True: time.sleep(0.1)\n')
    for request in (signal.SIGTERM, signal.SIGINT):
        run = subprocess.Popen(
            [sys.executable, "-m", "kit.stories", "plain", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        played = eventually(lambda: says.exists() and says.read_text(), "the test runs")
        says.unlink()
        run.send_signal(request)
        run.wait()
        equal(os.path.exists(played), False, f"whether the stage stays after {request.name}")


def test_build_that_fails(stage):
    """A build that fails ends the run with its name."""
    builds = Builds([])
    builds.failed = "build-all"
    try:
        Run([], 1, builds).everything()
    except BuildFailed as error:
        equal("make build-all failed" in str(error), True, str(error))
    else:
        raise AssertionError("the run went on")


def test_quick_in_gate(stage):
    """What `make test` runs, a change must pass: nobody else would notice that it no longer runs."""
    equal([name for name, part in PARTS.items() if "quick" in part.sets and "gate" not in part.sets], [], "what only make test runs")


def test_unknown_words(stage):
    """A word that no test has in its name is refused before anything is built."""
    words = {"unit": "A clock that is set", "sessions": "busiest hour", "demands": "swipe", "times": "one address", "press": "test_pedal"}
    for part, word in words.items():
        equal((is_known(PARTS[part], word), is_known(PARTS[part], "zzzqqq")), (True, False), part)


def test_wrong_numbers(stage):
    """A variable that holds no number ends the run with a sentence."""
    for text, expected in (("", 5), ("7", 7), ("0", None), ("-1", None), ("x", None), ("²", None)):
        os.environ["TALLYMARK_TRIAL"] = text
        try:
            found = number("TALLYMARK_TRIAL", 5)
        except SystemExit as refusal:
            equal("whole number" in str(refusal), True, str(refusal))
            found = None
        equal(found, expected, f"the number in “{text}”")
    del os.environ["TALLYMARK_TRIAL"]


def test_ended_script(stage):
    """A run of commands that is ended ends what it has started, and leaves no folder."""
    said = stage.folder / "said"
    script = f"echo $$ $W > {said}.new; mv {said}.new {said}; sleep infinity"
    code = ("from kit import shell; "
            f"shell.main([('a', None)], lambda _, programs: shell.perform({script!r}, programs, 'up() {{ :; }}; down() {{ :; }}'), [])")
    runner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    becomes(said.exists, True, "whether the script runs")
    script_number, folder = said.read_text().split()
    runner.send_signal(signal.SIGTERM)
    equal(runner.wait(), 143, "the status")
    becomes(lambda: [os.path.exists(path) for path in (f"/proc/{script_number}", folder)], [False, False], "what is left")
