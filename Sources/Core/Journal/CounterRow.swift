import Counting

/// Conversion between entities and rows of the table `counter`, which has a column for each field.
enum CounterRow {
  private static let fixed = ["id", "kind", "decimals", "locked"]

  /// The columns of a counter, in the order in which they are read from ``source``.
  static let columns = fixed + ["coalesce(fresh.value, standing.value)"] + Field.allCases.map(\.column)

  /// Joins counters with their values. `standing` has the values after the last whole block of events; later values are
  /// in the events after that block. Notes are skipped, because their value is a copy, or 0 for a removed counter.
  static let source = """
    counter LEFT JOIN standing ON standing.counter = counter.id
      LEFT JOIN (SELECT counter, value, max(sequence) FROM event
        WHERE about IS NULL AND sequence > (SELECT coalesce(max(number) + 1, 0) * \(Rollups.blockSize) FROM block)
        GROUP BY counter) AS fresh ON fresh.counter = counter.id
    """

  /// Inserts or replaces all columns except the value.
  static let upsert: String = {
    let columns = fixed + Field.allCases.map(\.column) + ["removed"]
    return """
      INSERT INTO counter (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (id) DO UPDATE SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }()

  static func counter(_ row: Statement) -> Counter {
    var counter = Counter(
      id: .init(row.integer(0)), name: CounterName(trusted: ""), title: "", start: 0, step: 1, value: row.integer(4),
      decimals: row.decimals(2), isStopwatch: row.text(1) == "stopwatch")
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

  static func entity(_ row: Statement) -> Entity {
    switch subject(row) {
    case .group: .group(group(row))
    case .formula: .formula(formula(row))
    case .counter, .all: .counter(counter(row))
    }
  }

  static func subject(_ row: Statement) -> Event.Subject { Event.Subject(rawValue: row.text(1)) ?? .counter }

  static func values(of entity: Entity, isRemoved: Bool) -> [Statement.Value] {
    let values: [Statement.Value] =
      switch entity {
      case .counter(let counter): values(of: counter)
      case .group(let group): values(.group, group.id) { group[$0] }
      case .formula(let formula): values(.formula, formula.id) { formula[$0] }
      }
    return values + [.integer(isRemoved ? 1 : 0)]
  }

  private static func values(of counter: Counter) -> [Statement.Value] {
    [
      .integer(counter.id.number), .text(counter.isStopwatch ? "stopwatch" : "counter"), .integer(counter.decimals),
      .integer(counter.isLocked ? 1 : 0),
    ] + Field.allCases.map { .init(counter[$0]) }
  }

  private static func values(
    _ subject: Event.Subject, _ id: Counter.ID, _ value: (Field) -> Field.Value
  ) -> [Statement.Value] {
    [.integer(id.number), .text(subject.rawValue), 0, 0]
      + Field.allCases.map { field in
        // These columns are NOT NULL for counters and NULL for other entities.
        switch field {
        case .start, .lapped: 0
        case .archived: .init(value(field) == .none ? .integer(0) : value(field))
        case .step: 1
        case .limits: .text(Counter.Limits.refuse.rawValue)
        default: .init(value(field))
        }
      }
  }
}

extension Field {
  /// The column of a field: its name with underscores.
  var column: String {
    switch self {
    case .group: "group_number"
    case .order: "place"
    default: rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
  }
}

extension Statement {
  /// The number of decimals in a column. In a damaged journal it may be out of range; the nearest valid number is
  /// returned.
  func decimals(_ column: Int32) -> Int64 { min(max(integer(column), 0), 9) }
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
