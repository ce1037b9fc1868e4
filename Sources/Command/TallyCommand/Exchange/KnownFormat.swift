import Counting
import JSON

/// The table format of another program, recognised by its header.
struct KnownFormat {
  /// The name in the output, after “Read as”; `nil` for Tallymark's format.
  let title: String?
  /// The required headers, as ``Swift/String/headerWord``.
  let header: Set<String>
  /// The meanings of headers that differ from those of ``Meaning/words``.
  let columns: [String: Meaning]
  /// The texts for a missing value.
  var noValues: Set<String> = []
  /// Whether the name of a choice may follow a value, after a colon.
  var valuesHaveLabels = false

  static let all = [
    KnownFormat(
      title: "an export of Track & Graph", header: ["featurename", "timestamp", "value"],
      columns: ["featurename": .name, "value": .amount, "label": .passedOver, "note": .passedOver],
      valuesHaveLabels: true),
    KnownFormat(
      title: "an export of HabitBull", header: ["habitname", "habitdescription", "habitcategory", "value"],
      columns: [
        "habitname": .name, "calendardate": .time, "value": .amount, "habitdescription": .passedOver,
        "habitcategory": .passedOver, "commenttext": .passedOver,
          // The smallest number of 32 bits, exact or rounded.
      ], noValues: ["-2150000000", "-2.15E+09", "-2147483648"]),
    KnownFormat(
      title: "an export of Counter by Roman Tsukanov", header: ["name", "value", "lastupdate"],
      columns: ["lastupdate": .update]),
    // The table of values that tally writes.
    KnownFormat(
      title: nil, header: ["name", "title", "value", "unit", "group"],
      columns: Dictionary(
        uniqueKeysWithValues: [("entries", .entries)]
          + SettingColumn.allCases.map { ($0.header.headerWord, .setting) })),
  ]

  /// The table of events that tally writes for spreadsheets.
  static let eventColumns = [
    "sequence", "time", "counter", "kind", "change", "value", "undoes", "producer", "device", "gesture", "note", "unit",
  ]

  /// Names of tables without a header that identifies the format.
  static let betterCounter = "an export of BetterCounter: a line for each counter, with the times of its counts"
  static let loop = "Checkmarks.csv of Loop Habit Tracker: a column for each habit, each day done a count"
  static let wide = "a table with a column for each counter and a row for each time"

  /// The format with these headers.
  static func of(_ headers: [String]) -> KnownFormat? {
    let words = Set(headers.map(\.headerWord))
    return all.first { words.isSuperset(of: $0.header) }
  }
}

/// The marks of Loop Habit Tracker for a day of a habit.
enum HabitMark: String {
  case done = "YES_MANUAL"
  /// The habit was not done on the day, and its frequency did not require it.
  case spared = "YES_AUTO"
  case notDone = "NO"
  case skipped = "SKIP"
  case unknown = "UNKNOWN"

  /// The numbers in files of earlier versions: unknown, not done, spared, done, skipped.
  static let numbers: Set<String> = ["-1", "0", "1", "2", "3"]

  /// The amount that a field means: 1 for a day done; for a measured habit, the field's number of thousandths.
  ///
  /// - Parameter isOfNumbers: whether all fields of the column are ``numbers``.
  /// - Returns: `nil` for none.
  static func amount(_ text: String, isOfNumbers: Bool) -> String? {
    if text == (isOfNumbers ? "2" : done.rawValue) { return "1" }
    guard !isOfNumbers, let number = Int64(text), number > 0 else { return nil }
    return Unit.decimal(3).text(number).withoutTrailingZeros
  }
}

extension ImportFile {
  /// The entries of an export of BetterCounter, which has no header and no quotes: in each line the name of a counter,
  /// which may contain commas, and the times of its counts in milliseconds.
  ///
  /// - Returns: `nil` for another table.
  static func betterCounter(_ records: [CSV.Record]) throws -> [JSON]? {
    func nameLength(_ record: CSV.Record) -> Int {
      record.fields.count - record.fields.reversed().prefix { ExchangeTime.isInMilliseconds($0.trimmed) }.count
    }
    let lengths = records.map(nameLength)
    let isOne = zip(records, lengths).allSatisfy { record, length in
      length > 0 && (length < record.fields.count || length == 1)
    }
    // In other tables the first columns have texts in all rows.
    guard isOne, zip(records, lengths).contains(where: { $1 == 1 && $0.fields.count > 1 }) else { return nil }
    let names = zip(records, lengths).map { $0.fields.prefix($1).joined(separator: ",").trimmed }
    guard Set(names).count == names.count else { return nil }
    let definitions = ValueDefinitions()
    return try zip(zip(records, lengths), names).flatMap { record, text in
      let name = try definitions.name(text, of: .counter, line: record.0.line)
      let times = record.0.fields.dropFirst(record.1)
      guard !times.isEmpty else {
        return definitions.counter(
          ["name": .string(name), "title": .string(text)], group: nil, line: record.0.line)
      }
      return try times.map { time in
        try past(count(name, titled: text, at: ExchangeTime.moment(time.trimmed, clock: nil, nil), "1"), record.0.line)
      }
    }
  }
}
