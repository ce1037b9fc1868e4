public import Counting

extension CounterStore {
  /// Which part of the history is wanted, and in which order it comes.
  public enum Page: Sendable {
    /// Oldest first, from the event after this sequence number on.
    case after(Int64)
    /// Newest first, from the event before this sequence number on.
    case before(Int64)
  }

  /// At most `limit` events, of one counter or of all.
  public func history(of counter: Counter.ID?, _ page: Page, limit: Int64, in ledger: Ledger) throws(StoreError)
    -> [Event]
  {
    try flush(ledger)
    func event(_ row: Statement) throws(StoreError) -> Event { try Self.event(row) }
    switch (page, counter) {
    case (.after(let sequence), nil):
      return try statements.eventsAfter.rows(.integer(sequence), .integer(limit), row: event)
    case (.before(let sequence), nil):
      return try statements.eventsBefore.rows(.integer(sequence), .integer(limit), row: event)
    case (.after(let sequence), let id?):
      return try statements.counterEventsAfter.rows(
        .integer(id.number), .integer(sequence), .integer(limit), row: event)
    case (.before(let sequence), let id?):
      return try statements.counterEventsBefore.rows(
        .integer(id.number), .integer(sequence), .integer(limit), row: event)
    }
  }

  /// The events from `first` to `last`, both included.
  public func events(_ range: ClosedRange<Int64>, in ledger: Ledger) throws(StoreError) -> [Event] {
    try flush(ledger)
    return try statements.eventsBetween.rows(.integer(range.lowerBound), .integer(range.upperBound)) {
      row throws(StoreError) in try Self.event(row)
    }
  }

  /// The counter that bears `name`, or that bore it last before it was removed.
  public func counterEverNamed(_ name: String, in ledger: Ledger) throws(StoreError) -> Counter? {
    try flush(ledger)
    return try statements.lastCounterNamed.rows(.text(name)) { row throws(StoreError) in Self.counter(row) }.first
  }

  /// What an undo takes back now: the last event that is neither undone, nor an undo, nor a selection, which is no
  /// count; with the removed counter that comes back if it was a removal. `nil` where nothing is left.
  public func lastUndoable(in ledger: Ledger) throws(StoreError) -> (event: Event, removed: Counter?)? {
    try flush(ledger)
    var end = ledger.lastSequence
    while end > 0 {
      let found = try statements.lastEventUntil.rows(.integer(end)) { row throws(StoreError) in try Self.event(row) }
      guard let event = found.first else { return nil }
      // Undos nest: all that lies between an undo and what it took back is settled as well.
      if let undone = event.undoes {
        end = min(undone, event.sequence) &- 1
        continue
      }
      guard event.kind == .removed else { return (event, nil) }
      let counters = try statements.removedCounter.rows(.integer(event.counter.number)) { row throws(StoreError) in
        Self.counter(row)
      }
      return (event, counters.first)
    }
    return nil
  }

  static func counter(_ row: Statement) -> Counter {
    Counter(
      id: .init(row.integer(0)), name: CounterName(trusted: row.text(1)), title: row.text(2), start: row.integer(3),
      step: row.integer(4), value: row.integer(5))
  }

  private static func event(_ row: Statement) throws(StoreError) -> Event {
    guard let kind = Event.Kind(rawValue: row.text(2)) else {
      throw StoreError(.damaged, "Event \(row.integer(0)) in the journal is of a kind that this version does not know.")
    }
    return Event(
      sequence: row.integer(0), time: row.integer(1), kind: kind, counter: .init(row.integer(3)),
      name: CounterName(trusted: row.text(4)), change: row.integer(5), value: row.integer(6),
      undoes: row.optionalInteger(7),
      cause: Cause(producer: row.text(8), device: row.optionalText(9), gesture: row.optionalText(10)))
  }
}
