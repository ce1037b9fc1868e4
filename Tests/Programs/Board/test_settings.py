"""Settings of a device."""

from kit.pages import set_value
from kit.wait import equal, eventually

VIEW = "return [document.documentElement.dataset.theme ?? '', getComputedStyle(document.documentElement).fontSize]"


def test_settings(stage):
    """Settings apply at once, stay with the device, and can be put into the link, which comes first."""
    page = stage.watching()
    page.open_sheet("Settings")
    set_value(page, "dialog select", "dark")
    set_value(page, "dialog [type=range]", "200")
    equal(page.run(VIEW), ["dark", "32px"], "the theme and the size of texts")
    set_value(page, "dialog [type=checkbox]", False)
    link = page.run("return document.querySelector('dialog a').href")
    page.picture("settings-dark")
    page = stage.page()
    page.shows("0")
    equal(page.run(VIEW), ["dark", "32px"], "the theme and the size after a reload")
    page.run("window.ticks = 0; const box = document.querySelector('.area');"
             "new MutationObserver(() => { window.ticks += box.classList.contains('tick'); }).observe(box, {attributes: true})")
    stage.add("people")
    page.shows("1")
    equal((page.count_animations("flash"), page.run("return window.ticks > 0")), (0, True), "flashes, and whether the rim lit up")
    page = stage.page("/?theme=light&scale=9999&flash=on")
    page.shows("1")
    equal(page.run(VIEW), ["light", "48px"], "the theme and the size of the link")
    page.run("localStorage.clear()")
    page = stage.browser.open(link)
    page.shows("1")
    equal(page.run(VIEW), ["dark", "32px"], "the theme and the size of the link that the sheet gave")


def test_settings_by_keys(stage):
    """The sheet is reached and closed by keys, and axe finds nothing in it."""
    stage.new("people")
    for theme in ["light", "dark", "contrast"]:
        page = stage.page(f"/?theme={theme}", width=390, height=844)
        page.shows("0")
        page.run("document.querySelector('#menu').showPopover(); document.querySelector('#settings').focus(); document.activeElement.click()")
        eventually(lambda: page.text("dialog"), "the sheet")
        equal(page.axe(), [], f"what axe finds in {theme}")
        page.picture(f"settings-{theme}")
        page.close_sheet()
