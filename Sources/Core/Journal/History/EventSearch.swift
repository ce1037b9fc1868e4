import Counting

/// Searches events in order. Skips blocks that cannot contain a match.
final class EventSearch {
  enum Direction {
    case forwards
    case backwards
  }

  enum End: Equatable {
    /// All events were searched.
    case complete
    /// The limit was reached, or the search paused: only the events up to this one (or down to this one, backwards)
    /// were searched.
    case reached(Int64)
  }

  /// The number of blocks per query, and the number of events between two checks of the work done.
  private static let (blocksAtATime, eventsAtATime): (Int64, Int64) = (1024, 16_384)
  /// The number of SQLite steps after which a search pauses, so that it does not block counting: about 15 ms.
  private static let work: Int32 = 1_500_000
  /// Up to this number of counters, only the parts of blocks with their events are read; for more, whole blocks.
  private static let fewCounters = 64

  private let database: Database
  private let rollups: Rollups
  private let columns: String
  private var statements: [String: Statement] = [:]

  /// - Parameter columns: a query of the needed columns, up to its conditions.
  init(_ database: Database, _ rollups: Rollups, columns: String) {
    self.database = database
    self.rollups = rollups
    self.columns = columns
  }

  /// Calls the body for at most `limit` events within `range` that match `filter`.
  ///
  /// - Parameter mayHold: whether to read a block with events between two times; `nil` for all blocks.
  func each(
    _ filter: EventFilter, in range: ClosedRange<Int64>, _ direction: Direction, limit: Int64, isBounded: Bool = true,
    mayHold: ((Int64, Int64) -> Bool)? = nil, row: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) -> End {
    var (rest, work) = (limit, Int32(0))
    for window in Self.pieces(of: range, Self.blocksAtATime * Rollups.blockSize, direction) {
      for run in try runs(filter, in: window, direction, mayHold) {
        for piece in Self.pieces(of: run, Self.eventsAtATime, direction) {
          let statement = try statement(filter, direction)
          var last: Int64 = 0
          let count = try statement.each(values(filter, piece, limit: rest)) { found throws(StoreError) in
            last = found.integer(0)
            try row(found)
          }
          rest -= count
          work &+= statement.takeWork()
          if rest <= 0 { return .reached(last) }
          let reached = direction == .forwards ? piece.upperBound : piece.lowerBound
          let isAtEnd = reached == (direction == .forwards ? range.upperBound : range.lowerBound)
          if isBounded, work > Self.work, !isAtEnd { return .reached(reached) }
        }
      }
    }
    return .complete
  }

  // MARK: Blocks

  /// The ranges of events within `window` that may contain a match.
  func runs(
    _ filter: EventFilter, in window: ClosedRange<Int64>, _ direction: Direction,
    _ mayHold: ((Int64, Int64) -> Bool)? = nil
  ) throws(StoreError) -> [ClosedRange<Int64>] {
    let asksForFew = filter.counters.map { $0.count <= Self.fewCounters } ?? false
    guard filter.asksForTime || filter.asksForCause || asksForFew else { return [window] }
    var conditions: [String] = []
    if filter.asksForTime || !asksForFew {
      conditions.append("number BETWEEN ?4 AND ?5 AND latest >= ?6 AND earliest < ?7")
    }
    if filter.asksForCause {
      conditions.append(
        "number IN (SELECT block FROM block_cause WHERE block BETWEEN ?4 AND ?5 AND cause IN (\(EventFilter.causes)))")
    }
    let size = Rollups.blockSize
    // The times of a block are only read if the filter has a time.
    let times = mayHold != nil && filter.asksForTime ? ", earliest, latest" : ""
    var sql = "SELECT number * \(size) + 1, (number + 1) * \(size)\(times) FROM block"
    if asksForFew {
      sql = "SELECT first, last\(times) FROM block_counter"
      if !conditions.isEmpty { sql += " CROSS JOIN block ON number = (first - 1) / \(size)" }
      conditions.append("counter \(Self.isMeant(filter)) AND first BETWEEN ?4 * \(size) + 1 AND (?5 + 1) * \(size)")
    }
    sql += " WHERE \(conditions.joined(separator: " AND ")) ORDER BY 1"
    let (first, last) = (Rollups.block(of: window.lowerBound), Rollups.block(of: window.upperBound))
    var runs: [ClosedRange<Int64>] = []
    func add(_ stretch: ClosedRange<Int64>) {
      guard stretch.overlaps(window) else { return }
      let stretch = stretch.clamped(to: window)
      if let before = runs.last, before.upperBound.clampedSum(1) >= stretch.lowerBound {
        runs[runs.count - 1] = before.lowerBound...max(before.upperBound, stretch.upperBound)
      } else {
        runs.append(stretch)
      }
    }
    _ = try prepared(sql).each(values(filter, first...last)) { row throws(StoreError) in
      let (first, last) = (row.integer(0), row.integer(1))
      guard first <= last, times.isEmpty || mayHold?(row.integer(2), row.integer(3)) ?? true else { return }
      add(first...last)
    }
    // Events that are in no block yet are always searched.
    let fresh = try rollups.count() * Rollups.blockSize + 1
    if fresh <= window.upperBound { add(max(fresh, window.lowerBound)...window.upperBound) }
    return direction == .forwards ? runs : runs.reversed()
  }

  /// Splits a range into pieces of at most `length`, in order.
  static func pieces(of range: ClosedRange<Int64>, _ length: Int64, _ direction: Direction)
    -> some Sequence<ClosedRange<Int64>>
  {
    let count = (range.upperBound - range.lowerBound) / length + 1
    return (0..<count).lazy.map { index in
      switch direction {
      case .forwards:
        let start = range.lowerBound + index * length
        return start...min(range.upperBound, start + length - 1)
      case .backwards:
        let end = range.upperBound - index * length
        return max(range.lowerBound, end - length + 1)...end
      }
    }
  }

  // MARK: Statements

  private func statement(_ filter: EventFilter, _ direction: Direction) throws(StoreError) -> Statement {
    var sql = "\(columns) WHERE event.sequence BETWEEN ?4 AND ?5"
    if filter.asksForTime { sql += " AND event.time >= ?6 AND event.time < ?7" }
    if filter.asksForCause { sql += " AND event.cause IN (\(EventFilter.causes))" }
    if filter.counters != nil { sql += " AND event.counter \(Self.isMeant(filter))" }
    return try prepared(sql + " ORDER BY event.sequence\(direction == .backwards ? " DESC" : "") LIMIT ?9")
  }

  /// The condition for the ID of a counter.
  private static func isMeant(_ filter: EventFilter) -> String {
    filter.counters?.count == 1 ? "= ?8" : "IN (SELECT value FROM json_each(?8))"
  }

  private func values(_ filter: EventFilter, _ range: ClosedRange<Int64>, limit: Int64 = 0) -> [Statement.Value] {
    var values =
      filter.causeValues + [
        .integer(range.lowerBound), .integer(range.upperBound), .integer(filter.from ?? .min),
        .integer(filter.until ?? .max),
      ]
    switch filter.counters {
    case nil: values.append(.null)
    case let counters? where counters.count == 1: values.append(.init(counters.first?.number))
    case let counters?: values.append(.init(counters))
    }
    return values + [.integer(limit)]
  }

  private func prepared(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
