import Counting

/// Goes through the events that a filter means, in order, without reading blocks that cannot hold any.
final class EventSearch {
  enum Direction {
    case forwards
    case backwards
  }

  /// Where a search ended.
  enum End: Equatable {
    /// Everything was seen.
    case complete
    /// As many as were wanted were found, or enough work was done for once: only what is up to this event (or down to
    /// it, backwards) was seen.
    case reached(Int64)
  }

  /// How many blocks are asked for at a time, and how many events are read between two looks at the work that it took.
  private static let (blocksAtATime, eventsAtATime): (Int64, Int64) = (1024, 16_384)
  /// SQLite's steps after which a search pauses, so that one question does not hold up those who count: some 15 ms.
  private static let work: Int32 = 1_500_000
  /// Of so many counters at once their events are looked up one counter after the other; of more, all are read.
  private static let fewCounters = 64

  private let database: Database
  private let summaries: Summaries
  private let columns: String
  private var statements: [String: Statement] = [:]

  /// - Parameter columns: a query that joins what is to be known of each event, up to its conditions.
  init(_ database: Database, _ summaries: Summaries, columns: String) {
    self.database = database
    self.summaries = summaries
    self.columns = columns
  }

  /// Hands on the events within `range` that `filter` means, at most `limit`.
  func each(
    _ filter: EventFilter, in range: ClosedRange<Int64>, _ direction: Direction, limit: Int64, isBounded: Bool = true,
    row: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) -> End {
    var (rest, work) = (limit, Int32(0))
    for window in Self.pieces(of: range, Self.blocksAtATime * Summaries.blockSize, direction) {
      for run in try runs(filter, in: window, direction) {
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

  /// The stretches of events within `window` that may hold what is meant.
  func runs(_ filter: EventFilter, in window: ClosedRange<Int64>, _ direction: Direction) throws(StoreError)
    -> [ClosedRange<Int64>]
  {
    guard filter.asksForTime || filter.asksForCause else { return [window] }
    var sql = "SELECT number FROM block WHERE number BETWEEN ?4 AND ?5 AND latest >= ?6 AND earliest < ?7"
    if filter.asksForCause {
      sql +=
        " AND number IN (SELECT block FROM block_cause WHERE block BETWEEN ?4 AND ?5 AND cause IN (\(EventFilter.causes)))"
    }
    let (first, last) = (Summaries.block(of: window.lowerBound), Summaries.block(of: window.upperBound))
    var runs: [ClosedRange<Int64>] = []
    func add(_ stretch: ClosedRange<Int64>) {
      guard stretch.overlaps(window) else { return }
      let stretch = stretch.clamped(to: window)
      if let before = runs.last, before.upperBound + 1 == stretch.lowerBound {
        runs[runs.count - 1] = before.lowerBound...stretch.upperBound
      } else {
        runs.append(stretch)
      }
    }
    let values =
      filter.causeValues + [
        .integer(first), .integer(last), .integer(filter.from ?? .min), .integer(filter.until ?? .max),
      ]
    _ = try prepared(sql + " ORDER BY number").each(values) { row throws(StoreError) in
      add(Summaries.sequences(of: row.integer(0)))
    }
    // What is not summarised yet may hold anything.
    let fresh = try summaries.count() * Summaries.blockSize + 1
    if fresh <= window.upperBound { add(max(fresh, window.lowerBound)...window.upperBound) }
    return direction == .forwards ? runs : runs.reversed()
  }

  /// A range in pieces of at most `length`, in order.
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
    // The sequence is also the order, so that nothing is sorted; only where few counters of many are meant is it
    // quicker to find their events first.
    var sql = "\(columns) WHERE event.sequence BETWEEN ?4 AND ?5"
    if filter.asksForTime { sql += " AND event.time >= ?6 AND event.time < ?7" }
    if filter.asksForCause { sql += " AND event.cause IN (\(EventFilter.causes))" }
    switch filter.counters?.count {
    case nil: break
    case 1: sql += " AND event.counter = ?8"
    case let count?:
      sql += " AND \(count > Self.fewCounters ? "+" : "")event.counter IN (SELECT value FROM json_each(?8))"
    }
    return try prepared(sql + " ORDER BY event.sequence\(direction == .backwards ? " DESC" : "") LIMIT ?9")
  }

  private func values(_ filter: EventFilter, _ range: ClosedRange<Int64>, limit: Int64) -> [Statement.Value] {
    var values =
      filter.causeValues + [
        .integer(range.lowerBound), .integer(range.upperBound), .integer(filter.from ?? .min),
        .integer(filter.until ?? .max),
      ]
    switch filter.counters {
    case nil: values.append(.null)
    case let counters? where counters.count == 1: values.append(.init(counters.first?.number))
    case let counters?: values.append(.text("[\(counters.map { String($0.number) }.joined(separator: ","))]"))
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
