"""Looking back."""

import datetime
import http.client
import json
import select
import subprocess
import threading
import time

from kit.relay import Relay
from kit.suite import Skipped
from kit.wait import PATIENCE, becomes, equal, eventually

BARS = "return document.querySelectorAll('.slot').length"
# The place of one of the bars that are not empty, from the left.
BAR = ".slot:nth-child({} of .slot:has(.bin)) .back"
ROWS = "return [...document.querySelectorAll('tbody td')].map(one => one.textContent)"


def test_past_of_a_counter(stage):
    """A counter's page has bars by minute to year that can be read, the same numbers as a table, the total, the rate and the busiest hour."""
    stage.new("people", title="<b>Visitors</b>", colour="blue")
    for hours, amount in [(5, 7), (3, 40), (1, 12), (0, 3)]:
        moment = int((time.time() - hours * 3600 - 1) * 1e6)
        stage.core.call("Add", counter="people", amount=amount, time=moment)
    page = stage.page("/past/people", width=390, height=844)
    eventually(lambda: page.text("dd") == "62", "the total")
    facts = page.run("return [...document.querySelectorAll('dt')].map(one => one.textContent)")
    equal([one.split(", from")[0] for one in facts], ["in 24 hours", "an hour, over 5 h", "in the busiest hour"], "the facts")
    eventually(lambda: page.run(BARS) == 24, "the hours")
    equal(sum(int(text) for text in page.run(ROWS)), 62, "the sum of the table")
    equal(len(page.run(ROWS)) < 24, True, "whether hours without a count share a row")
    share = page.run("return document.querySelector('.plot svg').clientHeight / innerHeight")
    equal(share > 0.3, True, f"whether the bars have their part of the screen: {share:.2f}")
    # A finger on a bar, and the keyboard.
    page.touch(*page.middle(BAR.format(2)))
    eventually(lambda: page.text(".reading b") == "40", f"the bar that was touched, and not {page.text('.reading')}")
    page.run("document.querySelector('.plot').focus()")
    page.key("ArrowRight")
    eventually(lambda: page.text(".reading b") == "0", "the next bar")
    equal(page.run("return document.querySelector('.plot').ariaValueText.startsWith('0, ')"), True, "what is heard")
    for words, by, counts in [("1 min", "minute", [60]), ("5 min", "5min", [48]), ("15 min", "15min", [48]), ("Day", "day", [14]), ("Week", "week", [12]),
                              ("Month", "month", [12]), ("Year", "year", [10, 11])]:
        page.click(words)
        eventually(lambda: page.run("return document.title").endswith(f"by {by}"), f"the table by {words}")
        equal(page.run(BARS) - 1 in counts or page.run(BARS) in counts, True, f"the number of bars by {words}: {page.run(BARS)}")
    equal(page.run("return [...document.querySelectorAll('.back')].length && document.querySelector('dd').textContent"), "62", "the total of the years")
    page.click("Month")
    eventually(lambda: page.run("return document.title").endswith("by month"), "the months again")
    totals = [json.loads(line) for line in stage.tally("totals", "people", "--by", "month", "--json").splitlines()]
    equal(sum(one.get("added", 0) for one in totals if "start" in one), 62, "what tally says")
    page.run("document.querySelector('[aria-label=Earlier]').click()")
    eventually(lambda: page.text("dd") == "0", "the year before")
    page.run("document.querySelector('[aria-label=Later]').click()")
    eventually(lambda: page.text("dd") == "62", "this year again")
    equal(page.run("return document.querySelector('#where').pathname"), "/counter/people", "the way back")
    for theme in ["light", "dark", "contrast"]:
        page = stage.page(f"/past/people?theme={theme}", width=390, height=844)
        eventually(lambda: page.run(BARS) == 24 and page.text(".events li"), "the bars and the events")
        equal(page.axe(), [], f"what axe finds in {theme}")
        page.picture(f"past-{theme}")


def test_hours_of_a_day(stage):
    """The bar of a day leads to its hours, as to the busiest hour of yesterday."""
    stage.new("people")
    yesterday = datetime.datetime.combine(datetime.date.today() - datetime.timedelta(1), datetime.time())
    for hour, amount in [(0, 7), (15, 40), (23, 2)]:
        stage.call("Add", counter="people", amount=amount, time=int((yesterday + datetime.timedelta(hours=hour, minutes=30)).timestamp() * 1e6))
    stage.add("people", 3)
    page = stage.page("/past/people", width=390, height=844)
    page.click("Day")
    eventually(lambda: page.run("return document.title").endswith("by day"), "the days")
    page.touch(*page.middle(BAR.format(1)))
    becomes(lambda: page.text(".reading b"), "49", "the bar of yesterday")
    page.press("Its hours")
    becomes(lambda: page.text("dd"), "49", "the total of the hours")
    equal(page.run(BARS), 24, "the hours")
    facts = page.run("return [...document.querySelectorAll('.sums > div')].map(one => one.textContent)")
    equal(any("15:30" in one for one in facts if "busiest" in one), True, f"whether the busiest hour is that of yesterday: {facts}")
    page.picture("past-hours")
    page.run("document.querySelector('[aria-label=Later]').click()")
    eventually(lambda: page.text("dd") != "49", "the last hours again")


def test_long_numbers_in_the_past(stage):
    """The longest numbers are whole, in one line, and within a small phone: in the sums, the table, the events, the bar that is read and at the axis."""
    stage.new("people")
    stage.add("people", 9223372036854775806)
    stage.new("bikes")
    stage.add("bikes", 1234567)
    page = stage.paired("/counter/people")
    texts = ("return [...document.querySelectorAll('dd, td, .reading b, .events .last b, .plot text')].flatMap(one => { const range = new Range(); range.selectNodeContents(one);"
             " const { left, right } = range.getBoundingClientRect(), lines = new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;"
             " return /\\d/.test(one.textContent) && (lines > 1 && !one.textContent.includes(' ') || left < -0.5 || right > innerWidth + 0.5 || one.localName === 'text' && right > one.closest('svg').getBoundingClientRect().right + 0.5"
             " || one.localName === 'text' && one.getAttribute('text-anchor') && left < document.querySelector('.grid').getBoundingClientRect().right) ? [`${one.localName}: ${one.textContent}`] : []; })")
    for name, total in [("people", "9,223,372,036,854,775,806"), ("bikes", "1,234,567")]:
        for width, height in [(320, 568), (1280, 800)]:
            page = stage.page(f"/past/{name}", width=width, height=height)
            page.shows(total, "dd")
            eventually(lambda: page.text(".events li"), "the events")
            page.run("document.querySelector('.plot').focus()")
            page.key("End")
            page.shows(total, ".reading b")
            page.picture(f"past-long-{name}-{width}")
            equal(page.run(texts), [], f"numbers that are broken or cut in {width} x {height}")
            equal(page.run("return document.documentElement.scrollWidth <= innerWidth"), True, "whether the page has its width")
    equal(page.run("return [...document.querySelectorAll('.plot text[text-anchor]')].at(-1).textContent"), "1.5M", "the top of the axis")
    page = stage.page("/past/people,bikes", width=320, height=568)
    page.shows("at least 9,223,372,036,854,775,807", "dd")
    equal(page.run(texts), [], "numbers that are broken or cut")


def test_past_of_a_group(stage):
    """A group's bars stack its counters; stopwatches are left out beside them. A picture is there to keep."""
    stage.group("team", title="Blue team")
    for name, colour in [("anna", "red"), ("bea", "green")]:
        stage.new(name, group="team", colour=colour)
        stage.add(name, 5)
    stage.new("swim", group="team", kind="stopwatch")
    page = stage.page("/group/team", width=1280, height=800)
    eventually(lambda: page.text("dd") == "10", "the total")
    equal(page.run("return [...document.querySelectorAll('.legend li')].map(one => one.textContent)"), ["anna5", "bea5"], "the legend")
    equal(page.run("return document.querySelectorAll('.bin').length"), 2, "the parts of the bar")
    picture = stage.ask(page.run("const one = new URL(document.querySelector('.past a.button').href); return one.pathname + one.search")).said
    equal(all(name in picture for name in ["anna 5", "bea 5"]) and "swim" not in picture, True, "the legend of the picture")
    page.picture("past-group")
    page = stage.page("/all")
    eventually(lambda: page.run("return document.querySelector('h2 a')?.pathname") == "/group/team", "the way from the overview")


def test_past_beside(stage):
    """The bars of several counters, and of the week before, are compared; a table is saved."""
    stage.new("in", title="In")
    stage.new("out", title="Out")
    stage.add("in", 4)
    stage.add("out", 3)
    stage.core.call("Add", counter="in", amount=7, time=int((time.time() - 7 * 86400) * 1e6))
    page = stage.page("/past/in")
    eventually(lambda: page.text("dd") == "4", "the total")
    page.click("The week before")
    eventually(lambda: page.run("return document.querySelectorAll('.before').length") == 1, "a mark of the week before")
    eventually(lambda: page.run("return document.querySelector('.past option[value=out]') !== null"), "the other counter can be chosen")
    page.run("const one = document.querySelector('.past select'); one.value = 'out'; one.onchange()")
    eventually(lambda: page.text("dd") == "7", "the total of both")
    equal(page.run("return decodeURIComponent(location.pathname)"), "/past/in,out", "the address")
    eventually(lambda: page.run("return [...document.querySelectorAll('.door')].slice(0, 2).map(one => one.innerText)") == ["Out\n+3", "In\n+4"], "the events of an hour by their counter")
    page.saves()
    page.click("CSV")
    equal(page.saved().splitlines()[0], "from,count,In,Out", "the head of the table")
    page = stage.page("/past/in,out")
    eventually(lambda: page.text("dd") == "7", "the total by the address")
    page = stage.page("/past/nobody")
    eventually(lambda: page.text("main [role=status]") == "There is no counter or group called “nobody”.", "the sentence")
    equal((page.run("return document.querySelector('main table').checkVisibility()"), page.run("return document.querySelector('#where').pathname")), (False, "/all"),
          "whether a table is shown, and the way back")


def test_events_of_the_past(stage):
    """The events are listed by the hour, filtered, of one bar, and undone."""
    stage.new("people", title="People")
    # All in one hour, whenever the next one begins.
    moment = int(time.time() * 1e6)
    for number in range(1, 121):
        stage.call("Add", counter="people", amount=number, time=moment)
    stage.core.call("Add", counter="people", amount=500, time=moment - 7200 * 10 ** 6, cause={"producer": "test", "device": "Bea's phone"})
    page = stage.paired("/past/people", setup=True, width=390, height=844)
    lines = "return [...document.querySelectorAll('.events li')].filter(one => one.checkVisibility()).map(one => one.querySelector('b').textContent)"
    eventually(lambda: len(page.run(lines)) == 100, "the last events")
    sums = "return [...document.querySelectorAll('.events h3 b')].map(one => one.innerText)"
    equal([page.run(sums)[0], page.run(sums)[-1]], ["", "+500"], "the sums of an hour of which events are missing, and of another")
    page.click("Earlier events")
    eventually(lambda: len(page.run(lines)) == 122, f"all events: {len(page.run(lines))}")
    found = page.run("return [...document.querySelectorAll('.events h3 b')].map(one => one.textContent)")
    equal(sum(int(one.replace(",", "")) for one in found), 7760, f"the sums of the hours {found}")
    page.run("const one = document.querySelector('.events input'); one.value = 'bea'; one.oninput()")
    eventually(lambda: page.run(lines) == ["+500"], "the filtered events")
    page.run("const one = document.querySelector('.events input'); one.value = ''; one.oninput()")
    total = stage.core.value("people")
    page.run("[...document.querySelectorAll('.events button')].find(one => one.ariaLabel === 'Undo +7 People').click()")
    eventually(lambda: stage.core.value("people") == total - 7, "an old event is undone")
    page.run("scrollTo(0, 0)")
    place = page.middle(BAR.format(1))
    page.pass_time(6)
    page.touch(*place)
    eventually(lambda: page.text(".reading b") == "500", f"the bar: {page.text('.reading')}")
    page.click("Its events")
    eventually(lambda: page.run(lines) == ["+500"], "the events of a bar")
    for query, status in [("", 400), ("?counter=people&before=0", 400), ("?counter=people&until=x", 400), ("?counter=nobody", 404), ("?counter=people&before=3", 200)]:
        equal(stage.ask("/history" + query).status, status, f"the answer to {query}")


def test_events_of_imported_days(stage):
    """Days of an imported table stand in the list of events as days, without an hour that nobody wrote."""
    stage.new("people")
    days = [(datetime.date.today() - datetime.timedelta(days=days)) for days in (3, 2)]
    table = stage.folder / "days.csv"
    table.write_text("date,people\n" + "".join(f"{day},{amount}\n" for day, amount in zip(days, (5, 7))))
    stage.tally("import", table)
    page = stage.page("/past/people")
    eventually(lambda: page.text(".events li"), "the events")
    heads = page.run("return [...document.querySelectorAll('.events h3 span')].map(one => one.textContent)")
    equal([head.count(":") for head in heads], [1, 0, 0], f"the hours in the headings {heads}")
    equal(page.run("return [...document.querySelectorAll('.events li small')].slice(1).map(one => one.textContent)"), ["days.csv"] * 2, "what the days say")


def test_one_clock_and_one_time(stage):
    """All times of the past are of 24 hours, whatever the browser's language; on an earlier chart the events are those of its time."""
    stage.new("people")
    now = int(time.time())
    for days, amount in [(0, 3), (2, 40), (2, 2)]:
        stage.core.call("Add", counter="people", amount=amount, time=(now - days * 86400 - 1) * 10 ** 6)
    page = stage.page("/past/people")
    lines = "return [...document.querySelectorAll('.events li b')].map(one => one.textContent)"
    eventually(lambda: set(page.run(lines)) == {"+3", "+40", "+2", "created"}, "the last events, of any time")
    page.touch(*page.middle(BAR.format(1)))
    page.shows("3", ".reading b")
    equal([one for one in ("AM", "PM") if one in page.text(".past")], [], "the marks of a clock of 12 hours")
    earlier = "document.querySelector('[aria-label=Earlier]').click()"
    page.run(earlier)
    page.says("No events.", ".events")
    page.shows("0", "dd")
    page.run(earlier)
    page.shows("42", "dd")
    eventually(lambda: set(page.run(lines)) == {"+40", "+2"}, "the events of the time of the chart")
    for _ in range(2):
        page.run("document.querySelector('[aria-label=Later]').click()")
    eventually(lambda: set(page.run(lines)) == {"+3", "+40", "+2", "created"}, "the last events again")


def test_malformed_looks(stage):
    """Malformed queries of the past are refused."""
    stage.new("people")
    eventually(lambda: stage.ask("/totals?counter=people").status == 200, "the board knows the counter")
    for query, status in [("", 400), ("?counter=people&by=second", 400), ("?counter=a&group=b", 400), ("?counter=%ff", 400),
                          ("?counter=people&until=-1", 400), ("?counter=people&until=99999999999999999999", 400), ("?counter=nobody", 404),
                          ("?counter=people,nobody", 404),
                          ("?counter=people&until=1", 200), ("?counter=people&until=253402300800000000", 200)]:
        for path in ["/totals", "/plot.svg"]:
            equal(stage.ask(path + query).status, status, f"the answer to {path}{query}")
    for path in ["/totals", "/history"]:
        answer = stage.ask(f"{path}?counter=people,nobody")
        equal((answer.status, json.loads(answer.said)["message"]), (404, "There is no counter “nobody”."), f"the answer to {path}")
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
    # The board reads them in any order.
    waiting, found = {connection.sock: connection for connection in held}, []
    while len(found) < 6:
        answered, _, _ = select.select(list(waiting), [], [], PATIENCE)
        equal(bool(answered), True, f"whether a further query is answered after {found}")
        found += [waiting.pop(one).getresponse().status for one in answered]
    equal(found, [503] * 6, "the answers to the stranger's further queries")
    reader.released.set()
    equal(stage.ask("/totals?counter=people").status, 200, "the answer to somebody else")
    equal([connection.getresponse().status for connection in waiting.values()], [200] * 2, "the answers to the stranger's other queries")


def test_undone_events_of_a_bar(stage):
    """Among the events of a bar, one that was undone later says so, and is in no sum, though its undo is not among them."""
    stage.new("people", title="People")
    made = int((time.time() - 7200) * 1e6)
    for amount in (5, 30):
        stage.call("Add", counter="people", amount=amount, time=made)
    undone = [event["sequence"] for event in stage.core.counts()][0]
    stage.call("Undo", sequence=undone)
    said = lambda: stage.ask(f"/history?counter=people&from={made - 1}&until={made + 1}")
    eventually(lambda: said().status == 200, "the board knows the counter")
    found = [(event["change"], event.get("undone")) for event in json.loads(said().said)["events"]]
    equal(found, [("30", None), ("5", True)], "the events of the bar")
    page = stage.page("/past/people", width=390, height=844)
    eventually(lambda: page.text("dd") == "30", "the total")
    page.touch(*page.middle(BAR.format(1)))
    eventually(lambda: page.text(".reading b") == "30", f"the bar: {page.text('.reading')}")
    page.click("Its events")
    lines = "return [...document.querySelectorAll('.events li')].map(one => [one.querySelector('b').textContent, one.className])"
    eventually(lambda: page.run(lines) == [["+30", ""], ["+5", "undone"]], f"the events of the bar: {page.run(lines)}")
    equal(page.run("return document.querySelector('.events h3 b').innerText"), "+30", "the sum of the hour")
    # A redo makes it count again.
    stage.call("Redo", counter="people")
    eventually(lambda: "undone" not in said().said, "it is not undone any more")


def test_week_before_the_clocks_change(stage):
    """The week before begins at the same time of day, also where the clocks were changed between."""
    stage.new("people")
    time_of = lambda day, offset: int(datetime.datetime(2026, 10, day, tzinfo=datetime.timezone(datetime.timedelta(hours=offset))).timestamp() * 1e6)
    asked = """const ask = window.fetch; window.asked = []; window.fetch = async (path, ...more) => {
      const answer = await ask(path, ...more);
      if (!String(path).startsWith("/totals")) return answer;
      window.asked.push(Number(new URL(path, location).searchParams.get("until")));
      return Response.json({ ...await answer.json(), until: UNTIL }); };""".replace("UNTIL", str(time_of(27, 1)))
    stage.browser.command("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
    try:
        with stage.browser.script(asked):
            page = stage.page("/past/people")
        page.shows("0", "dd")
        page.click("The week before")
        eventually(lambda: page.run("return window.asked.at(-1)") == time_of(20, 2) - 1, lambda: f"it is asked for: {page.run('return window.asked')}")
    finally:
        stage.browser.command("Emulation.setTimezoneOverride", timezoneId="")


def test_events_that_grow(stage):
    """A past that stays open lists the last 100 events, and Earlier those before."""
    stage.new("people")
    for _ in range(60):
        stage.add("people")
    page = stage.page("/past/people")
    lines = "return document.querySelectorAll('.events li').length"
    eventually(lambda: page.run(lines) > 40, "the events")
    for _ in range(2):
        for _ in range(60):
            stage.add("people")
        # Each look is 6 s later: the page asks 5 s after a change.
        eventually(lambda: page.pass_time(6) or page.text("dd") == str(stage.core.value("people")), "the total")
    eventually(lambda: page.run(lines) == 100, lambda: f"the events are 100 and not {page.run(lines)}")
    page.click("Earlier events")
    eventually(lambda: page.run(lines) > 100, lambda: f"there are more than {page.run(lines)} events")


def test_keyboard_in_the_past(stage):
    """What has the keyboard in the past keeps it when others count, and gives it to what stands beside it when it goes."""
    stage.new("people")
    stage.new("bikes")
    for _ in range(3):
        stage.add("people")
    stage.paired("/counter/people")
    page = stage.page("/past/people,bikes")
    focus = "const one = document.activeElement; return one.ariaLabel ?? one.textContent"
    total = lambda number: eventually(lambda: page.pass_time(6) or page.text("dd") == str(number), f"the total {number}")
    total(3)
    eventually(lambda: page.text(".events li"), "the events")
    for number, (selector, words) in enumerate([(".events [title^='Note at +1']", "Note at +1 people"), (".events [title^='Undo +1']", "Undo +1 people"), (".legend button", "Without people")]):
        page.run("document.querySelector(arguments[0]).focus()", selector)
        lines = page.run("return document.querySelectorAll('.events li').length")
        stage.add("people")
        total(4 + number)
        eventually(lambda: page.run("return document.querySelectorAll('.events li').length") > lines, "the new event")
        equal(page.run(focus), words, "what has the keyboard after a count of others")
    page.key("Enter")
    page.says("0", "dd")
    becomes(lambda: page.run(focus), "Earlier", "what has the keyboard after a counter is taken out")
    page = stage.page("/past/people")
    eventually(lambda: page.text(".events li"), "the events")
    page.run("document.querySelector(\".events [title^='Undo +1']\").focus()")
    page.key("Enter")
    becomes(lambda: page.run(focus), "Note at +1 people", "what has the keyboard after an undo")
    page.run("document.querySelector('.plot').focus()")
    page.key("End")
    page.run("document.querySelector('.reading button').focus()")
    stage.add("people")
    total(6)
    equal(page.run(focus), "Its events", "what has the keyboard beside the bar")
    page.key("Enter")
    page.has_button("All events")
    page.run("[...document.querySelectorAll('button')].find(one => one.textContent === 'All events').focus()")
    page.key("Enter")
    becomes(lambda: page.run(focus), "Filter the events", "what has the keyboard after the events of a bar")
    page.run("document.querySelector('[aria-label=Earlier]').click()")
    page.shows("0", "dd")
    page.run("document.querySelector('[aria-label=Later]').focus()")
    page.key("Enter")
    page.shows("6", "dd")
    equal(page.run(focus), "Earlier", "what has the keyboard at the last chart")
