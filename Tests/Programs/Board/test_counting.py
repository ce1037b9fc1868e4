"""Counting from a page."""

import contextlib
import json
import os
import pty
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

from kit import varlink
from kit.pages import taps_at_once
from kit.process import Process, free_port
from kit.relay import Relay
from kit.wait import becomes, equal, eventually


def test_watching_only(stage):
    """A page that is not paired counts nothing, and says what to do."""
    page = stage.watching()
    page.touch(400, 300)
    page.says("tally-board pair")
    page.key(" ")
    # A count by another way is shown after all that the page would have sent.
    stage.add("people", 5)
    page.shows("5")
    equal((page.requests("/open"), page.requests("/count")), (0, 0), "the requests of the page")
    equal(stage.core.value("people"), 5, "the count")


def test_devices_are_on_the_disk(stage):
    """What a device is told, that it is paired or revoked, is in the synced file of a synced folder."""
    log, folder = stage.folder / "calls", stage.folder / "board"
    trace = subprocess.Popen(["strace", "-f", "-y", "-qq", "-o", log, "-e", "trace=fsync,rename,renameat,renameat2", "-p", str(stage.board.pid)])
    try:
        tasks = Path(f"/proc/{stage.board.pid}/task")
        eventually(lambda: not any("TracerPid:\t0\n" in (one / "status").read_text() for one in tasks.iterdir()), "all threads of the board are watched")

        def kept(what):
            """Whether the file was synced, renamed and its folder synced since the last time."""
            calls, kept.read = log.read_text()[kept.read:], len(log.read_text())
            renamed = calls.find("rename")
            equal(-1 < calls.find("fsync(") < renamed, True, f"whether the file is synced before its name when {what}: {calls}")
            equal(f"<{folder}>) " in calls[renamed:].partition("fsync(")[2], True, f"whether the folder is synced when {what}: {calls}")

        kept.read = 0
        device = stage.key().partition("=")[2].partition(".")[0]
        kept("a device is paired")
        stage.tally_board("revoke", device)
        kept("it is revoked")
    finally:
        trace.terminate()
        trace.wait()


def test_pairing(stage):
    """An address pairs one device, once; the history says which device counted; a revoked one only watches."""
    stage.new("people")
    address = re.search(r"http://\S+#\w{32}", stage.tally_board("pair"))[0]
    page = stage.browser.open(re.search(r"http://\S+#\w{32}", stage.tally_board("pair"))[0])
    eventually(lambda: page.run("return document.querySelector('input') !== null"), "the form is there")
    page.touch(*page.middle("input"))
    stage.browser.command("Input.insertText", text="Anna's phone")
    page.run("document.querySelector('form button').click()")
    page.can_count()
    equal(page.run("return location.pathname"), "/", "the address after the pairing")
    page.shows("0")
    page.touch(400, 300)
    page.shows("1")
    last = stage.core.events()[-1]
    equal((last["cause"]["device"], last["cause"]["gesture"]), ("Anna's phone", "tap"), "the cause")
    equal(page.run("return document.cookie"), "", "what scripts see of the key")
    code = address.partition("#")[2]
    first = stage.post("/pair", {"code": code, "name": "Bea"})
    equal(first.status, 200, "the answer to a code")
    equal(("HttpOnly" in first.getheader("Set-Cookie"), "SameSite=Strict" in first.getheader("Set-Cookie")), (True, True), "the cookie")
    equal("Secure" in first.getheader("Set-Cookie"), False, "whether a browser without TLS may send the key")
    by_tls = stage.post("/pair", {"code": stage.code(), "name": "Dora"}, Origin=f"https://127.0.0.1:{stage.port}")
    equal(by_tls.getheader("Set-Cookie").endswith("; Secure"), True, "whether a browser with TLS sends the key by TLS alone")
    stage.tally_board("revoke", by_tls.getheader("Set-Cookie").partition("=")[2].partition(".")[0])
    equal(stage.post("/pair", {"code": code, "name": "Carl"}).status, 403, "the answer to the same code")
    listed = stage.tally_board("devices")
    equal(re.findall(r"^\w+  (.+)$", listed, re.M), ["Anna's phone", "Bea"], "the devices")
    stage.tally_board("revoke", listed.split()[0])
    page.touch(400, 300)
    page.says("may only watch")
    equal(stage.core.value("people"), 1, "the count")
    kept = (stage.folder / "board/board.json")
    equal(oct(kept.stat().st_mode & 0o777), "0o600", "who may read the devices")


def test_gestures(stage):
    """A tap adds, a swipe down takes off, a swipe to a side shows the neighbour; keys do the same; each flashes once."""
    stage.new("people")
    stage.new("bikes", step=5)
    page = stage.paired("/counter/people", width=390, height=844)
    page.shows("0")
    page.has_pages(2)
    for _ in range(3):
        page.touch(200, 400)
    page.shows("3")
    page.touch(200, 300, dy=200)
    page.shows("2")
    page.touch(300, 400, dx=-200)
    page.shows("bikes", "h1")
    page.touch(200, 400)
    page.shows("5")
    page.touch(100, 400, dx=200)
    page.shows("2")
    page.key(" ")
    page.shows("3")
    page.key("-")
    page.shows("2")
    page.key("u")
    page.shows("3")
    page.key("ArrowRight")
    page.shows("bikes", "h1")
    equal([(event["counter"], event["change"]) for event in stage.core.counts()],
          [("people", 1)] * 3 + [("people", -1), ("bikes", 5), ("people", 1), ("people", -1)], "what was counted")


def test_many_fingers_and_double_taps(stage):
    """Sixty quick taps are sixty, whatever the browser takes for double clicks."""
    page = stage.counting()
    for _ in range(60):
        page.touch(400, 300)
    page.shows("60")
    equal(len([event for event in stage.core.events() if event["kind"] == "added"]), 60, "the events")


def test_closing_the_menu(stage):
    """A touch that closes the menu counts nothing, and keys count while a button has the focus."""
    page = stage.counting()
    is_open = lambda: page.run("return document.querySelector('#menu').matches(':popover-open')")
    page.run("document.querySelector('#more').click()")
    equal(is_open(), True, "whether the menu is open")
    page.touch(400, 300)
    eventually(lambda: not is_open(), "the menu is closed")
    page.touch(400, 300)
    page.shows("1")
    page.run("document.querySelector('#more').focus()")
    page.key("+")
    page.shows("2")
    page.key("-")
    page.shows("1")
    equal(is_open(), False, "whether a key has opened the menu")


def test_stopwatch(stage):
    """A tap on a stopwatch starts it, another stops it."""
    stage.new("swim", kind="stopwatch")
    page = stage.paired("/counter/swim")
    page.touch(400, 300)
    page.shows("running", ".detail")
    page.touch(400, 300)
    page.shows("stopped", ".detail")


def test_undo_and_reset(stage):
    """Undo takes back one count; a reset asks twice, shows how long it waits, and lapses."""
    # Long enough for the second press of a slow browser.
    configuration = stage.folder / "core.toml"
    configuration.write_text("reset-window = 60.0\n")
    stage.core.end()
    stage.core.command += ["--config", configuration]
    stage.core.start()
    stage.new("people")
    page = stage.paired()
    page.touch(400, 300)
    page.touch(400, 300)
    page.shows("2")
    page.click("Undo")
    page.shows("1")
    page.click("Reset")
    eventually(lambda: page.text(".armed") == "Reset: press again", "the button asks")
    page.picture("armed")
    equal(stage.core.value("people"), 1, "the count before the second press")
    page.click("Reset: press again")
    page.shows("0")
    eventually(lambda: page.text(".armed") is None, "the button rests")
    page.click("Undo")
    page.shows("1")
    page.click("Reset")
    eventually(lambda: page.text(".armed") is not None, "the button asks")
    page.pass_time(61)
    eventually(lambda: page.text(".armed") is None, "the question lapses")
    equal(stage.core.value("people"), 1, "the count")


def test_late_press_on_a_reset(stage):
    """The question of a reset that has lapsed gives its place to the undo only after a hand that was about to press it."""
    page = stage.counting()
    page.touch(400, 300)
    page.shows("1")
    page.run("""
        const undo = [...document.querySelectorAll(".acts button")].find(one => one.textContent.startsWith("Undo"));
        new MutationObserver(() => { if (!undo.hidden) window.undoAt = Date.now(); }).observe(undo, { attributeFilter: ["hidden"] });
    """)
    page.click("Reset")
    eventually(lambda: page.text(".armed") is not None, "the button asks")
    until = next(event["until"] for event in reversed(stage.core.events()) if event["kind"] == "armed") / 1000
    eventually(lambda: page.run("return window.undoAt ?? null"), "the undo is back")
    equal(page.run("return window.undoAt") - until > 600, True, "whether the place stayed empty of the undo for more than 0.6 s")
    equal(stage.core.value("people"), 1, "the count")


def test_second_press_on_undo(stage):
    """A press that was meant for one's own count, and comes as the button changes, undoes no count of others."""
    page = stage.counting()
    stage.add("people", 7)
    page.shows("7")
    page.touch(400, 300)
    page.shows("8")
    page.run("""
        const undo = [...document.querySelectorAll(".acts button")].find(one => one.textContent.startsWith("Undo"));
        new MutationObserver(() => { if (undo.textContent.includes("+7")) undo.click(); }).observe(undo, { childList: true, subtree: true });
        undo.click();
    """)
    page.says("of somebody else")
    equal(stage.core.value("people"), 7, "the count after the second press")
    eventually(lambda: page.click("Undo") or stage.core.value("people") == 0, "a later press undoes it")


def test_press_on_a_reset_that_has_lapsed(stage):
    """A press that was meant for a reset, and comes when its question has lapsed, undoes no count of others."""
    page = stage.counting()
    stage.add("people", 7)
    page.shows("7")
    page.run("""
        const undo = [...document.querySelectorAll(".acts button")].find(one => one.textContent.startsWith("Undo"));
        new MutationObserver(() => { if (!undo.hidden) undo.click(); }).observe(undo, { attributeFilter: ["hidden"] });
    """)
    page.click("Reset")
    eventually(lambda: page.text(".armed") is not None, "the button asks")
    page.says("of somebody else")
    equal(stage.core.value("people"), 7, "the count after the late press")
    eventually(lambda: page.text(".ev").startswith("+7"), "the last event, which is no question that has lapsed")


def test_undo_names_what_it_takes_back(stage):
    """Undo says what it would take back, also of a correction and of a reset by this device."""
    page = stage.counting("/counter/people")
    page.touch(400, 300)
    page.shows("1")
    page.key("7")
    page.click("Correct 1 to 7")
    page.shows("7")
    becomes(lambda: page.run(UNDO), "Undo corrected +6", "the words for a correction")
    page.click("Reset")
    eventually(lambda: page.text(".armed") is not None, "the button asks")
    page.click("Reset: press again")
    page.shows("0")
    becomes(lambda: page.run(UNDO), "Undo reset −7", "the words for a reset")


def acts(page):
    """The buttons below the number."""
    return page.run("return [...document.querySelectorAll('.acts button')].filter(one => !one.hidden).map(one => one.innerText.split('\\n')[0])")


def test_reset_that_another_device_asks_for(stage):
    """The question of a reset appears on the device that asked for it: a press on another one is for its undo."""
    page = stage.counting()
    page.touch(400, 300)
    page.shows("1")
    other = stage.key("Bea")
    epoch = json.loads(stage.post("/open", {}, other).said)["epoch"]
    equal(stage.post("/count", {"epoch": epoch, "sequence": 1, "taps": [{"verb": "reset", "counter": "people", "age": 0}]}, other).status, 200, "the reset")
    eventually(lambda: "Bea" in page.text(".ev"), "the page knows of it")
    equal(acts(page)[0], "Undo +1", "the first button")


def test_reset_while_others_count(stage):
    """Many counts of other counters do not take the place of a question from the button."""
    stage.new("door")
    page = stage.counting("/counter/people", width=1300, height=800)
    page.key("+")
    page.shows("1")
    page.click("Reset")
    eventually(lambda: page.text(".armed") is not None, "the button asks")
    for _ in range(8):
        stage.add("door")
    page.shows("8", ".list .value")
    equal(acts(page)[0], "Reset: press again", "the first button")
    page.click("Reset: press again")
    page.shows("0")
    equal([stage.core.value(name) for name in ("people", "door")], [0, 8], "the counts")


def count_in_vain(stage, page, counts):
    """Taps while the board does not answer, so that the counts wait."""
    stage.board.freeze()
    page.pass_time(12)
    eventually(lambda: page.is_old, "the numbers are old")
    for _ in range(counts):
        page.touch(400, 300)
    page.waits(counts)


def test_counter_that_is_renamed_while_counts_wait(stage):
    """Counts that wait belong to their counter, whatever its name becomes, and whatever has that name then."""
    page = stage.counting("/counter/people")
    count_in_vain(stage, page, 3)
    stage.call("Set", counter="people", newName="guests")
    stage.new("people", title="Other people")
    stage.board.resume()
    page.waits(0)
    becomes(lambda: [stage.core.value(name) for name in ("guests", "people")], [3, 0], "what was counted")


def test_counter_that_is_deleted_while_counts_wait(stage):
    """Counts that wait for a counter that is deleted are no counts of another one with its name; the page says how many there were."""
    page = stage.counting("/counter/people")
    count_in_vain(stage, page, 3)
    stage.call("Remove", counter="people")
    stage.new("people", title="Other people")
    stage.board.resume()
    page.says("people is deleted. Not recorded: 3 counts.")
    page.waits(0)
    equal(stage.core.value("people"), 0, "the count of the other one")


def test_words_of_a_refusal(stage):
    """What the board refuses in plain text, such as too long a body, is said in its words."""
    page = stage.counting()
    message = page.run_async("import('/board.js').then(one => one.post('/note', { text: 'x'.repeat(20_000) })).then(one => done([one.status, one.body.message]), error => done(String(error)))")
    equal(message, [413, "The body is too long."], "what the page is told")


def test_number_of_counts_that_are_lost(stage):
    """Of counts whose counter is deleted while they wait the page says how many are lost."""
    stage.new("bikes")
    page = stage.counting("/counter/people")
    count_in_vain(stage, page, 12)
    stage.call("Remove", counter="people")
    stage.board.resume()
    page.says("people is deleted. Not recorded: 12 counts.")
    page.waits(0)


def test_malformed_stored_texts(stage):
    """What another program has stored at the same address stops no count, and is no count that is lost."""
    page = stage.counting()
    page.run("for (const [key, text] of [['tap 000000000000001 x', '{'], ['tap 000000000000002 x', '5'], ['sent x', '{'], ['sent y', '{\"keys\": 5}']]) localStorage.setItem(key, text)")
    page = stage.page()
    page.can_count()
    page.touch(400, 300)
    page.shows("1")
    page.waits(0)
    equal([words for words in page.run("return window.notices") if "Not recorded" in words], [], "what the page says of them")


def test_refusals(stage):
    """A count that the core refuses is reported with the core's message and the title of the counter, and is not sent again."""
    stage.new("inside", title="Inside", maximum=1)
    page = stage.paired("/counter/inside")
    page.touch(400, 300)
    page.shows("1")
    page.touch(400, 300)
    page.says("“Inside” cannot go beyond its limit of 1")
    page.waits(0)
    stage.subtract("inside")
    page.shows("0")
    page.touch(400, 300)
    page.shows("1")
    stage.tally("lock", "inside")
    page.touch(400, 300)
    page.says("locked")


def test_counts_wait(stage):
    """Taps without a core, without a board and before a reload are counted once, at their own times."""
    page = stage.counting()
    page.loses(stage.core)
    page.touch(400, 300)
    page.touch(400, 300)
    page.waits(2)
    # The counts wait for an hour.
    page.pass_time(3600)
    stage.core.start()
    page.shows("2")
    page.waits(0)
    ages = [time.time() - event["time"] / 1e6 for event in stage.core.events() if event["kind"] == "added"]
    equal([one >= 3600 for one in ages], [True, True], f"whether the counts have the times of the taps, {ages} s ago")
    page.pass_time(-3600)
    page.loses(stage.board)
    page.touch(400, 300)
    page.waits(1)
    stage.board.start()
    page.shows("3")
    stage.core.kill()
    page.touch(400, 300)
    page = stage.page()
    stage.core.start()
    page.shows("4")
    equal(stage.core.value("people"), 4, "the count")


def counts_without_a_core(stage, page):
    """Ends the core, then adds eight times and takes off three times on the page."""
    page.loses(stage.core)
    taps_at_once(page, 8)
    for key in "---":
        page.key(key)


def test_many_counts_wait(stage):
    """Hundreds of taps without a core go ten a request, and are counted once, in their order."""
    stage.new("people")
    stage.new("limited", maximum=3)
    page = stage.paired("/counter/people")
    page.shows("0")
    page.loses(stage.core)
    for number in range(20):
        taps_at_once(page, 12)
        page.key("-")
        # Something else than this page has written into the browser's storage.
        if number == 9:
            page.run("localStorage.setItem(`tap ${String(Date.now()).padStart(15, '0')} x`, JSON.stringify({verb: 'add', counter: 'people'}))")
    page.waits(261)
    # A tap parses what it adds, and not all that wait.
    page.run("const parse = JSON.parse; window.parses = 0; JSON.parse = text => { window.parses += 1; return parse(text); }")
    taps_at_once(page, 1)
    page.waits(262)
    equal(page.run("return window.parses") < 10, True, f"whether a tap parses few texts, and not {page.run('return window.parses')}")
    stage.core.start()
    page.shows("221")
    page.waits(0)
    kinds = [event["kind"] for event in stage.core.counts()]
    equal(kinds, (["added"] * 12 + ["subtracted"]) * 20 + ["added"], "the order")
    requests = page.run("return performance.getEntriesByType('resource').filter(one => one.name.endsWith('/count')).length")
    equal(requests <= 60, True, f"whether {requests} requests are few")
    # Of each refused one the page hears by itself, and those behind it are counted.
    page = stage.page("/counter/limited")
    page.can_count()
    counts_without_a_core(stage, page)
    page.waits(11)
    stage.core.start()
    page.waits(0)
    limited = [event["change"] for event in stage.core.counts() if event["counter"] == "limited"]
    equal(limited, [1, 1, 1, -1, -1, -1], "what was counted")


def test_two_pages_of_a_device(stage):
    """Two pages of one device count all that is tapped on either, once."""
    stage.new("people")
    stage.paired()
    with stage.browser.window() as handles:
        page = stage.page()
        page.can_count()
        for handle in handles * 10:
            stage.browser.driver.switch_to.window(handle)
            page.touch(400, 300)
        becomes(lambda: stage.core.value("people"), 20, "the count")
        for handle in handles * 2:
            stage.browser.driver.switch_to.window(handle)
            taps_at_once(page, 25)
        # Each page fences the other, and a hidden one waits a second each time.
        becomes(lambda: stage.core.value("people"), 120, "the count")


def test_tab_from_before_the_pairing(stage):
    """A tab that was opened before its browser was paired deletes no counts that wait in another tab."""
    stage.new("people")
    watching = stage.page()
    watching.shows("0")
    with stage.browser.window() as (former, opened):
        page = stage.paired()
        page.shows("0")
        page.loses(stage.core)
        page.touch(400, 300)
        page.touch(400, 300)
        page.waits(2)
        stage.browser.driver.switch_to.window(former)
        watching.says("no core")
        stage.core.start()
        becomes(lambda: stage.core.value("people"), 2, "the count")


def test_board_returns_first(stage):
    """A board that returns while there is no core takes nothing from a page: it keeps its counter, and counts."""
    stage.new("people", start=5)
    page = stage.paired()
    page.shows("5")
    stage.core.kill()
    stage.board.kill()
    page.says("Not live")
    stage.board.start()
    page.says("no core")
    page.shows("5")
    page.touch(400, 300)
    page.waits(1)
    stage.core.start()
    page.shows("6")
    equal(page.text(".away:not([hidden])"), None, "what was counted while away")


def test_orders_of_strangers(stage):
    """Orders need the board's own origin, JSON of the right shape, and the key of a paired device."""
    stage.new("people")
    key = stage.key()
    tap = {"verb": "add", "counter": "people", "age": 0}
    epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
    good = {"taps": [tap], "epoch": epoch, "sequence": 1}
    for headers in [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": stage.origin.replace("http", "ftp")},
                    {"Origin": stage.origin + "0"}, {"Origin": ""}]:
        equal(stage.post("/count", good, key, **headers).status, 403, f"the answer with {headers}")
    equal(stage.ask("/count", "POST", {"Content-Type": "application/json", "Cookie": key}, "{}").status, 403, "without an origin")
    equal(stage.post("/count", good, key, **{"Content-Type": "text/plain"}).status, 415, "the answer to a form's content type")
    equal(stage.post("/count", good, key, Host="evil.example", Origin="http://evil.example").status, 421, "the answer to a rebound name")
    for body in [{}, [], 3, {**good, "taps": [{**tap, "verb": "remove"}]}, {**good, "taps": [{**tap, "age": -1}]}, {**good, "taps": []},
                 {**good, "taps": [{**tap, "verb": "undo"}]}, {**good, "taps": [tap] * 11}, {**good, "sequence": "1"}, {**good, "epoch": 1.5}]:
        equal(stage.post("/count", body, key).status, 400, f"the answer to {body}")
    equal(stage.post("/count", {**good, "taps": [{**tap, "gesture": "x" * 20_000}]}, key).status, 413, "the answer to a long body")
    name = key.split("=")[0]
    for cookie in [None, f"{name}=", f"{name}=a.b", f"{name}=" + "0" * 12 + "." + "0" * 32, key[:-1] + ("0" if key[-1] != "0" else "1"),
                   key + "0", "other=1"]:
        equal(stage.post("/count", good, cookie).status, 403, f"the answer with {cookie}")
        equal(stage.post("/open", {}, cookie).status, 403, f"the answer to opening with {cookie}")
    equal(stage.core.value("people"), 0, "the count so far")
    equal([stage.post("/count", good, key).status for _ in range(3)], [200, 200, 200], "the answers to one delivery, three times")
    equal(stage.core.value("people"), 1, "the count")
    equal(stage.post("/count", {**good, "sequence": 5}, key).status, 409, "the answer to a gap")
    nobody = {**tap, "counter": "nobody"}
    equal(stage.post("/count", {**good, "sequence": 2, "taps": [nobody, tap]}, key).status, 422, "the answer to no counter")
    some = {**good, "sequence": 2, "taps": [tap, tap, nobody, tap]}
    for _ in range(2):
        equal(stage.post("/count", some, key).said, '{"counted":2}', "the answer to four counts of which the third is refused")
    equal(stage.core.value("people"), 3, "the count")
    ten = {**good, "sequence": 4, "taps": [tap] * 10}
    equal(stage.post("/count", ten, key).said, '{"counted":10}', "the answer to ten counts")
    equal(stage.core.value("people"), 13, "the count")


def test_floods(stage):
    """Codes cannot be guessed: five wrong ones a minute by all together, which stop no right one; a device counts at most 30 times a second."""
    stage.new("people")
    key = stage.key()
    answers = [stage.post("/pair", {"code": f"{number:032x}", "name": "x"}).status for number in range(10)]
    equal(answers, [403] * 5 + [429] * 5, "the answers to codes at random")
    bea = {"code": stage.code(), "name": "Bea"}
    equal(stage.post("/pair", bea).status, 200, "the answer to a right code meanwhile")
    equal(stage.post("/pair", bea).status, 429, "the answer to the same code again")
    epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
    body = json.dumps({"taps": [{"verb": "add", "age": 0}], "epoch": epoch, "sequence": 1})
    request = (f"POST /count HTTP/1.1\r\nHost: 127.0.0.1:{stage.port}\r\nOrigin: {stage.origin}\r\nCookie: {key}\r\n"
               f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}").encode()
    connections, begun = [], time.monotonic()
    for _ in range(150):
        # The board ends one that is silent for some seconds.
        connections.append(stage.keep(socket.create_connection(("127.0.0.1", stage.port))))
        connections[-1].sendall(request)
    statuses = [int(connection.makefile("rb").readline().split()[1]) for connection in connections]
    # The seconds begin by the clock.
    most = 30 * (2 + int(time.monotonic() - begun))
    # On a machine that needs seconds for them none need be refused.
    equal(set(statuses) - {200, 429}, set(), "other answers to a flood")
    equal(statuses.count(200) <= most, True, f"whether {statuses.count(200)} counts are at most {most}")


def test_halves(stage):
    """With the setting the left half takes off and the right half adds, and the page shows which is which."""
    stage.new("people", start=5)
    page = stage.paired("/?halves=on", width=390, height=844)
    page.shows("5")
    page.touch(300, 400)
    page.shows("6")
    page.touch(60, 400)
    page.touch(60, 400)
    page.shows("4")
    equal(page.run("return ['::before', '::after'].map(one => getComputedStyle(document.querySelector('.area'), one).content)"),
          ['"−"', '"+"'], "the signs")
    above = page.run("const area = document.querySelector('.area'), sign = getComputedStyle(area, '::before');"
                     "return document.querySelector('.number').getBoundingClientRect().top - area.getBoundingClientRect().top - parseFloat(sign.top) - parseFloat(sign.height)")
    equal(above > 0, True, f"whether the signs are {above} px above the number")
    page.picture("halves")


def test_undo_of_counts_together(stage):
    """Counts of several counters that a program made together are taken back together, and Undo names them before."""
    for name in ["kids", "adults", "dogs", "cats"]:
        stage.new(name, title=name.title())
    page = stage.paired("/counter/kids", width=390, height=844)
    page.shows("0")
    stage.tally("add", "kids=3", "adults=2")
    becomes(lambda: page.run(UNDO), "Undo +3 and +2 Adults (tally)", "the words")
    page.picture("undo-together")
    eventually(lambda: page.press("Undo") or page.text(".number") == "0", "a press that is not at once takes it back")
    equal([stage.core.value(name) for name in ["kids", "adults"]], [0, 0], "the counts")
    stage.tally("add", "kids=3", "adults=2", "dogs=1", "cats=4")
    becomes(lambda: page.run(UNDO), "Undo +3 and +4 Cats and +1 Dogs and 1 more (tally)", "the words for four counters")
    page.run("document.querySelector('.day').showPopover()")
    label = "Undo +2 Adults and +4 Cats and +1 Dogs and 1 more"
    eventually(lambda: page.run("return !!document.querySelector(`[aria-label='${arguments[0]}']`)?.offsetParent", label), "the button of an event")
    page = stage.page("/past/adults", width=390, height=844)
    eventually(lambda: page.run("const one = document.querySelector(`[aria-label='Undo +2 Adults and 3 more']`); one?.click(); return Boolean(one)"), "the button of the past")
    becomes(lambda: [stage.core.value(name) for name in ["kids", "adults", "dogs", "cats"]], [0, 0, 0, 0], "the counts")


def test_undo_of_one_event(stage):
    """Each of the last events that can be taken back has an undo of its own, which takes back that one."""
    stage.new("people")
    stage.new("bikes")
    page = stage.paired("/counter/people", width=390, height=844)
    for amount in [1, 10, 100]:
        stage.add("people", amount)
    stage.add("bikes", 7)
    page.shows("111")
    page.run("document.querySelector('.day').showPopover()")
    buttons = "return [...document.querySelectorAll('.last button')].filter(one => one.offsetParent).map(one => one.ariaLabel)"
    eventually(lambda: page.run(buttons) == ["Undo +7 bikes", "Undo +100 people", "Undo +10 people", "Undo +1 people"], "the buttons")
    page.run("document.querySelector('[aria-label=\"Undo +10 people\"]').click()")
    page.shows("101")
    eventually(lambda: "Undo +10 people" not in page.run(buttons), "a count that was taken back cannot be taken back again")
    equal(page.run("return document.querySelectorAll('.undone').length"), 1, "lines that are marked as undone")
    texts = "return [...document.querySelectorAll('.last b')].map(one => one.textContent)"
    equal(page.run(texts), ["undid +10", "+7", "+100", "+10", "+1"], "the events")
    equal(stage.core.events()[-1]["cause"]["device"], "Anna's phone", "who took it back")
    equal(page.axe(), [], "what axe finds")
    page.picture("events")
    # The creation of a counter, an event of long ago, and one of nobody.
    for sequence in [1, 2, 99999, -1]:
        said = page.run("return fetch('/undo', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({sequence: arguments[0]})}).then(one => one.status)", sequence)
        equal(said, 422, f"the answer to an undo of event {sequence}")
    equal(stage.post("/undo", {"sequence": 3}).status, 403, "the answer to a device that is not paired")
    equal(stage.core.value("people"), 101, "the count")


def test_list_under_a_finger(stage):
    """The list of the last events stands still under a finger, whose button undoes what it lies on."""
    stage.new("people")
    page = stage.paired("/counter/people", width=1440, height=900)
    stage.add("people", 1)
    own = "[aria-label='Undo +1 people']"
    eventually(lambda: page.run(f"return !!document.querySelector(\"{own}\")?.offsetParent"), "the button")
    # After a second the list may move again.
    page.pass_time(2)
    page.fingers("touchStart", (*page.middle(own), 1))
    stage.add("people", 10)
    page.shows("11")
    page.fingers("touchEnd")
    page.shows("10")
    labels = "return [...document.querySelectorAll('.last button')].filter(one => one.offsetParent).map(one => one.ariaLabel)"
    becomes(lambda: page.run(labels), ["Undo +10 people"], "the buttons once the finger is up")


def test_states_of_a_tap(stage):
    """A tap is seen at once, is on its way from 150 ms on, and then is recorded."""
    page = stage.counting()
    page.touch(400, 300)
    page.shows("1")
    eventually(lambda: page.run("return document.querySelector('.ring')?.getAnimations().length === 0"), "the first ring has ended")
    sending = "return document.documentElement.classList.contains('sending')"
    page.touch(400, 300)
    page.shows("2")
    waiting = "return Object.keys(localStorage).filter(key => key.startsWith('tap ')).length"
    becomes(lambda: page.run(waiting), 0, "the counts without an answer")
    stage.core.freeze()
    page.touch(400, 300)
    becomes(lambda: page.count_animations("ring"), 3, "the rings")
    eventually(lambda: page.run(sending), "the tap is on its way")
    equal(page.text("#waiting"), "1 not yet recorded", "the sentence")
    page.picture("sending")
    stage.core.resume()
    page.shows("3")
    eventually(lambda: not page.run(sending), "the tap is recorded")


def test_qr_code(stage):
    """In a terminal the address of a pairing is drawn as a QR code; a script reads the address only."""
    command = [stage.board.command[0], "pair", "--control", str(stage.folder / "board.sock")]
    terminal, end = pty.openpty()
    drawn = b""
    with open(terminal, "rb", buffering=0) as reader:
        with open(end, "wb", buffering=0) as writer:
            subprocess.run(command, check=True, stdout=writer, env={**os.environ, **stage.environment})
        # One read may return a part; the end of the terminal is an error.
        with contextlib.suppress(OSError):
            while part := reader.read(65536):
                drawn += part
    lines = [line for line in drawn.decode().splitlines() if "█" in line]
    widths = {len(line.strip("\r")) for line in lines}
    equal(len(widths), 1, f"their widths: {widths}")
    # Two spaces before each line, which holds two rows.
    equal(len(lines), (widths.pop() - 2 + 1) // 2, "the lines of the code")
    equal("█" in stage.tally_board("pair"), False, "whether a script is shown the code")


# Fills the storage of the browser.
FILL = ("let text = 'x'.repeat(1 << 20); for (let number = 0; text.length; number++) {"
        " try { localStorage.setItem('fill' + number, text); } catch { text = text.slice(0, text.length >> 1); } }")


def test_full_storage(stage):
    """Where the browser's storage is full, taps are counted all the same; the page says that those that wait need it."""
    page = stage.counting()
    page.run(FILL)
    page.touch(400, 300)
    page.touch(400, 300)
    page.shows("2")
    page.waits(0)
    page.loses(stage.core)
    page.touch(400, 300)
    page.shows("1 not yet recorded. Keep this page open", "#waiting")
    stage.core.start()
    page.shows("3")
    equal(stage.core.value("people"), 3, "the count")


class Forward(Relay):
    """Another port that leads to the board. It can lose the answer to a count, and everything after it."""

    def __init__(self, port):
        self.loses, self.is_lost = False, threading.Event()
        super().__init__(port)

    def edit(self, data, is_answer):
        if self.loses and (self.is_lost.is_set() or is_answer and b'{"counted":' in data):
            self.is_lost.set()
            raise ConnectionError
        return data


def test_two_addresses_of_a_board(stage):
    """A device that reaches the board by two ports counts each tap once: the pages of one cannot see what those of the other sent."""
    stage.new("people")
    stage.new("bikes")
    stage.paired()
    forward = stage.keep(Forward(stage.port))
    stage.knows_device_at(forward.port)
    page = stage.browser.open(f"http://127.0.0.1:{forward.port}/counter/people")
    page.can_count()
    forward.loses = True
    page.touch(400, 300)
    becomes(lambda: stage.core.value("people"), 1, "the count")
    eventually(forward.is_lost.is_set, "the answer was lost")
    with stage.browser.window():
        page = stage.page("/counter/bikes")
        page.can_count()
        page.touch(400, 300)
        page.shows("1")
    forward.loses = False
    forward.is_lost.clear()
    page.touch(400, 300)
    becomes(lambda: stage.core.value("people"), 2, "the count after another tap")
    page.waits(0)
    equal((stage.core.value("people"), stage.core.value("bikes")), (2, 1), "the counts")


def test_two_boards_of_a_host(stage):
    """A device that is paired with a second board of the same host stays paired with the first, which loses no count that waits."""
    page = stage.counting("/counter/people")
    page.loses(stage.core)
    page.touch(400, 300)
    page.waits(1)
    # A browser sends the cookies of a host to all its ports.
    port = free_port()
    folder = stage.folder / "second"
    folder.mkdir()
    second = stage.keep(Process(folder, [stage.board.command[0], "--state", folder / "board", "--control", folder / "board.sock", "--listen", f"127.0.0.1:{port}"],
                                stage.environment))
    second.start()
    eventually(lambda: second.said.count("The board is at"), "the second board listens")
    code = varlink.call(folder / "board.sock", "org.tallymark.Board.Pair", setup=False)["code"]
    page = stage.browser.open(f"http://127.0.0.1:{port}/pair#{code}")
    eventually(lambda: page.text("form") is not None, "the form")
    page.press("Count with this device")
    eventually(lambda: page.run("return location.pathname") == "/", "the device is paired")
    page = stage.page("/counter/people")
    stage.core.start()
    page.can_count()
    page.shows("1")
    equal(stage.core.value("people"), 1, "the count")


def test_lost_answer_to_many_counts(stage):
    """Of ten counts in a request whose answer is lost, those are sent again that the core has not counted."""
    stage.new("limited", maximum=3)
    stage.paired()
    forward = stage.keep(Forward(stage.port))
    stage.knows_device_at(forward.port)
    page = stage.browser.open(f"http://127.0.0.1:{forward.port}/counter/limited")
    page.can_count()
    counts_without_a_core(stage, page)
    forward.loses = True
    stage.core.start()
    # The core counts three, and refuses the fourth.
    eventually(forward.is_lost.is_set, "the answer was lost")
    forward.loses = False
    forward.is_lost.clear()
    eventually(lambda: page.text("#waiting") == "" and not page.is_old, "nothing waits")
    equal([event["change"] for event in stage.core.counts()], [1, 1, 1, -1, -1, -1], "what was counted")


def test_addresses_of_a_device_are_bounded(stage):
    """A device counts from at most 16 addresses of the board while it runs."""
    key = stage.key()
    answers = [stage.post("/open", {}, key, Host=f"10.0.0.{number}:{stage.port}", Origin=f"http://10.0.0.{number}:{stage.port}").status for number in range(18)]
    equal(answers, [200] * 16 + [429] * 2, "the answers")
    equal(stage.post("/open", {}, key, Host=f"10.0.0.1:{stage.port}", Origin=f"http://10.0.0.1:{stage.port}").status, 200, "the answer to a known address")


def test_undo_takes_back_what_is_shown(stage):
    """Undo takes back the change that the page shows, and not what somebody else has counted meanwhile; it does not wait."""
    stage.new("bikes")
    page = stage.paired()
    stage.add("bikes", 5)
    page.shows("5")
    # The button has named the change for a while.
    page.pass_time(2)
    # The page is told of nothing that comes now; its own request waits in the kernel.
    stage.board.freeze()
    stage.add("bikes", 100)
    page.press("Undo")
    eventually(lambda: page.requests("/undo") == 1, "the page asks for an undo")
    stage.board.resume()
    page.shows("100")
    # A key goes to the button that has the keyboard.
    page.run("document.activeElement.blur()")
    eventually(lambda: page.key("u") or page.text(".number") == "0", "the key takes it back")
    stage.add("bikes", 5)
    page.shows("5")
    page.loses(stage.core)
    for act in [lambda: page.key("u"), lambda: page.press("Undo"), lambda: page.press("Reset"),
                lambda: page.run("document.querySelector('.day').showPopover(); document.querySelector('.last button').click()")]:
        page.run("document.querySelector('#notice').textContent = ''; window.notices = []")
        act()
        page.says("The number is old")
    page.run("document.querySelector('.day').hidePopover()")
    stage.core.start()
    stage.add("bikes", 100)
    page.shows("105")
    # A count comes after all that the page would have sent.
    page.touch(400, 300)
    page.shows("106")
    equal((stage.core.value("bikes"), page.requests("/undo")), (106, 2), "the count, and the undos that the page has asked for")


def test_refusal_ends_with_its_reason(stage):
    """What is refused because the number is old is not said any more once the number is live; and a malformed count gets a sentence."""
    page = stage.counting()
    page.loses(stage.core)
    page.key("u")
    page.says("The number is old")
    stage.core.start()
    page.is_live()
    equal(page.text("#notice"), "", "the notice over a live number")
    key = stage.key("Bob")
    epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
    tap = {"verb": "add", "counter": "people", "gesture": "x" * 2000, "age": 0}
    answer = stage.post("/count", {"epoch": epoch, "sequence": 1, "taps": [tap]}, key)
    equal((answer.status, "org.varlink" in answer.said, "message" in answer.said), (422, False, True), answer.said)


def test_undo_while_counts_wait(stage):
    """While a count of this device is on its way, Undo takes back no change of others."""
    page = stage.counting()
    stage.add("people", 5)
    page.shows("5")
    page.run("const send = window.fetch; window.fetch = (path, ...more) => path === '/count' ? new Promise(() => {}) : send(path, ...more)")
    page.key(" ")
    page.key("u")
    page.says("Undo and reset need the present one")
    equal(stage.core.value("people"), 5, "the counter")


def test_undo_of_ones_own(stage):
    """Undo takes back what this device did, whatever others counted since, and says what; else it names whose count it is."""
    stage.new("people")
    page = stage.paired()
    for _ in range(3):
        page.touch(400, 300)
    page.shows("3")
    undo = "return document.querySelector('.acts button').textContent"
    becomes(lambda: page.run(undo), "Undo +1", "the words of the button")
    for amount in (100, 1, 1, 1, 1, 1):
        stage.add("people", amount)
    page.shows("108")
    page.press("Undo")
    page.shows("107")
    page.press("Undo")
    page.press("Undo")
    page.shows("105")
    becomes(lambda: page.run(undo), "Undo +1 (test)", "the words for a count of others")


def test_clock_that_is_set(stage):
    """A clock that jumps between a tap and its delivery dates the count by no jump."""
    page = stage.counting()
    stage.board.freeze()
    page.touch(400, 300)
    page.waits(1)
    page.run("const now = Date.now; Date.now = () => now() + 365 * 86400e3")
    stage.board.resume()
    page.shows("1")
    made = stage.core.counts()[-1]["time"] / 1e6
    equal(abs(time.time() - made) < 3600, True, f"whether the count is of now: {time.time() - made:.0f} s ago")


def test_new_name(stage):
    """A counter that is shown, or on a wall, keeps being shown under a new name, and so does its address."""
    stage.new("people")
    page = stage.paired("/counter/people")
    page.touch(400, 300)
    page.shows("1")
    stage.call("Set", counter="people", newName="guests", title="Guests")
    page.shows("Guests", "h1")
    page.touch(400, 300)
    page.shows("2")
    equal(page.run("return location.pathname"), "/counter/guests", "the address")
    page = stage.page("/wall/guests")
    page.shows("2")
    stage.call("Set", counter="guests", newName="visitors")
    stage.add("visitors")
    page.shows("3")


def test_last_event_of_a_counter(stage):
    """The last event of a counter stands beside Undo also where others were counted since: the page asks the history once."""
    page = stage.counting("/counter/people", width=390, height=844)
    stage.add("people", 7)
    stage.new("bikes")
    for _ in range(6):
        stage.add("bikes")
    page = stage.page("/counter/people", width=390, height=844)
    page.says("+7", ".ev")
    page.says("Undo +7", ".acts")
    equal(page.requests("/history?counter=people"), 1, "the requests")


def test_undo_again_and_again(stage):
    """Undo takes back one change after the other, also those that the page does not list any more."""
    stage.new("people")
    stage.new("bikes")
    page = stage.paired("/counter/people", width=1280, height=800)
    for amount in (1, 2, 4, 8, 16, 32):
        stage.add("people", amount)
    page.shows("63")
    # A change of others is taken back by a press that comes a while after the button names it.
    for expected in (31, 15, 7, 3, 1, 0):
        eventually(lambda: page.press("Undo") or page.text(".number") == str(expected), f"it takes back the change before {expected}")
    stage.add("people")
    page.shows("1")
    for _ in range(6):
        stage.add("bikes")
    eventually(lambda: "people" not in page.text(".last"), "the event has left the list")
    page.run("document.activeElement.blur()")
    eventually(lambda: page.key("u") or page.text(".number") == "0", "the key takes it back")


def test_revoked_device(stage):
    """A revoked device is told so, shakes once a tap, and keeps no counts for the person who is paired next."""
    page = stage.counting()
    counting = "return document.documentElement.classList.contains('counts')"
    stage.tally_board("revoke", stage.tally_board("devices").split()[0])
    eventually(lambda: not page.run(counting), "the page knows")
    page.says("may only watch", "#hints")
    page.touch(400, 300)
    page.says("may only watch")
    equal("may only watch" in page.text("#hints"), False, "whether the same sentence stands twice")
    # Whatever the page would send again it sends now.
    page.pass_time(3)
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(() => done()))")
    equal(page.count_animations("refused"), 1, "how often the number shook")
    equal(page.text("#waiting"), "", "what waits")
    page = stage.paired(name="Bea")
    page.loses(stage.core)
    page.touch(400, 300)
    page.touch(400, 300)
    page.waits(2)
    stage.tally_board("revoke", stage.tally_board("devices").split()[0])
    page.says("Not recorded: 2 counts.")
    equal(page.text("#waiting"), "", "what waits")
    stage.core.start()
    page = stage.paired(name="Carl")
    page.touch(400, 300)
    page.shows("1")
    page.waits(0)
    becomes(lambda: stage.core.value("people"), 1, "the count")


def test_revoked_while_the_page_is_away(stage):
    """A page that comes back to find its device revoked says which counts were not recorded, and keeps none."""
    page = stage.counting()
    page.loses(stage.core)
    page.touch(400, 300)
    page.waits(1)
    stage.browser.driver.get("about:blank")
    stage.tally_board("revoke", stage.tally_board("devices").split()[0])
    stage.core.start()
    page = stage.page()
    page.says("Not recorded: 1 count.")
    equal((page.text("#waiting"), stage.core.value("people")), ("", 0), "what waits, and the count")


SLEEP = """
const [hours] = arguments, now = Date.now, parse = JSON.parse;
Date.now = () => now() + hours * 3600e3;
JSON.parse = (...words) => {
  const made = parse(...words);
  if (made?.now) made.now += hours * 3600e6;
  return made;
};
"""


def test_sleep_with_counts_that_wait(stage):
    """A count waits while its phone sleeps, in which the page's monotonic clock stands still: it is dated at its tap."""
    page = stage.counting()
    page.loses(stage.core)
    page.touch(400, 300)
    page.waits(1)
    # The clocks of the phone and of the board go on.
    page.run(SLEEP, 8)
    stage.core.start()
    page.shows("1")
    hours = (time.time() - stage.core.counts()[-1]["time"] / 1e6) / 3600
    equal(7.9 < hours < 8.1, True, f"whether the count is dated eight hours back: {hours:.2f}")


def test_clock_that_is_set_while_counts_wait(stage):
    """A clock that is set back while a count waits does not date it later, nor one that is set forward earlier."""
    page = stage.counting()
    for number, days in enumerate((365, -730), 1):
        page.loses(stage.core)
        page.touch(400, 300)
        page.waits(1)
        page.run("const [days] = arguments, now = Date.now; Date.now = () => now() + days * 86400e3", days)
        stage.core.start()
        page.shows(str(number))
        made = stage.core.counts()[-1]["time"] / 1e6
        equal(abs(time.time() - made) < 3600, True, f"whether the count is of now: {time.time() - made:.0f} s ago")


def test_clock_that_is_set_before_a_reload(stage):
    """A count that a former page made is dated at its tap by the distance of the device's clock to the board's."""
    page = stage.counting()
    page.loses(stage.core)
    page.touch(400, 300)
    page.waits(1)
    with stage.browser.script("const now = Date.now; Date.now = () => now() + 365 * 86400e3;"):
        page = stage.page()
        stage.core.start()
        page.shows("1")
    made = stage.core.counts()[-1]["time"] / 1e6
    equal(abs(time.time() - made) < 3600, True, f"whether the count is of now: {time.time() - made:.0f} s ago")


def test_screen_that_wakes(stage):
    """A page whose device has slept says at once that its number is old."""
    page = stage.counting()
    stage.board.freeze()
    page.stop_time()
    page.run("const now = Date.now; Date.now = () => now() + 36e6")
    page.pass_time(0.3)
    eventually(lambda: page.is_old, "the number is old")
    stage.board.resume()

    def is_live():
        page.pass_time(1)
        return not page.is_old

    eventually(is_live, "the number is live again")


def cookie(stage):
    """The key of the device of the page that is open."""
    [one] = stage.browser.command("Network.getCookies", urls=[stage.origin])["cookies"]
    return f"{one['name']}={one['value']}"


def test_why_counts_wait(stage):
    """The page says once why the board does not take its counts, here from too many addresses."""
    page, key = stage.counting(), cookie(stage)
    for number in range(16):
        answer = stage.post("/open", {}, key, Host=f"10.0.0.{number}:{stage.port}", Origin=f"http://10.0.0.{number}:{stage.port}")
        equal(answer.status, 200, "the answer to an address")
    page.touch(400, 300)
    page.says("too many addresses")
    page.waits(1)
    page.pass_time(7)
    tries = page.requests("/open")
    for number in range(1, 3):
        page.pass_time(1)
        eventually(lambda: page.requests("/open") > tries + number, "the page tries again")
    equal(page.text("#notice"), "", "what the page says after another try")


def test_answer_that_is_lost_with_a_full_storage(stage):
    """A count that is in the browser's storage, which has no room for its record, is counted once, though the answer is lost and the page ends."""
    stage.new("people")
    stage.paired()
    forward = stage.keep(Forward(stage.port))
    stage.knows_device_at(forward.port)
    address = f"http://127.0.0.1:{forward.port}/counter/people"
    page = stage.browser.open(address)
    page.can_count()
    page.loses(stage.core)
    page.touch(400, 300)
    page.waits(1)
    page.run(FILL)
    forward.loses = True
    stage.core.start()
    eventually(forward.is_lost.is_set, "the answer was lost")
    stage.browser.driver.get("about:blank")
    forward.loses = False
    forward.is_lost.clear()
    page = stage.browser.open(address)
    page.can_count()
    page.waits(0)
    page.touch(400, 300)
    page.shows("2")
    equal(stage.core.value("people"), 2, "the count")


UNDO = "return document.querySelector('.acts button').textContent"


def test_undo_after_a_reload(stage):
    """A page that was just loaded finds the last change of its device, whatever others counted since; without one it names whose change it takes back before it does."""
    stage.new("people")
    stage.new("bikes")
    stage.new("cars")
    page = stage.paired("/counter/people")
    page.touch(400, 300)
    page.shows("1")
    stage.add("people", 100)
    stage.add("cars", 5)
    for _ in range(6):
        stage.add("bikes")
    page = stage.page("/counter/people")
    page.can_count()
    page.shows("101")
    becomes(lambda: page.run(UNDO), "Undo +1", "the words for the change of this device")
    page.press("Undo")
    page.shows("100")
    becomes(lambda: page.run(UNDO), "Undo +100 (test)", "the words for a count of others")
    page = stage.page("/counter/cars")
    page.can_count()
    becomes(lambda: page.run(UNDO), "Undo +5 (test)", "the words before the page takes it back")
    eventually(lambda: page.press("Undo") or page.text(".number") == "0", "a press that is not at once takes it back")
    page.press("Undo")
    page.says("Nothing")


def test_undo_of_a_late_count(stage):
    """A late count of this device, which is several events, is taken back, and not what somebody else counted since."""
    stage.new("daily", period="daily 00:00")
    page = stage.paired("/counter/daily")
    page.shows("0")
    key = cookie(stage)
    epoch = json.loads(stage.post("/open", {}, key).said)["epoch"]
    late = {"verb": "add", "counter": "daily", "age": 50 * 3600 * 1000}
    equal(stage.post("/count", {"epoch": epoch, "sequence": 1, "taps": [late]}, key).status, 200, "the answer to the late count")
    [counted] = stage.core.counts()
    equal("batch" in counted, True, f"whether a late count is several events: {counted}")
    becomes(lambda: page.run(UNDO), "Undo +1", "the words")
    stage.add("daily", 100)
    page.shows("100")
    page.press("Undo")
    eventually(lambda: any(event.get("undoes") for event in stage.core.events()), "something is undone")
    undone = [event["undoes"] for event in stage.core.events() if event.get("undoes")]
    equal(sorted(undone), [event["sequence"] for event in stage.core.events() if event.get("batch") == counted["batch"]], "what is undone")
    page.shows("100")
