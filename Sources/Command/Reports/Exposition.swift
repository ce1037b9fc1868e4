public import CoreAPI
import Counting

/// Counters and formulas in Prometheus' text format, version 0.0.4.
///
/// Archived counters and formulas are left out. Values are gauges, because a count can be undone. The format is
/// described in "Exposition formats" of Prometheus' documentation.
public struct Exposition: Sendable {
  /// The value of `Content-Type` of the text.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The whole text; each line ends with a line feed.
  public private(set) var text = ""

  /// The text while the core is unreachable: only `tallymark_up 0`, because old values would look current.
  public init() { add("tallymark_up", .gauge, Self.upHelp, [([], "0")]) }

  /// - Parameters:
  ///   - lastEvent: the sequence number of the last event; 0 for none.
  ///   - now: the time for the reading of a running stopwatch, in microseconds since 1970.
  public init(_ counters: [Counters.Counter], _ formulas: [Counters.Formula], lastEvent: Int64, now: Int64) {
    let counters = counters.filter { !$0.isArchived }
    let (counts, stopwatches) = (counters.filter { !$0.isStopwatch }, counters.filter(\.isStopwatch))
    func samples(_ of: [Counters.Counter], _ value: (Counters.Counter) -> String?) -> [Sample] {
      of.compactMap { one in value(one).map { (Self.labels("counter", one.name, one.group), $0) } }
    }
    func amounts(_ name: String, _ help: String, _ value: (Counters.Counter) -> Int64?) {
      add(name, .gauge, help, samples(counts) { one in value(one).map(one.unit.text) })
    }
    add("tallymark_up", .gauge, Self.upHelp, [([], "1")])
    add("tallymark_events_total", .counter, "The number of events in the journal.", [([], "\(max(0, lastEvent))")])
    amounts("tallymark_value", "The value of a counter.", \.value)
    amounts("tallymark_target", "The target of a goal.", \.target)
    amounts("tallymark_minimum", "The lowest value that a counter can have.", \.minimum)
    amounts("tallymark_maximum", "The highest value that a counter can have.", \.maximum)
    add(
      "tallymark_stopwatch_seconds", .gauge, "The reading of a stopwatch, in seconds.",
      samples(stopwatches) { Unit.decimal(6).text(Self.reading($0, now)) })
    add(
      "tallymark_stopwatch_running", .gauge, "Whether a stopwatch runs: 1 or 0.",
      samples(stopwatches) { $0.since == nil ? "0" : "1" })
    add(
      "tallymark_formula_value", .gauge, "The value of a formula; absent for one that has none.",
      formulas.filter { !$0.isArchived }.compactMap { one in
        one.value.map { (Self.labels("formula", one.name, one.group), $0) }
      })
  }

  private static let upHelp = "Whether the counter core can be reached: 1 or 0."

  private enum Kind: String { case gauge, counter }
  private typealias Sample = (labels: [(name: String, value: String)], value: String)

  /// Adds a family with its samples, or nothing if there are none.
  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += labels.isEmpty ? "\(name) \(sample.value)\n" : "\(name){\(labels)} \(sample.value)\n"
    }
  }

  private static func labels(_ kind: String, _ name: String, _ group: String?) -> [(name: String, value: String)] {
    [(kind, name)] + (group.map { [("group", $0)] } ?? [])
  }

  private static func reading(_ stopwatch: Counters.Counter, _ now: Int64) -> Int64 {
    guard let since = stopwatch.since else { return stopwatch.value }
    let run = max(0, now.subtractingReportingOverflow(since).partialValue)
    let (sum, overflow) = stopwatch.value.addingReportingOverflow(run)
    return overflow ? .max : sum
  }

  /// The text of a label's value.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
