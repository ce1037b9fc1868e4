"""Requests of strangers and of other programs."""

import base64
import errno
import hashlib
import json
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import time
import zlib
from contextlib import suppress
from pathlib import Path

from kit import varlink, virtual_time
from kit.process import Process
from kit.suite import Skipped
from kit.wait import PATIENCE, becomes, equal, eventually
from prometheus_client.parser import text_string_to_metric_families


class Stream:
    """The events of /events, as a foreign client reads them."""

    def __init__(self, port, reads=True):
        self.socket = socket.create_connection(("127.0.0.1", port))
        if not reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    def next(self):
        """The name and the data of the next event."""
        name = data = None
        while True:
            line = self.file.readline()
            if not line:
                raise ConnectionError("the stream has ended")
            line = line.decode().rstrip("\r\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data = json.loads(line[6:])
                return name, data

    def until(self, condition):
        """All events up to the first that fulfils a condition."""
        events = []
        while True:
            events.append(self.next())
            if condition(*events[-1]):
                return events


def value(name, data, of="fast"):
    """The value that an event tells of a counter."""
    if name == "state":
        return next((one["value"] for one in data["counters"] if one["name"] == of), None)
    return data["counter"]["value"] if name == "change" and data.get("counter", {}).get("name") == of else None


def test_requests_of_strangers(stage):
    """A name that is not the board's, an unknown address, another method: each gets a clear answer."""
    for host, status in [("evil.example", 421), ("localhost", 200), ("127.0.0.1:80", 200), ("[::1]:80", 200), ("192.168.1.9", 200),
                         ("localhost.evil.example", 421), ("1.2.3.4.5", 421), ("", 421), ("127.0.0.1:99999", 421)]:
        equal(stage.ask(headers={"Host": host}).status, status, f"the answer to Host: {host}")
    for path, status in [("/nowhere", 404), ("/wall/", 404), ("/counter/a/b", 404), ("/../etc/passwd", 404), ("/" + "a" * 3000, 414),
                         ("/counter/a%00b", 200)]:
        equal(stage.ask(path).status, status, f"the answer to {path[:30]}")
    for method in ["POST", "PUT", "DELETE", "OPTIONS"]:
        answer = stage.ask(method=method)
        equal((answer.status, answer.getheader("Allow")), (405, "GET, HEAD"), f"the answer to {method}")
    for path in ["/", "/board.css", "/board.js", "/nowhere", "/all"]:
        answer = stage.ask(path)
        policy = answer.getheader("Content-Security-Policy")
        equal("default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy, True, f"the policy of {path}")
        equal(answer.getheader("Access-Control-Allow-Origin"), None, f"who else may read {path}")
    [script] = re.findall("<script>(.*?)</script>", stage.ask().said, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    equal(f"script-src 'self' 'sha256-{digest}';" in policy, True, f"whether the policy allows the one script in the page, {digest}")
    answer = stage.ask("/board.js")
    equal(stage.ask("/board.js", headers={"If-None-Match": answer.getheader("ETag")}).status, 304, "the answer to a known tag")


def test_forms_of_requests(stage):
    """HEAD, a target in absolute form, Expect, and a client that ends its side are answered as HTTP says."""
    stage.new("people")
    eventually(lambda: stage.ask("/totals?counter=people").status == 200, "the board knows the counter")
    equal([stage.ask(path, "HEAD").status for path in ["/", "/pair", "/count"]], [200, 200, 405], "the answers to HEAD")
    host = f"Host: 127.0.0.1:{stage.port}\r\n"

    def send(*parts, ends=True):
        """Sends the parts, each after an answer to the one before; returns everything that came."""
        with socket.create_connection(("127.0.0.1", stage.port)) as connection:
            connection.settimeout(PATIENCE)
            came = b""
            for part in parts:
                connection.sendall(part.encode())
                if part is not parts[-1]:
                    came += connection.recv(65536)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(65536):
                came += data
        return came.decode()

    close = "Connection: close\r\n\r\n"
    absolute = f"GET http://127.0.0.1:{stage.port}/ready HTTP/1.1\r\n{host}{close}"
    equal(send(absolute, ends=False).splitlines()[0], "HTTP/1.1 200 OK", "the answer to an absolute form")
    key = stage.key()
    order = (f"POST /open HTTP/1.1\r\n{host}Origin: {stage.origin}\r\nCookie: {key}\r\nContent-Type: application/json\r\n"
             "Content-Length: 2\r\n")
    text = send(f"{order}Expect: 100-continue\r\n{close}", "{}", ends=False)
    equal(re.findall(r"HTTP/1.1 (\d+)", text), ["100", "200"], f"the answers to Expect: {text}")
    for name, request in [("a page", f"GET /all HTTP/1.1\r\n{host}\r\n"), ("a chart", f"GET /totals?counter=people HTTP/1.1\r\n{host}\r\n"),
                          ("an order", f"{order}\r\n{{}}"), ("the last of several", f"GET /ready HTTP/1.1\r\n{host}\r\n" * 3)]:
        statuses = re.findall(r"HTTP/1.1 (\d+)", send(request))
        equal(statuses, ["200"] * request.count("HTTP/1.1"), f"the answer to {name} for a client that ended its side")
    # A stream ends with the client's side, so that the connection is given back.
    equal(send(f"GET /events HTTP/1.1\r\n{host}\r\n", "").startswith("HTTP/1.1 200 OK"), True, "whether a stream began")


def test_metrics(stage):
    """Prometheus' own tools find nothing wrong in /metrics and in `tally metrics`, and read what the counters are."""
    stage.tally("group", "new", "door")
    stage.tally("new", "people", "--group", "door", "--target", "40", "--maximum", "50")
    stage.tally("add", "people", "23")
    stage.tally("new", "小計", "--decimals", "2", "--start", "-1.5")
    stage.tally("new", "lap", "--stopwatch")
    stage.tally("start", "lap")
    stage.tally("formula", "rest = 40 - people")
    stage.tally("formula", "nothing = 1 / (people - 23)")

    def samples(text):
        check = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
        equal((check.returncode, check.stdout + check.stderr), (0, ""), "what promtool says")
        return {(one.name, one.labels.get("counter") or one.labels.get("formula")): (one.value, one.labels.get("group"))
                for family in text_string_to_metric_families(text) for one in family.samples}

    expected = {
        ("tallymark_up", None): (1, None), ("tallymark_value", "people"): (23, "door"), ("tallymark_target", "people"): (40, "door"),
        ("tallymark_maximum", "people"): (50, "door"), ("tallymark_value", "小計"): (-1.5, None),
        ("tallymark_stopwatch_running", "lap"): (1, None), ("tallymark_formula_value", "rest"): (17, None)}
    readings = []
    for text in [lambda: stage.ask("/metrics").said, lambda: stage.tally("metrics")]:
        eventually(lambda: "tallymark_formula_value" in text(), "the formula is known")
        found = samples(text())
        equal({key: found.get(key) for key in expected}, expected, "the samples")
        equal(("tallymark_formula_value", "nothing") in found, False, "whether a formula without a value has a sample")
        equal(found[("tallymark_events_total", None)][0] >= 7, True, "whether events are counted")
        readings.append(found[("tallymark_stopwatch_seconds", "lap")][0])
    equal(0 < readings[0] < readings[1], True, f"whether a running stopwatch goes on: {readings}")
    equal(stage.ask("/metrics").getheader("Content-Type"), "text/plain; version=0.0.4; charset=utf-8", "the type")
    equal(stage.ask("/metrics", method="POST").status, 405, "the answer to POST")
    file = stage.folder / "tallymark.prom"
    stage.tally("metrics", "-o", file)
    equal((samples(file.read_text())[("tallymark_up", None)], file.stat().st_mode & 0o777), ((1, None), 0o644), "the file for a collector")
    # A core that is stopped keeps its connections.
    stage.core.freeze()
    equal(samples(stage.ask("/metrics").said), {("tallymark_up", None): (0, None)}, "the samples of a stopped core")
    stage.core.resume()
    eventually(lambda: samples(stage.ask("/metrics").said).get(("tallymark_up", None)) == (1, None), "it answers again")
    stage.core.end()
    eventually(lambda: samples(stage.ask("/metrics").said) == {("tallymark_up", None): (0, None)}, "old numbers are not told")


def test_weight(stage):
    """What a page loads to count weighs at most 102,400 bytes, what it loads to set up at most 45,000, and to look back at most 25,000; none of it names another host."""
    files = stage.page_files()
    equal(set(files), {"/", "/board.js", "/board.css", "/digits.woff2", "/icon.png", "/manifest.json"}, "the files that a page loads first")
    later, past = ({path: stage.ask(path).said for path in paths} for paths in (["/later.js", "/later.css"], ["/past.js", "/past.css"]))
    for some, limit in [(files, 102_400), (later, 45_000), (past, 25_000)]:
        weight = sum(len(text.encode(errors="surrogateescape")) for text in some.values())
        print(f"        {', '.join(some)}: {weight:,} bytes of {limit:,}", flush=True)
        equal(weight <= limit, True, f"whether {weight:,} bytes are at most {limit:,}")
    for path, text in (files | later | past).items():
        equal(re.findall(r"https?://(?!this-address|www.w3.org/2000/svg)[^\s'\"]+", text), [], f"other hosts in {path}")


def test_broken_requests(stage):
    """A malformed, endless or slow request ends its connection; others are served meanwhile."""
    def send(data):
        connection = stage.keep(socket.create_connection(("127.0.0.1", stage.port)))
        connection.settimeout(PATIENCE)
        connection.sendall(data)
        return connection

    slow = send(b"GET / HT")
    for data in [b"\x00\xff\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 200 + b"\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 9000 + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
                 b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]:
        connection = send(data)
        answer = b""
        try:
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                answer += part
        except OSError as error:
            # The board may have ended the connection already.
            equal(error.errno in (errno.ECONNRESET, errno.ENOTCONN), True, f"how the connection ended: {error}")
        equal(answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4", b"HTTP/1.1 5")), True, f"the answer to {data[:40]}: {answer[:60]}")
        equal(stage.ask().status, 200, "the answer to somebody else")
    equal(slow.recv(100), b"", "the answer to a slow request")


def test_many_changes(stage):
    """Of 2,000 counts in a row a viewer is told at most 20 a second, and the last one always."""
    stage.new("fast")
    stream = stage.keep(Stream(stage.port))
    stream.until(lambda name, _: name == "state")
    begun = time.monotonic()
    with stage.core.connect() as connection:
        connection.pipeline([varlink.message("Add", counter="fast")] * 2000)
    events = stream.until(lambda name, data: value(name, data) == 2000)
    took = time.monotonic() - begun
    changes = [data for name, data in events if name == "change"]
    # A state in between stands for what the core left out for a reader as slow as a busy machine makes one.
    if all(name != "state" for name, _ in events):
        equal(sum(change["events"] for change in changes), 2000, "the counts that the changes stand for")
    equal(len(changes) <= took * 20 + 2, True, f"whether {len(changes)} changes in {took:.1f} s are at most 20 a second")


def test_slow_viewer(stage):
    """A viewer that does not read gets the state once it does, keeps no memory, and holds nobody up."""
    for number in range(50):
        stage.new(f"c{number}", title="x" * 100)
    stage.new("fast")
    slow, quick = stage.keep(Stream(stage.port, reads=False)), stage.keep(Stream(stage.port))
    quick.until(lambda name, _: name == "state")
    before = stage.board.resident
    with stage.core.connect() as connection:
        for count in range(1, 21):
            connection.pipeline([varlink.message("Add", counter=f"c{number}") for number in range(50)])
            # The other viewer is told of each of these rounds.
            quick.until(lambda name, data: value(name, data, "c49") == count)
    stage.add("fast")
    quick.until(lambda name, data: value(name, data) == 1)
    grown = stage.board.resident - before
    equal(grown < 8 << 20, True, f"whether the board grew little: {grown} bytes")
    events = slow.until(lambda name, data: value(name, data) == 1)
    values = [data["counter"]["value"] for name, data in events if name == "change" and data["counter"]["name"] == "c7"]
    equal(values, sorted(values), "the values of a counter in their order")


def test_many_viewers(stage):
    """A hundred viewers are told of a count, and all streams end with the board, by a word, beside one that reads nothing."""
    stage.new("fast")
    streams = [stage.keep(Stream(stage.port)) for _ in range(100)]
    for stream in streams:
        stream.until(lambda name, _: name == "state")
    stage.add("fast")
    for stream in streams:
        stream.until(lambda name, data: value(name, data) == 1)
    stage.keep(Stream(stage.port, reads=False))
    equal(stage.board.end(), 0, "the board's exit status")
    for stream in streams:
        stream.until(lambda name, _: name == "bye")


def test_requests_without_reading(stage):
    """A client that sends requests without reading answers costs little memory, and keeps no other from being answered."""
    before = stage.board.resident
    send = stage.greedy()
    for _ in range(200):
        send()
        equal(stage.ask().status, 200, "the answer to somebody else")
    grown = stage.board.resident - before
    equal(grown < 16 << 20, True, f"whether the board grew little: {grown} bytes")


class Flood:
    """A client that sends many requests at once, and reads when it is told to."""

    def __init__(self, port, count):
        self.socket, self.answers = socket.create_connection(("127.0.0.1", port)), 0
        self.socket.setblocking(False)
        self.unsent = b"GET /all HTTP/1.1\r\nHost: localhost\r\n\r\n" * count

    def go_on(self):
        with suppress(BlockingIOError):
            if self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]
        with suppress(BlockingIOError):
            self.answers += self.socket.recv(1 << 16).count(b"HTTP/1.1 200")

    def close(self):
        self.socket.close()


def test_viewer_beside_many_requests(stage):
    """Clients that send thousands of requests at once hold up no other: a change comes before most of these are answered."""
    stage.new("people")
    eventually(lambda: stage.ask("/totals?counter=people").status == 200, "the board knows the counter")
    stream = stage.keep(Stream(stage.port))
    stream.until(lambda name, _: name == "state")
    stream.socket.setblocking(False)
    each, heard, has_counted = 4000, b"", False
    floods = [stage.keep(Flood(stage.port, each)) for _ in range(8)]
    answers = lambda: sum(flood.answers for flood in floods)
    # One thread, which reads the viewer's stream first: however slow it is, it has read no more answers than came before.
    while b'"value":5' not in heard and answers() < len(floods) * each / 2:
        sending = [flood.socket for flood in floods if flood.unsent]
        select.select([stream.socket, *(flood.socket for flood in floods)], sending, [], PATIENCE)
        with suppress(BlockingIOError):
            heard += stream.socket.recv(1 << 16)
        for flood in floods:
            flood.go_on()
        if not has_counted and all(flood.answers for flood in floods):
            stage.add("people", 5)
            has_counted = True
    equal(b'"value":5' in heard, True, f"whether the change came soon: after {answers()} answers, {heard!r}")


def test_request_beside_many_of_this_machine(stage):
    """Sixty-four connections of the same machine with endless requests leave the board to another one, such as a proxy's."""
    each = 400
    floods = [stage.keep(Flood(stage.port, each)) for _ in range(64)]
    answers = lambda: sum(flood.answers for flood in floods)
    other = asked = None
    heard = b""
    while not heard and answers() < len(floods) * each / 2:
        select.select([flood.socket for flood in floods], [flood.socket for flood in floods if flood.unsent], [], 0.01)
        for flood in floods:
            flood.go_on()
        if other is None and answers() > len(floods):
            other, asked = stage.keep(socket.create_connection(("127.0.0.1", stage.port))), answers()
            other.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
            other.setblocking(False)
        if other:
            with suppress(BlockingIOError):
                heard = other.recv(1 << 16)
    equal(heard.startswith(b"HTTP/1.1 200"), True, f"whether the answer came soon: after {answers() - (asked or 0)} others")


def is_served(connection):
    """Whether the board answers on a connection, rather than close it."""
    try:
        connection.sendall(b"HEAD /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
    except (ConnectionResetError, BrokenPipeError):
        return False


def test_connections_are_bounded(stage):
    """Beyond 2,048 connections a new one is closed; when others leave there is room again."""
    held = []
    # Those that have asked may stay for half a minute. On a slow machine the first ones have gone when the last ones come.
    for _ in range(8192):
        held.append(stage.keep(socket.create_connection(("127.0.0.1", stage.port), PATIENCE)))
        if not is_served(held[-1]):
            break
    equal(len(held) >= 2049, True, f"whether {len(held) - 1} connections are not too few")
    equal(is_served(held[-1]), False, "whether one too many is served")
    equal(is_served(held[-2]), True, "whether the last one before it is still served")
    for connection in held:
        connection.close()

    def status():
        try:
            return stage.ask().status
        except OSError:
            return None

    becomes(status, 200, "the answer once there is room")


def test_addresses_that_cannot_be_used(stage):
    """A second board on the same port, or at a name without an address, says so, and ends."""
    for address, words in [(f"127.0.0.1:{stage.port}", [f"127.0.0.1, port {stage.port}", "ddress already in use"]),
                           ("nowhere.invalid:8464", ["could not listen on nowhere.invalid, port 8464: Cannot assign requested address"])]:
        second = stage.keep(Process(stage.folder, [stage.board.command[0], "--listen", address], stage.environment))
        second.log = stage.folder / "second.log"
        second.start()
        equal(second.wait(), 1, f"the exit status at {address}")
        equal([part for part in words if part not in second.said], [], f"what is missing in {second.said}")


def test_damaged_devices(stage):
    """A damaged file of paired devices is set aside; the board starts without devices, says so, and pairs new ones."""
    file = stage.folder / "board/board.json"
    stage.key()
    for text in ["", '{"devices":[{"id":"a"', '{"devices":[{"id":1}]}', " " * (1 << 20) + file.read_text()]:
        stage.board.end()
        stage.board.log.write_text("")
        file.write_text(text)
        stage.start_board()
        log = stage.board.said
        equal(f"The paired devices in {file} were damaged; the file is now {file}.damaged." in log, True, log)
        equal("tally-board pair" in log, True, f"whether the log says how to go on: {log}")
        equal(Path(f"{file}.damaged").read_text(), text, "the file that was set aside")
        equal("No device may count yet" in stage.tally_board("devices"), True, "whether no device is paired")
        equal(stage.post("/open", {}, stage.key()).status, 200, "the answer to a device that was paired afterwards")


def png(words=b""):
    """A PNG file of 96 x 96 points, with a text."""
    chunk = lambda name, content: struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 96, 96, 8, 0, 0, 0, 0)) + chunk(b"tEXt", b"Comment\0" + words)
            + chunk(b"IDAT", zlib.compress(bytes(97 * 96))) + chunk(b"IEND", b""))


PNG = png()


def test_pictures(stage):
    """The board takes pictures of devices that set up only, from its own page, in three formats, up to 256; beyond them it drops the oldest one that is not shown, and takes none if all are."""
    stage.new("people")
    folder = stage.folder / "board/pictures"

    def send(body, cookie, kind="image/png", **headers):
        return stage.ask("/picture", "POST", {"Origin": stage.origin, "Content-Type": kind, "Cookie": cookie, **headers}, body)

    setup, counts = stage.key("Bea", setup=True), stage.key()
    for status, answer in [(403, send(PNG, "")), (403, send(PNG, counts)), (403, send(PNG, setup, Origin="http://evil.example")),
                           (400, send(PNG, setup, "application/json")),
                           (400, send(b'{"epoch":1,"sequence":1,"taps":[{"verb":"add","age":0}]}', setup, "application/json")), (415, send(PNG, setup, "text/plain")),
                           (415, send(b"<svg onload='alert(1)'/>", setup)), (415, send(png(b"x" * 12_288), setup)), (415, send(PNG[:-1], setup)), (415, send(PNG[:8], setup)), (413, send(PNG + bytes(20_000), setup))]:
        equal(answer.status, status, f"the answer {answer.said}")
    equal(stage.ask("/picture").said, "This address takes orders: use POST.\n", "the answer to a look at the address")
    equal(folder.exists(), False, "whether a refused picture is kept")
    icon = json.loads(send(PNG, setup).said)["icon"]
    stage.core.call("Set", counter="people", icon=icon)
    answer = stage.ask(f"/picture/{icon[1:]}")
    equal((answer.said.encode(errors="surrogateescape"), answer.getheader("Content-Type")), (PNG, "image/png"), "the picture")
    equal(json.loads(send(PNG, setup).said)["icon"], icon, "the icon of the same picture")
    for name in ["", "0", icon[1:].upper(), "..", "../board.json", "%2e%2e", "a" * 14]:
        equal(stage.ask(f"/picture/{name}").status, 404, f"the answer to the picture {name!r}")
    (folder / icon[1:]).write_bytes(b"damaged")
    equal(stage.ask(f"/picture/{icon[1:]}").status, 404, "the answer to a damaged picture")
    send(PNG, setup)
    for number in range(255):
        (folder / f"unused{number:03}").write_bytes(PNG)
    # The oldest one is dropped that is not shown; to keep it again makes it the newest.
    for one in folder.iterdir():
        os.utime(one, (9, 9))
    newest = folder / json.loads(send(png(b"1"), setup).said)["icon"][1:]
    send(png(b"2"), setup)
    os.utime(newest, (8, 8))
    send(png(b"1"), setup)
    send(png(b"3"), setup)
    equal((len(list(folder.iterdir())), (folder / icon[1:]).exists(), newest.exists()), (256, True, True), "the pictures, and whether the shown one and the newest are among them")
    for one in folder.iterdir():
        stage.new(f"p-{one.name}", icon=f"🖼{one.name}")
    stage.keep(Stream(stage.port)).until(lambda name, data: name == "state" and len(data["counters"]) == 257)
    equal(send(png(b"4"), setup).status, 409, "the answer to one more than are shown")
    stage.core.kill()
    becomes(lambda: send(png(b"4"), setup).status, 503, "the answer without a core")


def test_status(stage):
    """The board says where it listens, how many devices are paired, and which rights it has; of rights nothing without a core."""
    status = lambda: varlink.call(stage.folder / "board.sock", "org.tallymark.Board.Status")
    reply = {"address": f"{stage.origin}/", "devices": 0, "mayRead": True, "mayCount": True}
    equal(status(), reply, "the status")
    stage.key()
    equal(status(), {**reply, "devices": 1}, "the status after a device was paired")
    equal(stage.core.events(), [], "the events")
    stage.core.end()
    equal(status(), {"address": f"{stage.origin}/", "devices": 1}, "the status without a core")
    stage.core.start()
    equal(status(), {**reply, "devices": 1}, "the status of the next core")


def test_commands_without_a_board(stage):
    """Where no board runs, a command names each place where it looked, and says how to start one."""
    # Root looks for no board of its own.
    is_root = os.geteuid() == 0
    other = ["setpriv", "--reuid", "65534", "--clear-groups"] if is_root else []
    # Only root can hide this machine's own board.
    hidden = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o mode=755 none /run && exec "$@"', "sh"] if is_root else []

    def said(user, *words, **environment):
        runtime = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
        answer = subprocess.run(
            [*hidden, *user, shutil.copy(stage.board.command[0], stage.folder), *words], capture_output=True, text=True,
            env={**runtime, **environment})
        equal((answer.returncode, answer.stdout), (64, ""), f"the end of {words}: {answer.stderr}")
        return answer.stderr

    stage.folder.chmod(0o755)
    own, machine = f"{stage.folder}/tallymark/board.sock (No such file or directory)", "/run/tallymark-board/board.sock"
    start = "Start one: tally-board, or as a service: sudo systemctl enable --now tally-board.socket tally-board-control.socket"
    text = said(other, "devices", XDG_RUNTIME_DIR=str(stage.folder))
    equal([own in text, machine in text, start in text], [True] * 3, text)
    text = said(other, "devices")
    equal(["at $XDG_RUNTIME_DIR/tallymark/board.sock (XDG_RUNTIME_DIR is not set)" in text, machine in text, start in text], [True] * 3, text)
    if is_root:
        equal("$XDG" in said([], "devices"), False, "whether root is told of a place where no board of root's listens")
    for words, fault in [(["revoke"], "revoke needs the ID of a device"), (["devizes"], "takes no “devizes”"), (["pair", "x"], "takes no “pair x”")]:
        text = said([], *words)
        equal(fault in text, True, text)
    text = said([], "pair", "--control", "/nowhere.sock")
    equal("at /nowhere.sock (No such file or directory). Start one: tally-board --control /nowhere.sock" in text, True, text)


def test_commands_of_strangers(stage):
    """A person who may not use the machine's board is told who may, and not to start another one."""
    if os.geteuid() != 0:
        raise Skipped("only root can hide this machine's own board")
    stage.folder.chmod(0o755)
    program = shutil.copy(stage.board.command[0], stage.folder)
    machine = "mount -t tmpfs none /run && mkdir -m 700 /run/tallymark-board && exec setpriv --reuid 65534 --clear-groups \"$@\""
    answer = subprocess.run(["unshare", "--mount", "sh", "-c", machine, "sh", program, "devices"], capture_output=True, text=True)
    found = [words in answer.stderr for words in ["board.sock (Permission denied)", "Only root and members of the group tallymark", "Start one"]]
    equal((answer.returncode, found), (64, [True, True, False]), answer.stderr)


def show(page, data):
    """Changes the texts of counters and formulas that a page shows, and its current counter, as an event says."""
    for one in [*data.get("counters", []), *data.get("formulas", []), data.get("counter")]:
        if one:
            page[one["name"]] = one["text"]
    if "current" in data:
        page["(current)"] = data["current"]


def test_a_formula_of_two_counters(stage):
    """A page shows the last value of a formula, also where the message about one counter waits while that about another does not."""
    stage.new("a")
    stage.new("b")
    stage.formula("f", "a + b")
    stream, page = stage.keep(Stream(stage.port)), {}
    is_known = lambda name, data: show(page, data) or "f" in page
    stream.until(is_known)
    for number in range(1, 6):
        for name in ("a", "a", "b"):
            stage.add(name)
        stream.until(lambda name, data: show(page, data) or (page["a"], page["b"]) == (str(2 * number), str(number)))
        equal(page["f"], str(3 * number), "the formula")


def test_a_selection_between_counts(stage):
    """A page shows the counter that was selected last, also where a message about an earlier count comes after the selection."""
    stage.new("a")
    stage.new("b")
    stream, page = stage.keep(Stream(stage.port)), {}
    stream.until(lambda name, data: show(page, data) or "b" in page)
    for number in range(1, 6):
        stage.call("Select", counter="a")
        stream.until(lambda name, data: show(page, data) or page["(current)"] == "a")
        stage.add("a")
        stage.add("a")
        stage.call("Select", counter="b")
        missing = {"a", "selected"}

        def is_told(_, data):
            show(page, data)
            if page["a"] == str(2 * number):
                missing.discard("a")
            if (data.get("event", {}).get("kind"), data.get("event", {}).get("counter")) == ("selected", "b"):
                missing.discard("selected")
            return not missing

        stream.until(is_told)
        equal(page["(current)"], "b", "the current counter")


def test_a_core_that_hangs_after_a_clock_was_set(stage):
    """The board notices that its core hangs, though its clock was set back by an hour, and says since when by the clock as it is now."""
    time = stage.keep(virtual_time.VirtualTime(stage.folder / "time"))
    stage.board.end()
    stage.board.environment = {**stage.board.environment, **time.environment}
    stage.start_board()
    time.processes += [stage.board, stage.core]
    stream = stage.keep(Stream(stage.port))
    stream.until(lambda name, data: name == "state" and "absence" not in data)
    virtual_time.main("set", stage.folder / "time", -3600)
    stage.core.freeze()
    beats = []
    *_, (name, data) = stream.until(lambda name, data: name == "absence" or name == "beat" and (beats.append(data) or len(beats) == 10))
    equal(name, "absence", "what the board says of a core that hangs")
    equal(0 <= (data["now"] - data["since"]) / 1e6 <= 30, True, f"whether the absence began just now: {data}")
