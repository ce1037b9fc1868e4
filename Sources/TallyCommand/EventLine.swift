import Counting
import Varlink

/// An event of the core, as a line for people or for programs.
struct EventLine {
  let object: JSONObject
  let name: String
  let title: String
  let kind: String
  let change: Int64
  let value: Int64
  /// The group that it happened to; `nil` for a counter, and for all of them.
  let group: String?
  private let unit: Unit

  /// - Parameters:
  ///   - object: an `Event` of the interface; members that are missing read as empty.
  ///   - title: the counter's title, where it is known.
  init(_ object: JSONObject, title: String? = nil) {
    self.object = object
    name = object["counter"]?.string ?? ""
    self.title = title ?? name
    kind = object["kind"]?.string ?? ""
    change = object["change"]?.int ?? 0
    value = object["value"]?.int ?? 0
    group = object["group"]?.string
    unit = object["stopwatch"]?.bool == true ? .time : .decimal(object["decimals"]?.int ?? 0)
  }

  /// The value as people read it.
  var count: String { unit.text(value) }

  /// What it happened to, in words.
  var subject: String {
    if !name.isEmpty { return name }
    if let formula = object["formula"]?.string { return "the formula \(formula)" }
    return group.map { "the group \($0)" } ?? "all counters"
  }

  /// What has come of it, in a line.
  var sentence: String { name.isEmpty ? "\(subject): \(what)" : "\(count) \(name) (\(what))" }

  /// For programs: the counter's name, title and value, and what happened.
  var json: JSON {
    var line: JSONObject = [
      "sequence": object["sequence"] ?? 0, "time": .string(time.iso8601), "kind": .string(kind), "name": .string(name),
      "title": .string(title), "change": .int(change), "value": .int(value),
    ]
    for member in Self.optional {
      if let value = object[member], value != .null { line[member] = value }
    }
    line["cause"] = object["cause"] ?? [:]
    return .object(line)
  }

  /// What stands in the line only where the event has it.
  private static let optional = [
    "undoes", "id", "decimals", "stopwatch", "group", "reached", "boundary", "limited", "lap", "batch", "about", "note",
    "formula", "began", "until", "alterations",
  ]

  /// - Parameter counter: the counter, where it is known.
  init(_ object: JSONObject, of counter: CounterLine?) { self.init(object, title: counter?.title) }

  /// For people: when, the count, by how much, and what did it, in at most `width` columns.
  func text(withDay: Bool, width: Int = .max) -> String {
    let when = Output.styled(withDay ? "\(time.day) \(time.clock)" : time.clock, .faint)
    let line = "\(when)  \(Output.styled(name.isEmpty ? subject : "\(count) \(name)", .bold))  \(what)"
    let room = max(0, width - line.columns - 2)
    return room < 4 ? line.clipped(to: width) : "\(line)  \(Output.styled(who.printable.clipped(to: room), .faint))"
  }

  private var time: LocalTime { LocalTime(microseconds: object["time"]?.int ?? 0) }

  /// What happened, in as few words as a person needs.
  var what: String {
    switch kind {
    case "added": Output.styled(signed, .up) + remarks
    case "subtracted": Output.styled(signed, .down) + remarks
    case "armed": "armed: reset again to do it"
    case "lapped": "lap of \(Unit.time.text(object["lap"]?.int ?? 0))"
    case "changed" where object["began"]?.int != nil: "the clock was set back, its period goes on"
    case "changed": "changed \(fields)"
    case "renewed" where isLate: "counted for the period before"
    case "renewed": "began anew after \(unit.text(value.subtractingReportingOverflow(change).partialValue))"
    case "noted": "noted about event \(object["about"]?.int ?? 0)"
    case "undone", "redone":
      ([kind] + (change == 0 ? [] : [signed]) + (object["alterations"] == nil ? [] : [fields])).joined(separator: " ")
    default: change == 0 ? kind : "\(kind) \(signed)\(remarks)"
    }
  }

  /// Whether it takes off what was counted for a period that had ended.
  private var isLate: Bool { kind == "renewed" && object["began"]?.int == nil && change != 0 }

  private var signed: String {
    change < 0 ? "−\(unit.text(change == .min ? .max : -change))" : "+\(unit.text(change))"
  }

  /// What else is to be known of a count.
  var remarks: String {
    var remarks = isLate ? ", counted for the period before" : ""
    if let boundary = object["boundary"]?.int { remarks += ", passed \(unit.text(boundary))" }
    if object["reached"]?.bool == true { remarks += ", reached the target" }
    if object["limited"]?.bool == true { remarks += ", stopped at the limit" }
    return remarks
  }

  /// What became of settings: "title A → B, group → kids".
  private var fields: String {
    let changes = (object["alterations"]?.array ?? []).compactMap(\.object).map { alteration in
      let field = alteration["field"]?.string ?? ""
      // A place is a number that says nothing to people.
      guard field != "order" else { return "its place" }
      return [field, alteration["before"]?.string ?? "", "→", alteration["after"]?.string ?? "none"]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
  }

  private var who: String {
    let cause = object["cause"]?.object
    let (gesture, device) = (cause?["gesture"]?.string, cause?["device"]?.string)
    let producer = cause?["producer"]?.string ?? ""
    switch (gesture, device) {
    case (let gesture?, let device?): return "\(gesture) on \(device)"
    case (let gesture?, nil): return "\(gesture), \(producer)"
    case (nil, let device?): return device
    case (nil, nil): return producer
    }
  }
}
