"""Views of the page as a person sees them."""

import base64
import html
import json
import time

from kit.pages import ROWS
from kit.texts import TEXTS
from kit.varlink import Refused
from kit.wait import becomes, equal, eventually

# Remembers each text that the number had, and each flash.
WATCH = """
window.seen = []; window.flashes = []; window.mark = "same page";
const number = document.querySelector(".number");
new MutationObserver(() => window.seen.push(number.textContent)).observe(number, {childList: true, characterData: true, subtree: true});
document.addEventListener("animationstart", ({ animationName: name }) => { if (name.startsWith("flash")) window.flashes.push([name, performance.now()]); });
"""


def test_counts_are_followed(stage):
    """A count shows at once, by a flash, and what is taken off by another; then who did it."""
    stage.tally("new", "people", "--title", "Visitors", "--icon", "🎟", "--colour", "blue")
    page = stage.page()
    page.shows("0")
    equal((page.text("h1"), page.text(".what .chip")), ("Visitors", "🎟"), "the title and the icon")
    page.run(WATCH)
    stage.tally("add", "people", "3")
    page.shows("3")
    eventually(lambda: page.run("return window.flashes.map(one => one[0])") == ["flash"], "it flashes")
    # The page flashes once in a third of a second.
    page.pass_time(0.5)
    stage.tally("subtract", "people")
    page.shows("2")
    becomes(lambda: page.run("return [window.flashes.length, document.querySelector('.area').classList.contains('down')]"), [2, True], "whether it flashes downwards")
    equal(page.run("return window.seen"), ["3", "2"], "the numbers that were shown")
    eventually(lambda: "−1" in (line := page.text(".ev")) and "tally" in line, "the last event")
    page.picture("one")


BESIDE = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 20px; display: flex; gap: 20px; background: #d8dee6; }
img, pre { height: 600px; border-radius: 10px; box-shadow: 0 2px 10px #0006; }
pre { flex: 1; margin: 0; padding: 20px; box-sizing: border-box; background: #14181d; color: #e6edf3; font: 15px/1.5 monospace; }
</style><img src="data:image/png;base64,PAGE"><pre>TEXT</pre>"""


def test_beside_a_terminal(stage):
    """The page and tally show the same count: the picture of README.md (.build/tests/board/readme.png)."""
    stage.tally("new", "people", "--title", "Visitors", "--colour", "blue", "--target", "100")
    for words in (("add", "people", "40"), ("add", "people"), ("add", "people", "2"), ("undo",), ("add", "people")):
        stage.tally(*words)
    page = stage.paired(width=380, height=600)
    page.shows("42")
    picture = page.picture("beside")
    commands = [(), ("show", "people"), ("history", "people", "--last", "3"), ("report", "people")]
    shown = "\n".join(f"$ {' '.join(('tally', *words))}\n{stage.tally(*words)}" for words in commands)
    equal("42  people" in shown and "42 Visitors" in shown, True, shown)
    both = BESIDE.replace("PAGE", picture).replace("TEXT", html.escape(shown))
    stage.browser.open("data:text/html;base64," + base64.b64encode(both.encode()).decode(), width=1200, height=640)
    page.picture("readme")


def test_goals_limits_and_stopwatches(stage):
    """Beside the number stands what is left of a goal, how full it is, and whether a stopwatch runs."""
    stage.new("laps", target=20)
    stage.add("laps", 8)
    page = stage.page("/counter/laps")
    page.shows("12 left of 20", ".detail")
    stage.add("laps", 12)
    page.shows("goal of 20 reached", ".detail")
    stage.new("inside", maximum=40)
    stage.add("inside", 40)
    page = stage.page("/counter/inside")
    page.shows("full: 40 of 40", ".detail")
    stage.call("Subtract", counter="inside", amount=3)
    page.shows("37 of 40 · room for 3", ".detail")
    stage.new("swim", kind="stopwatch")
    stage.call("Start", counter="swim")
    page = stage.page("/counter/swim")
    page.shows("running", ".detail")
    first = page.text(".number")
    eventually(lambda: page.text(".number") != first, "the time runs")


def test_overview(stage):
    """All counters stand in their groups; a row leads to its counter, and new ones appear by themselves."""
    stage.group("team", title="Blue team")
    stage.new("anna", group="team")
    stage.new("people")
    stage.formula("double", "people * 2")
    page = stage.page("/all")
    eventually(lambda: page.run("return document.querySelectorAll('.row').length") == 3, "three rows")
    equal(page.run("return [...document.querySelectorAll('h2')].map(one => one.textContent)"), ["Blue team", "Without a group"],
          "the groups")
    stage.add("people", 12345)
    page.says("24,690", ".all")
    stage.new("bea", group="team")
    eventually(lambda: page.run("return document.querySelectorAll('.row').length") == 4, "the new counter's row")
    page.picture("all")
    page.run("document.querySelector('.row').click()")
    page.shows("anna", "h1")


def test_formula_and_group(stage):
    """A formula offers no undo and no reset, which it has not; an event of a group or a formula names it."""
    stage.tally("new", "people")
    stage.tally("formula", "double = people * 2")
    stage.tally("group", "new", "team")
    page = stage.paired(width=1280, height=800)
    box = "return document.querySelector('.acts').getBoundingClientRect().height > 0"
    equal(page.run(box), True, "whether a counter offers an undo")
    subjects = "return [...document.querySelectorAll('.last li')].map(one => one.querySelector('em').textContent)"
    becomes(lambda: page.run(subjects), ["group team", "formula double", "people"], "the subjects")
    page = stage.page("/counter/double")
    page.can_count()
    equal(page.run(box), False, "whether a formula offers an undo")


def test_large_numbers(stage):
    """Numbers of any length are exact and fit their space, from a small phone to a wall."""
    stage.new("n")
    numbers = ["7", "42", "999", "-1234567", "9007199254740993", "9223372036854775807"]
    for value in numbers:
        stage.call("Correct", counter="n", value=int(value))
        shown = f"{int(value):,}".replace("-", "−") if len(value.lstrip("-")) > 4 else value
        for width, height in [(320, 568), (1920, 1080), (3840, 2160)]:
            page = stage.page("/wall/n", width=width, height=height)
            page.shows(shown)
            box = page.run("const n = document.querySelector('.number').getBoundingClientRect(); return [n.left, n.top, n.right, n.bottom]")
            fits = box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height
            equal(fits, True, f"whether {shown} fits {width} x {height}: {box}")
            if len(value) <= 3 and width > height:
                share = (box[3] - box[1]) / height
                equal(share >= 0.6, True, f"whether {shown} fills 60 % of {height}: {share:.2f}")
    page.picture("wall")


# Remembers when the page has begun a flash, by its own clock.
FLASHES = """
window.begun = [];
const box = document.querySelector(".area"), flashes = text => text.split(" ").includes("flash");
new MutationObserver(records => records.forEach((one, place) => {
  if (!flashes(one.oldValue) && flashes(records[place + 1]?.oldValue ?? box.className)) window.begun.push(performance.now());
})).observe(box, {attributes: true, attributeFilter: ["class"], attributeOldValue: true});
"""


def test_flashes_are_few(stage):
    """Ten counts a second flash at most three times in any second (WCAG 2.3.1), and each still moves the number."""
    stage.new("fast")
    page = stage.page()
    page.shows("0")
    page.run(WATCH)
    page.run(FLASHES)
    page.stop_time()
    for number in range(1, 31):
        stage.add("fast")
        # A page that is told late is told of several counts at once.
        page.shows(str(number))
        page.pass_time(0.1)
    times = page.run("return window.begun")
    equal(len(times) >= 3, True, f"whether it flashes at all: {times}")
    most = max(sum(begin <= one < begin + 1000 for one in times) for begin in times)
    equal(most <= 3, True, f"whether at most 3 flashes come in a second: {most}")
    equal(page.run("return window.seen"), [str(number) for number in range(1, 31)], "the numbers that were shown")


def test_reduced_motion(stage):
    """With reduced motion the rim changes instead of a flash."""
    stage.new("calm")
    page = stage.page(features=[("prefers-reduced-motion", "reduce")])
    page.shows("0")
    page.run("window.ticks = 0; new MutationObserver(() => window.ticks++).observe(document.querySelector('.area'), {attributes: true})")
    stage.add("calm")
    page.shows("1")
    equal(page.run("return document.querySelector('.area').getAnimations({subtree: true}).length"), 0, "animations")
    equal(page.run("return window.ticks") > 0, True, "whether the rim changed")


def test_frozen_board(stage):
    """A number whose board has stopped looks old after 11 seconds and says since when; then it is right again by itself."""
    page = stage.watching()
    page.run(WATCH)
    stage.board.freeze()
    stage.add("people", 7)
    page.pass_time(11)
    eventually(lambda: page.is_old, "the number looks old")
    equal(page.text("#notice").startswith("Not live since "), True, page.text("#notice"))
    equal(page.text(".number"), "0", "the number")
    page.picture("old")
    stage.board.resume()
    page.shows("7")
    page.is_live()
    equal(page.run("return window.mark"), "same page", "the page")
    equal(page.run("return window.seen"), ["7"], "the numbers that were shown")


def test_core_away(stage):
    """Where the core ends, the number looks old; once it is back, it is right by itself."""
    stage.new("people")
    stage.add("people", 5)
    page = stage.page()
    page.shows("5")
    page.run(WATCH)
    page.loses(stage.core)
    equal(page.text("#notice").startswith("There is no core since "), True, page.text("#notice"))
    stage.core.start()
    stage.add("people")
    page.shows("6")
    page.is_live()
    equal(page.run("return window.seen"), ["6"], "the numbers that were shown")


def test_board_restarts(stage):
    """A board that is killed and started again is found again without a reload."""
    page = stage.watching()
    page.run(WATCH)
    page.loses(stage.board)
    stage.add("people")
    # There is no board yet: each try fails.
    for _ in range(3):
        streams = page.run("return window.streams")
        page.pass_time(15)
        eventually(lambda: page.run("return window.streams") > streams, "the page tries again")
    stage.board.start()
    page.pass_time(15)
    page.shows("1")
    page.is_live()
    equal(page.run("return [window.mark, window.seen]"), ["same page", ["1"]], "the page, and what it showed")


def test_wall_says_since_when(stage):
    """A wall whose core is away says since when its number is old, and shows the number almost as large as before."""
    stage.new("people")
    for width, height in [(1920, 1080), (320, 568)]:
        page = stage.page("/wall/people", width=width, height=height)
        page.shows("0")
        before = page.run("return document.querySelector('.box').getBoundingClientRect().height")
        equal(page.text("header"), "", "the words above a live number")
        page.loses(stage.core)
        equal(page.text("header").startswith("There is no core since "), True, f"the words on the wall: {page.text('header')!r}")
        equal(page.run("return document.querySelector('#notice').checkVisibility()"), True, "whether they are seen")
        share = page.run("return document.querySelector('.box').getBoundingClientRect().height") / before
        equal(share > 0.8, True, f"whether the number keeps its size: {share:.2f}")
        page.picture(f"wall-old-{width}")
        stage.core.start()
        page.is_live()


def test_page_without_counts(stage):
    """A page that has not been told of any counter yet says why, and does not say that there is none; with a core it shows the counts."""
    stage.new("people", start=5)
    stage.core.kill()
    stage.board.end()
    stage.start_board()
    for path in ["/", "/all", "/wall", "/wall/people", "/counter/people"]:
        page = stage.page(path)
        eventually(lambda: "not known yet" in (page.text("main") or ""), f"the sentence in {path}")
        equal("There is no core since" in page.text("main"), True, page.text("main"))
        equal("tally new" in page.text("main"), False, f"whether {path} says to make a counter: {page.text('main')!r}")
        equal(page.axe(), [], f"what axe finds in {path}")
    stage.core.start()
    page.shows("5")


def test_old_stopwatch(stage):
    """A running stopwatch that gets old stands still at its last true reading, and passes through no false one."""
    stage.new("swim", kind="stopwatch")
    stage.call("Start", counter="swim")
    seconds = lambda text: sum(float(part) * 60 ** place for place, part in enumerate(reversed(text.split(":"))))
    page = stage.page("/counter/swim")
    eventually(lambda: page.text(".number") is not None, "the stopwatch is there")
    begun = page.text(".number")
    eventually(lambda: page.text(".number") != begun, "the time runs")
    page.run(WATCH)
    before = seconds(page.text(".number"))
    eventually(lambda: seconds(page.text(".number")) >= before + 1, "the time runs on")
    page.loses(stage.core)
    # The page may be about to show the frame that it has begun.
    frames = "requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    page.run_async(frames)
    old = page.text(".number")
    # A clock that is moved on would move the reading, too, as soon as the board tells its own time.
    page.run_async("setTimeout(done, 1000)")
    equal(page.text(".number"), old, "the old reading, a second later")
    stage.core.start()
    page.is_live()
    eventually(lambda: seconds(page.text(".number")) > seconds(old) + 1, "the time runs on")
    equal(seconds(old) >= before, True, f"whether the old reading {old} is at least {before}")
    seen = [seconds(text) for text in page.run("return window.seen")]
    # The page counts on until it knows that the core is away, and goes back no further than to the reading that was true.
    reached = next(place for place, one in enumerate(seen) if one >= seconds(old))
    equal([one for one in seen[reached:] if one < seconds(old)], [], f"readings before {old}")


def test_incomplete_page(stage):
    """A page whose board ended before all files had come is loaded again once the board is back."""
    stage.new("people", start=5)
    for file in ["board.css", "board.js"]:
        with stage.browser.without(file):
            stage.browser.command("Network.clearBrowserCache")
            # Such a page is loaded again by itself, and waits for no font.
            page = stage.browser.open(stage.origin)
            page.run("window.mark = 'incomplete'")
        page.pass_time(2)
        eventually(lambda: page.run("return window.mark ?? null") is None, f"the page without {file} was loaded again")
        page.shows("5")


def tried(stage, method, **parameters):
    """Whether the core took a call."""
    try:
        stage.core.call(method, **parameters)
        return True
    except (Refused, ConnectionError):
        return False


def test_hostile_texts(stage):
    """Titles, icons, notes, groups and causes are text in every view, whatever they hold."""
    taken = 0
    for number, text in enumerate(TEXTS.values()):
        counter, group = f"c{number}", f"g{number}"
        tried(stage, "Create", name=counter)
        tried(stage, "CreateGroup", name=group)
        for field in ["title", "icon", "note"]:
            taken += tried(stage, "Set", **{"counter": counter, field: text})
            tried(stage, "SetGroup", **{"group": group, field: text})
        tried(stage, "Set", counter=counter, group=group)
        tried(stage, "Add", counter=counter, cause={"producer": "test", "device": text, "gesture": text})
    equal(taken > len(TEXTS), True, f"whether most texts were taken: {taken}")
    counters = json.loads(f"[{','.join(stage.tally('show', '--json').splitlines())}]")
    views = [f"/{view}/c{number}" for view in ("counter", "wall", "past") for number in range(3, len(TEXTS), 18)]
    for path in ["/", "/all", *views]:
        page = stage.page(path)
        eventually(lambda: page.text("main") not in (None, "", "Waiting for the counts …"), f"{path} shows something")
        elements = page.run("""return [...document.querySelectorAll("main img:not(.plot), iframe, object, main script, [onload], [onerror], [x]:not(svg *)")]
            .map(one => one.outerHTML)""")
        equal(elements, [], f"elements in {path}")
        if path == "/all":
            def missing():
                shown = " ".join(page.run("return document.querySelector('main').textContent").split())
                return [one for one in counters if " ".join(one["title"].split()) not in shown]

            becomes(missing, [], "counters whose titles are not shown as they are")


def test_accessible(stage):
    """axe finds nothing in any view, in light, dark and high contrast; targets are at least 44 px high."""
    stage.group("team")
    stage.new("people", group="team", colour="yellow", maximum=3)
    stage.new("swim", kind="stopwatch")
    stage.add("people", 3)
    for path in ["/", "/all", "/wall/people", "/counter/nobody"]:
        for theme in ["light", "dark", "contrast"]:
            page = stage.page(f"{path}?theme={theme}", width=390, height=844, dark=theme == "dark")
            eventually(lambda: page.text("main") not in (None, "", "Waiting for the counts …"), "the page is there")
            equal(page.axe(), [], f"what axe finds in {path} in {theme}")
            small = page.run(
                "return [...document.querySelectorAll('a:not([hidden]), button')].filter(one => one.offsetParent && one.offsetHeight < 44).length")
            equal(small, 0, f"targets below 44 px in {path}")
            page.picture(f"{path.strip('/').replace('/', '-') or 'root'}-{theme}")


def test_while_away(stage):
    """After the board was away, the page says how much was counted meanwhile, instead of flashes."""
    stage.new("people")
    stage.tally("new", "litres", "--decimals", "1")
    page = stage.page("/counter/litres")
    page.shows("0.0")
    page.run(WATCH)
    page.loses(stage.board)
    stage.tally("add", "litres", "2.5")
    stage.add("people")
    stage.board.start()
    page.shows("+2.5 while away", ".away")
    equal(page.run("return [window.flashes.map(one => one[0]), window.seen]"), [[], ["2.5"]], "flashes, and the numbers that were shown")
    page.picture("away")


def test_sums(stage):
    """A group shows its sum and its shares as a bar, in its own overview also as numbers, with the highest and the lowest; stopwatches and counts have no common sum, and neither have apples and kilograms."""
    stage.group("team", title="Blue team", icon="🔵", colour="blue")
    stage.new("anna", group="team", start=2)
    stage.new("bea", group="team", start=4)
    stage.new("carl", group="team", start=1)
    texts = "return [...document.querySelectorAll('.row small')].map(one => one.textContent)"
    page = stage.page("/all")
    page.shows("7", ".sum")
    equal((page.run(texts), page.text(".ends"), page.run("return document.querySelectorAll('.share i').length")), (["", "", ""], "", 3), "what stands beside the counters of all groups")
    page = stage.page("/all/team")
    page.shows("7", ".sum")
    equal(page.run(texts), ["28.6 %", "57.1 %", "14.3 %"], "the shares")
    equal(page.text(".ends"), "highest \u2068bea\u2069, lowest \u2068carl\u2069", "the highest and the lowest")
    core = stage.core.call("Overview", group="team")
    equal([one["share"] for one in core["members"]] + [core["sum"]], [286, 571, 143, 7], "what the core says")
    page.run("window.row = document.querySelector('.row'); row.focus()")
    stage.add("anna")
    page.shows("8", ".sum")
    equal(page.run("return document.activeElement === window.row"), True, "whether the row keeps the keyboard")
    stage.tally("new", "litres", "--group", "team", "--decimals", "1", "--start", "0.5")
    eventually(lambda: (page.text(".sum"), page.text(".ends"), "%" in page.text(".all")) == ("", "", False), "no sum with another measure")
    stage.call("Remove", counter="litres")
    page.shows("8", ".sum")
    stage.tally("correct", "bea", "-1")
    eventually(lambda: "%" not in page.text(".all"), "no shares beside a negative count")
    stage.new("swim", kind="stopwatch", group="team")
    eventually(lambda: page.text(".sum") == "", "no sum with a stopwatch")


def test_no_sum_without_a_group(stage):
    """Counters without a group have no sum: nobody said that they belong together."""
    stage.new("anna", start=2)
    stage.new("bea", start=4)
    page = stage.page("/all")
    becomes(lambda: page.run(ROWS), ["anna", "bea"], "the counters")
    equal((page.text(".sum"), page.text(".ends"), "%" in page.text(".all")), ("", "", False), "the sum, the ends and the shares")


def test_nothing_of_that_name(stage):
    """A page of nothing says so, has no buttons of a counter, and on a wall no link out of it."""
    stage.new("people")
    stage.new("bikes")
    page = stage.paired("/counter/bikes")
    stage.call("Remove", counter="bikes")
    page.shows("There is no counter called “bikes”", "h1")
    buttons = "return ['past', 'edit', 'reset'].filter(name => !document.getElementById(name).hidden)"
    equal((page.run(buttons), page.run("return document.title")), ([], "Tallymark"), "the buttons of a counter that is gone, and the title of the window")
    for path, words, links in [("/counter/nobody", "There is no counter called “nobody”", 1), ("/wall/nobody", "There is no counter called “nobody”", 0),
                               ("/all/nobody", "There is no group called “nobody”", 1)]:
        page = stage.page(path)
        page.shows(words, ".empty h1")
        equal(page.run("return document.querySelectorAll('.empty a').length"), links, f"the links in {path}")


def test_formula_as_a_sum(stage):
    """The first formula of a group is its sum, also in the list of a wide screen; shares are of the sum that is said."""
    stage.group("door", title="Front door")
    for name, start in [("in", 443), ("out", 341)]:
        stage.new(name, start=start, group="door")
    page = stage.page("/all/door")
    page.shows("784", ".sum")
    equal("%" in page.text(".all"), True, "whether there are shares of the counters' sum")
    stage.call("CreateFormula", name="inside", title="Inside", formula="in - out", group="door")
    page.shows("\u2068Inside\u2069 102", ".sum")
    equal((page.run("return document.querySelector('.share').checkVisibility()"), "%" in page.text(".all")), (False, False), "whether there are shares of another sum")
    stage.call("SetFormula", name="inside", title="Together", formula="sum(group:door)")
    page.shows("\u2068Together\u2069 784", ".sum")
    equal("%" in page.text(".all"), True, "whether there are shares of the sum that is said")
    page = stage.page("/counter/in", width=1280, height=800)
    page.shows("\u2068Together\u2069 784", ".list .sum")
    stage.add("in")
    page.shows("\u2068Together\u2069 785", ".list .sum")


def test_sharing(stage):
    """Several counters are selected by their rows, and leave as the text of `tally report`, as a mail, and as a table."""
    stage.new("kids", title="kids, small", start=23)
    stage.new("bikes", title="=1+1", start=1234)
    stage.new("cars")
    page = stage.page("/all", width=390, height=844)
    eventually(lambda: page.run("return document.querySelectorAll('a.row').length") == 3, "three rows")
    page.run("document.querySelector('#select').click()")
    eventually(lambda: page.run("return document.querySelector('label.row') !== null"), "the rows can be selected")
    page.run("for (const one of [...document.querySelectorAll('label.row')].slice(0, 2)) one.click()")
    page.shows("2 selected", ".bar span")
    equal(page.run("return document.querySelector('#hints').checkVisibility()"), False, "whether a hint says that a row opens its counter")
    report = stage.tally("report", "kids", "bikes").strip()
    mail = page.run("return decodeURIComponent(document.querySelector('.bar a').href.split('body=')[1])")
    equal(mail, report, "the mail")
    # The browser's clipboard by the way that works without HTTPS.
    page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined});"
             "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })")
    page.press("Copy")
    eventually(lambda: page.run("return window.copied") == report, "the copied text")
    page.saves()
    page.press("CSV")
    equal(page.saved(), 'name,title,value,unit,group\r\nkids,"kids, small",23,,\r\nbikes,\'=1+1,1234,,\r\n', "the table")
    equal(page.axe(), [], "what axe finds")
    page.picture("select")
    page.key("Escape")
    eventually(lambda: page.run("return document.querySelectorAll('a.row').length") == 3, "the rows lead to their counters again")


def test_walls_that_are_left(stage):
    """Many walls, one after the other in one tab, show their numbers at once: those that were left keep no connections."""
    stage.new("people")
    began = time.monotonic()
    for number in range(8):
        stage.page(f"/wall/people?{number}").shows("0")
    took = time.monotonic() - began
    equal(took < 30, True, f"whether eight walls took {took:.0f} s, and not the minute in which a browser forgets one")


def test_sharing_of_one_counter(stage):
    """Share, in the menu of a counter, has the same of that counter alone."""
    stage.new("kids", title="Kids", start=23)
    page = stage.page("/counter/kids", width=390, height=844)
    page.shows("23")
    page.open_sheet("Share")
    page.shows("23 Kids", "dialog [role=status]")
    page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined});"
             "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })")
    page.press("Copy")
    becomes(lambda: page.run("return window.copied"), "23 Kids", "the copied text")
    equal(page.axe(), [], "what axe finds")
    page.close_sheet()
    for path in ["/all", "/past/kids"]:
        page = stage.page(path, width=390, height=844)
        page.says("Kids", "body")
        equal(page.run("document.querySelector('#menu').showPopover(); return document.querySelector('#share').checkVisibility()"), False, f"whether {path} shares one counter")
