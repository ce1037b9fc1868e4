"""Board and core are killed while a page counts; TALLYMARK_DEATHS is the number of kills and stops (300)."""

import os
import re
import threading
import time

from kit.chance import seeded
from kit.kills import Killer
from kit.pages import taps_at_once
from kit.wait import InVain, becomes, equal, eventually
from selenium.common.exceptions import WebDriverException

DEATHS = int(os.environ.get("TALLYMARK_DEATHS", 300))


def reopened(stage):
    """The page, loaded again from a board that comes and goes."""
    def load():
        try:
            page = stage.page()
            page.can_count()
            return page
        except (WebDriverException, InVain):
            return None

    return eventually(load, "the page is there again")


def test_deaths_at_random(stage):
    """While board and core are killed and frozen, and the network is cut, at random, no tap is lost and none is counted twice."""
    chance = seeded()
    page = stage.counting()
    has_ended, killer, stops = threading.Event(), Killer(chance, stage.board, stage.core), []
    # A page that is loaded needs the board for longer than any pause between two deaths.
    may_kill = threading.Lock()

    def kill():
        while not has_ended.wait(chance.uniform(0.05, 0.8)):
            with may_kill:
                strike()

    def strike():
        if chance.random() < 0.3:
            process = chance.choice(killer.victims)
            process.freeze()
            time.sleep(chance.uniform(0.1, 0.6))
            process.resume()
            stops.append(process)
        else:
            killer.strike(meanwhile=lambda: time.sleep(chance.uniform(0, 0.3)))

    def cut(is_cut):
        page.browser.command("Network.emulateNetworkConditions", offline=is_cut, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    page.browser.command("Network.enable")
    killing = threading.Thread(target=kill)
    killing.start()
    taps = cuts = 0
    try:
        while killer.rounds + len(stops) < DEATHS:
            equal(killing.is_alive(), True, "whether board and core still run")
            page.touch(400, 300)
            taps += 1
            time.sleep(chance.uniform(0, 0.1))
            fault = chance.random()
            if fault < 0.01:
                with may_kill:
                    page = reopened(stage)
            elif fault < 0.03:
                cut(True)
                for _ in range(chance.randrange(5)):
                    page.touch(400, 300)
                    taps += 1
                cut(False)
                cuts += 1
            elif fault < 0.06:
                taps_at_once(page, 25)
                taps += 25
    finally:
        has_ended.set()
        killing.join()
        cut(False)
    # A page that lost the board several times waits up to 12 s before it comes back.
    page.pass_time(15)
    becomes(lambda: stage.core.value("people"), taps, f"the count of {taps} taps")
    page.waits(0)
    eventually(lambda: re.sub(r"\D", "", page.text(".number")) == str(taps), "the page shows the count")
    # A count comes after all that was sent before.
    page.touch(400, 300)
    eventually(lambda: stage.core.value("people") > taps, "another count")
    page.waits(0)
    equal(stage.core.value("people"), taps + 1, f"the count of {taps} taps and another one")
    print(f"        {taps} taps, {killer.summary}, {len(stops)} stops, {cuts} cuts of the network", flush=True)
