import Counting

/// The counts of a table that have the counter and the time of an earlier one. All are added, but for rows that may be the
/// same count again.
struct Repetitions {
  /// The time of several counts of one counter.
  struct Moment {
    let name: String
    /// In microseconds since 1970.
    let time: Int64
    var rows: Int
  }

  private struct Key: Hashable {
    let name: String
    let time: Int64
  }

  private(set) var moments: [Moment] = []
  private var places: [Key: Int] = [:]
  private var counted: [Key: (line: Int, text: String, amount: String?)] = [:]
  /// Whether each row of the table is of a whole day.
  private let isOfDays: Bool
  /// Whether a person has said that all rows count.
  private let addsAll: Bool

  init(isOfDays: Bool, addsAll: Bool) { (self.isOfDays, self.addsAll) = (isOfDays, addsAll) }

  /// Notes a count.
  ///
  /// - Parameters:
  ///   - text: the time as the row has it.
  ///   - amount: `nil` for a row that counts one.
  /// - Throws: an ``ImportFile/Fault`` for a row of a day with the amount of an earlier one, and for another spelling of
  ///   an earlier time, such as milliseconds beside seconds.
  mutating func note(
    _ name: String, at time: Int64, _ text: String?, _ amount: String?, _ line: Int
  ) throws(ImportFile.Fault) {
    let (key, text) = (Key(name: name, time: time), text ?? "")
    guard let first = counted[key] else {
      counted[key] = (line, text, amount)
      return
    }
    let isSpeltAlike = first.text == text
    guard addsAll || isSpeltAlike && !(isOfDays && amount != nil && amount == first.amount) else {
      let what =
        isSpeltAlike
        ? "line \(first.line) has \(amount ?? "1") for “\(name.shortened)” and “\(text.shortened)” too"
        : "“\(text.shortened)” is the time “\(first.text.shortened)” of line \(first.line), for “\(name.shortened)”"
      throw .init(line: line, reason: "\(what). If both count: --again add; otherwise leave one of them out")
    }
    if let place = places[key] {
      moments[place].rows += 1
    } else {
      places[key] = moments.count
      moments.append(Moment(name: name, time: time, rows: 2))
    }
  }
}
