public import Counting

/// Queries of the history that changes need. They include uncommitted events.
extension CounterStore {
  /// The range and the order of a page of events.
  public typealias Page = JournalReader.Page

  /// The events from `first` to `last`, inclusive.
  public func events(_ range: ClosedRange<Int64>, in ledger: Ledger) throws(StoreError) -> [Event] {
    try flush(ledger.head)
    return try statements.eventsBetween.rows(.integer(range.lowerBound), .integer(range.upperBound)) {
      row throws(StoreError) in try event(row)
    }
  }

  /// See ``JournalReader/search(_:_:limit:mayHold:)``.
  public func search(
    _ filter: EventFilter, _ page: Page, limit: Int64, in ledger: Ledger, mayHold: ((Int64, Int64) -> Bool)? = nil
  ) throws(StoreError) -> JournalReader.Found {
    try flush(ledger.head)
    return try reader.search(filter, page, limit: limit, mayHold: mayHold)
  }

  /// The time of the earliest count in the value of a counter, if that time is earlier than the start of the value: the
  /// creation of the counter, its last reset or the start of its period.
  public func earliestCount(of counter: Counter, in ledger: Ledger) throws(StoreError) -> Int64? {
    guard let began = counter.began else { return nil }
    try flush(ledger.head)
    return try reader.earliestCount(of: counter, in: ledger.periodStart(of: counter), before: began)
  }

  /// The time of the count that a committed event made, undid or redid; `nil` if it does not concern a count.
  public func countTime(of event: Event) throws(StoreError) -> Int64? {
    try past.rollups.contribution(of: EventRow(event, cause: 0))?.time
  }

  /// The counter or formula with this name, or else those that had the name earlier, the latest first.
  public func bearers(of name: String, in ledger: Ledger) throws(StoreError) -> [Counter.ID] {
    if let id = (try? ledger.find(.named(name)))?.id ?? ledger.formula(named: name)?.id { return [id] }
    try flush(ledger.head)
    return try reader.bearersEver(of: name)
  }

  /// The counters that an import changed under this name, and that were renamed after that; removed ones included.
  func countersImported(as name: String) throws(StoreError) -> [Counter.ID] {
    // Compared in Swift, because two spellings of the same letters are the same name.
    let inASCII = name.utf8.allSatisfy { $0 < 0x80 } ? Statement.Value.text(name) : .null
    let renames = try statements.renames.rows([inASCII]) { row throws(StoreError) in
      row.text(1) == name ? (id: Counter.ID(row.integer(0)), range: row.integer(3)...row.integer(2)) : nil
    }
    var found: [Counter.ID] = []
    for case let rename? in renames where found.last != rename.id {
      if try isImported(rename.id, in: rename.range) { found.append(rename.id) }
    }
    return found
  }

  /// Whether an import that is not undone changed a counter within a range of events.
  private func isImported(_ id: Counter.ID, in range: ClosedRange<Int64>) throws(StoreError) -> Bool {
    let parts = try statements.importsBetween.rows(.integer(range.lowerBound), .integer(range.upperBound)) {
      row throws(StoreError) in (first: row.integer(0), last: row.integer(1))
    }
    for part in parts {
      var next = part.first
      while next <= part.last {
        var events: [Event] = []
        let end = try reader.past.eventSearch.each(
          EventFilter(counters: [id]), in: next...part.last, .forwards, limit: 256
        ) { row throws(StoreError) in events.append(try event(row)) }
        onProgress()
        for event in events where event.undoes == nil && event.about == nil && event.kind != .renewed {
          if try reader.stands(event.sequence) { return true }
        }
        guard case .reached(let sequence) = end else { break }
        next = sequence + 1
      }
    }
    return false
  }

  func event(_ row: Statement) throws(StoreError) -> Event { try reader.event(row) }
}
