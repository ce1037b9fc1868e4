"""Settings of a device."""

import re

from kit import ROOT
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


def test_where_a_person_looks(stage):
    """Settings have what pairs another device, what shares all counters and, for a device that may set up, what takes others over; and the version."""
    stage.new("people")
    version = re.search(r'version = "(.*)"', (ROOT / "Sources/Core/Tallymark/Product.swift").read_text())[1]
    buttons = "return [...document.querySelectorAll('dialog .line button')].map(one => one.textContent)"
    page = stage.page(width=390, height=844)
    page.shows("0")
    page.open_sheet("Settings")
    page.says("To count with it, run on the machine: tally-board pair", "dialog")
    page.says(f"Tallymark {version}", "dialog")
    equal(page.run(buttons), ["Share …"], "what a page that only watches can do with all counters")
    for may_set_up, expected in [(False, ["Share …"]), (True, ["Share …", "Open …"])]:
        page = stage.paired(setup=may_set_up, width=390, height=844)
        page.can_count()
        page.open_sheet("Settings")
        page.shows("tally-board pair", "dialog code")
        equal(page.run(buttons), expected, f"what a device can do that may set up: {may_set_up}")
        equal(page.axe(), [], "what axe finds")
    page.picture("settings-all")
    page.click("Share …")
    page.shows("Share all counters", "dialog h2")


def test_menu_beside_its_button(stage):
    """The menu opens below its button, on a phone and in the middle of a wide screen."""
    stage.new("people")
    for width, height in [(375, 667), (1280, 800), (1920, 1080), (2560, 1440)]:
        page = stage.page(width=width, height=height)
        page.shows("0")
        page.touch(*page.middle("#more"))
        button, menu = page.run("return ['#more', '#menu'].map(one => { const { left, right, top, bottom } = document.querySelector(one).getBoundingClientRect(); return [left, right, top, bottom]; })")
        equal((abs(menu[1] - button[1]) < 24, 0 <= menu[2] - button[3] < 24), (True, True), f"whether the menu {menu} is below the button {button} of {width} x {height}")


def test_press_within_a_sheet(stage):
    """A press beside a sheet closes it; one in its margin, or a selection that ends beside it, does not."""
    page = stage.counting()
    page.open_sheet("Settings")
    left, top, right = page.run("const { left, top, right } = document.querySelector('dialog').getBoundingClientRect(); return [left, top, right]")
    for begin, end in [((left + 6, top + 100), (left + 6, top + 100)), (((left + right) / 2, top + 100), (left - 30, top + 100))]:
        page.mouse("mousePressed", *begin)
        page.mouse("mouseMoved", *end)
        page.mouse("mouseReleased", *end)
        equal(page.text("dialog") is not None, True, f"whether the sheet is open after a press from {begin} to {end}")
    page.mouse("mousePressed", left - 30, top + 100)
    page.mouse("mouseReleased", left - 30, top + 100)
    eventually(lambda: page.text("dialog") is None, "the sheet is closed")


def test_contrast_of_switches(stage):
    """A switch that is off has a rim with a contrast of 3:1 (WCAG 1.4.11)."""
    page = stage.watching()
    page.open_sheet("Settings")
    contrast = page.run("""
      const context = document.createElement("canvas").getContext("2d"), made = document.querySelector("dialog [role=switch]:not(:checked)");
      const light = colour => { context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map(one => (one /= 255) <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
        return .2126 * red + .7152 * green + .0722 * blue; };
      const rim = getComputedStyle(made).boxShadow.replace(/ 0px.*/, ""), ground = getComputedStyle(made.closest(".card")).backgroundColor;
      const [dark, bright] = [light(rim), light(ground)].sort((one, other) => one - other);
      return (bright + .05) / (dark + .05)""")
    equal(contrast >= 3, True, f"whether {contrast:.2f} is enough")
