"""What fits where: phones, walls, long titles and large texts."""

import json
import time

from kit.pages import taps_at_once
from kit.wait import becomes, equal, eventually

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmütze"
BOX = "return document.querySelector('.box').getBoundingClientRect().height"
WIDTHS = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def test_number_on_a_phone(stage):
    """The number has a quarter of a small phone's height, with hints, a long title, a waiting count and a sentence beside it."""
    stage.new("people", maximum=40, target=30)
    stage.paired(setup=True)
    for title in ["people", LONG]:
        stage.tally("set", "people", "--title", title)
        for width, height in [(320, 568), (568, 320)]:
            page = stage.page(width=width, height=height)
            page.can_count()
            page.shows(title, "h1")
            page.picture(f"phone-{width}-{title[:6]}")
            share = page.run(BOX) / height
            equal(share > 0.25, True, f"whether the number has its part of {width} x {height} with the title {title}: {share:.2f}")
            number = page.run("const one = document.querySelector('.number').getBoundingClientRect(); return [one.height, one.left >= 0 && one.right <= innerWidth]")
            equal((number[0] > 0.15 * height, number[1]), (True, True), f"the number in {width} x {height}: {number}")
            between = page.run("const [title, number, gauge] = ['h1', '.number', '.gauge'].map(one => document.querySelector(one).getBoundingClientRect());"
                               "return [number.top - title.bottom, gauge.top - number.bottom]")
            equal(min(between) >= 0, True, f"whether nothing covers the number in {width} x {height}: {between}")
            scroll, client = page.run(WIDTHS)
            equal(scroll <= client, True, f"whether {scroll} px fit {client} px")
    page.loses(stage.core)
    page.key(" ")
    page.waits(1)
    share = page.run(BOX) / height
    equal(share > 0.25, True, f"whether an old number has its part: {share:.2f}")


def test_landscape(stage):
    """On a phone that lies on its side, all buttons are within the window, and the number has a quarter of it."""
    stage.new("pears", title="Pears", maximum=200, target=120, start=72)
    stage.paired()
    for width, height in [(568, 320), (667, 375), (844, 390)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        page.shows("72")
        bottom, number = page.run("return [Math.max(...[...document.querySelectorAll('button')].filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect().bottom)),"
                                  "document.querySelector('.number').getBoundingClientRect().height]")
        page.picture(f"landscape-{width}")
        equal((bottom <= height, number >= height / 4), (True, True), f"whether {bottom} is within {width} x {height}, with a number of {number}")


def test_sheets_on_a_phone_that_lies(stage):
    """The buttons of the keypad, and the bars of the past with their times, are within a window that is not high."""
    stage.counting()
    for hours, amount in [(5, 38), (3, 79)]:
        stage.call("Add", counter="people", amount=amount, time=int((time.time() - hours * 3600) * 1e6))
    for width, height in [(667, 375), (844, 390)]:
        page = stage.page("/counter/people", width=width, height=height)
        page.can_count()
        page.open_sheet("Amount …")
        bottom = page.run("return Math.max(...[...document.querySelectorAll('dialog button')].map(one => one.getBoundingClientRect().bottom))")
        equal(bottom <= height, True, f"whether the buttons end at {bottom} of {height}")
        page = stage.page("/past/people", width=width, height=height)
        bottom = eventually(lambda: page.run("return document.querySelector('.plot svg')?.getBoundingClientRect().bottom"), "the chart")
        equal(bottom <= height, True, f"whether the chart ends at {bottom} of {height}")
        tallest = page.run("return Math.max(...[...document.querySelectorAll('dd')].map(one => one.getBoundingClientRect().height))")
        equal(tallest < 30, True, f"whether each sum is in one line: {tallest} px")


def test_chart_fills_a_phone(stage):
    """The chart takes what the buttons and sums leave of a phone's first screen."""
    stage.watching()
    page = stage.page("/past/people", width=390, height=844)
    size = "const one = document.querySelector('.plot svg')?.getBoundingClientRect(); return one && [one.height, one.bottom]"
    height, bottom = eventually(lambda: page.run(size), "the chart")
    equal((height > 844 / 2, bottom < 844), (True, True), f"whether the chart has half of the screen and ends in it: {height}, {bottom}")


def test_tail_of_a_comma(stage):
    """Nothing cuts the comma of a large number, which goes below the digits: on the sheet, on a wall and on a tile."""
    stage.new("visitors", start=48213)
    stage.new("people", start=12345)
    stage.paired()
    for path in ["/counter/visitors", "/wall/visitors", "/all?tiles=on"]:
        for width, height in [(844, 390), (1280, 800), (390, 844)]:
            page = stage.page(path, width=width, height=height)
            page.shows("48,213")
            page.run_async("document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
            box = page.run("const one = document.querySelector('.number').getBoundingClientRect(); return [one.x, one.y, one.width, one.height * 1.2]")
            clip = {**dict(zip(("x", "y", "width", "height"), box)), "scale": 1}

            def picture(overflow):
                page.run("for (const one of document.querySelectorAll('.area, .tile')) one.style.overflow = arguments[0]", overflow)
                return page.browser.command("Page.captureScreenshot", format="png", clip=clip)["data"]

            # A hand may move across it meanwhile.
            eventually(lambda: picture("") == picture("visible"), f"{path} shows the number as where nothing is cut, in {width} x {height}")


def test_scrolling_by_the_number(stage):
    """A page that is longer than the window, as of large texts, is scrolled by a finger on the number, which counts nothing; one that fits is not."""
    stage.new("people", title="A title in very large letters", maximum=40, start=5)
    stage.paired()
    page = stage.page("/?scale=300", width=320, height=568)
    page.can_count()
    eventually(lambda: page.run("return document.documentElement.classList.contains('tall')"), "the page is longer than the window")
    page.touch(160, 400, dy=-250)
    eventually(lambda: page.run("return scrollY") > 50, "the page is scrolled")
    page.touch(160, 100, dy=200)
    page = stage.page(width=320, height=568)
    page.can_count()
    page.touch(160, 250, dy=200)
    page.shows("4")
    equal(page.run("return scrollY"), 0, "whether the page was scrolled")
    equal(len(stage.core.counts()), 1, "the counts, also of the page that was scrolled")


def test_words_of_undo(stage):
    """The whole words of the undo button are seen where the place is narrow, also with a large amount and a long name of a device."""
    stage.new("people", step=123456)
    stage.paired()
    key = stage.key("The phone of Anna at the front door left")
    epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
    stage.post("/count", {"epoch": epoch, "sequence": 1, "taps": [{"verb": "add", "counter": "people", "gesture": "tap", "age": 0}]}, key)
    cut = ("const one = document.querySelector('.acts button'), span = one.querySelector('span'), box = one.getBoundingClientRect(), words = span.getBoundingClientRect();"
           "return [span.scrollWidth > span.clientWidth + 1, words.bottom > box.bottom, words.right > box.right, box.right > innerWidth]")
    for width, height in [(320, 568), (390, 844), (568, 320), (1100, 800), (1280, 800)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        eventually(lambda: "+123,456" in (page.text(".acts button") or ""), "the words")
        page.picture(f"undo-{width}")
        equal(page.run(cut), [False] * 4, f"what is cut of {page.text('.acts button')!r} in {width} x {height}")


def test_amounts_of_the_last_event(stage):
    """The amount of the last event is whole beside the buttons of a small phone."""
    stage.new("people", step=1234567)
    page = stage.paired("/counter/people", width=320, height=568)
    page.touch(160, 300)
    page.shows("1,234,567")
    stage.call("Correct", counter="people", value=9123456789)
    page.shows("9,123,456,789")
    eventually(lambda: "corrected" in page.text(".ev b"), "the last event")
    page.picture("last-event-320")
    cut = "return [...document.querySelectorAll('.ev b, .acts button span')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    equal(page.run(cut), [], "the words that are cut")
    equal(page.run("return document.documentElement.scrollHeight <= innerHeight"), True, "whether all is on the screen")


def test_last_event_on_a_phone(stage):
    """The last event says by whole words what it was, keeps its time in one line, and its device apart."""
    stage.new("people")
    stage.paired()
    stage.call("Correct", counter="people", value=-17)
    cut = ("const words = document.querySelector('.ev b'), time = document.querySelector('.ev time'), range = new Range(); range.selectNodeContents(document.querySelector('.ev small'));"
           "const by = range.getBoundingClientRect(), when = time.getBoundingClientRect();"
           "return [words.scrollWidth > words.clientWidth + 1, words.scrollHeight > words.clientHeight + 1, time.getClientRects().length > 1, by.left < when.right + 4 && by.top < when.bottom - 2]")
    for width, height in [(320, 568), (390, 844)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        eventually(lambda: "corrected" in (page.text(".ev b") or ""), "the last event")
        page.picture(f"last-event-{width}-corrected")
        equal(page.run(cut), [False] * 4, f"what is cut of {page.text('.ev')!r} in {width} x {height}")


def test_words_of_undo_on_a_phone(stage):
    """The button that undoes a change of settings or a correction stays a button of two lines, and breaks no word."""
    stage.new("people")
    stage.paired()
    stage.call("Correct", counter="people", value=-17)
    size = ("const one = document.querySelector('.acts button'), words = one.querySelector('small'), range = new Range(); range.selectNodeContents(words);"
            "return [one.getBoundingClientRect().height, new Set([...range.getClientRects()].map(one => Math.round(one.top))).size, one.querySelector('span').firstChild.textContent]")
    for width, height in [(390, 844), (844, 390), (1280, 800)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        becomes(lambda: page.text(".acts button span").replace("\n", " "), "Undo corrected −17 (test)", "the words")
        tall, lines, first = page.run(size)
        equal((tall <= 56, lines <= 2, first), (True, True, "Undo"), f"the button in {width} x {height}: {tall} px, {lines} lines")
    stage.core.call("Add", counter="people", cause={"producer": "tally-board", "device": "Ben's phone"})
    for width, height in [(390, 844), (844, 390), (1280, 800)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        becomes(lambda: page.text(".acts button span").replace("\n", " "), "Undo +1 (Ben's phone)", "the words")
        equal(page.run(size)[1], 1, f"the lines of the device in {width} x {height}")


def test_words_of_the_last_events(stage):
    """Each of the last events says by whole words what it changed, with the title of the counter and its time, on a phone as well."""
    stage.new("people", title="People at the door")
    stage.call("Set", counter="people", maximum=90)
    stage.call("Set", counter="people", target=70)
    stage.call("Correct", counter="people", value=50)
    stage.tally("undo")
    cut = "return [...document.querySelectorAll('.last li > b')].filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"
    for width, height in [(390, 844), (1280, 800)]:
        page = stage.page(width=width, height=height)
        page.shows("0")
        if width < 1100:
            page.run("document.querySelector('.ev').click()")
        becomes(lambda: page.run("return [...document.querySelectorAll('.last li > b')].map(one => one.innerText)"),
                ["undid +50", "corrected +50", "Goal 70", "Limit 90", "created"], "the events")
        equal(page.run(cut), [], f"the words that are cut in {width} x {height}")
        lines = page.run("return [...document.querySelectorAll('.last li')].map(one => [one.querySelector('em').innerText, one.querySelector('time').checkVisibility()])")
        equal(lines, [["People at the door", True]] * 5, f"the titles, and whether the times are seen, in {width} x {height}")


def test_long_title_of_a_counter(stage):
    """A long title ends after two whole lines, by an ellipsis."""
    stage.new("people", title=f"{LONG} {LONG} {LONG}")
    for width, height in [(390, 844), (1280, 800)]:
        page = stage.page(width=width, height=height)
        page.shows("0")
        lines, clamp, is_longer = page.run("const title = document.querySelector('.one h1'), style = getComputedStyle(title);"
                                           "return [title.clientHeight / parseFloat(style.lineHeight), style.webkitLineClamp, title.scrollHeight > title.clientHeight]")
        equal((abs(lines - 2) < 0.05, clamp, is_longer), (True, "2", True), f"the title in {width} x {height}: {lines} lines")


def test_words_of_what_waits(stage):
    """The words of what waits have two lines at most on a phone, and leave the number where it is."""
    stage.new("people", start=5)
    page = stage.paired()
    page.touch(*page.middle(".number"))
    page.shows("6")
    lines = ("const range = new Range(); range.selectNodeContents(document.querySelector('#waiting'));"
             "return new Set([...range.getClientRects()].map(one => Math.round(one.top))).size")
    bottom = "return document.querySelector('.number').getBoundingClientRect().bottom"
    for width, height, number in [(390, 844, 1), (390, 844, 130), (360, 640, 12)]:
        page = stage.page(width=width, height=height)
        page.can_count()
        eventually(lambda: page.text(".acts button") == "Undo +1", "the words of undo")
        before = page.run(bottom)
        stage.core.freeze()
        taps_at_once(page, number)
        page.waits(number)
        page.picture(f"waits-{width}-{number}")
        equal((page.run(lines) <= 2, page.run(bottom)), (True, before), f"the words of {number} in {width} x {height}: {page.run(lines)} lines, and the number")
        stage.core.resume()
        page.waits(0)


def test_sizes_on_a_large_screen(stage):
    """On a 4K screen buttons, events and the words of a chart are as large, beside the texts, as on a laptop."""
    stage.new("people", start=5, target=9)
    for number in range(3):
        stage.add("people")
    stage.paired(setup=True).can_count()
    # What is pressed, by the size of its letters.
    parts = ("return [...document.querySelectorAll('.acts button, .last button, .add, dialog .acts-of button')].filter(one => one.checkVisibility())"
             ".map(one => [one.outerHTML.slice(0, 60), one.getBoundingClientRect().height / parseFloat(getComputedStyle(document.documentElement).fontSize)])")
    for path, ready, sheet in [("/counter/people", ".today .digits", "Amount …"), ("/all", ".row", None)]:
        page = stage.page(path, width=3840, height=2160)
        eventually(lambda: page.text(ready) is not None, f"{path} is there")
        if sheet:
            rows = page.run("return [...document.querySelectorAll('.last li')].map(one => one.getBoundingClientRect().height - one.children[1].getBoundingClientRect().height)")
            equal(min(rows) >= 8, True, f"the room of the events: {rows}")
        if sheet:
            page.open_sheet(sheet)
        found = page.run(parts)
        equal([one for one in found if one[1] < 2], [], f"buttons that are small in {path}")
        equal(len(found) > 0, True, "whether there are buttons")
    for path in ["/wall/people", "/wall/nobody"]:
        page = stage.page(path, width=3840, height=2160)
        tall = eventually(lambda: page.run("const title = document.querySelector('#view h1:not(.loading)'); return title && parseFloat(getComputedStyle(title).fontSize)"), f"the title of {path}")
        equal(tall > 0.04 * 2160, True, f"whether the title of {path} is large: {tall} px")
    page = stage.page("/past/people", width=3840, height=2160)
    size = "const one = document.querySelector('.plot text'); return one && one.getBoundingClientRect().height / parseFloat(getComputedStyle(document.documentElement).fontSize)"
    equal(eventually(lambda: page.run(size), "the chart") > 0.7, True, f"whether the words of the chart can be read: {page.run(size)}")
    page.mouse("mouseMoved", *page.run("const { right, top, height } = [...document.querySelectorAll('.slot .back')].at(-1).getBoundingClientRect(); return [right - 5, top + height / 2]"))
    page.says("3", ".reading")


def test_long_titles_in_the_overview(stage):
    """No title and no button makes the overview wider than a small phone."""
    stage.group("team", title="Blaue Mannschaft mit einem langen Namen " + LONG)
    stage.new("people", group="team", title=LONG)
    stage.new("bikes", group="team")
    stage.add("bikes")
    stage.paired(setup=True)
    for path in ["/all", "/all/team"]:
        page = stage.page(path, width=320, height=568)
        eventually(lambda: page.run("return document.querySelectorAll('.row').length") == 2, "the rows")
        page.picture("all-320")
        if path == "/all/team":
            page.says("highest", ".all")
        scroll, client = page.run(WIDTHS)
        equal(scroll <= client, True, f"whether {scroll} px of {path} fit {client} px")


# Catches the function that moves a wall once a minute.
DRIFT = "const begin = window.setInterval; window.setInterval = (act, time) => { if (time === 60000) window.drift = act; return begin(act, time); };"


def test_drift_of_a_wall(stage):
    """A wall that has drifted as far as it can shows the whole number and no scroll bar."""
    stage.new("n", start=9223372036854775807)
    with stage.browser.script(DRIFT):
        for width, height in [(320, 568), (1920, 1080)]:
            page = stage.page("/wall/n", width=width, height=height)
            page.shows("9,223,372,036,854,775,807")
            for chance in [0, 0.999999]:
                page.run("Math.random = () => arguments[0]; document.body.style.transition = 'none'; window.drift()", chance)
                box = page.run("const one = document.querySelector('.number').getBoundingClientRect(); return [one.left, one.right]")
                equal(box[0] >= 0 and box[1] <= width, True, f"whether the number is within {width} px: {box}")
                equal(page.run("return [innerWidth - document.documentElement.clientWidth, innerHeight - document.documentElement.clientHeight]"),
                      [0, 0], "the scroll bars")
                equal(page.run("return getComputedStyle(document.body).translate") != "none", True, "whether it drifts")


def test_targets_of_sheets(stage):
    """Targets in the sheets are at least 44 px high."""
    stage.new("people")
    page = stage.paired(setup=True)
    page.can_count()
    small = ("return [...document.querySelectorAll('dialog a, dialog button, dialog select')].filter(one => one.checkVisibility())"
             ".filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)")
    for words in ["Settings", "Edit"]:
        page.open_sheet(words)
        equal(page.run(small), [], f"small targets in {words}")
        page.close_sheet()


OUTSIDE = ("return [...document.querySelectorAll('header *, main *, dialog[open] *')].filter(one => one.checkVisibility() && one.getClientRects().length"
           " && !one.closest('svg')).filter(one => { const box = one.getBoundingClientRect(); return box.left < -0.5 || box.right > innerWidth + 0.5; })"
           ".map(one => one.outerHTML.slice(0, 80))")


def test_large_texts_on_a_phone(stage):
    """At three times the size of texts nothing in the header, the view or a sheet lies beyond the sides of a small phone."""
    stage.group("team", title="The whole team")
    stage.new("people", group="team", title=LONG, maximum=40)
    stage.new("bikes", group="team")
    stage.add("people", 12)
    stage.paired(setup=True)
    for path, ready in [("/counter/people", ".number"), ("/all", ".row"), ("/past/people", "td"), ("/pair", "form")]:
        page = stage.page(f"{path}?scale=300", width=320, height=568)
        eventually(lambda: page.text(ready) is not None, f"{path} is there")
        page.picture(f"large-{path.split('/')[1]}")
        scroll, client = page.run(WIDTHS)
        equal(scroll <= client, True, f"whether {scroll} px of {path} fit {client} px")
        equal(page.run(OUTSIDE), [], f"what lies outside in {path}")
        for words in page.run("return [...document.querySelectorAll('#menu button')].filter(one => !one.hidden && !['help', 'reset'].includes(one.id)).map(one => one.textContent)"):
            page.open_sheet(words)
            equal(page.run(OUTSIDE), [], f"what lies outside in {words} of {path}")
            scroll, client = page.run(WIDTHS.replace("document.documentElement", "document.querySelector('dialog')"))
            equal(scroll <= client, True, f"whether {scroll} px of the sheet {words} fit {client} px")
            page.picture(f"large-{path.split('/')[1]}-{words[:3]}")
            page.close_sheet()


def test_keypad_with_large_texts(stage):
    """At three times the size of texts all keys of the keypad are seen at once, and no sign is cut off, on a phone that stands or lies."""
    stage.counting()
    for width, height in [(320, 568), (390, 844), (844, 390)]:
        page = stage.page("/counter/people?scale=300", width=width, height=height)
        page.can_count()
        page.open_sheet("Amount …")
        page.picture(f"keypad-300-{width}")
        bottom, cut = page.run("const keys = [...document.querySelectorAll('.keys button')]; return [Math.max(...keys.map(one => one.getBoundingClientRect().bottom)),"
                               "keys.filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)]")
        sheet = page.run("return document.querySelector('dialog').getBoundingClientRect().bottom")
        equal((bottom <= min(height, sheet), cut), (True, []), f"whether the keys end at {bottom} of {height}, and what is cut off")


def test_number_beside_large_texts(stage):
    """However large the texts are, the number keeps a fifth of the window, and the page can be scrolled."""
    stage.new("pears", title="Pears", start=72)
    stage.paired()
    for width, height in [(390, 844), (360, 740), (412, 915), (768, 1024), (1280, 800)]:
        for scale in (50, 100, 150, 200, 300):
            page = stage.page(f"/counter/pears?scale={scale}", width=width, height=height)
            page.shows("72")
            share = page.run("return document.querySelector('.number').getBoundingClientRect().height") / height
            equal(share >= 0.2, True, f"whether the number has its part of {width} x {height} at {scale} %: {share:.2f}")
            scroll, client = page.run(WIDTHS)
            equal(scroll <= client, True, f"whether {scroll} px fit {client} px")
