"""The real core, asked by a client that nobody here wrote: introspection, every method, errors, watching."""

import re

import varlink
from kit import ROOT
from kit.checking import check
from kit.core import Core
from kit.varlink import INTERFACE

DESCRIPTION = ROOT / f"Sources/Core/CoreService/{INTERFACE}.varlink"


def run(programs, folder):
    with Core(folder, programs) as core, varlink.Client(address=f"unix:{core.socket}") as client:
        introspection(client)
        counting(client)
        watching(client)
        command_line(core)


def introspection(client):
    info = client.get_interfaces()
    check("the client lists the interfaces of the core", INTERFACE in info, info)
    interface = client.get_interface(INTERFACE)
    methods = set(re.findall(r"^method (\w+)", DESCRIPTION.read_text(), re.MULTILINE))
    found = {name for name, member in interface.members.items() if type(member).__name__ == "_Method"}
    check("the client reads the description and finds every method in it", found == methods, found ^ methods)


def counting(client):
    with client.open(INTERFACE) as core:
        check("Create answers the event", core.Create("people", "People", 5)["event"]["value"] == 5)
        check("Add answers the value after it", core.Add("people")["event"]["value"] == 6)
        check("Subtract with an amount", core.Subtract("people", 4)["event"]["change"] == -4)
        check("Get answers the counter", core.Get("people")["counter"]["value"] == 2)
        check("List answers all counters", [c["name"] for c in core.List()["counters"]] == ["people"])
        check("Select makes it current", core.Select("people")["event"]["kind"] == "selected")
        undone = core.Undo()["event"]
        check("Undo says what it took back", (undone["undoes"], undone["value"]) == (3, 6), undone)
        history = core.History(["people"], None, None, 2)
        check("History answers a page and that there is more", len(history["events"]) == 2 and history["more"], history)
        epoch = core.Open("board")["epoch"]
        change = {"verb": "add", "amount": 2**62, "gesture": "tap"}
        first = core.Deliver("board", epoch, 1, [change])
        again = core.Deliver("board", epoch, 1, [change])
        check("Deliver counts once", (first["duplicate"], again["duplicate"]) == (False, True))
        check("a repeat gets the same answer", first["events"] == again["events"], again)
        check("numbers beyond 2^53 arrive exactly", core.Get("people")["counter"]["value"] == 2**62 + 6)
        check("Remove takes it away", core.Remove("people")["event"]["kind"] == "removed")
        try:
            core.Get("people")
            check("a counter that is not there is a named error", False, "no error came")
        except varlink.VarlinkError as error:
            found = error.as_dict()
            named = found["error"] == f"{INTERFACE}.NoSuchCounter" and found["parameters"]["name"] == "people"
            check("a counter that is not there is a named error", named, found)


def watching(client):
    with client.open(INTERFACE) as other, client.open(INTERFACE) as core:
        replies = core.Watch(_more=True)
        state = next(replies)
        check("Watch answers the state first", state["counters"] == [] and state.get("event") is None, state)
        other.Create("dogs")
        other.Add("dogs", None, None, None, {"producer": "board", "device": None, "gesture": "tap"})
        created, added = next(replies), next(replies)
        check("then every change in order", (created["event"]["kind"], added["event"]["kind"]) == ("created", "added"))
        check("with its cause", added["event"]["cause"]["gesture"] == "tap", added)
        check("and the counter as it stands then", added["counter"]["value"] == 1, added)


def command_line(core):
    """The project's own command line with the same core."""
    shown = core.run_tally("show")
    check("the project's own command line sees the same", "1  dogs" in shown.stdout, shown)
