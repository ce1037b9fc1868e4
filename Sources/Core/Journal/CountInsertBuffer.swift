import Counting

/// A buffer of plain counts, which are inserted several at a time.
final class CountInsertBuffer {
  private let statements: Statements
  /// The parameters of ``Statements/appendCount`` for each count.
  private var values: [Statement.Value] = []
  private var count = 0

  init(_ statements: Statements) { self.statements = statements }

  /// - Parameter cause: the ID of the cause.
  func append(_ event: Event, cause: Int64) throws(StoreError) {
    values.append(.integer(event.sequence))
    values.append(.integer(event.time))
    values.append(.text(event.kind.rawValue))
    values.append(.integer(event.counter.number))
    values.append(.integer(event.change))
    values.append(.integer(event.value))
    values.append(.integer(cause))
    count += 1
    guard count == Statements.countsAtATime else { return }
    defer { forget() }
    try statements.appendCounts.run(values)
  }

  /// Inserts all buffered counts.
  func write() throws(StoreError) {
    guard count > 0 else { return }
    defer { forget() }
    let columns = values.count / count
    for first in stride(from: 0, to: values.count, by: columns) {
      try statements.appendCount.run(values[first..<first + columns])
    }
  }

  /// Drops all buffered counts after a rollback.
  func forget() {
    values.removeAll(keepingCapacity: true)
    count = 0
  }
}

extension Event {
  /// Whether the event only changed a value and is not part of a batch.
  var isPlain: Bool {
    subject == .counter && presence == .unchanged && undoes == nil && marks == [] && boundary == nil && about == nil
      && batch == nil && alterations.isEmpty && note == nil
  }
}
