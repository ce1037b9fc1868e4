import Counting

/// Searches for the last event that can be undone, skipping all events of subjects that a search has passed: a locked
/// counter may have millions of events, which would otherwise be read one by one.
final class PassedEvents {
  /// The subjects that a search has passed: further events of these subjects are not read.
  struct Filter {
    /// The IDs as an array of JSON; `nil` for none.
    private(set) var numbers: String?
    private var ids: Set<Counter.ID> = []
    /// `written` is the number of subjects in ``numbers``. `passed` is the number of events passed since ``numbers``
    /// was last written.
    private var (written, passed) = (0, 0)

    /// Adds the subject of an event that was passed.
    mutating func insert(_ id: Counter.ID) {
      ids.insert(id)
      passed += 1
      // Writes the array again only after many further events, because it may contain thousands of locked counters.
      guard passed > written else { return }
      numbers = "[\(ids.map { String($0.number) }.joined(separator: ","))]"
      (written, passed) = (ids.count, 0)
    }
  }

  private let rollups: Rollups
  private let near: Statement
  /// The last event of another subject in a block, of any kind.
  private let far: Statement
  private let settled: Statement

  /// The number of events that are read one by one before blocks are searched: with many counters the search takes
  /// longer.
  private static let nearby: Int64 = 2 * Rollups.blockSize

  init(_ database: Database, _ rollups: Rollups) {
    self.rollups = rollups
    func isOther(_ column: String, _ passed: String) -> String {
      "\(column) NOT IN (SELECT value FROM json_each(\(passed)))"
    }
    near = database.statement(
      """
      SELECT sequence FROM event WHERE sequence > ?2 AND sequence <= ?3 AND \(isOther("event.counter", "?1"))
        AND \(Statements.undoable) ORDER BY sequence DESC LIMIT 1
      """)
    far = database.statement(
      """
      SELECT coalesce(max(min(last, ?2)), 0) FROM counter CROSS JOIN block_counter ON block_counter.counter = counter.id
        AND first = (SELECT max(first) FROM block_counter AS other WHERE other.counter = counter.id AND first <= ?2)
      WHERE \(isOther("counter.id", "?1"))
      """)
    settled = database.statement(
      Statements.settled(
        next: """
          (SELECT sequence FROM event WHERE sequence <= settled.rest AND sequence > settled.rest - \(Self.nearby)
            AND \(isOther("event.counter", "?7")) AND \(Statements.undoable) ORDER BY sequence DESC LIMIT 1)
          """))
  }

  /// The last event up to `end` that can be undone and is not of a passed subject.
  func last(until end: Int64, without passed: String) throws(StoreError) -> Int64? {
    let summarised = try rollups.count() * Rollups.blockSize
    var end = end
    while end > 0 {
      let start = max(0, min(end &- Self.nearby, summarised))
      if let sequence = try near.number(.text(passed), .integer(start), .integer(end)) { return sequence }
      end = try far.number(.text(passed), .integer(start)) ?? 0
    }
    return nil
  }

  /// Like ``Statements/settledAll``, over the events of passed subjects.
  func settled(_ values: [Statement.Value], without passed: String) throws(StoreError) -> Int64? {
    try settled.rows(values + [.text(passed)]) { row throws(StoreError) in row.optionalInteger(0) }.first
      ?? nil
  }
}
