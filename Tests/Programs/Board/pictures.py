"""Takes the pictures of the page for the documents: each view in six sizes, light and dark, on one sheet
(Documentation/page.jpg), and the page beside a terminal (Documentation/tallymark.png).

  make pictures
  Tests/Kit/Python/run browser Tests/Programs/Board/pictures.py [FOLDER]

Below a view stand reference pictures, where the folder has some: rows of the same sizes, called after the view, such as
“A wall dark.webp”. Without a folder they are those of Mock-up, which show the drawing that the page was made after.
Icons need fonts-noto-color-emoji."""

import base64
import html
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from kit import ROOT
from kit.browser import PICTURES, Browser
from kit.pages import Stage
from kit.wait import eventually

sys.path.insert(0, str(Path(__file__).parent))

import test_page  # noqa: E402

DOCUMENTS = ROOT / "Documentation"
MOCKUP = Path(__file__).parent / "Mock-up"
THEMES = ("light", "dark")
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080), (3840, 2160)]
EMPTY = [("Nothing to count yet", "/", "h1")]
VIEWS = [
    ("One counter", "/counter/people", ".number"), ("With a limit", "/counter/inside", ".number"), ("Thousands", "/counter/visitors", ".number"),
    ("A measure", "/counter/cherries", ".number"), ("A stopwatch", "/counter/played", ".number"), ("Below zero, a long title", "/counter/balance", ".number"),
    ("All counters", "/all", ".row"), ("Tiles of a group", "/all/market?tiles=on", ".tile"), ("A wall", "/wall/people", ".number"),
    ("A wall of a group", "/wall/door", ".tile"), ("Past", "/past/people", "td"), ("Past of a group", "/group/door", "td"), ("High contrast", "/counter/apples?theme=contrast", ".number"),
    ("Texts of 200 %", "/counter/pears?scale=200", ".number"),
]
# A title, an address, and the button that opens a sheet.
SHEETS = [("A counter's settings", "/counter/pears", "Edit"), ("An amount", "/counter/pears", "Amount …"), ("Settings of the device", "/counter/pears", "Settings")]
# The height of a picture on the sheet.
HEIGHT = 190
# How the counts of a day are spread over its latest hours, in parts of the sum.
DAY = (1, 2, 4, 7, 11, 15, 18, 16, 12, 8, 4, 2)
# The hour of the day in the pictures.
EVENING = 20


def set_evening():
    """Chooses a time zone in which it is evening, so that a day lies behind the pictures."""
    east = (EVENING - time.gmtime().tm_hour + 11) % 24 - 11
    os.environ["TZ"] = f"Etc/GMT{-east:+d}"
    time.tzset()


def count(stage, name, value):
    """Counts a value in the hours of the day, and its last five just now."""
    now, left = time.time(), value
    for hours, part in zip(range(len(DAY), 0, -1), DAY):
        amount = min(left, value * part // sum(DAY))
        if amount:
            stage.call("Add", counter=name, amount=amount, time=int((now - hours * 3600) * 1e6))
        left -= amount
    if left > 5:
        stage.add(name, left - 5)
    for _ in range(min(left, 5)):
        stage.add(name)


def fill(stage):
    """Makes counters of a day at the door, a market stall and a match."""
    for name, title, icon, colour in [("door", "Front door", "🚪", "blue"), ("market", "Market stall", "🍎", "orange"), ("match", "Handball", "🤾", "green")]:
        stage.group(name, title=title, icon=icon, colour=colour)
    counters = [("in", "In", "➡️", "green", "door", 443), ("people", "People at the door", "🧍", "blue", "door", 444), ("out", "Out", "⬅️", "red", "door", 341),
                ("inside", "Inside", "🏠", "purple", "door", 43), ("apples", "Apples", "🍎", "orange", "market", 12), ("pears", "Pears", "🍐", "green", "market", 72),
                ("bags", "Bags", "🛍️", "brown", "market", 183), ("home", "Home", "🏟️", "cyan", "match", 13), ("visitors", "Visitors of the year", "🎟️", "yellow", None, 48213)]
    for name, title, icon, colour, group, value in counters:
        stage.new(name, title=title, icon=icon, colour=colour, **{"group": group} if group else {})
        count(stage, name, value)
    stage.call("Set", counter="inside", maximum=200)
    stage.call("Set", counter="pears", target=120)
    stage.tally("new", "cherries", "--title", "Cherries, kg", "--icon", "🍒", "--colour", "magenta", "--group", "market", "--decimals", "1", "--start", "12.5")
    stage.new("played", title="Time played", icon="⏱️", colour="purple", group="match", kind="stopwatch")
    stage.new("balance", title="Donaudampfschifffahrtsgesellschaftskapitänsmützen", colour="red")
    stage.call("Correct", counter="balance", value=-17)
    stage.call("CreateFormula", name="within", formula="in - out", title="Still inside", icon="🔢", colour="purple", group="door")
    for device in ("Anna's phone", "pedal at the door", "Anna's phone", "pedal at the door", "Ben's phone"):
        stage.core.call("Add", counter="people", cause={"producer": "tally-board", "device": device})


def take(stage, views, sheets=()):
    """The rows of the sheet: a title, and its pictures of each theme as addresses of data."""
    stage.paired(setup=True)
    rows = []
    for title, path, ready, button in [(*view, None) for view in views] + [(title, path, ".number", button) for title, path, button in sheets]:
        pictures = {theme: [] for theme in THEMES}
        for theme in THEMES:
            for width, height in SIZES:
                page = stage.page(path, width=width, height=height, dark=theme == "dark")
                eventually(lambda: page.text(ready) is not None, f"{path} is there")
                if button:
                    page.open_sheet(button)
                # The digits are a font that the page loads.
                page.run_async("document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
                page.run("for (const one of document.querySelectorAll('#hints')) one.remove()")
                taken = stage.browser.command("Page.captureScreenshot", format="jpeg", quality=82,
                                              clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 2 * HEIGHT / height})["data"]
                pictures[theme].append(f"data:image/jpeg;base64,{taken}")
        rows.append((title, pictures))
    return rows


def sheet(browser, rows, references):
    """Draws all pictures on one page, above the reference pictures of a folder; returns the picture of the page."""
    row = lambda pictures: "<p>" + "".join(f'<img src="{one}">' for one in pictures) + "</p>"
    body = ""
    for title, pictures in rows:
        drawn = [f"data:image/webp;base64,{base64.b64encode(file.read_bytes()).decode()}"
                 for file in (references / f"{title} {theme}.webp" for theme in THEMES) if file.exists()]
        body += f"<h2>{html.escape(title)}</h2>{''.join(map(row, pictures.values()))}"
        body += f"<h3>{html.escape(title)}, in the mock-up</h3>{''.join(row([one]) for one in drawn)}" if drawn else ""
    sizes = ", ".join(f"{width} × {height}" for width, height in SIZES)
    text = (f'<!doctype html><meta charset="utf-8"><style>body {{ margin: 0; padding: 16px; background: #c9ced6; font: 15px system-ui; }} h2 {{ font-size: 16px; margin: 14px 0 6px; }}'
            f' h3 {{ font: inherit; margin: 6px 0; }}'
            f' p {{ margin: 0 0 8px; display: flex; gap: 8px; }} img {{ height: {HEIGHT}px; border-radius: 6px; }}</style><b>{sizes}</b>{body}')
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(text)
        file.flush()
        page = browser.open(f"file://{file.name}", width=1656, height=1000)
        height = page.run("return document.body.scrollHeight")
        page = browser.open(f"file://{file.name}", width=1656, height=height)
        eventually(lambda: page.run("return [...document.images].every(one => one.complete)"), "all pictures are there")
        return base64.b64decode(browser.command("Page.captureScreenshot", format="jpeg", quality=60,
                                                clip={"x": 0, "y": 0, "width": 1656, "height": height, "scale": 0.6})["data"])


def main(references=MOCKUP):
    programs = ROOT / ".build/release"
    set_evening()
    browser = Browser()
    try:
        stage = Stage(programs, browser)
        try:
            rows = take(stage, EMPTY)
            fill(stage)
            rows += take(stage, VIEWS, SHEETS)
        finally:
            stage.close()
        (DOCUMENTS / "page.jpg").write_bytes(sheet(browser, rows, references))
        stage = Stage(programs, browser)
        try:
            test_page.test_beside_a_terminal(stage)
        finally:
            stage.close()
        shutil.copy(PICTURES / "readme.png", DOCUMENTS / "tallymark.png")
    finally:
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
