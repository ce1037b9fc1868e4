import Counting
public import Fleet

/// The tables of the fleet.
public final class FleetTables {
  let database: Database
  private var writers: [WriterID: Int64] = [:]
  private var periods: [CounterPeriod: Int64] = [:]
  private var statements: [String: Statement] = [:]
  /// The number of registers of quarter hours; `nil` if they have not been counted.
  var registerCount: Int64?
  /// Writers whose registers were refused since the start, because the table is full: asking for them again is useless.
  public internal(set) var refused: Set<HistoryChanges.Author> = []

  init(_ database: Database) { self.database = database }

  /// Forgets cached numbers of rows that a rollback may have removed.
  func forget() {
    writers.removeAll()
    periods.removeAll()
    registerCount = nil
  }

  /// Returns the statement `sql`, which must be a constant of this program.
  func statement(_ sql: String) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = database.statement(sql)
    statements[sql] = statement
    return statement
  }

  // MARK: Reading

  /// All writers by the numbers of their rows. Invalid rows, which only a damaged journal has, are left out.
  private func allWriters() throws(StoreError) -> [Int64: (id: WriterID, isOwn: Bool, last: Int64?)] {
    var all: [Int64: (id: WriterID, isOwn: Bool, last: Int64?)] = [:]
    _ = try statement("SELECT id, writer, own, last FROM fleet_writer").each([]) { row throws(StoreError) in
      guard let writer = WriterID(row.text(1)) else { return }
      all[row.integer(0)] = (writer, row.integer(2) != 0, row.optionalInteger(3))
    }
    return all
  }

  private func allPeriods() throws(StoreError) -> [Int64: CounterPeriod] {
    var all: [Int64: CounterPeriod] = [:]
    _ = try statement("SELECT id, counter, start FROM fleet_period").each([]) { row throws(StoreError) in
      guard let counter = CounterID(row.text(1)) else { return }
      all[row.integer(0)] = CounterPeriod(counter, start: row.optionalInteger(2))
    }
    return all
  }

  /// The state of the fleet's counters in the journal, with the acts of this station.
  public func station() throws(StoreError) -> Station {
    let (writers, periods) = (try allWriters(), try allPeriods())
    var parts: [CounterPeriod: Replica] = [:]
    func add(_ part: Replica, _ period: Int64) {
      if let period = periods[period] { parts[period, default: Replica()].join(part) }
    }
    _ = try statement("SELECT period, writer, number, added, subtracted, counts FROM fleet_register").each([]) {
      row throws(StoreError) in
      guard let writer = writers[row.integer(1)]?.id, let register = Self.register(row, from: 2) else { return }
      add(Replica(registers: [writer: register]), row.integer(0))
    }
    // Read before the resets: an undo that is added after its reset makes the station search all rows.
    _ = try statement("SELECT period, writer, number FROM fleet_undone").each([]) { row throws(StoreError) in
      guard let writer = writers[row.integer(1)]?.id else { return }
      add(Replica(undone: [Entry(writer: writer, number: row.integer(2))]), row.integer(0))
    }
    var seen: [Int64: [WriterID: Register]] = [:]
    _ = try statement("SELECT reset, writer, number, added, subtracted, counts FROM fleet_seen").each([]) {
      row throws(StoreError) in
      guard let writer = writers[row.integer(1)]?.id, let register = Self.register(row, from: 2) else { return }
      seen[row.integer(0), default: [:]][writer] = register
    }
    _ = try statement("SELECT id, period, writer, number, size, base_writer, base_number FROM fleet_reset").each([]) {
      row throws(StoreError) in
      guard let writer = writers[row.integer(2)]?.id, 0...Int64(ReplicaStore.maximumRows) * 2 ~= row.integer(4) else {
        return
      }
      var base: Entry?
      if let writer = row.optionalInteger(5).flatMap({ writers[$0]?.id }) {
        base = Entry(writer: writer, number: row.integer(6))
      }
      let reset = Reset(on: base, size: Int(row.integer(4)), seen: seen[row.integer(0)] ?? [:])
      add(Replica(resets: [Entry(writer: writer, number: row.integer(3)): reset]), row.integer(1))
    }
    let own = writers.values.filter(\.isOwn)
    let lasts = own.reduce(into: [:]) { $0[$1.id] = $1.last }
    let open = try statement("SELECT writer FROM fleet").rows { row throws(StoreError) in row.optionalInteger(0) }.first
    var last: Entry?
    if let writer = open.flatMap({ $0 }).flatMap({ writers[$0]?.id }) {
      let registers = parts.values.lazy.compactMap { $0.registers[writer]?.number }.max() ?? 0
      let resets = parts.values.lazy.flatMap { $0.resets.keys }.filter { $0.writer == writer }.map(\.number).max() ?? 0
      // Counts of periods that are not kept are only in the history.
      let history = try statement(
        "SELECT max(entry) FROM fleet_digest WHERE writer = (SELECT id FROM fleet_writer WHERE writer = ?)"
      ).rows(.text(writer.description)) { row throws(StoreError) in row.integer(0) }.first
      last = Entry(writer: writer, number: max(registers, resets, history ?? 0))
    }
    return Station(
      writers: Set(own.map(\.id)), last: last, lasts: lasts, parts: parts.map { ($0.key, $0.value) })
  }

  private static func register(_ row: Statement, from column: Int32) -> Register? {
    Register(
      received: row.integer(column), added: row.integer(column + 1), subtracted: row.integer(column + 2),
      counts: row.integer(column + 3))
  }

  // MARK: Writing

  func number(of writer: WriterID, isOwn: Bool) throws(StoreError) -> Int64 {
    if let number = writers[writer] { return number }
    try statement("INSERT OR IGNORE INTO fleet_writer (writer, own) VALUES (?, ?)").run(
      .text(writer.description), .integer(isOwn ? 1 : 0))
    let number = try statement("SELECT id FROM fleet_writer WHERE writer = ?").rows(.text(writer.description)) {
      row throws(StoreError) in row.integer(0)
    }.first
    guard let number else { throw StoreError(.failed, "SQLite did not keep a writer.") }
    writers[writer] = number
    return number
  }

  func number(of period: CounterPeriod) throws(StoreError) -> Int64 {
    if let number = periods[period] { return number }
    let find = statement("SELECT id FROM fleet_period WHERE counter = ? AND coalesce(start, -1) = ?")
    func found() throws(StoreError) -> Int64? {
      try find.rows(.text(period.counter.description), .integer(period.start ?? -1)) { row throws(StoreError) in
        row.integer(0)
      }.first
    }
    if let number = try found() {
      periods[period] = number
      return number
    }
    try statement("INSERT INTO fleet_period (counter, start) VALUES (?, ?)").run(
      .text(period.counter.description), .init(period.start))
    guard let number = try found() else { throw StoreError(.failed, "SQLite did not keep a period.") }
    periods[period] = number
    return number
  }

  /// Saves the rows that have changed.
  ///
  /// - Parameter times: see ``save(_:of:times:)``.
  func save(
    _ changes: FleetChanges, of station: Station,
    times: (Counter.ID, Int64) throws(StoreError) -> ClosedRange<Int64>?
  ) throws(StoreError) {
    if changes.isNewWriter, let writer = station.writer {
      try statement("UPDATE fleet SET writer = ?").run(.integer(try number(of: writer, isOwn: true)))
    }
    for (writer, last) in changes.lasts {
      try statement("UPDATE fleet_writer SET last = ? WHERE id = ?").run(
        .integer(last), .integer(try number(of: writer, isOwn: true)))
    }
    for period in changes.dropped { try drop(period) }
    for (period, rows) in changes.rows {
      let (replica, number) = (station.knowledge[period], try number(of: period))
      let saving = statement("INSERT OR REPLACE INTO fleet_register VALUES (?, ?, ?, ?, ?, ?)")
      for writer in rows.registers {
        guard let register = replica.registers[writer] else { continue }
        try save(register, of: try self.number(of: writer, station), number, by: saving)
      }
      for entry in rows.resets {
        if let reset = replica.resets[entry] {
          try save(reset, entry, station, number, isOfAll: reset.seen == replica.registers)
        }
      }
      for (entry, writers) in rows.parts where !rows.resets.contains(entry) {
        if let reset = replica.resets[entry] { try save(reset.rows(of: writers), entry, station, number) }
      }
      for entry in rows.undone where replica.undone.contains(entry) {
        try statement("INSERT OR IGNORE INTO fleet_undone VALUES (?, ?, ?)").run(
          .integer(number), .integer(try self.number(of: entry.writer, station)), .integer(entry.number))
      }
    }
    try save(changes.history, of: station, times: times)
    for (event, act) in changes.acts {
      try statement("INSERT OR REPLACE INTO fleet_act VALUES (?, ?, ?, ?)").run(
        .integer(event), .integer(try number(of: act.period)),
        .integer(try number(of: act.entry.writer, isOwn: true)), .integer(act.entry.number))
    }
  }

  /// Removes the rows of a period, except those that assign this station's resets to events.
  private func drop(_ period: CounterPeriod) throws(StoreError) {
    let number = Statement.Value.integer(try number(of: period))
    for rows in [
      "fleet_seen WHERE reset IN (SELECT id FROM fleet_reset WHERE period = ?)", "fleet_reset WHERE period = ?",
      "fleet_register WHERE period = ?", "fleet_undone WHERE period = ?",
      "fleet_period WHERE id = ? AND id NOT IN (SELECT period FROM fleet_act)",
    ] {
      try statement("DELETE FROM \(rows)").run(number)
    }
    periods[period] = nil
  }

  private func number(of writer: WriterID, _ station: Station) throws(StoreError) -> Int64 {
    if let number = writers[writer] { return number }
    return try number(of: writer, isOwn: station.writers.contains(writer))
  }

  private func save(
    _ register: Register, of writer: Int64, _ row: Int64, by statement: Statement
  ) throws(StoreError) {
    try statement.bind(row, to: 1)
    try statement.bind(writer, to: 2)
    try statement.bind(register.number, to: 3)
    try statement.bind(register.added, to: 4)
    try statement.bind(register.subtracted, to: 5)
    try statement.bind(register.counts, to: 6)
    try statement.runBound()
  }

  /// Saves a reset, or changed rows of it.
  ///
  /// - Parameter isOfAll: whether the reset includes all registers of the period, which are saved already.
  private func save(
    _ reset: Reset, _ entry: Entry, _ station: Station, _ period: Int64, isOfAll: Bool = false
  ) throws(StoreError) {
    let writer = try number(of: entry.writer, station)
    let base = try reset.base.map { base throws(StoreError) in try number(of: base.writer, station) }
    try statement(
      """
      INSERT INTO fleet_reset (period, writer, number, size, base_writer, base_number) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (period, writer, number) DO UPDATE
        SET size = excluded.size, base_writer = excluded.base_writer, base_number = excluded.base_number
      """
    ).run(
      .integer(period), .integer(writer), .integer(entry.number), .integer(Int64(reset.size)), .init(base),
      .init(reset.base?.number))
    let row = try statement("SELECT id FROM fleet_reset WHERE period = ? AND writer = ? AND number = ?").rows(
      .integer(period), .integer(writer), .integer(entry.number)
    ) { row throws(StoreError) in row.integer(0) }.first
    guard let row else { throw StoreError(.failed, "SQLite did not keep a reset.") }
    if isOfAll {
      // Binding the rows one by one would take three times as long.
      return try statement(
        """
        INSERT OR REPLACE INTO fleet_seen
        SELECT ?, writer, number, added, subtracted, counts FROM fleet_register WHERE period = ? ORDER BY writer
        """
      ).run(.integer(row), .integer(period))
    }
    let saving = statement("INSERT OR REPLACE INTO fleet_seen VALUES (?, ?, ?, ?, ?, ?)")
    let rows = try reset.seen.map { writer, register throws(StoreError) in (try number(of: writer, station), register) }
    // Rows are saved in the order of the table, so that each new row is added at the table's end.
    for (writer, register) in rows.sorted(by: { $0.0 < $1.0 }) { try save(register, of: writer, row, by: saving) }
  }

  /// The own reset that an event made; `nil` for any other event.
  public func act(of event: Int64) throws(StoreError) -> FleetChanges.Act? {
    try statement(
      """
      SELECT counter, start, fleet_writer.writer, number FROM fleet_act
        JOIN fleet_period ON fleet_period.id = fleet_act.period
        JOIN fleet_writer ON fleet_writer.id = fleet_act.writer
      WHERE event = ?
      """
    ).rows(.integer(event)) { row throws(StoreError) -> FleetChanges.Act? in
      guard let counter = CounterID(row.text(0)), let writer = WriterID(row.text(2)) else { return nil }
      return FleetChanges.Act(
        period: CounterPeriod(counter, start: row.optionalInteger(1)),
        entry: Entry(writer: writer, number: row.integer(3)))
    }.first ?? nil
  }
}
