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
      row throws(StoreError) in try event(row)
    }
  }

  /// The counters that bear `names`, or that bore them last: before they were removed, or called otherwise. However many
  /// names there are, all that ever were given are gone through once.
  public func countersEver(named names: Set<String>, in ledger: Ledger) throws(StoreError) -> [String: Counter] {
    try flush(ledger)
    // Compared here, since two spellings of the same letters are the same name.
    var bearers: [String: Int64] = [:]
    for given in [statements.names, statements.formerNames] where bearers.count < names.count {
      var found: [String: Int64] = [:]
      _ = try given.each([]) { row throws(StoreError) in
        let name = row.text(1)
        if names.contains(name), found[name] == nil { found[name] = row.integer(0) }
      }
      bearers.merge(found) { bearer, _ in bearer }
    }
    var counters: [String: Counter] = [:]
    for (name, id) in bearers {
      counters[name] =
        try statements.counter.rows(.integer(id)) { row throws(StoreError) in CounterRow.counter(row) }.first
    }
    return counters
  }

  func event(_ row: Statement) throws(StoreError) -> Event {
    let sequence = row.integer(0)
    guard let kind = Event.Kind(rawValue: row.text(2)) else {
      throw StoreError(.damaged, "Event \(sequence) in the journal is of a kind that this version does not know.")
    }
    let marks = Event.Marks(rawValue: row.integer(13))
    return Event(
      sequence: sequence, time: row.integer(1), kind: kind, subject: Event.Subject(rawValue: row.text(12)) ?? .counter,
      counter: .init(row.integer(3)), name: CounterName(trusted: row.text(4)),
      unit: row.text(12) == "stopwatch" ? .time : .decimal(min(max(row.integer(18), 0), 9)), change: row.integer(5),
      value: row.integer(6), presence: Event.Presence(rawValue: row.integer(11)) ?? .unchanged,
      undoes: row.optionalInteger(7),
      cause: Cause(producer: row.text(8), device: row.optionalText(9), gesture: row.optionalText(10)), marks: marks,
      boundary: row.optionalInteger(14), about: row.optionalInteger(15), batch: row.optionalInteger(16),
      alterations: marks.contains(.altered) ? try alterations(of: sequence) : [], note: row.optionalText(17))
  }

  private func alterations(of sequence: Int64) throws(StoreError) -> [Alteration] {
    try statements.alterations.rows(.integer(sequence)) { row throws(StoreError) in
      guard let field = Field(rawValue: row.text(0)) else {
        throw StoreError(.damaged, "Event \(sequence) alters “\(row.text(0))”, which this version does not know.")
      }
      return Alteration(field, from: .init(row.value(1)), to: .init(row.value(2)))
    }
  }
}
