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

  /// The counters below each other for people: the count first, then the name, and the title where it says more.
  static func table(_ counters: [CounterLine]) -> [String] {
    let values = counters.map(\.count)
    let width = values.map(\.count).max() ?? 0
    let names = counters.map(\.name.count).max() ?? 0
    return zip(counters, values).map { counter, value in
      var line = counter.isCurrent ? "▸ " : "  "
      line += String(repeating: " ", count: width - value.count) + Output.styled(value, .bold) + "  " + counter.name
      if counter.title != counter.name {
        line += String(repeating: " ", count: names - counter.name.count) + "  " + Output.styled(counter.title, .faint)
      }
      return line
    }
  }
}
