"""Old browsers, and what a phone is told of the page."""

import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kit.wait import becomes, equal

LACKS = "#lacks"
# What browsers of 2023 lack.
OLD = """
delete HTMLElement.prototype.popover;
delete Array.prototype.toReversed;
const supports = CSS.supports;
CSS.supports = (...words) => !words.join().includes("light-dark") && supports.apply(CSS, words);
"""


def test_browser_before_2024(stage):
    """A browser that lacks what the page needs is told so, and which browsers have it; others are told nothing."""
    page = stage.watching(width=390, height=844)
    equal(page.text(LACKS), "", "the sentence in a browser of today")
    with stage.browser.script(OLD):
        page = stage.page(width=390, height=844)
        page.says("too old for this page", LACKS)
        equal([word in page.text(LACKS) for word in ("light-dark", "popover", "toReversed", "Firefox 125", "/metrics")], [True] * 5, page.text(LACKS))
        page.shows("0")
        equal(page.axe(), [], "what axe finds")
        page.picture("old-browser")


def test_script_that_cannot_be_read(stage):
    """A browser that cannot read the script shows a sentence instead of an empty page."""
    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = stage.ask(self.path)
            # No browser knows this assignment, as browsers of 2019 do not know `??=`.
            text = answer.said + ("\nlet unread; unread |||= 1;" if self.path == "/board.js" else "")
            body = text.encode(errors="surrogateescape")
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() in ("content-type", "content-security-policy", "x-content-type-options"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            page = stage.browser.open(f"http://127.0.0.1:{server.server_port}/", width=320, height=568)
            page.says("could not start", LACKS)
            equal(("SyntaxError" in page.text(LACKS), "Update" in page.text(LACKS)), (True, True), page.text(LACKS))
            page.picture("unread-script")
        finally:
            stage.browser.forget()
            server.shutdown()


def test_home_screen(stage):
    """From the home screen of a phone the board is an application: with a name, an icon, the colour of the page, and no browser bar."""
    page = stage.watching()
    manifest = json.loads(page.run_async("fetch(document.querySelector('[rel=manifest]').href).then(one => one.text()).then(done)"))
    equal((manifest["name"], manifest["display"], manifest["start_url"]), ("Tallymark", "standalone", "/"), "the manifest")
    found = stage.browser.command("Page.getAppManifest")
    equal(found["errors"], [], "what Chromium finds wrong in it")
    equal([one["src"] for one in manifest["icons"]], ["/icon.png"], "its icons")
    for selector in ("[rel=apple-touch-icon]",):
        equal(page.run("return new URL(document.querySelector(arguments[0]).href).pathname", selector), "/icon.png", selector)
    head = page.run_async("fetch('/icon.png').then(one => one.arrayBuffer()).then(one => done([...new Uint8Array(one).slice(0, 24)]))")
    equal((bytes(head[1:4]), struct.unpack(">II", bytes(head[16:24]))), (b"PNG", (192, 192)), "the icon")
    equal(page.run("return document.querySelector('[name=theme-color]').content"), page.run("return getComputedStyle(document.body).backgroundColor"),
          "the colour of the bars")


WAKE = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: kind => {
  const lock = { kind, released: false, release: () => { lock.released = true; return Promise.resolve(); } };
  window.locks.push(lock);
  return Promise.resolve(lock);
} } });
"""


def test_screen_stays_on(stage):
    """The screen of a device stays on for some minutes after each of its counts; where the browser allows it over HTTPS only, the page says so."""
    stage.new("people")
    with stage.browser.script(WAKE):
        page = stage.paired(width=390, height=844)
        equal(page.run("return window.locks.length"), 0, "the locks before a count")
        page.touch(200, 400)
        page.shows("1")
        becomes(lambda: page.run("return window.locks.map(one => [one.kind, one.released])"), [["screen", False]], "the lock after a count")
        page.pass_time(200)
        page.touch(200, 400)
        page.shows("2")
        page.pass_time(200)
        equal(page.run("return window.locks.map(one => one.released)"), [False], "the lock while the person counts")
        page.pass_time(120)
        becomes(lambda: page.run("return window.locks.map(one => one.released)"), [True], "the lock five minutes after the last count")
    page = stage.page()
    page.can_count()
    page.run("Object.defineProperty(navigator, 'wakeLock', {value: undefined})")
    page.open_sheet("Settings")
    page.says("HTTPS", "dialog")
