public import Counting

extension CounterStore {
  /// All groups, counters and formulas, also those that were removed, as an archive without events.
  public func archive(in ledger: Ledger) throws(StoreError) -> Archive {
    try flush(ledger)
    var archive = Archive()
    archive.current = ledger.current
    let columns = CounterRow.columns.joined(separator: ", ")
    let statement = try database.prepare(
      "SELECT \(columns), removed FROM counter LEFT JOIN standing ON standing.counter = counter.id WHERE id > 0 ORDER BY id"
    )
    _ = try statement.each([]) { row throws(StoreError) in
      let isRemoved = row.integer(Int32(CounterRow.columns.count)) != 0
      switch CounterRow.subject(row) {
      case .group:
        archive.groups.append(CounterRow.group(row))
        if isRemoved { archive.removed.insert(.init(row.integer(0))) }
      case .formula:
        archive.formulas.append(CounterRow.formula(row))
        if isRemoved { archive.removed.insert(.init(row.integer(0))) }
      case .counter, .all:
        archive.counters.append(.init(CounterRow.counter(row), isRemoved: isRemoved))
      }
    }
    return archive
  }
}
