import Varlink

/// An event of the core, as a line for people or for programs.
struct EventLine {
  let object: JSONObject
  let name: String
  let title: String
  let kind: String
  let change: Int64
  let value: Int64

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
  }

  /// For programs: the counter's name, title and value, and what happened.
  var json: JSON {
    var line: JSONObject = [
      "sequence": object["sequence"] ?? 0, "time": .string(time.iso8601), "kind": .string(kind), "name": .string(name),
      "title": .string(title), "change": .int(change), "value": .int(value),
    ]
    if let undoes = object["undoes"], undoes != .null { line["undoes"] = undoes }
    line["cause"] = object["cause"] ?? [:]
    return .object(line)
  }

  /// For people: when, the count, by how much, and what did it.
  func text(withDay: Bool) -> String {
    let when = Output.styled(withDay ? "\(time.day) \(time.clock)" : time.clock, .faint)
    return "\(when)  \(Output.styled("\(value) \(name)", .bold))  \(what)  \(Output.styled(who, .faint))"
  }

  private var time: LocalTime { LocalTime(microseconds: object["time"]?.int ?? 0) }

  /// What happened, in as few words as a person needs.
  var what: String {
    switch kind {
    case "added": Output.styled("+\(change)", .up)
    case "subtracted": Output.styled("−\(change.magnitude)", .down)
    case "armed": "armed: reset again to do it"
    default: kind + signed
    }
  }

  private var signed: String { change == 0 ? "" : change > 0 ? " +\(change)" : " −\(change.magnitude)" }

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
