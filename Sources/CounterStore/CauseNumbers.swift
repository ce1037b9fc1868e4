import Counting

/// The numbers under which causes are kept, so that a thousand presses of one pedal name it once.
final class CauseNumbers {
  private let database: Database
  private let statements: Statements
  private var known: [Cause: Int64] = [:]
  /// The one that was asked for last, which most often is the next one, too.
  private var last: (cause: Cause, number: Int64)?

  /// Bounded: a client that invents causes costs room on disk, where its events lie too, but not in memory.
  private static let mostKnown = 1024

  init(_ database: Database, _ statements: Statements) {
    self.database = database
    self.statements = statements
  }

  /// The number of a cause, which is written where it is a new one.
  func number(of cause: Cause) throws(StoreError) -> Int64 {
    if let last, last.cause == cause { return last.number }
    let number: Int64
    if let remembered = known[cause] { number = remembered } else { number = try find(cause) }
    last = (cause, number)
    return number
  }

  /// What was written may have been taken back.
  func forget() {
    known.removeAll(keepingCapacity: true)
    last = nil
  }

  private func find(_ cause: Cause) throws(StoreError) -> Int64 {
    let values: [Statement.Value] = [.text(cause.producer), .init(cause.device), .init(cause.gesture)]
    let found = try statements.findCause.rows(values[0], values[1], values[2]) { row throws(StoreError) in
      row.integer(0)
    }
    let number: Int64
    if let first = found.first {
      number = first
    } else {
      try statements.addCause.run(values)
      number = try database.integer("SELECT last_insert_rowid()") ?? 0
    }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[cause] = number
    return number
  }
}
