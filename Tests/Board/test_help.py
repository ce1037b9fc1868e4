"""Hints and next steps."""

from kit.wait import equal, eventually

HINTS = "return [...document.querySelectorAll('#hints li')].filter(one => one.offsetParent).map(one => one.textContent.slice(2))"


def test_hints(stage):
    """Hints say what each gesture does to this counter; each goes after three uses, and ? brings them back."""
    stage.tally("new", "people", "--step", "5", "--step-down", "2")
    page = stage.paired(width=390, height=844)
    eventually(lambda: "tap +5" in page.run(HINTS) and "swipe down −2" in page.run(HINTS), "the hints")
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
    page = stage.page("/?halves=on", width=390, height=844)
    eventually(lambda: "tap left −2, right +5" in page.run(HINTS), "the hint at halves")
    stage.tally("new", "swim", "--stopwatch")
    page = stage.page("/counter/swim", width=390, height=844)
    eventually(lambda: "tap starts and stops" in page.run(HINTS), "the hint at a stopwatch")
    page = stage.page("/wall/people")
    page.shows("15")
    equal(page.run(HINTS), [], "hints on a wall")


def test_next_steps(stage):
    """Where there is nothing, the page says the next step, in every theme."""
    for path, words in [("/", "tally new people"), ("/all", "tally new people"), ("/counter/nobody", "All counters")]:
        for theme in ["light", "dark", "contrast"]:
            page = stage.page(f"{path}?theme={theme}", width=390, height=844)
            eventually(lambda: words in (page.text(".empty") or ""), "the next step")
            equal(page.axe(), [], f"what axe finds in {path} in {theme}")
    page.picture("nobody")
