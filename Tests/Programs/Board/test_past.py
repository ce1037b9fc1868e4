"""Looking back."""

import http.client
import json
import subprocess
import threading
import time

from kit.relay import Relay
from kit.suite import Skipped
from kit.wait import PATIENCE, equal, eventually


def test_past_of_a_counter(stage):
    """A counter's page has bars by minute to month, the same numbers as a table, the total, the rate and the busiest hour."""
    stage.new("people", title="<b>Visitors</b>", colour="blue")
    for hours, amount in [(5, 7), (3, 40), (1, 12), (0, 3)]:
        moment = int((time.time() - hours * 3600 - 1) * 1e6)
        stage.core.call("Add", counter="people", amount=amount, time=moment)
    page = stage.page("/past/people", width=390, height=844)
    eventually(lambda: page.text("dd") == "62", "the total")
    facts = page.run("return [...document.querySelectorAll('dt')].map(one => one.textContent)")
    equal(facts, ["Total", "Average", "Busiest hour"], "the facts")
    rows = "return [...document.querySelectorAll('tbody td')].map(one => one.textContent)"
    equal(len(page.run(rows)), 24, "the hours")
    equal(sum(int(text) for text in page.run(rows)), 62, "the sum of the table")
    loaded = "const one = document.querySelector('.plot'); return Boolean(one?.complete && one.naturalWidth)"
    eventually(lambda: page.run(loaded), "the picture")
    for words, count in [("minute", 60), ("day", 14), ("week", 12), ("month", 12)]:
        page.click(words)
        eventually(lambda: page.run("return document.title").endswith(f"by {words}"), f"the table by {words}")
        equal(len(page.run(rows)) in (count, count + 1), True, f"the number of rows by {words}")
    totals = [json.loads(line) for line in stage.tally("totals", "people", "--by", "month", "--json").splitlines()]
    equal(sum(one.get("added", 0) for one in totals if "start" in one), 62, "what tally says")
    page.click("‹ Earlier")
    eventually(lambda: page.text("dd") == "0", "the year before")
    page.click("Later ›")
    eventually(lambda: page.text("dd") == "62", "this year again")
    for theme in ["light", "dark", "contrast"]:
        page = stage.page(f"/past/people?theme={theme}", width=390, height=844)
        eventually(lambda: page.run(loaded), "the picture")
        equal(page.axe(), [], f"what axe finds in {theme}")
        page.picture(f"past-{theme}")


def test_past_of_a_group(stage):
    """A group's picture stacks its counters; stopwatches are left out beside them."""
    stage.group("team", title="Blue team")
    for name, colour in [("anna", "red"), ("bea", "green")]:
        stage.new(name, group="team", colour=colour)
        stage.add(name, 5)
    stage.new("swim", group="team", kind="stopwatch")
    page = stage.page("/group/team", width=1280, height=800)
    eventually(lambda: page.text("dd") == "10", "the total")
    picture = stage.ask("/plot.svg?group=team").said
    equal(all(name in picture for name in ["anna 5", "bea 5"]) and "swim" not in picture, True, "the legend")
    page.picture("past-group")
    page = stage.page("/all")
    eventually(lambda: page.run("return document.querySelector('h2 a')?.pathname") == "/group/team", "the way from the overview")


def test_malformed_looks(stage):
    """Malformed queries of the past are refused."""
    stage.new("people")
    eventually(lambda: stage.ask("/totals?counter=people").status == 200, "the board knows the counter")
    for query, status in [("", 400), ("?counter=people&by=second", 400), ("?counter=a&group=b", 400), ("?counter=%ff", 400),
                          ("?counter=people&until=-1", 400), ("?counter=people&until=99999999999999999999", 400), ("?counter=nobody", 404),
                          ("?counter=people&until=1", 200), ("?counter=people&until=253402300800000000", 200)]:
        for path in ["/totals", "/plot.svg"]:
            equal(stage.ask(path + query).status, status, f"the answer to {path}{query}")
    equal(stage.ask("/totals?counter=people", "POST").status, 405, "the answer to POST")


class SlowReader(Relay):
    """Stands before a core, and holds each question for totals up until it is released, as a long history does."""

    def __init__(self, path, core):
        self.released = threading.Event()
        # The number of questions that came.
        self.questions = 0
        super().__init__(core, path)

    def edit(self, data, is_answer):
        if b".Totals" in data:
            self.questions += 1
            self.released.wait()
        return data

    def close(self):
        self.released.set()
        super().close()


def slow(stage):
    """Starts the board again, before a core that is slow with questions for totals; returns what makes it so."""
    path = stage.folder / "slow.sock"
    reader = stage.keep(SlowReader(path, stage.socket))
    stage.board.end()
    stage.board.command += ["--socket", path]
    stage.start_board()
    stage.page().shows("0")
    return reader


def statuses(stage, paths, then):
    """The statuses of requests that are sent at the same time; `then` is called with those that came while all are on their way."""
    found = []
    threads = [threading.Thread(target=lambda path=path: found.append(stage.ask(path).status)) for path in paths]
    for thread in threads:
        thread.start()
    then(found)
    for thread in threads:
        thread.join()
    return found


def test_a_count_passes_looks(stage):
    """A count does not wait behind looks through a long history; of many looks at a time some are refused."""
    stage.new("people")
    reader, key = slow(stage), stage.key()

    def count(looks):
        eventually(lambda: 503 in looks, "a look is refused")
        epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
        order = {"epoch": epoch, "sequence": 1, "taps": [{"verb": "add", "counter": "people", "age": 0}]}
        equal(stage.post("/count", order, key).status, 200, "the answer to the count")
        equal(200 in looks, False, "whether the count waited for a look")
        reader.released.set()

    looks = [f"/totals?counter=people&until={10 ** 15 + number}" for number in range(10)]
    equal(set(statuses(stage, looks, count)), {200, 503}, "the answers to the looks")


def test_many_look_at_the_same(stage):
    """Any number of viewers of the same chart cost the core one query, and none is refused."""
    stage.new("people")
    reader = slow(stage)

    def release(_):
        eventually(lambda: reader.questions, "the core is asked")
        reader.released.set()

    equal(statuses(stage, ["/totals?counter=people", "/plot.svg?counter=people"] * 10, release), [200] * 20, "the answers")


def test_more_charts_than_the_cache_keeps(stage):
    """A chart is drawn however many others were just before."""
    stage.new("people")
    eventually(lambda: stage.ask("/totals?counter=people").status == 200, "the board knows the counter")
    connection = stage.keep(http.client.HTTPConnection("127.0.0.1", stage.port, timeout=PATIENCE))
    found = []
    for number in range(200):
        connection.request("GET", f"/totals?counter=people&until={10 ** 15 + number}")
        answer = connection.getresponse()
        answer.read()
        found.append(answer.status)
    equal(found, [200] * 200, "the answers")


def test_a_stranger_takes_no_charts_away(stage):
    """One address has at most two open queries, so that others still get their charts."""
    own = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout.split()
    if not own:
        raise Skipped("this machine has no address but loopback")
    stage.new("people")
    stage.board.command[-1] = f"0.0.0.0:{stage.port}"
    reader, held = slow(stage), []
    for number in range(8):
        connection = stage.keep(http.client.HTTPConnection(own[0], stage.port, timeout=PATIENCE))
        connection.request("GET", f"/totals?counter=people&until={10 ** 15 + number}")
        held.append(connection)
    found = [connection.getresponse().status for connection in held[2:]]
    equal(found, [503] * 6, "the answers to the stranger's further queries")
    reader.released.set()
    equal(stage.ask("/totals?counter=people").status, 200, "the answer to somebody else")
    equal([connection.getresponse().status for connection in held[:2]], [200] * 2, "the answers to the stranger's first queries")
