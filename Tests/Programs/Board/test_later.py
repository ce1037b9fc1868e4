"""The scripts of the page that are loaded when a person first sets up, enters an amount or looks back."""

from kit.wait import equal, eventually

LOADED = "return performance.getEntriesByType('resource').map(one => new URL(one.name).pathname).filter(one => /^.(later|past)/.test(one)).sort()"
# Whether the browser asks before a reload.
ASKS = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
SENTENCE = "The board does not answer. This opens as soon as it does."


def test_loaded_when_needed(stage):
    """To count, a page loads nothing of the other scripts; the first sheet loads one once, in the version of the page. The past loads its own alone, until a note is written."""
    page = stage.counting()
    page.key(" ")
    page.shows("1")
    equal(page.run(LOADED), [], "what is loaded to count")
    for _ in range(2):
        page.open_sheet("Settings")
        page.close_sheet()
    equal(page.run(LOADED), ["/later.css", "/later.js"], "what is loaded for two sheets")
    build = page.run("return document.documentElement.dataset.build")
    addresses = page.run("return performance.getEntriesByType('resource').map(one => new URL(one.name)).filter(one => one.pathname.startsWith('/later')).map(one => one.search)")
    equal(addresses, [f"?{build}"] * 2, "the versions")
    page = stage.page("/past/people")
    page.shows("1", "dd")
    equal(page.run(LOADED), ["/past.css", "/past.js"], "what is loaded to look back")
    eventually(lambda: page.run("return document.querySelector('[aria-label=\"Note at +1 people\"]') !== null"), "the event")
    page.run("document.querySelector('[aria-label=\"Note at +1 people\"]').click()")
    page.says("+1 people", "dialog h2")


def test_a_sheet_without_a_board(stage):
    """A sheet that is opened while the board is away says so, and opens as soon as the board answers; not behind another counter."""
    stage.new("cars")
    page = stage.counting("/counter/people")
    page.loses(stage.board)
    page.click("Settings")
    page.says(SENTENCE)
    equal(page.text("dialog"), None, "a sheet that is not there yet")
    stage.start_board()
    eventually(lambda: page.text("dialog h2") == "Settings", "the sheet")
    page.close_sheet()
    page = stage.page("/counter/people")
    page.can_count()
    page.has_pages(2)
    page.loses(stage.board)
    page.click("Settings")
    page.says(SENTENCE)
    page.run("document.querySelector('#pager button:last-child').click()")
    page.shows("cars", "h1")
    stage.start_board()
    page.is_live()
    page.pass_time(5)
    page.key(" ")
    page.shows("1")
    equal(page.text("dialog"), None, "a sheet that nobody waits for any more")


def test_ways_out_without_a_board(stage):
    """While the board does not answer, no link, no key and no swipe leaves the page, which says since when and counts on; the browser asks before a reload. Later all of them lead on."""
    stage.group("door")
    stage.new("people", group="door")
    stage.new("bikes", group="door")
    page = stage.paired("/counter/people", width=390, height=844)
    page.shows("0")
    equal(page.run(ASKS), False, "whether a reload is asked about while the board answers")

    def stays(path):
        page.says("Not live since")
        page.says("Other pages open when the board answers again.")
        equal(page.run("return location.pathname"), path, "the address")

    page.loses(stage.board)
    for out in ["#where", "#past"]:
        page.run("document.querySelector(arguments[0]).click()", out)
        stays("/counter/people")
    page.key("a")
    stays("/counter/people")
    page.touch(8, 400, dx=200)
    stays("/counter/people")
    page.key(" ")
    page.waits(1)
    equal(page.run(ASKS), True, "whether a reload is asked about")
    stage.start_board()
    page.is_live()
    page.shows("1")
    equal(page.run(ASKS), False, "whether a reload is asked about when the board answers again")
    page.run("document.querySelector('#where').click()")
    eventually(lambda: page.text(".row") is not None, "the overview")
    page.loses(stage.board)
    for out in [".row", ".all h2 a", "#pager button"]:
        page.run("document.querySelector(arguments[0]).click()", out)
        stays("/all")


def test_a_page_that_was_hidden(stage):
    """A page that comes back from the background lets a person leave until an attempt has failed, and gives its new stream five seconds, however long it was away."""
    page = stage.counting("/counter/people")
    turn = "Object.defineProperty(document, 'hidden', { configurable: true, value: arguments[0] }); document.dispatchEvent(new Event('visibilitychange'))"
    stage.board.freeze()
    page.stop_time()
    page.run(turn, True)
    page.pass_time(12)
    streams = page.run("return window.streams")
    page.run(turn, False)
    page.run("addEventListener('click', event => { window.isRefused = event.defaultPrevented; event.preventDefault(); }); document.querySelector('#where').click()")
    equal(page.run("return window.isRefused"), False, "whether a link is refused")
    equal(page.run(ASKS), False, "whether a reload is asked about")
    for _ in range(2):
        page.pass_time(2)
    equal(page.run("return window.streams") - streams, 1, "the streams within four seconds")
    page.pass_time(2)
    equal(page.run(ASKS), True, "whether a reload is asked about after a failure")
    stage.board.resume()

    def is_live():
        page.pass_time(1)
        return not page.is_old

    eventually(is_live, "the number is live again")
    equal(page.run(ASKS), False, "whether a reload is asked about at last")


def test_the_past_without_a_board(stage):
    """A look at the past, whose script does not arrive, says so and goes on as soon as it does."""
    stage.new("people")
    with stage.browser.without("past.js*"):
        page = stage.page("/past/people")
        page.says(SENTENCE)
    page.pass_time(3)
    eventually(lambda: page.text("dd") == "0", "the total")


def test_a_newer_board(stage):
    """A page of an older version takes no part of a newer one: it reloads, and is whole then."""
    page = stage.counting()
    page.run("document.documentElement.dataset.build = 'old'; window.isOld = true")
    page.click("Settings")
    page.says(SENTENCE)
    equal(page.text("dialog"), None, "a sheet of another version")
    stage.board.end()
    stage.start_board()
    eventually(lambda: page.run("return window.isOld ?? null") is None, "the page reloads")
    page.shows("0")
    page.open_sheet("Settings")
