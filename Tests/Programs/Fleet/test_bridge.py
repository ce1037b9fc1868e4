"""The bridge with a core that a test plays, and a real broker."""

import json
import re
import socket
import subprocess
import threading

import paho.mqtt.client as paho
from kit.fake_core import COUNTER
from kit.wait import becomes, equal, eventually

ONLINE = "tallymark/venue/door1/online"
DEFINITION = f"tallymark/venue/door1/def/{COUNTER}"


def test_everything_on_each_connection(stage):
    """On each connection the bridge says all again: a broker that was emptied has everything, and nothing is stored."""
    broker = stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    listener = stage.stranger("tallymark/#")
    becomes(lambda: listener.last(ONLINE), "online", "the station is online")
    becomes(lambda: listener.last(DEFINITION), core.publications[0]["payload"], "its counter is there")
    description = listener.last("tallymark/venue/door1/station")
    equal([json.loads(description)[name] for name in ("version", "id", "name")], [1, "ab" * 16, "door1"], "its description")
    core.publish("door1/reg/w/c/now", "1")
    becomes(lambda: listener.last("tallymark/venue/door1/reg/w/c/now"), "1", "a change is there")
    broker.kill()
    broker.empty()
    core.says("cannot be reached")
    listener.retained.clear()
    broker.start()
    core.is_connected()
    becomes(lambda: listener.last(DEFINITION), core.publications[0]["payload"], "the emptied broker has it again")
    equal(listener.last("tallymark/venue/door1/station"), description, "its description")
    becomes(lambda: listener.last(ONLINE), "online", "the station is online again")
    equal(core.links >= 3, True, "whether the core was asked for everything")
    equal(bridge.said.count("cannot be reached"), 1, "how often the log tells of it")


def test_short_connections(stage):
    """A broker that accepts each connection and ends it is tried again at growing intervals, and so is the core asked."""
    proxy, core = stage.core_behind_proxy()

    def end(data):
        if data[:1] != b"\x20":
            raise OSError
        return data

    proxy.edit_answer = end
    begun = stage.clock.passed
    stage.lone_bridge()
    core.says("The broker at")
    eventually(lambda: core.links >= 8, "the broker is tried again and again")
    # After 0.2, 0.4, 0.8, 1.6, 3.2 s and more, each a quarter less or more; the core is asked once or twice before.
    equal(stage.clock.passed - begun >= 4.65, True, "whether the intervals grow")
    proxy.edit_answer = lambda data: data
    core.is_connected()


def retain(stranger, count, length):
    """Publishes what a station has counted, for the broker to keep; returns the topics."""
    topics = {f"door2/reg/{number}/{COUNTER}/now" for number in range(count)}
    for topic in topics:
        stranger.client.publish(f"tallymark/venue/{topic}", "x" * length, 0, True)
    stranger.say("tallymark/venue/door2/station", "1", retain=True)
    return topics


def test_many_retained(stage):
    """All that a broker holds reaches a slow core: the bridge reads no more than it can keep."""
    stage.start_broker("allow_anonymous true", "max_queued_messages 20000")
    topics = retain(stage.stranger(), 10_000, 250)
    core = stage.fake_core()
    core.delay = 0.2
    bridge = stage.lone_bridge()
    becomes(lambda: len(topics - {message["topic"] for message in core.received}), 0, "the number of missing messages")
    equal("are lost" in bridge.said, False, "whether messages were dropped")


def without_retained():
    """Passes all packets of a broker on but messages that it holds, as some brokers do."""
    buffer = bytearray()

    def edit(data):
        buffer.extend(data)
        passed = b""
        while True:
            length, place = 0, 1
            while place < len(buffer):
                length |= (buffer[place] & 127) << 7 * (place - 1)
                place += 1
                if buffer[place - 1] < 128:
                    break
            if place == 1 or len(buffer) < place + length or buffer[place - 1] >= 128:
                return passed
            packet = bytes(buffer[:place + length])
            del buffer[:place + length]
            # A PUBLISH with the flag.
            passed += b"" if packet[0] & 0xF1 == 0x31 else packet

    return edit


def test_broker_that_delivers_nothing_held(stage):
    """A broker that delivers no message that it holds is named; one that does is not."""
    proxy, core = stage.core_behind_proxy()
    proxy.edit_answer = without_retained()
    stage.lone_bridge()
    core.says("The broker does not deliver what it holds (retained messages)")
    proxy.edit_answer = lambda data: data
    proxy.cut()
    core.says("closed the connection")
    proxy.heal()
    core.is_connected()
    stage.clock.sleep(12)
    equal(core.report, (True, None), "the report about a broker that delivers what it holds")


def test_late_messages(stage):
    """A slow path is named, and the times in messages that were on it are not taken for those of clocks."""
    proxy, core = stage.core_behind_proxy()
    stage.lone_bridge()
    core.is_connected()
    stranger, gate = stage.stranger(), threading.Event()
    report = '{"version":1,"counters":{},"time":5}'

    def hold(data):
        gate.wait()
        return data

    def times():
        return ["time" in message["report"] for message in core.heard("door2/knows")]

    stranger.say("tallymark/venue/door2/knows", report)
    becomes(times, [True], "the time of a station that is heard at once")
    proxy.edit_answer = hold
    core.publish("door1/knows", report, retained=False)
    core.says("The path from the broker is slow")
    stranger.say("tallymark/venue/door2/knows", report)
    gate.set()
    becomes(times, [True, False], "the time of a message that was late")
    core.publish("door1/knows", report, retained=False)
    core.is_connected()
    stranger.say("tallymark/venue/door2/knows", report)
    becomes(times, [True, False, True], "the time when the path is quick again")


def test_slow_reading(stage):
    """A connection stays well while the core is slow: answers to pings and the own messages lie behind all that the broker holds."""
    broker = stage.start_broker("allow_anonymous true", "max_queued_messages 0")
    topics = retain(stage.stranger(), 8_000, 1_000)
    core = stage.fake_core()
    core.delay = 3
    bridge = stage.lone_bridge()
    # Two pings would be due, and the broker would end the connection after 22.5 s without a packet.
    stage.clock.sleep(42)
    equal(len(core.received) < len(topics) - 4_000, True, "whether the bridge is still reading")
    core.delay = 0
    becomes(lambda: len(topics - {message["topic"] for message in core.received}), 0, "the number of missing messages")
    equal(broker.said.count(" as tabababab-"), 1, "the number of connections")
    equal("delivers nothing" in bridge.said, False, "whether the bridge took the broker for one that delivers nothing")


def test_short_keepalive(stage):
    """A broker that wants to hear of its clients more often than they had planned does."""
    broker = stage.start_broker("allow_anonymous true", "max_keepalive 10")
    core = stage.fake_core()
    stage.lone_bridge()
    core.is_connected()
    # It ends a connection after 15 s without a packet.
    stage.clock.sleep(20)
    equal(broker.said.count(" as tabababab-"), 1, "the number of connections")


def test_mute(stage):
    """A server that accepts connections and says nothing does not wake the bridge up, with and without encryption."""
    core = stage.fake_core("mqtt://127.0.0.1")
    for scheme in ("mqtt", "mqtts"):
        # The bridge ends a connection without an answer after a while.
        with socket.create_server(("127.0.0.1", 0)) as server, stage.clock.stopped():
            core.settings["broker"] = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
            bridge = stage.lone_bridge()
            with server.accept()[0] as connection:
                equal(len(connection.recv(1)), 1, "the number of bytes that the bridge has sent first")
                stage.clock.sleep(1)
                before = stage.clock.wakeups(bridge)
                stage.clock.sleep(10)
                equal(stage.clock.wakeups(bridge) - before, 0, f"how often the bridge was woken up with {scheme}")
            bridge.kill()


def test_too_long(stage):
    """A message that would not fit into memory ends the connection, with a sentence, until it is removed."""
    stage.start_broker()
    stranger = stage.stranger()
    # With MQTT 5 the broker keeps long messages back.
    core = stage.fake_core(f"mqtt://127.0.0.1:{stage.proxy(refuses_5=bytes.fromhex('20020001')).port}")
    bridge = stage.lone_bridge()
    # The first gets no memory; the second gets it, and is read until too much has come.
    for length, most in [(100_000_000, 25_000_000), (30_000_000, 50_000_000)]:
        stranger.say("tallymark/venue/door2/station", b"x" * length, retain=True)
        core.says("sends a message of more than 16 MiB")
        equal(bridge.peak <= most, True, f"whether {bridge.peak} bytes of memory are not too much for {length}")
        stranger.say("tallymark/venue/door2/station", "", retain=True)
        core.is_connected()
    equal(bridge.is_running, True, "whether the bridge runs")


def test_wills(stage):
    """A killed bridge is offline; a late will of an earlier connection is answered with "online"; a stop says so."""
    stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    listener = stage.stranger(ONLINE)
    becomes(lambda: listener.last(ONLINE), "online", "the station is online")
    listener.say(ONLINE, "offline", retain=True)
    becomes(lambda: listener.last(ONLINE), "online", "the station has answered")
    bridge.kill()
    becomes(lambda: listener.last(ONLINE), "offline", "the broker says that it is gone")
    bridge.start()
    becomes(lambda: listener.last(ONLINE), "online", "it is back")
    equal(bridge.end(), 0, "the status of the end")
    becomes(lambda: listener.last(ONLINE), "offline", "it has said so")


def test_strangers(stage):
    """People are told of each message of strangers that cannot be read; retained and repeated commands do nothing."""
    stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    stranger = stage.stranger()
    stranger.say("tallymark/venue/door2/reg/w/c/now", "not JSON")
    stranger.say("tallymark/venue/door2/knows", b"\xff\x00\"\n")
    stranger.say("tallymark/venue/door2/def/c", "x" * 40_000)
    stranger.say("tallymark/venue/door2/station", "x" * 10_000_000)
    stranger.say("tallymark/venue/a/b/c/d/e/f", "no topic of a fleet")
    for topic, reason in [("reg/w/c/now", "not valid JSON"), ("knows", "not valid JSON"), ("def/c", "has 16385 bytes")]:
        end = f"-r -n -t 'tallymark/venue/door2/{topic}'"
        eventually(lambda: [text for text in core.shown if reason in text and text.endswith(end)], f"people are told of {topic}")
        equal(core.heard(f"door2/{topic}"), [{}], f"what the core hears of {topic}")
    for _ in range(3):
        stranger.say("tallymark/venue/door1/do", '{"add":"people","amount":2,"id":"7"}')
    becomes(lambda: core.calls, [
        ("Add", {"counter": "people", "cause": {"producer": "mqtt", "gesture": "command 7"}, "amount": 2})], "one act")
    for wrong in ("", "[]", '{"add":"others"}', '{"add":"people","amount":-1}', '{"correct":"people"}', '{"add":1,"undo":2}',
                  '{"add":"people","id":"' + "x" * 200 + '"}'):
        stranger.say("tallymark/venue/door1/do", wrong)
    stranger.say("tallymark/venue/door1/do", '{"add":"people","id":"8"}', retain=True)
    stranger.say("tallymark/venue/door1/do", '{"undo":"%s"}' % COUNTER)
    becomes(lambda: [method for method, _ in core.calls][-1], "Undo", "the last command was done")
    eventually(lambda: "retained command" in bridge.said, "the retained command is named")
    # The broker has stored it, and delivers it with the next connection.
    bridge.kill()
    bridge.start()
    eventually(lambda: bridge.said.count("retained command") == 2, "the retained command is named again")
    # A command that has acted before the restart does nothing, either.
    stranger.say("tallymark/venue/door1/do", '{"add":"people","amount":2,"id":"7"}')
    stranger.say("tallymark/venue/door1/do", '{"redo":"people","id":"9"}')
    becomes(lambda: [method for method, _ in core.calls], ["Add", "Undo", "Redo"], "which commands were done")
    core.problems = [{"sentence": "Somebody is wrong."}]
    stranger.say("tallymark/venue/door2/knows", "1")
    eventually(lambda: "Somebody is wrong." in bridge.said, "a problem is logged")
    eventually(lambda: "Somebody is wrong." in core.shown, "people are told")


def test_denials(stage):
    """Strangers who say again and again that the station is offline, or has left, make the bridge say little."""
    stage.start_broker()
    core, _ = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    listener, stranger = stage.stranger("tallymark/venue/door1/#"), stage.stranger()
    links = core.links
    stranger.say(ONLINE, "", retain=True)
    becomes(lambda: core.links, links + 1, "the core is asked for everything")
    begun, heard = stage.clock.passed, listener.payloads(ONLINE).count("online")
    with stage.clock.stopped():
        for _ in range(100):
            stranger.say(ONLINE, "", retain=True)
            stranger.say(ONLINE, "no", retain=True)
            stage.clock.sleep(0.1)
    becomes(lambda: listener.last(ONLINE), "online", "the station is online")
    equal(core.links, links + 1, "how often the core was asked for everything")
    said = listener.payloads(ONLINE).count("online") - heard
    # One a second, and some at once.
    equal(1 < said <= 4 + stage.clock.passed - begun, True, f"whether {said} answers are some, and not too many")


def test_many_commands(stage):
    """Commands that wait for the core are bounded, and those for unknown counters ask for the counters once for all."""
    stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    stranger = stage.stranger()
    topic = "tallymark/venue/door1/do"
    listener = stage.stranger(f"tallymark/venue/all/{COUNTER}/value")
    eventually(lambda: listener.last(f"tallymark/venue/all/{COUNTER}/value"), "the value is there")
    core.flows.clear()
    before = core.questions
    for number in range(300):
        stranger.say(topic, '{"add":"unknown %d"}' % number)
    eventually(lambda: "too many commands name counters that are not shared here" in bridge.said, "the bound is named")
    core.flows.set()
    eventually(lambda: "is no shared counter here" in bridge.said, "an unknown counter is named")
    # The last ones may have come after the reply.
    stranger.say(topic, '{"undo":"people"}')
    becomes(lambda: [method for method, _ in core.calls], ["Undo"], "all were done")
    equal(bridge.said.count("is no shared counter here") <= 64, True, "whether strangers do not fill the log")
    equal(core.questions - before <= 30, True, f"whether {core.questions - before} questions are not too many")
    core.flows.clear()
    for _ in range(400):
        stranger.say(topic, '{"add":"people"}')
    eventually(lambda: "has not replied to 256 calls" in bridge.said, "the bound is named")
    core.flows.set()
    # The bridge may have asked for something else, too.
    eventually(lambda: len(core.calls) >= 250, "commands were done")
    stranger.say(topic, '{"redo":"people"}')
    eventually(lambda: core.calls[-1][0] == "Redo", "the next command is done")


def test_speaker(stage):
    """The first station says the fleet's values as plain numbers and for Home Assistant; a second one that is there keeps quiet."""
    stage.start_broker()
    core = stage.fake_core()
    stage.lone_bridge()
    core.is_connected()
    listener = stage.stranger("tallymark/venue/all/#", "homeassistant/#")
    value = f"tallymark/venue/all/{COUNTER}/value"
    becomes(lambda: listener.last(value), "12.5", "the value is there")
    document = eventually(lambda: listener.last(f"homeassistant/device/tallymark-venue/{COUNTER}/config"), "the document is there")
    equal("tallymark/venue/door1/do" in document, True, "whether commands go to the station")
    # A station before it that does not count the counter does not speak for it.
    listener.say("tallymark/venue/door0/online", "online", retain=True)
    # The second station of a counter would wait for 5 s.
    with stage.clock.stopped():
        core.counters[0]["value"] = 126
        core.publish("door1/reg/w/c/now", "2")
        stage.clock.sleep(3)
        becomes(lambda: listener.last(value), "12.6", "the value beside a station without the counter")
        listener.say(f"tallymark/venue/door0/def/{COUNTER}", "{}", retain=True)
        core.counters[0]["value"] = 127
        core.publish("door1/reg/w/c/now", "3")
        begun = stage.clock.passed
    becomes(lambda: listener.last(value), "12.7", "the value after the other station said nothing")
    equal(stage.clock.passed - begun >= 5, True, "whether the station has waited for the other one")


def test_password(stage):
    """A wrong password is a sentence without the password; a right one in a file is used at the next try, without a restart."""
    passwords = stage.folder / "passwords"
    passwords.write_text("door1:secret\n")
    subprocess.run(["mosquitto_passwd", "-U", passwords], check=True)
    broker = stage.start_broker("allow_anonymous false", f"password_file {passwords}")
    core = stage.fake_core(f"mqtt://door1:wr%40ng@127.0.0.1:{broker.port}")
    bridge = stage.lone_bridge()
    core.says("refuses this station")
    bridge.kill()
    file = stage.folder / "password"
    file.write_text("secret\n")
    bridge.command += ["--password-file", file]
    bridge.start()
    core.is_connected()
    for word in ("wr@ng", "wr%40ng", "secret"):
        equal(word in bridge.said + str(core.reports), False, "whether a password was said")
    equal(bridge.said.count("refuses this station"), 1, "how often the log tells of it")


class Rights:
    """A broker that gives all clients the rights of some lines."""

    def __init__(self, stage, *lines):
        self.file = stage.folder / "rights"
        self.write(*lines)
        self.broker = stage.start_broker("allow_anonymous true", f"acl_file {self.file}")

    def write(self, *lines):
        self.file.write_text("".join(f"{line}\n" for line in lines))

    def grant(self, *lines):
        self.write(*lines)
        self.broker.reload()


def test_rights(stage):
    """A broker that does not let a station write or read is a sentence until it does; then all that was missed arrives."""
    rights = Rights(stage, "topic read #")
    core = stage.fake_core()
    stage.lone_bridge()
    core.says("does not let this station write tallymark/venue/door1/#")
    rights.grant("topic readwrite #")
    core.is_connected()
    listener = stage.stranger("tallymark/#")
    becomes(lambda: listener.last(DEFINITION), core.publications[0]["payload"], "what was refused is there")
    rights.write("topic write #")
    rights.broker.end()
    rights.broker.start()
    core.says("delivers nothing of tallymark/venue")
    register = f"door2/reg/w/{COUNTER}/now"
    stage.stranger().say(f"tallymark/venue/{register}", "1", retain=True)
    rights.grant("topic readwrite #")
    core.is_connected()
    becomes(lambda: len(core.heard(register)), 1, "the number of messages that the core has heard")


def test_rights_in_version_3(stage):
    """With MQTT 3.1.1, which refuses no message, a right to write that is given late leads to all that was missed."""
    rights = Rights(stage, "topic read #")
    proxy, core = stage.core_behind_proxy(refuses_5=b"\x20\x02\x00\x01")
    stage.lone_bridge()
    core.says("and to write tallymark/venue/door1/#")
    rights.grant("topic readwrite #")
    core.is_connected()
    listener = stage.stranger("tallymark/#")
    becomes(lambda: listener.last(DEFINITION), core.publications[0]["payload"], "its counter is there")


def test_rights_for_the_fleet(stage):
    """Missing rights for the fleet's values, for Home Assistant's documents and for subscriptions are shown until they are given."""
    rights = Rights(stage, "topic read #", "topic readwrite tallymark/venue/door1/#")
    proxy, core = stage.core_behind_proxy()
    bridge = stage.lone_bridge()
    core.says("does not let this station write tallymark/venue/all/#")
    core.says("does not let this station write homeassistant/#")
    equal(core.report[0], True, "whether the station is connected")
    rights.grant("topic readwrite #")
    core.is_connected()
    listener = stage.stranger("tallymark/#", "homeassistant/#")
    for topic in (f"tallymark/venue/all/{COUNTER}/value", f"homeassistant/device/tallymark-venue/{COUNTER}/config",
                  "homeassistant/device/tallymark-venue/station-door1/config"):
        eventually(lambda: listener.last(topic), f"{topic} is there")
    becomes(lambda: bridge.said.splitlines()[-1], f"Station door1 of the fleet venue is connected to the broker at 127.0.0.1:{proxy.port}.",
          "the last line of the log")
    # Mosquitto grants all subscriptions, other brokers do not.
    proxy.edit_answer = lambda data: re.sub(rb"(\x90\x04..\x00)\x00", lambda found: found[1] + b"\x87", data, flags=re.DOTALL)
    proxy.cut()
    core.says("closed the connection")
    proxy.is_cut = False
    core.says("does not let this station read tallymark/venue/+/station, ")
    proxy.edit_answer = lambda data: data
    core.is_connected()


def test_last_line(stage):
    """The last line of the log is true: the connection is back, or it is not."""
    proxy, core = stage.core_behind_proxy()
    bridge = stage.lone_bridge()

    def last():
        return bridge.said.splitlines()[-1]

    for _ in range(3):
        core.is_connected()
        becomes(lambda: "is connected" in last(), True, "whether the last line tells of the connection")
        proxy.cut()
        eventually(lambda: core.report[1], "the connection is lost")
        proxy.heal()
    core.is_connected()
    core.end()
    becomes(lambda: "no core" in last() or "closed the connection" in last(), True, "whether the last line tells of the core")
    core.start()
    becomes(lambda: "is connected" in last(), True, "whether the last line tells of the connection")
    proxy.cut()
    eventually(lambda: core.report[1], "the connection is lost")
    becomes(lambda: "is connected" in last(), False, "whether the last line tells of the connection")
    # No stranger writes lines of its own.
    proxy.heal()
    core.is_connected()
    stage.stranger().say("tallymark/venue/door1/do", '{"add":"a\\nStation door9 \\u009b2J\\u202e"}')
    eventually(lambda: "a Station door9 \ufffd2J\ufffd" in bridge.said, "the command is named on one line")


def test_version_3(stage):
    """A broker that knows no MQTT 5 is spoken to in version 3.1.1."""
    proxy, core = stage.core_behind_proxy(refuses_5=b"\x20\x02\x00\x01")
    bridge = stage.lone_bridge()
    core.is_connected()
    eventually(lambda: "by MQTT 3.1.1" in bridge.said, "the log says so")
    old = stage.stranger("tallymark/#", version=paho.MQTTv311)
    becomes(lambda: old.last(ONLINE), "online", "a client of version 3.1.1 hears it")


def test_silent_version_3(stage):
    """A broker that closes connections of MQTT 5 without a word is spoken to in version 3.1.1, too."""
    proxy, core = stage.core_behind_proxy(refuses_5=b"")
    stage.lone_bridge()
    core.is_connected()
    equal([report for report in core.reports if report[1]][0][1], f"The broker at 127.0.0.1:{proxy.port} closed the connection.",
          "the first trouble")


def test_stall(stage):
    """A broker that says nothing any more is noticed by the keepalive; the way back leads to all again."""
    proxy, core = stage.core_behind_proxy()
    bridge = stage.lone_bridge()
    core.is_connected()
    proxy.stall()
    # The broker has sent something just now: a ping follows after 15 s, and must be answered within 5.
    stage.clock.sleep(22)
    becomes(lambda: core.report, (False, f"The broker at 127.0.0.1:{proxy.port} does not answer."), "what the bridge reports")
    proxy.close()
    core.settings["broker"] = stage.url
    core.tell(**core.settings)
    core.is_connected()
    equal(bridge.is_running, True, "whether the bridge runs")


def test_idle(stage):
    """An idle bridge wakes up for pings only."""
    stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    # A new connection keeps quiet for 2 s, and hears what the broker holds for 10.
    stage.clock.sleep(15)
    with stage.clock.stopped():
        before = stage.clock.wakeups(bridge)
        stage.clock.sleep(160)
        woken = stage.clock.wakeups(bridge) - before
    # For each ping, which is due after 16 s, and for its answer.
    equal(woken <= 22, True, f"whether {woken} wake-ups are not too many")


def test_core_back(stage):
    """A core that is back soon hears again what the broker holds, in both versions of MQTT, and commands are not done again."""
    stage.start_broker()
    stranger = stage.stranger()
    topics = ["door2/station", f"door2/def/{COUNTER}", f"door2/reg/w/{COUNTER}/0", "door2/online"]
    for topic in topics:
        stranger.say(f"tallymark/venue/{topic}", "online", retain=True)
    stranger.say("tallymark/venue/door1/do", '{"add":"people"}', retain=True)
    proxy = stage.proxy(refuses_5=b"\x20\x02\x00\x01")
    # Both bridges write the same log.
    for number, url in enumerate([stage.url, f"mqtt://127.0.0.1:{proxy.port}"], 1):
        core, bridge = stage.fake_core(url), stage.lone_bridge()
        core.is_connected()
        listener = stage.stranger(ONLINE)
        for _ in range(2):
            becomes(lambda: [len(core.heard(topic)) for topic in topics], [1] * 4, "the numbers of messages that the core has heard")
            # However long this takes here, for the bridge the core is back at once.
            with stage.clock.stopped():
                core.end()
                core.received = []
                core.start()
        becomes(lambda: [len(core.heard(topic)) for topic in topics], [1] * 4, "the numbers of messages that the core has heard")
        equal(listener.payloads(ONLINE).count("offline"), 0, "how often the station was offline")
        becomes(lambda: (bridge.said.count("retained command"), core.calls), (number, []), "the sentences about commands, and calls")
        bridge.end()
        becomes(lambda: listener.last(ONLINE), "offline", "the station is offline")


def test_core_gone(stage):
    """Without a core the station is offline after a while; with a core again it is back, with all of it."""
    stage.start_broker()
    core, bridge = stage.fake_core(), stage.lone_bridge()
    core.is_connected()
    listener = stage.stranger(ONLINE)
    core.end()
    becomes(lambda: listener.last(ONLINE), "offline", "the station is offline")
    links = core.links
    core.start()
    becomes(lambda: listener.last(ONLINE), "online", "the station is online")
    # The bridge has asked for everything again.
    eventually(lambda: core.links > links, "the bridge links to the core")
    core.tell(left=True)
    becomes(lambda: listener.last(ONLINE), "", "the station has left")
    equal(bridge.end(), 0, "the status of the end")
