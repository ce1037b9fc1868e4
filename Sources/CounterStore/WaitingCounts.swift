import Counting

/// Plain counts on their way into the journal, several of which are written at a time.
final class WaitingCounts {
  private let statements: Statements
  /// Of each what ``Statements/appendCount`` takes.
  private var values: [Statement.Value] = []
  private var count = 0

  init(_ statements: Statements) { self.statements = statements }

  /// - Parameter cause: the number of its cause.
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

  /// Writes all that wait.
  func write() throws(StoreError) {
    guard count > 0 else { return }
    defer { forget() }
    let columns = values.count / count
    for first in stride(from: 0, to: values.count, by: columns) {
      try statements.appendCount.run(values[first..<first + columns])
    }
  }

  /// They were taken back.
  func forget() {
    values.removeAll(keepingCapacity: true)
    count = 0
  }
}

extension Event {
  /// Whether it did nothing but change a value, and is no part of a batch.
  var isPlain: Bool {
    subject == .counter && presence == .unchanged && undoes == nil && marks == [] && boundary == nil && about == nil
      && batch == nil && alterations.isEmpty && note == nil
  }
}
