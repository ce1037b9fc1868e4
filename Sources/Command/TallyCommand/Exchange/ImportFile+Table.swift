import Calendars
import Counting
import JSON

/// Tables of other programs, as CSV or as lines of JSON.
extension ImportFile {
  /// The unit in the rows of formulas.
  static let formulaUnit = "formula"

  /// A table converted to entries of the core.
  struct Table {
    var entries: [JSON] = []
    /// The recognised format.
    var format: String?
    /// The headers of columns with texts that are left out.
    var leftOut: [String] = []
    /// Whether the rows were read as days because all of their times are midnights.
    var isOfMidnights = false
    /// Whether `tally totals` may have written the table.
    var isOfSums = false
    /// The columns whose names are no likely names of counters.
    var doubts = Doubts()
  }

  /// The entries of a table with names and values, or with times.
  ///
  /// - Parameter addsAll: whether a person has said that rows which repeat another one count.
  static func table(
    _ records: [CSV.Record], _ choices: [ColumnChoice] = [], _ mark: DecimalMark? = nil, addsAll: Bool = false
  ) throws -> Table {
    if choices.isEmpty, let entries = try betterCounter(records) {
      return Table(entries: entries, format: KnownFormat.betterCounter)
    }
    guard let first = records.first else { return Table() }
    try refuseDatesAcross(first, records.dropFirst())
    try refuseTitle(first, records, choices)
    try refuseUnclearHeader(first, choices)
    guard isHeader(first, of: records, choices) else {
      return try table(records, TableColumns(without: (), rows: records, choices), mark, addsAll: addsAll)
    }
    let rows = Array(records.dropFirst())
    var table = try table(rows, TableColumns(header: first, rows: rows, choices), mark, addsAll: addsAll)
    table.doubts.line = first.line
    return table
  }

  /// The entries of objects with named members, one a line.
  static func table(
    _ objects: [(line: Int, members: JSONObject)], _ choices: [ColumnChoice], _ mark: DecimalMark? = nil,
    addsAll: Bool = false
  ) throws -> Table {
    var names: [String] = []
    // Numbers of JSON have a decimal point.
    var withPoint: Set<Int> = []
    var places: [String: Int] = [:]
    let rows = try objects.map { line, members in
      var row = CSV.Record(line: line, fields: Array(repeating: "", count: names.count))
      for (name, value) in members {
        let place = places[name] ?? names.count
        if place == names.count {
          places[name] = place
          names.append(name)
          row.fields.append("")
        }
        if case .float = value { withPoint.insert(place) }
        row.fields[place] = try text(value, name, line)
      }
      return row
    }
    guard let first = rows.first else { return Table() }
    let columns = try TableColumns(header: .init(line: first.line, fields: names), rows: rows, choices)
    return try table(rows, columns, mark, withPoint, addsAll: addsAll)
  }

  private static func text(_ value: JSON, _ name: String, _ line: Int) throws(Fault) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .int, .float, .bool: value.description
    case .array, .object: throw Fault(line: line, reason: "“\(name.shortened)” is neither a text nor a number")
    }
  }

  /// - Parameters:
  ///   - mark: the decimal mark that a person has stated.
  ///   - withPoint: the columns that are known to have a decimal point.
  private static func table(
    _ rows: [CSV.Record], _ columns: TableColumns, _ mark: DecimalMark?, _ withPoint: Set<Int> = [], addsAll: Bool
  ) throws -> Table {
    let times = columns.time.map { time in rows.lazy.compactMap { $0.field(time.place) } }
    let order: ExchangeTime.DateOrder? =
      switch columns.time?.meaning {
      case .dayFirst?: .dayFirst
      case .monthFirst?: .monthFirst
      default: times.flatMap { ExchangeTime.order(of: $0) }
      }
    let marks = try DecimalMark.marks(of: columns, rows, stated: mark, withPoint)
    let isOfMidnights = isOfMidnights(rows, columns)
    let isOfDays = isOfMidnights || columns[.clock] == nil && times?.allSatisfy(ExchangeTime.isDay) ?? false
    let repetitions = Repetitions(isOfDays: isOfDays, addsAll: addsAll)
    var reader = RowReader(columns, order, marks, isOfMidnights: isOfMidnights, repetitions)
    for row in rows { try reader.read(row) }
    try reader.finish(line: rows.last?.line ?? 1)
    return Table(
      entries: reader.entries, format: columns.format, leftOut: columns.leftOut, isOfMidnights: isOfMidnights,
      isOfSums: columns.time.map { columns.name(of: $0.place) } == "start" && !columns.counters.isEmpty,
      doubts: .init(columns: columns.doubtful))
  }

  /// Whether each time of a table is a midnight, so that the rows are days.
  private static func isOfMidnights(_ rows: [CSV.Record], _ columns: TableColumns) -> Bool {
    guard let time = columns.time else { return false }
    let timed = rows.lazy.filter { $0.field(time.place) != nil }
    return !timed.isEmpty
      && timed.allSatisfy { row in
        ExchangeTime.isMidnight(row.field(time.place) ?? "", clock: columns[.clock].flatMap(row.field))
      }
  }

  static func count(
    _ name: String, titled title: String, at time: Int64, isDay: Bool = false, _ amount: String
  ) -> JSON {
    var count: JSONObject = ["name": .string(name), "time": .int(time), "amount": .string(amount)]
    if isDay { count["day"] = .string(LocalTime(microseconds: time).day) }
    if title != name { count["title"] = .string(title) }
    return ["count": .object(count)]
  }

  /// The number of decimals of a number in the format of the core.
  static func decimals(of number: String) -> Int64 {
    Int64(min(9, number.split(separator: ".", maxSplits: 1).dropFirst().first?.utf8.count ?? 0))
  }

  /// Reads the rows of a table one after the other.
  private struct RowReader {
    private let columns: TableColumns
    private let order: ExchangeTime.DateOrder?
    /// The decimal marks of the columns of numbers.
    private let marks: [Int: DecimalMark]
    private let definitions = ValueDefinitions()
    private var completeness = Completeness()
    /// The lines of the counters that have a value.
    private var lines: [String: Int] = [:]
    private(set) var entries: [JSON] = []
    /// The maximum number of decimals in the numbers of each defined counter.
    private var decimals: [String: Int64] = [:]

    /// Whether each time is a midnight, so that the rows are days.
    private let isOfMidnights: Bool
    private var repetitions: Repetitions
    /// The sum of the values at the time of the last row, in billionths; `nil` before the first row.
    private var sum: (time: Int64?, sum: Int128)?

    init(
      _ columns: TableColumns, _ order: ExchangeTime.DateOrder?, _ marks: [Int: DecimalMark], isOfMidnights: Bool,
      _ repetitions: Repetitions
    ) {
      (self.columns, self.order, self.marks, self.repetitions) = (columns, order, marks, repetitions)
      self.isOfMidnights = isOfMidnights
    }

    private func number(_ text: String, in place: Int?) -> String? {
      (place.flatMap { marks[$0] } ?? .point).number(text)
    }

    mutating func read(_ row: CSV.Record) throws {
      func field(_ meaning: Meaning) -> String? { columns[meaning].flatMap(row.field) }
      func fault(_ reason: String) -> Fault { Fault(line: row.line, reason: reason) }
      guard row.fields.contains(where: { !$0.trimmed.isEmpty }) else { return }
      try completeness.row(field(.entries), hasColumn: columns[.entries] != nil, line: row.line)
      func name(_ meaning: Meaning, of kind: ValueDefinitions.Kind) throws -> String? {
        try field(meaning).map { try definitions.name($0, of: kind, line: row.line) }
      }
      let group = try name(.group, of: .group)
      if field(.unit) == formulaUnit {
        guard let text = field(.formula), let name = try name(.name, of: .counter) else {
          throw fault(
            "its unit is “\(formulaUnit)”, and it has no name, or no expression in a column “formula”. Write both, or "
              + "another unit, or leave the row out")
        }
        var members: JSONObject = ["name": .string(name), "formula": .string(text)]
        members["title"] = field(.title).map(JSON.string)
        members["display"] = field(.display).map(JSON.string)
        try addSettings(of: row, to: &members, fault)
        entries += definitions.entries(ofFormula: members, group: group, line: row.line)
        return
      }
      let time = try columns.time.map { column in
        guard let text = row.field(column.place) else { throw fault("it has no time") }
        do {
          let time = try ExchangeTime.moment(text, clock: field(.clock), order)
          guard time >= 0 else {
            let name = columns.name(of: column.place)
            throw fault(
              "“\(text.shortened)” in the column “\(name.shortened)” is before 1970, and no count can be so early. "
                + "Correct it, or leave the row out")
          }
          return time
        } catch let error as TimeError {
          throw fault(ExchangeTime.reason(of: error))
        } catch is ExchangeTime.ShortYear {
          throw fault("the year in “\(text.shortened)” has two digits. Write it with four, like 2026-11-21")
        } catch is ExchangeTime.UnclearDate {
          let name = columns.name(of: column.place)
          // The order of this date is clear, so another date of the column has the other order.
          if let own = ExchangeTime.order(of: [text]) {
            throw fault(
              "“\(text.shortened)” has the \(own == .dayFirst ? "day" : "month") first, and another date of the column "
                + "“\(name.shortened)” has not. Write all of them in the same order")
          }
          throw fault(
            "the day and the month in “\(text.shortened)” may be either. Say which comes first: "
              + "\(TableColumns.choice(.dayFirst, name)) or \(TableColumns.choice(.monthFirst, name))")
        }
      }
      let isDay =
        isOfMidnights
        || columns.time.flatMap { row.field($0.place) }.map(ExchangeTime.isDay) ?? false && field(.clock) == nil
      if let time, !columns.counters.isEmpty {
        for counter in columns.counters { try read(row, counter, at: time, isDay: isDay) }
        return
      }
      let place = field(.amount) == nil ? columns[.value] ?? columns[.amount] : columns[.amount]
      let text = place.flatMap(row.field)
      if text == nil, let place {
        throw fault("its “\(columns.name(of: place).shortened)” is empty. Write a number, or leave the row out")
      }
      guard time != nil || text != nil else { throw fault("it has neither a value nor a time") }
      if let text, columns.noValues.contains(text) { return }
      guard columns[.name] == nil || field(.name) != nil else { throw fault("it has no name") }
      let label = field(.name) ?? "count"
      let counter = try definitions.name(label, of: .counter, line: row.line)
      let (value, isTime) = try amount(text ?? "1", in: place, isTime: field(.unit) == "s", fault)
      let title = field(.title) ?? label
      guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw fault("“\(title.shortened)” contains a line break or another control character. Write it on one line")
      }
      if columns.hasSettings, time == nil {
        let decimals = isTime ? 6 : ImportFile.decimals(of: value)
        guard let number = (try? Unit.decimal(decimals).number(value)) ?? (isTime ? try? Unit.time.number(value) : nil)
        else { throw fault("“\(value.shortened)” has too many digits") }
        var members: JSONObject = ["name": .string(counter), "title": .string(title), "value": .int(number)]
        if isTime { members["kind"] = "stopwatch" } else { members["decimals"] = .int(decimals) }
        try addSettings(of: row, to: &members, fault)
        entries += definitions.counter(members, group: group, line: row.line)
      } else if group != nil || isTime {
        var members: JSONObject = ["name": .string(counter), "title": .string(title)]
        if isTime {
          members["kind"] = "stopwatch"
        } else {
          decimals[counter] = max(decimals[counter] ?? 0, ImportFile.decimals(of: value))
        }
        entries += definitions.counter(members, group: group, line: row.line)
      }
      if text != nil, time != nil || !columns.hasSettings { try add(value, of: label, at: time, fault) }
      if let time {
        try note(counter, at: time, text.map { _ in value }, row)
        return entries.append(try past(count(counter, titled: title, at: time, isDay: isDay, value), row.line))
      }
      if let line = lines.updateValue(row.line, forKey: counter) {
        throw fault(repetition(of: label, since: line))
      }
      var entry: JSONObject = ["name": .string(counter), "value": .string(value), "line": .int(Int64(row.line))]
      if title != counter { entry["title"] = .string(title) }
      if let place = columns[.update], let text = row.field(place) {
        let header = columns.name(of: place)
        guard let time = try? ExchangeTime.moment(text, clock: nil, nil), time >= 0 else {
          throw fault(
            "“\(text.shortened)” in the column “\(header.shortened)” is no clear time. Write it like "
              + "2026-11-21T14:05:00+01:00, or leave the column out: \(TableColumns.choice(.passedOver, header))")
        }
        entry["time"] = .int(time)
      }
      entries.append(try past(["value": .object(entry)], row.line))
    }

    private mutating func note(_ name: String, at time: Int64, _ amount: String?, _ row: CSV.Record) throws(Fault) {
      try repetitions.note(name, at: time, columns.time.flatMap { row.field($0.place) }, amount, row.line)
    }

    /// Adds a value to the sum of the rows directly above that have the same time, and refuses a row that has this sum and
    /// is called so.
    private mutating func add(
      _ value: String, of label: String, at time: Int64?, _ fault: (String) -> Fault
    ) throws {
      guard let number = try? Unit.decimal(9).number(value) else { return }
      let before = sum.flatMap { $0.time == time ? $0.sum : nil }
      guard before != Int128(number) || !Meaning.isOfSums(header: label) else {
        throw fault(
          "“\(label.shortened)” is the sum of the rows above. Leave it out, or write it first if it is a counter")
      }
      sum = (time, (before ?? 0) + Int128(number))
    }

    /// Adds the settings of a counter or a formula.
    private func addSettings(of row: CSV.Record, to members: inout JSONObject, _ fault: (String) -> Fault) throws {
      let (isStopwatch, decimals) = (members["kind"] == "stopwatch", members["decimals"]?.int ?? 0)
      let mark = columns[.value].flatMap { marks[$0] } ?? .point
      for (column, place) in columns.settings {
        guard let text = row.field(place) else { continue }
        guard let member = column.member(text, isStopwatch: isStopwatch, decimals: decimals, mark) else {
          throw fault("its \(column.header) “\(text.shortened)” is not valid")
        }
        members[member.name] = member.value
      }
    }

    /// Checks that all rows were read, and gives the defined counters the decimals of all their numbers.
    mutating func finish(line: Int) throws {
      if columns[.entries] != nil, lines.isEmpty, entries.isEmpty {
        throw Fault(line: line, reason: "the file ends here, without the values: its last part is missing")
      }
      try completeness.finish(line: line)
      guard !decimals.isEmpty else { return }
      for (index, entry) in entries.enumerated() {
        guard var counter = entry.object?["counter"]?.object, let name = counter["name"]?.string,
          let decimals = decimals[name], decimals > 0
        else { continue }
        counter["decimals"] = .int(decimals)
        counter["step"] = .int((0..<decimals).reduce(1) { step, _ in step * 10 })
        entries[index] = ["counter": .object(counter)]
      }
    }

    /// Reads the field of a column that contains a counter.
    private mutating func read(_ row: CSV.Record, _ counter: TableColumns.OwnCounter, at time: Int64, isDay: Bool)
      throws
    {
      let name = try definitions.name(counter.name, of: .counter, line: row.line)
      guard let text = row.field(counter.place) else { return }
      func fault(_ reason: String) -> Fault { Fault(line: row.line, reason: reason) }
      let amount =
        counter.isOfMarks
        ? HabitMark.amount(text, isOfNumbers: counter.isOfNumbers)
        : try self.amount(text, in: counter.place, isTime: false, fault).0
      guard let amount else { return }
      try note(name, at: time, amount, row)
      entries.append(try past(count(name, titled: counter.name, at: time, isDay: isDay, amount), row.line))
    }

    /// The number in a field of a column, and whether it is a time.
    private func amount(
      _ text: String, in place: Int?, isTime: Bool, _ fault: (String) -> Fault
    ) throws -> (String, isTime: Bool) {
      let hasLabel = columns.valuesHaveLabels
      if let read = number(text, in: place) {
        let unit = isTime ? Unit.time : .decimal(ImportFile.decimals(of: read))
        do throws(CountingError) { _ = try unit.number(read) } catch { throw fault(error.message) }
        return (read, isTime)
      }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      if hasLabel, parts.count >= 3, (try? Unit.time.number(parts.prefix(3).joined(separator: ":"))) != nil {
        return (parts.prefix(3).joined(separator: ":"), true)
      }
      if hasLabel, parts.count > 1, let read = number(String(parts[0]), in: place) { return (read, isTime) }
      let isDuration = text.contains { $0 == ":" } && (try? Unit.time.number(text)) != nil
      if isTime, isDuration || (try? Unit.time.number(text)) != nil { return (text, true) }
      let name = place.map { columns.name(of: $0) } ?? ""
      if isDuration {
        throw fault(
          "“\(text.shortened)” may be a duration or a time of day. A duration has “s” in a column “unit”; a column of times "
            + "of day beside dates is said with: \(TableColumns.choice(.clock, name))")
      }
      let mark = place.flatMap { marks[$0] } ?? .point
      if let other = DecimalMark.allCases.first(where: { $0 != mark && $0.number(text) != nil }) {
        throw fault(
          "“\(text.shortened)” in the column “\(name.shortened)” has no decimal \(mark). If the numbers of the file have a "
            + "decimal \(other): --decimal-mark \(other)")
      }
      throw fault(
        "“\(text.shortened)” is not a number. Correct it in the column “\(name.shortened)”, or leave the row out")
    }
  }
}

extension CSV.Record {
  /// The text in a column; `nil` for none.
  func field(_ place: Int) -> String? {
    guard fields.indices.contains(place) else { return nil }
    let text = fields[place].trimmed
    return text.isEmpty ? nil : text
  }
}

extension String {
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
