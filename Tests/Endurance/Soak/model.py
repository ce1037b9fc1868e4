"""A small model of what counters, groups and formulas do, written from the interface's description, and operations
that a real core and the model perform. The core is killed at random moments; calls are sent many in a row.

The interface is silent on a few things, in which the model follows the core: `limits` is not told without a limit."""

import time

from kit import varlink
from kit.core import Core

MOST = (1 << 63) - 1
# The operations of a history, and of a run, that are tried however long they take.
LEAST = 200


class Refused(Exception):
    pass


class Model:
    """Counters are dictionaries by number. `done` has what an undo takes back, as (numbers, what they were before, what
    they were after, sums); `undone` the same for a redo."""

    def __init__(self):
        self.counters, self.groups, self.formulas, self.last = {}, {}, {}, 0
        self.done, self.undone = [], []
        self.epoch, self.delivered, self.imports = 0, 0, 0

    def clone(self):
        copy = Model()
        for name in ("counters", "groups", "formulas"):
            setattr(copy, name, {key: dict(value) for key, value in getattr(self, name).items()})
        copy.last, copy.done, copy.undone = self.last, list(self.done), list(self.undone)
        copy.epoch, copy.delivered, copy.imports = self.epoch, self.delivered, self.imports
        return copy

    # What there is

    def find(self, name):
        for counter in self.counters.values():
            if counter["name"] == name:
                return counter
        if any(formula["name"] == name for formula in self.formulas.values()):
            raise Refused(("NoSuchCounter", "BadSetting"))
        raise Refused("NoSuchCounter")

    def group(self, name):
        for group in self.groups.values():
            if group["name"] == name:
                return group
        raise Refused("NoSuchGroup")

    def is_taken(self, name):
        for things, error in ((self.counters, "CounterExists"), (self.formulas, "FormulaExists")):
            if any(thing["name"] == name for thing in things.values()):
                raise Refused(error)

    def unlocked(self, name):
        counter = self.find(name)
        if counter["locked"]:
            raise Refused("Locked")
        return counter

    def state(self):
        """What List and Groups must tell, without the values of stopwatches, which time decides."""
        values = {counter["name"]: counter["value"] for counter in self.counters.values() if not counter["watch"]}
        counters = sorted(
            (c["name"], *([None, None] if c["watch"] else [c["value"], c["step"]]), c["title"] or c["name"], c["minimum"], c["maximum"],
             c["stop"] and (c["minimum"], c["maximum"]) != (None, None), c["locked"], c["archived"], c["running"],
             self.groups[c["group"]]["name"] if c["group"] in self.groups else "")
            for c in self.counters.values())
        formulas = sorted(
            (f["name"], str(sum(values[name] for name in f["of"])) if all(name in values for name in f["of"]) else None)
            for f in self.formulas.values())
        return counters, formulas, sorted((g["name"], g["title"] or g["name"]) for g in self.groups.values())

    # Changes: each writes down what was before and after

    def change(self, steps, adds=()):
        """`steps`: (kind of thing, number, new content or None); `adds`: (number, change of the value)."""
        record = [(kind, number, self.content(kind, number), new) for kind, number, new in steps]
        for kind, number, _, new in record:
            self.put(kind, number, new)
        for number, amount in adds:
            self.counters[number]["value"] += amount
        self.done.append((record, list(adds)))
        self.undone = []

    def content(self, kind, number):
        thing = getattr(self, kind).get(number)
        return dict(thing) if thing else None

    def put(self, kind, number, content):
        things = getattr(self, kind)
        if content is None:
            things.pop(number, None)
        else:
            things[number] = dict(content)

    def new_number(self):
        self.last += 1
        return self.last

    def settle(self, counter, **fields):
        return ("counters", counter["number"], {**counter, **fields})

    def count(self, counter, wanted):
        value = counter["value"] + wanted
        limit = None
        if wanted > 0 and counter["maximum"] is not None and value > counter["maximum"]:
            limit = counter["maximum"]
        if wanted < 0 and counter["minimum"] is not None and value < counter["minimum"]:
            limit = counter["minimum"]
        if limit is not None:
            if not counter["stop"]:
                raise Refused("LimitReached")
            is_beyond = counter["value"] > limit if wanted > 0 else counter["value"] < limit
            wanted = 0 if is_beyond else limit - counter["value"]
        elif not -MOST - 1 <= value <= MOST:
            raise Refused("Overflow")
        self.change([], [(counter["number"], wanted)])
        return counter["value"]

    # The operations; each returns the value that the reply must have, or None

    def perform(self, method, call):
        return getattr(self, "do_" + method)(**call)

    def do_Create(self, name, group=None, **settings):
        self.is_taken(name)
        number = self.new_number()
        counter = {
            "number": number, "name": name, "title": None, "value": 0, "start": 0, "step": 1, "minimum": None,
            "maximum": None, "stop": False, "locked": False, "archived": False, "group": None, "running": False,
            "watch": settings.pop("kind", "") == "stopwatch"}
        if group is not None:
            counter["group"] = self.group(group)["number"]
        counter.update(settings, value=settings.get("start", 0))
        self.check(counter)
        self.change([("counters", number, counter)])
        return counter["value"]

    def check(self, counter):
        low, high = counter["minimum"], counter["maximum"]
        if low is not None and high is not None and low > high:
            raise Refused("BadSetting")
        if low is not None and counter["start"] < low or high is not None and counter["start"] > high:
            raise Refused("BadSetting")

    def amount(self, name, amount, sign):
        counter = self.find(name)
        if amount is not None and amount < 1:
            raise Refused("BadAmount")
        self.unlocked(name)
        if counter["watch"]:
            raise Refused("BadSetting")
        return self.count(counter, sign * (counter["step"] if amount is None else amount))

    def do_Add(self, counter, amount=None):
        return self.amount(counter, amount, 1)

    def do_Subtract(self, counter, amount=None):
        return self.amount(counter, amount, -1)

    def do_Correct(self, counter, value):
        found = self.find(counter)
        # A change that has no opposite could not be undone.
        if not -MOST <= value - found["value"] <= MOST:
            raise Refused("Overflow")
        self.unlocked(counter)
        return self.count(found, value - found["value"])

    def reset(self, counters):
        self.change(
            [self.settle(c, running=False) for c in counters], [(c["number"], c["start"] - c["value"]) for c in counters])

    def do_Reset(self, confirmed, counter=None, group=None, all=None):
        if counter is not None:
            found = self.unlocked(counter)
            self.reset([found])
            return None if found["watch"] else found["start"]
        number = self.group(group)["number"] if group else None
        found = [c for c in self.counters.values()
                 if not c["locked"] and not c["archived"] and (all or c["group"] == number)]
        if not found:
            raise Refused("NothingToReset")
        self.reset(found)
        return None

    def do_Select(self, counter):
        if self.find(counter)["archived"]:
            raise Refused("Archived")

    def do_Remove(self, counter):
        for formula in self.formulas.values():
            if formula["name"] == counter:
                return self.change([("formulas", formula["number"], None)])
        found = self.unlocked(counter)
        self.change([("counters", found["number"], None)])

    def do_Set(self, counter, newName=None, clear=(), limits=None, group=None, **fields):
        found = self.unlocked(counter)
        if newName is not None and newName != counter:
            self.is_taken(newName)
            fields["name"] = newName
        if limits is not None:
            fields["stop"] = limits == "stop"
        if group is not None:
            fields["group"] = self.group(group)["number"] if group else None
        fields.update({field: None for field in clear})
        new = {**found, **fields}
        self.check(new)
        if new["title"] == new["name"]:
            new["title"] = None
        if new == found:
            return
        steps = [("counters", found["number"], new)]
        if "name" in fields:
            steps += [("formulas", f["number"], {**f, "of": [newName if word == counter else word for word in f["of"]]})
                      for f in self.formulas.values() if counter in f["of"]]
        self.change(steps)

    def do_Lock(self, counter):
        self.find(counter)["locked"] = True

    def do_Unlock(self, counter):
        self.find(counter)["locked"] = False

    def do_CreateGroup(self, name):
        if any(group["name"] == name for group in self.groups.values()):
            raise Refused("GroupExists")
        number = self.new_number()
        self.change([("groups", number, {"number": number, "name": name, "title": None})])

    def do_SetGroup(self, group, title):
        found = self.group(group)
        if found["title"] != title:
            self.change([("groups", found["number"], {**found, "title": title})])

    def do_RemoveGroup(self, group):
        found = self.group(group)
        if any(c["locked"] for c in self.counters.values() if c["group"] == found["number"]):
            raise Refused("Locked")
        self.change([("groups", found["number"], None)] + [
            self.settle(c, group=None) for c in self.counters.values() if c["group"] == found["number"]])

    def do_CreateFormula(self, name, formula):
        self.is_taken(name)
        names = formula.split(" + ")
        for word in names:
            if word not in [thing["name"] for thing in self.counters.values()]:
                raise Refused("BadFormula")
        number = self.new_number()
        self.change([("formulas", number, {"number": number, "name": name, "of": names})])

    def watch(self, name, wanted):
        counter = self.find(name)
        if not counter["watch"]:
            raise Refused("NotStopwatch")
        self.unlocked(name)
        if wanted is not None and counter["running"] != wanted:
            raise Refused("NotRunning" if wanted else "AlreadyRunning")
        return counter

    def do_Start(self, counter):
        self.change([self.settle(self.watch(counter, False), running=True)])

    def do_Stop(self, counter):
        self.change([self.settle(self.watch(counter, True), running=False)])

    def do_Lap(self, counter):
        self.change([self.settle(self.watch(counter, True))])

    def do_Toggle(self, counter):
        found = self.watch(counter, None)
        self.change([self.settle(found, running=not found["running"])])

    def do_Note(self, sequence, text):
        # The first event is always there. Nothing of the state changes, and an undo takes the note back.
        self.change([])

    def do_Undo(self):
        if not self.done:
            raise Refused("NothingToUndo")
        self.take_back(self.done.pop(), 2, -1, self.undone)

    def do_Redo(self):
        if not self.undone:
            raise Refused("NothingToRedo")
        self.take_back(self.undone.pop(), 3, 1, self.done)

    def take_back(self, entry, side, sign, other):
        record, adds = entry
        for step in record:
            kind, number, content = step[0], step[1], step[side]
            now = getattr(self, kind).get(number)
            if content is not None and kind == "counters" and now is not None:
                # A value changes by its sum, a lock is no part of an undo.
                content = {**content, "value": now["value"], "locked": now["locked"]}
            elif kind == "counters" and content is None and now is not None:
                # What it is when it goes is what it is when it comes back.
                entry = ([(*s[:side], s[side], *s[side + 1:]) if s is not step else self.kept(step, side, now) for s in record], adds)
            self.put(kind, number, content)
        for number, amount in adds:
            self.counters[number]["value"] += sign * amount
        other.append(entry)

    @staticmethod
    def kept(step, side, now):
        step = list(step)
        step[5 - side] = dict(now)
        return tuple(step)

    def do_Import(self, entries):
        """A count or a value of a table, at a time or of a number that no other import has; one undo takes all back."""
        (kind, entry), = entries[0].items()
        number = int(entry["amount" if kind == "count" else "value"])
        try:
            found = self.unlocked(entry["name"])
            if found["watch"]:
                raise Refused("BadSetting")
            self.count(found, number if kind == "count" else number - found["value"])
        except Refused as refused:
            if refused.args[0] != "NoSuchCounter":
                raise Refused("BadArchive")
            self.do_Create(entry["name"])
            found = self.find(entry["name"])
            self.done.pop()
            self.change([self.settle(found, value=number)])
            # An undo removes what the import made.
            (thing, key, _, new), = self.done[-1][0]
            self.done[-1] = ([(thing, key, None, new)], [])
        self.imports += 1

    def do_Deliver(self, epoch, sequence, changes, **_):
        if sequence <= self.delivered:
            return "duplicate"
        if sequence != self.delivered + 1:
            raise Refused("DeliveryGap")
        # Each change of a delivery is undone by itself, or all together: they are one change here.
        self.count(self.unlocked(changes[0]["counter"]), changes[0].get("amount", 1))
        self.delivered = sequence
        return "new"


def real_state(core):
    listing = core.call("List")
    groups = core.call("Groups")["groups"]
    counters = sorted(
        (c["name"], *([None, None] if c.get("kind") == "stopwatch" else [c["value"], c["step"]]), c["title"], c.get("minimum"), c.get("maximum"),
         c.get("limits") == "stop", c.get("locked", False), c.get("archived", False), "since" in c, c.get("group", ""))
        for c in listing["counters"])
    formulas = sorted((f["name"], f.get("value")) for f in listing.get("formulas", []))
    return counters, formulas, sorted((g["name"], g["title"]) for g in groups)


def difference(actual, model):
    return [(set(here) - set(there), set(there) - set(here)) for here, there in zip(actual, model) if here != there]


def operation(chance, model):
    """A random call; one in five is one that must be refused, more or less."""
    name = lambda: chance.choice(["a", "b", "c", "d", "e"] if chance.random() < 0.97 else ["nobody"])
    watch = lambda: chance.choice(["w", "v"])
    either = lambda: watch() if chance.random() < 0.2 else name()
    group = lambda: chance.choice(["g", "h"])
    small = lambda: chance.randint(1, 9)
    any_locked = any(counter["locked"] for counter in model.counters.values())
    if any_locked and chance.random() < 0.15:
        return "Unlock", {"counter": chance.choice([c["name"] for c in model.counters.values() if c["locked"]])}
    kinds = {
        "Add": 12, "AddAmount": 6, "Subtract": 5, "SubtractAmount": 4, "Correct": 3, "Reset": 3, "ResetGroup": 1, "ResetAll": 0.5,
        "Create": 6, "CreateWatch": 3, "Remove": 3, "Rename": 3, "Title": 2, "Step": 2, "Limits": 4, "Clear": 2, "Archive": 1,
        "Lock": 0.7, "Unlock": 0.7, "Select": 2, "CreateGroup": 3, "SetGroup": 1, "RemoveGroup": 1, "Move": 3, "CreateFormula": 3,
        "Import": 4, "Start": 2, "Stop": 2, "Toggle": 2, "Lap": 2, "Note": 2, "Deliver": 8, "Overflow": 0.5, "Zero": 0.5,
        **({} if any_locked or len(model.done) < 2 else {"Undo": 10}), **({} if any_locked else {"Redo": 6})}
    kind = chance.choices(list(kinds), list(kinds.values()))[0]
    match kind:
        case "Add" | "Subtract":
            return kind, {"counter": name()}
        case "AddAmount" | "SubtractAmount":
            return kind[:-6], {"counter": name(), "amount": small()}
        case "Correct":
            return kind, {"counter": name(), "value": chance.randint(-20, 40)}
        case "Reset":
            return kind, {"counter": name(), "confirmed": True}
        case "ResetGroup":
            return "Reset", {"group": group(), "confirmed": True}
        case "ResetAll":
            return "Reset", {"all": True, "confirmed": True}
        case "Create":
            more = chance.choice([{}, {"start": small()}, {"step": small()}, {"minimum": -small(), "maximum": small() + 9},
                                  {"group": group()}, {"minimum": 5, "maximum": 1}])
            return kind, {"name": name(), **more}
        case "CreateWatch":
            return "Create", {"name": watch(), "kind": "stopwatch"}
        case "Remove":
            return kind, {"counter": chance.choice([either(), "f1", "f2"])}
        case "Rename":
            return "Set", {"counter": name(), "newName": name()}
        case "Title":
            return "Set", {"counter": either(), "title": chance.choice(["One", "Two"])}
        case "Step":
            return "Set", {"counter": name(), "step": small()}
        case "Limits":
            return "Set", {"counter": name(), "limits": chance.choice(["stop", "refuse"]), "maximum": chance.randint(10, 60)}
        case "Clear":
            return "Set", {"counter": name(), "clear": chance.choice([["maximum"], ["minimum"], ["maximum", "minimum"]])}
        case "Archive":
            return "Set", {"counter": name(), "archived": chance.random() < 0.4}
        case "Lock" | "Unlock" | "Select":
            return kind, {"counter": name()}
        case "CreateGroup":
            return kind, {"name": group()}
        case "RemoveGroup":
            return kind, {"group": group()}
        case "SetGroup":
            return kind, {"group": group(), "title": chance.choice(["Red", "Blue"])}
        case "Move":
            return "Set", {"counter": name(), "group": chance.choice(["g", "h", ""])}
        case "CreateFormula":
            return kind, {"name": chance.choice(["f1", "f2"]), "formula": " + ".join(chance.sample(["a", "b", "c"], chance.randint(1, 2)))}
        case "Start" | "Stop" | "Toggle" | "Lap":
            return kind, {"counter": watch() if chance.random() < 0.95 else name()}
        case "Note":
            return kind, {"sequence": 1, "text": f"note {chance.random()}"}
        case "Overflow":
            return "Add", {"counter": name(), "amount": MOST}
        case "Zero":
            return "Add", {"counter": name(), "amount": 0}
        case "Deliver":
            return kind, {}
        case "Import":
            # A counter that an import filled and that was renamed since would be found under its former name.
            plain = [c for c in model.counters.values() if not c["watch"] and not c["locked"]]
            found = chance.choice(plain) if plain and chance.random() < 0.8 else None
            name = found["name"] if found else f"i{model.imports}"
            # A value that a limit cut is known by another one beyond the limit.
            # No counter has the value already: it would be no change.
            if chance.random() < 0.3 and (not found or (found["minimum"], found["maximum"]) == (None, None)):
                return kind, {"entries": [{"value": {"name": name, "value": f"{1_000_000 * (1 + model.imports)}"}}]}
            time = 1_500_000_000_000_000 + model.imports * 1_000_000
            return kind, {"entries": [{"count": {"name": name, "time": time, "amount": f"{chance.choice([-2, 1, 3])}"}}]}
        case _:
            return kind, {}


def expected(model, method, call):
    """What the model makes of a call: its errors, and the value of the reply."""
    try:
        return (), model.perform(method, call)
    except Refused as refused:
        errors = refused.args[0]
        return (errors if isinstance(errors, tuple) else (errors,)), None


def run(programs, chance, seconds):
    """Returns what was tried; raises AssertionError."""
    end, totals = time.monotonic() + seconds, {"operations": 0, "kills": 0, "refused": 0, "kept": 0, "lost": 0, "histories": 0}
    while totals["operations"] < LEAST or time.monotonic() < end:
        with Core.alone(programs) as core:
            one_history(core, chance, min(end, time.monotonic() + 40), totals)
            totals["kills"] += core.kills
            totals["histories"] += 1
    return totals


def one_history(core, chance, end, totals):
    model, log, least = Model(), [], totals["operations"] + LEAST
    model.perform("Create", {"name": "delivered"})
    core.call("Create", name="delivered")
    model.epoch = core.call("Open", producer="soak")["epoch"]

    def fail(sentence):
        raise AssertionError(f"{sentence}\nthe last calls: " + "\n  ".join(map(str, log[-25:])))

    while totals["operations"] < least or time.monotonic() < end and totals["operations"] < 10_000_000:
        # Several calls in a row, then perhaps a kill while they are handled.
        connection, sent, now = core.connect(), [], model.clone()
        is_killed = chance.random() < 0.25
        for _ in range(chance.choice([1, 4, 16, 32])):
            method, call = operation(chance, now)
            if method == "Deliver":
                call = {"producer": "soak", "epoch": model.epoch, "sequence": now.delivered + 1,
                        "changes": [{"verb": "add", "counter": "delivered", "amount": chance.randint(1, 3)}]}
                if now.delivered > 3 and chance.random() < 0.1:
                    call["sequence"] = chance.choice([now.delivered, now.delivered - 2, now.delivered + 2])
            errors, value = expected(now, method, call)
            sent.append((method, call, errors, value, now.clone()))
        try:
            for method, call, *_ in sent:
                connection.send(method, **call)
        except OSError as error:
            fail(f"the core has gone: {error} {core.said}")
        answered = 0
        stop_after = chance.randint(0, len(sent)) if is_killed else len(sent)
        if is_killed and stop_after == 0:
            time.sleep(chance.random() * 0.004)
        for method, call, errors, value, after in sent[:stop_after]:
            reply = connection.outcome()
            if reply is None:
                fail(f"the core has gone before a reply to {method}: {core.said}")
            error, parameters = reply
            log.append((method, call, "→", error, parameters.get("event", {}).get("value"), "expected", errors, value))
            if error != "" and error not in errors or error == "" and errors:
                fail(f"{method} {call} was answered with {error or 'success'}, expected {errors or 'success'}")
            if not error and isinstance(value, int) and parameters["event"]["value"] != value:
                fail(f"{method} {call} gave {parameters['event']['value']}, expected {value}")
            if value in ("duplicate", "new") and not error and parameters["duplicate"] != (value == "duplicate"):
                fail(f"the delivery {call} was {parameters['duplicate']} a duplicate, expected {value}")
            totals["operations"] += 1
            totals["refused"] += error != ""
            answered, model = answered + 1, after
        if is_killed:
            core.kill()
            connection.close()
            if chance.random() < 0.25:
                # Another one while it starts.
                core.launch()
                time.sleep(chance.random() * 0.02)
                core.kill()
            core.start()
            actual = real_state(core)
            # What was under way was kept up to some call and lost from there on.
            states = [model] + [after for *_, after in sent[answered:]]
            kept = [index for index, state in enumerate(states) if state.state() == actual]
            if not kept:
                index, apart = min(
                    ((index, difference(actual, state.state())) for index, state in enumerate(states)),
                    key=lambda pair: len(pair[1]))
                fail(f"after a kill nothing fits; nearest to the state after {index} of "
                     f"{[call[:2] for call in sent[answered:]]} (core, model): {apart}")
            totals["kept"], totals["lost"] = totals["kept"] + kept[-1], totals["lost"] + len(states) - 1 - kept[-1]
            model = settle_position(core, [states[index] for index in kept])
            if model is None:
                break
        else:
            connection.close()
            if chance.random() < 0.02:
                import_own_export(core, fail)
            if chance.random() < 0.1:
                actual = real_state(core)
                if actual != model.state():
                    fail(f"the states differ (core, model): {difference(actual, model.state())}")
    verified = core.run_tally("verify", core.state)
    if verified.returncode:
        fail(f"verify: {verified.stdout}{verified.stderr}")


def import_own_export(core, fail):
    """What a core exports changes nothing where it comes from."""
    connection, position, goes_on = core.connect(), {}, True
    while goes_on:
        page = core.call("Export", **position)
        goes_on, position = "next" in page, {"after": page.get("next")}
        connection.send("Import", entries=page["entries"], continues=goes_on)
        error, reply = connection.outcome()
        if error or reply["events"]:
            fail(f"the import of the own export was answered with {error} {reply}")
    connection.close()


def settle_position(core, candidates):
    """Of the states that look alike the one that the core is in; None if that cannot be told."""
    if len(candidates) > 1:
        # A delivery with a gap tells which number is next.
        try:
            core.call("Deliver", producer="soak", epoch=candidates[0].epoch, sequence=candidates[-1].delivered + 2,
                      changes=[{"verb": "add", "counter": "delivered"}])
            raise AssertionError("a delivery with a gap was answered with success")
        except varlink.Refused as refused:
            if not refused.name.endswith(".DeliveryGap"):
                raise
            next_one = refused.parameters["expected"]
        candidates = [state for state in candidates if state.delivered == next_one - 1]
        if not candidates:
            raise AssertionError(f"the next delivery is {next_one}, which no order of the calls makes it")
    # A change that changes nothing, such as a note, decides what an undo does.
    is_certain = all((state.done, state.undone) == (candidates[-1].done, candidates[-1].undone) for state in candidates)
    return candidates[-1] if is_certain else None
