import Counting

/// Rollups make it fast to search and sum ten million events: for each block of 256 consecutive events their times,
/// causes and places by counter; for each quarter hour the totals; and the value of each counter after the last
/// complete block.
///
/// An index would cost a page of the disk per count. Rollups are written for 256 events at once, in the transaction of
/// the last one; events after the last complete block are searched one by one.
final class Rollups {
  /// The number of events of a block. Smaller blocks find rare events faster; larger ones take less space.
  static let blockSize: Int64 = 256

  /// The names of the tables, all of which can be rebuilt from the events.
  static let tables: Set<String> = ["block", "block_cause", "block_counter", "quarter"]

  private let database: Database
  private let undoChains: UndoChains
  private var known: Int64?
  /// The latest events, without a gap, so that a complete block need not be read again. At most ``mostFresh``.
  private var fresh: [EventRow] = []
  private static let mostFresh = 4 * Int(blockSize)
  /// The maximum number of blocks that are summarised together.
  private static let mostBlocks: Int64 = 64
  /// The number of blocks up to which an import has postponed the rollups.
  private var postponed: Int64 = 0
  /// The maximum number of postponed blocks per commit, which take 2 to 3 ms of the commit.
  private static let mostPostponedBlocks: Int64 = 2

  init(_ database: Database) {
    self.database = database
    undoChains = UndoChains(database)
  }

  private lazy var between = database.statement("SELECT \(EventRow.columns) FROM event WHERE sequence BETWEEN ? AND ?")
  private lazy var saveBlock = database.statement("INSERT OR REPLACE INTO block VALUES (?, ?, ?)")
  private lazy var saveCause = database.statement("INSERT OR IGNORE INTO block_cause VALUES (?, ?)")
  private lazy var saveCounter = database.statement("INSERT OR REPLACE INTO block_counter VALUES (?, ?, ?)")
  // Groups and formulas have no value.
  private lazy var saveValue = database.statement(
    "INSERT OR REPLACE INTO standing SELECT id, ?2 FROM counter WHERE id = ?1 AND kind IN ('counter', 'stopwatch')")
  private lazy var quarter = database.statement(
    "SELECT \(QuarterHour.Summary.columns) FROM quarter WHERE counter = ? AND number = ?")
  private lazy var saveQuarter = database.statement(
    "INSERT OR REPLACE INTO quarter (counter, number, \(QuarterHour.Summary.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
  )

  /// The number of blocks with a rollup: they contain the events up to this number times ``blockSize``.
  func count() throws(StoreError) -> Int64 {
    if let known { return known }
    let count = max(0, try database.integer("SELECT coalesce(max(number) + 1, 0) FROM block") ?? 0)
    known = count
    return count
  }

  /// Drops the caches after a rollback.
  func forget() {
    known = nil
    fresh.removeAll(keepingCapacity: true)
    undoChains.forget()
  }

  /// Caches an event that was appended.
  func note(_ event: EventRow) {
    // Events that are not cached are read again.
    let follows = fresh.last.map { $0.sequence + 1 == event.sequence } ?? true
    if !follows || fresh.count == Self.mostFresh { fresh.removeAll(keepingCapacity: true) }
    fresh.append(event)
  }

  /// The sequence numbers of the events in a block.
  static func sequences(of block: Int64) -> ClosedRange<Int64> {
    let first = block &* blockSize &+ 1
    return first...max(first, first &+ (blockSize - 1))
  }

  static func block(of sequence: Int64) -> Int64 { max(0, sequence - 1) / blockSize }

  /// Postpones the blocks up to the event `last`: a few are summarised at each ``catchUp(to:)``. Summarising all blocks
  /// at once would take longer than the import itself.
  func postpone(to last: Int64) { postponed = last / Self.blockSize }

  /// Whether postponed blocks are left among the complete blocks up to the event `last`.
  func isPostponed(_ last: Int64) throws(StoreError) -> Bool { try count() < min(postponed, last / Self.blockSize) }

  /// Writes the rollups of complete blocks up to the event `last`, within the open transaction: all, or only a few if
  /// any are postponed.
  func catchUp(to last: Int64) throws(StoreError) {
    guard try isPostponed(last) else { return try catchUpWhole(to: last) }
    try catchUpWhole(to: min(last, (try count() + Self.mostPostponedBlocks) * Self.blockSize))
  }

  /// Writes the rollups of all complete blocks up to the event `last`, within the open transaction.
  func catchUpWhole(to last: Int64) throws(StoreError) {
    while let blocks = try nextBlocks(to: last) {
      for (counter, place) in try summarise(blocks) {
        try saveCounter.run(.integer(counter), .integer(place.first), .integer(place.last))
      }
      known = blocks.upperBound
    }
  }

  /// Writes the rollups of any number of blocks. Places are saved in the order of the table: block by block this would
  /// take several times as long with many counters.
  func catchUpWithMany(to last: Int64) throws(StoreError) {
    let first = try count() * Self.blockSize + 1
    while let blocks = try nextBlocks(to: last) {
      _ = try summarise(blocks)
      known = blocks.upperBound
    }
    try database.prepare(
      """
      INSERT OR REPLACE INTO block_counter SELECT counter, min(sequence), max(sequence) FROM event
      WHERE sequence BETWEEN ? AND ? GROUP BY counter, (sequence - 1) / \(Self.blockSize)
      """
    ).run(.integer(first), .integer(try count() * Self.blockSize))
  }

  /// The next complete blocks without a rollup, a bounded number of them; `nil` if there are none.
  private func nextBlocks(to last: Int64) throws(StoreError) -> Range<Int64>? {
    let first = try count()
    let end = min(max(0, last) / Self.blockSize, first + Self.mostBlocks)
    return first < end ? first..<end : nil
  }

  /// Whether ``catchUp(to:)`` has anything to do.
  func isBehind(_ last: Int64) throws(StoreError) -> Bool {
    Self.sequences(of: try count()).upperBound <= last
  }

  /// Saves the rollups of consecutive blocks; returns the places, which are not saved yet, in the order of their table.
  ///
  /// Blocks have many quarter hours and counters in common; each of their rows is read and written once. Sorted by key,
  /// most rows are on the same page as the previous row.
  private func summarise(_ blocks: Range<Int64>) throws(StoreError) -> [(counter: Int64, place: Place)] {
    var causes: Set<CauseOfBlock> = []
    var places: [(counter: Int64, place: Place)] = []
    var values: [Int64: Int64] = [:]
    var summaries: [QuarterHour.Key: QuarterHour.Summary] = [:]
    for block in blocks {
      let rows = try takeFresh(Self.sequences(of: block))
      var (earliest, latest, cause) = (Int64.max, Int64.min, Int64?.none)
      for row in rows {
        earliest = min(earliest, row.time)
        latest = max(latest, row.time)
        if row.cause != cause { causes.insert(CauseOfBlock(cause: row.cause, block: block)) }
        cause = row.cause
      }
      try saveBlock.run(.integer(block), .integer(earliest), .integer(latest))
      for (counter, place) in Self.places(of: rows) {
        places.append((counter, place))
        if let value = place.value { values[counter] = value }
      }
      try add(rows, to: &summaries)
    }
    for entry in causes.sorted(by: { ($0.cause, $0.block) < ($1.cause, $1.block) }) {
      try saveCause.run(.integer(entry.cause), .integer(entry.block))
    }
    for (counter, value) in values.sorted(by: { $0.key < $1.key }) {
      try saveValue.run(.integer(counter), .integer(value))
    }
    for (key, summary) in summaries.sorted(by: { $0.key < $1.key }) { try save(summary, key) }
    return places.sorted { ($0.counter, $0.place.first) < ($1.counter, $1.place.first) }
  }

  private struct CauseOfBlock: Hashable {
    let cause: Int64
    let block: Int64
  }

  /// The first and the last event of a counter in a block, and its value after the last one; `nil` if no event states
  /// the value.
  typealias Place = (first: Int64, last: Int64, value: Int64?)

  /// The places of all counters in `events`.
  static func places(of events: [EventRow]) -> [Int64: Place] {
    var places: [Int64: Place] = [:]
    // Most events have the counter of the one before, and a lookup costs more than all else.
    for run in events.runsOfCounters {
      guard let first = run.first, let last = run.last else { continue }
      let place = places[first.counter]
      let value = run.last { $0.value != nil }?.value
      places[first.counter] = (place?.first ?? first.sequence, last.sequence, value ?? place?.value)
    }
    return places
  }

  /// Removes and returns the events of a range.
  private func takeFresh(_ range: ClosedRange<Int64>) throws(StoreError) -> [EventRow] {
    guard let first = fresh.first?.sequence, let last = fresh.last?.sequence, first <= range.lowerBound,
      range.upperBound <= last
    else { return try events(range) }
    let (start, end) = (Int(range.lowerBound - first), Int(range.upperBound - first))
    let found = Array(fresh[start...end])
    fresh.removeFirst(end + 1)
    return found
  }

  /// The events of a range, with the columns for totals.
  func events(_ range: ClosedRange<Int64>) throws(StoreError) -> [EventRow] {
    try between.rows(.integer(range.lowerBound), .integer(range.upperBound)) { row throws(StoreError) in EventRow(row) }
  }

  /// The rollups that events add to the quarter hours of their counts.
  func quarters(of events: [EventRow]) throws(StoreError) -> [QuarterHour.Key: QuarterHour.Summary] {
    var quarters: [QuarterHour.Key: QuarterHour.Summary] = [:]
    try add(events, to: &quarters)
    return quarters
  }

  /// The contribution of an event to its count's quarter hour, with the time of the count; `nil` for none.
  func contribution(of event: EventRow) throws(StoreError) -> (time: Int64, QuarterHour.Summary)? {
    try undoChains.contribution(of: event)
  }

  /// The event behind an undo or a redo.
  func origin(of event: EventRow) throws(StoreError) -> EventRow { try undoChains.origin(of: event).event }

  private func add(
    _ events: [EventRow], to quarters: inout [QuarterHour.Key: QuarterHour.Summary]
  ) throws(StoreError) {
    // Most events have the key of the one before, and a lookup costs more than all else.
    var present: (key: QuarterHour.Key, decimals: Int64?)?
    var sum = QuarterHour.Summary()
    func include() {
      guard let (key, decimals) = present else { return }
      quarters[key, default: .init()].include(sum)
      // Stopwatches and counts have no common sum.
      guard let decimals else { return }
      let all = QuarterHour.Key(counter: QuarterHour.all(decimals: decimals), number: key.number)
      quarters[all, default: .init()].include(sum)
    }
    for event in events {
      guard let (time, summary) = try undoChains.contribution(of: event) else { continue }
      let key = QuarterHour.Key(counter: event.counter, number: QuarterHour.number(of: time))
      if present?.key != key || present?.decimals != event.decimals {
        include()
        (present, sum) = ((key, event.decimals), .init())
      }
      sum.include(summary)
    }
    include()
  }

  /// Adds to the row of a quarter hour.
  private func save(_ summary: QuarterHour.Summary, _ key: QuarterHour.Key) throws(StoreError) {
    var sum = summary
    let found = try quarter.rows(.integer(key.counter), .integer(key.number)) { row throws(StoreError) in
      QuarterHour.Summary(row, from: 0)
    }
    if let before = found.first {
      sum = before
      sum.include(summary)
    }
    let (added, subtracted) = (WideNumber(sum.totals.exactAdded), WideNumber(sum.totals.exactSubtracted))
    try saveQuarter.run(
      .integer(key.counter), .integer(key.number), .integer(sum.totals.counts), .integer(added.low),
      .integer(subtracted.low), .init(sum.first), .init(sum.last), .integer(added.high), .integer(subtracted.high))
  }
}

/// A sum in two columns, because SQLite's integers have 64 bits. `high` is nearly always 0, which takes no space.
private struct WideNumber {
  let low: Int64
  /// A multiple of 2^64 that is added to `low`.
  let high: Int64

  init(_ number: Int128) {
    low = Int64(truncatingIfNeeded: number)
    high = Int64(truncatingIfNeeded: (number &- Int128(low)) >> 64)
  }

  init(low: Int64, high: Int64) { (self.low, self.high) = (low, high) }

  var number: Int128 { Int128(high) << 64 &+ Int128(low) }
}

extension QuarterHour.Summary {
  /// The columns of the table after the key.
  static let columns = "counts, added, subtracted, first, last, added_high, subtracted_high"

  /// A row of the table, whose columns after the key start at `column`.
  init(_ row: Statement, from column: Int32) {
    totals = Totals(
      counts: row.integer(column),
      exactAdded: WideNumber(low: row.integer(column + 1), high: row.integer(column + 5)).number,
      exactSubtracted: WideNumber(low: row.integer(column + 2), high: row.integer(column + 6)).number)
    first = row.optionalInteger(column + 3)
    last = row.optionalInteger(column + 4)
  }
}

extension [EventRow] {
  /// Slices of consecutive events of the same counter.
  fileprivate var runsOfCounters: [ArraySlice<EventRow>] {
    var runs: [ArraySlice<EventRow>] = []
    var start = startIndex
    while start < endIndex {
      let counter = self[start].counter
      let end = self[start...].firstIndex { $0.counter != counter } ?? endIndex
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
