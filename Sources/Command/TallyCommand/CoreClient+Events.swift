import ArgumentParser
import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Varlink

/// Events, with their related events.
extension CoreClient {
  /// The last `count` events that match a filter, oldest first.
  ///
  /// - Parameter isOmitted: whether to leave an event out.
  func lastEvents(
    _ count: Int64, _ filter: Counters.EventFilter, omitting isOmitted: (Counters.Event) -> Bool = { _ in false }
  ) throws -> [Counters.Event] {
    var found: [Counters.Event] = []
    var next: Int64?
    repeat {
      let page = try call(.history(before: next, limit: count, filter))
      found += page.events.filter { !isOmitted($0) }
      next = page.next
    } while found.count < Int(count) && next != nil
    return found.prefix(Int(count)).reversed()
  }

  /// The origins of undos and redos among `events`, by the sequence numbers of the undos and redos; see
  /// ``origin(of:_:)``. Only undos and redos that change a value, or whose line needs the origin, are included.
  func origins(of events: [Counters.Event]) throws -> [Int64: Counters.Event] {
    let known = Dictionary(events.map { ($0.sequence, $0) }) { first, _ in first }
    var found: [Int64: Counters.Event] = [:]
    for event in events where EventLine(event).needsOrigin {
      found[event.sequence] = try origin(of: event, known).event
    }
    return found
  }

  /// Follows an undo or a redo to its original event; `nil` if that event is unknown.
  ///
  /// - Parameter known: events by sequence number that need not be fetched.
  /// - Returns: the event, and the number of steps to it: odd if the event is undone.
  func origin(
    of event: Counters.Event, _ known: [Int64: Counters.Event] = [:]
  ) throws -> (event: Counters.Event?, links: Int) {
    var (origin, links) = (event as Counters.Event?, 0)
    while let number = origin?.undoes, links < 1000 {
      origin = try known[number] ?? self.event(number)?.event
      links += 1
    }
    return (origin, links)
  }

  /// Calls `each` for all events that match a filter, page by page, oldest first.
  func eachEvent(_ filter: Counters.EventFilter, _ each: ([Counters.Event]) throws -> Void) throws {
    var next: Int64? = 0
    while let after = next {
      let page = try call(.history(after: after, limit: 1000, filter))
      try each(page.events)
      next = page.next
    }
  }

  /// The counters that an event of a group or of all counters changed, or that an armed reset would change.
  func members(of event: EventLine) throws(ExitCode) -> [CounterLine] {
    guard event.name.isEmpty else { return [] }
    let counters = try call(.list).counters
    if event.knownKind == .armed {
      return counters.filter { counter in
        !counter.isLocked && !counter.isArchived && (event.group == nil || counter.group == event.group)
      }
      .map(CounterLine.init)
    }
    let names = Set(batch(of: event.event).map(\.counter))
    return counters.filter { names.contains($0.name) }.map(CounterLine.init)
  }

  /// Prints an event as JSON with the others of its batch; without them and without titles if the user may not read.
  func printJSON(_ event: EventLine) { printJSON(batch(of: event.event)) }

  /// Prints events as JSON, with the titles of their counters.
  func printJSON(_ events: [Counters.Event]) {
    let names = Set(events.map(\.counter).filter { !$0.isEmpty })
    let counters =
      names.count > 1
      ? ((try? client.call(.list).counters) ?? []).map(CounterLine.init)
      : names.first.flatMap(present).map { [$0] } ?? []
    let byName = Dictionary(counters.map { ($0.name, $0) }) { first, _ in first }
    for event in events { Output.line(EventLine(event, of: byName[event.counter]).json.description) }
  }

  /// The first 1,000 events of a batch, in order.
  func events(ofBatch first: Int64) throws(ExitCode) -> [Counters.Event] {
    try call(.history(after: first - 1, limit: 1000)).events.filter { $0.batch == first }
  }

  /// The batch of an event, in order; the event alone if it has no batch or the history cannot be read.
  private func batch(of event: Counters.Event) -> [Counters.Event] {
    guard let first = event.batch, first > 0 else { return [event] }
    var events: [Counters.Event] = []
    var after = first - 1
    while let page = try? client.call(.history(after: after, limit: 1000)) {
      let part = page.events.prefix { $0.batch == first }
      events += part
      guard page.isMore, part.count == page.events.count, let next = page.next ?? part.last?.sequence else { break }
      after = next
    }
    // Only the reply has the value in effect after a count of an ended period.
    return events.isEmpty ? [event] : events.map { $0.sequence == event.sequence ? event : $0 }
  }

  /// The change of a person that an undo undid or a redo redid, and the number of steps to it, as in ``origin(of:_:)``.
  /// An event that closed a period again was made by the event before it. Its change is therefore that of the event before
  /// it, or the end of the period if that end was undone.
  func change(behind event: Counters.Event) throws -> (event: Counters.Event?, links: Int) {
    let (origin, links) = try self.origin(of: event)
    guard let origin, EventLine(origin).isLate else { return (origin, links) }
    if let end = try end(undoneWith: event) { return (end, links) }
    guard origin.batch != nil, let count = try self.event(origin.sequence - 1)?.event else { return (origin, links) }
    let (first, more) = try self.origin(of: count)
    return (first, links + more)
  }

  /// The end of a period that was undone together with an event behind an undo or a redo; `nil` if none was.
  private func end(undoneWith event: Counters.Event) throws -> Counters.Event? {
    var undo = event
    while let former = try undo.undoes.flatMap({ try self.event($0)?.event }), former.undoes != nil { undo = former }
    guard let first = undo.batch, first > 0 else { return nil }
    return try events(ofBatch: first).last?.undoes.flatMap { try self.event($0)?.event }.flatMap { end in
      end.knownKind == .renewed && !EventLine(end).isLate ? end : nil
    }
  }

  /// The event with a sequence number, if it exists.
  func event(_ sequence: Int64) throws -> EventLine? {
    try call(.history(before: sequence &+ 1, limit: 1)).events.first { $0.sequence == sequence }.map { EventLine($0) }
  }
}

/// The end of a period at a time that is still in the future, because a clock that was ahead has ended the period. The
/// undo of the end restores the value.
struct EarlyEnd {
  /// The end as a sentence.
  let sentence: String
  /// The command that undoes the end.
  let remedy: String

  init(_ end: Counters.Event) {
    let value = ValueText(unit: end.unit).text(end.value.subtractingReportingOverflow(end.change).partialValue)
    let time = LocalTime.minute(end.time)
    sentence = "A period of \(end.counter) ended with \(value) at \(time), which is still to come."
    remedy = "tally undo \(end.sequence)"
  }

  /// Prints remarks about the last early ends of counters, if these can be read.
  static func remark(of counters: [String]?, _ client: Client) {
    for end in (try? all(of: counters, client)) ?? [] {
      Output.remark("\(end.sentence) If that clock was wrong: \(end.remedy)")
    }
  }

  /// The early ends that can be undone, the latest first.
  static func all(of counters: [String]? = nil, _ client: Client) throws -> [EarlyEnd] {
    try client.call(.earlyEnds(counters: counters)).events.map(EarlyEnd.init)
  }
}
