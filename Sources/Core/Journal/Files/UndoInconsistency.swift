import Counting

/// An undo or a redo that no core makes: of an event that is undone already, or with an effect that is not its
/// opposite.
///
/// SQL finds them, rather than a ``Replay``, which would have to keep every event that may still be undone.
struct UndoInconsistency {
  let sequence: Int64
  /// The sequence number of the undone event.
  let undone: Int64
  let kind: Kind

  enum Kind: Int64, CaseIterable {
    case ofSomethingElse
    case notOpposite
    case ofNoUndo
    case repeated

    /// A condition on an `event` and the event that it undoes, `undone`.
    fileprivate var condition: String {
      switch self {
      case .ofSomethingElse: "event.counter <> undone.counter OR event.about IS NOT undone.about"
      case .notOpposite: "event.change <> -undone.change OR event.presence <> -undone.presence"
      // The redo of an undo of a late count also undoes the end of that count's period.
      case .ofNoUndo: "event.kind = 'redone' AND undone.kind NOT IN ('undone', 'redone', 'renewed')"
      case .repeated:
        "EXISTS (SELECT 1 FROM event AS taker WHERE taker.undoes = event.undoes AND taker.sequence < event.sequence)"
      }
    }
  }

  /// The faults among the events of a range, in order; at most `limit`.
  static func all(
    in range: ClosedRange<Int64>, of database: Database, limit: Int
  ) throws(StoreError) -> [UndoInconsistency] {
    let cases = Kind.allCases.map { "WHEN \($0.condition) THEN \($0.rawValue)" }.joined(separator: " ")
    let statement = try database.prepare(
      """
      SELECT event.sequence, event.undoes, CASE \(cases) END AS fault
      FROM event JOIN event AS undone ON undone.sequence = event.undoes
      WHERE event.undoes IS NOT NULL AND event.sequence BETWEEN ? AND ? AND fault IS NOT NULL
      ORDER BY event.sequence LIMIT \(limit)
      """)
    return try statement.rows(.integer(range.lowerBound), .integer(range.upperBound)) { row throws(StoreError) in
      UndoInconsistency(
        sequence: row.integer(0), undone: row.integer(1), kind: Kind(rawValue: row.integer(2)) ?? .ofSomethingElse)
    }
  }

  /// The reason, as the text after a colon.
  ///
  /// - Parameter number: converts a sequence number for the reader.
  func reason(_ number: (Int64) -> Int64 = { $0 }) -> String {
    let undone = "event \(number(undone))"
    return switch kind {
    case .ofSomethingElse: "\(undone), which it undoes, is about something else"
    case .notOpposite: "it is not the opposite of \(undone), which it undoes"
    case .ofNoUndo: "\(undone), which it redoes, is no undo"
    case .repeated: "\(undone) is undone already"
    }
  }
}
