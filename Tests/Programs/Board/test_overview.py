"""All counters: as rows that count, as tiles that fill the screen, and those of one group."""

from kit.pages import ROWS, set_value
from kit.wait import becomes, equal, eventually


def places(page):
    """The sides of all tiles: left, top, right, bottom."""
    return page.run("return [...document.querySelectorAll('.tiles li')].map(one => { const box = one.getBoundingClientRect();"
                    " return [box.left, box.top, box.right, box.bottom].map(Math.round); })")


def test_rows_that_count(stage):
    """Each row has a button that counts its counter once; formulas, locked counters and pages that only watch have none."""
    stage.new("people", title="People", step=2)
    stage.new("bikes")
    stage.new("old")
    stage.call("Lock", counter="old")
    stage.new("swim", kind="stopwatch")
    stage.formula("double", "people * 2")
    stage.paired()
    page = stage.page("/all", width=390, height=844)
    buttons = "return [...document.querySelectorAll('.add')].map(one => one.ariaLabel)"
    becomes(lambda: page.run(buttons), ["People: add 2", "bikes: add 1", "swim: start or stop"], "the buttons")
    for number in (1, 2, 3):
        page.touch(*page.middle(".add"))
        page.shows(str(2 * number), ".row .value")
    page.run("document.querySelectorAll('.add')[2].click()")
    eventually(lambda: stage.core.call("Get", counter="swim")["counter"].get("since"), "the stopwatch runs")
    equal([(one["counter"], one["change"]) for one in stage.core.counts()], [("people", 2)] * 3, "what was counted")
    equal(page.axe(), [], "what axe finds")
    stage.browser.forget()
    page = stage.page("/all")
    eventually(lambda: page.text(".row") is not None, "the overview is there")
    equal(page.run(buttons), [], "the buttons of a page that only watches")


def test_tiles(stage):
    """Tiles share the whole screen in the fewest rows that keep them large, as counters come and go; each counts by a tap."""
    for number in range(4):
        stage.new(f"c{number}", title=f"Cell type {number}")
    stage.paired()
    page = stage.page("/all?tiles=on", width=1280, height=800)
    becomes(lambda: len(places(page)), 4, "the tiles")
    tiles = places(page)
    equal(len({one[1] for one in tiles}), 2, f"the rows of four tiles: {tiles}")
    equal(max(one[3] for one in tiles) <= 800 and max(one[3] for one in tiles) > 760, True, f"whether they end with the screen: {tiles}")
    for number in range(4, 9):
        stage.new(f"c{number}")
    becomes(lambda: len(places(page)), 9, "the tiles")
    tiles = places(page)
    equal((len({one[0] for one in tiles}), len({one[1] for one in tiles})), (3, 3), f"the columns and rows of nine: {tiles}")
    equal(max(one[3] for one in tiles) <= 800, True, f"whether nine fit: {tiles}")
    for number, (left, top, right, bottom) in enumerate(tiles[:3]):
        for _ in range(number + 1):
            page.touch((left + right) / 2, (top + bottom) / 2)
    becomes(lambda: [stage.core.value(f"c{number}") for number in range(4)], [1, 2, 3, 0], "what was counted")
    equal(page.axe(), [], "what axe finds")
    page.picture("tiles")
    stage.call("Set", counter="c8", archived=True)
    becomes(lambda: len(places(page)), 8, "the tiles without an archived one")


def test_many_tiles(stage):
    """However many tiles there are, each is wide enough for a finger; those below the window are not laid out."""
    for number in range(300):
        stage.new(f"n{number}")
    stage.paired()
    page = stage.page("/all?tiles=on", width=390, height=844)
    becomes(lambda: page.run("return document.querySelectorAll('.tile').length"), 300, "the tiles")
    narrowest = page.run("return Math.min(...[...document.querySelectorAll('.tiles li')].map(one => one.getBoundingClientRect().width))")
    equal(narrowest > 100, True, f"whether a tile of {narrowest} px is wide enough")
    # A number that is skipped has no size of its own.
    equal(page.run("return document.querySelectorAll('.tile .number')[299].checkVisibility({ contentVisibilityAuto: true })"), False, "whether the last one is laid out")
    page.run("document.querySelectorAll('.tiles li')[299].scrollIntoView()")
    page.touch(*eventually(lambda: page.run("const one = document.querySelectorAll('.tiles li')[299], { x, y, width, height } = one.getBoundingClientRect();"
                                            "return y + height <= innerHeight + 1 && [x + width / 2, y + height / 2]"), "the last tile"))
    becomes(lambda: stage.core.value("n299"), 1, "what was counted")
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    below = page.run("return document.documentElement.scrollHeight - scrollY - document.querySelectorAll('.tiles li')[299].getBoundingClientRect().bottom")
    equal(below >= 12, True, f"whether {below} px below the last tile are a gap")


def shown_in_tiles(stage, name, title, letters, ellipsis=0):
    """Checks that letters of fifty titles, the last that match, are in the boxes that cut texts off, and before the ellipsis."""
    for number in range(50):
        stage.new(f"n{number}", title=title.format(number))
    for width, height in [(320, 568), (390, 844), (1280, 800)]:
        page = stage.page("/all?tiles=on", width=width, height=height)
        becomes(lambda: len(places(page)), 50, "the tiles")
        shown = page.run("return [...document.querySelectorAll('.tile b')].slice(0, 6).map(one => { const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = new Range();"
                         " let text = null, found = null; while (texts.nextNode()) { const match = texts.currentNode.data.match(arguments[0]); if (match) [text, found] = [texts.currentNode, match]; }"
                         " range.setStart(text, found.index); range.setEnd(text, found.index + found[0].length);"
                         " const place = range.getBoundingClientRect(); let box = text.parentNode; while (getComputedStyle(box).overflowX !== 'hidden') box = box.parentNode;"
                         " const { left, right, bottom } = box.getBoundingClientRect();"
                         " return place.left >= left - 1 && place.right <= right + 1 - arguments[1] && place.bottom <= bottom + 1; })", letters, ellipsis)
        page.picture(f"{name}-{width}")
        equal(shown, [True] * 6, f"whether the letters are seen in {width} x {height}")


def test_titles_that_begin_alike(stage):
    """Tiles of many counters show the ends of their titles, in which they differ."""
    shown_in_tiles(stage, "alike", "Entrance of the northern hall, door {}", r".{1,2}$")


def test_titles_that_differ_in_the_middle(stage):
    """Tiles of many counters whose titles begin and end alike show where they differ."""
    shown_in_tiles(stage, "middle", "Entrance of the northern hall {} beside the large stairs", r"\d", ellipsis=7)


def test_words_of_titles(stage):
    """On a small phone a title is broken between its words only: the number goes below it where both have no room."""
    stage.new("people", title="Besucher am Haupteingang", start=12345)
    stage.new("cars", title="Hintereingang", start=7)
    stage.new("bikes", title="Bikes", start=123)
    stage.paired("/counter/people")
    page = stage.page("/all", width=320, height=568)
    becomes(lambda: len(page.run(ROWS)), 3, "the rows")
    broken = page.run("return [...document.querySelectorAll('.row b')].flatMap(one => [...one.textContent.matchAll(/\\S+/g)].filter(word => { const range = new Range();"
                      " range.setStart(one.firstChild, word.index); range.setEnd(one.firstChild, word.index + word[0].length); return range.getClientRects().length > 1; }).map(String))")
    page.picture("words-320")
    equal(broken, [], "words that are broken")
    beside = page.run("const [title, value] = ['.name', '.value'].map(one => [...document.querySelectorAll(one)][2].getBoundingClientRect()); return value.left >= title.right && value.top < title.bottom")
    equal(beside, True, "whether a short title has its number beside it")


def test_tile_with_the_keyboard(stage):
    """The ring around a tile that has the keyboard is seen."""
    stage.new("people")
    stage.new("bikes")
    stage.paired()
    page = stage.page("/all?tiles=on", width=390, height=844)
    becomes(lambda: len(places(page)), 2, "the tiles")
    left, top, right, bottom = places(page)[0]

    def edge():
        return page.browser.command("Page.captureScreenshot", format="png", clip={"x": left - 5, "y": top + 50, "width": 4, "height": 20, "scale": 1})["data"]

    before = edge()
    for _ in range(20):
        page.key("Tab")
        if page.run("return document.activeElement === document.querySelector('.tile')"):
            break
    eventually(lambda: edge() != before, "the ring")


def test_overview_of_a_group(stage):
    """A group has an overview of its own, and a button to the next one."""
    stage.group("door", title="Front door")
    stage.group("team", title="Blue team")
    stage.new("people", group="door")
    stage.new("anna", group="team")
    stage.new("bea", group="team")
    page = stage.page("/all/team", width=390, height=844)
    becomes(lambda: page.run(ROWS), ["anna", "bea"], "the rows")
    page.shows("Blue team", "h1")
    seen = "return [...document.querySelectorAll('h1, .all h2 *')].filter(one => one.textContent === 'Blue team' && one.offsetWidth > 1).map(one => one.localName)"
    equal(page.run(seen), ["h1"], "where the title is seen")
    equal(page.run("return document.querySelector('h1 a').pathname"), "/group/team", "where the title leads")
    equal(page.axe(), [], "what axe finds")
    page.has_pages(3)
    equal(page.run("return document.querySelector('.ends').checkVisibility()"), False, "whether of equal counters one is the highest")
    stage.add("bea")
    page.shows("highest \u2068bea\u2069, lowest \u2068anna\u2069", ".ends")
    ends = page.run("const range = new Range(); range.selectNodeContents(document.querySelector('.ends'));"
                    "return [range, document.querySelector('.card')].map(one => one.getBoundingClientRect().right)")
    equal(abs(ends[0] - ends[1]) < 12, True, f"whether the highest and the lowest end with the rows: {ends}")
    page.run("document.querySelector('[aria-label=\"Next group\"]').click()")
    becomes(lambda: page.run(ROWS), ["people", "anna", "bea"], "the rows of all")
    page.run("document.querySelector('[aria-label=\"Next group\"]').click()")
    page.shows("Front door", "h1")
    becomes(lambda: page.run(ROWS), ["people"], "the rows of the other group")


def test_title_of_the_overview(stage):
    """The title stands beside the buttons, so that the counters begin at the top; a group's leads back to all counters."""
    stage.group("door", title="Front door")
    stage.new("in", group="door")
    stage.paired(setup=True).can_count()
    beside = ("const [title, menu, rows] = ['h1', '#more', '.groups'].map(one => document.querySelector(one).getBoundingClientRect());"
              "return [title.top < menu.bottom && title.bottom > menu.top, title.right <= menu.left, rows.top]")
    for width, height in [(320, 568), (390, 844), (1280, 800)]:
        page = stage.page("/all", width=width, height=height)
        page.shows("Counters", "h1")
        page.run("document.querySelector('#hints').remove()")
        is_in_row, is_beside, top = page.run(beside)
        equal((is_in_row, is_beside, top < 80), (True,) * 3, f"whether the title is beside the menu, and the rows at {top}, in {width} x {height}")
    page = stage.page("/all/door?tiles=on", width=320, height=568)
    page.shows("Front door", "h1")
    equal(page.run("return document.querySelector('#more').getBoundingClientRect().bottom < 60"), True, "whether all buttons beside tiles are in one row")
    page = stage.page("/all", width=320, height=256)
    page.shows("Counters", "h1")
    equal(page.run("return document.querySelector('[aria-label=\"New counter\"]').getBoundingClientRect().bottom < 60"), True, "whether the button leaves a low window to the rows")
    page = stage.page("/all/door", width=390, height=844)
    page.shows("Front door", "h1")
    page.touch(*page.middle("#where"))
    page.shows("Counters", "h1")
    top, bottom = page.run("const { top, bottom } = document.querySelector('[aria-label=\"New counter\"]').getBoundingClientRect(); return [top, bottom]")
    equal((top > 700, bottom <= 844), (True, True), f"whether a thumb reaches New counter, at {top} to {bottom}")
    for number in range(12):
        stage.new(f"more-{number}")
    page = stage.page("/all?tiles=on", width=320, height=568)
    page.shows("Counters", "h1")
    equal(page.run("return document.querySelector('#more').getBoundingClientRect().bottom < 60"), True, "whether all buttons beside tiles and a scroll bar are in one row")


def test_title_in_another_direction(stage):
    """A title that is read from the right begins beside its icon, as the others do."""
    stage.new("people", title="مرحبا")
    for path, row in [("/all", ".row"), ("/counter/people", ".list a")]:
        page = stage.page(path, width=1280, height=800)
        eventually(lambda: page.text(row) is not None, "the row")
        icon, title = page.run("const row = document.querySelector(arguments[0]), range = new Range(); range.selectNodeContents(row.querySelector('b'));"
                               "return [row.querySelector('.chip').getBoundingClientRect().right, range.getBoundingClientRect().left]", row)
        equal(title - icon < 20, True, f"whether the title at {title} is beside its icon, which ends at {icon}, in {path}")


def test_search(stage):
    """With many counters a field finds those whose titles have its words, and keeps the keyboard."""
    for number in range(12):
        stage.new(f"n{number}", title=f"Number {number}")
    stage.new("x", title="Äpfel")
    page = stage.page("/all")
    becomes(lambda: len(page.run(ROWS)), 13, "the rows")
    page.run("document.querySelector('[type=search]').focus()")
    for letter in "ÄP":
        page.key(letter)
    becomes(lambda: page.run(ROWS), ["Äpfel"], "what is found")
    equal(page.run("return document.activeElement.value"), "ÄP", "the field with the keyboard")
    page.key("z")
    page.says("Nothing has these words", ".all")
    # The words may stand anywhere.
    set_value(page, "#search", "11  num")
    becomes(lambda: page.run(ROWS), ["Number 11"], "what has both words")


def test_swipe_between_groups(stage):
    """A finger that moves to a side of the overview is told the neighbouring group, and shows it; the keys ← and → do as well."""
    stage.group("door", title="Front door")
    stage.group("team", title="Blue team")
    stage.new("people", group="door")
    stage.new("anna", group="team")
    page = stage.page("/all/door", width=390, height=844)
    page.shows("Front door", "h1")
    page.has_pages(3)
    page.fingers("touchStart", (300, 300, 0))
    page.fingers("touchMove", (240, 300, 0))
    page.fingers("touchMove", (180, 300, 0))
    page.shows("Blue team", "#follow")
    page.fingers("touchEnd")
    page.shows("Blue team", "h1")
    page.touch(100, 300, dx=150)
    page.shows("Front door", "h1")
    page.key("ArrowLeft")
    page.shows("Counters", "h1")
    page.key("ArrowRight")
    page.shows("Front door", "h1")


def test_many_counters(stage):
    """Groups of many counters can be folded, which this device remembers; a count writes into its own row and the shares of its group alone."""
    stage.group("door", title="Front door")
    stage.group("team", title="Blue team")
    for number in range(20):
        stage.new(f"n{number}", group="door" if number < 10 else "team", start=1)
    stage.paired()
    page = stage.page("/all", width=390, height=844)
    becomes(lambda: len(page.run(ROWS)), 20, "the rows")
    page.run("window.seen = new Set(); new MutationObserver(all => { for (const one of all) window.seen.add((one.target.closest ?? one.target.parentNode.closest)"
             ".call(one.target.closest ? one.target : one.target.parentNode, 'section')?.querySelector('h2').innerText.split('\\n')[0]); })"
             ".observe(document.querySelector('.all'), {childList: true, characterData: true, subtree: true})")
    stage.add("n3")
    page.says("11", ".all h2")
    equal(page.run("return [...window.seen]"), ["Front door"], "the groups that were written into")
    page.picture("folds")
    equal(page.axe(), [], "what axe finds")
    stage.new("alone")
    becomes(lambda: len(page.run(ROWS)), 21, "the rows")
    heads = page.run("return [...document.querySelectorAll('.all h2')].map(one => [one.children[0], one.children[1]].map(part => { const box = part.getBoundingClientRect(); return box.top + box.height / 2; }))")
    equal(max(abs(arrow - title) for arrow, title in heads) < 2, True, f"whether each arrow is beside its title: {heads}")
    stage.call("Set", counter="alone", archived=True)
    becomes(lambda: len(page.run(ROWS)), 20, "the rows")
    fold = "const one = [...document.querySelectorAll('.all h2 .icon')].find(one => one.ariaLabel === arguments[0]); "
    page.run(fold + "one.focus(); one.click()", "Front door")
    becomes(lambda: len(page.run(ROWS)), 10, "the rows of the other group")
    equal(page.run(fold + "return [one.ariaExpanded, document.activeElement === one]", "Front door"), ["false", True], "the button")
    stage.add("n3")
    page.says("12", ".all h2")
    page = stage.page("/all", width=390, height=844)
    becomes(lambda: len(page.run(ROWS)), 10, "the rows after a reload")
    stage.call("SetGroup", group="door", title="Main door")
    page.says("Main door", ".all")
    equal(len(page.run(ROWS)), 10, "the rows under another title")
    page.run(fold + "one.click()", "Main door")
    becomes(lambda: len(page.run(ROWS)), 20, "the rows unfolded")


def test_search_in_tiles(stage):
    """Tiles have the search as well; the field stays in the page while somebody writes, as an input method needs."""
    for number in range(12):
        stage.new(f"n{number}")
    page = stage.page("/all")
    becomes(lambda: len(page.run(ROWS)), 12, "the rows")
    page.run("window.left = 0; new MutationObserver(all => { window.left += all.flatMap(one => [...one.removedNodes]).filter(one => one.matches('.all, #search')).length; })"
             ".observe(document.querySelector('main'), { childList: true, subtree: true })")
    page.run("document.querySelector('#search').focus()")
    page.key("7")
    becomes(lambda: page.run(ROWS), ["n7"], "what is found")
    equal(page.run("return window.left"), 0, "how often the field left the page")
    page.run("document.querySelector('nav [title=Tiles]').click()")
    becomes(lambda: page.run("return [...document.querySelectorAll('.tile b')].map(one => one.textContent)"), ["n7"], "the tile that is found")
    page.run("document.querySelector('#search').focus()")
    page.key("x")
    page.says("Nothing has these words", ".all")
    page.run("const one = document.querySelector('#search'); one.value = ''; one.dispatchEvent(new Event('input'))")
    becomes(lambda: page.run("return document.querySelectorAll('.tile').length"), 12, "the tiles")
    page = stage.page("/all?tiles=on", width=390, height=844)
    becomes(lambda: len(places(page)), 12, "the tiles on a phone")
    page.picture("tiles-search")
    equal(page.axe(), [], "what axe finds")
    equal(max(one[3] for one in places(page)) <= 844, True, "whether all are on the screen")


def test_rows_that_stay(stage):
    """A sign that counts wait, and a notice, move no row away from a finger."""
    for name in "abcdef":
        stage.new(name)
    stage.paired("/counter/a")
    page = stage.page("/all", width=390, height=844)
    heights = "return [...document.querySelectorAll('.add')].map(one => one.getBoundingClientRect().top)"
    eventually(lambda: len(page.run(heights)) == 6, "the rows")
    before = page.run(heights)
    stage.board.freeze()
    page.pass_time(12)
    eventually(lambda: page.is_old, "the numbers are old")
    page.touch(*page.middle(".add"))
    page.waits(1)
    equal(page.run(heights), before, "the places of the buttons")
    boxes = page.run("return ['#notice', '#waiting', 'nav .act:not([hidden])'].map(one => { const { top, bottom } = document.querySelector(one).getBoundingClientRect(); return [top, bottom]; })")
    equal(boxes[0][1] <= boxes[1][0], True, f"whether the notice is above what waits: {boxes}")
    stage.board.resume()
    page.waits(0)


def test_signs_of_tiles(stage):
    """Each of several counts in a third of a second lights its tile, one by a flash; without flashes all light their rims. A screen reader hears the last one."""
    for name in "abc":
        stage.new(name)
    page = stage.page("/all?tiles=on")
    begun = "return [...document.querySelectorAll('.tiles li')].map(one => one.className.split(' ').filter(name => ['tick', 'rim'].includes(name))[0] ?? '')"
    becomes(lambda: page.run(begun), ["", "", ""], "the signs")
    page.stop_time()
    for name in "abc":
        stage.add(name)
    becomes(lambda: page.run(begun), ["tick", "rim", "rim"], "the signs")
    page.pass_time(2)
    becomes(lambda: page.text("#spoken"), "1 c", "what a screen reader says")
    page = stage.page("/all?tiles=on&flash=off")
    becomes(lambda: page.run(begun), ["", "", ""], "the signs")
    stage.add("a")
    becomes(lambda: page.run(begun), ["rim", "", ""], "the signs")


def test_words_of_a_row_that_changes(stage):
    """The button of a row says the present step."""
    stage.new("people")
    stage.paired("/counter/people")
    page = stage.page("/all")
    label = "return document.querySelector('.add')?.ariaLabel"
    becomes(lambda: page.run(label), "people: add 1", "the button")
    stage.call("Set", counter="people", step=5)
    becomes(lambda: page.run(label), "people: add 5", "the button")
