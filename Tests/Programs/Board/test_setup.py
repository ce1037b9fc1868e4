"""Setting up in the page."""

from kit.wait import becomes, equal, eventually
from test_settings import set_value


def field(page, words, value):
    """Sets the field with this label."""
    page.run("[...document.querySelectorAll('dialog label')].find(one => one.textContent.startsWith(arguments[0]))"
             ".querySelector('input, select').id = 'asked'", words)
    set_value(page, "#asked", value)
    page.run("document.querySelector('#asked').id = ''")


def shown(page, words):
    """The value in the field with this label that a person sees."""
    return page.run("return [...document.querySelectorAll('dialog label')].find(one => one.textContent.startsWith(arguments[0]))"
                    ".querySelector('input:not([hidden]), select:not([hidden])').value", words)


def said(page, words):
    eventually(lambda: words in (page.text("dialog [role=status]") or ""), f"it says {words!r}, and not {page.text('dialog [role=status]')!r}")


button = "const one = [...document.querySelectorAll('button')].find(one => one.textContent === 'Move down'); "


def test_making_and_changing(stage):
    """A device with the right makes a counter and changes it, each change at once, and each can be undone."""
    page = stage.paired(setup=True, width=390, height=844)
    eventually(lambda: page.text(".empty button") == "New counter", "the next step")
    page.press("New counter")
    becomes(lambda: page.text("dialog h2"), "New counter", "the first sheet")
    field(page, "Name", "kids")
    field(page, "Title", "Kids outside")
    page.picture("new-counter")
    equal(page.axe(), [], "what axe finds in the first sheet")
    page.press("Make the counter")
    page.shows("0")
    page.shows("Kids outside", "h1")
    page.press("Set up")
    becomes(lambda: page.text("dialog h2"), "Set up Kids outside", "the second sheet")
    changes = [("Title", "Kids", "title", "Kids"), ("Icon", "🧒", "icon", "🧒"), ("Colour", "green", "colour", "green"),
               ("Step", "5", "step", 5), ("Start", "2", "start", 2), ("Goal", "40", "target", 40), ("Limit", "50", "maximum", 50)]
    for words, text, member, value in changes:
        field(page, words, text)
        said(page, f"{words} changed.")
        equal(stage.core.call("Get", counter="kids")["counter"].get(member), value, f"the {member}")
    equal(page.axe(), [], "what axe finds in the second sheet")
    page.picture("setup")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(stage.core.call("Get", counter="kids")["counter"].get("maximum"), None, "the limit after the undo")
    eventually(lambda: shown(page, "Limit") == "", "the field shows the limit after the undo")
    field(page, "Step", "much")
    said(page, "much")
    equal(stage.core.call("Get", counter="kids")["counter"]["step"], 5, "the step after a text that is no number")
    place = page.run(button + "return one.getBoundingClientRect().y")
    field(page, "Group", "+")
    stage.tally("set", "kids", "--step", "3", "--title", "Children")
    eventually(lambda: shown(page, "Title") == "Children", "the field shows what somebody else changed")
    page.run("const one = document.querySelector('dialog [placeholder]'); one.value = 'garden'; one.dispatchEvent(new Event('change'))")
    said(page, "Group changed.")
    equal(stage.core.call("Get", counter="kids")["counter"]["group"], "garden", "the group")
    eventually(lambda: shown(page, "Group") == "garden", "the list shows the new group")
    equal(page.run(button + "return one.getBoundingClientRect().y"), place, "the place of the button below")
    stage.tally("new", "adults", "--group", "garden")
    eventually(lambda: stage.ask("/totals?counter=adults").status == 200, "the board knows the counter")
    page.press("Move down")
    said(page, "Moved.")
    names = [one["name"] for one in stage.core.call("List")["counters"]]
    equal(names, ["adults", "kids"], "the order")
    field(page, "Archived", True)
    said(page, "Archived.")
    equal(stage.core.call("Get", counter="kids")["counter"]["archived"], True, "whether it is archived")
    equal(stage.core.events()[-1]["cause"]["device"], "Anna's phone", "who changed it")


def test_without_the_right(stage):
    """A device that may only count sees nothing of it and is refused; where the core lacks the right, its sentence is shown."""
    stage.tally("new", "kids")
    page = stage.paired()
    page.shows("0")
    equal(page.run("return document.querySelector('#setup').hidden"), True, "whether the button is hidden")
    send = ("return fetch('/setup', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(arguments[0])})"
            ".then(one => one.json().catch(() => ({})).then(body => [one.status, body.message ?? '']))")
    change = {"do": "set", "name": "kids", "field": "title", "text": "Mine"}
    status, message = page.run(send, change)
    equal((status, "tally-board pair --setup" in message), (403, True), "the answer to a device that may count")
    equal(stage.post("/setup", change).status, 403, "the answer to a stranger")
    equal("(may set up)" in stage.tally_board("devices"), False, "the list of devices")
    page = stage.paired(setup=True, name="Bea")
    page.can_count()
    equal("Bea (may set up)" in stage.tally_board("devices"), True, "the list of devices")
    for wrong in [{"do": "remove", "name": "kids"}, {"do": "set", "name": "kids", "field": "period", "text": "daily"}, {"do": "set"}]:
        equal(page.run(send, wrong)[0], 400, f"the answer to {wrong}")
    equal(page.run(send, {"do": "set", "name": "nobody", "field": "title", "text": "x"})[0], 422, "the answer for no counter")
    equal(stage.core.call("Get", counter="kids")["counter"]["title"], "kids", "the title")


def test_undo_of_a_setting_on_a_busy_machine(stage):
    """A change of a setting can be undone after any number of counts of other counters."""
    stage.tally("new", "kids")
    stage.tally("new", "cars")
    page = stage.paired("/counter/kids", setup=True)
    page.can_count()
    page.open_sheet("Set up")
    field(page, "Step", "3")
    said(page, "Step changed.")
    for _ in range(70):
        stage.add("cars")
    eventually(lambda: page.run("return document.querySelector('.last').textContent.match(/cars/g)?.length") == 5, "the page knows the last counts")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(stage.core.call("Get", counter="kids")["counter"]["step"], 1, "the step")


def test_undo_of_a_setting_that_counts_followed(stage):
    """A change of settings before counts of the same counter can be undone in the list and in the sheet; where the core cannot, the page says why."""
    stage.tally("new", "kids")
    page = stage.paired("/counter/kids", setup=True)
    page.can_count()

    def count(times):
        before = stage.core.value("kids")
        for _ in range(times):
            stage.add("kids")
        page.shows(str(stage.core.value("kids")))
        assert stage.core.value("kids") > before

    page.open_sheet("Set up")
    field(page, "Title", "Children")
    said(page, "Title changed.")
    page.close_sheet()
    count(2)
    undo = "return document.querySelector('[aria-label=\"Undo Title changed kids\"]:not([hidden])') !== null"
    eventually(lambda: page.run(undo), "the change has a button in the list")
    page.run("document.querySelector('[aria-label=\"Undo Title changed kids\"]').click()")
    page.shows("kids", "h1")
    equal(stage.core.value("kids"), 2, "the count")
    page.open_sheet("Set up")
    field(page, "Title", "Girls")
    said(page, "Title changed.")
    field(page, "Step", "4")
    said(page, "Step changed.")
    page.close_sheet()
    # More than the list shows.
    count(8)
    page.open_sheet("Set up")
    said(page, "Step changed")
    said(page, "Anna's phone")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "follow it; undo them first")
    equal(stage.core.call("Get", counter="kids")["counter"]["step"], 4, "the step")
    page.close_sheet()
    stage.tally("set", "kids", "--icon", "🧒")
    count(8)
    page.open_sheet("Set up")
    said(page, "Icon changed")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(stage.core.call("Get", counter="kids")["counter"].get("icon"), None, "the icon")
    page.close_sheet()
    # The button Undo undoes it as well, while it is the last change of the counter.
    page.open_sheet("Set up")
    field(page, "Step", "9")
    said(page, "Step changed.")
    page.close_sheet()
    page.press("Undo")
    eventually(lambda: stage.core.call("Get", counter="kids")["counter"]["step"] == 4, "the step before")
