import Counting

/// IDs of causes, so that the journal stores the text of each cause once.
final class CauseIDs {
  private let database: Database
  private let statements: Statements
  private var known: [Cause: Int64] = [:]
  /// The last cause looked up. Most events have the cause of the event before.
  private var last: (cause: Cause, number: Int64)?

  /// The maximum size of the cache: a client with ever new causes fills the disk, but not the memory.
  private static let mostKnown = 1024

  init(_ database: Database, _ statements: Statements) {
    self.database = database
    self.statements = statements
  }

  /// The ID of a cause. A new cause is written to the journal.
  func number(of cause: Cause) throws(StoreError) -> Int64 {
    if let last, last.cause == cause { return last.number }
    let number: Int64
    if let remembered = known[cause] { number = remembered } else { number = try find(cause) }
    last = (cause, number)
    return number
  }

  /// Forgets all IDs, because a rollback may have removed rows.
  func forget() {
    known.removeAll(keepingCapacity: true)
    last = nil
  }

  private func find(_ cause: Cause) throws(StoreError) -> Int64 {
    let values: [Statement.Value] = [.text(cause.producer), .init(cause.device), .init(cause.gesture)]
    let number: Int64
    if let found = try statements.findCause.number(values[0], values[1], values[2]) {
      number = found
    } else {
      try statements.addCause.run(values)
      number = try database.integer("SELECT last_insert_rowid()") ?? 0
    }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[cause] = number
    return number
  }
}
