import Counting

/// A buffer of plain counts, which are inserted several at a time.
final class CountInsertBuffer {
  private let statements: Statements
  private var counts: [Count] = []
  /// The kinds that are bound to the rows of ``Statements/appendCounts`` and to the row of ``Statements/appendCount``.
  /// A parameter keeps its value, so equal kinds are not bound again: binding a text costs as much as binding five
  /// numbers.
  private var kinds: (several: [Event.Kind?], one: [Event.Kind?])

  /// See ``Statements/countColumns``.
  private struct Count {
    let sequence: Int64
    let time: Int64
    let kind: Event.Kind
    let counter: Int64
    let change: Int64
    let value: Int64
    let cause: Int64
  }

  init(_ statements: Statements) {
    precondition(Statements.countColumns.count == 7, "bind(_:_:of:_:) binds seven columns.")
    self.statements = statements
    kinds = (Array(repeating: nil, count: Statements.countsAtATime), [nil])
  }

  /// - Parameter cause: the ID of the cause.
  func append(_ event: borrowing Event, cause: Int64) throws(StoreError) {
    counts.append(
      Count(
        sequence: event.sequence, time: event.time, kind: event.kind, counter: event.counter.number,
        change: event.change, value: event.value, cause: cause))
    guard counts.count == Statements.countsAtATime else { return }
    defer { forget() }
    for row in counts.indices { try Self.bind(counts[row], row, of: statements.appendCounts, &kinds.several) }
    try statements.appendCounts.runBound()
  }

  /// Inserts all buffered counts.
  func write() throws(StoreError) {
    guard !counts.isEmpty else { return }
    defer { forget() }
    for count in counts {
      try Self.bind(count, 0, of: statements.appendCount, &kinds.one)
      try statements.appendCount.runBound()
    }
  }

  private static func bind(
    _ count: Count, _ row: Int, of statement: Statement, _ kinds: inout [Event.Kind?]
  ) throws(StoreError) {
    let first = row * Statements.countColumns.count
    try statement.bind(count.sequence, to: first + 1)
    try statement.bind(count.time, to: first + 2)
    if kinds[row] != count.kind {
      try statement.bind(count.kind.rawValue, to: first + 3)
      kinds[row] = count.kind
    }
    try statement.bind(count.counter, to: first + 4)
    try statement.bind(count.change, to: first + 5)
    try statement.bind(count.value, to: first + 6)
    try statement.bind(count.cause, to: first + 7)
  }

  /// Drops all buffered counts after a rollback.
  func forget() { counts.removeAll(keepingCapacity: true) }
}

extension Event {
  /// Whether the event only changed a value and is not part of a batch.
  var isPlain: Bool {
    subject == .counter && presence == .unchanged && undoes == nil && marks == [] && boundary == nil && about == nil
      && batch == nil && alterations.isEmpty && note == nil
  }
}
