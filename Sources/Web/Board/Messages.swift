import CoreAPI
import Counting
import JSON
import Text

/// The messages to pages, as server-sent events.
public enum BoardMessage {
  /// The whole state, for a page that begins or has fallen behind.
  ///
  /// - Parameters:
  ///   - version: of the program.
  ///   - now: in microseconds since 1970.
  ///   - absence: the time since which there is no core; `nil` while there is one.
  public static func state(
    _ state: BoardState, _ conditions: BoardConditions, version: String, now: Int64, absence: Int64?
  ) -> [UInt8] {
    event("state", id: state.sequence) { object in
      object.add("build", PageFile.build)
      object.add("version", version)
      object.add("now", now)
      object.add("sequence", state.sequence)
      object.add("absence", absence)
      object.add("current", state.current)
      object.add("groups", state.groups) { $0.add($1) }
      object.add("counters", state.counters) { $0.add($1) }
      object.add("formulas", state.formulas) { $0.add($1) }
      object.add("events", state.events) { $0.add($1, in: state) }
      object.add("changes", state.changes) { $0.add($1, in: state) }
      object.add("missing", conditions.missing)
    }
  }

  /// Changes of a counter or of formulas, with the present values of these formulas and the current counter.
  ///
  /// - Parameter state: the state after the changes.
  public static func change(_ change: PendingChange, in state: BoardState, now: Int64) -> [UInt8] {
    event("change", id: change.events.last?.sequence) { object in
      object.add("now", now)
      object.add("events", Int64(change.count))
      if let last = change.events.last { object.add("event") { $0.add(last, in: state) } }
      let earlier = change.events.dropLast()
      if !earlier.isEmpty { object.add("earlier", earlier) { $0.add($1, in: state) } }
      if let counter = change.counter { object.add("counter") { $0.add(counter) } }
      object.add("current", state.current)
      let formulas = state.formulas.filter { change.formulas.contains($0.id) }
      if !formulas.isEmpty { object.add("formulas", formulas) { $0.add($1) } }
    }
  }

  /// A sign that the board is running; a page without it knows that its numbers are old.
  public static func beat(sequence: Int64, now: Int64) -> [UInt8] {
    event("beat") { object in
      object.add("now", now)
      object.add("sequence", sequence)
    }
  }

  /// The message that the core was lost.
  public static func absence(since: Int64, now: Int64) -> [UInt8] {
    event("absence") { object in
      object.add("now", now)
      object.add("since", since)
    }
  }

  /// A change of the fleet's missing stations.
  public static func fleet(_ missing: String?, now: Int64) -> [UInt8] {
    event("fleet") { object in
      object.add("now", now)
      object.add("missing", missing)
    }
  }

  /// The paired device of the page, which may count; for any other page the reason why it may not.
  ///
  /// - Parameter mayCount: whether the core lets the board count.
  public static func you(_ device: PairedDevices.Device?, mayCount: Bool, now: Int64) -> [UInt8] {
    event("you") { object in
      object.add("now", now)
      guard mayCount else { return object.add("why", mayNotCount) }
      guard let device else { return object.add("why", unpaired) }
      object.add("id", device.id)
      object.add("name", device.name)
      if device.maySetUp { object.add("setup", .array(Setup.amounts.map { .string($0.rawValue) })) }
    }
  }

  static let unpaired = "This device may only watch. To count with it, run on the machine: tally-board pair"
  static let mayNotCount =
    "This board may only show counts. To count with it, give its user the right “count” in core.toml."

  /// The message that the board ends.
  public static let bye = event("bye") { _ in }

  /// The time after which a browser connects again by itself, in milliseconds.
  public static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

  private static func event(_ name: String, id: Int64? = nil, _ write: (inout ObjectWriter) -> Void) -> [UInt8] {
    let data = EncodedObject(write)
    let id = id.map { "id: \($0)\n" } ?? ""
    return Array("\(id)event: \(name)\ndata: \(data)\n\n".utf8)
  }
}

extension ObjectWriter {
  /// The largest integer that JavaScript represents exactly with all smaller ones, 2^53 − 1.
  private static var largestExact: Int64 { 9_007_199_254_740_991 }

  /// Adds a number; as text if JavaScript would round it.
  private mutating func add(_ name: StaticString, exact number: Int64) {
    if number.magnitude <= Self.largestExact.magnitude { add(name, number) } else { add(name, String(number)) }
  }

  fileprivate mutating func add(_ counter: Counters.Counter) {
    let unit = counter.unit
    func text(_ number: Int64?) -> String? { number.map(unit.text) }
    add("id", counter.id)
    add("name", counter.name)
    add("title", counter.title)
    add("value", exact: counter.value)
    add("text", unit.text(counter.value))
    if case .decimal(let decimals) = unit, decimals > 0 { add("decimals", decimals) }
    if counter.isStopwatch {
      add("stopwatch", true)
      add("elapsed", counter.elapsed ?? counter.value)
      add("since", counter.since)
    }
    add("colour", counter.colour)
    add("icon", counter.icon)
    add("group", counter.group)
    if counter.isArchived { add("archived", true) }
    if counter.isLocked { add("locked", true) }
    add("limits", counter.limits)
    add("period", counter.period)
    add("note", counter.note)
    if !counter.tags.isEmpty { add("tags", counter.tags.joined(separator: " ")) }
    for member in Counters.Counter.Member.amounts { add(member, text(counter[member])) }
    if let maximum = counter.maximum {
      if counter.value >= maximum { add("full", true) }
      if counter.value > maximum { add("over", true) }
    }
    if let progress = counter.progress {
      add("left", unit.text(progress.left))
      add("percent", progress.percent)
    }
    if counter.reachedAt != nil { add("reached", true) }
    add("renewsAt", counter.renewsAt)
    if counter.isShared { add("own", text(counter.own)) }
  }

  fileprivate mutating func add(_ formula: Counters.Formula) {
    add("id", formula.id)
    add("name", formula.name)
    add("title", formula.title)
    add("formula", formula.formula)
    add("note", formula.note)
    add("text", formula.text)
    add("colour", formula.colour)
    add("icon", formula.icon)
    add("group", formula.group)
    if formula.isArchived { add("archived", true) }
  }

  fileprivate mutating func add(_ group: Counters.Group) {
    add("id", group.id)
    add("name", group.name)
    add("title", group.title)
    add("colour", group.colour)
    add("icon", group.icon)
  }

  /// - Parameter state: the present state of the board. It has the events that were made together with this one.
  mutating func add(_ event: Counters.Event, in state: BoardState) {
    add("sequence", event.sequence)
    add("time", event.time)
    add("kind", event.kind)
    add("counter", event.counter)
    if event.counter.isEmpty {
      add("group", event.group)
      add("formula", event.formula)
    }
    add("id", event.id)
    add("sign", event.change.signum())
    add("change", event.unit.text(event.change))
    add("text", event.unit.text(event.standing ?? event.value))
    add("undoes", event.undoes)
    add("note", event.note)
    if state.canBeUndoneByPage(event) { add("undoable", true) }
    if let batch = event.batch {
      add("batch", batch)
      add("together", state.countersTogether(in: batch))
    }
    if event.isSetting {
      // A counter that moves into another group has another place as well.
      let isMoved = event.alterations.contains { $0.field == Field.group.rawValue }
      let alterations = event.alterations.filter { !isMoved || $0.field != Field.order.rawValue }
      add("settings", alterations.map(\.field).joined(separator: ", "))
      if alterations.count == 1 { add("after", alterations[0].textAfter(in: event.unit)) }
    }
    // The text of a note about another event.
    if event.knownKind == .noted { add("after", event.alterations.first?.after) }
    add("until", event.until)
    if event.isReached { add("reached", true) }
    if event.isLimited { add("limited", true) }
    add("boundary", event.boundary.map(event.unit.text))
    add("producer", event.cause.producer)
    add("device", event.cause.device)
    add("gesture", event.cause.gesture)
  }
}

extension Counters.Alteration {
  /// The new value as a person reads it, empty for none, or the name of a group; `nil` for a field that pages do not set.
  fileprivate func textAfter(in unit: Unit) -> String? {
    guard let field = Field(rawValue: field), field.isOnPage || field == .group else { return nil }
    if field == .icon { return after?.printableIcon ?? "" }
    return (field.isAmount ? after.flatMap { Int64($0) }.map(unit.text) : after) ?? ""
  }
}
