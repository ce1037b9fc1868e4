"""Setting up in the page."""

import base64
import json
import zlib

from kit.pages import ROWS, set_value
from kit.wait import becomes, equal, eventually


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
    """Waits until the sheet says these words."""
    page.says(words, "dialog [role=status]")


def opened(page, words):
    """Opens the sheet of a counter again until it says these words: the page hears of a change of settings after the counts behind it."""
    def says():
        page.open_sheet("Edit")
        if words in page.text("dialog [role=status]"):
            return True
        page.close_sheet()
        return False

    eventually(says, f"the sheet says {words!r} when it is opened")


MOVE_DOWN = "const one = [...document.querySelectorAll('button')].find(one => one.ariaLabel === 'Move down'); "


def test_making_and_changing(stage):
    """A device with the right makes a counter by its title and changes it, each change at once, and each can be undone."""
    page = stage.paired(setup=True, width=390, height=844)
    eventually(lambda: page.text(".empty button") == "New counter", "the next step")
    page.press("New counter")
    becomes(lambda: page.text("dialog h2"), "New counter", "the first sheet")
    equal(page.text("dialog label span"), "Title", "the first question")
    field(page, "Title", "Kids outside!")
    equal(page.text("dialog code"), "kids-outside", "the name for commands")
    page.picture("new-counter")
    equal(page.axe(), [], "what axe finds in the first sheet")
    page.click("Make the counter")
    page.shows("0")
    page.shows("Kids outside!", "h1")
    page.press("Edit")
    becomes(lambda: page.text("dialog h2"), "Kids outside!", "the second sheet")
    get = lambda: stage.core.call("Get", counter="kids-outside")["counter"]
    changes = [("Title", "Kids", "title", "Kids"), ("Another", "🧒", "icon", "🧒"),
               ("Step", "5", "step", 5), ("Step down", "2", "stepDown", 2), ("Start", "2", "start", 2), ("Goal", "40", "target", 40),
               ("Limit", "50", "maximum", 50), ("Lowest value", "0", "minimum", 0), ("Milestones", "10", "every", 10), ("Tags", "door east", "tags", ["door", "east"]),
               ("Note", "By hand", "note", "By hand")]
    equal(page.run("return document.querySelectorAll('dialog .card:first-of-type > :is(label, details)').length"), 2, "the rows of the title and the icon")
    for words, text, member, value in changes:
        field(page, words, text)
        said(page, "Icon changed." if words == "Another" else f"{words} changed.")
        equal(get().get(member), value, f"the {member}")
    becomes(lambda: page.text("dialog h2"), "Kids", "the head after a new title")
    page.run("document.querySelector('dialog [value=green]').click()")
    said(page, "Colour changed.")
    equal(get().get("colour"), "green", "the colour")
    page.run("document.querySelector('dialog details').open = true; document.querySelector('.icons button').click()")
    said(page, "Icon changed.")
    eventually(lambda: page.text("dialog .chip") == "🧍", "the preview")
    equal(page.run("return [document.querySelector('dialog details').open, document.activeElement.localName]"), [False, "summary"], "whether the icons stay open, and what has the keyboard")
    equal(page.run("return document.querySelectorAll('.icons button').length"), 50, "the icons to choose from")
    field(page, "Beyond a limit", "stop")
    said(page, "Limits changed.")
    equal(get().get("limits"), "stop", "what a limit does")
    field(page, "Period", "daily")
    said(page, "Period changed.")
    equal(get()["period"].split()[0], "daily", "the period")
    equal(page.axe(), [], "what axe finds in the second sheet")
    page.picture("setup")
    field(page, "Limit", "60")
    said(page, "Limit changed.")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(get().get("maximum"), 50, "the limit after the undo")
    eventually(lambda: shown(page, "Limit") == "50", "the field shows the limit after the undo")
    field(page, "Step", "much")
    said(page, "much")
    equal(get()["step"], 5, "the step after a text that is no number")
    place = page.run(MOVE_DOWN + "return one.getBoundingClientRect().y + document.querySelector('dialog').scrollTop")
    field(page, "Group", "+")
    stage.tally("set", "kids-outside", "--step", "3", "--title", "Children")
    eventually(lambda: shown(page, "Title") == "Children", "the field shows what somebody else changed")
    page.run("const one = document.querySelector('dialog [placeholder=\"Name of the group\"]'); one.value = 'garden'; one.dispatchEvent(new Event('change'))")
    said(page, "Group changed.")
    equal(get()["group"], "garden", "the group")
    eventually(lambda: shown(page, "Group") == "garden", "the list shows the new group")
    equal(page.run(MOVE_DOWN + "return one.getBoundingClientRect().y + document.querySelector('dialog').scrollTop"), place, "the place of the button below")
    stage.tally("new", "adults", "--group", "garden")
    eventually(lambda: stage.ask("/totals?counter=adults").status == 200, "the board knows the counter")
    page.run(MOVE_DOWN + "one.click()")
    said(page, "Moved.")
    names = [one["name"] for one in stage.core.call("List")["counters"]]
    equal(names, ["adults", "kids-outside"], "the order")
    equal(stage.core.events()[-1]["cause"]["device"], "Anna's phone", "who changed it")


def test_archive_and_delete(stage):
    """An archived counter says so and is found and brought back in the page; a deleted one comes back by Undo."""
    stage.new("kids", title="Kids")
    stage.new("cars", title="Cars")
    page = stage.paired("/counter/kids", setup=True)
    page.can_count()
    page.open_sheet("Edit")
    field(page, "Archived", True)
    said(page, "Archived.")
    eventually(lambda: "archived" in page.text(".detail"), "the counter says that it is archived")
    page = stage.page("/all")
    back = "[...document.querySelectorAll('details button')].find(one => one.ariaLabel === 'Bring back Kids')"
    eventually(lambda: page.run(f"return Boolean({back})"), "the button that brings it back")
    page.run(f"{back}.click()")
    eventually(lambda: not stage.core.call("Get", counter="kids")["counter"].get("archived", False), "it is back")
    page = stage.page("/counter/cars")
    page.can_count()
    page.open_sheet("Edit")
    page.click("Delete")
    eventually(lambda: page.text("dialog h2") == "“Cars” is deleted", "what the page says")
    equal([one["name"] for one in stage.core.call("List")["counters"]], ["kids"], "the counters that are left")
    page.click("Undo")
    eventually(lambda: len(stage.core.call("List")["counters"]) == 2, "it is back")


def test_formula(stage):
    """A formula is made and changed in the page; its error is marked in its place."""
    stage.new("a", start=4)
    stage.new("b", start=1)
    page = stage.paired("/all", setup=True)
    eventually(lambda: page.text(".row") is not None, "the rows")
    page.run("[...document.querySelectorAll('button')].find(one => [one.ariaLabel, one.textContent].includes('New counter')).click()")
    eventually(lambda: page.text("dialog"), "the sheet")
    field(page, "Title", "Inside")
    field(page, "Formula", "a - nobody")
    page.click("Make the counter")
    eventually(lambda: page.text("dialog mark") == "n", f"the mark, and not {page.text('dialog [role=status]')}")
    field(page, "Formula", "a - b")
    page.click("Make the counter")
    page.shows("3")
    page.shows("Inside", "h1")
    page.open_sheet("Edit")
    field(page, "Formula", "a + ) b")
    eventually(lambda: page.text("dialog mark") == ")", "the mark in the second sheet")
    equal(page.run("return document.querySelector('dialog [aria-invalid=true]') !== null"), True, "whether the field is marked")
    field(page, "Formula", "a + b")
    said(page, "Formula changed.")
    page.shows("5")


def test_decimals(stage):
    """Decimals are typed with a comma or a dot."""
    stage.tally("new", "litres", "--decimals", "2")
    page = stage.paired("/counter/litres", setup=True)
    page.can_count()
    page.open_sheet("Edit")
    for text in ["0,5", "0.25"]:
        field(page, "Step", text)
        eventually(lambda: stage.core.call("Get", counter="litres")["counter"]["step"] == int(float(text.replace(",", ".")) * 100), f"the step {text}")


def test_amounts(stage):
    """A keypad adds, takes off and multiplies amounts, with a note; a value is corrected with a reason. Each can be undone."""
    stage.new("people", title="People")
    stage.tally("new", "litres", "--decimals", "2")
    page = stage.paired("/counter/people", width=390, height=844)

    def keys(*all_keys):
        page.press("Amount …")
        eventually(lambda: page.text("dialog output") == "0", "the keypad")
        for key in all_keys:
            page.run("[...document.querySelectorAll('.keys button')].find(one => one.ariaLabel === arguments[0]).click()", key)

    def notes(kind):
        return [one.get("note") for one in stage.core.call("History", limit=10)["events"] if one["kind"] == kind]

    keys("1", "2", "Times", "3")
    equal(page.text("dialog output"), "12×3 = 36", "what the keypad shows")
    equal(page.axe(), [], "what axe finds")
    page.picture("keypad")
    field(page, "Note", "a bus")
    page.click("Add 36")
    page.shows("36")
    eventually(lambda: notes("added") == ["a bus"], f"the note of the count: {notes('added')}")
    keys("7", "Minus", "1")
    page.click("Take 6 off")
    page.shows("30")
    keys("4", "1")
    field(page, "Note", "recounted")
    # Somebody else counts while the words are read.
    stage.tally("add", "people", "5")
    page.shows("35")
    page.click("Correct 30 to 41")
    page.says("The value has changed.", "dialog")
    equal(stage.core.value("people"), 35, "the value after a press that meant another one")
    page.click("Correct 35 to 41")
    page.shows("41")
    eventually(lambda: notes("corrected") == ["recounted"], "the reason of the correction")
    page.says("noted: recounted", ".ev")
    page.press("Undo")
    page.shows("35")
    # On a keyboard a digit opens it.
    page.key("5")
    eventually(lambda: page.text("dialog output") == "5", "the keypad with the digit")
    for key in ["*", "2", "-", "3", "Enter"]:
        page.key(key)
    page.shows("42")
    page = stage.page("/counter/litres")
    page.can_count()
    keys("1", "Decimal mark", "2", "5", "Plus", "0", "Decimal mark", "5")
    equal(page.text("dialog output"), "1.25+0.5 = 1.75", "what the keypad shows")
    page.click("Add 1.75")
    page.shows("1.75")
    keys("0", "Decimal mark", "0", "0", "1")
    page.click("Add 0.001")
    page.says("0.001")
    equal(stage.core.value("litres"), 175, "the value after an amount that is too fine")


def test_amount_without_a_board(stage):
    """An amount and its note wait with the other counts while the board is away, and are counted once."""
    page = stage.counting("/counter/people")
    page.key("7")
    eventually(lambda: page.text("dialog output") == "7", "the keypad")
    field(page, "Note", "a bus")
    stage.board.kill()
    page.click("Add 7")
    page.waits(1)
    stage.start_board()
    page.waits(0)
    page.shows("7")
    eventually(lambda: [one.get("note") for one in stage.core.call("History", limit=10)["events"] if one["kind"] == "added"] == ["a bus"], "the note")


def test_carrying_a_set_up(stage):
    """A set-up is shared by a link, a QR code and a file, and taken over by another board, without counts; what is there already stays."""
    stage.group("door", title="Door")
    stage.new("in", title="In", icon="➡️", group="door", step=2, maximum=40)
    stage.tally("new", "litres", "--decimals", "2", "--step", "0.25", "--period", "daily 04:00", "--tags", "a,b")
    stage.formula("twice", "in * 2")
    stage.add("in")
    page = stage.paired("/all", setup=True, width=390, height=844)
    eventually(lambda: page.text(".row"), "the rows")
    page.open_sheet("Settings")
    page.click("Share …")
    eventually(lambda: page.run("const one = document.querySelector('.qr'); return Boolean(one?.complete && one.naturalWidth)"), "the QR code")
    equal(page.axe(), [], "what axe finds")
    page.picture("share-set-up")
    link = page.run("return document.querySelector('dialog input').value")
    equal(link.startswith(f"{stage.origin}/all#set="), True, f"the link {link}")
    page.saves()
    page.click("Save a file")
    content = json.loads(page.saved())
    equal([one["name"] for one in content["counters"]], ["litres", "in", "twice"], "the counters of the file")
    for name in ["in", "litres"]:
        stage.tally("remove", name)
    stage.tally("remove", "twice")
    stage.new("litres", title="Mine")
    becomes(lambda: page.run(ROWS), ["Mine"], "the rows before the link is opened")
    # From another page, so that the link is a load.
    stage.page("/")
    page = stage.page(link.replace(stage.origin, ""))
    eventually(lambda: page.text("dialog h2") == "Take counters over", "the sheet of the link")
    sides = page.run("return [...document.querySelectorAll('dialog .chip')].map(one => { const { width, height } = one.getBoundingClientRect(); return [width, height]; })")
    equal(all(abs(width - height) < 1 for width, height in sides), True, f"whether the icons are squares: {sides}")
    equal("#set" in page.run("return location.href"), False, "whether the set-up is left in the address")
    page.click("Make 2")
    said(page, "2 made.")
    made = stage.core.call("Get", counter="in")["counter"]
    equal([made.get(one) for one in ["value", "title", "icon", "group", "step", "maximum"]], [0, "In", "➡️", "door", 2, 40], "the counter")
    equal(stage.core.call("Get", counter="litres")["counter"]["title"], "Mine", "what was there already")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal([one["name"] for one in stage.core.call("List")["counters"]], ["litres"], "the counters after the undo")
    # A link can be opened in the page itself.
    page.run("location.hash = 'set=abc'")
    page.says("no file or link of counters", "dialog")


def test_new_groups_of_a_link(stage):
    """A set-up with several counters of a group that is not here is taken over whole."""
    stage.group("team", title="Team")
    for name in "abc":
        stage.new(name, group="team")
    page = stage.paired("/all", setup=True)
    eventually(lambda: page.text(".row"), "the rows")
    page.open_sheet("Settings")
    page.click("Share …")
    eventually(lambda: page.run("return document.querySelector('dialog input')?.value.includes('#set=') ?? false"), "the link")
    link = page.run("return document.querySelector('dialog input').value")
    for name in "abc":
        stage.tally("remove", name)
    stage.tally("group", "remove", "team")
    stage.page("/")
    page = stage.page(link.replace(stage.origin, ""))
    page.click("Make 3")
    said(page, "3 made.")
    equal([one["group"] for one in stage.core.call("List")["counters"]], ["team"] * 3, "the groups")


def test_new_counter_by_its_title(stage):
    """A new counter needs a title alone, in any language; its name for commands is derived, said below, and never one that is in use."""
    stage.new("my-kids")
    stage.paired(setup=True)
    page = stage.page("/all")
    press = "document.querySelector('[aria-label=\"New counter\"]').click()"
    for title, name in [("My kids", "my-kids-2"), ("Äpfel & Birnen (kg)", "äpfel-birnen-kg"), ("🍎", "count"), ("2026", "count-2026")]:
        eventually(lambda: page.text(".row") is not None, "the overview is there")
        page.run(press)
        eventually(lambda: page.text("dialog"), "the sheet")
        page.run("const one = document.querySelector('dialog input'); one.value = arguments[0]; one.dispatchEvent(new Event('input', {bubbles: true}))", title)
        page.shows(f"For commands: {name}", "dialog small")
        page.picture("new-counter")
        page.press("Make the counter")
        page.shows(title, "h1")
        equal(stage.core.call("Get", counter=name)["counter"]["title"], title, "its title")
        page = stage.page("/all")


def test_fields_as_they_are_shown(stage):
    """Numbers are typed as they are shown, with the person's decimal mark; a field that is left as it was changes nothing; and the sheet has the present title."""
    stage.tally("new", "kg", "--decimals", "2", "--title", "Kilograms")
    page = stage.paired(setup=True)
    stage.browser.command("Emulation.setLocaleOverride", locale="de-DE")
    try:
        page = stage.page()
        page.can_count()
        page.open_sheet("Edit")
        field(page, "Step", "0,25")
        said(page, "Step changed.")
        equal((stage.core.call("Get", counter="kg")["counter"]["step"], shown(page, "Step")), (25, "0,25"), "the step in the core and in the field")
        page.says("+0,25", "#hints")
        events = len(stage.core.events())
        for words, same in [("Start", "0,00"), ("Start", ""), ("Step", "0,25"), ("Title", "Kilograms")]:
            field(page, words, same)
            equal(shown(page, words), same or "0,00", f"the field {words}")
        field(page, "Title", "Kilos")
        said(page, "Title changed.")
        equal(len(stage.core.events()), events + 1, "the changes of fields that were left as they were, and of one other")
        page.shows("Kilos", "dialog h2")
    finally:
        stage.browser.command("Emulation.setLocaleOverride")


def test_without_the_right(stage):
    """A device that may only count sees nothing of it and is refused; where the core lacks the right, its sentence is shown."""
    stage.tally("new", "kids")
    page = stage.paired()
    page.shows("0")
    equal(page.run("return document.querySelector('#edit').hidden"), True, "whether the button is hidden")
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
    for wrong in [{"do": "lock", "name": "kids"}, {"do": "before", "name": "kids"}, {"do": "set", "name": "kids", "field": "since", "text": "1"}, {"do": "set"}]:
        equal(page.run(send, wrong)[0], 400, f"the answer to {wrong}")
    equal(page.run(send, {"do": "set", "name": "nobody", "field": "title", "text": "x"})[0], 422, "the answer for no counter")
    equal(stage.core.call("Get", counter="kids")["counter"]["title"], "kids", "the title")


def test_undo_of_a_setting_on_a_busy_machine(stage):
    """A change of a setting can be undone after any number of counts of other counters."""
    stage.tally("new", "kids")
    stage.tally("new", "cars")
    page = stage.paired("/counter/kids", setup=True, width=1280, height=800)
    page.can_count()
    page.open_sheet("Edit")
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
    page = stage.paired("/counter/kids", setup=True, width=1280, height=800)
    page.can_count()

    def count(times):
        before = stage.core.value("kids")
        for _ in range(times):
            stage.add("kids")
        page.shows(str(stage.core.value("kids")))
        assert stage.core.value("kids") > before

    page.open_sheet("Edit")
    field(page, "Title", "Children")
    said(page, "Title changed.")
    page.close_sheet()
    count(2)
    undo = "return document.querySelector('[aria-label=\"Undo title Children Children\"]:not([hidden])') !== null"
    eventually(lambda: page.run(undo), "the change has a button in the list")
    page.run("document.querySelector('[aria-label=\"Undo title Children Children\"]').click()")
    page.shows("kids", "h1")
    equal(stage.core.value("kids"), 2, "the count")
    page.open_sheet("Edit")
    field(page, "Title", "Girls")
    said(page, "Title changed.")
    field(page, "Step", "4")
    said(page, "Step changed.")
    page.close_sheet()
    # More than the list shows.
    count(8)
    opened(page, "Step 4")
    said(page, "Anna's phone")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "follow it; undo them first")
    equal(stage.core.call("Get", counter="kids")["counter"]["step"], 4, "the step")
    page.close_sheet()
    stage.tally("set", "kids", "--icon", "🧒")
    count(8)
    opened(page, "Icon 🧒")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(stage.core.call("Get", counter="kids")["counter"].get("icon"), None, "the icon")
    page.close_sheet()
    # The button Undo undoes it as well, while it is the last change of the counter.
    page.open_sheet("Edit")
    field(page, "Step", "9")
    said(page, "Step changed.")
    page.close_sheet()
    page.says("Step 9", ".last li")
    page.press("Undo step 9")
    eventually(lambda: stage.core.call("Get", counter="kids")["counter"]["step"] == 4, "the step before")


def test_undo_names_the_setting(stage):
    """The button Undo says which setting it takes back, in the unit of the counter; a setting that was cleared is none, and a long text is cut."""
    stage.tally("new", "litres", "--decimals", "2")
    page = stage.paired("/counter/litres", setup=True, width=390, height=844)
    page.can_count()
    undo = "return document.querySelector('.acts button span').textContent"
    for words, text, expected in [("Goal", "20.5", "Undo goal 20.50"), ("Goal", "", "Undo goal none"), ("Title", "Water and all that is drunk", "Undo title Water and all that is dr…"),
                                  ("Archived", True, "Undo archived")]:
        page.open_sheet("Edit")
        field(page, words, text)
        said(page, ".")
        page.close_sheet()
        becomes(lambda: page.run(undo), expected, f"the button after {words} {text}")
        equal(page.run("const { left, right } = document.querySelector('.acts').getBoundingClientRect(); return left >= 0 && right <= innerWidth"), True, "whether the buttons fit")
    equal(page.axe(), [], "what axe finds")
    page.picture("undo-setting")


def test_looks_of_a_group(stage):
    """The overview of a group leads to its title, icon and colour; each change can be undone. That of all counters, and a device that may only count, have no such button."""
    stage.group("team", title="Blue team", colour="blue")
    stage.new("anna", group="team")
    page = stage.paired("/all/team", setup=True, width=390, height=844)
    eventually(lambda: page.text(".row"), "the rows")
    page.open_sheet("Edit")
    page.shows("Blue team", "dialog h2")
    head, rows = page.run("return ['dialog .chip', 'dialog .card'].map(one => document.querySelector(one).getBoundingClientRect().left)")
    equal(abs(head - rows) < 2, True, f"whether the sheet's head at {head} begins where its rows do, at {rows}")
    field(page, "Title", "Red team")
    said(page, "Title changed.")
    page.run("document.querySelector('dialog [value=red]').click()")
    said(page, "Colour changed.")
    page.run("document.querySelector('dialog details').open = true; document.querySelector('.icons button').click()")
    said(page, "Icon changed.")
    group = lambda: {one: stage.core.call("Groups")["groups"][0].get(one) for one in ("title", "colour", "icon")}
    equal(group(), {"title": "Red team", "colour": "red", "icon": "🧍"}, "the group")
    page.shows("Red team", "dialog h2")
    equal(page.axe(), [], "what axe finds")
    page.run("document.querySelector('dialog [role=status] button').click()")
    said(page, "Undone.")
    equal(group()["icon"] or "", "", "the icon after the undo")
    page.close_sheet()
    page.shows("Red team", "h1")
    # A new counter is one of the group, in the overview of which it is made.
    page.run("document.querySelector('[aria-label=\"New counter\"]').click()")
    page.says("New counter in Red team", "dialog h2")
    field(page, "Title", "Bea")
    page.click("Make the counter")
    page.shows("Bea", "h1")
    equal(stage.core.call("Get", counter="bea")["counter"]["group"], "team", "the group of the new counter")
    stage.new("carl")
    stage.call("Move", counter="carl", group="team")
    page = stage.page("/counter/carl")
    page.can_count()
    opened(page, "Group Red team")
    # While the sheet is open, somebody else moves the counter into a new group.
    stage.group("door", title="Front door")
    stage.call("Move", counter="carl", group="door")
    group = "return [...document.querySelectorAll('dialog select')].map(one => one.selectedOptions[0].text).includes('Front door')"
    eventually(lambda: page.run(group), "the title of the new group")
    page = stage.page("/all/team", width=390, height=844)
    page.shows("Red team", "h1")
    seen = "return !document.querySelector('#edit').hidden"
    equal(page.run(seen), True, "whether the button is there")
    page = stage.page("/all")
    eventually(lambda: page.text(".row"), "the rows")
    equal(page.run(seen), False, "whether it is in the overview of all")
    stage.browser.forget()
    stage.paired()
    page = stage.page("/all/team")
    eventually(lambda: page.run("return document.querySelector('.add') !== null"), "the rows")
    equal(page.run(seen), False, "whether a device that may only count has it")


PHOTO = """const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [3000, 1200];
const paper = canvas.getContext('2d');
paper.fillStyle = 'red';
paper.fillRect(0, 0, 3000, 1200);
paper.fillStyle = 'lime';
paper.fillRect(900, 0, 1200, 1200);
const photo = () => new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
"""


def choose(page, content):
    """Chooses a file as the picture of the open sheet: the photo, or a text."""
    page.run_async(PHOTO + f"""(async () => {{
const files = new DataTransfer(), field = document.querySelector('dialog [type=file]');
files.items.add(new File([{json.dumps(content)} ?? await photo()], 'mine'));
field.files = files.files;
field.dispatchEvent(new Event('change'));
done();
}})()""")


def test_own_picture(stage):
    """A photo of one's own becomes an icon, small and square, that other pages show; it can be undone, and the board keeps it."""
    stage.new("people")
    page = stage.paired("/counter/people", setup=True)
    page.shows("0")
    page.open_sheet("Edit")
    page.run("document.querySelector('dialog details').open = true")
    choose(page, "no picture")
    said(page, "The browser cannot read this file as a picture.")
    equal(stage.core.call("Get", counter="people")["counter"].get("icon"), None, "the icon after a file that is no picture")
    choose(page, None)
    said(page, "Icon changed.")
    icon = stage.core.call("Get", counter="people")["counter"]["icon"]
    equal(icon[0], "\N{FRAME WITH PICTURE}", "the sign of a picture")
    equal(shown(page, "Another"), "\N{FRAME WITH PICTURE}", "the field of other icons")
    look = """const shown = document.querySelector(arguments[0]), canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [shown.naturalWidth, shown.naturalHeight];
const paper = canvas.getContext('2d');
paper.drawImage(shown, 0, 0);
return [canvas.width, canvas.height, ...paper.getImageData(2, 48, 1, 1).data.slice(0, 3)].map(one => one > 250 ? 255 : one < 5 ? 0 : one)"""
    def check(page, selector):
        eventually(lambda: page.run("return Boolean(document.querySelector(arguments[0])?.naturalWidth)", selector), f"{selector} is shown")
        equal(page.run(look, selector), [96, 96, 0, 255, 0], f"the size and the colour of {selector}")

    check(page, "dialog .chip img")
    equal(page.axe(), [], "what axe finds beside a picture")
    page.press("Undo")
    said(page, "Undone.")
    becomes(lambda: page.run("return document.querySelectorAll('.chip img').length"), 0, "the pictures after Undo")
    stage.core.call("Set", counter="people", icon=icon)
    stage.board.end()
    stage.start_board()
    page = stage.page("/all")
    check(page, ".chip img")
    equal(stage.ask(f"/picture/{icon[1:]}").getheader("Content-Type"), "image/webp", "the picture after a restart")
    (stage.folder / "board/pictures" / icon[1:]).unlink()
    stage.new("cars", title="Ärzte", icon="🖼gone")
    page = stage.page("/counter/cars")
    becomes(lambda: page.text(".chip"), "Ä", "the letter in the place of a picture that cannot be drawn")


def test_long_texts(stage):
    """A note as long as its field allows is kept in any script."""
    stage.new("people")
    key = stage.key(setup=True)
    note = "記" * 2000
    answer = lambda: stage.post("/setup", {"do": "set", "name": "people", "field": "note", "text": note}, key)
    # The board may not have heard of the new counter yet.
    eventually(lambda: answer().status == 200, lambda: f"the answer to a long note: {answer().body}")
    equal(stage.core.call("Get", counter="people")["counter"]["note"], note, "the note")


def test_answer_to_a_new_counter_that_is_lost(stage):
    """Where the answer to a new counter is lost, the page opens it as soon as it hears of it; there is no second one."""
    stage.new("people")
    stage.paired(setup=True)
    page = stage.page("/all")
    eventually(lambda: page.run("return document.querySelector('nav .new') !== null"), "the button")
    page.run("document.querySelector('nav .new').click()")
    eventually(lambda: page.text("dialog form") is not None, "the sheet")
    page.run("const ask = window.fetch; window.fetch = async (path, ...more) => { const answer = await ask(path, ...more); if (path === '/setup') throw new TypeError('lost'); return answer; }")
    page.run("const title = document.querySelector('dialog input'); title.value = 'Guests'; title.oninput()")
    page.click("Make the counter")
    page.shows("Guests", "h1")
    equal([one["name"] for one in stage.core.call("List")["counters"]], ["people", "guests"], "the counters")


def test_link_that_unpacks_to_much(stage):
    """Of a link that holds more than a set-up can the page unpacks only the beginning."""
    stage.new("people")
    stage.paired(setup=True)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    words = packer.compress(b'{"tallymark":1,"counters":[{"name":"x","title":"' + b"x" * 100 + b'"}' + b" " * 40_000_000 + b"]}") + packer.flush()
    page = stage.page("/all")
    page.run("window.parts = 0; const read = ReadableStreamDefaultReader.prototype.read; ReadableStreamDefaultReader.prototype.read = function () { window.parts += 1; return read.call(this); }")
    page.run("location.hash = `set=${arguments[0]}`", base64.urlsafe_b64encode(words).decode().rstrip("="))
    page.says("This is no file or link of counters", "dialog")
    equal(0 < page.run("return window.parts") < 50, True, f"whether it reads few parts: {page.run('return window.parts')}")
