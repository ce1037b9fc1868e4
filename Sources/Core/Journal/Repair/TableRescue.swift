/// Copies the readable rows of one table, skipping unreadable parts of the file.
struct TableRescue {
  /// The result of copying a table.
  struct Outcome {
    var rows = 0
    /// The ranges of row numbers that could not be read.
    var gaps: [ClosedRange<Int64>] = []
    /// Whether nothing could be read after some damage.
    var isCutOff = false

    var isComplete: Bool { gaps.isEmpty && !isCutOff }
  }

  private let source: Database
  private let replace: Statement
  private let add: Statement
  private let changes: Statement
  private let forwards: Statement
  /// Reads the table from its end. Used only for a table without row numbers, which cannot be read from the middle.
  private let backwards: Statement?

  /// - Throws: if the table is not in the damaged file.
  init(_ table: String, from source: Database, to target: Database) throws(StoreError) {
    self.source = source
    let info = try target.prepare("SELECT name, pk FROM pragma_table_info('\(table)') ORDER BY cid")
    let columns = try info.rows { row throws(StoreError) in (name: row.text(0), key: row.integer(1)) }
    let names = columns.map(\.name).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = "INTO \(table) (\(names)) VALUES (\(places))"
    replace = try target.prepare("INSERT OR REPLACE \(insertion)")
    add = try target.prepare("INSERT OR IGNORE \(insertion)")
    changes = try target.prepare("SELECT changes()")
    let isNumbered = (try? target.prepare("SELECT rowid FROM \(table)")) != nil
    if isNumbered {
      backwards = nil
      forwards = try source.prepare(
        "SELECT \(names), rowid FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?")
    } else {
      let key = columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)
      forwards = try source.prepare("SELECT \(names) FROM \(table) ORDER BY \(key.joined(separator: ", "))")
      backwards = try source.prepare(
        "SELECT \(names) FROM \(table) ORDER BY \(key.map { "\($0) DESC" }.joined(separator: ", "))")
    }
  }

  /// - Parameter isAdding: whether existing rows stay as they are, and are not counted.
  /// - Throws: if the new file cannot be written.
  func run(isAdding: Bool = false) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    let insert = isAdding ? add : replace
    guard let backwards else {
      try runNumbered(&outcome, insert)
      return outcome
    }
    let first = read(forwards, [])
    try save(first.rows, &outcome, insert)
    guard first.isDamaged else { return outcome }
    // Rows that are read from both ends are written twice, but stored once.
    let last = read(backwards, [])
    try save(last.rows, &outcome, insert)
    outcome.isCutOff = true
    return outcome
  }

  /// Adds a row that was found elsewhere, unless the new file has one in its place.
  func add(_ row: [Statement.Value], _ outcome: inout Outcome) throws(StoreError) { try save([row], &outcome, add) }

  private func runNumbered(_ outcome: inout Outcome, _ insert: Statement) throws(StoreError) {
    var next = Int64.min
    while true {
      let batch = read(from: next, atMost: 500)
      try save(batch.rows, &outcome, insert)
      if case .integer(let number)? = batch.rows.last?.last {
        guard number < .max else { return }
        next = number + 1
      }
      if !batch.isDamaged {
        if batch.rows.count < 500 { return }
        continue
      }
      guard let beyond = firstReadable(from: max(next, 0)) else {
        outcome.isCutOff = true
        return
      }
      if beyond > max(next, 0) { outcome.gaps.append(max(next, 0)...beyond - 1) }
      next = beyond
    }
  }

  /// The first row number from `start` on at which the table is readable again. Doubles the distance until a read
  /// succeeds, then halves the interval.
  private func firstReadable(from start: Int64) -> Int64? {
    var (bad, good) = (start, start)
    var stride: Int64 = 1
    while true {
      guard stride < 1 << 48 else { return nil }
      good = start &+ stride
      let found = read(from: good, atMost: 1)
      if !found.isDamaged {
        if found.rows.isEmpty { return nil }
        break
      }
      (bad, stride) = (good, stride * 2)
    }
    while good - bad > 1 {
      let middle = bad + (good - bad) / 2
      if read(from: middle, atMost: 1).isDamaged { bad = middle } else { good = middle }
    }
    return good
  }

  /// The rows from a number on. In a damaged tree the rows may come in any order, and without end.
  private func read(from start: Int64, atMost limit: Int64) -> (rows: [[Statement.Value]], isDamaged: Bool) {
    let found = read(forwards, [.integer(start), .integer(limit)])
    var last: Int64?
    let ordered = found.rows.prefix { row in
      guard case .integer(let number)? = row.last, number >= start, last.map({ $0 < number }) ?? true else {
        return false
      }
      last = number
      return true
    }
    return (Array(ordered), found.isDamaged || ordered.count < found.rows.count)
  }

  private func read(_ statement: Statement, _ values: [Statement.Value]) -> (rows: [[Statement.Value]], isDamaged: Bool)
  {
    var rows: [[Statement.Value]] = []
    do {
      _ = try statement.each(values) { row throws(StoreError) in
        rows.append((0..<row.columns).map { row.value($0) })
      }
      return (rows, false)
    } catch {
      return (rows, true)
    }
  }

  private func save(_ rows: [[Statement.Value]], _ outcome: inout Outcome, _ insert: Statement) throws(StoreError) {
    for row in rows {
      do {
        _ = try insert.each(row) { _ in }
        outcome.rows += try changes.rows { row throws(StoreError) in Int(row.integer(0)) }.first ?? 0
      } catch {
        // A constraint error means a damaged row that SQLite did not notice; other errors come from the new file.
        guard error.code == .constraint else { throw error }
        outcome.isCutOff = true
      }
    }
  }
}
