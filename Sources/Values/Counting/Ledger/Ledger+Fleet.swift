import Calendars

/// Counters that the stations of a fleet count together. Their value is the total of all stations.
extension Ledger {
  /// Whether a fleet counts this counter.
  public func isShared(_ id: Counter.ID) -> Bool { shares[id] != nil }

  /// Whether the count of an event is not in the total of a shared counter: a reset at another station removed it, or
  /// it was dropped when the fleet began to count here. An undo of the event would remove counts of others.
  public func isGone(_ event: Event) -> Bool {
    guard event.subject == .counter, event.presence == .unchanged, event.change != 0 else { return false }
    if let last = dropped[event.counter], event.sequence <= last { return true }
    guard let ranges = gone[event.counter], event.kind != .reset else { return false }
    // A reset leaves ended periods as they are.
    return ranges.contains { $0.contains(event.sequence) }
      && counters[event.counter].flatMap { periodEnd(of: $0, at: event.time) } == nil
  }

  /// Changes the value by the acts of other stations. Locks and limits do not apply to counts already made.
  mutating func learn(_ id: Counter.ID, by change: Int64, _ occasion: Context) throws(CountingError) -> [Event] {
    guard var counter = counters[id] else { return [] }
    let began = counter[.began]
    let event = try move(&counter, by: change, occasion)
    // Another station has reset the counter.
    var alterations = event.alterations
    if change != 0, counter.isAtStart {
      counter.began = occasion.time
      alterations.append(Alteration(.began, from: began, to: counter[.began]))
    }
    return [
      record(
        .learned, counter, occasion, change: change, marks: event.marks.union(.notUndoable), boundary: event.boundary,
        alterations: alterations)
    ]
  }

  /// The settings that all stations must share, since the total is computed from them.
  private static let fixed: [Field] = [.start, .period]

  /// - Throws: ``CountingError/badSetting(_:reason:)`` for settings that a shared counter keeps.
  func checkShared(_ counter: Counter, _ settings: Settings) throws(CountingError) {
    guard isShared(counter.id) else { return }
    for field in Self.fixed {
      guard let value = settings[field], value != counter[field] else { continue }
      if case .text("") = value, counter[field] == .none { continue }
      throw .badSetting(
        field.rawValue,
        reason: "“\(counter.name)” is shared, and all stations must have the same; leave the fleet first")
    }
  }

  /// Whether an undo does not change a field of a counter, because the counter has been shared since.
  func isFixed(_ field: Field, of counter: Counter) -> Bool { Self.fixed.contains(field) && isShared(counter.id) }

  /// The start of the current period of a counter, in microseconds since 1970; `nil` for a counter without periods. The
  /// start follows from the schedule alone, so that all stations name the period alike.
  public func periodStart(of counter: Counter) -> Int64? {
    if let end = counter.renewsAt { return start(of: counter, endingAt: end) }
    // A schedule with a single time, which has passed.
    guard let schedule = counter.period.flatMap(Schedule.init), case .once = schedule.kind else { return nil }
    return start(of: counter, endingAt: Event.times.upperBound)
  }

  /// The start of the period that ended at a time; `nil` without periods, and before the first period.
  public func start(of counter: Counter, endingAt end: Int64) -> Int64? {
    guard let schedule = counter.period.flatMap(Schedule.init) else { return nil }
    let zone = (try? zone(schedule.zone)) ?? .utc
    let second = schedule.last(atOrBefore: (max(end, 0) / 1_000_000) - 1, in: zone)
    guard let (start, overflow) = second?.multipliedReportingOverflow(by: 1_000_000), !overflow,
      Event.times ~= start
    else { return nil }
    return start
  }
}
