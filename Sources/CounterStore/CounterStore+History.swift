public import Counting

extension CounterStore {
  /// Which part of the history is wanted, and in which order it comes.
  public enum Page: Sendable {
    /// Oldest first, from the event after this sequence number on.
    case after(Int64)
    /// Newest first, from the event before this sequence number on.
    case before(Int64)
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

  /// An event that is to be taken back, with the removed counter that comes back by that.
  public typealias Takeback = (event: Event, removed: Counter?)

  /// What an undo takes back now: the last event that is not taken back yet. Selections and armings are passed over, as
  /// they are no counts. `nil` where nothing is left.
  public func lastUndoable(in ledger: Ledger) throws(StoreError) -> Takeback? {
    try last(in: ledger) { event in
      // Undos nest: all that lies between an undo and what it took back is settled as well.
      event.kind == .undone ? .goOn(before: event.undoes) : .found
    }
  }

  /// What a producer did at a time with a device, if it is among the last 64 events and is not taken back yet.
  public func takeback(ofWhat producer: String, _ device: String?, didAt time: Int64, in ledger: Ledger)
    throws(StoreError) -> Takeback?
  {
    let latest = try events(max(1, ledger.lastSequence - 63)...max(1, ledger.lastSequence), in: ledger)
    let takenBack = Set(latest.compactMap(\.undoes))
    let made = latest.last { event in
      event.time == time && event.cause.producer == producer && event.cause.device == device
        && [.added, .subtracted, .reset].contains(event.kind) && !takenBack.contains(event.sequence)
    }
    return made.map { ($0, nil) }
  }

  /// What a redo takes back now: the last undo that no redo took back, if nothing else happened since.
  public func lastRedoable(in ledger: Ledger) throws(StoreError) -> Takeback? {
    try last(in: ledger) { event in
      switch event.kind {
      case .undone: .found
      case .redone: .goOn(before: event.undoes)
      default: .nothing
      }
    }
  }

  private enum Verdict {
    case found
    case goOn(before: Int64?)
    case nothing
  }

  /// Goes back through the events that can be taken back, as far as `judge` says.
  private func last(in ledger: Ledger, _ judge: (Event) -> Verdict) throws(StoreError) -> Takeback? {
    try flush(ledger)
    var end = ledger.lastSequence
    while end > 0 {
      let found = try statements.lastEventUntil.rows(.integer(end)) { row throws(StoreError) in try Self.event(row) }
      guard let event = found.first else { return nil }
      switch judge(event) {
      case .nothing: return nil
      case .goOn(let before): end = min(before ?? event.sequence, event.sequence) &- 1
      case .found: return (event, event.presence == .disappeared ? try removed(event.counter) : nil)
      }
    }
    return nil
  }

  private func removed(_ id: Counter.ID) throws(StoreError) -> Counter? {
    try statements.removedCounter.rows(.integer(id.number)) { row throws(StoreError) in Self.counter(row) }.first
  }

  static func counter(_ row: Statement) -> Counter {
    Counter(
      id: .init(row.integer(0)), name: CounterName(trusted: row.text(1)), title: row.text(2), start: row.integer(3),
      step: row.integer(4), value: row.integer(5))
  }

  static func event(_ row: Statement) throws(StoreError) -> Event {
    guard let kind = Event.Kind(rawValue: row.text(2)) else {
      throw StoreError(.damaged, "Event \(row.integer(0)) in the journal is of a kind that this version does not know.")
    }
    return Event(
      sequence: row.integer(0), time: row.integer(1), kind: kind, counter: .init(row.integer(3)),
      name: CounterName(trusted: row.text(4)), change: row.integer(5), value: row.integer(6),
      presence: Event.Presence(rawValue: row.integer(11)) ?? .unchanged, undoes: row.optionalInteger(7),
      cause: Cause(producer: row.text(8), device: row.optionalText(9), gesture: row.optionalText(10)))
  }
}
