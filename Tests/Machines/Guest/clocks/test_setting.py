"""A machine without a battery for its clock shows a time long ago until the network sets its clock."""

import time

from kit.clocks import set_time
from kit.wait import becomes, equal

LONG_AGO = 1478193425  # 2016-11-03T17:17:05Z
TODAY = 1798790400  # 2027-01-01T08:00:00Z
DAY = 86400


def counts_of_day(scene, time):
    totals = scene.core.call("Totals", bounds=[(time - DAY) * 1_000_000, (time + DAY) * 1_000_000])["totals"]
    return sum(part["counts"] for part in totals)


def count_through(scene, **settings):
    """Counts before and after the clock is set."""
    presenter = scene.presenter()
    now = time.time()
    try:
        set_time(LONG_AGO)
        scene.start(presenter)
        scene.core.call("Create", name="count", **settings)
        for _ in range(3):
            presenter.press()
        scene.counts_to(3)
        equal(counts_of_day(scene, LONG_AGO), 3, "the counts of the first date")
        set_time(TODAY)
        becomes(lambda: counts_of_day(scene, TODAY), 3, "the counts of the right date")
        equal(counts_of_day(scene, LONG_AGO), 0, "the counts left on the first date")
        scene.counts_to(3)
        presenter.press()
        scene.counts_to(4)
    finally:
        set_time(now)


def test_first_counts(scene):
    """Counts from before the clock was set are in the totals of the day on which they were made, without another press."""
    count_through(scene)


def test_first_counts_of_a_period(scene):
    """They are in the value of that day's period, although the clock ended the one in which they were made."""
    count_through(scene, period="daily 00:00")
