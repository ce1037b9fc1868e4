"""Hints and next steps."""

from kit.wait import equal, eventually

HINTS = "return [...document.querySelectorAll('#hints li')].filter(one => one.offsetParent).map(one => one.textContent.slice(2))"


def test_hints(stage):
    """Hints say what each gesture does to this counter; each goes after three uses, and ? brings them back."""
    stage.new("people", step=5, stepDown=2)
    page = stage.paired(width=390, height=844)
    eventually(lambda: "tap +5" in page.run(HINTS) and "swipe down −2" in page.run(HINTS), "the hints")
    equal("another counter" in page.text("#hints"), False, "whether a swipe to a side is explained where there is one counter")
    bottom = page.run("return document.querySelector('.number').getBoundingClientRect().bottom")
    page.picture("hints")
    equal(page.axe(), [], "what axe finds")
    for _ in range(3):
        page.touch(200, 400)
    page.shows("15")
    equal("tap +5" in page.run(HINTS), False, "whether a tap is still explained")
    equal("swipe down −2" in page.run(HINTS), True, "whether a swipe is still explained")
    page = stage.page("/", width=390, height=844)
    page.shows("15")
    equal("tap +5" in page.run(HINTS), False, "whether a tap is explained after a reload")
    page.key("?")
    equal("tap +5" in page.run(HINTS), True, "whether ? brings the hint back")
    equal(page.run("return document.querySelector('.number').getBoundingClientRect().bottom"), bottom, "the place of the number")
    page = stage.page("/?halves=on", width=390, height=844)
    eventually(lambda: "tap left −2, right +5" in page.run(HINTS), "the hint at halves")
    stage.new("swim", kind="stopwatch")
    page = stage.page("/counter/swim", width=390, height=844)
    eventually(lambda: "tap starts and stops" in page.run(HINTS), "the hint at a stopwatch")
    equal("another counter" in page.text("#hints"), True, "whether a swipe to a side is explained beside another counter")
    page = stage.page("/wall/people")
    page.shows("15")
    equal(page.run(HINTS), [], "hints on a wall")


def test_hint_at_tiles(stage):
    """The hint above tiles says what a tile does, not what a row does."""
    stage.new("people")
    stage.new("cars")
    stage.paired()
    page = stage.page("/all?tiles=on")
    page.says("a tile counts", "#hints")
    equal("row" in page.text("#hints"), False, "whether the hints speak of rows")
    for _ in range(3):
        page.run("document.querySelector('.tile').click()")
    eventually(lambda: "tile" not in page.text("#hints"), "the hint goes after three uses")


def test_hints_of_a_group_that_is_gone(stage):
    """Where a group is gone, and there are no rows, no hint speaks of them."""
    stage.group("team")
    stage.new("people", group="team")
    stage.paired()
    page = stage.page("/all/team")
    page.says("a row opens its counter", "#hints")
    stage.tally("group", "remove", "team")
    page.says("There is no group called", "main")
    equal(page.run(HINTS), [], "the hints")


def test_next_steps(stage):
    """Where there is nothing, the page says the next step, in every theme; with the first counter it goes on by itself."""
    for path, words in [("/", "tally new people"), ("/all", "tally new people"), ("/counter/nobody", "All counters")]:
        for theme in ["light", "dark", "contrast"]:
            page = stage.page(f"{path}?theme={theme}", width=390, height=844)
            eventually(lambda: words in (page.text(".empty") or ""), "the next step")
            equal(page.axe(), [], f"what axe finds in {path} in {theme}")
    page.picture("nobody")
    page = stage.page()
    page.says("Make the first counter on the machine. It appears here by itself.\n\ntally new people\n\nThis device may only watch.", "main")
    stage.new("people")
    page.shows("0")
    stage.page("/counter/nobody").says("no counter called “nobody”", "main")


STEP = "#tutorial [role=status]"
SEEN = "return document.querySelector('#tutorial')?.checkVisibility() ?? false"


def begins(page, words):
    eventually(lambda: (page.text(STEP) or "").startswith(words), f"the tutorial says {words!r}, and not {page.text(STEP)!r}")


def is_over(page):
    eventually(lambda: not page.run(SEEN), "the tutorial is over")


def test_tutorial(stage):
    """The tutorial goes on by what the person does once it is recorded, counts for real, and can be repeated."""
    stage.new("people", step=5)
    stage.new("bikes")
    page = stage.paired("/counter/people", width=390, height=844)
    page.press("Tutorial")
    begins(page, "1 of 4: Tap the number")
    equal("+5" in page.text(STEP), True, page.text(STEP))
    equal(page.run(HINTS), [], "hints beside the tutorial")
    equal(page.axe(), [], "what axe finds")
    page.picture("tutorial")
    # Neither the count of somebody else nor another gesture is this step.
    stage.add("people")
    page.shows("5")
    page.touch(200, 300, dy=200)
    page.shows("0")
    begins(page, "1 of 4")
    page.touch(200, 400)
    begins(page, "2 of 4: Swipe down")
    page.touch(200, 300, dy=200)
    begins(page, "3 of 4: Press Undo")
    page.click("Undo")
    begins(page, "4 of 4: Swipe to a side")
    page.touch(300, 400, dx=-200)
    begins(page, "Done.")
    kinds = [event["kind"] for event in stage.core.events()]
    equal(kinds, ["created", "created", "added", "subtracted", "added", "subtracted", "undone"], "what was recorded")
    page.click("Close")
    is_over(page)
    equal(page.run("return document.querySelector('#hints button') === null"), True, "whether it is offered no more")
    page.click("Show hints")
    page.click("Tutorial")
    begins(page, "1 of 4")
    # A step waits for the core.
    page = stage.page("/counter/people", width=390, height=844)
    begins(page, "1 of 4")
    page.loses(stage.core)
    page.touch(200, 400)
    page.waits(1)
    begins(page, "1 of 4")
    stage.core.start()
    begins(page, "2 of 4")
    page.press("Leave")
    is_over(page)


def test_tutorial_by_keys(stage):
    """The tutorial is begun, done and left by keys alone, and a screen reader is told each step."""
    stage.new("people")
    page = stage.paired(width=800, height=600)
    focus = lambda: page.run("return document.activeElement.textContent")
    for _ in range(20):
        page.key("Tab")
        if focus() == "Tutorial":
            break
    equal(focus(), "Tutorial", "the button that the keyboard reaches")
    page.key("Enter")
    begins(page, "1 of 3: Tap the number")
    equal(page.run(SEEN), True, "whether the step is seen")
    page.key(" ")
    begins(page, "2 of 3")
    page.key("-")
    begins(page, "3 of 3")
    page.key("u")
    begins(page, "Done.")
    page.key("Escape")
    is_over(page)
    equal([event["kind"] for event in stage.core.events()], ["created", "added", "subtracted", "undone"], "what was recorded")


def test_hints_at_keys(stage):
    """Where there is a keyboard, hints and the tutorial name its keys, but none that is off."""
    stage.new("people")
    page = stage.paired()
    page.run("localStorage.setItem('tutorial', '2')")
    # A browser without a window has no mouse.
    with stage.browser.script("const match = matchMedia; matchMedia = words => words === '(hover: hover)' ? { matches: true } : match(words);"):
        for words, lesson, hint in [("off", "Press Undo: it", "space +1, ↓ −1"), ("on", "Press Undo or press u: it", "space +1, ↓ −1, u undoes")]:
            page = stage.page(f"/?keys={words}", width=390, height=844)
            begins(page, f"3 of 3: {lesson}")
            page.run("localStorage.removeItem('tutorial')")
            page = stage.page(f"/?keys={words}", width=390, height=844)
            eventually(lambda: hint in page.run(HINTS), lambda: f"there is the hint {hint!r} among {page.run(HINTS)!r}")
            page.run("localStorage.setItem('tutorial', '2')")


def test_sheet_beside_the_tutorial(stage):
    """A sheet that a person opens while the script of the tutorial loads opens with it, whatever is counted meanwhile."""
    page = stage.counting()
    page.run("const send = fetch; fetch = (path, ...more) => path.startsWith('/later') ? new Promise(go => { window.release = go; }).then(() => send(path)) : send(path, ...more)")
    page.press("Tutorial")
    page.click("Settings")
    page.key(" ")
    page.shows("1")
    page.run("window.release()")
    eventually(lambda: page.text("dialog h2") == "Settings", "the sheet")
    page.close_sheet()
    begins(page, "1 of 3")
    equal(page.run("return [document.adoptedStyleSheets.length, document.querySelectorAll('#tutorial').length]"), [1, 1], "the styles and the strips")


def test_tutorial_from_nothing(stage):
    """Where there is no counter the tutorial begins with making one, and goes on at it; a stopwatch has steps of its own."""
    page = stage.paired(setup=True, width=390, height=844)
    page.says("Tutorial", ".empty")
    page.press("Tutorial")
    begins(page, "The first step is a counter.")
    page.press("New counter")
    eventually(lambda: page.text("dialog"), "the sheet")
    page.run("document.querySelector('dialog input').value = 'swim'; document.querySelector('dialog [type=checkbox]').click()")
    page.click("Make the counter")
    begins(page, "1 of 3: Tap the number")
    equal("it starts" in page.text(STEP), True, page.text(STEP))
    page.touch(200, 400)
    begins(page, "2 of 3")
    page.touch(200, 400)
    begins(page, "3 of 3: Press Undo")


def test_tutorial_is_for_counting(stage):
    """The tutorial is offered where the page can count: not to a page that only watches, on a wall, or of a formula."""
    stage.new("people")
    stage.formula("double", "people * 2")
    offered = "return [...document.querySelectorAll('button')].some(one => one.textContent === 'Tutorial')"
    page = stage.page()
    page.shows("0")
    page.key("?")
    equal(page.run(offered), False, "whether it is offered to a page that only watches")
    page = stage.paired()
    equal(page.run(offered), True, "whether it is offered to a device that counts")
    page.run("localStorage.setItem('tutorial', '0')")
    for path in ["/wall/people", "/counter/double", "/all"]:
        page = stage.page(path)
        eventually(lambda: page.text("main") not in (None, "", "Waiting for the counts …"), "the page is there")
        equal((page.run(offered), page.run(SEEN)), (False, False), f"the offer and the tutorial in {path}")
