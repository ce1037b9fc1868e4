"""Runs tests once more that chance may have failed, with nothing beside them."""

import itertools

from gate.builds import Builds
from gate.jobs import Run, jobs_of
from gate.parts import PARTS

# Where more tests of a job fail, chance is no explanation.
MOST = 3


def candidates(run):
    """The results that may be due to chance, each with its job and the names of the tests to run."""
    for job in run.jobs:
        failed = [result for result in job.results if not result.passed]
        # A job that met its limit, as beside a browser that hangs or with a guest that does not boot, has no result for the rest.
        late = [result for result in failed if result.is_late]
        if not PARTS[job.part].is_retried or len(failed) - len(late) > MOST:
            continue
        if any(result.is_whole and not result.is_late or not (result.words or result.is_whole) for result in failed):
            continue
        for result in failed:
            names = run.lost(job.part) if result.is_whole else result.words
            # Of jobs that share their tests, the first one that met the limit has run what all have lost.
            if names and (not result.is_whole or result is first_late(run, job.part)):
                yield job, result, names


def first_late(run, part):
    return next(result for job in run.jobs if job.part == part for result in job.results if result.is_late)


def try_again(run, folder):
    """Runs what failed once more; returns the results that are made good by it, with their parts."""
    second, number = [], itertools.count(1)
    for job, result, names in list(candidates(run)):
        print(f"==> Once more, with nothing beside it: {job.part}: {result.name}", flush=True)
        # A random test runs with the numbers that it failed with.
        environment = {**job.environment, **({"TALLYMARK_SEED": result.seed} if result.seed else {})}
        jobs = jobs_of(job.part, names, 1, folder, 1, is_alone=True, environment=environment)
        for one in jobs:
            # Each has a log of its own.
            one.number = next(number)
        again = Run(jobs, 1, Builds([]))
        again.builds.took = run.builds.took
        again.everything()
        if all(one.passed for other in again.jobs for one in other.results):
            second.append((result, job.part))
            if result.is_whole:
                second += [(one, other.part) for other in run.jobs if other.part == job.part
                           for one in other.results if one.is_late and one is not result]
    return second
