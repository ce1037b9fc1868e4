public import Counting

/// What an undo or a redo takes back. An event is taken back at most once: what is done again after that is another event,
/// which can be taken back in its turn.
extension CounterStore {
  /// What an undo takes back now, of one counter or of all: the last event that is not taken back yet, with all that was
  /// done as one with it. Selections, armings, locking and unlocking are passed over. Empty where nothing is left.
  public func lastUndoable(of counter: Counter.ID?, in ledger: Ledger) throws(StoreError) -> [Change.Takeback] {
    try last(of: counter, in: ledger) { event throws(StoreError) in
      guard event.kind == .undone else { return try isTakenBack(event) ? .goOn(before: event.sequence) : .found }
      return .goOn(before: Self.settled(by: event, counter))
    }
  }

  /// What a redo takes back now: the last undo that no redo took back, if nothing else happened since.
  public func lastRedoable(of counter: Counter.ID?, in ledger: Ledger) throws(StoreError) -> [Change.Takeback] {
    try last(of: counter, in: ledger) { event throws(StoreError) in
      switch event.kind {
      case .undone: try isTakenBack(event) ? .goOn(before: event.sequence) : .found
      case .redone: .goOn(before: Self.settled(by: event, counter))
      default: .nothing
      }
    }
  }

  /// What a producer did at a time with a device, if it is among the last 64 events and is not taken back yet.
  public func takeback(ofWhat producer: String, _ device: String?, didAt time: Int64, in ledger: Ledger)
    throws(StoreError) -> [Change.Takeback]
  {
    let latest = try events(max(1, ledger.lastSequence - 63)...max(1, ledger.lastSequence), in: ledger)
    let takenBack = Set(latest.compactMap(\.undoes))
    let made = latest.last { event in
      event.time == time && event.cause.producer == producer && event.cause.device == device
        && [.added, .subtracted, .reset, .started, .stopped, .lapped].contains(event.kind)
        && !takenBack.contains(event.sequence)
    }
    guard let made else { return [] }
    return try together(with: made, of: nil)
  }

  private enum Verdict {
    case found
    case goOn(before: Int64)
    case nothing
  }

  /// Goes back through the events that can be taken back, as far as `judge` says.
  private func last(
    of counter: Counter.ID?, in ledger: Ledger, _ judge: (Event) throws(StoreError) -> Verdict
  ) throws(StoreError) -> [Change.Takeback] {
    try flush(ledger)
    var end = ledger.lastSequence
    while end > 0, let event = try lastEvent(of: counter, until: end) {
      switch try judge(event) {
      case .nothing: return []
      case .goOn(let before): end = min(before, event.sequence) &- 1
      case .found: return try together(with: event, of: counter)
      }
    }
    return []
  }

  /// What has nothing left between it and the event; what a takeback took back may be far behind it.
  private static func settled(by event: Event, _ counter: Counter.ID?) -> Int64 {
    let isLast = event.marks.contains(counter == nil ? .lastOfAll : .lastOfCounter)
    return isLast ? event.undoes ?? event.sequence : event.sequence
  }

  private func lastEvent(of counter: Counter.ID?, until end: Int64) throws(StoreError) -> Event? {
    func event(_ row: Statement) throws(StoreError) -> Event { try self.event(row) }
    guard let counter else { return try statements.lastEventUntil.rows(.integer(end), row: event).first }
    return try statements.lastCounterEventUntil.rows(.integer(counter.number), .integer(end), row: event).first
  }

  private func isTakenBack(_ event: Event) throws(StoreError) -> Bool {
    try !statements.takenBack.rows(.integer(event.sequence)) { row throws(StoreError) in row.integer(0) }.isEmpty
  }

  /// The event and what was done as one with it, as far as that is not taken back yet and concerns `counter`.
  private func together(with event: Event, of counter: Counter.ID?) throws(StoreError) -> [Change.Takeback] {
    var events = [event]
    if let batch = event.batch {
      events = try statements.batch.rows(.integer(batch)) { row throws(StoreError) in try self.event(row) }
        .filter { counter == nil || $0.counter == counter }
    }
    return try events.map { event throws(StoreError) in
      Change.Takeback(event, reviving: event.presence == .disappeared ? try removed(event.counter) : nil)
    }
  }

  private func removed(_ id: Counter.ID) throws(StoreError) -> Change.Removed? {
    try statements.counter.rows(.integer(id.number)) { row throws(StoreError) -> Change.Removed in
      switch CounterRow.subject(row) {
      case .group: .group(CounterRow.group(row))
      case .formula: .formula(CounterRow.formula(row))
      case .counter, .all: .counter(CounterRow.counter(row))
      }
    }.first
  }
}
