import ArgumentParser
import CoreAPI
import Counting
import Varlink

/// `tally undo`: undoes the last event.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo the last event; repeat to undo earlier ones.",
    discussion: """
      Undoes events of any kind and origin, without limit. Events that were made together, such as the reset of a \
      group, are undone together. Only administrators can undo changes that only administrators can make.

      With the number of an event (see tally history) it undoes that event. A count can be undone at any time; a \
      change of title, colour, icon, note or tags while no later event has changed the same setting; the end of a \
      period while it is the last one. A row of an import takes the whole import with it; to take back that row alone, \
      subtract its amount at its time (tally subtract people 3 --at "2026-11-21 09:00"). Any other event can be undone \
      while it is the last event of its counter, formula or group.

      Examples:
        tally undo
        tally undo people
        tally undo 17
      """)

  @Argument(
    help: "A counter or formula, which may have been removed, or the number of an event; default: all counters.",
    completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    // A name contains a letter.
    let number = name.flatMap { Int64($0) }
    if let name, number == nil, Tally.isNumber(name) {
      throw ValidationError("There is no event \(name). tally history shows the numbers of events.")
    }
    try core.report(number.map { .undo(sequence: $0) } ?? .undo(name)) { event in
      let sentence = try TakebackText(event, core).sentence(core)
      return (name == nil ? try Self.passed(before: event, core) : "") + sentence
    }
  }

  /// A remark about counters that an undo of the last event skipped: `a is locked and was passed over; `.
  private static func passed(before event: EventLine, _ core: CoreClient) throws -> String {
    guard let undone = event.undoes, undone &+ 1 < event.sequence else { return "" }
    let counters = try core.call(.list).counters
    return try sentence(
      about: locked(after: undone, counters, core),
      one: "is locked and was passed over", many: "Locked and passed over")
      + sentence(
        about: ofFleet(after: undone, until: event.sequence, counters, core),
        one: "is counted by the fleet and was passed over", many: "Counted by the fleet and passed over")
  }

  private static func sentence(about names: [String], one: String, many: String) -> String {
    guard let first = names.first else { return "" }
    return names.count == 1 ? "\(first) \(one); " : "\(many): \(names.counted); "
  }

  /// The locked counters that an undo of an event skipped. A counter that was locked before the event has no later
  /// change.
  private static func locked(
    after undone: Int64, _ counters: [Counters.Counter], _ core: CoreClient
  ) throws -> [String] {
    let locked = Set(counters.filter(\.isLocked).map(\.name))
    guard !locked.isEmpty else { return [] }
    return try core.call(.history(after: undone, limit: 1000)).events
      .filter { $0.knownKind == .locked && locked.contains($0.counter) }.map(\.counter).unique
  }

  /// The shared counters with events that an undo skipped: counts outside of the total, and the creation. Only the
  /// latest events are searched.
  private static func ofFleet(
    after undone: Int64, until last: Int64, _ counters: [Counters.Counter], _ core: CoreClient
  ) throws -> [String] {
    let shared = Set(counters.filter { $0.isShared && !$0.isLocked }.map(\.name))
    guard !shared.isEmpty else { return [] }
    let events = try core.call(.history(before: last &+ 1, limit: 1000)).events
    let taken = Set(events.compactMap(\.undoes))
    let kinds: [Event.Kind] = [.created, .redone] + Event.Kind.all(.counts, .sets)
    return events.filter { event in
      event.sequence > undone && !taken.contains(event.sequence) && shared.contains(event.counter)
        && event.knownKind.map(kinds.contains) ?? false
    }.map(\.counter).unique
  }
}

/// The sentence about an undo or a redo: the value in effect, and the undone or redone change.
struct TakebackText {
  let event: EventLine
  /// The undone or redone event, which is neither an undo nor a redo; `nil` if it is unknown.
  let origin: EventLine?
  /// Whether the effect of ``origin`` was undone, rather than redone.
  let isTakenBack: Bool

  /// - Parameters:
  ///   - reading: the present reading of a running stopwatch, which grows after the event; `nil` for the value after
  ///     the event.
  ///   - remark: a remark about the state after the event.
  func sentence(reading: String?, remark: String = "") -> String {
    guard let origin else { return event.sentence }
    switch (origin.knownKind, isTakenBack) {
    case (.created, true), (.removed, false): return gone(origin)
    case (.removed, true), (.created, false):
      return event.name.isEmpty
        ? "\(origin.subject.capitalisedStart) is back."
        : "\(event.name) is back, at \(reading ?? event.count)\(remark)."
    default:
      if isTakenBack, event.name.isEmpty, origin.newName != nil {
        return "\(event.subject.capitalisedStart) has its name again (undid \(origin.brief) by \(origin.who))"
      }
      let isSetting = isTakenBack && origin.knownKind == .changed && origin.newName == nil
      if isSetting, event.name.isEmpty, let restored = event.restored {
        return "\(event.subject.capitalisedStart)\(restored) (undid a change by \(origin.who))"
      }
      let standing = isSetting ? event.settings.map { "; \($0) again" } ?? "" : ""
      let what = "\(isTakenBack ? "undid" : "redid") \(origin.brief(in: event)) by \(origin.who)\(standing)\(remark)"
      return event.name.isEmpty
        ? "\(event.subject.capitalisedStart): \(what)" : "\(reading ?? event.count) \(event.name) (\(what))"
    }
  }

  /// A sentence about events that were made together, such as those of an import; `nil` for a single event.
  private func sentenceOfMany(_ core: CoreClient) throws -> String? {
    guard let first = event.batch, first > 0, event.sequence >= first else { return nil }
    let events = try core.events(ofBatch: first)
    guard events.count > 1 else { return nil }
    // An undo returns the last of its events, a redo the first one.
    let count = max(Int64(events.count), event.sequence - first + 1)
    let names = events.map(\.counter).filter { !$0.isEmpty }.unique
    let counters = try core.call(.list).counters.map(CounterLine.init)
    let present = counters.filter { names.contains($0.name) }
    let gone = names.filter { name in !present.contains { $0.name == name } }
    let others = try standingOfOthers(events, core)
    let standing = present.map { "\($0.count) \($0.name)" } + gone.map { "\($0) removed" } + others
    let all = standing.abridged(to: 10)
    if let group = try removedGroup(core) {
      let members = all.isEmpty ? "" : ", with \(all)"
      return isTakenBack ? "The group \(group) is back\(members)." : "Removed the group \(group) again."
    }
    let (subject, what) = try originOfMany(core, count, takebacks: try changes(behind: events, core))
    let verb = isTakenBack ? "undid" : "redid"
    let words = "\(verb) \(what)" + (origin.map { " by \($0.who)" } ?? "")
    let lead = subject.map { "\($0.capitalisedStart): " } ?? ""
    return all.isEmpty
      ? "\(lead.isEmpty ? words.prefix(1).uppercased() + words.dropFirst() : lead + words)."
      : "\(lead)\(all) (\(words))"
  }

  /// The state of the formulas and groups for which events were made: `12 net`, `f removed`, `the group kids removed`.
  private func standingOfOthers(_ events: [Counters.Event], _ core: CoreClient) throws -> [String] {
    let others = events.filter(\.counter.isEmpty)
    let formulas = others.compactMap(\.formula).unique
    let groups = others.compactMap { $0.formula == nil ? $0.group : nil }.unique
    if formulas.isEmpty, groups.isEmpty { return [] }
    let present = try core.call(.list).formulas.map(FormulaLine.init)
    let known = groups.isEmpty ? [] : try core.call(.groups).groups.map(\.name)
    return formulas.map { name in
      present.first { $0.name == name }.map { "\($0.text) \(name)" } ?? "\(name) removed"
    } + groups.filter { !known.contains($0) }.map { "the group \($0) removed" }
  }

  /// The number of changes behind events that were made together: a single change may need further events, such as the
  /// end of the period of a count.
  private func changes(behind events: [Counters.Event], _ core: CoreClient) throws -> Int {
    guard events.count <= 4 else { return events.count }
    return Set(try events.filter { $0.undoes != nil }.compactMap { try core.change(behind: $0).event?.sequence }).count
  }

  /// The group whose removal made the events, with the changes of its members; `nil` for any other events.
  private func removedGroup(_ core: CoreClient) throws -> String? {
    guard let first = origin?.batch, first > 0 else { return nil }
    let events = try core.events(ofBatch: first)
    let isRemoval = events.allSatisfy { event in
      event.knownKind == .changed
        && event.alterations.allSatisfy { [Field.group.rawValue, Field.order.rawValue].contains($0.field) }
        || event.knownKind == .removed && event.counter.isEmpty && event.group != nil
    }
    return isRemoval ? events.first { $0.knownKind == .removed }?.group : nil
  }

  /// The group or “all counters” for which events were made, if any, and a description of these events.
  ///
  /// - Parameter takebacks: the number of changes that the events undid or redid.
  private func originOfMany(_ core: CoreClient, _ count: Int64, takebacks: Int) throws -> (
    subject: String?, what: String
  ) {
    // A late count and the closing of its period are one change.
    let number = 2...4 ~= takebacks ? Int64(takebacks) : count
    let several = "\(number) changes that were made together"
    guard let origin else { return (nil, several) }
    let when = origin.when(in: event)
    // The undo of the end of a period also undoes the events that closed the period again after late counts.
    if origin.event.knownKind == .renewed, !origin.isLate { return (nil, origin.brief) }
    if origin.event.cause.producer == Cause.importer, takebacks > 1 { return (nil, several) }
    guard let first = origin.batch, first > 0 else { return (nil, takebacks == 1 ? origin.brief + when : several) }
    let events = try core.events(ofBatch: first).map { EventLine($0) }
    // Formulas that follow a rename, and the entities of an import, are too many to list.
    guard !events.isEmpty, events.count == count || events.count + 1 == count else { return (nil, several) }
    // A reset of a running stopwatch also stops the stopwatch.
    if let whole = events.first, whole.name.isEmpty, whole.event.formula == nil,
      events.dropFirst().allSatisfy({
        $0.event.kind == whole.event.kind || $0.event.knownKind == .stopped && whole.event.knownKind == .reset
      })
    {
      return (whole.subject, whole.brief + when)
    }
    if let first = events.first, first.newName != nil,
      events.dropFirst().allSatisfy({ $0.event.formula != nil && $0.event.knownKind == .changed })
    {
      return (nil, first.brief)
    }
    let counts = events.filter { !$0.isLate }
    guard counts.count == events.count || counts.count == takebacks,
      counts.allSatisfy({ [.added, .subtracted].contains($0.event.knownKind) })
    else { return (nil, several) }
    let briefs = counts.map(\.brief)
    if let brief = briefs.first, counts.count == 1, events.count > 1 {
      return (nil, brief + origin.when(in: event, isOfEndedPeriod: true))
    }
    if let brief = briefs.first, briefs.count > 3, briefs.allSatisfy({ $0 == brief }) {
      return (nil, "\(brief) on \(briefs.count) counters\(when)")
    }
    return (nil, counts.map { "\($0.brief) on \($0.name)" }.abridged(to: 10) + when)
  }

  private func gone(_ origin: EventLine) -> String {
    let subject = event.subject.capitalisedStart
    if event.name.isEmpty {
      return "\(subject) was removed\(origin.knownKind == .created ? ": its creation was undone" : " again")."
    }
    return origin.knownKind == .created
      ? "\(event.name) was removed: its creation was undone."
      : "Removed \(event.name) again, which stood at \(event.count)."
  }

  /// The change of a stopwatch that was running. The events that stopped and started the stopwatch around the change
  /// are left out. `nil` for any other change.
  private func changeOfStopwatch(_ core: CoreClient) throws -> EventLine? {
    guard event.batch != nil, let first = origin?.event.batch, first > 0, event.unit == .time else { return nil }
    let events = try core.call(.history(after: first - 1, limit: 4)).events.filter { $0.batch == first }
    let changes = events.filter { ![.started, .stopped].contains($0.knownKind) }
    guard changes.count == 1, changes[0].knownKind != .renewed, events.allSatisfy({ $0.id == event.id }) else {
      return nil
    }
    return changes.first.map { EventLine($0) }
  }

  func sentence(_ core: CoreClient) throws -> String {
    if let change = try changeOfStopwatch(core) {
      let stopwatch = try core.call(.list).counters.first { $0.name == event.name }
      return TakebackText(event: event, origin: change, isTakenBack: isTakenBack).sentence(
        reading: stopwatch.map { CounterLine($0).count },
        remark: isTakenBack && stopwatch?.since != nil ? "; it is running again" : "")
    }
    if let sentence = try sentenceOfMany(core) { return sentence }
    // The event states the value without the current run.
    guard event.unit == .time, !event.name.isEmpty,
      let counter = try? core.call(.list).counters.first(where: { $0.name == event.name }),
      counter.since != nil
    else { return sentence(reading: nil) }
    return sentence(reading: CounterLine(counter).count)
  }
}

extension TakebackText {
  /// Follows undos of redos of undos to the first event.
  init(_ event: EventLine, _ core: CoreClient) throws {
    let (origin, links) = try core.change(behind: event.event)
    self.init(
      event: event, origin: links == 0 ? nil : origin.map { EventLine($0) }, isTakenBack: !links.isMultiple(of: 2))
  }
}
