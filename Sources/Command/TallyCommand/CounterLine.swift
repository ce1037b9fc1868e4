import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The output of a counter, as text or as JSON.
@dynamicMemberLookup
struct CounterLine {
  var counter: Counters.Counter
  /// The time that a running stopwatch has advanced since the reply, in microseconds.
  var advance: Int64 = 0

  init(_ counter: Counters.Counter) { self.counter = counter }

  subscript<Value>(dynamicMember member: KeyPath<Counters.Counter, Value>) -> Value { counter[keyPath: member] }

  /// The members of the counter, with the present reading of a stopwatch as `value`; for a counter in another unit than
  /// whole numbers also `text`, the value in that unit, and likewise `stepText` and the texts of other settings.
  var json: JSON {
    var object = counter.object.spellingTimes("since", "began", "renewsAt", "reachedAt")
    object[Counters.Counter.Member.value] = .int(shown)
    guard counter.unit != .things else { return .object(object) }
    object["text"] = .string(counter.unit.text(shown))
    for member in Counters.Counter.Member.amounts {
      if let number: Int64 = counter[member] {
        object["\(member.rawValue.text)Text"] = .string(counter.unit.text(number))
      }
    }
    if let progress = counter.progress {
      var texts = progress.object
      texts["doneText"] = .string(counter.unit.text(progress.done))
      texts["leftText"] = .string(counter.unit.text(progress.left))
      object[Counters.Counter.Member.progress] = .object(texts)
    }
    return .object(object)
  }

  /// The name, with its state.
  var label: String {
    let marks = [isRunning ? "running" : nil, counter.isLocked ? "locked" : nil, counter.isArchived ? "archived" : nil]
      .compactMap(\.self)
    return counter.name + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
  }

  /// The value to show; for a stopwatch its current reading.
  var shown: Int64 {
    guard isRunning else { return counter.elapsed ?? counter.value }
    return (counter.elapsed ?? counter.value).addingReportingOverflow(advance).partialValue
  }

  /// ``shown`` as text, in the format of the locale.
  var count: String { format.text(shown) }

  var isRunning: Bool { counter.since != nil }
  var icon: String { (counter.icon ?? "").printableIcon }
  /// The progress towards the target in percent.
  var percent: Int64? { counter.progress?.percent }

  /// ``percent`` in at most six columns: `85 %`, `12 ×`.
  var share: String? {
    percent.map { $0 < 1000 ? "\(max(-999, $0)) %" : $0 < 100_000 ? "\($0 / 100) ×" : ">999 ×" }
  }

  var format: ValueText { ValueText(unit: counter.unit) }
}

extension [String] {
  /// The first few elements, with an ellipsis if there are more: `a, b, …`.
  func abridged(to most: Int = 5) -> String {
    prefix(most).joined(separator: ", ") + (count > most ? ", …" : "")
  }

  /// The first five elements, with the number of the others: `a, b, c, d, e and 2 more`.
  var counted: String { prefix(5).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "") }

  /// The elements without repetitions, in the order of their first occurrences.
  var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension [CounterLine] {
  /// The values with the names: `0 anna, 0 ben`; of more than ten counters the first ten.
  var standing: String {
    prefix(11).map { "\($0.count) \($0.name)" }.abridged(to: 10)
  }
}
