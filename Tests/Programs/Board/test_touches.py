"""Fingers, mice and keys on one counter."""

from kit.wait import becomes, equal, eventually


def counts(stage):
    """What was counted: the counter, the change and the gesture of each event."""
    return [(one["counter"], one["change"], one["cause"]["gesture"]) for one in stage.core.counts()]


def test_mouse_released_elsewhere(stage):
    """A press that ends outside of the number is over; the next click is a click of its own."""
    page = stage.counting()
    page.mouse("mousePressed", 300, 150)
    page.mouse("mouseMoved", 230, 60)
    page.mouse("mouseReleased", 200, 20)
    page.mouse("mousePressed", 300, 400)
    page.mouse("mouseReleased", 300, 400)
    becomes(lambda: counts(stage), [("people", 1, "tap")], "what was counted")
    page.mouse("mousePressed", 300, 200)
    page.mouse("mouseMoved", 300, 350)
    page.mouse("mouseReleased", 300, 400)
    becomes(lambda: counts(stage), [("people", 1, "tap"), ("people", -1, "swipe-down")], "what was counted")


def test_fingers_at_once(stage):
    """Each of several fingers is a tap with a ring; one that rests keeps no other, nor a mouse, from counting."""
    stage.new("people")
    stage.paired()
    # After several fingers at once Chromium's emulation passes on no touch to the next page of the same window.
    with stage.browser.window():
        touch_with_several(stage, stage.page())


def touch_with_several(stage, page):
    page.can_count()
    page.fingers("touchStart", (200, 300, 0))
    page.fingers("touchStart", (200, 300, 0), (400, 300, 1))
    page.fingers("touchStart", (200, 300, 0), (400, 300, 1), (600, 300, 2))
    page.fingers("touchEnd")
    page.shows("3")
    becomes(lambda: page.count_animations("ring"), 3, "a ring for each finger")
    page.fingers("touchStart", (100, 300, 0))
    for expected in ("4", "5"):
        page.mouse("mousePressed", 500, 300)
        page.mouse("mouseReleased", 500, 300)
        page.shows(expected)
    page.fingers("touchEnd")
    page.shows("6")
    equal(counts(stage), [("people", 1, "tap")] * 6, "what was counted")


def test_undo_after_a_swipe(stage):
    """The press of a button right after a quick swipe acts: a swipe by mistake is what Undo is pressed for most."""
    page = stage.counting(width=390, height=844)
    for _ in range(3):
        page.touch(200, 300, dy=200)
        page.shows("−1")
        page.press("Undo")
        page.shows("0")


def test_button_beside_a_finger(stage):
    """A second finger presses a button while the first one rests on the number."""
    stage.new("people", start=5)
    stage.paired()
    with stage.browser.window():
        page = stage.page()
        page.can_count()
        page.key("+")
        page.shows("6")
        x, y = page.middle(".acts button")
        page.fingers("touchStart", (300, 200, 0))
        page.fingers("touchStart", (300, 200, 0), (x, y, 1))
        page.fingers("touchEnd")
        becomes(lambda: sorted(one["kind"] for one in stage.core.events()), ["added", "added", "created", "undone"], "what was recorded")


def test_finger_that_slips(stage):
    """A stroke that is neither a tap nor a swipe is answered by a sentence."""
    page = stage.counting(width=390, height=844)
    for dx, dy in [(150, 150), (100, 180), (-100, -150)]:
        page.touch(100, 400, dx=dx, dy=dy)
        page.says("Not counted")
        page.pass_time(7)
        page.shows("", "#notice")
    equal(counts(stage), [], "what was counted")


def test_press_without_a_finger(stage):
    """What screen readers, switches and voice see is a button with a name, and what they send counts."""
    stage.new("pears", title="Pears", start=72)
    page = stage.paired()
    page.shows("72")
    button = "const one = document.querySelector('.box'); return [one.role, one.tabIndex, one.ariaLabel]"
    becomes(lambda: page.run(button), ["button", 0, "Pears, 72. Press to add 1"], "the button")
    equal(page.axe(), [], "what axe finds")
    for number, selector in enumerate([".area", ".box", ".number"]):
        page.run("document.querySelector(arguments[0]).click()", selector)
        page.shows(str(73 + number))
    page.touch(400, 300)
    page.shows("76")
    equal(counts(stage), [("pears", 1, "click")] * 3 + [("pears", 1, "tap")], "what was counted")


def test_counter_under_a_finger(stage):
    """A finger counts the counter that it came down on, whatever becomes the current one meanwhile."""
    stage.new("people")
    stage.new("bikes")
    stage.call("Select", counter="people")
    page = stage.paired()
    page.shows("people", "h1")
    page.fingers("touchStart", (400, 300, 0))
    stage.call("Select", counter="bikes")
    page.shows("bikes", "h1")
    page.fingers("touchEnd")
    becomes(lambda: counts(stage), [("people", 1, "tap")], "what was counted")


def test_sides_on_every_counter(stage):
    """A page that only watches, and one of a formula, show the neighbour by a swipe and by a key, as the hints say."""
    stage.new("people")
    stage.new("bikes")
    stage.formula("double", "people * 2")
    page = stage.page("/counter/people")
    page.shows("0")
    page.says("another counter", "#hints")
    page.has_pages(3)
    page.touch(600, 300, dx=-300)
    page.shows("bikes", "h1")
    page.key("ArrowLeft")
    page.shows("people", "h1")
    page.key(" ")
    page.key("-")
    page = stage.paired("/counter/double")
    page.shows("0")
    page.touch(400, 300)
    page.touch(400, 200, dy=200)
    page.touch(600, 300, dx=-300)
    page.shows("people", "h1")
    # A count of the page comes after all that it would have sent.
    page.can_count()
    page.key(" ")
    page.shows("1")
    becomes(lambda: counts(stage), [("people", 1, "key space")], "what was counted")
    equal(stage.core.value("people"), 1, "the count")


def test_what_a_half_made_gesture_would_do(stage):
    """While a finger moves, the edge that it moves to says what would be done; only a finger that is lifted does it."""
    stage.new("people", title="People", stepDown=2)
    stage.new("bikes", title="Bikes")
    page = stage.paired("/counter/people", width=390, height=844)
    page.has_pages(2)
    page.says("−2", "#hints")
    words = "const one = document.querySelector('#follow'); return one.hidden ? '' : one.textContent"
    for x, dx, dy, expected in [(200, 0, 150, "−2"), (200, 0, -150, "Settings"), (250, -150, 0, "Bikes"), (100, 150, 0, "Bikes"),
                                (8, 150, 0, "All counters"), (200, 100, 120, ""), (200, 10, 10, "")]:
        page.fingers("touchStart", (x, 400, 0))
        page.fingers("touchMove", (x + dx, 400 + dy, 0))
        becomes(lambda: page.run(words), expected, f"the words for ({dx}, {dy})")
        # Back to where it began, it is a tap.
        page.fingers("touchMove", (x, 400, 0))
        becomes(lambda: page.run(words), "", "the words for a tap")
        page.browser.command("Input.dispatchTouchEvent", type="touchCancel", touchPoints=[])
    equal((page.text("h1"), counts(stage)), ("People", []), "the counter, and what was counted")
    page.touch(200, 500, dy=-200)
    eventually(lambda: page.text("dialog h2") == "Settings", "a swipe up opens the settings")
    page.close_sheet()
    page.touch(8, 400, dx=200)
    becomes(lambda: page.run("return location.pathname"), "/all", "the address after a swipe from the edge")


def test_slip_before_taps(stage):
    """That a touch is not counted stands for some seconds, but not beside the next count."""
    page = stage.counting(width=390, height=844)
    page.touch(200, 300, dx=100, dy=120)
    page.says("Not counted")
    equal("Not counted" in page.text("#notice"), True, "whether it stands")
    page.touch(200, 400)
    equal(page.text("#notice"), "", "what stands beside the count")
    page.shows("1")


def test_hand(stage):
    """A hand shows each gesture to a device that has not counted yet, once, and goes at the first touch."""
    seen = "return document.querySelector('#hand span')?.textContent ?? ''"
    # The hand rests for 1.4 seconds at each gesture: no time passes but here.
    with stage.browser.script("stopTime()"):
        page = stage.counting(width=390, height=844)
        for words in ("tap +1", "swipe down −1", ""):
            page.pass_time(2)
            equal(page.run(seen), words, "what the hand shows")
        page = stage.page(width=390, height=844)
        page.can_count()
        page.pass_time(2)
        equal(page.run(seen), "", "the hand, shown again")
        page.run("localStorage.clear()")
        page = stage.page(width=390, height=844)
        page.can_count()
        page.pass_time(2)
        equal(page.run(seen), "tap +1", "what the hand shows")
        page.touch(200, 400)
        becomes(lambda: page.run(seen), "", "the hand after a touch")


def test_cost_of_a_tap(stage):
    """A tap lays the page out at most twice, for what waits and for what is recorded, also where the number has the focus."""
    taps, most = 50, {"LayoutCount": 2.7, "RecalcStyleCount": 11}
    # Each frame of an animation computes styles too, and how many frames come depends on the machine.
    page = stage.counting(features=[("prefers-reduced-motion", "reduce")])
    page.browser.command("Performance.enable")

    def counts():
        return {one["name"]: one["value"] for one in page.browser.command("Performance.getMetrics")["metrics"] if one["name"] in most}

    def tap(first, last):
        for number in range(first, last + 1):
            page.touch(x + number % 7, y + number % 5)
            becomes(lambda: stage.core.value("people"), number, "the count")

    # A touch on the number gives it the focus.
    x, y = page.middle(".number")
    try:
        tap(1, 2)
        page.shows("2")
        equal(page.run("return document.activeElement.className"), "box", "what has the focus")
        # A count that waits for long is shown, and each value is spoken a while later, which cost layouts of their own.
        page.stop_time()
        before = counts()
        tap(3, 2 + taps)
        after = counts()
        page.shows(str(2 + taps))
        cost = {name: (after[name] - before[name]) / taps for name in most}
        print(f"        a tap costs {cost}", flush=True)
        equal({name: cost[name] for name in most if cost[name] > most[name]}, {}, f"what costs more than {most}")
    finally:
        page.browser.command("Performance.disable")


# The middles of the buttons that a selector finds, in the lower half of each: a link is above.
MIDDLES = """return [...document.querySelectorAll(arguments[0])].map(one => {
  const { x, y, width, height } = one.getBoundingClientRect(); return [x + width / 2, y + height * .6]; });"""


def touch_several(page, points):
    """Puts fingers down one after the other, and lifts all."""
    for count in range(1, len(points) + 1):
        page.fingers("touchStart", *((x, y, finger) for finger, (x, y) in enumerate(points[:count])))
    page.fingers("touchEnd")


def test_fingers_on_several_buttons(stage):
    """Each of several fingers on rows or on tiles counts its counter once; two thumbs on tiles are no swipe."""
    names = "abcd"
    stage.group("one")
    stage.group("two")
    for name in names:
        stage.new(name, group="one")
    stage.new("other", group="two")
    stage.paired("/counter/a")
    for path, selector in [("/all/one", ".add"), ("/all/one?tiles=on", ".tile")]:
        for fingers in (1, 2, 4):
            # After several fingers at once Chromium's emulation passes on no touch to the next page of the same window.
            with stage.browser.window():
                page = stage.page(path, width=900, height=700)
                eventually(lambda: len(page.run(MIDDLES, selector)) == 4, "the buttons")
                before = {name: stage.core.value(name) for name in names}
                touch_several(page, page.run(MIDDLES, selector)[:fingers])
                becomes(lambda: {name: stage.core.value(name) - before[name] for name in names}, {name: int(name in names[:fingers]) for name in names},
                        f"what {fingers} fingers counted on {selector}")
                page.waits(0)
                equal(page.run("return location.pathname"), "/all/one", "the view")
    equal([stage.core.value(name) for name in names], [6, 4, 2, 2], "what was counted")


def test_finger_on_a_number_and_one_on_a_button(stage):
    """A finger on a button and a later one on the number both count."""
    stage.new("people", start=5)
    stage.paired()
    with stage.browser.window():
        page = stage.page()
        page.can_count()
        touch_several(page, [page.middle(".acts .round"), (300, 200)])
        becomes(lambda: sorted(counts(stage)), [("people", -1, "button"), ("people", 1, "tap")], "what was counted")


def test_tile_from_which_a_finger_slips(stage):
    """A finger that slips a little on a tile counts, as on the number; one that slips far is answered by a sentence."""
    stage.new("people")
    stage.new("bikes")
    stage.paired("/counter/people")
    total = 0
    for dx, dy in [(5, 0), (20, 0), (30, 0), (0, 16), (0, 30)]:
        with stage.browser.window():
            page = stage.page("/all?tiles=on", width=800, height=700)
            eventually(lambda: page.run(MIDDLES, ".tile"), "the tiles")
            page.touch(*page.run(MIDDLES, ".tile")[0], dx=dx, dy=dy)
            total += 1
            becomes(lambda: stage.core.value("people"), total, f"what was counted after a slip by {dx}, {dy}")
    with stage.browser.window():
        page = stage.page("/all?tiles=on", width=800, height=700)
        eventually(lambda: page.run(MIDDLES, ".tile"), "the tiles")
        page.touch(*page.run(MIDDLES, ".tile")[0], dx=80, dy=110)
        page.says("Not counted")
    equal(stage.core.value("people"), total, "what was counted")


def test_fingers_that_spread(stage):
    """Two fingers that move apart change nothing."""
    stage.new("people")
    stage.paired()
    with stage.browser.window():
        page = stage.page(width=390, height=844)
        page.can_count()
        page.fingers("touchStart", (195, 300, 0))
        page.fingers("touchStart", (195, 300, 0), (195, 330, 1))
        for step in range(1, 7):
            page.fingers("touchMove", (195, 300 - 20 * step, 0), (195, 330 + 20 * step, 1))
        page.fingers("touchEnd")
        page.key("+")
        page.shows("1")
        equal(page.text("dialog"), None, "the sheet that is open")
    equal(counts(stage), [("people", 1, "key +")], "what was counted")


def test_keys_that_are_off(stage):
    """A person who turns character keys off counts by space, Enter and arrows alone; sheets and fields take all keys."""
    page = stage.counting("/counter/people", width=390, height=844)
    page.open_sheet("Settings")
    page.run("[...document.querySelectorAll('dialog label')].find(one => one.textContent.startsWith('Character keys')).querySelector('input').click()")
    page.close_sheet()
    for key in "+-ua5?":
        page.key(key)
    equal((page.text("dialog"), page.run("return location.pathname")), (None, "/counter/people"), "what the keys have opened")
    for key in (" ", "Enter", "ArrowUp", "ArrowDown"):
        page.key(key)
    page.shows("2")
    becomes(lambda: counts(stage), [("people", 1, "key space"), ("people", 1, "key Enter"), ("people", 1, "key ArrowUp"), ("people", -1, "key ArrowDown")], "what was counted")
    page.open_sheet("Amount …")
    page.key("7")
    becomes(lambda: page.text("dialog output"), "7", "what the keypad has")
