import ArgumentParser

/// The meaning of a column of a table. The raw value is the word for `--column`.
enum Meaning: String, CaseIterable {
  case name, title, value, time
  /// Times with dates like 31/12/2026, or like 12/31/2026.
  case dayFirst = "day-first"
  case monthFirst = "month-first"
  /// The time of day, beside a column of dates.
  case clock
  case amount, group, unit, formula, display
  /// The amounts of the counter with the name of the column.
  case counts
  /// The days of a habit as Loop Habit Tracker marks them; the header of the column is the name of the habit.
  case marks
  case setting
  /// The time of a value.
  case update
  /// The number of rows that the table was written with.
  case entries
  case passedOver = "-"

  /// The headers with this meaning, without capital letters, spaces and marks.
  var words: Set<String> {
    switch self {
    case .name: ["name", "counter", "countername", "label", "item", "category", "habit", "tracker", "feature"]
    case .title: ["title"]
    case .value: ["value", "count", "total", "number", "tally"]
    case .time: ["time", "date", "timestamp", "datetime", "day", "when", "start"]
    case .amount: ["amount", "change", "increment", "delta"]
    case .group: ["group"]
    case .unit: ["unit"]
    case .formula: ["formula"]
    case .display: ["display"]
    case .clock: ["clock", "timeofday"]
    case .dayFirst, .monthFirst, .counts, .marks, .setting, .update, .entries, .passedOver: []
    }
  }

  /// Headers of a counter's value rather than of the amount of a count.
  static let standings: Set<String> = ["total", "tally", "value"]

  /// The meaning of a header; `nil` for an unknown one.
  init?(header: String) {
    let word = header.headerWord
    guard let meaning = Self.allCases.first(where: { $0.words.contains(word) }) else { return nil }
    self = meaning
  }

  /// Whether several columns can have this meaning.
  var isRepeatable: Bool { self == .counts || self == .marks || self == .passedOver }

  var isTime: Bool { self == .time || self == .dayFirst || self == .monthFirst }

  /// The meanings that a person can state, with explanations.
  static let explanation = """
    name, title, value (of a counter), time, day-first or month-first (times with dates like 1/12/2026), clock (beside \
    dates), amount (of a count), group, unit (s for seconds), counts (the column is a counter of that name) and marks \
    (the same, with the marks of Loop Habit Tracker); “-” leaves a column out
    """
}

/// A person's choice for a column: `name=Feature`, or `-=Comment`.
struct ColumnChoice: ExpressibleByArgument {
  let meaning: Meaning
  /// The header of the column; its number from 1 without a header.
  let column: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let meaning = Meaning(rawValue: String(parts[0])),
      ![.setting, .update, .entries].contains(meaning),
      !parts[1].isEmpty
    else { return nil }
    (self.meaning, column) = (meaning, String(parts[1]))
  }

  static var allValueStrings: [String] { [] }
}

extension String {
  /// A header without capital letters, spaces and marks.
  var headerWord: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}
