import Counting

/// Refuses rows of a table that may be an earlier row again, unless a person has said that all rows count.
struct Repetitions {
  private struct Moment: Hashable {
    let name: String
    /// The time, in microseconds since 1970.
    let time: Int64
  }

  private struct Row: Hashable {
    let moment: Moment
    let amount: String
  }

  /// The first row of each counter and time.
  private var first: [Moment: (line: Int, text: String)] = [:]
  /// The lines of the rows of days.
  private var ofDays: [Row: Int] = [:]
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
    guard !addsAll else { return }
    func fault(_ what: String) -> ImportFile.Fault {
      .init(line: line, reason: "\(what). If both count: --again add; otherwise leave one of them out")
    }
    let (moment, text) = (Moment(name: name, time: time), text ?? "")
    if let first = first[moment] {
      guard first.text == text else {
        throw fault(
          "“\(text.shortened)” is the time “\(first.text.shortened)” of line \(first.line), for “\(name.shortened)”")
      }
    } else {
      first[moment] = (line, text)
    }
    guard isOfDays, let amount else { return }
    if let earlier = ofDays.updateValue(line, forKey: Row(moment: moment, amount: amount)) {
      throw fault("line \(earlier) has \(amount) for “\(name.shortened)” and “\(text.shortened)” too")
    }
  }
}
