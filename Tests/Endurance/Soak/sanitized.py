"""Both daemons with the address sanitizer, and their C and C++ with the undefined-behaviour sanitizer, under hostile
clients, files and cores. (Swift's compiler has no undefined-behaviour sanitizer on Linux; its arithmetic traps.)"""

import array
import json
import os
import pty
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from kit import ROOT
from kit.core import Core
from kit.process import Process
from kit.varlink import INTERFACE, Refused, dial
from model import Model, expected, operation

BUILD = ROOT / ".build-sanitized"
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=0:exitcode=99",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
}
READS = ["List", "Get", "Groups", "Overview", "History", "Totals", "Statistics", "Past", "Export", "Watch", "Deliver", "Import", "Open"]
ODD = [None, True, -1, 0, 1 << 62, -(1 << 63), 1.5, 1e300, "", "a", "\u202e<\u0301", "x" * 5000, [], ["a"], {}, {"a": 1}, [0, 1 << 60]]
PARAMETERS = ["name", "counter", "group", "counters", "after", "before", "limit", "bounds", "from", "until", "time", "lines", "clash", "trial",
              "producer", "epoch", "sequence", "changes", "amount", "quantity", "cause", "title", "formula", "period", "each", "id"]


def build():
    """Builds into a folder of its own; minutes the first time."""
    for product in ("tallyd", "tally-inputd", "tally"):
        done = subprocess.run(
            ["swift", "build", "--scratch-path", BUILD, "--sanitize=address", "-Xcc", "-fsanitize=undefined",
             "--no-color-diagnostics", "--product", product], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"the build with sanitizers failed: {done.stdout[-3000:]}{done.stderr[-1000:]}")
    return BUILD / "debug"


def check(what, process, text):
    for sign in ("AddressSanitizer", "runtime error:", "Fatal error", "UndefinedBehaviorSanitizer"):
        if sign in text:
            raise AssertionError(f"{what}: {text[max(0, text.index(sign) - 300):][:4000]}")
    status = process.poll()
    # EX_UNAVAILABLE, EX_CONFIG: it could not go on, and said why. SIGTERM came before its loop had begun, which catches it.
    if status not in (None, 0, 1, 69, 78, -signal.SIGTERM):
        raise AssertionError(f"{what} ended with status {status}: {text[-3000:]}")


def message(chance, model):
    """A call that is right, odd, or no call at all, as bytes with its end."""
    if chance.random() < 0.4:
        method, call = operation(chance, model)
        if method == "Deliver":
            call = {"producer": "soak", "epoch": 1, "sequence": chance.randint(0, 5), "changes": [{"verb": chance.choice(["add", "undo"])}]}
        else:
            expected(model, method, call)
    else:
        method = chance.choice(READS + ["Create", "Set", "Add", "Correct", "CreateFormula", "Note", "Undo", "Nothing"])
        call = {name: chance.choice(ODD) for name in chance.sample(PARAMETERS, chance.randint(0, 4))}
    if chance.random() < 0.05:
        call["cause"] = {"producer": chance.choice(["soak", "\n", ""]), "device": chance.choice(["x", "\x1b"])}
    whole = {"method": f"{INTERFACE}.{method}", "parameters": call}
    for flag in ("more", "oneway", "upgrade"):
        if chance.random() < (0.5 if method in ("Watch", "Export") and flag == "more" else 0.05):
            whole[flag] = True
    data = bytearray(json.dumps(whole, ensure_ascii=chance.random() < 0.5).encode())
    if chance.random() < 0.15:
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[place] = chance.randrange(256)
                case 1:
                    del data[place:place + chance.randint(1, 9)]
                case 2:
                    data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 9)))
                case 3:
                    data[place:place] = chance.choice([b"[", b"{\"a\":", b"\\ud800", b"\"", b"9" * 40]) * chance.randint(1, 300)
            if not data:
                break
    return bytes(data) + b"\0"


def attack(core, chance, model, totals):
    """A client that sends what it likes and leaves when it likes."""
    with dial(core.socket) as client:
        client.settimeout(2)
        try:
            for _ in range(chance.choice([1, 5, 40])):
                portion = message(chance, model)
                totals["messages"] += 1
                if chance.random() < 0.05:
                    portion = portion[:chance.randrange(len(portion))]
                if chance.random() < 0.03:
                    client.sendmsg([portion or b" "], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 5))])
                else:
                    client.sendall(portion)
                if chance.random() < 0.5 and select.select([client], [], [], 0.002)[0]:
                    client.recv(1 << 16)
            if chance.random() < 0.3:
                client.shutdown(socket.SHUT_WR)
                while client.recv(1 << 16):
                    pass
        except OSError:
            pass


def attack_core(programs, chance, seconds, totals):
    end = time.monotonic() + seconds
    with Core.alone(programs, OPTIONS) as core:
        model = Model()
        kept = []
        while time.monotonic() < end:
            try:
                attack(core, chance, model, totals)
                if chance.random() < 0.02:
                    # One that watches and never reads.
                    watcher = core.connect()
                    watcher.send("Watch", more=True)
                    kept = [*kept[-20:], watcher]
                if chance.random() < 0.01:
                    core.send(signal.SIGHUP)
            except OSError:
                check("tallyd", core.process, core.said)
            if not core.is_running:
                check("tallyd", core.process, core.said)
                raise AssertionError(f"tallyd ended by itself: {core.said}")
        core.stop()
        check("tallyd", core.process, core.said)
        # Damaged journals: it may refuse them, and must not read what is not there.
        journal = core.state / "counters.sqlite"
        content = journal.read_bytes()
        for _ in range(4):
            damaged = bytearray(content)
            for _ in range(chance.choice([1, 10, 200])):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            journal.write_bytes(damaged)
            for file in core.state.glob("counters.sqlite-*"):
                file.unlink()
            try:
                core.start()
                for method in ("List", "History", "Overview", "Statistics"):
                    core.call(method)
                core.run_tally("verify", core.state)
            except (AssertionError, Refused, OSError):
                pass
            core.end()
            check("tallyd on a damaged journal", core.process, core.said)
            totals["damaged_journals"] += 1


def garbage_core(path, chance, stopping, totals):
    """A core that answers what it likes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(0.2)
        while not stopping.is_set():
            try:
                client, _ = listener.accept()
            except TimeoutError:
                continue
            client.settimeout(0.3)
            for _ in range(20):
                try:
                    if not client.recv(1 << 16):
                        break
                    right = {"parameters": chance.choice([
                        {"epoch": 1}, {"epoch": 1, "last": {"epoch": 0, "sequence": 5}}, {"duplicate": False, "events": []},
                        {"duplicate": True, "events": [{"kind": "added", "value": chance.choice(ODD)}]},
                        {name: chance.choice(ODD) for name in ("epoch", "events", "duplicate", "last")}])}
                    if chance.random() < 0.3:
                        right = {"error": f"{INTERFACE}.{chance.choice(['DeliveryGap', 'ProducerFenced', 'StorageFailed', 'UnknownEpoch', 'X'])}",
                                 "parameters": {"message": "\x1b", "expected": chance.choice(ODD), "epoch": chance.choice(ODD)}}
                    data = bytearray(json.dumps(right).encode() + b"\0")
                    if chance.random() < 0.2:
                        data[chance.randrange(len(data))] = chance.randrange(256)
                    client.sendall(data)
                    totals["garbage_replies"] += 1
                except OSError:
                    break
            client.close()


def attack_input(programs, chance, seconds, totals):
    """tally-inputd with a terminal's keys, a garbage core, a configuration that changes, and a damaged spool."""
    example = [(ROOT / "Documentation/input.toml.md").read_text(), (ROOT / "Documentation/devices.md").read_text()]
    blocks = [block.split("```")[0] for text in example for block in text.split("```toml\n")[1:]]
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="tallymark-") as name:
        folder = Path(name)
        path, configuration = folder / "core", folder / "input.toml"
        stopping = threading.Event()
        server = threading.Thread(target=garbage_core, args=(path, chance, stopping, totals))
        server.start()
        try:
            while time.monotonic() < end:
                for spool in folder.glob("**/*.spool"):
                    content = bytearray(spool.read_bytes()[:100_000])
                    for _ in range(chance.randint(0, 20) if content else 0):
                        content[chance.randrange(len(content))] = chance.randrange(256)
                    spool.write_bytes(content)
                configuration.write_text("")
                main, terminal = pty.openpty()
                daemon = Process(
                    folder, [programs / "tally-inputd", "--terminal", "--socket", path, "--config", configuration],
                    {**OPTIONS, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder), "TERM": "xterm"}, stdin=terminal,
                    stdout=subprocess.DEVNULL, start_new_session=True)
                daemon.start()
                os.close(terminal)
                until = min(end, time.monotonic() + 6)
                while time.monotonic() < until and daemon.is_running:
                    os.write(main, bytes(chance.choice(b" \r-u\x1b[ABxyz\x80\xff") for _ in range(chance.randint(1, 9))))
                    totals["key_strokes"] += 1
                    if chance.random() < 0.2:
                        text = bytearray(chance.choice(blocks).encode())
                        for _ in range(chance.choice([0, 0, 3])):
                            text[chance.randrange(len(text))] = chance.randrange(256)
                        configuration.write_bytes(text)
                        totals["configurations"] += 1
                    for relay in folder.glob("**/*.events"):
                        try:
                            with dial(relay) as client:
                                client.sendall(bytes(chance.randrange(256) for _ in range(chance.choice([1, 50, 5000]))) + b"\n")
                        except OSError:
                            pass
                    time.sleep(0.02)
                daemon.end()
                os.close(main)
                check("tally-inputd", daemon.process, daemon.said)
        finally:
            stopping.set()
            server.join()


def run(_, chance, seconds):
    programs = build()
    totals = {"messages": 0, "damaged_journals": 0, "garbage_replies": 0, "key_strokes": 0, "configurations": 0}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        attack_core(programs, chance, min(20, seconds / 2), totals)
        attack_input(programs, chance, min(20, seconds / 2), totals)
    return totals
