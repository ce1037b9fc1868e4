import Counting

/// What is kept beside the events so that ten million of them can be searched and summed up at once: for each 256 events
/// in a row when they were and what caused them, and for each quarter of an hour what it adds up to.
///
/// An index would cost every count a page of the disk. This is written for 256 events together, in the transaction of
/// the last one; what is behind the last whole block is looked through event by event.
final class Summaries {
  /// How many events in a row are summarised together. Fewer find rare events faster; more take less room.
  static let blockSize: Int64 = 256

  /// The tables, as a step of the schema.
  static let schema = """
    CREATE TABLE block (
      number INTEGER PRIMARY KEY,
      earliest INTEGER NOT NULL,
      latest INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE block_cause (
      cause INTEGER NOT NULL REFERENCES cause,
      block INTEGER NOT NULL REFERENCES block,
      PRIMARY KEY (cause, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE quarter (
      counter INTEGER NOT NULL,
      number INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      first INTEGER,
      last INTEGER,
      PRIMARY KEY (counter, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX event_by_undoes ON event (undoes) WHERE undoes IS NOT NULL;
    """

  /// The names of the tables, all of which can be made anew from the events.
  static let tables: Set<String> = ["block", "block_cause", "quarter"]

  private let database: Database
  private let origins: Origins
  private let between: Statement
  private let saveBlock: Statement
  private let saveCause: Statement
  private let quarter: Statement
  private let saveQuarter: Statement
  private var known: Int64?
  /// The latest events, without a gap, so that a block which becomes whole need not be read again. At most ``mostFresh``.
  private var fresh: [Counted] = []
  private static let mostFresh = 4 * Int(blockSize)

  init(_ database: Database) throws(StoreError) {
    self.database = database
    origins = try Origins(database)
    between = try database.prepare(
      "SELECT \(Counted.columns) FROM event WHERE sequence BETWEEN ? AND ?")
    saveBlock = try database.prepare("INSERT OR REPLACE INTO block VALUES (?, ?, ?)")
    saveCause = try database.prepare("INSERT OR IGNORE INTO block_cause VALUES (?, ?)")
    quarter = try database.prepare(
      "SELECT counts, added, subtracted, first, last FROM quarter WHERE counter = ? AND number = ?")
    saveQuarter = try database.prepare("INSERT OR REPLACE INTO quarter VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  /// How many blocks are summarised: the events up to this many times ``blockSize``.
  func count() throws(StoreError) -> Int64 {
    if let known { return known }
    let count = try database.integer("SELECT coalesce(max(number) + 1, 0) FROM block") ?? 0
    known = count
    return count
  }

  /// What was written last may have been taken back.
  func forget() {
    known = nil
    fresh.removeAll(keepingCapacity: true)
    origins.forget()
  }

  /// Takes notice of an event that was written behind all others.
  func note(_ event: Counted) {
    // What is not remembered is read again.
    let follows = fresh.last.map { $0.sequence + 1 == event.sequence } ?? true
    if !follows || fresh.count == Self.mostFresh { fresh.removeAll(keepingCapacity: true) }
    fresh.append(event)
  }

  /// The sequence numbers of the events of a block.
  static func sequences(of block: Int64) -> ClosedRange<Int64> {
    block * blockSize + 1...(block + 1) * blockSize
  }

  /// The block that holds an event.
  static func block(of sequence: Int64) -> Int64 { max(0, sequence - 1) / blockSize }

  /// Summarises every whole block up to the event `last`, within the transaction that is open.
  func catchUp(to last: Int64) throws(StoreError) {
    var block = try count()
    while Self.sequences(of: block).upperBound <= last {
      try summarise(block)
      block += 1
      known = block
    }
  }

  /// Whether ``catchUp(to:)`` would have anything to do.
  func isBehind(_ last: Int64) throws(StoreError) -> Bool {
    Self.sequences(of: try count()).upperBound <= last
  }

  private func summarise(_ block: Int64) throws(StoreError) {
    var (earliest, latest) = (Int64.max, Int64.min)
    var causes: Set<Int64> = []
    let rows = try takeFresh(Self.sequences(of: block))
    for row in rows {
      earliest = min(earliest, row.time)
      latest = max(latest, row.time)
      causes.insert(row.cause)
    }
    try saveBlock.run(.integer(block), .integer(earliest), .integer(latest))
    for cause in causes { try saveCause.run(.integer(cause), .integer(block)) }
    for (key, summary) in try quarters(of: rows) { try add(summary, to: key) }
  }

  /// The events of a stretch, which will not be asked for again.
  private func takeFresh(_ range: ClosedRange<Int64>) throws(StoreError) -> [Counted] {
    guard let first = fresh.first?.sequence, let last = fresh.last?.sequence, first <= range.lowerBound,
      range.upperBound <= last
    else { return try events(range) }
    let (start, end) = (Int(range.lowerBound - first), Int(range.upperBound - first))
    let found = Array(fresh[start...end])
    fresh.removeFirst(end + 1)
    return found
  }

  /// The events of a stretch, as far as sums are concerned.
  func events(_ range: ClosedRange<Int64>) throws(StoreError) -> [Counted] {
    try between.rows(.integer(range.lowerBound), .integer(range.upperBound)) { row throws(StoreError) in Counted(row) }
  }

  /// What events add to the quarters of an hour in which their counts were made.
  func quarters(of events: [Counted]) throws(StoreError) -> [Quarter.Key: Quarter.Summary] {
    var quarters: [Quarter.Key: Quarter.Summary] = [:]
    for event in events {
      guard let (time, summary) = try origins.contribution(of: event) else { continue }
      let number = Quarter.number(of: time)
      quarters[Quarter.Key(counter: event.counter, number: number), default: .init()].include(summary)
      // Times and counts have no sum.
      guard let decimals = event.decimals else { continue }
      let all = Quarter.Key(counter: Quarter.all(decimals: decimals), number: number)
      quarters[all, default: .init()].include(summary)
    }
    return quarters
  }

  private func add(_ summary: Quarter.Summary, to key: Quarter.Key) throws(StoreError) {
    var sum = summary
    let found = try quarter.rows(.integer(key.counter), .integer(key.number)) { row throws(StoreError) in
      Quarter.Summary(row, from: 0)
    }
    if let before = found.first { sum.include(before) }
    try saveQuarter.run(
      .integer(key.counter), .integer(key.number), .integer(sum.totals.counts), .integer(sum.totals.added),
      .integer(sum.totals.subtracted), .init(sum.first), .init(sum.last))
  }
}

extension Quarter.Summary {
  /// A row of the journal, whose columns from `column` on are those of the table without its key.
  init(_ row: Statement, from column: Int32) {
    totals = Totals(
      counts: row.integer(column), added: row.integer(column + 1), subtracted: row.integer(column + 2))
    first = row.optionalInteger(column + 3)
    last = row.optionalInteger(column + 4)
  }
}
