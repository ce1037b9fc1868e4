"""Debian's Chromium, without a window."""

import base64
from contextlib import contextmanager
from pathlib import Path

import axe_playwright_python
from kit import ROOT
from kit.wait import PATIENCE, becomes, eventually
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from urllib3.exceptions import HTTPError

AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()
PICTURES = ROOT / ".build/tests/board"

# Gives each page clocks that a test can move on or stop: timers that are due then run at once. Also keeps the paths of
# requests, the names of animations and the sentences of the notice, and counts streams.
CLOCK = """
{
  const monotonic = performance.now.bind(performance), wall = Date.now, later = window.setTimeout, never = window.clearTimeout;
  const timers = new Map();
  let ahead = 0, last = 0, stopped = null;
  performance.now = () => (stopped ?? monotonic()) + ahead;
  Date.now = () => wall() + ahead;
  const arm = (name, timer) => { timer.kernel = later(() => run(name), Math.max(0, timer.due - performance.now())); };
  const run = name => {
    const timer = timers.get(name);
    // While the time stands, a timer waits for passTime.
    if (!timer || stopped !== null && timer.due > performance.now()) return;
    never(timer.kernel);
    if (timer.period === null) timers.delete(name);
    else {
      timer.due = performance.now() + timer.period;
      arm(name, timer);
    }
    timer.act();
  };
  const begin = (act, wait, period, more) => {
    const timer = { act: () => act(...more), due: performance.now() + wait, period };
    timers.set(++last, timer);
    arm(last, timer);
    return last;
  };
  window.setTimeout = (act, wait = 0, ...more) => begin(act, wait, null, more);
  window.setInterval = (act, wait = 0, ...more) => begin(act, wait, Math.max(wait, 4), more);
  window.clearTimeout = window.clearInterval = name => {
    never(timers.get(name)?.kernel);
    timers.delete(name);
  };
  window.stopTime = () => { stopped = monotonic(); };
  window.passTime = milliseconds => {
    ahead += milliseconds;
    const due = [...timers].filter(([, one]) => one.due <= performance.now());
    for (const [name] of due.sort(([, one], [, other]) => one.due - other.due)) run(name);
  };
  const Stream = window.EventSource;
  window.streams = 0;
  window.EventSource = class extends Stream {
    constructor(...words) {
      super(...words);
      window.streams += 1;
    }
  };
  const send = window.fetch;
  window.requests = [];
  window.fetch = (path, ...more) => {
    window.requests.push(String(path));
    return send(path, ...more);
  };
  window.animations = [];
  window.addEventListener("animationstart", ({ animationName }) => window.animations.push(animationName), true);
  window.notices = [];
  document.addEventListener("DOMContentLoaded", () => {
    const notice = document.querySelector("#notice"), keep = () => window.notices.push(notice.textContent);
    if (!notice) return;
    keep();
    new MutationObserver(keep).observe(notice, { childList: true });
  });
}
"""

# The button with these words, or whose words begin with them. While a sheet is open, only its buttons can be pressed.
BUTTON = ("[...(document.querySelector('dialog:modal') ?? document).querySelectorAll('button')]"
          ".find(one => one.textContent === arguments[0] || one.textContent.startsWith(arguments[0] + ' '))")
# The middle of the same, in the menu if it is there; null until it is seen and its sheet has stopped moving.
PLACE = f"""
const button = {BUTTON};
if (!button?.checkVisibility()) button?.closest("[popover]:not(:popover-open)")?.showPopover();
if (!button?.checkVisibility() || button.closest("dialog")?.getAnimations().length) return null;
const {{ x, y, width, height }} = button.getBoundingClientRect();
return [x + width / 2, y + height / 2];
"""

# Whether the notice says these words, or has said them since the last look.
SAID = """
const kept = window.notices, at = kept.findIndex(one => one.includes(arguments[0]));
kept.splice(0, at + 1);
return at >= 0 || (document.querySelector("#notice")?.textContent.includes(arguments[0]) ?? false);
"""


class Browser:
    """One browser for all tests; each page is opened anew."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb",
                     "--host-resolver-rules=MAP board.test 127.0.0.1"):
            options.add_argument(word)
        # A proxy with a certificate of its own.
        options.accept_insecure_certs = True
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(PATIENCE)
        self.driver.set_page_load_timeout(PATIENCE)
        # A page that hangs fails its story, instead of all that follow.
        self.driver.command_executor.client_config.timeout = 2 * PATIENCE
        self.give_clocks()

    def give_clocks(self):
        """Gives each page of this window its clocks."""
        self.command("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)

    def open(self, address, width=800, height=600, dark=False, features=()):
        """Opens an address in a window of that size, with media features such as ("prefers-reduced-motion", "reduce")."""
        media = [("prefers-color-scheme", "dark" if dark else "light"), *features]
        self.command("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in media])
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.driver.get(address)
        return Page(self)

    def answers(self):
        """Whether the browser and its tab still run."""
        try:
            return self.driver.execute_script("return true")
        except (WebDriverException, HTTPError):
            return False

    def command(self, name, /, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    @contextmanager
    def window(self):
        """Opens another window, in which pages are opened until it is closed; gives the handles of the former one and of this one."""
        former = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")
        opened = self.driver.current_window_handle
        self.give_clocks()
        try:
            yield former, opened
        finally:
            self.driver.switch_to.window(opened)
            self.driver.close()
            self.driver.switch_to.window(former)

    @contextmanager
    def script(self, source):
        """Runs a script in each page that is opened meanwhile, before those of the page."""
        made = self.command("Page.addScriptToEvaluateOnNewDocument", source=source)
        try:
            yield
        finally:
            self.command("Page.removeScriptToEvaluateOnNewDocument", **made)

    @contextmanager
    def without(self, file):
        """Keeps pages from loading a file meanwhile."""
        self.command("Network.enable")
        self.command("Network.setBlockedURLs", urls=[f"*/{file}"])
        try:
            yield
        finally:
            self.command("Network.setBlockedURLs", urls=[])

    def forget(self):
        """Leaves the page, with its streams and what it keeps."""
        self.driver.get("about:blank")
        self.command("Network.clearBrowserCookies")

    def close(self):
        self.driver.quit()


class Page:
    def __init__(self, browser):
        self.browser = browser

    def run(self, script, *arguments):
        return self.browser.driver.execute_script(script, *arguments)

    def run_async(self, script):
        """Runs a script that ends by a call of `done`; returns what that was given."""
        return self.browser.driver.execute_async_script("const done = arguments[0];" + script)

    def text(self, selector):
        """What a person reads there; None without such an element."""
        return self.run("return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def shows(self, value, selector=".number"):
        becomes(lambda: self.text(selector), value, f"what {selector} shows")

    def says(self, words, selector="#notice"):
        """Waits until the page says these words. The notice may have said them since the last look at it: a refusal lasts for seconds."""
        said = (lambda: self.run(SAID, words)) if selector == "#notice" else (lambda: words in (self.text(selector) or ""))
        eventually(said, lambda: f"{selector} says {words!r}, and not {self.text(selector)!r}")

    def waits(self, number):
        """Waits until the page says how many counts are not recorded yet."""
        self.shows(f"{number} not yet recorded" if number else "", "#waiting")

    def loses(self, process):
        """Kills the core or the board; waits until the page says that its numbers are old."""
        process.kill()
        eventually(lambda: self.is_old, "the numbers are old")

    def is_live(self):
        """Waits until the page says that its numbers are live."""
        eventually(lambda: not self.is_old, "the numbers are live")

    def pass_time(self, seconds):
        """Moves the page's clocks on."""
        self.run("passTime(arguments[0])", seconds * 1000)

    def stop_time(self):
        """Has the page's monotonic clock stand still, but for what passes in `pass_time`."""
        self.run("stopTime()")

    def requests(self, path):
        """How often the page has sent a request to a path."""
        return self.run("return window.requests.filter(one => one === arguments[0]).length", path)

    def count_animations(self, name):
        """How often an animation has begun."""
        return self.run("return window.animations.filter(one => one === arguments[0]).length", name)

    def middle(self, selector):
        """The place of the middle of an element."""
        return self.run("const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();"
                        "return [x + width / 2, y + height / 2]", selector)

    def saves(self):
        """Keeps the next files that the page saves from being downloaded, for `saved`."""
        self.run("HTMLAnchorElement.prototype.click = () => {}; window.saved = null;"
                 "URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return '#'; }")

    def saved(self):
        """The text of the file that the page saves."""
        return eventually(lambda: self.run("return window.saved"), "the file")

    def can_count(self):
        """Waits until the page shows a counter, and knows that it may count."""
        ready = "return document.documentElement.classList.contains('counts') && document.querySelector('.number') !== null"
        eventually(lambda: self.run(ready), "the page may count")

    def has_pages(self, number):
        """Waits until the page knows so many counters or groups to turn to, with the one that it shows."""
        becomes(lambda: self.run("return document.querySelectorAll('#pager span i').length"), number, "the places in the pager")

    @property
    def is_old(self):
        """Whether the page says that its numbers are old."""
        return self.run("return document.documentElement.classList.contains('old')")

    def touch(self, x, y, dx=0, dy=0):
        """Puts a finger on the page, moves it, and lifts it."""
        def send(kind, *points):
            self.browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

        send("touchStart", (x, y))
        steps = 5 if dx or dy else 0
        for step in range(1, steps + 1):
            send("touchMove", (x + dx * step / steps, y + dy * step / steps))
        send("touchEnd")

    def fingers(self, kind, *points):
        """Puts fingers down (touchStart), each as (x, y, finger) beside those that are down, or lifts all (touchEnd)."""
        self.browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": finger} for x, y, finger in points])

    def mouse(self, kind, x, y):
        """Presses, moves or releases the left button (mousePressed, mouseMoved, mouseReleased)."""
        self.browser.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, buttons=int(kind != "mouseReleased"))

    def press(self, words):
        """Taps the button with these words, as a person does, in the menu if it is there: scripts may not copy."""
        self.touch(*eventually(lambda: self.run(PLACE, words), f"a button with the words {words} that can be pressed"))

    def click(self, words):
        """Clicks the button with these words by a script: Chromium takes a tap that follows an emulated swipe for the end of a fling."""
        self.has_button(words)
        self.run(f"{BUTTON}.click()", words)

    def has_button(self, words):
        """Waits until there is a button with these words."""
        eventually(lambda: self.run(f"return Boolean({BUTTON})", words), f"a button with the words {words}")

    def open_sheet(self, words):
        """Opens the sheet of the button with these words, and waits until it has stopped moving."""
        self.click(words)
        eventually(lambda: self.run("return document.querySelector('dialog')?.getAnimations().length === 0"), f"the sheet of {words}")

    def close_sheet(self):
        self.key("Escape")
        eventually(lambda: self.text("dialog") is None, "the sheet is closed")

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            text = {"text": {"Enter": "\r"}.get(name, name)} if (len(name) == 1 or name == "Enter") and kind == "keyDown" else {}
            # The browser itself acts on the number of a key only.
            number = {"windowsVirtualKeyCode": {"Tab": 9, "Enter": 13, "Escape": 27}[name]} if name in ("Tab", "Enter", "Escape") else {}
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=name, **text, **number)

    def axe(self):
        """What axe finds wrong, a line each."""
        found = self.run_async(AXE + "; axe.run().then(result => done(result.violations), error => done(String(error)))")
        assert isinstance(found, list), found
        return [f"{one['id']}: {one['help']}: {[node['html'] for node in one['nodes']]}" for one in found]

    def picture(self, name):
        """Takes a picture into .build/tests/board; returns it as base64."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        data = self.browser.command("Page.captureScreenshot", format="png")["data"]
        (PICTURES / f"{name}.png").write_bytes(base64.b64decode(data))
        return data
