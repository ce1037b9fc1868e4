"""Ordering, deleting and pinning in the overview."""

from kit.pages import ROWS
from kit.wait import becomes, equal, eventually


def grip(page, name):
    """The middle of a counter's handle."""
    return page.middle(f"[data-name='{name}'] .grip")


def row(page, name):
    """The middle of a counter's row."""
    return page.middle(f"[data-name='{name}'] .row")


def names(stage):
    return [one["name"] for one in stage.core.call("List")["counters"]]


def select(page):
    """Has the rows selected, for which a device that may set up loads the second script first."""
    page.run("document.querySelector('#select').click()")
    eventually(lambda: page.run("return document.querySelector('label.row') !== null"), "the rows can be selected")


def editing(stage, path="/all", width=390, height=844):
    """The overview of a device that may set up, with rows to select."""
    page = stage.paired(path, setup=True, width=width, height=height)
    eventually(lambda: page.run("return document.querySelector('.add') !== null"), "the overview is there")
    select(page)
    eventually(lambda: page.run("return document.querySelector('.grip') !== null"), "the rows have handles")
    return page


def test_drag(stage):
    """A handle carries a row on top of the others, by finger and by mouse; rows change places when its middle passes theirs. The core keeps the order, and an undo brings it back."""
    for name in "abcd":
        stage.new(name)
    page = editing(stage)
    x, y = grip(page, "a")
    height = page.run("return document.querySelector('.row').parentNode.getBoundingClientRect().height")
    page.fingers("touchStart", (x, y, 0))
    for part in (0.2, 0.4, 0.45):
        page.fingers("touchMove", (x, y + part * height, 0))
    equal(page.run(ROWS), list("abcd"), "the rows before its middle passes the next one's")
    page.fingers("touchMove", (x, y + 1.1 * height, 0))
    becomes(lambda: page.run(ROWS), list("bacd"), "the rows when it has passed one")
    dragged = page.run("const one = document.querySelector('.dragged'), box = one.getBoundingClientRect();"
                       "return [document.elementFromPoint(box.x + 60, box.y + 10).closest('li') === one, box.y + box.height / 2]")
    equal((dragged[0], abs(dragged[1] - (y + 1.1 * height)) < 2), (True, True), f"whether it is on top, at the finger: {dragged}")
    page.picture("drag")
    for part in (1.8, 2.2):
        page.fingers("touchMove", (x, y + part * height, 0))
    # What others count meanwhile leaves the row at the finger.
    stage.add("d", 5)
    page.fingers("touchEnd")
    becomes(lambda: names(stage), list("bcad"), "the core's order")
    becomes(lambda: page.run(ROWS), list("bcad"), "the rows")
    x, y = grip(page, "d")
    page.mouse("mousePressed", x, y)
    page.mouse("mouseMoved", x, y - 2 * height)
    page.mouse("mouseMoved", x, y - 3.2 * height)
    page.mouse("mouseReleased", x, y - 3.2 * height)
    becomes(lambda: names(stage), list("dbca"), "the core's order after the mouse")
    page.says("d moved.", ".bars")
    equal(page.axe(), [], "what axe finds")
    page.click("Undo")
    becomes(lambda: page.run(ROWS), list("bcad"), "the rows after the undo")
    # A drag that Escape ends changes nothing.
    events = len(stage.core.events())
    x, y = grip(page, "b")
    page.mouse("mousePressed", x, y)
    page.mouse("mouseMoved", x, y + 2 * height)
    page.key("Escape")
    page.mouse("mouseReleased", x, y + 2 * height)
    becomes(lambda: page.run(ROWS), list("bcad"), "the rows after Escape")
    equal((len(stage.core.events()), [stage.core.value(one) for one in "abcd"]), (events, [0, 0, 0, 5]), "what was recorded")


def test_drag_into_another_group(stage):
    """A row that is dragged among those of another group is of that group; a refused one returns to its place."""
    stage.group("door")
    stage.group("team")
    stage.new("people", group="door")
    stage.new("bikes", group="door")
    stage.new("anna", group="team")
    page = editing(stage)
    x, y = grip(page, "people")
    there = grip(page, "anna")[1]
    page.run("window.dragged = document.querySelector('[data-name=people]')")
    page.touch(x, y, dy=there - y + 12)
    becomes(lambda: stage.core.call("Get", counter="people")["counter"]["group"], "team", "its group")
    becomes(lambda: names(stage), ["bikes", "anna", "people"], "the order")
    eventually(lambda: not page.run("return window.dragged.isConnected"), "the rows are drawn as the core has them")
    becomes(lambda: page.run(ROWS), ["bikes", "anna", "people"], "the rows")
    there = grip(page, "anna")[1]
    page.loses(stage.core)
    x, y = grip(page, "bikes")
    page.touch(x, y, dy=there - y + 12)
    page.says("There is no core now")
    becomes(lambda: page.run(ROWS), ["bikes", "anna", "people"], "the rows after the refusal")


def test_order_by_keys(stage):
    """The keyboard moves a row by its handle, which keeps the keyboard."""
    for name in "abc":
        stage.new(name)
    page = editing(stage)
    page.run("[...document.querySelectorAll('.grip')][2].focus()")
    for order in ("acb", "cab"):
        page.key("ArrowUp")
        becomes(lambda: page.run(ROWS), list(order), "the rows")
        becomes(lambda: page.run("return document.activeElement.ariaLabel ?? ''").startswith("Move c "), True, "whether the handle has the keyboard")
    page.key("ArrowDown")
    becomes(lambda: names(stage), list("acb"), "the core's order")
    equal([event["cause"]["device"] for event in stage.core.events()[-3:]], ["Anna's phone"] * 3, "who ordered them")


def test_delete(stage):
    """While rows are selected a swipe deletes one, and a button those that are selected; an undo brings them back with their counts. A swipe outside of it deletes nothing."""
    for name in "abcd":
        stage.new(name, start=7)
    page = stage.paired("/all", setup=True, width=390, height=844)
    eventually(lambda: page.run("return document.querySelectorAll('.row').length") == 4, "the rows")
    page.touch(*row(page, "b"), dx=-170)
    page.touch(*row(page, "b"), dx=-170)
    equal(page.run("return document.querySelector('.wiped')"), None, "whether a row moves")
    select(page)
    x, y = row(page, "b")
    page.fingers("touchStart", (x, y, 0))
    page.fingers("touchMove", (x - 40, y, 0))
    page.fingers("touchMove", (x - 150, y, 0))
    page.picture("delete")
    page.fingers("touchEnd")
    becomes(lambda: names(stage), list("acd"), "what is left")
    page.says("Deleted: b.", ".bars")
    becomes(lambda: page.run(ROWS), list("acd"), "the rows")
    # Too short a swipe is none.
    x, y = row(page, "a")
    page.touch(x, y, dx=-60)
    equal(page.run("return getComputedStyle(document.querySelector('.row')).translate"), "none", "whether the row is back")
    page.click("Undo")
    becomes(lambda: page.run(ROWS), list("abcd"), "the rows after the undo")
    equal(stage.core.value("b"), 7, "its count")
    page.run("for (const one of [...document.querySelectorAll('label.row')].slice(2)) one.click()")
    page.click("Delete")
    becomes(lambda: names(stage), list("ab"), "what is left of two that were selected")
    page.says("Deleted: c, d.", ".bars")
    page.picture("deleted")
    equal(page.axe(), [], "what axe finds")
    page.click("Undo")
    becomes(lambda: names(stage), list("abcd"), "all after the undo")


def test_without_the_right_to_set_up(stage):
    """A device that may only count selects and pins, and has nothing that orders or deletes."""
    stage.new("people")
    stage.new("bikes")
    stage.paired()
    page = stage.page("/all", width=390, height=844)
    eventually(lambda: page.run("return document.querySelector('.add') !== null"), "the overview is there")
    select(page)
    equal(page.run("return document.querySelectorAll('.grip').length"), 0, "the handles")
    x, y = row(page, "people")
    page.touch(x, y, dx=-200)
    page.run("document.querySelector('label.row').click()")
    equal(page.run("return [...document.querySelectorAll('.bar button')].map(one => one.textContent).includes('Delete')"), False, "whether it may delete")
    equal(names(stage), ["people", "bikes"], "the counters")


def test_pinned(stage):
    """Counters that are pinned come first on this device, also in the list of a wide screen, and the sum of their group stays that of all."""
    stage.group("team", title="Blue team")
    for name in ("anna", "bea", "carl"):
        stage.new(name, group="team", start=2)
    stage.new("people")
    stage.paired()
    page = stage.page("/all", width=390, height=844)
    eventually(lambda: page.run("return document.querySelectorAll('.row').length") == 4, "the rows")
    select(page)
    page.run("for (const one of document.querySelectorAll('label.row')) if (/carl|people/.test(one.textContent)) one.click()")
    page.press("Pin to the top")
    heads = "return [...document.querySelectorAll('.all h2')].map(one => one.innerText.replace(/\\s+/g, ' '))"
    becomes(lambda: page.run(heads), ["Pinned", "Blue team 6"], "the headings")
    equal(page.run(ROWS), ["carl", "people", "anna", "bea"], "the rows")
    page.touch(*page.middle(".add"))
    page.shows("3", ".row .value")
    page.picture("pinned")
    equal(page.axe(), [], "what axe finds")
    page = stage.page("/counter/anna", width=1280, height=800)
    becomes(lambda: page.run("return [...document.querySelectorAll('.list b')].map(one => one.textContent)"), ["carl", "people", "anna", "bea"], "the list")
    page = stage.page("/all", width=390, height=844)
    becomes(lambda: page.run(ROWS), ["carl", "people", "anna", "bea"], "the rows after a reload")
    select(page)
    equal(page.run(ROWS), ["anna", "bea", "carl", "people"], "the rows to select, in the core's order")
    page.run("for (const one of document.querySelectorAll('label.row')) if (/carl|people/.test(one.textContent)) one.click()")
    page.press("Unpin")
    becomes(lambda: page.run(heads), ["Blue team 7", "Without a group"], "the headings without pinned ones")
    # Another program at the same address may have stored anything.
    page.run("for (const key of ['pinned', 'folded']) localStorage.setItem(key, '{')")
    page = stage.page("/all", width=390, height=844)
    becomes(lambda: page.run(ROWS), ["anna", "bea", "carl", "people"], "the rows after a damaged list")


def test_archived(stage):
    """A counter that is archived says so, stands folded below the others, and comes back by a button."""
    stage.new("people", title="People")
    stage.new("old", title="Last year", start=12)
    stage.call("Set", counter="old", archived=True)
    page = stage.page("/counter/old", width=390, height=844)
    page.shows("archived", ".detail")
    page = stage.page("/all", width=390, height=844)
    page.shows("Archived (1)", "summary")
    page.run("document.querySelector('summary').click()")
    page.says("Last year", "details")
    equal(page.run("return document.querySelector('details button')"), None, "a button of a page that only watches")
    page = stage.page("/all?tiles=on", width=390, height=844)
    page.shows("Archived (1)", "summary")
    equal(page.run("const [tile, archive] = ['.tile', 'summary'].map(one => document.querySelector(one).getBoundingClientRect()); return [tile.bottom <= archive.top, archive.bottom <= innerHeight]"),
          [True, True], "whether it stands below the tiles")
    equal(page.axe(), [], "what axe finds in tiles")
    page = stage.paired("/all", setup=True, width=390, height=844)
    page.shows("Archived (1)", "summary")
    page.run("document.querySelector('summary').click()")
    page.picture("archived")
    equal(page.axe(), [], "what axe finds")
    page.click("Bring back")
    becomes(lambda: page.run(ROWS), ["People", "Last year"], "the rows")
    page.press("Undo")
    page.shows("Archived (1)", "summary")
