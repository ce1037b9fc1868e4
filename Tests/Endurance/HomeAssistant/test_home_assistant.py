"""Home Assistant with real stations."""

from home_assistant import HomeAssistant
from kit.wait import becomes, equal, eventually

SENSOR = "sensor.tallymark_venue_people"


def test_without_typing(stage):
    """Home Assistant finds counters and stations by itself, counts, corrects, hears events and triggers, and loses what has left."""
    stage.start_broker()
    stations = stage.stations(2, obeying=True)
    stations[0].press(3)
    home = stage.keep(HomeAssistant(stage.folder / "home", stage.broker.port))
    home.start()

    def state(name=SENSOR, member="state"):
        return (home.entity(name) or {}).get(member)

    def press(what):
        home.call("button", "press", entity_id=f"button.tallymark_venue_people_{what}")

    becomes(state, "3", "the total is there")
    for number in (1, 2):
        becomes(lambda: state(f"binary_sensor.tallymark_venue_door{number}"), "on", "the station is connected")
    equal(state(member="state_class"), "total", "the class of the sensor")
    eventually(lambda: len(home.told["triggers"]) == 3, "the triggers are there")
    equal(home.told["triggers"], ["added people", "reset people", "subtracted people"], "the triggers")

    press("add_1")
    becomes(state, "4", "a press of a button counts")
    press("undo")
    becomes(state, "3", "it is undone")
    press("subtract_1")
    becomes(state, "2", "one is subtracted")
    home.call("number", "set_value", entity_id="number.tallymark_venue_people_correct", value=40)
    becomes(state, "40", "the total is corrected")
    becomes(lambda: state("number.tallymark_venue_people_correct"), "40", "the number shows it")

    event = "event.tallymark_venue_people_event"
    stations[1].call("Add", counter="people", amount=2, cause={"producer": "test", "device": "Pedal", "gesture": "press KEY_B"})
    becomes(lambda: [state(event, name) for name in ("event_type", "change", "value", "station", "gesture")],
            ["added", 2, 42, "door2", "press KEY_B"], "the event is there")
    becomes(lambda: home.told["fired"].count("added people"), 2, "the trigger has fired for a button and a pedal")
    equal(home.told["fired"].count("reset people"), 0, "the other trigger")

    equal(state(member="last_reset"), None, "the last reset")
    # A reset takes away what its station has heard of.
    stage.agree(stations, 42)
    press("reset")
    becomes(state, "0", "the total is reset")
    since = eventually(lambda: state(member="last_reset"), "the sensor knows the reset")
    stations[0].press(5)
    becomes(state, "5", "the total goes on")
    equal(state(member="last_reset"), since, "the last reset")

    stations[0].bridge.kill()
    becomes(lambda: state("binary_sensor.tallymark_venue_door1"), "off", "the station is disconnected")
    stations[1].press(1)
    becomes(state, "6", "the total goes on without it")
    press("add_1")
    becomes(state, "7", "the other station takes the commands")
    equal(state(member="last_reset"), since, "the last reset")
    stations[0].bridge.start()
    becomes(lambda: state("binary_sensor.tallymark_venue_door1"), "on", "the station is connected again")

    stations[1].call("LeaveFleet")
    becomes(lambda: home.entity("binary_sensor.tallymark_venue_door2"), None, "the station that left is gone")
    becomes(state, "7", "the counter stays")
    stations[0].call("Remove", counter="people")
    becomes(lambda: home.entity(SENSOR), None, "the counter is gone")
    becomes(lambda: home.entity("number.tallymark_venue_people_correct"), None, "the number is gone")
    equal(home.complaints, [], "the complaints of Home Assistant")


def test_components(stage):
    """With a document for each entity Home Assistant finds the same."""
    stage.start_broker()
    station = stage.station("door1", "--discovery", "components").join(obeying=True).share()
    home = stage.keep(HomeAssistant(stage.folder / "home", stage.broker.port))
    home.start()
    station.press(3)
    becomes(lambda: (home.entity(SENSOR) or {}).get("state"), "3", "the total is there")
    eventually(lambda: len([name for name in home.told["states"] if "tallymark_venue" in name]) == 8, "all entities are there")
    eventually(lambda: len(home.told["triggers"]) == 3, "the triggers are there")
    home.call("button", "press", entity_id="button.tallymark_venue_people_add_1")
    becomes(lambda: (home.entity(SENSOR) or {}).get("state"), "4", "a press of a button counts")
    station.call("LeaveFleet")
    becomes(lambda: [name for name in home.told["states"] if "tallymark_venue" in name], [], "all is gone")
    equal(home.complaints, [], "the complaints of Home Assistant")
