/// Recomputes every value of a journal from its events.
final class Verification {
  /// At most so many differences are told; whoever has more has them everywhere.
  private static let most = 100

  private let database: Database
  private var found: [String] = []

  init(_ database: Database) { self.database = database }

  /// Sentences that say what differs, as the journal is at one moment.
  func differences() throws(StoreError) -> [String] {
    try database.execute("BEGIN")
    let quick = try database.text("PRAGMA quick_check(1)") ?? ""
    if quick != "ok" { found.append("SQLite finds the file damaged: \(quick).") }
    try checkValues()
    try checkSummaries()
    try database.execute("COMMIT")
    return found
  }

  private func tell(_ difference: @autoclosure () -> String) {
    if found.count < Self.most { found.append(difference()) }
  }

  private func checkValues() throws(StoreError) {
    var values: [Int64: Int64] = [:]
    var last: Int64 = 0
    _ = try database.prepare("SELECT sequence, counter, change, value FROM event ORDER BY sequence").each([]) {
      row throws(StoreError) in
      let (sequence, counter, change, value) = (row.integer(0), row.integer(1), row.integer(2), row.integer(3))
      if sequence != last + 1 { tell("Events \(last + 1) to \(sequence - 1) are missing.") }
      last = sequence
      if let before = values[counter], before.addingReportingOverflow(change) != (value, false) {
        tell("Event \(sequence) says that \(before) changed by \(change) is \(value).")
      }
      values[counter] = value
    }
    _ = try database.prepare(
      "SELECT id, name, standing.value FROM counter LEFT JOIN standing ON standing.counter = id WHERE kind IN ('counter', 'stopwatch')"
    ).each([]) { row throws(StoreError) in
      guard let value = values[row.integer(0)] else { return tell("“\(row.text(1))” stands without an event.") }
      if row.optionalInteger(2) != value {
        tell(
          "“\(row.text(1))” stands at \(row.optionalInteger(2).map(String.init) ?? "nothing"); its events add up to \(value)."
        )
      }
    }
  }

  /// What totals are read from must be what the events say as well.
  private func checkSummaries() throws(StoreError) {
    let summaries = try Summaries(database)
    let last = try summaries.count() * Summaries.blockSize
    var sums: [Quarter.Key: Quarter.Summary] = [:]
    var first: Int64 = 1
    while first <= last {
      let events = try summaries.events(first...first + Summaries.blockSize - 1)
      for (key, summary) in try summaries.quarters(of: events) { sums[key, default: .init()].include(summary) }
      first += Summaries.blockSize
    }
    _ = try database.prepare("SELECT counter, number, counts, added, subtracted, first, last FROM quarter").each([]) {
      row throws(StoreError) in
      let key = Quarter.Key(counter: row.integer(0), number: row.integer(1))
      let expected = sums.removeValue(forKey: key)
      if expected?.totals != Quarter.Summary(row, from: 2).totals {
        tell("The totals of counter \(key.counter) in quarter \(key.number) are not what its events add up to.")
      }
    }
    if let missing = sums.keys.first {
      tell("The totals of counter \(missing.counter) in quarter \(missing.number) are missing.")
    }
  }
}
