import Counting
import Varlink

/// An archive as lines of JSON, each an object with a single member that says what it is.
enum ArchiveLine {
  /// The first line: which format it is.
  static let header: JSON = ["tallymark": 1]

  // MARK: Writing

  static func definitions(_ archive: Archive) -> [String] {
    var lines = [header]
    for group in archive.groups {
      var object = fields(group.id, nil) { group[$0] }
      if archive.removed.contains(group.id) { object["removed"] = true }
      lines.append(["group": .object(object)])
    }
    for entry in archive.counters {
      let counter = entry.counter
      var object = fields(counter.id, counter.isStopwatch ? "stopwatch" : nil) { counter[$0] }
      object["value"] = .int(counter.value)
      if counter.decimals != 0 { object["decimals"] = .int(counter.decimals) }
      if counter.isLocked { object["locked"] = true }
      if entry.isRemoved { object["removed"] = true }
      if archive.current == counter.id { object["current"] = true }
      lines.append(["counter": .object(object)])
    }
    for formula in archive.formulas {
      var object = fields(formula.id, nil) { formula[$0] }
      if archive.removed.contains(formula.id) { object["removed"] = true }
      lines.append(["formula": .object(object)])
    }
    return lines.map(\.description)
  }

  private static func fields(_ id: Counter.ID, _ kind: String?, _ value: (Field) -> Field.Value)
    -> JSONObject
  {
    var object: JSONObject = ["id": .int(id.number)]
    if let kind { object["kind"] = .string(kind) }
    for field in Field.allCases where value(field) != .none {
      object[field.rawValue] = JSON(value(field))
    }
    return object
  }

  static func line(_ event: Event) -> String {
    var object: JSONObject = [
      "sequence": .int(event.sequence), "time": .int(event.time),
      "kind": .string(event.kind.rawValue),
      "id": .int(event.counter.number), "counter": .string(event.name.text),
      "change": .int(event.change),
      "value": .int(event.value), "producer": .string(event.cause.producer),
    ]
    if event.subject != .counter { object["subject"] = .string(event.subject.rawValue) }
    if let device = event.cause.device { object["device"] = .string(device) }
    if let gesture = event.cause.gesture { object["gesture"] = .string(gesture) }
    if event.presence != .unchanged { object["presence"] = .int(event.presence.rawValue) }
    if event.marks != [] { object["marks"] = .int(event.marks.rawValue) }
    let numbers = [
      ("undoes", event.undoes), ("boundary", event.boundary), ("about", event.about),
      ("batch", event.batch),
    ]
    for case (let name, let number?) in numbers { object[name] = .int(number) }
    if let note = event.note { object["note"] = .string(note) }
    if !event.alterations.isEmpty {
      object["alterations"] = .array(
        event.alterations.map { [.string($0.field.rawValue), JSON($0.before), JSON($0.after)] })
    }
    return JSON.object(["event": .object(object)]).description
  }
}

extension JSON {
  fileprivate init(_ value: Field.Value) {
    switch value {
    case .none: self = .null
    case .integer(let number): self = .int(number)
    case .text(let text): self = .string(text)
    }
  }
}
