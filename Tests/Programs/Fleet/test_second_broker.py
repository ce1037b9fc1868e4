"""Stations with a broker of others."""

import paho.mqtt.client as paho
from kit.wait import becomes, equal, eventually


def test_second_broker(stage):
    """With a broker that knows MQTT 3.1.1 only stations count together, also after it has lost everything."""
    broker = stage.start_second_broker()
    stations = [stage.station(f"door{number}").join(obeying=True) for number in (1, 2, 3)]
    # This one waits for the rest of what it takes for a short message, and so never refuses MQTT 5.
    eventually(lambda: all(station.is_connected for station in stations), "all are connected")
    stations[0].share()
    for station in stations[1:]:
        station.adopt()
    for number, station in enumerate(stations, 1):
        station.press(number)
    stage.agree(stations, 6)
    listener = stage.stranger("tallymark/#", version=paho.MQTTv311)
    counter = stations[0].fleet()["counters"][0]["id"]
    becomes(lambda: listener.last(f"tallymark/venue/all/{counter}/value"), "6", "the total is published")
    listener.say("tallymark/venue/door2/do", '{"add":"people","id":"1"}')
    stage.agree(stations, 7)
    listener.close()
    broker.kill()
    stations[2].press(10)
    broker.start()
    stage.agree(stations, 17)
    equal(["by MQTT 3.1.1" in station.bridge.said for station in stations], [True] * 3, "whether the version is told")
