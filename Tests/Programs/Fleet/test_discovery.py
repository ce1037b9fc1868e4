"""The documents for Home Assistant, held to its documentation; Tests/run home-assistant tries Home Assistant itself."""

import json

from discovery_schema import check
from kit.wait import becomes, equal, eventually


def documents(home):
    """All documents that the broker holds, by topic."""
    topics = home.topics("^homeassistant/.*/config$")
    return {topic: json.loads(home.last(topic)) for topic in topics if home.last(topic)}


def test_home_assistant(stage):
    """By the documents for Home Assistant alone a program reads the total and counts, also when the first station has gone."""
    stage.start_broker()
    stations = stage.stations(2, obeying=True)
    home = stage.stranger("homeassistant/#", "tallymark/#")
    counter = stations[0].fleet()["counters"][0]["id"]

    def part(key):
        document = documents(home).get(f"homeassistant/device/tallymark-venue/{counter}/config")
        return {**document, **document["components"][key]} if document else None

    def press(verb, number, value=""):
        button = part(f"{counter}-{verb}")
        order = button["command_template"].replace("{{ now().timestamp() }}", str(number)).replace("{{ value }}", value)
        home.say(button["command_topic"], order, qos=button["qos"])

    def state():
        return json.loads(home.last(part(counter)["state_topic"]) or "{}")

    eventually(lambda: len(documents(home)) == 3, "the documents of a counter and two stations are there")
    becomes(lambda: state().get("value"), 0, "the total is there")
    becomes(lambda: sorted(one["topic"] for one in part(counter)["availability"]), [
        f"tallymark/venue/door{number}/online" for number in (1, 2)], "both stations are named")
    for topic, document in documents(home).items():
        check(topic, document)
    press("add", 1)
    press("add", 2)
    becomes(lambda: state()["value"], 2, "two presses")
    press("undo", 3)
    becomes(lambda: state()["value"], 1, "one of them is undone")
    press("correct", 4, "57")
    becomes(lambda: state()["value"], 57, "the total is corrected")
    equal("since" in state(), False, "whether a reset is told")
    # A reset takes away what its station has heard of.
    stage.agree(stations, 57)
    stations[1].call("Reset", counter="people", confirmed=True)
    becomes(lambda: state()["value"], 0, "the total is reset")
    stations[0].kill()
    becomes(lambda: part(f"{counter}-add")["command_topic"], "tallymark/venue/door2/do", "the other station takes the commands")
    press("add", 5)
    becomes(lambda: state()["value"], 1, "one more press")
    eventually(lambda: state().get("since"), "the second station tells of its reset")


def test_value_and_time_of_a_reset(stage):
    """A total that begins again is published with the time of its reset at once: otherwise Home Assistant subtracts it."""
    stage.start_broker()
    listener = stage.stranger("tallymark/venue/all/#")
    station = stage.station("door1").join().share()
    topic = f"tallymark/venue/all/{station.fleet()['counters'][0]['id']}/state"

    def value():
        return json.loads(listener.last(topic) or "{}").get("value")

    for number in range(6):
        station.press(3)
        becomes(value, 3, "the total")
        station.call("Reset", counter="people", confirmed=True)
        becomes(value, 0, "the total after a reset")
        # Times of resets are whole seconds.
        stage.clock.sleep(1.1)
        station.call("Undo", counter="people")
        # While the bridge is busy with the undo, and afterwards.
        stage.clock.sleep(0.1 * number)
        station.call("Reset", counter="people", confirmed=True)
        stage.clock.sleep(1.1)
        becomes(value, 0, "the total after another reset")
    states = [json.loads(payload) for payload in listener.payloads(topic)]
    falls = [(former, state) for former, state in zip(states, states[1:]) if state["value"] < former["value"]]
    equal(len(falls) >= 6, True, "whether the total fell")
    equal([fall for fall in falls if fall[0].get("since") == fall[1].get("since")], [], "falls without a reset")


def test_first_station_of_a_counter(stage):
    """The first station that has a counter speaks for it at once; when that one goes, the next one does."""
    stage.start_broker()
    home = stage.stranger("homeassistant/#", "tallymark/#")
    stations = [stage.station(f"door{number}").join(obeying=True) for number in (1, 2, 3)]
    eventually(lambda: all(station.is_connected for station in stations), "all are connected")
    # A new connection keeps quiet for 2 s.
    stage.clock.sleep(3)
    stations[1].share()
    counter = stations[1].fleet()["counters"][0]["id"]
    topic = f"homeassistant/device/tallymark-venue/{counter}/config"

    def document():
        return json.loads(home.last(topic) or "{}")

    def commands():
        return document().get("components", {}).get(f"{counter}-add", {}).get("command_topic")

    def available():
        return [one["topic"] for one in document()["availability"]]

    # One that is not the first would wait for 5 s.
    with stage.clock.stopped():
        stage.clock.sleep(4)
        becomes(commands, "tallymark/venue/door2/do", "the only station that has the counter speaks")
        equal(available(), ["tallymark/venue/door2/online"], "the stations that count it")
    stations[2].adopt()
    with stage.clock.stopped():
        stage.clock.sleep(4)
        becomes(available, ["tallymark/venue/door2/online", "tallymark/venue/door3/online"], "both stations count it")
        # Home Assistant would lose a second document that follows sooner.
        stage.clock.sleep(2)
        stations[1].bridge.end()
        stage.clock.sleep(4)
        becomes(commands, "tallymark/venue/door3/do", "the other station takes the commands")
    stations[1].bridge.start()
    becomes(commands, "tallymark/venue/door2/do", "the first one takes them back")
    with stage.clock.stopped():
        stations[1].call("LeaveFleet")
        stage.clock.sleep(4)
        becomes(commands, "tallymark/venue/door3/do", "the other station takes the commands")
        becomes(available, ["tallymark/venue/door3/online"], "one station counts it")


def test_components(stage):
    """For programs that know no devices each entity has a document, which comes again when they start."""
    stage.start_broker()
    station = stage.station("door1", "--discovery", "components").join(obeying=True).share()
    home = stage.stranger("homeassistant/#")
    becomes(lambda: len(documents(home)), 11, "the documents are there")
    for topic, document in documents(home).items():
        check(topic, document)
    for topic in documents(home):
        home.say(topic, "", retain=True)
    home.say("homeassistant/status", "online")
    becomes(lambda: len(documents(home)), 11, "they are there again")
    equal(station.bridge.is_running, True, "whether the bridge runs")


def test_events(stage):
    """Counts are told with what made them, by the station where they were made, and never retained."""
    stage.start_broker()
    stations = stage.stations(2)
    listener = stage.stranger("tallymark/venue/+/event/+")
    counter = stations[0].fleet()["counters"][0]["id"]
    topic = f"tallymark/venue/door2/event/{counter}"

    eventually(lambda: all(station.is_connected for station in stations), "the stations are connected")
    stations[1].call("Add", counter="people", amount=2, cause={"producer": "test", "device": "Pedal", "gesture": "press KEY_B"})
    told = json.loads(eventually(lambda: listener.last(topic), "an event is told"))
    equal([told[name] for name in ("event_type", "change", "device", "gesture", "station")],
          ["added", 2, "Pedal", "press KEY_B", "door2"], "the event")
    equal(listener.topics(""), [topic], "the topics: what is learned is told by nobody")
    equal([retained for _, _, retained in listener.heard if retained], [], "retained events")
    equal(stage.stranger("tallymark/venue/+/event/+").last(topic), None, "the event for who comes later")


def test_goal_and_limit(stage):
    """A goal and a limit that are reached are told once, by the station that publishes the values, wherever it was counted."""
    stage.start_broker()
    first = stage.station("door1").join()
    first.call("Create", name="people", target=5, maximum=8, limits="stop", every=2)
    first.call("ShareCounter", counter="people")
    second = stage.station("door2").join().adopt()
    listener = stage.stranger("tallymark/#", "homeassistant/#")
    counter = first.fleet()["counters"][0]["id"]

    def state():
        told = json.loads(listener.last(f"tallymark/venue/all/{counter}/state") or "{}")
        return [told.get(name) for name in ("value", "target", "left", "maximum", "full")]

    def told(name):
        return [(one["event_type"], one["value"]) for one in map(json.loads, listener.payloads(f"tallymark/venue/{name}/event/{counter}"))]

    becomes(state, [0, 5, 5, 8, False], "the goal and the limit before the first count")
    second.press(5)
    becomes(lambda: told("door1"), [("reached", 5), ("passed", 4)], "the goal is told by the first station")
    second.press(5)
    becomes(state, [8, 5, 0, 8, True], "the counter is full")
    becomes(lambda: told("door1")[2:], [("passed", 8), ("full", 8)], "that is told as well")
    second.press()
    becomes(lambda: [one["limited"] for one in map(json.loads, listener.payloads(f"tallymark/venue/door2/event/{counter}")) if "limited" in one],
            [True, True], "the counts that the limit has cut")
    equal(told("door2"), [("added", 5), ("added", 8), ("added", 8)], "the counts of the second station")
    parts = documents(listener)[f"homeassistant/device/tallymark-venue/{counter}/config"]["components"]
    full = [part for part in parts.values() if part["platform"] == "binary_sensor"]
    equal([part["value_template"] for part in full], ["{{ 'ON' if value_json.full else 'OFF' }}"], "the entity of the limit")
    for topic, document in documents(listener).items():
        check(topic, document)
    # Nobody has allowed these stations to obey, so that Home Assistant gets no buttons, and a command does nothing.
    equal([part for part in parts.values() if part["platform"] in ("button", "number")], [], "the entities that command")
    listener.say("tallymark/venue/door1/do", json.dumps({"reset": counter, "id": "1"}))
    second.call("Subtract", counter="people")
    stage.agree([first, second], 7)
    first.tally("fleet", "join", "--commands")
    eventually(lambda: first.is_connected, "the station is connected again")
    eventually(lambda: listener.say("tallymark/venue/door1/do", json.dumps({"reset": counter, "id": "2"})) or first.show()[0] == 0,
               "the command is obeyed")
    stage.agree([first, second], 0)


def test_commands_act_once(stage):
    """A command that comes again acts once, also after the bridge and the core were killed."""
    stage.start_broker()
    station = stage.station("door1").join(obeying=True).share()
    sender = stage.stranger()
    topic = "tallymark/venue/door1/do"

    def say(number):
        sender.say(topic, '{"add":"people","id":"%s"}' % number)

    eventually(lambda: station.is_connected, "the station is connected")
    say("a")
    say("a")
    becomes(lambda: station.show()[0], 1, "it counts once")
    for victim in (station.bridge, station.core):
        victim.kill()
        victim.start()
        before = station.show()[0]
        # Until the bridge is there again, commands go nowhere; which one was the first to arrive does not matter.
        eventually(lambda: say("a") or say(f"{victim.command[0]} arrives") or station.show()[0] > before, "a new command counts")
        say("a")
        say(f"{victim.command[0]} last")
        becomes(lambda: station.show()[0], before + 2, "two new commands have counted")


def test_leaving(stage):
    """A station that leaves keeps its counter alone, and is no more for others; what nobody counts any more is removed."""
    stage.start_broker()
    stations = stage.stations(3)
    home = stage.stranger("homeassistant/#", "tallymark/#")
    counter = stations[0].fleet()["counters"][0]["id"]
    for station in stations:
        station.press(2)
    stage.agree(stations, 6)
    eventually(lambda: len(documents(home)) == 4, "the documents of a counter and three stations are there")
    stations[2].call("LeaveFleet")
    stations[2].press(1)
    stations[0].press(1)
    stage.agree(stations[:2], 7)
    equal(stations[2].show(), (7, None), "the counter of the station that left")
    becomes(lambda: home.last("tallymark/venue/door3/online"), "", "the broker knows it no more")
    becomes(lambda: len(documents(home)), 3, "its document is removed")
    becomes(lambda: json.loads(home.last(f"tallymark/venue/all/{counter}/state"))["stations"], 2, "two stations are left")
    stations[0].call("Remove", counter="people")
    stations[1].press(1)
    becomes(lambda: home.last(f"tallymark/venue/all/{counter}/value"), "8", "the other one goes on")
    stations[1].call("Remove", counter="people")
    becomes(lambda: sorted(documents(home)), [
        f"homeassistant/device/tallymark-venue/station-door{number}/config" for number in (1, 2)], "the counter's document is removed")
    becomes(lambda: home.last(f"tallymark/venue/all/{counter}/value"), "", "its value is removed")
