import Counting

/// Counters, groups and formulas as rows of the table `counter`: a column for each field.
enum CounterRow {
  private static let fixed = ["id", "kind", "decimals", "locked"]

  /// What is read of a counter, in this order.
  static let columns = fixed + ["standing.value"] + Field.allCases.map(\.column)

  /// Writes all of it but the value, and makes one that was removed exist again.
  static let upsert: String = {
    let columns = fixed + Field.allCases.map(\.column)
    return """
      INSERT INTO counter (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (id) DO UPDATE SET removed = 0, \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }()

  static func counter(_ row: Statement) -> Counter {
    let decimals = row.integer(2)
    var counter = Counter(
      id: .init(row.integer(0)), name: CounterName(trusted: ""), title: "", start: 0, step: 1, value: row.integer(4),
      decimals: 0...9 ~= decimals ? decimals : 0, isStopwatch: row.text(1) == "stopwatch")
    counter.isLocked = row.integer(3) != 0
    for (field, column) in zip(Field.allCases, Int32(fixed.count + 1)...) { counter[field] = .init(row.value(column)) }
    return counter
  }

  static func group(_ row: Statement) -> Group {
    var group = Group(id: .init(row.integer(0)), name: CounterName(trusted: ""), title: "")
    for (field, column) in zip(Field.allCases, Int32(fixed.count + 1)...) { group[field] = .init(row.value(column)) }
    return group
  }

  static func formula(_ row: Statement) -> Formula {
    var formula = Formula(id: .init(row.integer(0)), name: CounterName(trusted: ""), text: "")
    for (field, column) in zip(Field.allCases, Int32(fixed.count + 1)...) { formula[field] = .init(row.value(column)) }
    return formula
  }

  static func subject(_ row: Statement) -> Event.Subject { Event.Subject(rawValue: row.text(1)) ?? .counter }

  static func values(of counter: Counter) -> [Statement.Value] {
    [
      .integer(counter.id.number), .text(counter.isStopwatch ? "stopwatch" : "counter"), .integer(counter.decimals),
      .integer(counter.isLocked ? 1 : 0),
    ] + Field.allCases.map { .init(counter[$0]) }
  }

  static func values(of group: Group) -> [Statement.Value] { values(.group, group.id) { group[$0] } }

  static func values(of formula: Formula) -> [Statement.Value] { values(.formula, formula.id) { formula[$0] } }

  private static func values(
    _ subject: Event.Subject, _ id: Counter.ID, _ value: (Field) -> Field.Value
  ) -> [Statement.Value] {
    [.integer(id.number), .text(subject.rawValue), 0, 0]
      + Field.allCases.map { field in
        // What a counter must have and others have not.
        switch field {
        case .start, .archived, .lapped: 0
        case .step: 1
        case .limits: .text(Counter.Limits.refuse.rawValue)
        default: .init(value(field))
        }
      }
  }
}

extension Field {
  /// The column that holds it.
  fileprivate var column: String {
    switch self {
    case .group: "group_number"
    case .order: "place"
    case .stepDown: "step_down"
    case .reachedAt: "reached_at"
    case .renewsAt: "renews_at"
    default: rawValue
    }
  }
}

extension Statement.Value {
  init(_ value: Field.Value) {
    switch value {
    case .none: self = .null
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    }
  }
}

extension Field.Value {
  init(_ value: Statement.Value) {
    switch value {
    case .null: self = .none
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    }
  }
}
