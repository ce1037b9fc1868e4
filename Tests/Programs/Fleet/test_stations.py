"""Real stations, each with a core and a bridge, and a real broker."""

import json
import re
import shutil
import subprocess
import time

from kit import ROOT
from kit.broker import certificates
from kit.chance import seeded
from kit.kills import Killer
from kit.wait import becomes, equal, eventually
from kit.fleet import SmallDisk


def said(station, *words):
    """Whether a command succeeds, and what it says."""
    done = station.core.run_tally(*words)
    return done.returncode == 0, done.stdout + done.stderr


def refusal(station, *words):
    """What a command says that fails; empty if it does not fail."""
    succeeds, text = said(station, *words)
    return "" if succeeds else text


def is_well(station):
    return said(station, "fleet", "doctor")[0]


def test_doctor(stage):
    """The doctor of the machine says whether the station is connected, and which other one is missing."""
    stage.start_broker()
    first, second = stage.stations(2)

    def finds(finding):
        # Other checks may fail, as there is no device here.
        eventually(lambda: finding in said(first, "doctor")[1], f"the doctor says “{finding}”")

    finds("ok  fleet     This station is connected to the broker of the fleet venue.")
    second.kill()
    finds("--  fleet     door2 is offline")
    first.bridge.kill()
    finds("!!  fleet     The bridge is not connected to the broker.")


def test_everybody_counts(stage):
    """Ten stations count; each shows the total and its own share."""
    stage.start_broker()
    stations = stage.stations(10)
    for number, station in enumerate(stations, 1):
        station.press(number)
    stage.agree(stations, 55)
    equal([station.show()[1] for station in stations], list(range(1, 11)), "the own shares")
    stations[3].call("Undo")
    stage.agree(stations, 51)
    stations[0].call("Reset", counter="people", confirmed=True)
    stage.agree(stations, 0)
    stations[9].press()
    stage.agree(stations, 1)


def test_new_station_brings_no_zeros(stage):
    """A new station overwrites nothing with its zeros: it takes the total over, and no other station loses its counts."""
    broker = stage.start_broker()
    stations = stage.stations(2)
    stations[0].press(57)
    stage.agree(stations, 57)
    new = stage.station("door3")
    new.call("Create", name="people")
    new.join()
    new.adopt(bring=False)
    stage.agree([*stations, new], 57)
    # One that has counted before brings what it has, also where the broker has lost everything meanwhile.
    broker.kill()
    late = stage.station("door4")
    late.call("Create", name="people")
    late.press(3)
    late.join()
    new.press(1)
    broker.empty()
    broker.start()
    late.adopt(bring=True)
    stage.agree([*stations, new, late], 61)


def test_station_comes_back_and_brings_what_is_new(stage):
    """A station that left the fleet and comes back adds what it has counted since: the fleet still has the rest."""
    stage.start_broker()
    stations = stage.stations(2)
    stations[0].press(3)
    stations[1].press(4)
    stage.agree(stations, 7)
    # Too fast for a message each: the last ones of a station that leaves have its last counts.
    for _ in range(5):
        stations[1].press()
    stations[1].call("LeaveFleet")
    stations[1].press(2)
    stations[1].join()
    stations[1].adopt(bring=True)
    stage.agree(stations, 14)
    equal(stations[1].show(), (14, 11), "the total and the share of the station that came back")


def test_broker_is_killed_emptied_and_set_back(stage):
    """A broker that is killed, emptied, or set back to an old state takes no count away, and all agree soon after its return."""
    broker = stage.start_broker()
    stations = stage.stations(3)
    stations[0].press(5)
    stage.agree(stations, 5)
    old = broker.store()
    stations[1].press(6)
    stage.agree(stations, 11)
    for what in ("killed", "emptied", "set back"):
        broker.kill()
        for station in stations:
            station.press(1)
        if what == "emptied":
            broker.empty()
        if what == "set back":
            broker.put_back(old)
        broker.start()
        stage.agree(stations, sum(station.show()[1] for station in stations))
    stage.agree(stations, 20)


def test_processes_are_killed(stage):
    """Kills of bridges and cores while all count lose nothing that was answered, and count nothing twice."""
    stage.start_broker()
    stations = stage.stations(3)
    chance = seeded()
    killer = Killer(chance, *[process for station in stations for process in (station.bridge, station.core)])
    for _ in range(60):
        chance.choice(stations).press()
        if chance.random() < 0.5:
            killer.strike()
    stage.agree(stations, 60)


def test_core_is_killed_alone(stage):
    """A core that is killed alone knows the same stations and offers again, from a bridge that was connected all the time."""
    broker = stage.start_broker()
    stations = stage.stations(3)
    stations[1].share("dogs")
    for station in stations:
        station.press(3)
    stage.agree(stations, 9)

    def known():
        fleet = stations[0].fleet()
        offers = sorted((offer["name"], offer["station"]) for offer in fleet.get("offers") or [])
        rows = [(one["name"], one["id"], one.get("online"), one["contribution"]) for one in fleet["stations"]]
        return rows, offers, fleet.get("others")

    stations[2].bridge.kill()
    becomes(lambda: [row[2] for row in known()[0]], [True, True, False], "which stations are online")
    before = known()
    equal(before[1:], ([("dogs", "door2")], None), "the offers, and counts of nobody")
    connections = broker.said.count("New client connected")
    stations[0].core.kill()
    stations[0].core.start()
    becomes(known, before, "the stations and offers")
    equal(broker.said.count("New client connected"), connections, "the connections to the broker")


def test_full_disk(stage):
    """What a station has heard while its disk was full it hears again once there is room, also of a station that is gone."""
    broker = stage.start_broker()
    last, second = stage.station("door3").join().share(), stage.station("door2").join().adopt()
    first = stage.station("door1", begins=False)
    disk = SmallDisk(first)
    first.start()
    first.join().adopt()
    first.press(2)
    stage.agree([first, second, last], 2)
    eventually(lambda: first.fleet()["counters"][0].get("unheard") == 0, "the others have reported the counts of the first one")
    disk.fill()
    last.press(5)
    stage.agree([second, last], 7)
    eventually(lambda: "full" in first.core.said, "the core says that its disk is full")
    last.kill()
    # Only the second station has its counts now.
    stranger = stage.stranger("tallymark/venue/door3/#")
    eventually(lambda: stranger.topics("/reg/"), "the broker has its counts")
    for topic in stranger.topics("/reg/"):
        stranger.say(topic, "", retain=True)
    connections, links = broker.said.count("New client connected"), first.bridge.said.count("ended the link")
    # The core tries its journal again every 10 s.
    stage.clock.sleep(12)
    equal(first.show()[0], 2, "the total of the station whose disk is full")
    disk.free()
    stage.agree([first, second], 7)
    equal(broker.said.count("New client connected"), connections, "the connections to the broker")
    equal(first.bridge.said.count("ended the link") - links, 1, "how often the core has begun anew")
    first.press()
    stage.agree([first, second], 8)


def test_leaves_unseen(stage):
    """A station that leaves while another one is not connected is gone when that comes back."""
    stage.start_broker()
    first, second, third = stage.stations(3)
    third.press(2)
    stage.agree([first, second, third], 2)
    becomes(lambda: first.stations("online"), [True] * 3, "who is online")
    first.bridge.kill()
    third.tally("fleet", "leave")
    becomes(lambda: second.stations("name"), ["door2", "door1"], "the stations at one that is connected")
    first.bridge.start()
    becomes(lambda: first.stations("name", "online"), [("door1", True), ("door2", True)], "the stations at the one that was not")
    stage.agree([first, second], 2)


def test_forgotten_station(stage):
    """A station that will not come back is forgotten at all stations, and stays so; its counts stay. If it comes back, it is there."""
    stage.start_broker()
    first, second, burnt = stage.stations(3)
    burnt.press(5)
    stage.agree([first, second], 5)
    listener = stage.stranger("tallymark/venue/door3/#", "homeassistant/#")
    document = "homeassistant/device/tallymark-venue/station-door3/config"
    eventually(lambda: listener.last(document), "Home Assistant knows the station")
    equal("door3" in refusal(first, "fleet", "forget", "door3"), True, "whether it is refused while that is online")
    burnt.kill()
    for station in (first, second):
        eventually(lambda: "door3 is offline" in refusal(station, "fleet", "doctor"), "the station is missed")
    print("        " + first.tally("fleet", "forget", "door3").strip(), flush=True)

    def is_forgotten(station):
        fleet = station.fleet()
        return sorted(one["name"] for one in fleet["stations"]), fleet.get("others")

    for station in (first, second):
        becomes(lambda: is_forgotten(station), (["door1", "door2"], 5), "the stations, and the counts of others")
        eventually(lambda: is_well(station), "nothing is wrong")
    kinds = ("/station", "/online", "/def/")
    becomes(lambda: [topic for topic in listener.topics("door3") if listener.last(topic) and any(kind in topic for kind in kinds)], [],
            "what the broker holds of it")
    # What the broker holds of its counts makes it no station again.
    second.bridge.kill()
    second.bridge.start()
    eventually(lambda: second.is_connected, "the second station is back")
    stage.clock.sleep(12)
    equal(is_forgotten(second), (["door1", "door2"], 5), "the stations, and the counts of others")
    burnt.start()
    burnt.press(1)
    stage.agree([first, second, burnt], 6)
    becomes(lambda: first.stations("name", "contribution"), [("door1", 0), ("door2", 0), ("door3", 6)], "the stations and their counts")


def test_power_cut_of_all(stage):
    """After a power cut of all, with a broker that has lost everything, a station still names those that are missing, with their counts."""
    broker = stage.start_broker()
    first, second, third = stage.stations(3)
    second.press(4)
    stage.agree([first, second, third], 4)
    becomes(lambda: first.stations("online"), [True] * 3, "who is online")
    # The first commit after they have come has them.
    first.press(1)
    stage.agree([first, second, third], 5)
    third.call("LeaveFleet")
    becomes(lambda: first.stations("name"), ["door1", "door2"], "the stations")
    known = first.stations("name", "id", "contribution")
    # Changes of the stations are saved within 5 s.
    stage.clock.sleep(10)
    for one in (first, second, broker):
        one.kill()
    first.boot("0" * 31 + "2")
    first.start()
    equal(first.stations("name", "id", "contribution"), known, "the stations without a broker")
    equal("door2: unknown" in first.tally("fleet"), True, "whether nothing is said of where it is")
    broker.empty()
    broker.start()
    eventually(lambda: "door2 is offline since" in refusal(first, "fleet", "doctor"), "the second station is missed")
    second.start()
    becomes(lambda: first.stations("online"), [True, True], "who is online")
    eventually(lambda: is_well(first), "nothing is wrong")
    equal(first.stations("name", "id", "contribution"), known, "the stations")


def test_partition(stage):
    """Both sides of a partition go on counting; its end brings the sides together."""
    stage.start_broker()
    proxies = [stage.proxy() for _ in range(3)]
    stations = [
        stage.station(f"door{number}").join(f"mqtt://127.0.0.1:{proxy.port}") for number, proxy in enumerate(proxies, 1)]
    stations[0].share()
    for station in stations[1:]:
        station.adopt()
    proxies[0].cut()
    eventually(lambda: not stations[0].is_connected, "the first station notices")
    for number, station in enumerate(stations, 1):
        station.press(number)
    stage.agree(stations[1:], 5)
    equal(stations[0].show(), (1, 1), "the station that is alone")
    equal("cannot be reached" in stations[0].fleet()["trouble"] or "closed" in stations[0].fleet()["trouble"], True, "its trouble")
    proxies[0].heal()
    stage.agree(stations, 6)


def test_strangers_say_nonsense(stage):
    """Whatever strangers publish, each bad message is a sentence once, and counts go on."""
    stage.start_broker()
    stations = stage.stations(2)
    stations[0].press(4)
    stage.agree(stations, 4)
    counter = stations[0].fleet()["counters"][0]["id"]
    writer = "f" * 64
    stranger = stage.stranger()
    register = f"tallymark/venue/door9/reg/{writer[:16]}/{counter}/now"
    absurd = '{"version":1,"counter":"%s","registers":[["%s",%s]]}'
    for _ in range(3):
        for payload in [
                "not JSON", b"\xff\x00", "x" * 20_000, "[" * 10_000, '{"version":2}', '{"version":99999999999999999999}', "{}", "null",
                '{"version":1,"counter":"x"}', absurd % (counter, writer, "-1,1,0,1"), absurd % (counter, writer, "1,-1,0,1"),
                absurd % (counter, writer, "1,99999999999999999999,0,1"), absurd % (counter, writer, '"1",1,0,1'), ""]:
            for tail in ("reg/0/0/now", "station", f"def/{counter}", "knows", f"knows/{counter}", "answer", "online"):
                stranger.say(f"tallymark/venue/door9/{tail}", payload, retain=True)
            stranger.say(register, payload, retain=True)
    stations[1].press(1)
    stage.agree(stations, 5)
    # A station that comes later hears all that was retained.
    third = stage.station("door3").join()
    third.adopt()
    third.press(1)
    stage.agree([*stations, third], 6)
    lines = stations[0].bridge.said.splitlines()
    equal(len(lines), len(set(lines)), "no sentence comes twice")
    print("        " + "\n        ".join(lines[:12]), flush=True)

    def sentences():
        return [line for line in (stations[0].fleet().get("trouble") or "").splitlines() if "“door9”" in line]

    # What the broker does not hold any more is no problem.
    becomes(sentences, [], "the sentences at the end")
    stranger.say("tallymark/venue/door9/station", "not JSON", retain=True)
    becomes(lambda: len(sentences()), 1, "the number of sentences")
    # The bridge keeps them, and the next one finds them again.
    stations[0].bridge.kill()
    becomes(sentences, [], "the sentences without a bridge")
    stations[0].bridge.start()
    becomes(lambda: len(sentences()), 1, "the number of sentences with the next bridge")


def test_two_stations_of_one_name(stage):
    """Two stations of one name are told so, and nothing is lost or counted twice."""
    stage.start_broker()
    first, twin = stage.stations(2)
    first.press(2)
    twin.name = "door1"
    eventually(lambda: all(twin.stations("online")), "both are online")
    refused = refusal(twin, "fleet", "join", "--station", "door1")
    equal("“door1” is the name of another station, which is online" in refused, True, f"“{refused}” names the reason")
    # Without its bridge it cannot know.
    twin.bridge.kill()
    eventually(lambda: not twin.fleet()["connected"], "the core knows")
    twin.join()
    twin.bridge.start()
    for station in (first, twin):
        eventually(lambda: "door1" in (station.fleet().get("trouble") or ""), "it says so")
    twin.press(3)
    first.press(1)
    stage.agree([first, twin], 6)
    print(f"        {first.fleet()['trouble']}", flush=True)
    listener = stage.stranger("tallymark/#", "homeassistant/#")
    counter = first.fleet()["counters"][0]["id"]
    twin.name = "door3"
    twin.join()
    online = "tallymark/venue/door1/online"
    eventually(lambda: "" in listener.payloads(online), "the second one takes the name from the broker")
    for topic in (online, "tallymark/venue/door1/station", f"tallymark/venue/door1/def/{counter}",
                  "homeassistant/device/tallymark-venue/station-door1/config"):
        eventually(lambda: listener.last(topic), f"the first station says {topic} again")
    twin.press(1)
    stage.agree([first, twin], 7)
    # The first one has said everything again, for which its bridge linked to the core again.
    # A bridge that was killed has said nothing of the former name of the second one.
    becomes(lambda: [row for row in first.stations("name", "online") if row[0] != "door2"],
            [("door1", True), ("door3", True)], "the stations that are online")
    eventually(lambda: "has left or has another name now" in first.bridge.said, "the log says that it is over")


def test_copied_station(stage):
    """A copied card, a journal that is put back and a boot lose nothing that others have heard, and count nothing twice."""
    stage.start_broker()
    stations = stage.stations(3)
    for station in stations:
        station.press(10)
    stage.agree(stations, 30)
    victim = stations[2]
    victim.kill()
    copy = victim.folder / "copy"
    shutil.copytree(victim.folder / "state", copy)
    victim.start()
    victim.press(5)
    stage.agree(stations, 35)
    victim.kill()
    shutil.rmtree(victim.folder / "state")
    shutil.copytree(copy, victim.folder / "state")
    victim.start()
    stage.agree(stations, 35)
    victim.press(1)
    stage.agree(stations, 36)
    # A boot: the runtime folder is empty, and the kernel's ID another one.
    victim.kill()
    victim.boot("0" * 31 + "1")
    victim.start()
    victim.press(1)
    stage.agree(stations, 37)
    # The copy becomes a station beside it.
    clone = stage.station("clone")
    clone.kill()
    shutil.rmtree(clone.folder / "state", ignore_errors=True)
    shutil.copytree(copy, clone.folder / "state")
    clone.start()
    clone.join()
    clone.press(2)
    stage.agree([*stations, clone], 39)


def test_values_for_others(stage):
    """A program that knows nothing of stations reads the total, and counts by a command."""
    stage.start_broker()
    stations = stage.stations(2, obeying=True)
    listener = stage.stranger("tallymark/venue/all/#")
    stations[1].press(7)
    counter = stations[0].fleet()["counters"][0]["id"]
    becomes(lambda: listener.last(f"tallymark/venue/all/{counter}/value"), "7", "the total is there")
    for number in range(3):
        for _ in range(2):
            listener.say("tallymark/venue/door2/do", '{"add":"%s","id":"%d"}' % (counter, number))
    stage.agree(stations, 10)
    equal(stations[1].show()[1], 10, "the share of the station that was told")
    stations[0].bridge.kill()
    stations[1].press(1)
    becomes(lambda: listener.last(f"tallymark/venue/all/{counter}/value"), "11", "the next station speaks")


def test_by_hand(stage):
    """With tally fleet anybody can try it: join, share, adopt, count, see the total and the stations."""
    stage.start_broker()
    first, second = stage.station("door1"), stage.station("door2")
    for station in (first, second):
        station.tally("fleet", "join", stage.url, "--fleet", "venue", "--station", station.name)
    first.tally("new", "people")
    first.tally("add", "people", "2")
    shared = json.loads(first.tally("fleet", "share", "people", "--json"))
    eventually(lambda: "people" in second.tally("fleet"), "the counter is offered")
    adopted = json.loads(second.tally("fleet", "adopt", "people", "--from-now", "--json"))
    equal((shared["name"], adopted["name"], "T" in adopted["time"]), ("people", "people", True), "the replies for programs")
    second.tally("add", "people", "3")

    def shown(station):
        counter = json.loads(station.tally("show", "--json", "people").splitlines()[0])
        return counter["value"], counter["own"]

    becomes(lambda: [shown(first), shown(second)], [(5, 2), (5, 3)], "both show the total and their share")
    lines = [json.loads(line) for line in first.tally("fleet", "--json").splitlines()]
    equal(sorted(line["name"] for line in lines if line.get("online")), ["door1", "door2"], "the stations that are online")
    mine = next(line for line in lines if line.get("own"))
    equal([mine["fleet"], mine["connected"], mine["problems"]], ["venue", True, []], "the fleet in the line of its own station")
    value = stage.stranger("tallymark/venue/all/+/value")
    identity = mine["counters"][0]["id"]
    becomes(lambda: value.last(f"tallymark/venue/all/{identity}/value"), "5", "the value under the ID that tally fleet shows")
    print("        " + first.tally("fleet").replace("\n", "\n        ").rstrip(), flush=True)
    second.bridge.kill()
    eventually(lambda: any(line["name"] == "door2" and not line.get("online") for line in map(
        json.loads, first.tally("fleet", "--json").splitlines())), "the second station is offline")
    equal(json.loads(first.tally("fleet", "leave", "--json"))["fleet"], None, "the fleet of a station that has left")


def test_invitation(stage):
    """One line and a user at the broker make a second station: with TLS, passwords and all counters."""
    files = certificates(stage.folder / "tls")
    passwords = stage.folder / "passwords"
    passwords.write_text("")
    broker = stage.start_broker(
        "allow_anonymous false", f"password_file {passwords}",
        listener=[f"cafile {files}/ca.pem", f"certfile {files}/broker.pem", f"keyfile {files}/broker.key"])
    subprocess.run(["mosquitto_passwd", "-b", passwords, "door1", "p1"], check=True)
    broker.reload()
    first, second = stage.station("door1"), stage.station("door2")
    first.tally("fleet", "join", f"mqtts://door1:p1@localhost:{broker.port}", "--fleet", "venue", "--station", "door1", "--ca-file", files / "ca.pem")
    for name in ("people", "dogs"):
        first.tally("new", name)
        first.tally("add", name, "3")
        first.tally("fleet", "share", name)
    eventually(lambda: first.is_connected, "the first station is connected")
    said = refusal(first, "fleet", "invite", "door2")
    equal("The broker is localhost, which is another one at another machine." in said, True, f"whether it says what is wrong: {said}")
    # Another name of the broker for the resolver and the certificate.
    first.tally("fleet", "join", f"mqtts://door1:p1@LOCALHOST:{broker.port}")
    eventually(lambda: first.is_connected, "the first station is connected again")
    said = first.tally("fleet", "invite", "door2")
    user, password = re.search(r"mosquitto_passwd -b /etc/mosquitto/passwords (\S+) (\S+) &&", said).groups()
    line = re.search(r"tally fleet join (tally:\S+)", said)[1]
    equal("is not whole" in refusal(second, "fleet", "join", line[:-9]), True, "whether half of a line is refused")
    subprocess.run(["mosquitto_passwd", "-b", passwords, user, password], check=True)
    broker.reload()
    said = second.tally("fleet", "join", line)
    equal([f"{name}: 3, of which 0 here" in said for name in ("dogs", "people")], [True, True], f"the counters in {said}")
    second.press(2)
    stage.agree([first, second], 5)
    equal("no name for a new station" in refusal(first, "fleet", "invite", "door2"), True, "whether a second one of that name is refused")
    said = refusal(first, "fleet", "join", f"mqtts://door1:wrong@LOCALHOST:{broker.port}")
    equal("refuses this station" in said, True, f"whether a wrong password is said: {said}")
    first.tally("fleet", "join", f"mqtts://door1:p1@LOCALHOST:{broker.port}")
    # A broker that does not know the new user is named.
    third = stage.station("door3")
    succeeds, said_there = said_of(third, first.tally("fleet", "invite", "door3"))
    equal((succeeds, "refuses this station" in said_there), (False, True), f"whether it says that the user is missing: {said_there}")


def said_of(station, invitation):
    """What a station says to an invitation."""
    return said(station, "fleet", "join", re.search(r"(tally:\S+)", invitation)[1])


def test_plots_of_the_first_minutes(stage):
    """A plot by the minute has the counts of all stations, also those of the first quarter hour, which stand at its start."""
    stage.start_broker()
    stations = stage.stations(2)
    quarter = 900
    moment = int(stage.clock.now - 20 * 60) // quarter * quarter + 5 * 60
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
    for station, amount in zip(stations, (3, 5)):
        station.tally("add", "people", str(amount), "--at", at)
    stage.agree(stations, 8)

    def sums(*words):
        plots = [station.tally("plot", "people", "-o", "-", *words) for station in stations]
        equal(["each minute" in plot for plot in plots], [True, True], "whether the steps are minutes")
        return [re.search(r">(\d+) in all<", plot).group(1) for plot in plots]

    becomes(sums, ["8", "8"], "the sum of each plot")
    equal(sums("--own"), ["3", "5"], "the own sums")


def test_documented_rights(stage):
    """With the users and rights of the documentation stations count together, and no station writes in another's name."""
    document = (ROOT / "Documentation/mqtt.md").read_text()
    rights = stage.folder / "rights"
    rights.write_text(re.search(r"```\n(# Every user.*?)```", document, re.DOTALL)[1])
    passwords = stage.folder / "passwords"
    passwords.write_text("door1:p@1\ndoor2:p2\nhomeassistant:p3\n")
    subprocess.run(["mosquitto_passwd", "-U", passwords], check=True)
    broker = stage.start_broker("allow_anonymous false", f"password_file {passwords}", f"acl_file {rights}")
    first = stage.station("door1").join(f"mqtt://door1:p%401@127.0.0.1:{broker.port}").share()
    file = stage.folder / "password"
    file.write_text("p2\n")
    second = stage.station("door2", "--password-file", file).join(obeying=True)
    second.adopt()
    first.press(1)
    second.press(2)
    stage.agree([first, second], 3)
    home = stage.stranger("tallymark/#", "homeassistant/#", user="homeassistant", password="p3")
    counter = first.fleet()["counters"][0]["id"]
    becomes(lambda: home.last(f"tallymark/venue/all/{counter}/value"), "3", "the total is there")
    eventually(lambda: home.last(f"homeassistant/device/tallymark-venue/{counter}/config"), "the document is there")
    home.say("tallymark/venue/door2/do", '{"add":"people","id":"1"}')
    stage.agree([first, second], 4)
    stranger = stage.stranger(user="door2", password="p2")
    stranger.say("tallymark/venue/door1/online", "offline", retain=True)
    stranger.say("tallymark/venue/door2/event", "{}")
    becomes(lambda: home.last("tallymark/venue/door2/event"), "{}", "its own topic is written")
    equal(home.last("tallymark/venue/door1/online"), "online", "the other's topic")
    equal([station.fleet().get("trouble") for station in (first, second)], [None, None], "the troubles")
    # A station that may write its own topics only removes no other one, and is told so once.
    second.bridge.kill()
    eventually(lambda: "door2 is offline" in refusal(first, "fleet", "doctor"), "the second station is missed")
    told = refusal(first, "fleet", "forget", "door2")
    equal(re.search(r"for t in .*; do mosquitto_pub -h \S+ -p \d+ -u USER -P PASSWORD -r -n -t tallymark/venue/door2/\$t; done", told) is not None, True,
          f"whether it says what an administrator can do: {told}")
    print(f"        {told}", flush=True)
    equal((first.fleet().get("trouble"), "does not let" in first.bridge.said), (None, False), "the trouble, and the log")
    equal(first.stations("name"), ["door1", "door2"], "the stations")
    for station in (first, second):
        equal(any(word in station.bridge.said + station.tally("fleet") for word in ("p@1", "p%401", "p2")), False, "whether a password is seen")
