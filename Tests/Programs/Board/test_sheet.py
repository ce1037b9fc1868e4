"""The sheet of one counter: what is drawn of each kind of value, where the parts stand, and that all colours can be read."""

from kit.wait import becomes, equal, eventually

# The strokes of the sheet: those that are recorded, and those that wait.
STROKES = ("const count = selector => [...document.querySelectorAll(selector)].reduce((sum, one) => sum + (one.getAttribute('d') ?? '').split('M').length - 1, 0);"
           "return [count('.sheet g g path:not(.wait):not(.arc)'), count('.sheet .wait'), count('.sheet .dots')]")


def test_marks(stage):
    """Each count is a stroke, also after an undo; thousands are dots, and strokes get smaller so that all fit."""
    stage.new("people")
    page = stage.paired(width=390, height=844)
    page.shows("0")
    equal(page.run(STROKES), [0, 0, 0], "the strokes of nothing")
    for number in range(1, 8):
        page.touch(200, 300)
        page.shows(str(number))
        becomes(lambda: page.run(STROKES), [number, 0, 0], "the strokes")
    page.picture("marks-7")
    page.press("Undo")
    becomes(lambda: page.run(STROKES), [6, 0, 0], "the strokes after an undo")
    for amount, expected in [(93, [99, 0, 0]), (1, [100, 0, 0]), (1, [101, 0, 0]), (898, [999, 0, 0]), (3004, [3, 0, 4]), (-8003, None)]:
        if amount > 0:
            stage.add("people", amount)
            becomes(lambda: page.run(STROKES), expected, "the strokes")
            inside = page.run("const sheet = document.querySelector('svg.sheet').getBoundingClientRect(), marks = document.querySelector('.sheet g g').getBoundingClientRect();"
                              "return [marks.top - sheet.top, sheet.right - marks.right]")
            equal(min(inside) > -3, True, f"whether {expected} fit: {inside}")
    stage.call("Correct", counter="people", value=-17)
    becomes(lambda: page.run(STROKES), [17, 0, 0], "the strokes below zero")
    equal(page.run("return document.querySelector('.sheet .arc').getAttribute('d') !== ''"), True, "whether they hang from a line")


def test_place_of_the_newest_stroke(stage):
    """The newest stroke is the last one of its bundle, on a phone as on a wide screen."""
    stage.new("people", start=4)
    for width, height in [(320, 568), (390, 844), (1280, 800)]:
        page = stage.page(width=width, height=height)
        becomes(lambda: page.run(STROKES), [4, 0, 0], "the strokes")
        before, newest = page.run("const made = document.querySelector('.sheet .new'); return [made.previousSibling, made].map(one => one.getBoundingClientRect().right)")
        equal(newest > before, True, f"whether the newest stroke at {newest} comes after the one at {before} in {width} x {height}")


def test_marks_of_a_low_sheet(stage):
    """On a phone that lies on its side one row of strokes fills the sheet."""
    stage.new("people", title="People", start=43)
    page = stage.page(width=844, height=390)
    page.shows("43")
    sizes = "const [sheet, marks] = ['.sheet', '.sheet g g'].map(one => document.querySelector(one).getBoundingClientRect()); return [sheet.height, marks.height]"
    eventually(lambda: page.run(sizes)[1], "the marks")
    sheet, marks = page.run(sizes)
    equal(marks >= 40, True, f"whether strokes of {marks} px fill a sheet of {sheet} px")


def test_new_stroke(stage):
    """A stroke that somebody else counts draws itself, once."""
    page = stage.watching()
    for number in (1, 2):
        stage.add("people")
        page.shows(str(number))
        becomes(lambda: page.count_animations("drawn"), number, "the strokes that drew themselves")


def test_a_tap_adds_one_stroke(stage):
    """A tap changes the newest strokes alone, however many there are: all others, and what holds them, stay as they are."""
    stage.new("people", start=430, maximum=900)
    page = stage.paired(width=390, height=844)
    becomes(lambda: page.run(STROKES), [430, 0, 0], "the strokes")
    page.run("window.kinds = []; new MutationObserver(all => { for (const one of all) window.kinds.push([one.target.localName, one.attributeName ?? 'children'].join(' ')); })"
             ".observe(document.querySelector('svg.sheet'), {subtree: true, attributes: true, childList: true})")
    for number in range(431, 434):
        page.touch(200, 300)
        page.shows(str(number))
        becomes(lambda: page.run(STROKES), [number, 0, 0], "the strokes")
    kinds = page.run("return window.kinds")
    equal(set(kinds), {"path d", "g children"}, "what was changed")
    longest = page.run("return Math.max(...[...document.querySelectorAll('.sheet g g path')].map(one => one.getAttribute('d').split('M').length - 1))")
    equal(longest <= 25, True, f"whether an element has few strokes, which are drawn again: {longest}")
    events = page.run("return new Promise(done => { let frames = 0; const begun = window.requestAnimationFrame; window.requestAnimationFrame = act => { frames += 1; return begun(act); };"
                      "setTimeout(() => done(frames), 100); })")
    equal(events, 0, "the frames that the page asks for while nothing happens")


def test_marks_that_wait(stage):
    """A count that is not recorded is a dotted stroke; recorded, it is one of the others, and never both."""
    stage.new("people", start=3)
    page = stage.paired(width=390, height=844)
    page.shows("3")
    page.loses(stage.core)
    page.touch(200, 300)
    page.touch(200, 300)
    becomes(lambda: page.run(STROKES), [3, 2, 0], "the strokes that are recorded and those that wait")
    page.key("-")
    becomes(lambda: page.run(STROKES), [3, 1, 0], "the strokes after one is taken off")
    page.run("window.most = 0; new MutationObserver(() => { const [solid, waits] = (() => {" + STROKES + "})(); window.most = Math.max(window.most, solid + waits); })"
             ".observe(document.querySelector('svg.sheet'), {subtree: true, attributes: true, childList: true})")
    stage.core.start()
    page.shows("4")
    becomes(lambda: page.run(STROKES), [4, 0, 0], "the strokes once all is recorded")
    equal(page.run("return window.most") <= 5, True, "the most strokes at once")


def test_other_drawings(stage):
    """Decimals are cells, with a goal a ring; a stopwatch is a dial, a formula in percent a ring."""
    stage.tally("new", "kilos", "--decimals", "1", "--start", "12.5")
    stage.tally("new", "litres", "--decimals", "1", "--start", "2.5", "--target", "10")
    stage.new("swim", kind="stopwatch")
    stage.new("people", start=4)
    stage.formula("share", "people / 16 * 100")
    page = stage.page("/counter/kilos", width=390, height=844)
    becomes(lambda: page.run("return document.querySelectorAll('.sheet .cell').length"), 13, "the cells")
    widths = page.run("return [...document.querySelectorAll('.sheet .cell')].slice(-2).map(one => Number(one.getAttribute('width')))")
    equal(abs(widths[1] / widths[0] - 0.5) < 0.02, True, f"whether the last cell is half full: {widths}")
    page = stage.page("/counter/litres", width=390, height=844)
    arc = "const parts = document.querySelector('.sheet .arc')?.getAttribute('stroke-dasharray').split(' ').map(Number); return parts && Math.round(100 * parts[0] / parts[1])"
    becomes(lambda: page.run(arc), 25, "the part of the ring")
    page = stage.page("/counter/swim", width=390, height=844)
    becomes(lambda: page.run("return document.querySelectorAll('.sheet path').length"), 61, "the ticks of the dial and its hand")
    stage.call("Start", counter="swim")
    turn = "return document.querySelector('.sheet path.arc[d*=V]')?.getAttribute('transform')"
    first = page.run(turn)
    eventually(lambda: page.run(turn) != first, "the hand runs")


def test_places(stage):
    """The number stands at the bottom left, and what a thumb presses below it at the right; nothing moves when the number gets old."""
    stage.new("people", start=42)
    page = stage.paired(width=390, height=844)
    page.shows("42")
    sides = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]"
    number, undo, minus = [page.run(sides, one) for one in (".number", ".acts button", ".acts .round")]
    equal(page.run("return document.querySelector('.middle .chip') !== null"), True, "whether a counter without an icon has its tile")
    equal((number[0] < 40, number[1] > 400, undo[1] >= number[3], undo[1] > 700, minus[2] > 350), (True,) * 5, f"the places: {number}, {undo}, {minus}")
    page.loses(stage.core)
    page.touch(200, 300)
    page.waits(1)
    equal([round(one) for one in page.run(sides, ".number")], [round(one) for one in number], "the place of the number that is old")
    equal(page.run("return document.title"), "old: 42 people", "the title of the window")
    page.picture("sheet-old")
    stage.core.start()
    page.shows("43")
    page.is_live()
    becomes(lambda: page.run("return document.title"), "43 people", "the title of the window")


def test_order_of_pages(stage):
    """→ goes through counters and formulas in the order of the list, and the place among them is that of the list."""
    stage.new("alone")
    stage.group("door", title="Front door")
    for name in ("in", "out"):
        stage.new(name, group="door")
    stage.formula("inside", "in - out")
    page = stage.paired("/counter/in", width=1280, height=800)
    listed = eventually(lambda: page.run("return [...document.querySelectorAll('.list b')].map(one => one.textContent)"), "the list")
    equal(len(listed), 4, f"what is listed: {listed}")
    for place, title in enumerate(listed):
        page.shows(title, "h1")
        equal(page.run("return [...document.querySelectorAll('#pager i')].findIndex(one => one.className === 'on')"), place, f"the place of {title}")
        page.key("ArrowRight")
    page.shows(listed[0], "h1")


def test_first_digit(stage):
    """Each first digit begins where the icon and the bar do, a 1 as well, whose ink is narrower than its place."""
    stage.new("people", maximum=400)
    page = stage.page(width=390, height=844)
    edge = ("const made = document.querySelector('.number'), { fontSize } = getComputedStyle(made), canvas = document.createElement('canvas').getContext('2d');"
            "canvas.font = `700 ${fontSize} Digits`;"
            "const range = new Range(); range.selectNodeContents(made);"
            "return range.getBoundingClientRect().left - canvas.measureText(made.textContent[0]).actualBoundingBoxLeft - document.querySelector('.middle .chip').getBoundingClientRect().left")
    for value in (1, 4, 8, 17, 44, 120, 380):
        stage.call("Correct", counter="people", value=value)
        page.shows(str(value))
        equal(abs(page.run(edge)) < 7, True, f"whether {value} begins at the edge, and not beside it by {page.run(edge):.1f}")


def test_wide(stage):
    """A wide screen shows the counters, the sheet, and the last day beside each other; a press in the list shows a counter without a reload."""
    stage.new("people", title="People", start=3)
    stage.new("bikes", title="Bikes")
    page = stage.paired("/counter/people", width=1280, height=800)
    page.shows("3")
    becomes(lambda: page.run("return document.querySelectorAll('.list a').length"), 2, "the counters in the list")
    equal(page.run("return document.querySelector('#where').checkVisibility()"), True, "whether there is a way to all counters")
    sides = "return ['.list', '.area', '.day'].map(one => { const box = document.querySelector(one).getBoundingClientRect(); return [box.left, box.right].map(Math.round); })"
    (left, right), (start, end), (first, last) = page.run(sides)
    equal(left == 0 and right <= start and end <= first and last == 1280, True, f"the places: {page.run(sides)}")
    eventually(lambda: page.run("return document.querySelector('.today .digits') !== null"), "the last day")
    page.run("window.titles = []; new MutationObserver(all => titles.push(...all.map(() => document.title))).observe(document.querySelector('title'), { childList: true })")
    for number in range(4, 24):
        stage.add("people")
        page.shows(str(number))
    eventually(lambda: page.run("return titles.at(-1)") == "23 People", "the title of the window")
    # A second passes between two titles, so that only counts a second apart each would make so many.
    equal(page.run("return titles.length") < 20, True, "whether the title follows once a second")
    page.run("window.mark = 'same page'; document.querySelectorAll('.list a')[1].click()")
    page.shows("Bikes", "h1")
    equal(page.run("return [window.mark, location.pathname]"), ["same page", "/counter/bikes"], "the page, and its address")
    equal(page.axe(), [], "what axe finds")
    for number in range(40):
        stage.new(f"n{number}")
    becomes(lambda: page.run("return document.querySelectorAll('.list a').length"), 42, "the counters in the list")
    page.run("window.found = 0; const find = Array.prototype.find; Array.prototype.find = function (...words) { window.found += 1; return find.apply(this, words); }")
    stage.add("bikes")
    page.shows("1", ".number")
    equal(page.run("return window.found") < 42, True, "whether a count does not search all counters for each row of the list")
    page = stage.page("/counter/people", width=1000, height=800)
    page.shows("23")
    equal(page.run("return document.querySelector('.list').checkVisibility()"), False, "whether a narrow screen has the list")


# The ratio of contrast (WCAG 2) of a text's colour and its ground, as the screen shows them.
CONTRAST = """
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const light = colour => {
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
};
const probe = document.body.appendChild(document.createElement("i"));
const shade = name => { probe.style.color = `var(${name})`; return light(getComputedStyle(probe).color); };
const ratio = (one, other) => { const [a, b] = [shade(one), shade(other)]; return Math.max(a, b) / Math.min(a, b); };
return [["--digits", "--ground"], ["--ink", "--ground"], ["--soft", "--sunk"], ["--digits", "--flash"], ["--accent", "--ground"], ["--accent", "--sunk"]]
  .map(([one, other]) => ratio(one, other));
"""


def test_colours(stage):
    """Every colour that a counter can have can be read in light and dark: also yellow, white and black."""
    stage.new("people")
    colours = ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta", "pink", "brown", "grey", "#ffffff", "#000000", "#ffff80", "#00ff00"]
    hues = set()
    for colour in colours:
        stage.call("Set", counter="people", colour=colour, title=colour)
        for theme in ("light", "dark"):
            page = stage.page(f"/counter/people?theme={theme}", width=390, height=844)
            page.shows(colour, "h1")
            hues.add(page.run("return document.documentElement.style.getPropertyValue('--h')"))
            digits, ink, soft, flash, accent, sign = page.run(CONTRAST)
            equal(digits >= 7 and ink >= 7 and soft >= 4.5 and flash >= 7 and accent >= 4.2 and sign >= 3, True,
                  f"whether {colour} can be read in {theme}: {digits:.1f} {ink:.1f} {soft:.1f} {flash:.1f} {accent:.1f} {sign:.1f}")
    equal(len(hues), len(colours), f"the number of hues: {hues}")


def test_high_contrast(stage):
    """In high contrast the button that undoes, the empty part of a bar and the counter that is shown differ from the ground."""
    stage.new("people", start=3, maximum=10)
    stage.new("bikes")
    stage.paired()
    page = stage.page("/counter/people?theme=contrast", width=1280, height=800)
    page.can_count()
    ground, *others = page.run("return ['body', '.acts button', '.gauge', '.list [aria-current]'].map(one => getComputedStyle(document.querySelector(one)).backgroundColor)")
    equal(ground in others, False, f"whether {others} differ from {ground}")
    equal(page.axe(), [], "what axe finds")


def test_forced_colours(stage):
    """Where the system forces its colours, a bar is filled, the digits are solid, and their ground covers neither the title nor the bar."""
    stage.new("people", title="People", start=30, maximum=40)
    page = stage.paired(width=390, height=844, features=[("forced-colors", "active")])
    page.shows("30")
    fill, ground = page.run("return ['.gauge i', '.gauge'].map(one => getComputedStyle(document.querySelector(one)).backgroundColor)")
    equal(fill != ground, True, f"whether the fill {fill} differs from {ground}")
    page.picture("forced")
    page.run("for (const one of document.querySelectorAll('#hints, #hand')) one.remove()")

    def picture(selector, colour):
        page.run("document.querySelector('.number').style.visibility = arguments[0]", colour)
        x, y, width, height = page.run("const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect(); return [x, y, width, height]", selector)
        return page.browser.command("Page.captureScreenshot", format="png", clip={"x": x, "y": y, "width": width, "height": height, "scale": 1})["data"]

    for part in (".what", ".one .gauge"):
        equal(picture(part, "") == picture(part, "hidden"), True, f"whether the number leaves {part} in sight")
    page.run("document.querySelector('.area').classList.add('tick')")
    equal(page.run("return getComputedStyle(document.querySelector('.area')).outlineWidth"), "6px", "the rim of a count")
    page = stage.page("/past/people", width=390, height=844, features=[("forced-colors", "active")])
    eventually(lambda: page.run("return document.querySelector('#view [aria-pressed=true]') !== null"), "the pressed step")
    pressed = "return [...document.querySelectorAll('#view [aria-pressed]')].map(one => [one.ariaPressed, getComputedStyle(one).outlineStyle])"
    equal({tuple(one) for one in page.run(pressed)}, {("false", "none"), ("true", "solid")}, "whether the pressed step differs from the others")


def test_walls_of_several(stage):
    """A wall of several counters, or of a group, shows them as tiles that cannot be pressed, and marks them as old."""
    stage.group("door", title="Front door")
    for name in ("in", "out", "inside"):
        stage.new(name, title=name.title(), group="door", start=7)
    stage.new("bikes")
    for path, expected in [("/wall/bikes,in", ["bikes", "In"]), ("/wall/door", ["In", "Out", "Inside"])]:
        page = stage.page(path, width=1920, height=1080)
        titles = "return [...document.querySelectorAll('.tile b')].map(one => one.textContent)"
        becomes(lambda: page.run(titles), expected, f"the tiles of {path}")
        equal(page.run("return [document.documentElement.scrollHeight, document.documentElement.scrollWidth]"), [1080, 1920], "the size of the page")
        equal(page.run("return document.querySelectorAll('main a, main button').length"), 0, "what can be pressed")
        equal(page.axe(), [], "what axe finds")
    stage.add("in")
    page.shows("8", ".tile .number")
    page.loses(stage.core)
    page.says("no core since")
    equal(page.run("return document.querySelector('#notice').checkVisibility()"), True, "whether it is seen")
    page.picture("wall-several")


def test_names_that_change(stage):
    """Walls, and the overview of a group, keep their counters when a counter or the group gets another name; a wall says which counter is no more."""
    stage.group("door", title="Front door")
    stage.new("in", title="In", group="door")
    stage.new("out", title="Out", group="door")
    stage.new("bikes", title="Bikes")
    titles = "return [...document.querySelectorAll('.tile b, .row b')].map(one => one.textContent)"
    page = stage.page("/wall/bikes,in")
    becomes(lambda: page.run(titles), ["Bikes", "In"], "the tiles")
    stage.call("Set", counter="bikes", newName="cycles")
    stage.call("Set", counter="in", title="Entrance")
    becomes(lambda: page.run(titles), ["Bikes", "Entrance"], "the tiles after a new name")
    becomes(lambda: page.run("return location.pathname"), "/wall/cycles%2Cin", "the address after a new name")
    stage.call("Remove", counter="in")
    becomes(lambda: page.run(titles), ["Bikes", "“in” is deleted"], "the tiles without a counter")
    equal(page.axe(), [], "what axe finds")
    stage.tally("undo")
    becomes(lambda: page.run(titles), ["Bikes", "Entrance"], "the tiles after an undo")
    for number, path in enumerate(["/wall/door", "/all/gate0"]):
        page = stage.page(path)
        becomes(lambda: page.run(titles), ["Entrance", "Out"], f"what {path} shows")
        stage.call("SetGroup", group=path.split("/")[-1], newName=f"gate{number}")
        becomes(lambda: page.run("return location.pathname"), f"/{path.split('/')[1]}/gate{number}", "the address after a new name of the group")
        stage.call("Set", counter="in", title=f"Door {number}")
        becomes(lambda: page.run(titles), [f"Door {number}", "Out"], "what is shown after it")
        stage.call("Set", counter="in", title="Entrance")


def test_wall_of_a_counter_with_the_name_of_a_group(stage):
    """A wall of a counter stays one, whatever becomes of a group that has its name."""
    stage.group("door", title="Front door")
    stage.new("door", group="door")
    stage.new("bikes", group="door")
    page = stage.page("/wall/door")
    page.shows("0")
    for number, (method, parameters) in enumerate([("SetGroup", {"group": "door", "newName": "gate"}), ("SetGroup", {"group": "gate", "newName": "door"}),
                                                   ("Set", {"counter": "door", "newName": "way"}), ("SetGroup", {"group": "door", "newName": "gate"})], 1):
        stage.call(method, **parameters)
        name = "way" if number > 2 else "door"
        stage.add(name)
        page.shows(str(number), ".box .number")
        equal(page.run("return [location.pathname, document.querySelectorAll('.tile').length]"), [f"/wall/{name}", 0], "the address, and the tiles")


def test_day_of_a_formula(stage):
    """The answer for a counter that was shown before does not appear beside a formula."""
    stage.new("people", start=3)
    stage.formula("double", "people * 2")
    slow = """const ask = window.fetch; window.asked = 0; window.fetch = async (path, ...more) => {
      const answer = await ask(path, ...more);
      if (String(path).startsWith("/totals")) { window.asked += 1; await new Promise(resolve => { window.goOn = resolve; }); }
      return answer; };"""
    with stage.browser.script(slow):
        page = stage.paired("/counter/people", width=1280, height=800)
    eventually(lambda: page.run("return window.asked > 0"), "the day is asked for")
    page.run("document.querySelectorAll('.list a')[1].click()")
    page.shows("double", "h1")
    page.run("window.goOn()")
    page.run_async("setTimeout(done, 100)")
    equal(page.run("return document.querySelector('.today').checkVisibility()"), False, "whether the day is shown")


def test_numbers_below_their_titles(stage):
    """On a wall of tiles, no number comes up to the icon and the title above it."""
    stage.group("door", title="Front door")
    for name in ("in", "out", "inside", "bikes", "dogs"):
        stage.new(name, title=name.title(), icon="🚪", group="door", start=43)
    for width, height in [(320, 568), (390, 844), (844, 390), (1280, 800), (3840, 2160)]:
        page = stage.page("/wall/door", width=width, height=height)
        becomes(lambda: page.run("return document.querySelectorAll('.tile').length"), 5, "the tiles")
        # Above the ink of a digit, its line has .037 of its size.
        room = page.run("return [...document.querySelectorAll('.tile')].map(one => { const number = one.querySelector('.number'), size = parseFloat(getComputedStyle(number).fontSize);"
                        "return (number.getBoundingClientRect().top + 0.037 * size - one.querySelector('.what').getBoundingClientRect().bottom) / size; })")
        equal(min(room) > 0.1, True, f"whether the numbers are a tenth of their size below the titles in {width} x {height}: {room}")


def test_long_numbers_in_the_overview(stage):
    """Nineteen digits leave the title its place, and stay in one line."""
    stage.new("n", title="Number of all things", start=9223372036854775807)
    page = stage.page("/all", width=390, height=844)
    eventually(lambda: page.text(".row") is not None, "the row")
    title, value = page.run("return ['.row b', '.row .value'].map(one => { const box = document.querySelector(one).getBoundingClientRect(); return [box.width, box.height, box.right]; })")
    equal((title[0] > 120, title[1] < 60, value[1] < 60, value[2] <= 390), (True,) * 4, f"the title and the number: {title}, {value}")


def test_marks_of_large_numbers(stage):
    """Large and small dots and strokes add up to the number."""
    stage.new("people", start=255_508)
    page = stage.page(width=390, height=844)
    page.shows("255,508")
    drawn = "return [...document.querySelectorAll('.sheet .dots')].map(one => one.getAttribute('d').split('M').length - 1)"
    for amount, dots, strokes in [(0, [25, 5], 508), (4_492, [26, 0], 0), (1_999_001, [22, 5, 9], 1)]:
        if amount:
            stage.add("people", amount)
        becomes(lambda: page.run(drawn), dots, "the dots")
        equal(page.run(STROKES)[0], strokes, "the strokes")
    widths = page.run("return [...document.querySelectorAll('.sheet .dots')].map(one => Number(one.getAttribute('stroke-width')))")
    equal(widths, sorted(set(widths), reverse=True), "whether dots of less are smaller")
    page.picture("marks-2259001")
