public import Counting
public import Fleet

/// The history of shared counters by quarter hours: the registers of all writers, and the sums that readers add to the
/// quarter hours of this journal's own events.
extension FleetTables {
  /// The number of the pseudo writer whose registers hold the contributions of this journal's events to its quarter
  /// hours. These registers differ from the registers of the own writers after a copy or a restore of the journal, and
  /// by counts from before a counter was shared.
  static let journal: Int64 = 0

  /// The number of counts in a quarter hour from which on an undo no longer updates the times of the register, because
  /// it would have to read all of these counts.
  static let mostRetimed: Int64 = 10_000

  /// The maximum number of registers. Above it, other stations' registers for new quarter hours are refused.
  static let maximumRegisters: Int64 = 500_000

  // MARK: Reading

  /// The digest of the saved registers of a writer.
  public func digest(of author: HistoryChanges.Author) throws(StoreError) -> HistoryDigest {
    try statement(
      """
      SELECT entry, number, sum FROM fleet_digest
        WHERE counter = ? AND writer = (SELECT id FROM fleet_writer WHERE writer = ?)
      """
    ).rows(.integer(author.counter.number), .text(author.writer.description)) { row throws(StoreError) in
      Self.digest(row, from: 0)
    }.first ?? .none
  }

  /// The digests of a counter's writers that were heard last.
  public func digests(of counter: Counter.ID, most: Int) throws(StoreError) -> [WriterID: HistoryDigest] {
    var digests: [WriterID: HistoryDigest] = [:]
    _ = try statement(
      """
      SELECT fleet_writer.writer, entry, number, sum FROM fleet_digest
        JOIN fleet_writer ON fleet_writer.id = fleet_digest.writer
        WHERE counter = ? ORDER BY fleet_digest.writer DESC LIMIT ?
      """
    ).each([.integer(counter.number), .integer(Int64(most))]) { row throws(StoreError) in
      if let writer = WriterID(row.text(0)) { digests[writer] = Self.digest(row, from: 1) }
    }
    return digests
  }

  private static func digest(_ row: Statement, from column: Int32) -> HistoryDigest {
    HistoryDigest(
      mark: HistoryMark(number: row.integer(column), quarter: row.integer(column + 1)), sum: row.integer(column + 2))
  }

  /// The register of one writer for one quarter hour; `nil` if the writer made no count in it.
  public func quarter(_ key: HistoryChanges.Key) throws(StoreError) -> QuarterRegister? {
    let writer = try statement("SELECT id FROM fleet_writer WHERE writer = ?").rows(.text(key.writer.description)) {
      row throws(StoreError) in row.integer(0)
    }.first
    return try writer.map { writer throws(StoreError) in try quarter(key.counter, key.quarter, writer) } ?? nil
  }

  /// The registers of a writer after a mark, in the order of marks.
  public func quarters(
    of author: HistoryChanges.Author, after mark: HistoryMark, most: Int
  ) throws(StoreError) -> [(quarter: Int64, register: QuarterRegister)] {
    try statement(Self.page).rows(
      .integer(author.counter.number), .text(author.writer.description), .integer(mark.number), .integer(mark.quarter),
      .integer(Int64(most))
    ) { row throws(StoreError) in (row.integer(0), Self.quarter(row, from: 1)) }
  }

  /// The query for the registers of a writer after an entry and a quarter hour. It compares both columns as a pair,
  /// which uses the index: one entry can span all quarter hours.
  static let page = """
    SELECT number, entry, counts, added, subtracted, first, last FROM fleet_quarter
      WHERE counter = ? AND writer = (SELECT id FROM fleet_writer WHERE writer = ?) AND (entry, number) > (?, ?)
      ORDER BY entry, number LIMIT ?
    """

  private static func quarter(_ row: Statement, from column: Int32) -> QuarterRegister {
    QuarterRegister(
      number: row.integer(column), counts: row.integer(column + 1), added: row.integer(column + 2),
      subtracted: row.integer(column + 3), first: row.optionalInteger(column + 4),
      last: row.optionalInteger(column + 5))
  }

  // MARK: Writing

  /// - Parameter times: returns the times of the first and the last count of a counter in a quarter hour that was made
  ///   here and is not undone.
  func save(
    _ changes: HistoryChanges, of station: Station,
    times: (Counter.ID, Int64) throws(StoreError) -> ClosedRange<Int64>?
  ) throws(StoreError) {
    var learned: Set<QuarterHour.Key> = []
    var digests: [HistoryChanges.Author: HistoryDigest] = [:]
    func replace(
      _ former: QuarterRegister?, by register: QuarterRegister, _ key: HistoryChanges.Key, _ writer: Int64
    ) throws(StoreError) {
      try save(register, key.counter, key.quarter, writer)
      let author = HistoryChanges.Author(key.counter, key.writer)
      var digest = digests[author]
      if digest == nil { digest = try self.digest(of: author) }
      digest?.replace(former, by: register, in: key.quarter)
      digests[author] = digest
    }
    for (key, contribution) in changes.made {
      let writer = try number(of: key.writer, isOwn: true)
      let former = try quarter(key.counter, key.quarter, writer)
      var register = former ?? QuarterRegister()
      register.include(contribution)
      if changes.retimed.contains(key), register.counts < Self.mostRetimed {
        register.setTimes(try times(key.counter, key.quarter))
        if try hasSum(key) { learned.insert(.init(counter: key.counter.number, number: key.quarter)) }
      }
      try replace(former, by: register, key, writer)
      var journal = try quarter(key.counter, key.quarter, Self.journal) ?? QuarterRegister()
      journal.include(contribution)
      try save(journal, key.counter, key.quarter, Self.journal)
    }
    for (key, register) in changes.heard {
      let writer = try number(of: key.writer, isOwn: station.writers.contains(key.writer))
      let former = try quarter(key.counter, key.quarter, writer)
      if let former, former >= register { continue }
      if former == nil, try !countNew() {
        if refused.count < ReplicaStore.maximumRows { refused.insert(.init(key.counter, key.writer)) }
        continue
      }
      try replace(former, by: register, key, writer)
      learned.insert(.init(counter: key.counter.number, number: key.quarter))
    }
    for (author, digest) in digests {
      try save(digest, author.counter, try number(of: author.writer, isOwn: station.writers.contains(author.writer)))
    }
    for key in learned.sorted() { try sum(key) }
  }

  /// Begins the history of a counter that is shared from now on.
  ///
  /// - Parameters:
  ///   - own: the quarter hours of this journal's events.
  ///   - part: the part of the history that the counter brings into the fleet; `nil` for nothing.
  ///   - entry: the entry that brings it; `nil` without one.
  func beginHistory(
    of counter: Counter.ID, _ own: [Int64: QuarterHour.Summary], bringing part: ImportedHistory?, as entry: Entry?
  ) throws(StoreError) {
    let former = try learned(of: counter)
    var digest = HistoryDigest.none
    if let entry { digest = try self.digest(of: .init(counter, entry.writer)) }
    for quarter in Set(own.keys).union(former.keys).sorted() {
      let made = own[quarter].map { QuarterRegister($0, number: 0) } ?? QuarterRegister()
      var brought = made
      switch part {
      case .ownSince: if let shared = try self.quarter(counter, quarter, Self.journal) { brought.remove(shared) }
      case .all: if let more = former[quarter] { brought.include(QuarterRegister(more, number: 0)) }
      case .own, nil: break
      }
      try save(made, counter, quarter, Self.journal)
      if let entry, part != nil, brought != QuarterRegister(), part != .ownSince || brought.hasSums {
        brought.include(QuarterRegister(number: entry.number))
        let writer = try number(of: entry.writer, isOwn: true)
        // The writer may have counted the fleet's counter under another name here.
        let counted = try self.quarter(counter, quarter, writer)
        if let counted { brought.include(counted) }
        digest.replace(counted, by: brought, in: quarter)
        try save(brought, counter, quarter, writer)
      }
      try sum(.init(counter: counter.number, number: quarter))
    }
    if let entry, digest != .none { try save(digest, counter, try number(of: entry.writer, isOwn: true)) }
  }

  /// Moves the history of a fleet's counter to another counter here. The sums of the former one stay as they are.
  func moveHistory(from former: Counter.ID, to counter: Counter.ID) throws(StoreError) {
    let numbers: [Statement.Value] = [.integer(counter.number), .integer(former.number)]
    try statement("DELETE FROM fleet_quarter WHERE counter = ? AND writer = \(Self.journal)").run(numbers.suffix(1))
    for table in ["fleet_quarter", "fleet_digest"] {
      try statement("UPDATE OR REPLACE \(table) SET counter = ? WHERE counter = ?").run(numbers)
    }
    let quarters = try statement("SELECT DISTINCT number FROM fleet_quarter WHERE counter = ?").rows(numbers[0]) {
      row throws(StoreError) in row.integer(0)
    }
    for quarter in quarters { try sum(.init(counter: counter.number, number: quarter)) }
  }

  // MARK: Rows

  private func quarter(_ counter: Counter.ID, _ number: Int64, _ writer: Int64) throws(StoreError) -> QuarterRegister? {
    try statement(
      """
      SELECT entry, counts, added, subtracted, first, last FROM fleet_quarter
        WHERE counter = ? AND number = ? AND writer = ?
      """
    ).rows(.integer(counter.number), .integer(number), .integer(writer)) { row throws(StoreError) in
      Self.quarter(row, from: 0)
    }.first
  }

  private func save(
    _ register: QuarterRegister, _ counter: Counter.ID, _ quarter: Int64, _ writer: Int64
  ) throws(StoreError) {
    try statement(
      """
      INSERT OR REPLACE INTO fleet_quarter (counter, number, writer, entry, counts, added, subtracted, first, last)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      .integer(counter.number), .integer(quarter), .integer(writer), .integer(register.number),
      .integer(register.counts), .integer(register.added), .integer(register.subtracted), .init(register.first),
      .init(register.last))
  }

  private func save(_ digest: HistoryDigest, _ counter: Counter.ID, _ writer: Int64) throws(StoreError) {
    try statement("INSERT OR REPLACE INTO fleet_digest (counter, writer, entry, number, sum) VALUES (?, ?, ?, ?, ?)")
      .run(
        .integer(counter.number), .integer(writer), .integer(digest.mark.number), .integer(digest.mark.quarter),
        .integer(digest.sum))
  }

  /// Counts one more register of another station; returns whether the table has room.
  private func countNew() throws(StoreError) -> Bool {
    var count = registerCount
    if count == nil { count = try database.integer("SELECT count(*) FROM fleet_quarter") }
    registerCount = (count ?? 0) + 1
    return (count ?? 0) < Self.maximumRegisters
  }

  /// Computes the row that readers add to the quarter hour of the own events: all registers, less those events.
  private func sum(_ key: QuarterHour.Key) throws(StoreError) {
    var (sums, first, last): ([Int128], Int64?, Int64?) = ([0, 0, 0], nil, nil)
    var counts: Int128 = 0
    _ = try statement(
      "SELECT writer, counts, added, subtracted, first, last FROM fleet_quarter WHERE counter = ? AND number = ?"
    ).each([.integer(key.counter), .integer(key.number)]) { row throws(StoreError) in
      let isJournal = row.integer(0) == Self.journal
      for column in 0..<3 { sums[column] += Int128(row.integer(Int32(column) + 1)) * (isJournal ? -1 : 1) }
      guard !isJournal else { return }
      counts += Int128(row.integer(1))
      if let moment = row.optionalInteger(4) { first = min(first ?? moment, moment) }
      if let moment = row.optionalInteger(5) { last = max(last ?? moment, moment) }
    }
    // A later writer of the same station may have undone all counts of one writer.
    if counts == 0 { (first, last) = (nil, nil) }
    try statement("INSERT OR REPLACE INTO learned_quarter VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      [.integer(key.counter), .integer(key.number)] + sums.map { .integer(Int64(clamping: $0)) }
        + [.init(first), .init(last)])
  }

  /// Whether there is a row of a quarter hour that readers add.
  private func hasSum(_ key: HistoryChanges.Key) throws(StoreError) -> Bool {
    try statement("SELECT 1 FROM learned_quarter WHERE counter = ? AND number = ?")
      .number(.integer(key.counter.number), .integer(key.quarter)) != nil
  }

  /// The quarter hours of a counter with counts received from other stations.
  private func learned(of counter: Counter.ID) throws(StoreError) -> [Int64: QuarterHour.Summary] {
    var found: [Int64: QuarterHour.Summary] = [:]
    _ = try statement(
      "SELECT number, counts, added, subtracted, first, last, 0, 0 FROM learned_quarter WHERE counter = ?"
    ).each([.integer(counter.number)]) { row throws(StoreError) in
      found[row.integer(0)] = QuarterHour.Summary(row, from: 1)
    }
    return found
  }
}

extension QuarterRegister {
  init(_ summary: QuarterHour.Summary, number: Int64) {
    self.init(
      number: number, counts: summary.totals.counts, added: summary.totals.added,
      subtracted: summary.totals.subtracted, first: summary.first, last: summary.last)
  }
}
