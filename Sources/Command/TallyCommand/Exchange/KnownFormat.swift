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
      columns: ["lastupdate": .passedOver]),
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
