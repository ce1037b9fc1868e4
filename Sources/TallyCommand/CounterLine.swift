import Counting
import Varlink

/// A counter of the core, as a line for people or for programs.
struct CounterLine {
  let object: JSONObject
  let name: String
  let title: String
  let value: Int64
  let isCurrent: Bool
  /// What its numbers are numbers of.
  let unit: Unit

  /// - Parameter object: a `Counter` of the interface; members that are missing read as empty.
  init(_ object: JSONObject) {
    self.object = object
    name = object["name"]?.string ?? ""
    title = object["title"]?.string ?? ""
    value = object["value"]?.int ?? 0
    isCurrent = object["current"]?.bool ?? false
    unit = object["kind"]?.string == "stopwatch" ? .time : .decimal(object["decimals"]?.int ?? 0)
  }

  /// The counters of a reply.
  static func all(of reply: JSONObject) -> [CounterLine] {
    (reply["counters"]?.array ?? []).map { CounterLine($0.object ?? [:]) }
  }

  var json: JSON { .object(object) }

  /// What it shows, as people read it: for a stopwatch that runs, up to now.
  var count: String { unit.text(object["elapsed"]?.int ?? value) }

  var isStopwatch: Bool { unit == .time }
  var isRunning: Bool { object["since"]?.int != nil }
  var isArchived: Bool { object["archived"]?.bool ?? false }
  var group: String? { object["group"]?.string }
  var colour: String? { object["colour"]?.string }
  var icon: String { (object["icon"]?.string ?? "").printable }
  var note: String? { object["note"]?.string }
  var target: Int64? { object["target"]?.int }
  /// How much of the way to the target is done, in per cent.
  var percent: Int64? { object["progress"]?.object?["percent"]?.int }
  /// What is read now: a stopwatch's time goes on.
  var shown: Int64 { object["elapsed"]?.int ?? value }

  /// How its numbers read.
  var format: ValueText { ValueText(unit: unit) }

  /// What it shows, with its digits grouped.
  var text: String { format.text(shown) }
}
