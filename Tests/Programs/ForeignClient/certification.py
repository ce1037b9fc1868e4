"""org.varlink.certification in both directions, and every way of calling it wrongly."""

import copy
import json
import math
import subprocess
import sys

from kit.checking import check
from kit.core import Server
from kit.varlink import Connection

NAME = "org.varlink.certification"
MIXTURE = {"bool": False, "int": 2, "float": math.pi, "string": "a lot of string"}
MYTYPE = {
    "object": {"method": NAME + ".Test09", "parameters": {"map": {"foo": "Foo", "bar": "Bar"}}},
    "enum": "two",
    "struct": {"first": 1, "second": "2"},
    "array": ["one", "two", "three"],
    "dictionary": {"foo": "Foo", "bar": "Bar"},
    "stringset": {"one": {}, "two": {}, "three": {}},
    "interface": {
        "foo": [None, {"foo": "foo", "bar": "bar"}, None, {"one": "foo", "two": "bar"}],
        "anon": {"foo": True, "bar": False},
    },
}
REPLIES = [f"Reply number {number}" for number in range(1, 11)]

# Every call after Start as it must be: name, parameters besides the id, header flags, what the replies carry.
STEPS = [
    ("Test01", {}, {}, [{"bool": True}]),
    ("Test02", {"bool": True}, {}, [{"int": 1}]),
    ("Test03", {"int": 1}, {}, [{"float": 1.0}]),
    ("Test04", {"float": 1.0}, {}, [{"string": "ping"}]),
    ("Test05", {"string": "ping"}, {}, [MIXTURE]),
    ("Test06", MIXTURE, {}, [{"struct": MIXTURE}]),
    ("Test07", {"struct": MIXTURE}, {}, [{"map": {"foo": "Foo", "bar": "Bar"}}]),
    ("Test08", {"map": {"foo": "Foo", "bar": "Bar"}}, {}, [{"set": {"one": {}, "two": {}, "three": {}}}]),
    ("Test09", {"set": {"one": {}, "two": {}, "three": {}}}, {}, [{"mytype": MYTYPE}]),
    ("Test10", {"mytype": MYTYPE}, {"more": True}, [{"string": reply} for reply in REPLIES]),
    ("Test11", {"last_more_replies": REPLIES}, {"oneway": True}, []),
    ("End", {}, {}, [{"all_ok": True}]),
]
INDEX = {step[0]: index for index, step in enumerate(STEPS)}


def changed(value, *path_and_new):
    """A copy of `value` with one place changed; `...` removes it."""
    *path, last, new = path_and_new
    result = copy.deepcopy(value)
    place = result
    for part in path:
        place = place[part]
    if new is ...:
        del place[last]
    else:
        place[last] = new
    return result


# Values of the right types that are wrong all the same.
WRONG_VALUES = {
    "Test02": [{"bool": False}],
    "Test03": [{"int": 0}, {"int": -1}, {"int": 2**63 - 1}],
    "Test04": [{"float": 1.5}, {"float": -1.0}, {"float": 1.0000000000000002}],
    "Test05": [{"string": "pong"}, {"string": ""}, {"string": "ping "}],
    "Test06": [
        changed(MIXTURE, "bool", True), changed(MIXTURE, "int", 3), changed(MIXTURE, "float", 3.14159265),
        changed(MIXTURE, "string", "a lot of strings"),
    ],
    "Test07": [
        {"struct": changed(MIXTURE, "bool", True)}, {"struct": changed(MIXTURE, "int", 1)},
        {"struct": changed(MIXTURE, "float", 3.0)}, {"struct": changed(MIXTURE, "string", "")},
    ],
    "Test08": [
        {"map": {}}, {"map": {"foo": "Foo"}}, {"map": {"foo": "Foo", "bar": "bar"}},
        {"map": {"foo": "Foo", "bar": "Bar", "baz": "Baz"}},
    ],
    "Test09": [{"set": {}}, {"set": {"one": {}, "two": {}}}, {"set": {"one": {}, "two": {}, "three": {}, "four": {}}}],
    "Test10": [
        {"mytype": changed(MYTYPE, "object", {})},
        {"mytype": changed(MYTYPE, "object", "method", "Test09")},
        {"mytype": changed(MYTYPE, "enum", "one")},
        {"mytype": changed(MYTYPE, "struct", "first", 2)},
        {"mytype": changed(MYTYPE, "struct", "second", "1")},
        {"mytype": changed(MYTYPE, "array", ["one", "three", "two"])},
        {"mytype": changed(MYTYPE, "array", [])},
        {"mytype": changed(MYTYPE, "dictionary", "foo", "Bar")},
        {"mytype": changed(MYTYPE, "stringset", "two", ...)},
        {"mytype": changed(MYTYPE, "nullable", "")},
        {"mytype": changed(MYTYPE, "nullable_array_struct", [])},
        {"mytype": changed(MYTYPE, "interface", "foo", None)},
        {"mytype": changed(MYTYPE, "interface", "foo", 0, {})},
        {"mytype": changed(MYTYPE, "interface", "anon", "bar", True)},
    ],
    "Test11": [
        {"last_more_replies": []}, {"last_more_replies": REPLIES[:9]}, {"last_more_replies": REPLIES[::-1]},
        {"last_more_replies": REPLIES + ["Reply number 11"]},
    ],
}

# Calls that do not fit the description: what is sent, and which parameter is named in the refusal.
WRONG_TYPES = [
    ("Test02", {"bool": "true"}, "bool"), ("Test02", {"bool": 1}, "bool"), ("Test02", {"bool": None}, "bool"),
    ("Test02", {}, "bool"), ("Test02", {"bool": True, "extra": 1}, "extra"), ("Test03", {"int": 1.0}, "int"),
    ("Test03", {"int": "1"}, "int"), ("Test04", {"float": "1.0"}, "float"), ("Test05", {"string": ["ping"]}, "string"),
    ("Test07", {"struct": changed(MIXTURE, "int", 2.5)}, "struct.int"),
    ("Test07", {"struct": changed(MIXTURE, "string", ...)}, "struct.string"),
    ("Test08", {"map": {"foo": 1, "bar": "Bar"}}, "map.foo"), ("Test08", {"map": ["Foo"]}, "map"),
    ("Test09", {"set": {"one": 1}}, "set.one"), ("Test10", {"mytype": changed(MYTYPE, "enum", "four")}, "mytype.enum"),
    ("Test10", {"mytype": changed(MYTYPE, "array", 1, 2)}, "mytype.array[1]"),
    ("Test10", {"mytype": changed(MYTYPE, "interface", "foo", 1, "foo", "no")}, "mytype.interface.foo[1].foo"),
    ("Test11", {"last_more_replies": [1]}, "last_more_replies[0]"),
]


class Client:
    """Makes the right calls up to a step, and then whatever is asked for."""

    def __init__(self, path, upto):
        self.connection = Connection(path)
        self.id = self.connection.call(NAME + ".Start")["client_id"]
        for step in STEPS[: INDEX[upto]]:
            replies = self.make(*step[:3])
            # As text, where 1 is not 1.0 and not true.
            if json.dumps(replies, sort_keys=True) != json.dumps(step[3], sort_keys=True):
                raise AssertionError(f"{step[0]} is answered with {replies}")

    def make(self, method, parameters, flags, client_id=None):
        """The parameters of all replies to one call; the whole message where it is an error."""
        self.connection.send(f"{NAME}.{method}", client_id=client_id or self.id, **parameters, **flags)
        replies = []
        while not flags.get("oneway"):
            reply = self.connection.reply()
            if reply is None or "error" in reply:
                return reply
            replies.append(reply.get("parameters", {}))
            if not reply.get("continues"):
                break
        return replies


def refused(reply):
    """Whether a reply is the certification's own refusal, with both sides of the story."""
    return (isinstance(reply, dict) and reply.get("error") == NAME + ".CertificationError"
            and set(reply["parameters"]) == {"wants", "got"})


def refuses_wrong_calls(path):
    for method, parameters, flags, _ in STEPS:
        oneway = flags.get("oneway")
        for wrong in WRONG_VALUES.get(method, []):
            client = Client(path, method)
            reply = client.make(method, wrong, flags)
            # A oneway call is never answered: the refusal shows in the next one.
            if oneway:
                reply = client.make("End", {}, {})
            check(f"{method} refuses the value {wrong}", refused(reply), reply)
            reply = client.make(method, parameters, {} if oneway else flags)
            check(f"{method} does not forgive it", refused(reply), reply)
        for other in STEPS:
            if other[0] != method:
                client = Client(path, method)
                reply = client.make(other[0], other[1], other[2])
                if other[2].get("oneway"):
                    reply = client.make(method, parameters, {} if oneway else flags)
                check(f"{other[0]} is refused when {method} is due", refused(reply), reply)
        client = Client(path, method)
        reply = client.make(method, parameters, {} if oneway else flags, client_id="nobody")
        check(f"{method} refuses an id that was never given", refused(reply), reply)
        for wrong in ({}, {"more": True}, {"oneway": True}):
            if wrong != flags:
                client = Client(path, method)
                reply = client.make(method, parameters, wrong)
                if wrong.get("oneway"):
                    reply = client.make(method, parameters, {})
                check(f"{method} refuses the flags {wrong}", refused(reply), reply)
    for method, wrong, parameter in WRONG_TYPES:
        flags = {} if method == "Test11" else STEPS[INDEX[method]][2]
        reply = Client(path, method).make(method, wrong, flags)
        check(f"{method} says that {parameter} is of the wrong type in {wrong}",
              reply == {"error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": parameter}}, reply)


def run(programs, folder):
    ours = programs / "varlink-certification"
    theirs = [sys.executable, "-m", "varlink.tests.test_certification"]
    path = folder / "ours"
    with Server(folder, [ours, "server", path], path):
        result = subprocess.run([*theirs, "--client", f"--varlink=unix:{path}"], capture_output=True, text=True)
        check("PyPI's client certifies our server",
              result.returncode == 0 and result.stdout.endswith("Certification passed\n"), result.stdout + result.stderr)
        result = subprocess.run([ours, "client", path], capture_output=True, text=True)
        check("our client certifies our server", result.returncode == 0, result.stdout + result.stderr)
        refuses_wrong_calls(path)
        nulls = {"mytype": {**MYTYPE, "nullable": None, "nullable_array_struct": None}}
        reply = Client(path, "Test10").make("Test10", nulls, {"more": True})
        check("Test10 takes null for what may be left out", reply == STEPS[INDEX["Test10"]][3], reply)
    path = folder / "theirs"
    with Server(folder, [*theirs, f"--varlink=unix:{path}"], path):
        result = subprocess.run([ours, "client", path], capture_output=True, text=True)
        check("PyPI's strict server certifies our client",
              result.returncode == 0 and result.stdout.endswith("Certification passed\n"), result.stdout + result.stderr)
