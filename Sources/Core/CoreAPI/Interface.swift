// Written by `make types` from Sources/Core/CoreService/org.tallymark.Counters.varlink. Do not edit.
// swift-format-ignore-file
public import JSON
import Varlink

extension Counters {
  /// The qualified name of the interface.
  public static let interface = "org.tallymark.Counters"
}

extension Counters {
  /// A method; the raw value is its short name.
  public enum Method: String, CaseIterable, Sendable {
    /// Creates a counter, as the last one of its group. The first counter becomes the current one. Defaults: the name
    /// as title, start 0, step 1 (1 whole unit with decimals, 1 second for a stopwatch). `kind` is only needed for a
    /// stopwatch; a counter with a target is a goal.
    case create = "Create"
    /// Changes settings of a counter. Omitted settings keep their value. `clear` names settings that return to their
    /// default: none, or the name for a title; a call cannot set them as well. `newName` renames the counter, which
    /// keeps its history. `counter` may be the name of a formula, which has a name, title, colour, icon, note and
    /// group, and can be archived.
    case set = "Set"
    /// Locks a counter: it refuses every change except Unlock.
    case lock = "Lock"
    /// Unlocks a counter.
    case unlock = "Unlock"
    /// Moves a counter before or after another counter and into the group of that counter, without `group`. Otherwise
    /// moves it to the first place, or without `first` to the last place, of `group`; default: its own group; an empty
    /// name means no group. A formula is moved among the formulas, which follow the counters of their group.
    case move = "Move"
    /// Starts a stopwatch. Its value grows when it is stopped and at each lap. With `group` or `all` starts the stopped
    /// ones of a group or all that are neither locked nor archived: they are started, and undone, together, and the
    /// returned event is that of the group or of all.
    case start = "Start"
    /// Stops a stopwatch and adds the time of the run to its value; with `group` or `all` those that are running.
    case stop = "Stop"
    /// Starts a stopped stopwatch, or stops a running one. With `group` or `all` stops those that are running; if none
    /// is, starts all.
    case toggle = "Toggle"
    /// Ends a lap of a running stopwatch, whose duration is the event's `lap`, and starts the next one; with `group` or
    /// `all` of each that is running.
    case lap = "Lap"
    /// Creates a group. The rules for names are those of counters; a group and a counter may have the same name.
    case createGroup = "CreateGroup"
    /// Changes settings of a group, as Set does.
    case setGroup = "SetGroup"
    /// Removes a group; its counters and formulas remain without a group. An undo restores the group with them.
    case removeGroup = "RemoveGroup"
    /// Moves a group before or after another group, to the first place, or without any of the three to the last place.
    case moveGroup = "MoveGroup"
    /// Creates a formula. The default of `display` is "number".
    case createFormula = "CreateFormula"
    /// Changes settings of a formula, as Set does. When a counter or formula is renamed, formulas that mention it are
    /// updated.
    case setFormula = "SetFormula"
    /// Returns all groups in order.
    case groups = "Groups"
    /// Summarises the counters of a group, or those without a group. Archived counters are left out. If the counters
    /// differ in their decimals, or only some are stopwatches, `sum`, `decimals`, `share`, `highest` and `lowest` are
    /// absent.
    case overview = "Overview"
    /// Sets the note about an event, at most 2000 characters. It replaces an earlier note; no text or an empty one
    /// removes it. Without the right "read" the event in the reply has no `alterations`: they tell the earlier note, as
    /// they do in the reply to an Undo or a Redo of this one.
    case note = "Note"
    /// Returns all counters in order (those without a group, then those of each group) and all formulas; `formulas` is
    /// absent if there are none. `counters` may name counters and formulas: then only these are returned, in that
    /// order. `trouble` is present while changes cannot be stored, because a disk is full or has failed: a sentence for
    /// the user.
    case list = "List"
    /// Returns a counter.
    case get = "Get"
    /// Adds `amount` (1 or more), `quantity` (as in Change) or the counter's step to a counter. `time` is for a count
    /// that was missed: the event is appended as the last one and has that time, which must not be in the future. With
    /// a `gesture` in the cause and without an amount it starts or stops a stopwatch, as Toggle does.
    case add = "Add"
    /// Subtracts `amount` (1 or more), `quantity` (as in Change) or the counter's `stepDown` or `step` from a counter;
    /// `time` as in Add.
    case subtract = "Subtract"
    /// Makes a counter the current one, which gestures and methods use if they name no counter.
    case select = "Select"
    /// Selects the next counter of the group of the current counter, in the order of List; after the last one the
    /// first. With `groups` selects the first counter of the next group; the counters without a group are the first
    /// group.
    case next = "Next"
    /// Selects the previous counter, or with `groups` the first counter of the previous group; before the first one the
    /// last.
    case previous = "Previous"
    /// Removes a counter or a formula. Its history is kept, and an undo restores it. Formulas that mention it have no
    /// value.
    case remove = "Remove"
    /// Resets a counter, or with `group` or `all` those of a group or all that are neither locked nor archived, to the
    /// start value. Without `confirmed` a reset takes two calls: the first returns an event of kind "armed", and a
    /// second one for the same counters within 3 seconds (`reset-window` in core.toml) resets. `by`, 1 to 128 bytes,
    /// tells people at one counter apart, such as by their terminals: a call confirms only one with the same `by`. A
    /// count in between cancels the reset. The counters of a group or of all are reset, and undone, together: the
    /// returned event is that of the group or of all, and the events of the counters follow with the same `batch`.
    /// Without a counter to reset: error NothingToReset.
    case reset = "Reset"
    /// Sets a counter to the correct value: either `value` or `quantity`, which is text as in Change.
    case correct = "Correct"
    /// Undoes the last event that is not undone yet, of one counter or formula or of all; a further call undoes the one
    /// before it. Events of kind selected, armed, locked, unlocked and renewed are skipped, and without `counter` those
    /// of locked counters and removals whose name is in use now, too; but nothing except counts is undone before what
    /// is locked. An import that changed nothing, because all of it existed already, is no step of its own. The undo of
    /// a change that needs the right "administer" needs this right, too, and so does a redo of it; in a delivery, and
    /// where the gesture of the cause is a press of a key, both are refused. A count of a period that has ended is
    /// undone in that period, and the present value stays; no undo takes the value of a period further beyond its
    /// limits. With `sequence` instead of `counter` undoes that event: a count, unless a later reset or correction set
    /// the value of its period; a change of title, colour, icon, note or tags while these are what it made them; the
    /// end of the last period, unless a reset or correction followed (its counts, late ones included, are added to the
    /// value); another event while it is the last one of its counter, group or formula (otherwise error NothingToUndo).
    /// In each case the whole batch is undone or, if one of its events cannot be, nothing; of an import likewise all
    /// events, with `counter` those of that counter. A name that nothing has any more stands for the latest that had
    /// it. Without `sequence` changes that changed nothing are passed over.
    case undo = "Undo"
    /// Redoes what the last undo undid, of one counter or of all, if no other change followed, nor an end of the period
    /// whose end was undone; a further call redoes the one before it.
    case redo = "Redo"
    /// Returns the last ends of periods that are still to come, because a clock that was ahead has ended the periods:
    /// the latest first, at most 8, of all counters or of some. Only ends with a count that `Undo` would bring back
    /// now; the search ends after 64 counters.
    case earlyEnds = "EarlyEnds"
    /// Returns a page of the history of one counter, of several or of all, removed ones included: the events after
    /// `after` (oldest first) or before `before` (newest first); without both the newest. A page has at most `limit`
    /// events, 1 to 1000, default 100; `more` tells whether more events may follow. An event is returned if it matches
    /// all filters.
    case history = "History"
    /// Returns the totals of the intervals between 2 to 2001 times in ascending order, for the named counters or for
    /// all. The caller chooses the bounds, because the start of a day depends on the time zone. Sums are exact: their
    /// unit is the largest number of decimals of the counters, which is `decimals` (absent for 0). If only stopwatches
    /// are named, sums are microseconds and `stopwatches` is true; stopwatches named together with other counters are
    /// left out. With `each` the reply has the totals of every counter separately in `counters`, and `totals` is empty.
    /// The number of counters times the number of intervals must not exceed 100000. Of a shared counter the counts of
    /// all stations are included, those of others at the start of their quarter hour; with `own` only those of this
    /// station.
    case totals = "Totals"
    /// Returns statistics of the time from `from` until before `until`, which are widened to full quarter hours;
    /// default: the whole history. Counts that were undone at any time later are left out. `own` is that of Totals.
    case statistics = "Statistics"
    /// Returns the values of the named counters, or of all, at a time in the past, as they are known now: a count that
    /// was entered later is in them, and what was undone since is not. A counter that did not exist at that time has no
    /// value. `counters` may name formulas, too: their values then, computed by their present expressions, with the
    /// present settings and groups of the counters, are in `formulas`, as in Formula. `rate` is that of the counts in
    /// the value at that time. A counter that did not exist at that time has its start value in a formula, unless none
    /// of the formula's counters did. With `from`, the value of a counter that had a whole period since then is its
    /// start value with the sum of its counts since then, the `rate` is over that time, and a formula with the
    /// counter's target has no value.
    case past = "Past"
    /// Exports everything for Import, here or on another machine: first the format, then all groups, counters (removed
    /// ones included) and formulas, then all events in order, then the end. Each entry is an object with one member:
    /// tallymark (the version, 1), group, counter, formula or event, whose members are those of Group, Counter, Formula
    /// and Event as the journal has them, or end, whose member `events` is the number of events. Called with `more` it
    /// sends page by page, all from one snapshot, without the counts made meanwhile. Otherwise it returns one page; the
    /// pages are not from one snapshot. Without `after` the page has everything except events, and `next` is 0. With
    /// `after` it has the events after that sequence number, which is not beyond that of the last event, and `next` is
    /// the `after` of the next page, if any.
    case export = "Export"
    /// Imports entries of Export: all or, after an error, none. A long archive is sent in several calls on one
    /// connection, all but the last with `continues`; only the last call imports. An archive that begins with its
    /// format must have its end. With `trial` the reply tells what an import would do, and nothing changes. One undo
    /// without `counter` undoes the whole import, for which the right "administer" is needed as well. `clash` is the
    /// treatment of a counter or formula whose name is in use: "merge" (adds the new events of its history to the
    /// existing counter; the default), "refuse" (error BadArchive), "keep" (leaves the imported one out) or "rename"
    /// (appends a number to its name). Merged events obey the limits, locks, periods and goals of the existing counter;
    /// settings and ends of periods are not merged, and an existing formula stays as it is. A counter, group or formula
    /// that was created at the same time by the same cause is the same one, whatever it is called now: "merge" and
    /// "rename" merge such a counter, "keep" leaves it as it is. Nothing is merged of one whose creation was undone in
    /// the archive: an import may have been undone there. If another counter of the archive has its name, that one is
    /// created, with a number appended to the name. Events that exist already, with the same counter, time, kind,
    /// change (apart from what a limit cut off) and cause, are skipped and reported as duplicates; their undos and
    /// redos likewise. Those whose import was undone, here or in the archive, count as missing there, and the undo of
    /// an import is not merged. So an export changes nothing where it comes from, nor a second time elsewhere. If all
    /// new events undo each other, the import changes nothing and reports no events, except into an empty core. Two
    /// further kinds of entry are for data of other programs: {"value": {"name", "title" (optional), "value", "time"
    /// (optional)}} sets the value of a counter, a new one at that time, unless an earlier import brought the same, or
    /// set the counter to a limit that the value is beyond (it is in `kept` then), {"count": {"name", "time", "amount",
    /// "title" (optional), "again" (optional), "line" (optional), "day" (optional)}} adds a count at a time that has
    /// passed. `value` and `amount` are decimal text. Counters that do not exist are created; one that an import filled
    /// under this name and that was renamed since is found, and then one whose own title, in capital letters or not, is
    /// the text that the name was made of: `title`, or the name. `line` is the line of a file, for errors. With a `day`
    /// such as "2026-11-21" the count is added to that day, which begins by the period of the counter: in the middle of
    /// the hours that it shares with the calendar day and that have passed. Otherwise it is added at the time; it is
    /// recognised in later imports by its day. If an earlier import brought another amount for the counter and time,
    /// the error is BadArchive unless `again` is "replace" (only the difference is counted, also where an amount is
    /// here already and others of its time are not in the archive) or "add" (it is counted, whatever is here). New
    /// events from before the time at which an import set their counter to a value are such an error too, because the
    /// value may contain them, unless the archive has that event, or `again` in their counter's entry is "add". `line`
    /// may be in any entry. What the import makes of such entries, and of entities without events, is one batch with
    /// the cause "import", whose device is the `file`.
    case `import` = "Import"
    /// Sends the current state, then every change of the named counters and formulas, or of all. Must be called with
    /// `more`. The first reply has `counters` and `formulas`. Each later reply has an `event`, and the `counter` after
    /// it unless it was removed. The rename of a group is followed by a reply with each `counter` of the group, without
    /// an event. Formulas whose value or group changed come with the last event of a commit, or in a reply of their own
    /// if only formulas are watched. A client that reads too slowly gets a reply with `resynchronise` and all
    /// `counters` instead of the events that it missed.
    case watch = "Watch"
    /// Opens a producer and starts a new epoch. Programs that deliver in an older epoch of the same producer are
    /// fenced: they get ProducerFenced. Producer names are separate for each user. The deliveries of an epoch are
    /// numbered from 1.
    case open = "Open"
    /// Makes all changes or none, exactly once: a repeated call with the same producer (of the same user), epoch and
    /// sequence returns the same events with `duplicate`, and counts nothing. The last 64 replies are stored. After an
    /// error the sequence number is still unused. If an undo with `made` finds nothing, the number is used up and
    /// `events` is empty.
    case deliver = "Deliver"
    /// The fleet of this core, with its stations and counters; the reply is empty if it is in none. With `brief`,
    /// `authorities`, `trouble`, `stations`, `others` and `offers` are absent, and the counters have only `name`, `id`,
    /// `value`, `own` and `decimals`.
    case fleet = "Fleet"
    /// Joins a fleet, or changes its settings: in a fleet, what is absent stays as it is. `fleet` and `station` have 1
    /// to 32 of a-z, 0-9 and "-" and do not begin with "-"; `broker` is the URL of an MQTT broker:
    /// mqtt://[USER[:PASSWORD]@]HOST[:PORT], or mqtts://. `station` cannot be the name of another station that is
    /// online. `authorities` has the certificates (PEM, at most 16 KiB) of those who may vouch for the broker; if it is
    /// empty or was never given, the system's may. If `obeying`, clients of the broker may count here by messages; at
    /// first they may not.
    case joinFleet = "JoinFleet"
    /// Leaves the fleet. The shared counters keep their values and are counted here alone.
    case leaveFleet = "LeaveFleet"
    /// Shares a counter with the fleet; its count since its start becomes the first entry. Stopwatches cannot be
    /// shared.
    case shareCounter = "ShareCounter"
    /// Counts a counter that another station shares. `counter` is the name or the ID of an offer, `newName` the name to
    /// give it here. If a counter of that name exists here, `bring` says whether its count since its start is added to
    /// the total (true) or is dropped (false). Of a counter that was this one before the core left the fleet, only the
    /// count since then is added; if it was reset, imported or in another fleet or period since, that count is unknown,
    /// and `bring` gives BadSetting. So does `bring` without a counter to bring, and an absent `newName` if that
    /// counter has another name here. The counter gets the limits and the goal that it has at the station that offers
    /// it, if it has some there.
    case adoptCounter = "AdoptCounter"
    /// Removes a station that will not come back at all stations; it must not be this one nor online. Its counts stay,
    /// as `others`. If it comes back, it is there again. Fails with NoAnswer if the broker is away, or has not taken
    /// that within 5 s, such as for want of rights.
    case forgetStation = "ForgetStation"
    /// For the bridge: the settings of the fleet, and the messages to publish. Must be called with `more`. The first
    /// reply has everything that is published at each connection, as far as it fits into a reply of about 1 MiB, and
    /// the next ones have the rest; if the core is in no fleet, they come when it joins one. Each later reply has what
    /// is new, at most 5 messages a second for each counter, or other settings with all messages, or `left`, or
    /// `reportable`: there is something to report. The bridge describes the station to others, and removes its
    /// description and settings when it leaves or takes another name.
    case linkFleet = "LinkFleet"
    /// For the bridge: learns from messages of the fleet, at most 1000. The reply has the messages to publish in
    /// return, and what is wrong with bad ones. A bad message has no other effect. Of messages that the broker did not
    /// hold, it also has the resets that are wanted of their senders, and the stations that have sent new rows of
    /// resets.
    case learnFleet = "LearnFleet"
    /// For the bridge: the rows of a reset from the `offset`th on, at most `limit` (1 to 1000). The reply is empty if
    /// the reset is unknown here.
    case resetRows = "ResetRows"
    /// For the bridge: the digests of the histories of writers, at most 1000, that are known here. Writers whose
    /// history cannot be learned are left out.
    case historyDigests = "HistoryDigests"
    /// For the bridge: the quarter hours of writers, at most 1000, after marks, in the order of `after`: at most
    /// `limit` (1 to 1000) in all.
    case quarterRows = "QuarterRows"
    /// For the bridge: sends a report on the links, with what is new: of the counts and the history that are known
    /// here. With `all`, it has all known counts; with `settings`, those of all counters, and what this station kept
    /// after resets; with `digests`, those of the histories of all writers. The bridge decides when: each report
    /// reaches all stations. Within a second after a report, the reply on the links is only that there is something to
    /// report, if there is.
    case sendReport = "SendReport"
    /// For the bridge: whether it is connected to the broker, and what is wrong: at most 16 sentences of 500
    /// characters, one a line; at most 40 sentences of 1000 characters about messages and names of stations; both of
    /// which `Fleet` shows as the bridge's; and whether a copy of this station counts under its name.
    case reportFleet = "ReportFleet"

    /// The name that a call has on the wire.
    public var qualifiedName: String { "\(Counters.interface).\(rawValue)" }
  }
}

extension Counters {
  /// The parameters of all methods, and the members of structures in them.
  public enum Parameter: MemberName, InterfaceMember {
    case name, title, start, step, cause, kind, decimals, colour, icon, note, tags, group, stepDown, minimum, maximum, limits, target, every, period, counter, newName, archived, clear, before, after, first, all, formula, display, sequence, text, counters, amount, quantity, time, groups, confirmed, by, value, limit, producer, device, gesture, from, until, id, bounds, each, own, entries, clash, trial, continues, file, epoch, changes, brief, broker, fleet, station, authorities, obeying, bring, messages, reset, offset, writers, settings, digests, connected, trouble, problems, copied, verb, made, together, registers, resets, undone, held, asked, of, quarters, writer, number, known, wanted, counts, quarter, sum, added, subtracted, last, more, entry, base, size, digest, change, topic, retained, product, online, definition, history, kept, report, removed, heard
  }
}

extension Counters.Request<Counters.EventReply> {
  public static func create(_ name: String, title: String? = nil, start: Int64? = nil, step: Int64? = nil, kind: String? = nil, decimals: Int64? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil, tags: [String]? = nil, group: String? = nil, stepDown: Int64? = nil, minimum: Int64? = nil, maximum: Int64? = nil, limits: String? = nil, target: Int64? = nil, every: Int64? = nil, period: String? = nil) -> Self {
    .init(.create, [.name: name, .title: title, .start: start, .step: step, .kind: kind, .decimals: decimals, .colour: colour, .icon: icon, .note: note, .tags: tags, .group: group, .stepDown: stepDown, .minimum: minimum, .maximum: maximum, .limits: limits, .target: target, .every: every, .period: period])
  }
  public static func set(_ counter: String? = nil, newName: String? = nil, title: String? = nil, start: Int64? = nil, step: Int64? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil, tags: [String]? = nil, group: String? = nil, archived: Bool? = nil, stepDown: Int64? = nil, minimum: Int64? = nil, maximum: Int64? = nil, limits: String? = nil, target: Int64? = nil, every: Int64? = nil, period: String? = nil, clear: [String]? = nil) -> Self {
    .init(.set, [.counter: counter, .newName: newName, .title: title, .start: start, .step: step, .colour: colour, .icon: icon, .note: note, .tags: tags, .group: group, .archived: archived, .stepDown: stepDown, .minimum: minimum, .maximum: maximum, .limits: limits, .target: target, .every: every, .period: period, .clear: clear])
  }
  public static func lock(_ counter: String? = nil) -> Self {
    .init(.lock, [.counter: counter])
  }
  public static func unlock(_ counter: String? = nil) -> Self {
    .init(.unlock, [.counter: counter])
  }
  public static func move(_ counter: String? = nil, before: String? = nil, after: String? = nil, first: Bool? = nil, group: String? = nil) -> Self {
    .init(.move, [.counter: counter, .before: before, .after: after, .first: first, .group: group])
  }
  public static func start(_ counter: String? = nil, group: String? = nil, all: Bool? = nil) -> Self {
    .init(.start, [.counter: counter, .group: group, .all: all])
  }
  public static func stop(_ counter: String? = nil, group: String? = nil, all: Bool? = nil) -> Self {
    .init(.stop, [.counter: counter, .group: group, .all: all])
  }
  public static func toggle(_ counter: String? = nil, group: String? = nil, all: Bool? = nil) -> Self {
    .init(.toggle, [.counter: counter, .group: group, .all: all])
  }
  public static func lap(_ counter: String? = nil, group: String? = nil, all: Bool? = nil) -> Self {
    .init(.lap, [.counter: counter, .group: group, .all: all])
  }
  public static func createGroup(_ name: String, title: String? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil) -> Self {
    .init(.createGroup, [.name: name, .title: title, .colour: colour, .icon: icon, .note: note])
  }
  public static func setGroup(_ group: String, newName: String? = nil, title: String? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil, clear: [String]? = nil) -> Self {
    .init(.setGroup, [.group: group, .newName: newName, .title: title, .colour: colour, .icon: icon, .note: note, .clear: clear])
  }
  public static func removeGroup(_ group: String) -> Self {
    .init(.removeGroup, [.group: group])
  }
  public static func moveGroup(_ group: String, before: String? = nil, after: String? = nil, first: Bool? = nil) -> Self {
    .init(.moveGroup, [.group: group, .before: before, .after: after, .first: first])
  }
  public static func createFormula(_ name: String, formula: String, display: String? = nil, title: String? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil, group: String? = nil) -> Self {
    .init(.createFormula, [.name: name, .formula: formula, .display: display, .title: title, .colour: colour, .icon: icon, .note: note, .group: group])
  }
  public static func setFormula(_ name: String, newName: String? = nil, formula: String? = nil, display: String? = nil, title: String? = nil, colour: String? = nil, icon: String? = nil, note: String? = nil, clear: [String]? = nil, group: String? = nil, archived: Bool? = nil) -> Self {
    .init(.setFormula, [.name: name, .newName: newName, .formula: formula, .display: display, .title: title, .colour: colour, .icon: icon, .note: note, .clear: clear, .group: group, .archived: archived])
  }
  public static func note(sequence: Int64, text: String? = nil) -> Self {
    .init(.note, [.sequence: sequence, .text: text])
  }
  public static func add(_ counter: String? = nil, amount: Int64? = nil, quantity: String? = nil, time: Int64? = nil) -> Self {
    .init(.add, [.counter: counter, .amount: amount, .quantity: quantity, .time: time])
  }
  public static func subtract(_ counter: String? = nil, amount: Int64? = nil, quantity: String? = nil, time: Int64? = nil) -> Self {
    .init(.subtract, [.counter: counter, .amount: amount, .quantity: quantity, .time: time])
  }
  public static func select(_ counter: String) -> Self {
    .init(.select, [.counter: counter])
  }
  public static func next(groups: Bool? = nil) -> Self {
    .init(.next, [.groups: groups])
  }
  public static func previous(groups: Bool? = nil) -> Self {
    .init(.previous, [.groups: groups])
  }
  public static func remove(_ counter: String) -> Self {
    .init(.remove, [.counter: counter])
  }
  public static func reset(_ counter: String? = nil, confirmed: Bool? = nil, group: String? = nil, all: Bool? = nil, by: String? = nil) -> Self {
    .init(.reset, [.counter: counter, .confirmed: confirmed, .group: group, .all: all, .by: by])
  }
  public static func correct(_ counter: String? = nil, value: Int64? = nil, quantity: String? = nil) -> Self {
    .init(.correct, [.counter: counter, .value: value, .quantity: quantity])
  }
  public static func undo(_ counter: String? = nil, sequence: Int64? = nil) -> Self {
    .init(.undo, [.counter: counter, .sequence: sequence])
  }
  public static func redo(_ counter: String? = nil) -> Self {
    .init(.redo, [.counter: counter])
  }
}

extension Counters.Request<Counters.GroupsReply> {
  public static var groups: Self { .init(.groups) }
}

extension Counters.Request<Counters.OverviewReply> {
  public static func overview(_ group: String? = nil) -> Self {
    .init(.overview, [.group: group])
  }
}

extension Counters.Request<Counters.ListReply> {
  public static func list(counters: [String]? = nil) -> Self {
    .init(.list, [.counters: counters])
  }
}

extension Counters.Request<Counters.CounterReply> {
  public static func get(_ counter: String? = nil) -> Self {
    .init(.get, [.counter: counter])
  }
}

extension Counters.Request<Counters.EventsReply> {
  public static func earlyEnds(counters: [String]? = nil) -> Self {
    .init(.earlyEnds, [.counters: counters])
  }
}

extension Counters.Request<Counters.HistoryReply> {
  public static func history(counters: [String]? = nil, after: Int64? = nil, before: Int64? = nil, limit: Int64? = nil, producer: String? = nil, device: String? = nil, gesture: String? = nil, from: Int64? = nil, until: Int64? = nil, id: Int64? = nil) -> Self {
    .init(.history, [.counters: counters, .after: after, .before: before, .limit: limit, .producer: producer, .device: device, .gesture: gesture, .from: from, .until: until, .id: id])
  }
}

extension Counters.Request<Counters.TotalsReply> {
  public static func totals(counters: [String]? = nil, bounds: [Int64], each: Bool? = nil, own: Bool? = nil) -> Self {
    .init(.totals, [.counters: counters, .bounds: bounds, .each: each, .own: own])
  }
}

extension Counters.Request<Counters.StatisticsReply> {
  public static func statistics(counters: [String]? = nil, from: Int64? = nil, until: Int64? = nil, own: Bool? = nil) -> Self {
    .init(.statistics, [.counters: counters, .from: from, .until: until, .own: own])
  }
}

extension Counters.Request<Counters.PastReply> {
  public static func past(counters: [String]? = nil, time: Int64, from: Int64? = nil) -> Self {
    .init(.past, [.counters: counters, .time: time, .from: from])
  }
}

extension Counters.Request<Counters.ExportReply> {
  public static func export(after: Int64? = nil) -> Self {
    .init(.export, [.after: after])
  }
}

extension Counters.Request<Counters.ImportReply> {
  public static func `import`(entries: [JSON], clash: String? = nil, trial: Bool? = nil, continues: Bool? = nil, file: String? = nil) -> Self {
    .init(.`import`, [.entries: entries, .clash: clash, .trial: trial, .continues: continues, .file: file])
  }
}

extension Counters.Request<Counters.WatchReply> {
  public static func watch(counters: [String]? = nil) -> Self {
    .init(.watch, [.counters: counters])
  }
}

extension Counters.Request<Counters.OpenReply> {
  public static func open(producer: String) -> Self {
    .init(.open, [.producer: producer])
  }
}

extension Counters.Request<Counters.DeliverReply> {
  public static func deliver(producer: String, epoch: Int64, sequence: Int64, changes: [Counters.Change]) -> Self {
    .init(.deliver, [.producer: producer, .epoch: epoch, .sequence: sequence, .changes: changes])
  }
}

extension Counters.Request<Counters.FleetReply> {
  public static func fleet(brief: Bool? = nil) -> Self {
    .init(.fleet, [.brief: brief])
  }
}

extension Counters.Request<Counters.EmptyReply> {
  public static func joinFleet(broker: String? = nil, fleet: String? = nil, station: String? = nil, authorities: String? = nil, obeying: Bool? = nil) -> Self {
    .init(.joinFleet, [.broker: broker, .fleet: fleet, .station: station, .authorities: authorities, .obeying: obeying])
  }
  public static var leaveFleet: Self { .init(.leaveFleet) }
  public static func forgetStation(station: String) -> Self {
    .init(.forgetStation, [.station: station])
  }
  public static func sendReport(all: Bool, settings: Bool, digests: Bool) -> Self {
    .init(.sendReport, [.all: all, .settings: settings, .digests: digests])
  }
  public static func reportFleet(connected: Bool, trouble: String? = nil, problems: [String]? = nil, copied: Bool? = nil) -> Self {
    .init(.reportFleet, [.connected: connected, .trouble: trouble, .problems: problems, .copied: copied])
  }
}

extension Counters.Request<Counters.IdReply> {
  public static func shareCounter(_ counter: String) -> Self {
    .init(.shareCounter, [.counter: counter])
  }
}

extension Counters.Request<Counters.AdoptCounterReply> {
  public static func adoptCounter(_ counter: String, bring: Bool? = nil, newName: String? = nil) -> Self {
    .init(.adoptCounter, [.counter: counter, .bring: bring, .newName: newName])
  }
}

extension Counters.Request<Counters.LinkFleetReply> {
  public static var linkFleet: Self { .init(.linkFleet) }
}

extension Counters.Request<Counters.LearnFleetReply> {
  public static func learnFleet(messages: [Counters.StationMessage]) -> Self {
    .init(.learnFleet, [.messages: messages])
  }
}

extension Counters.Request<Counters.ResetRowsReply> {
  public static func resetRows(_ counter: String, period: Int64? = nil, reset: Counters.FleetEntry, offset: Int64, limit: Int64) -> Self {
    .init(.resetRows, [.counter: counter, .period: period, .reset: reset, .offset: offset, .limit: limit])
  }
}

extension Counters.Request<Counters.DigestsReply> {
  public static func historyDigests(_ counter: String, writers: [String]) -> Self {
    .init(.historyDigests, [.counter: counter, .writers: writers])
  }
}

extension Counters.Request<Counters.QuartersReply> {
  public static func quarterRows(_ counter: String, after: [Counters.FleetMark], limit: Int64) -> Self {
    .init(.quarterRows, [.counter: counter, .after: after, .limit: limit])
  }
}

extension Counters {
  /// The state of a counter. Optional members are absent if they have their default: empty, 0, false or none.
  public struct Counter: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, title, value, start, step, current, id, kind, decimals, colour, icon, note, tags, group, archived, locked, stepDown, minimum, maximum, limits, target, every, progress, reachedAt, since, elapsed, period, renewsAt, began, shared, own
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// 1 to 64 letters, digits, "-", "_" and "."; begins with a letter or a digit and contains a letter.
    public var name: String { self[.name] ?? "" }

    /// The title to show, 1 to 200 characters without control characters.
    public var title: String { self[.title] ?? "" }

    /// The value. For a running stopwatch, the value at `since`; see `elapsed`.
    public var value: Int64 { self[.value] ?? 0 }

    /// The initial value, to which a reset returns.
    public var start: Int64 { self[.start] ?? 0 }

    /// The amount that one gesture adds, 1 or more.
    public var step: Int64 { self[.step] ?? 0 }

    /// Whether this is the current counter, which is used where no counter is named.
    public var isCurrent: Bool { self[.current] ?? false }

    /// The ID, which never changes, not even when the counter is renamed. Counters, groups and formulas share one
    /// number range.
    public var id: Int64? { self[.id] }

    /// "goal" (it has a target) or "stopwatch"; absent for a simple counter.
    public var kind: String? { self[.kind] }

    /// The number of digits after the decimal point, 0 to 9. It cannot be changed after creation.
    public var decimals: Int64? { self[.decimals] }

    /// black, red, green, yellow, blue, magenta, cyan, white, grey, orange, purple, pink, brown, or #rrggbb.
    public var colour: String? { self[.colour] }

    /// An emoji or a few letters, at most 16 characters.
    public var icon: String? { self[.icon] }

    /// A note of at most 2000 characters.
    public var note: String? { self[.note] }

    /// At most 32 tags of at most 64 characters, without spaces.
    public var tags: [String] { self[.tags] ?? [] }

    /// The name of the group that it belongs to.
    public var group: String? { self[.group] }

    /// An archived counter keeps its value and history; a period that has ended is closed before its next change. Next
    /// and Previous skip it, and so does a reset of a group or of all.
    public var isArchived: Bool { self[.archived] ?? false }

    /// A locked counter refuses every change except Unlock.
    public var isLocked: Bool { self[.locked] ?? false }

    /// The amount that one gesture subtracts, 1 or more, if it differs from the step.
    public var stepDown: Int64? { self[.stepDown] }

    /// The lowest value. A stopwatch has none, but is never set below 0.
    public var minimum: Int64? { self[.minimum] }

    /// The highest value.
    public var maximum: Int64? { self[.maximum] }

    /// The treatment of a count beyond the minimum or maximum: "refuse" (error LimitReached, the default) or "stop"
    /// (the value stops at the limit, and the event is `limited`). For a count of a period that has ended, the value is
    /// the last one of that period.
    public var limits: String? { self[.limits] }

    /// The value to reach. Only a goal has it.
    public var target: Int64? { self[.target] }

    /// An event that passes a multiple of this, upwards or towards the target, reports the multiple in its `boundary`.
    /// The start is not reported.
    public var every: Int64? { self[.every] }

    /// Only a goal has it.
    public var progress: Counters.Progress? { self[.progress] }

    /// The time at which the target was reached; absent while the value is short of the target.
    public var reachedAt: Int64? { self[.reachedAt] }

    /// The start of the current run or lap of a stopwatch, adjusted to the current wall clock; absent while it is
    /// stopped.
    public var since: Int64? { self[.since] }

    /// The current reading of a running stopwatch: `value` plus the time since `since`. Steps of the wall clock do not
    /// affect it.
    public var elapsed: Int64? { self[.elapsed] }

    /// The schedule of automatic resets: "hourly 15" (the minute), "daily 04:00", "weekly monday 04:00", "monthly 1
    /// 00:00" (the last day in months that are shorter), "yearly 07-01 00:00" (02-29 is 02-28 in most years) or, once,
    /// "on 2026-12-24 18:00", each followed by the name of a time zone. A local time that a change of the clocks skips
    /// counts as the moment of the change; of a local time that occurs twice the first one counts. Hours begin whenever
    /// the clocks show the minute.
    public var period: String? { self[.period] }

    /// The end of the current period. Periods that end while the core is not running are closed at its next start:
    /// those with counts one by one, empty ones in a row by the event of the last one.
    public var renewsAt: Int64? { self[.renewsAt] }

    /// With a period: the time from which it counts, which is that of its creation, last reset or start of the period,
    /// or that of an earlier count that it had when it got the period.
    public var began: Int64? { self[.began] }

    /// Whether a fleet counts it: then `value` is the total of all stations.
    public var isShared: Bool { self[.shared] ?? false }

    /// Of a shared counter: the share of this station in the total.
    public var own: Int64? { self[.own] }
  }
}

extension Counters {
  /// A value computed from counters and other formulas. Counters and formulas share one namespace.
  public struct Formula: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, title, id, formula, display, value, text, colour, icon, note, group, archived
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var title: String { self[.title] ?? "" }

    public var id: Int64 { self[.id] ?? 0 }

    /// The expression, at most 1000 characters. Its elements are: names of counters (a stopwatch gives seconds) and of
    /// other formulas; numbers; + - * / with the usual precedence; % (divides by 100); brackets; < <= > >= = != (1 or
    /// 0); min, max, sum and average of values and of `group:NAME`; round(VALUE) and round(VALUE, DECIMALS);
    /// rate(COUNTER), the growth per hour since its creation, its last reset or the start of its period, or since its
    /// earliest count if that is earlier, computed over a minute at least; target(GOAL), left(GOAL) and done(GOAL). The
    /// longest possible name is read, so a minus sign after a name needs a space before it.
    public var formula: String { self[.formula] ?? "" }

    /// How `text` shows the value: number, percent or duration (the value is seconds).
    public var display: String { self[.display] ?? "" }

    /// A decimal number, computed with exact fractions and rounded to 12 decimals. Absent after a division by 0, if a
    /// counter in the expression does not exist, and if the numerator or denominator of a fraction exceeds 127 bits.
    public var value: String? { self[.value] }

    /// The value in the display format, such as "12.5", "33.3 %" or "1:02:03"; absent if there is no value.
    public var text: String? { self[.text] }

    public var colour: String? { self[.colour] }

    public var icon: String? { self[.icon] }

    public var note: String? { self[.note] }

    /// The name of the group that it belongs to. It is no member in sums of the group.
    public var group: String? { self[.group] }

    /// An archived formula keeps its value.
    public var isArchived: Bool { self[.archived] ?? false }
  }
}

extension Counters {
  /// The progress of a goal.
  public struct Progress: Structure {
    public enum Member: MemberName, InterfaceMember {
      case done, left, percent
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The distance from the start to the value, in the direction of the target.
    public var done: Int64 { self[.done] ?? 0 }

    /// The distance to the target; 0 once it is reached.
    public var left: Int64 { self[.left] ?? 0 }

    /// The percentage done, rounded down; above 100 beyond the target.
    public var percent: Int64 { self[.percent] ?? 0 }
  }
}

extension Counters {
  /// A group of counters.
  public struct Group: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, title, id, colour, icon, note
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var title: String { self[.title] ?? "" }

    public var id: Int64 { self[.id] ?? 0 }

    public var colour: String? { self[.colour] }

    public var icon: String? { self[.icon] }

    public var note: String? { self[.note] }
  }
}

extension Counters {
  /// The change of one setting by an event.
  public struct Alteration: Structure {
    public enum Member: MemberName, InterfaceMember {
      case field, before, after
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The name of the member in Counter, Group or Formula, or `order` (the position in the list; lower comes first).
    public var field: String { self[.field] ?? "" }

    /// The old and the new value, numbers as text; absent for none.
    public var before: String? { self[.before] }

    public var after: String? { self[.after] }
  }
}

extension Counters {
  /// The cause of an event. Each text has 1 to 128 bytes without control characters.
  public struct Cause: Structure {
    public enum Member: MemberName, InterfaceMember {
      case producer, device, gesture
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(producer: String, device: String? = nil, gesture: String? = nil) {
      object = [:]
      self.producer = producer
      self.device = device
      self.gesture = gesture
    }

    /// The program that made the call.
    public var producer: String {
      get { self[.producer] ?? "" }
      set { self[.producer] = newValue }
    }

    /// The name of the input device; of an import, that of its file.
    public var device: String? {
      get { self[.device] }
      set { self[.device] = newValue }
    }

    /// The gesture on that device, with its key: "swipe-down", "press KEY_B".
    public var gesture: String? {
      get { self[.gesture] }
      set { self[.gesture] = newValue }
    }
  }
}

extension Counters {
  /// One change. Events are never rewritten: an undo appends an event.
  public struct Event: Structure {
    public enum Member: MemberName, InterfaceMember {
      case sequence, time, kind, counter, change, value, undoes, cause, id, decimals, stopwatch, group, formula, began, reached, until, standing, boundary, limited, late, lap, batch, about, note, alterations
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The sequence number, which orders all events: 1, 2, 3, …
    public var sequence: Int64 { self[.sequence] ?? 0 }

    /// The time of the change. Events with a `time` of the past are appended like others, so times do not always
    /// ascend.
    public var time: Int64 { self[.time] ?? 0 }

    /// created, added, subtracted, selected, removed, undone, redone, armed (first request of a reset), reset,
    /// corrected, changed (settings), locked, unlocked, started, stopped, lapped, noted (a note about another event),
    /// or renewed (a period ended at this time with the value before the change, and the next one began; without
    /// `began` it subtracts the count before it, which belongs to a period that had ended already), or learned (counts
    /// and resets of other stations of the fleet). Clients must ignore unknown kinds.
    public var kind: String { self[.kind] ?? "" }

    /// The counter's name; empty for an event of a group, of a formula or of all counters.
    public var counter: String { self[.counter] ?? "" }

    /// The signed difference between the new and the old value.
    public var change: Int64 { self[.change] ?? 0 }

    /// The value after the event.
    public var value: Int64 { self[.value] ?? 0 }

    /// The sequence number of the event that this one undoes; for a redo that of the undo.
    public var undoes: Int64? { self[.undoes] }

    public var cause: Counters.Cause { self[.cause] ?? Counters.Cause() }

    /// The ID of the counter, group or formula.
    public var id: Int64? { self[.id] }

    /// The number of digits after the decimal point of `change`, `value` and `boundary`.
    public var decimals: Int64? { self[.decimals] }

    /// `change`, `value` and `boundary` are microseconds of a stopwatch.
    public var isStopwatch: Bool { self[.stopwatch] ?? false }

    /// The name of the group that the event concerns.
    public var group: String? { self[.group] }

    /// The name of the formula that the event concerns.
    public var formula: String? { self[.formula] }

    /// Of kind renewed: the start of the period that ended. Of kind changed: the wall clock was set back to a time
    /// before the start of the period, which was this, and the period continues.
    public var began: Int64? { self[.began] }

    /// The event reached the target.
    public var isReached: Bool { self[.reached] ?? false }

    /// Of kind armed: the time until which a second request resets. With `standing`: the end of the period.
    public var until: Int64? { self[.until] }

    /// In the reply to a count of a period that had ended, or to its undo: the counter's value, which stays as it is.
    public var standing: Int64? { self[.standing] }

    /// The last multiple of `every` that the event passed, as a value of the counter.
    public var boundary: Int64? { self[.boundary] }

    /// The minimum or maximum reduced the change.
    public var isLimited: Bool { self[.limited] ?? false }

    /// The count was entered later than it was made.
    public var isLate: Bool { self[.late] ?? false }

    /// The duration of the lap that the event ended, in microseconds.
    public var lap: Int64? { self[.lap] }

    /// The sequence number of the first event of a batch: events that were made, and are undone, together.
    public var batch: Int64? { self[.batch] }

    /// The sequence number of the event that this note is about.
    public var about: Int64? { self[.about] }

    /// The latest note about this event.
    public var note: String? { self[.note] }

    public var alterations: [Counters.Alteration] { self[.alterations] ?? [] }
  }
}

extension Counters {
  /// One change of a delivery. A member that its verb does not take gives the error InvalidParameter.
  public struct Change: Structure {
    public enum Member: MemberName, InterfaceMember {
      case verb, counter, amount, time, device, gesture, made, group, all, quantity, groups, together
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(verb: String, counter: String? = nil, amount: Int64? = nil, time: Int64? = nil, device: String? = nil, gesture: String? = nil, made: Int64? = nil, group: String? = nil, isAll: Bool = false, quantity: String? = nil, isGroups: Bool = false, isTogether: Bool = false) {
      object = [:]
      self.verb = verb
      self.counter = counter
      self.amount = amount
      self.time = time
      self.device = device
      self.gesture = gesture
      self.made = made
      self.group = group
      self.isAll = isAll
      self.quantity = quantity
      self.isGroups = isGroups
      self.isTogether = isTogether
    }

    /// add, subtract, select, next, previous, reset (twice), undo, redo, start, stop, toggle or lap.
    public var verb: String {
      get { self[.verb] ?? "" }
      set { self[.verb] = newValue }
    }

    /// The counter's name; default: the current counter, and for undo and redo all counters. If no counter exists, add
    /// without a name creates one called "count".
    public var counter: String? {
      get { self[.counter] }
      set { self[.counter] = newValue }
    }

    /// The amount, 1 or more, in the counter's unit; default: the counter's step. An add with a `gesture` and without
    /// an amount starts or stops a stopwatch, as toggle does.
    public var amount: Int64? {
      get { self[.amount] }
      set { self[.amount] = newValue }
    }

    /// The time of the change, up to the year 9999; default: now, which a time in the future counts as, too.
    public var time: Int64? {
      get { self[.time] }
      set { self[.time] = newValue }
    }

    public var device: String? {
      get { self[.device] }
      set { self[.device] = newValue }
    }

    public var gesture: String? {
      get { self[.gesture] }
      set { self[.gesture] = newValue }
    }

    /// With undo: undoes the count that this producer made at this time with the same device, because the input turned
    /// out to be the beginning of another gesture. Does nothing if that count is not among the recent ones or is undone
    /// already. Without it undo undoes the last event.
    public var made: Int64? {
      get { self[.made] }
      set { self[.made] = newValue }
    }

    /// With reset, start, stop, toggle and lap: applies to all counters of this group, as in the method of that name.
    public var group: String? {
      get { self[.group] }
      set { self[.group] = newValue }
    }

    /// The same for all counters.
    public var isAll: Bool {
      get { self[.all] ?? false }
      set { self[.all] = newValue ? true : nil }
    }

    /// The amount as text instead of `amount`: "12.5", and for a stopwatch seconds ("90") or "1:30".
    public var quantity: String? {
      get { self[.quantity] }
      set { self[.quantity] = newValue }
    }

    /// With next and previous: selects the first counter of the next or previous group.
    public var isGroups: Bool {
      get { self[.groups] ?? false }
      set { self[.groups] = newValue ? true : nil }
    }

    /// The events of this change and of the change before it form one batch, which is undone together. Neither of the
    /// two may be an undo or a redo (otherwise error InvalidParameter).
    public var isTogether: Bool {
      get { self[.together] ?? false }
      set { self[.together] = newValue ? true : nil }
    }
  }
}

extension Counters {
  /// A counter of a group. `share` is its part of the sum in tenths of a percent, rounded; absent without a sum above
  /// 0, or if a member is negative.
  public struct GroupMember: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, share
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counter: Counters.Counter { self[.counter] ?? Counters.Counter() }

    public var share: Int64? { self[.share] }
  }
}

extension Counters {
  /// The counts of a time interval. Counts that were undone at any time later are left out; resets, corrections and
  /// counts of which a limit left nothing are not counts. A stopwatch adds the time in which it ran within the
  /// interval, the current run included.
  public struct Total: Structure {
    public enum Member: MemberName, InterfaceMember {
      case start, counts, added, subtracted, difference
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The start of the interval.
    public var start: Int64 { self[.start] ?? 0 }

    /// The number of counts; for stopwatches of the runs and laps of which a part is within the interval.
    public var counts: Int64 { self[.counts] ?? 0 }

    /// The sum of the amounts added, in the unit of the reply. A sum beyond 64 bits is clamped.
    public var added: Int64 { self[.added] ?? 0 }

    /// The sum of the amounts subtracted, likewise.
    public var subtracted: Int64 { self[.subtracted] ?? 0 }

    /// The difference, if one of the sums is clamped; likewise.
    public var difference: Int64? { self[.difference] }
  }
}

extension Counters {
  /// The totals of one counter; see Totals.
  public struct CounterTotals: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, totals, decimals, stopwatches
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// The name in the call, or else the counter's name.
    public var name: String { self[.name] ?? "" }

    public var totals: [Counters.Total] { self[.totals] ?? [] }

    public var decimals: Int64? { self[.decimals] }

    public var isStopwatches: Bool { self[.stopwatches] ?? false }
  }
}

extension Counters {
  /// The time between two counts.
  public struct Gap: Structure {
    public enum Member: MemberName, InterfaceMember {
      case start, end
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var start: Int64 { self[.start] ?? 0 }

    public var end: Int64 { self[.end] ?? 0 }
  }
}

extension Counters {
  /// The value of a counter at an earlier time; absent if it did not exist then.
  public struct PastValue: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, value
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var value: Int64? { self[.value] }
  }
}

extension Counters {
  /// The value of a formula at an earlier time, as in Formula.
  public struct PastFormula: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, value, text
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var value: String? { self[.value] }

    public var text: String? { self[.text] }
  }
}

extension Counters {
  /// The amounts of an import that the limits of a counter cut off, in its unit: of what was to be added, and of what
  /// was to be subtracted. A sum beyond 64 bits is clamped.
  public struct ImportCut: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, added, subtracted, decimals, kind
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var added: Int64 { self[.added] ?? 0 }

    public var subtracted: Int64 { self[.subtracted] ?? 0 }

    public var decimals: Int64? { self[.decimals] }

    public var kind: String? { self[.kind] }
  }
}

extension Counters {
  /// A counter that keeps its value in an import, because an earlier import set the `value` of the archive, as decimal
  /// text.
  public struct ImportKept: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, value
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var value: String { self[.value] ?? "" }
  }
}

extension Counters {
  /// A counter or formula of the archive that was removed here, and a sentence that says how to bring it back, or why
  /// that is refused. Of many, the sentences after the fifth one are empty.
  public struct ImportRemoved: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, remedy
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var remedy: String { self[.remedy] ?? "" }
  }
}

extension Counters {
  /// A counter that was renamed since an earlier import filled it: its name in the archive, and its name here.
  public struct ImportRenamed: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, here
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var here: String { self[.here] ?? "" }
  }
}

extension Counters {
  /// Several counts of one counter with the same time, in microseconds since 1970, that an import added.
  public struct ImportRepeated: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, time, counts
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var time: Int64 { self[.time] ?? 0 }

    public var counts: Int64 { self[.counts] ?? 0 }
  }
}

extension Counters {
  /// A row on whose day something was entered by hand: the day or time of the row, its amount, what was entered, and
  /// the sum of both, as decimal text in the unit of the counter.
  public struct ImportCorrected: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, time, amount, byHand, sum
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var time: String { self[.time] ?? "" }

    public var amount: String { self[.amount] ?? "" }

    public var byHand: String { self[.byHand] ?? "" }

    public var sum: String { self[.sum] ?? "" }
  }
}

extension Counters {
  /// The number of a delivery.
  public struct DeliveryNumber: Structure {
    public enum Member: MemberName, InterfaceMember {
      case epoch, sequence
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var epoch: Int64 { self[.epoch] ?? 0 }

    public var sequence: Int64 { self[.sequence] ?? 0 }
  }
}

extension Counters {
  /// A message of a station. `topic` is relative to "tallymark/FLEET/".
  public struct Publication: Structure {
    public enum Member: MemberName, InterfaceMember {
      case topic, retained, payload
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var topic: String { self[.topic] ?? "" }

    public var isRetained: Bool { self[.retained] ?? false }

    public var payload: String { self[.payload] ?? "" }
  }
}

extension Counters {
  /// A station of the fleet. Members are absent while nothing was heard about them.
  public struct FleetStation: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, id, own, online, behind, lag, heard, contribution, clock, version, lastSeen
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    /// 32 hexadecimal digits, or empty while the station has not told it.
    public var id: String { self[.id] ?? "" }

    /// Whether this is the station that replies.
    public var isOwn: Bool { self[.own] ?? false }

    /// Whether it is connected to the broker; absent while this station is not.
    public var isOnline: Bool { self[.online] ?? false }

    /// How many changes of this station (counts, undos and redos) no report of it has named yet. Stations report every
    /// 10 s at most.
    public var behind: Int64? { self[.behind] }

    /// For how long the first of these changes has been published, in microseconds.
    public var lag: Int64? { self[.lag] }

    /// How many changes of this station it has confirmed.
    public var heard: Int64? { self[.heard] }

    /// Its share of the present totals of all shared counters, in units of the last decimal; absent without a shared
    /// counter, and if these differ in their decimals. Each counter has its own shares.
    public var contribution: Int64? { self[.contribution] }

    /// How far its clock is ahead of this one, in microseconds.
    public var clock: Int64? { self[.clock] }

    /// The version of Tallymark.
    public var version: String? { self[.version] }

    /// The time of its last message here.
    public var lastSeen: Int64? { self[.lastSeen] }
  }
}

extension Counters {
  /// A counter that several stations count together.
  public struct SharedCounter: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, id, value, own, unheard, decimals, shares, others, kept
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var id: String { self[.id] ?? "" }

    /// The total of all stations, with the start.
    public var value: Int64 { self[.value] ?? 0 }

    /// The share of this station.
    public var own: Int64 { self[.own] ?? 0 }

    /// The number of changes of this station that no other one has reported yet.
    public var unheard: Int64? { self[.unheard] }

    public var decimals: Int64? { self[.decimals] }

    /// The parts of the total: those of the stations that have counted it, and the rest, of stations that have left or
    /// that were not heard yet.
    public var shares: [Counters.StationCounts] { self[.shares] ?? [] }

    public var others: Int64? { self[.others] }

    /// What stations that had not heard of the last reset yet had counted by then, before and after it. It stays.
    public var kept: [Counters.StationCounts] { self[.kept] ?? [] }
  }
}

extension Counters {
  /// Counts of a station, as their sum.
  public struct StationCounts: Structure {
    public enum Member: MemberName, InterfaceMember {
      case station, change
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var station: String { self[.station] ?? "" }

    public var change: Int64 { self[.change] ?? 0 }
  }
}

extension Counters {
  /// A counter that another station shares and that is not adopted here.
  public struct Offer: Structure {
    public enum Member: MemberName, InterfaceMember {
      case name, id, title, decimals, station, here, taken
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }

    public var id: String { self[.id] ?? "" }

    public var title: String { self[.title] ?? "" }

    public var decimals: Int64? { self[.decimals] }

    public var station: String { self[.station] ?? "" }

    /// The counter here that was it before the core left the fleet, or else the one of its name that can become it;
    /// absent if there is neither.
    public var here: String? { self[.here] }

    /// Whether another counter or a formula here has its name, so that it can only be adopted under another one.
    public var isTaken: Bool { self[.taken] ?? false }
  }
}

extension Counters {
  /// An act of a writer, which is one boot of a station. A writer has 64 lowercase hexadecimal digits.
  public struct FleetEntry: Structure {
    public enum Member: MemberName, InterfaceMember {
      case writer, number
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(writer: String, number: Int64) {
      object = [:]
      self.writer = writer
      self.number = number
    }

    public var writer: String {
      get { self[.writer] ?? "" }
      set { self[.writer] = newValue }
    }

    public var number: Int64 {
      get { self[.number] ?? 0 }
      set { self[.number] = newValue }
    }
  }
}

extension Counters {
  /// The sums of all counts that a writer has made of a counter in a period, up to the entry `number`.
  public struct FleetRegister: Structure {
    public enum Member: MemberName, InterfaceMember {
      case writer, number, added, subtracted, counts
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(writer: String, number: Int64, added: Int64, subtracted: Int64, counts: Int64) {
      object = [:]
      self.writer = writer
      self.number = number
      self.added = added
      self.subtracted = subtracted
      self.counts = counts
    }

    public var writer: String {
      get { self[.writer] ?? "" }
      set { self[.writer] = newValue }
    }

    public var number: Int64 {
      get { self[.number] ?? 0 }
      set { self[.number] = newValue }
    }

    public var added: Int64 {
      get { self[.added] ?? 0 }
      set { self[.added] = newValue }
    }

    public var subtracted: Int64 {
      get { self[.subtracted] ?? 0 }
      set { self[.subtracted] = newValue }
    }

    public var counts: Int64 {
      get { self[.counts] ?? 0 }
      set { self[.counts] = newValue }
    }
  }
}

extension Counters {
  /// A reset, or a part of it: registers that it includes, besides those in the reset `base`. The whole one has `size`
  /// rows.
  public struct FleetReset: Structure {
    public enum Member: MemberName, InterfaceMember {
      case entry, base, size, registers
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(entry: Counters.FleetEntry, base: Counters.FleetEntry? = nil, size: Int64, registers: [Counters.FleetRegister] = []) {
      object = [:]
      self.entry = entry
      self.base = base
      self.size = size
      self.registers = registers
    }

    public var entry: Counters.FleetEntry {
      get { self[.entry] ?? Counters.FleetEntry() }
      set { self[.entry] = newValue }
    }

    public var base: Counters.FleetEntry? {
      get { self[.base] }
      set { self[.base] = newValue }
    }

    public var size: Int64 {
      get { self[.size] ?? 0 }
      set { self[.size] = newValue }
    }

    public var registers: [Counters.FleetRegister] {
      get { self[.registers] ?? [] }
      set { self[.registers] = newValue.isEmpty ? nil : newValue }
    }
  }
}

extension Counters {
  /// A reset that a station knows completely, with the digest of its rows.
  public struct HeldReset: Structure {
    public enum Member: MemberName, InterfaceMember {
      case entry, digest
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(entry: Counters.FleetEntry, digest: Int64) {
      object = [:]
      self.entry = entry
      self.digest = digest
    }

    public var entry: Counters.FleetEntry {
      get { self[.entry] ?? Counters.FleetEntry() }
      set { self[.entry] = newValue }
    }

    public var digest: Int64 {
      get { self[.digest] ?? 0 }
      set { self[.digest] = newValue }
    }
  }
}

extension Counters {
  /// The counts of a writer in a quarter hour, up to the entry `number`. The first quarter hour of 1970 is 0. `first`
  /// and `last` are the times of counts, in microseconds since 1970.
  public struct FleetQuarter: Structure {
    public enum Member: MemberName, InterfaceMember {
      case quarter, number, counts, added, subtracted, first, last
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(quarter: Int64, number: Int64, counts: Int64, added: Int64, subtracted: Int64, first: Int64? = nil, last: Int64? = nil) {
      object = [:]
      self.quarter = quarter
      self.number = number
      self.counts = counts
      self.added = added
      self.subtracted = subtracted
      self.first = first
      self.last = last
    }

    public var quarter: Int64 {
      get { self[.quarter] ?? 0 }
      set { self[.quarter] = newValue }
    }

    public var number: Int64 {
      get { self[.number] ?? 0 }
      set { self[.number] = newValue }
    }

    public var counts: Int64 {
      get { self[.counts] ?? 0 }
      set { self[.counts] = newValue }
    }

    public var added: Int64 {
      get { self[.added] ?? 0 }
      set { self[.added] = newValue }
    }

    public var subtracted: Int64 {
      get { self[.subtracted] ?? 0 }
      set { self[.subtracted] = newValue }
    }

    public var first: Int64? {
      get { self[.first] }
      set { self[.first] = newValue }
    }

    public var last: Int64? {
      get { self[.last] }
      set { self[.last] = newValue }
    }
  }
}

extension Counters {
  /// Quarter hours of a writer, the last of which is `quarter`, changed by the entry `number`.
  public struct FleetQuarters: Structure {
    public enum Member: MemberName, InterfaceMember {
      case writer, number, quarter, more, quarters
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(writer: String, number: Int64, quarter: Int64, isMore: Bool = false, quarters: [Counters.FleetQuarter] = []) {
      object = [:]
      self.writer = writer
      self.number = number
      self.quarter = quarter
      self.isMore = isMore
      self.quarters = quarters
    }

    public var writer: String {
      get { self[.writer] ?? "" }
      set { self[.writer] = newValue }
    }

    public var number: Int64 {
      get { self[.number] ?? 0 }
      set { self[.number] = newValue }
    }

    public var quarter: Int64 {
      get { self[.quarter] ?? 0 }
      set { self[.quarter] = newValue }
    }

    public var isMore: Bool {
      get { self[.more] ?? false }
      set { self[.more] = newValue ? true : nil }
    }

    public var quarters: [Counters.FleetQuarter] {
      get { self[.quarters] ?? [] }
      set { self[.quarters] = newValue.isEmpty ? nil : newValue }
    }
  }
}

extension Counters {
  /// A position in the history of a writer: the entry that changed a quarter hour last, and the quarter hour. In a
  /// digest, `sum` is that of the hashes of all quarter hours.
  public struct FleetMark: Structure {
    public enum Member: MemberName, InterfaceMember {
      case writer, number, quarter, sum
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(writer: String, number: Int64, quarter: Int64, sum: Int64? = nil) {
      object = [:]
      self.writer = writer
      self.number = number
      self.quarter = quarter
      self.sum = sum
    }

    public var writer: String {
      get { self[.writer] ?? "" }
      set { self[.writer] = newValue }
    }

    public var number: Int64 {
      get { self[.number] ?? 0 }
      set { self[.number] = newValue }
    }

    public var quarter: Int64 {
      get { self[.quarter] ?? 0 }
      set { self[.quarter] = newValue }
    }

    public var sum: Int64? {
      get { self[.sum] }
      set { self[.sum] = newValue }
    }
  }
}

extension Counters {
  /// The counts of a counter in a period that a station has sent: rows to merge, resets that it knows completely
  /// (`held`), and resets that it asks the station `of` for.
  public struct FleetCounts: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, period, own, registers, resets, undone, held, asked, of, quarters
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(counter: String, period: Int64? = nil, isOwn: Bool = false, registers: [Counters.FleetRegister] = [], resets: [Counters.FleetReset] = [], undone: [Counters.FleetEntry] = [], held: [Counters.HeldReset] = [], asked: [Counters.FleetEntry] = [], of: String? = nil, quarters: Counters.FleetQuarters? = nil) {
      object = [:]
      self.counter = counter
      self.period = period
      self.isOwn = isOwn
      self.registers = registers
      self.resets = resets
      self.undone = undone
      self.held = held
      self.asked = asked
      self.of = of
      self.quarters = quarters
    }

    public var counter: String {
      get { self[.counter] ?? "" }
      set { self[.counter] = newValue }
    }

    public var period: Int64? {
      get { self[.period] }
      set { self[.period] = newValue }
    }

    /// Whether the rows are the sender's own.
    public var isOwn: Bool {
      get { self[.own] ?? false }
      set { self[.own] = newValue ? true : nil }
    }

    public var registers: [Counters.FleetRegister] {
      get { self[.registers] ?? [] }
      set { self[.registers] = newValue.isEmpty ? nil : newValue }
    }

    public var resets: [Counters.FleetReset] {
      get { self[.resets] ?? [] }
      set { self[.resets] = newValue.isEmpty ? nil : newValue }
    }

    public var undone: [Counters.FleetEntry] {
      get { self[.undone] ?? [] }
      set { self[.undone] = newValue.isEmpty ? nil : newValue }
    }

    public var held: [Counters.HeldReset] {
      get { self[.held] ?? [] }
      set { self[.held] = newValue.isEmpty ? nil : newValue }
    }

    public var asked: [Counters.FleetEntry] {
      get { self[.asked] ?? [] }
      set { self[.asked] = newValue.isEmpty ? nil : newValue }
    }

    public var of: String? {
      get { self[.of] }
      set { self[.of] = newValue }
    }

    /// The writer's last quarter hours.
    public var quarters: Counters.FleetQuarters? {
      get { self[.quarters] }
      set { self[.quarters] = newValue }
    }
  }
}

extension Counters {
  /// A message about the history of a counter: the digests that it knows, the marks after which it asks the station
  /// `of`, or quarter hours.
  public struct FleetHistory: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, known, wanted, of, quarters
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(counter: String, known: [Counters.FleetMark] = [], wanted: [Counters.FleetMark] = [], of: String? = nil, quarters: Counters.FleetQuarters? = nil) {
      object = [:]
      self.counter = counter
      self.known = known
      self.wanted = wanted
      self.of = of
      self.quarters = quarters
    }

    public var counter: String {
      get { self[.counter] ?? "" }
      set { self[.counter] = newValue }
    }

    public var known: [Counters.FleetMark] {
      get { self[.known] ?? [] }
      set { self[.known] = newValue.isEmpty ? nil : newValue }
    }

    public var wanted: [Counters.FleetMark] {
      get { self[.wanted] ?? [] }
      set { self[.wanted] = newValue.isEmpty ? nil : newValue }
    }

    public var of: String? {
      get { self[.of] }
      set { self[.of] = newValue }
    }

    public var quarters: Counters.FleetQuarters? {
      get { self[.quarters] }
      set { self[.quarters] = newValue }
    }
  }
}

extension Counters {
  /// A count that a station had made before it received a reset, and that the reset did not remove.
  public struct KeptCount: Structure {
    public enum Member: MemberName, InterfaceMember {
      case reset, change
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(reset: Counters.FleetEntry, change: Int64) {
      object = [:]
      self.reset = reset
      self.change = change
    }

    public var reset: Counters.FleetEntry {
      get { self[.reset] ?? Counters.FleetEntry() }
      set { self[.reset] = newValue }
    }

    public var change: Int64 {
      get { self[.change] ?? 0 }
      set { self[.change] = newValue }
    }
  }
}

extension Counters {
  /// Such counts of a counter.
  public struct FleetKept: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, counts
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(counter: String, counts: [Counters.KeptCount] = []) {
      object = [:]
      self.counter = counter
      self.counts = counts
    }

    public var counter: String {
      get { self[.counter] ?? "" }
      set { self[.counter] = newValue }
    }

    public var counts: [Counters.KeptCount] {
      get { self[.counts] ?? [] }
      set { self[.counts] = newValue.isEmpty ? nil : newValue }
    }
  }
}

extension Counters {
  /// The last entries of a counter that a station knows.
  public struct FleetHeard: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, entries
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(counter: String, entries: [Counters.FleetEntry] = []) {
      object = [:]
      self.counter = counter
      self.entries = entries
    }

    public var counter: String {
      get { self[.counter] ?? "" }
      set { self[.counter] = newValue }
    }

    public var entries: [Counters.FleetEntry] {
      get { self[.entries] ?? [] }
      set { self[.entries] = newValue.isEmpty ? nil : newValue }
    }
  }
}

extension Counters {
  /// The report that a station repeats from time to time: the writer that it is, the time on its clock in microseconds
  /// since 1970, and the last entries that it knows.
  public struct StationReport: Structure {
    public enum Member: MemberName, InterfaceMember {
      case writer, time, heard
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(writer: String? = nil, time: Int64? = nil, heard: [Counters.FleetHeard] = []) {
      object = [:]
      self.writer = writer
      self.time = time
      self.heard = heard
    }

    public var writer: String? {
      get { self[.writer] }
      set { self[.writer] = newValue }
    }

    public var time: Int64? {
      get { self[.time] }
      set { self[.time] = newValue }
    }

    public var heard: [Counters.FleetHeard] {
      get { self[.heard] ?? [] }
      set { self[.heard] = newValue.isEmpty ? nil : newValue }
    }
  }
}

extension Counters {
  /// The settings with which a station counts a shared counter.
  public struct CounterDefinition: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, name, title, decimals, step, start, period, minimum, maximum, limits, target
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(counter: String, name: String, title: String? = nil, decimals: Int64, step: Int64, start: Int64, period: String? = nil, minimum: Int64? = nil, maximum: Int64? = nil, limits: String? = nil, target: Int64? = nil) {
      object = [:]
      self.counter = counter
      self.name = name
      self.title = title
      self.decimals = decimals
      self.step = step
      self.start = start
      self.period = period
      self.minimum = minimum
      self.maximum = maximum
      self.limits = limits
      self.target = target
    }

    public var counter: String {
      get { self[.counter] ?? "" }
      set { self[.counter] = newValue }
    }

    public var name: String {
      get { self[.name] ?? "" }
      set { self[.name] = newValue }
    }

    public var title: String? {
      get { self[.title] }
      set { self[.title] = newValue }
    }

    public var decimals: Int64 {
      get { self[.decimals] ?? 0 }
      set { self[.decimals] = newValue }
    }

    public var step: Int64 {
      get { self[.step] ?? 0 }
      set { self[.step] = newValue }
    }

    public var start: Int64 {
      get { self[.start] ?? 0 }
      set { self[.start] = newValue }
    }

    public var period: String? {
      get { self[.period] }
      set { self[.period] = newValue }
    }

    public var minimum: Int64? {
      get { self[.minimum] }
      set { self[.minimum] = newValue }
    }

    public var maximum: Int64? {
      get { self[.maximum] }
      set { self[.maximum] = newValue }
    }

    public var limits: String? {
      get { self[.limits] }
      set { self[.limits] = newValue }
    }

    public var target: Int64? {
      get { self[.target] }
      set { self[.target] = newValue }
    }
  }
}

extension Counters {
  /// A message of a station, as the bridge has read it. It has one of the members after `retained`, or none if the
  /// bridge cannot read it; `product` accompanies `id`, and `counter` accompanies `removed`.
  public struct StationMessage: Structure {
    public enum Member: MemberName, InterfaceMember {
      case station, topic, retained, id, product, online, definition, counts, history, kept, report, removed, counter
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public init(station: String, topic: String, isRetained: Bool = false, id: String? = nil, product: String? = nil, isOnline: Bool = false, definition: Counters.CounterDefinition? = nil, counts: Counters.FleetCounts? = nil, history: Counters.FleetHistory? = nil, kept: Counters.FleetKept? = nil, report: Counters.StationReport? = nil, removed: String? = nil, counter: String? = nil) {
      object = [:]
      self.station = station
      self.topic = topic
      self.isRetained = isRetained
      self.id = id
      self.product = product
      self.isOnline = isOnline
      self.definition = definition
      self.counts = counts
      self.history = history
      self.kept = kept
      self.report = report
      self.removed = removed
      self.counter = counter
    }

    public var station: String {
      get { self[.station] ?? "" }
      set { self[.station] = newValue }
    }

    /// The topic, relative to "tallymark/FLEET/".
    public var topic: String {
      get { self[.topic] ?? "" }
      set { self[.topic] = newValue }
    }

    /// Whether the broker held the message: it may be old.
    public var isRetained: Bool {
      get { self[.retained] ?? false }
      set { self[.retained] = newValue ? true : nil }
    }

    /// The ID of the station, which it describes to others, with its version of Tallymark in `product`.
    public var id: String? {
      get { self[.id] }
      set { self[.id] = newValue }
    }

    public var product: String? {
      get { self[.product] }
      set { self[.product] = newValue }
    }

    public var isOnline: Bool {
      get { self[.online] ?? false }
      set { self[.online] = newValue ? true : nil }
    }

    public var definition: Counters.CounterDefinition? {
      get { self[.definition] }
      set { self[.definition] = newValue }
    }

    public var counts: Counters.FleetCounts? {
      get { self[.counts] }
      set { self[.counts] = newValue }
    }

    public var history: Counters.FleetHistory? {
      get { self[.history] }
      set { self[.history] = newValue }
    }

    public var kept: Counters.FleetKept? {
      get { self[.kept] }
      set { self[.kept] = newValue }
    }

    public var report: Counters.StationReport? {
      get { self[.report] }
      set { self[.report] = newValue }
    }

    /// The kind of message that the broker does not hold any more: "station", "online", or "def" for the settings of
    /// `counter`.
    public var removed: String? {
      get { self[.removed] }
      set { self[.removed] = newValue }
    }

    public var counter: String? {
      get { self[.counter] }
      set { self[.counter] = newValue }
    }
  }
}

extension Counters {
  /// A problem of a message, as a sentence. If `invalid`, the message itself is wrong, from any sender.
  public struct FleetProblem: Structure {
    public enum Member: MemberName, InterfaceMember {
      case sentence, topic, invalid
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var sentence: String { self[.sentence] ?? "" }

    public var topic: String? { self[.topic] }

    public var isInvalid: Bool { self[.invalid] ?? false }
  }
}

extension Counters {
  /// A reset of a counter in a period.
  public struct ResetName: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter, period, reset
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counter: String { self[.counter] ?? "" }

    public var period: Int64? { self[.period] }

    public var reset: Counters.FleetEntry { self[.reset] ?? Counters.FleetEntry() }
  }
}

extension Counters {
  /// A reset that `station` knows completely, and that is missing here, or is known with other rows here.
  public struct WantedReset: Structure {
    public enum Member: MemberName, InterfaceMember {
      case station, counter, period, reset, different
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var station: String { self[.station] ?? "" }

    public var counter: String { self[.counter] ?? "" }

    public var period: Int64? { self[.period] }

    public var reset: Counters.FleetEntry { self[.reset] ?? Counters.FleetEntry() }

    public var isDifferent: Bool { self[.different] ?? false }
  }
}

extension Counters {
  /// The history of a writer, of which `station` knows more than this one, or something else: the digest there, and the
  /// mark here.
  public struct MissingHistory: Structure {
    public enum Member: MemberName, InterfaceMember {
      case station, counter, known, number, quarter
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var station: String { self[.station] ?? "" }

    public var counter: String { self[.counter] ?? "" }

    public var known: Counters.FleetMark { self[.known] ?? Counters.FleetMark() }

    public var number: Int64 { self[.number] ?? 0 }

    public var quarter: Int64 { self[.quarter] ?? 0 }
  }
}

extension Counters {
  /// The reply to `Create`, `Set`, `Lock`, `Unlock`, `Move`, `Start`, `Stop`, `Toggle`, `Lap`, `CreateGroup`,
  /// `SetGroup`, `RemoveGroup`, `MoveGroup`, `CreateFormula`, `SetFormula`, `Note`, `Add`, `Subtract`, `Select`,
  /// `Next`, `Previous`, `Remove`, `Reset`, `Correct`, `Undo` and `Redo`.
  public struct EventReply: ChangeReply {
    public enum Member: MemberName, InterfaceMember {
      case event
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var event: Counters.Event { self[.event] ?? Counters.Event() }
  }
}

extension Counters {
  /// The reply to `Groups`.
  public struct GroupsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case groups
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var groups: [Counters.Group] { self[.groups] ?? [] }
  }
}

extension Counters {
  /// The reply to `Overview`.
  public struct OverviewReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case group, members, sum, decimals, stopwatches, highest, lowest
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var group: String? { self[.group] }

    public var members: [Counters.GroupMember] { self[.members] ?? [] }

    /// The sum of the values in units of `decimals`; absent also if it exceeds 64 bits.
    public var sum: Int64? { self[.sum] }

    /// The decimals of the members.
    public var decimals: Int64? { self[.decimals] }

    /// The sum is in microseconds.
    public var isStopwatches: Bool { self[.stopwatches] ?? false }

    /// The name of the first counter with the highest value.
    public var highest: String? { self[.highest] }

    /// The name of the first counter with the lowest value.
    public var lowest: String? { self[.lowest] }
  }
}

extension Counters {
  /// The reply to `List`.
  public struct ListReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counters, formulas, trouble
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counters: [Counters.Counter] { self[.counters] ?? [] }

    public var formulas: [Counters.Formula] { self[.formulas] ?? [] }

    public var trouble: String? { self[.trouble] }
  }
}

extension Counters {
  /// The reply to `Get`.
  public struct CounterReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counter
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counter: Counters.Counter { self[.counter] ?? Counters.Counter() }
  }
}

extension Counters {
  /// The reply to `EarlyEnds`.
  public struct EventsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case events
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var events: [Counters.Event] { self[.events] ?? [] }
  }
}

extension Counters {
  /// The reply to `History`.
  public struct HistoryReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case events, more, next, undone
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var events: [Counters.Event] { self[.events] ?? [] }

    public var isMore: Bool { self[.more] ?? false }

    /// The `after` or `before` of the call for the next page. A long search returns early with a page that is not full
    /// or is empty; a call with this number continues it.
    public var next: Int64? { self[.next] }

    /// The sequence numbers of those of these events that are undone, also by an event that does not match the filters.
    public var undone: [Int64] { self[.undone] ?? [] }
  }
}

extension Counters {
  /// The reply to `Totals`.
  public struct TotalsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case totals, decimals, stopwatches, counters
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var totals: [Counters.Total] { self[.totals] ?? [] }

    public var decimals: Int64? { self[.decimals] }

    public var isStopwatches: Bool { self[.stopwatches] ?? false }

    public var counters: [Counters.CounterTotals] { self[.counters] ?? [] }
  }
}

extension Counters {
  /// The reply to `Statistics`.
  public struct StatisticsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case total, first, last, busiest, gap, decimals, stopwatches
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var total: Counters.Total { self[.total] ?? Counters.Total() }

    /// The time of the first count; absent if there is none.
    public var first: Int64? { self[.first] }

    /// The time of the last count; absent if there is none.
    public var last: Int64? { self[.last] }

    /// The 60 minutes with the highest sum; they start at a quarter hour. Rows of days that were imported belong to no
    /// hour.
    public var busiest: Counters.Total? { self[.busiest] }

    /// The longest time between two counts. If it is shorter than a quarter hour, only the first 100000 counts are
    /// searched.
    public var gap: Counters.Gap? { self[.gap] }

    /// As in the reply to Totals.
    public var decimals: Int64? { self[.decimals] }

    public var isStopwatches: Bool { self[.stopwatches] ?? false }
  }
}

extension Counters {
  /// The reply to `Past`.
  public struct PastReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case values, formulas, summed
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var values: [Counters.PastValue] { self[.values] ?? [] }

    public var formulas: [Counters.PastFormula] { self[.formulas] ?? [] }

    /// Whether any of these values is of the counts since `from`.
    public var isSummed: Bool { self[.summed] ?? false }
  }
}

extension Counters {
  /// The reply to `Export`.
  public struct ExportReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case entries, next
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var entries: [JSON] { self[.entries] ?? [] }

    public var next: Int64? { self[.next] }
  }
}

extension Counters {
  /// The reply to `Import`.
  public struct ImportReply: ChangeReply {
    public enum Member: MemberName, InterfaceMember {
      case groups, counters, formulas, events, duplicates, names, changed, cut, kept, removed, renamed, repeated, repetitions, corrected, corrections, doubled
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var groups: Int64 { self[.groups] ?? 0 }

    public var counters: Int64 { self[.counters] ?? 0 }

    public var formulas: Int64? { self[.formulas] }

    public var events: Int64 { self[.events] ?? 0 }

    public var duplicates: Int64 { self[.duplicates] ?? 0 }

    /// The names of the counters that were created or changed, as they are after the import.
    public var names: [String] { self[.names] ?? [] }

    /// Those counters themselves, without those that were removed again. With `trial`, as they would be.
    public var changed: [Counters.Counter] { self[.changed] ?? [] }

    /// The amounts that limits cut off.
    public var cut: [Counters.ImportCut] { self[.cut] ?? [] }

    /// The counters that keep their value, because an earlier import set the value of the archive.
    public var kept: [Counters.ImportKept] { self[.kept] ?? [] }

    /// The counters and formulas of the archive that were removed here: nothing is added to them.
    public var removed: [Counters.ImportRemoved] { self[.removed] ?? [] }

    /// The counters that were found under another name.
    public var renamed: [Counters.ImportRenamed] { self[.renamed] ?? [] }

    /// The first five times at which several counts of one counter were added, and the number of all such times.
    public var repeated: [Counters.ImportRepeated] { self[.repeated] ?? [] }

    public var repetitions: Int64? { self[.repetitions] }

    /// The first five rows with `again` "replace" on whose days something was entered by hand after the earlier import,
    /// and new rows on whose days, or at whose times, late counts were entered by hand; and the number of all such
    /// rows. Entries by hand are corrections, and counts without a gesture that subtract or are late, except what an
    /// import brought. An entry that takes back some of what was imported, or has the amount of a new row, is an error
    /// (BadArchive) unless `again` is "add": it may be the same correction or count as that of the archive.
    public var corrected: [Counters.ImportCorrected] { self[.corrected] ?? [] }

    public var corrections: Int64? { self[.corrections] }

    /// The number of counts with `again` "add" that equal counts which an earlier import brought, and that were added.
    public var doubled: Int64? { self[.doubled] }
  }
}

extension Counters {
  /// The reply to `Watch`.
  public struct WatchReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case counters, event, counter, formulas, current, resynchronise
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var counters: [Counters.Counter] { self[.counters] ?? [] }

    public var event: Counters.Event? { self[.event] }

    public var counter: Counters.Counter? { self[.counter] }

    public var formulas: [Counters.Formula] { self[.formulas] ?? [] }

    /// The name of the current counter; absent if there is none.
    public var current: String? { self[.current] }

    public var isResynchronise: Bool { self[.resynchronise] ?? false }
  }
}

extension Counters {
  /// The reply to `Open`.
  public struct OpenReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case epoch, last
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var epoch: Int64 { self[.epoch] ?? 0 }

    /// The last delivery that was counted before. Later deliveries of its epoch were not counted, and never will be.
    public var last: Counters.DeliveryNumber? { self[.last] }
  }
}

extension Counters {
  /// The reply to `Deliver`.
  public struct DeliverReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case duplicate, events
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var isDuplicate: Bool { self[.duplicate] ?? false }

    public var events: [Counters.Event] { self[.events] ?? [] }
  }
}

extension Counters {
  /// The reply to `Fleet`.
  public struct FleetReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case fleet, station, id, broker, authorities, obeying, connected, trouble, stations, others, counters, offers
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var fleet: String? { self[.fleet] }

    public var station: String? { self[.station] }

    /// The ID of this station, 32 hexadecimal digits.
    public var id: String? { self[.id] }

    /// The URL of the broker, without a password.
    public var broker: String? { self[.broker] }

    /// See JoinFleet.
    public var authorities: String? { self[.authorities] }

    public var isObeying: Bool { self[.obeying] ?? false }

    /// Whether the bridge is connected to the broker.
    public var isConnected: Bool { self[.connected] ?? false }

    /// Sentences about what is wrong, one a line. Those that the bridge reports begin with "Bridge: ".
    public var trouble: String? { self[.trouble] }

    public var stations: [Counters.FleetStation] { self[.stations] ?? [] }

    /// The part of the totals that none of these stations says is its own, such as the counts of stations that have
    /// left, in units of the last decimal; absent if the counters differ in their decimals.
    public var others: Int64? { self[.others] }

    public var counters: [Counters.SharedCounter] { self[.counters] ?? [] }

    public var offers: [Counters.Offer] { self[.offers] ?? [] }
  }
}

extension Counters {
  /// The reply to `JoinFleet`, `LeaveFleet`, `ForgetStation`, `SendReport` and `ReportFleet`.
  public struct EmptyReply: Structure {
    public enum Member: InterfaceMember {
      public init?(rawValue: MemberName) { nil }
      public var rawValue: MemberName { switch self {} }
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }
  }
}

extension Counters {
  /// The reply to `ShareCounter`.
  public struct IdReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case id
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var id: String { self[.id] ?? "" }
  }
}

extension Counters {
  /// The reply to `AdoptCounter`.
  public struct AdoptCounterReply: ChangeReply {
    public enum Member: MemberName, InterfaceMember {
      case id, event
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var id: String { self[.id] ?? "" }

    public var event: Counters.Event { self[.event] ?? Counters.Event() }
  }
}

extension Counters {
  /// The reply to `LinkFleet`.
  public struct LinkFleetReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case fleet, station, id, broker, authorities, obeying, publications, left, reportable
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var fleet: String? { self[.fleet] }

    public var station: String? { self[.station] }

    public var id: String? { self[.id] }

    /// With a password, if the URL has one.
    public var broker: String? { self[.broker] }

    /// See JoinFleet.
    public var authorities: String? { self[.authorities] }

    public var isObeying: Bool { self[.obeying] ?? false }

    public var publications: [Counters.Publication] { self[.publications] ?? [] }

    public var isLeft: Bool { self[.left] ?? false }

    public var isReportable: Bool { self[.reportable] ?? false }
  }
}

extension Counters {
  /// The reply to `LearnFleet`.
  public struct LearnFleetReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case publications, problems, wanted, complete, progress, missing
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var publications: [Counters.Publication] { self[.publications] ?? [] }

    public var problems: [Counters.FleetProblem] { self[.problems] ?? [] }

    public var wanted: [Counters.WantedReset] { self[.wanted] ?? [] }

    /// The resets that are complete from now on.
    public var complete: [Counters.ResetName] { self[.complete] ?? [] }

    public var progress: [String] { self[.progress] ?? [] }

    public var missing: [Counters.MissingHistory] { self[.missing] ?? [] }
  }
}

extension Counters {
  /// The reply to `ResetRows`.
  public struct ResetRowsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case base, size, registers, more
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var base: Counters.FleetEntry? { self[.base] }

    /// The number of rows of the whole reset.
    public var size: Int64? { self[.size] }

    public var registers: [Counters.FleetRegister] { self[.registers] ?? [] }

    /// Whether there are rows after these.
    public var isMore: Bool { self[.more] ?? false }
  }
}

extension Counters {
  /// The reply to `HistoryDigests`.
  public struct DigestsReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case digests
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var digests: [Counters.FleetMark] { self[.digests] ?? [] }
  }
}

extension Counters {
  /// The reply to `QuarterRows`.
  public struct QuartersReply: Structure {
    public enum Member: MemberName, InterfaceMember {
      case quarters
    }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var quarters: [Counters.FleetQuarters] { self[.quarters] ?? [] }
  }
}

extension Counters {
  /// The name of an error.
  public enum ErrorName: String, CaseIterable, Sendable {
    case permissionDenied = "PermissionDenied"
    case noSuchCounter = "NoSuchCounter"
    case badArchive = "BadArchive"
    case noCurrentCounter = "NoCurrentCounter"
    case badName = "BadName"
    case badTitle = "BadTitle"
    case badAmount = "BadAmount"
    case badQuantity = "BadQuantity"
    case counterExists = "CounterExists"
    case limitReached = "LimitReached"
    case badSetting = "BadSetting"
    case locked = "Locked"
    case noSuchGroup = "NoSuchGroup"
    case groupExists = "GroupExists"
    case noSuchFormula = "NoSuchFormula"
    case formulaExists = "FormulaExists"
    case badFormula = "BadFormula"
    case archived = "Archived"
    case notStopwatch = "NotStopwatch"
    case alreadyRunning = "AlreadyRunning"
    case notRunning = "NotRunning"
    case noSuchEvent = "NoSuchEvent"
    case overflow = "Overflow"
    case nothingToReset = "NothingToReset"
    case nothingToUndo = "NothingToUndo"
    case nothingToRedo = "NothingToRedo"
    case deliveryGap = "DeliveryGap"
    case producerFenced = "ProducerFenced"
    case unknownEpoch = "UnknownEpoch"
    case deliveryForgotten = "DeliveryForgotten"
    case noAnswer = "NoAnswer"
    case storageFailed = "StorageFailed"

    /// The name that an error has on the wire.
    public var qualifiedName: String { "\(Counters.interface).\(rawValue)" }
  }
}

extension Counters {
  /// A named error of the interface with its parameters.
  public enum Reason: Equatable, Sendable {
    /// The caller lacks the right that the method needs: "read" (List, Get, Groups, Overview, History, Totals,
    /// Statistics, Past, Export, Watch, Fleet), "count" (changes of values, notes, selections and deliveries),
    /// "administer" (Create, Set, Move, Lock, Unlock, Remove, the same for groups and formulas, Import, and to undo or
    /// redo these; JoinFleet, LeaveFleet, ShareCounter, AdoptCounter, ForgetStation) or "share" (LinkFleet, LearnFleet,
    /// ResetRows, HistoryDigests, QuarterRows, SendReport, ReportFleet). Rights are granted in core.toml.
    case permissionDenied(right: String)
    /// No counter has this name.
    case noSuchCounter(name: String)
    /// The archive is not valid, or conflicts with existing counters.
    case badArchive
    /// No counter exists, so there is no current counter.
    case noCurrentCounter
    /// The name is not valid; see Counter.
    case badName(name: String, reason: String)
    /// The title is empty, longer than 200 characters, or contains control characters.
    case badTitle(reason: String)
    /// An amount or a step below 1.
    case badAmount(amount: Int64)
    /// The text is not a number, is out of range, or has more decimals than the counter.
    case badQuantity(quantity: String, reason: String)
    /// A counter has this name.
    case counterExists(name: String)
    /// The change would go beyond the counter's minimum or maximum, which is `limit`.
    case limitReached(name: String, limit: Int64)
    /// The value of a setting is not valid, or conflicts with other settings.
    case badSetting(setting: String, reason: String)
    /// The counter is locked.
    case locked(name: String)
    /// No group has this name.
    case noSuchGroup(name: String)
    /// A group has this name.
    case groupExists(name: String)
    /// No formula has this name.
    case noSuchFormula(name: String)
    /// A formula has this name.
    case formulaExists(name: String)
    /// The expression has a syntax error, an unknown name, or a circular reference. `position` is the place of the
    /// error in Unicode scalars, from 0.
    case badFormula(formula: String, position: Int64)
    /// The counter is archived, so it cannot become the current one.
    case archived(name: String)
    /// The counter is not a stopwatch, or the group `name` (empty: all counters) has none that is neither locked nor
    /// archived.
    case notStopwatch(name: String)
    /// The stopwatch is running, or each of the group is.
    case alreadyRunning(name: String)
    /// The stopwatch is not running, or none of the group is.
    case notRunning(name: String)
    /// No event has this sequence number.
    case noSuchEvent(sequence: Int64)
    /// The result would exceed 64 bits: `value` is the current value, `change` the requested change.
    case overflow(name: String, value: Int64, change: Int64)
    /// The group (empty: no group, all counters were meant) has no counter that is neither locked nor archived.
    case nothingToReset(group: String)
    /// There is no event left that can be undone, or the event in the call cannot be undone; `message` has the reason.
    case nothingToUndo
    /// There is no undo to redo, or another change followed it.
    case nothingToRedo
    /// Earlier deliveries are missing; the next sequence number must be `expected`.
    case deliveryGap(expected: Int64)
    /// The producer was opened again; its epoch is now `epoch`.
    case producerFenced(epoch: Int64)
    /// The core did not issue this epoch to the producer; call Open.
    case unknownEpoch
    /// The delivery was counted, but its reply is no longer stored.
    case deliveryForgotten
    /// Another station of the fleet cannot be removed; `message` has the reason.
    case noAnswer(station: String)
    /// The change could not be written to the disk; nothing was recorded.
    case storageFailed

    /// Parameters that are missing read as empty.
    init(_ name: ErrorName, _ parameters: JSONObject) {
      func text(_ member: Member) -> String { parameters[member]?.string ?? "" }
      func number(_ member: Member) -> Int64 { parameters[member]?.int ?? 0 }
      switch name {
        case .permissionDenied: self = .permissionDenied(right: text(.right))
        case .noSuchCounter: self = .noSuchCounter(name: text(.name))
        case .badArchive: self = .badArchive
        case .noCurrentCounter: self = .noCurrentCounter
        case .badName: self = .badName(name: text(.name), reason: text(.reason))
        case .badTitle: self = .badTitle(reason: text(.reason))
        case .badAmount: self = .badAmount(amount: number(.amount))
        case .badQuantity: self = .badQuantity(quantity: text(.quantity), reason: text(.reason))
        case .counterExists: self = .counterExists(name: text(.name))
        case .limitReached: self = .limitReached(name: text(.name), limit: number(.limit))
        case .badSetting: self = .badSetting(setting: text(.setting), reason: text(.reason))
        case .locked: self = .locked(name: text(.name))
        case .noSuchGroup: self = .noSuchGroup(name: text(.name))
        case .groupExists: self = .groupExists(name: text(.name))
        case .noSuchFormula: self = .noSuchFormula(name: text(.name))
        case .formulaExists: self = .formulaExists(name: text(.name))
        case .badFormula: self = .badFormula(formula: text(.formula), position: number(.position))
        case .archived: self = .archived(name: text(.name))
        case .notStopwatch: self = .notStopwatch(name: text(.name))
        case .alreadyRunning: self = .alreadyRunning(name: text(.name))
        case .notRunning: self = .notRunning(name: text(.name))
        case .noSuchEvent: self = .noSuchEvent(sequence: number(.sequence))
        case .overflow: self = .overflow(name: text(.name), value: number(.value), change: number(.change))
        case .nothingToReset: self = .nothingToReset(group: text(.group))
        case .nothingToUndo: self = .nothingToUndo
        case .nothingToRedo: self = .nothingToRedo
        case .deliveryGap: self = .deliveryGap(expected: number(.expected))
        case .producerFenced: self = .producerFenced(epoch: number(.epoch))
        case .unknownEpoch: self = .unknownEpoch
        case .deliveryForgotten: self = .deliveryForgotten
        case .noAnswer: self = .noAnswer(station: text(.station))
        case .storageFailed: self = .storageFailed
      }
    }

    public var name: ErrorName {
      switch self {
        case .permissionDenied: .permissionDenied
        case .noSuchCounter: .noSuchCounter
        case .badArchive: .badArchive
        case .noCurrentCounter: .noCurrentCounter
        case .badName: .badName
        case .badTitle: .badTitle
        case .badAmount: .badAmount
        case .badQuantity: .badQuantity
        case .counterExists: .counterExists
        case .limitReached: .limitReached
        case .badSetting: .badSetting
        case .locked: .locked
        case .noSuchGroup: .noSuchGroup
        case .groupExists: .groupExists
        case .noSuchFormula: .noSuchFormula
        case .formulaExists: .formulaExists
        case .badFormula: .badFormula
        case .archived: .archived
        case .notStopwatch: .notStopwatch
        case .alreadyRunning: .alreadyRunning
        case .notRunning: .notRunning
        case .noSuchEvent: .noSuchEvent
        case .overflow: .overflow
        case .nothingToReset: .nothingToReset
        case .nothingToUndo: .nothingToUndo
        case .nothingToRedo: .nothingToRedo
        case .deliveryGap: .deliveryGap
        case .producerFenced: .producerFenced
        case .unknownEpoch: .unknownEpoch
        case .deliveryForgotten: .deliveryForgotten
        case .noAnswer: .noAnswer
        case .storageFailed: .storageFailed
      }
    }

    var parameters: JSONObject {
      var object: JSONObject = [:]
      switch self {
        case .permissionDenied(let right):
          object[Member.right] = right.json
        case .noSuchCounter(let name):
          object[Member.name] = name.json
        case .badName(let name, let reason):
          object[Member.name] = name.json
          object[Member.reason] = reason.json
        case .badTitle(let reason):
          object[Member.reason] = reason.json
        case .badAmount(let amount):
          object[Member.amount] = amount.json
        case .badQuantity(let quantity, let reason):
          object[Member.quantity] = quantity.json
          object[Member.reason] = reason.json
        case .counterExists(let name):
          object[Member.name] = name.json
        case .limitReached(let name, let limit):
          object[Member.name] = name.json
          object[Member.limit] = limit.json
        case .badSetting(let setting, let reason):
          object[Member.setting] = setting.json
          object[Member.reason] = reason.json
        case .locked(let name):
          object[Member.name] = name.json
        case .noSuchGroup(let name):
          object[Member.name] = name.json
        case .groupExists(let name):
          object[Member.name] = name.json
        case .noSuchFormula(let name):
          object[Member.name] = name.json
        case .formulaExists(let name):
          object[Member.name] = name.json
        case .badFormula(let formula, let position):
          object[Member.formula] = formula.json
          object[Member.position] = position.json
        case .archived(let name):
          object[Member.name] = name.json
        case .notStopwatch(let name):
          object[Member.name] = name.json
        case .alreadyRunning(let name):
          object[Member.name] = name.json
        case .notRunning(let name):
          object[Member.name] = name.json
        case .noSuchEvent(let sequence):
          object[Member.sequence] = sequence.json
        case .overflow(let name, let value, let change):
          object[Member.name] = name.json
          object[Member.value] = value.json
          object[Member.change] = change.json
        case .nothingToReset(let group):
          object[Member.group] = group.json
        case .deliveryGap(let expected):
          object[Member.expected] = expected.json
        case .producerFenced(let epoch):
          object[Member.epoch] = epoch.json
        case .noAnswer(let station):
          object[Member.station] = station.json
        default: break
      }
      return object
    }

    private enum Member: MemberName, InterfaceMember {
      case right, name, reason, amount, quantity, limit, setting, formula, position, sequence, value, change, group, expected, epoch, station
    }
  }
}
