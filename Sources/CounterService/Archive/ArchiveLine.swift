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

  // MARK: Reading

  /// What lines hold, from whomever they come.
  ///
  /// - Throws: a ``LineError`` that names the line.
  static func archive(_ lines: [String]) throws -> Archive {
    var archive = Archive()
    for (index, line) in lines.enumerated() {
      do {
        try read(line, into: &archive)
      } catch {
        throw LineError(line: index + 1, reason: reason(error))
      }
    }
    return archive
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as CountingError: error.message
    case let error as Fault: error.reason
    default: "\(error)"
    }
  }

  private struct Fault: Error {
    let reason: String
  }

  private static func read(_ line: String, into archive: inout Archive) throws {
    guard let object = try JSON(parsing: line).object,
      let (key, value) = object.first(where: { _ in true }),
      object.count == 1
    else { throw Fault(reason: "it is no object with one member") }
    switch key {
    case "tallymark":
      guard value == 1 else { throw Fault(reason: "it was written by a newer version") }
    case "group":
      let reader = try Reader(value)
      let name = try reader.name()
      var group = Group(id: try reader.id(), name: name, title: name.text)
      try reader.settings { if $0.isOfGroups { group[$0] = $1 } }
      archive.groups.append(group)
      if reader.flag("removed") { archive.removed.insert(group.id) }
    case "formula":
      let reader = try Reader(value)
      var formula = Formula(id: try reader.id(), name: try reader.name(), text: try reader.text(Field.formula.rawValue))
      try reader.settings { formula[$0] = $1 }
      archive.formulas.append(formula)
      if reader.flag("removed") { archive.removed.insert(formula.id) }
    case "counter":
      let reader = try Reader(value)
      archive.counters.append(try counter(reader))
      if reader.flag("current") { archive.current = archive.counters.last?.counter.id }
    case "event": archive.events.append(try event(Reader(value)))
    case "value":
      let reader = try Reader(value)
      archive.values.append(
        (try reader.text("name"), reader.optionalText("title"), try reader.text("value")))
    case "count":
      let reader = try Reader(value)
      archive.counts.append(
        (try reader.text("name"), try reader.integer("time"), try reader.text("amount")))
    default: throw Fault(reason: "“\(key.shortened)” is nothing that this version knows")
    }
  }

  private static func counter(_ reader: Reader) throws -> Archive.Entry {
    let decimals = reader.optionalInteger("decimals") ?? 0
    guard 0...9 ~= decimals else { throw Fault(reason: "decimals are 0 to 9") }
    let name = try reader.name()
    var counter = Counter(
      id: try reader.id(), name: name, title: name.text, start: 0, step: 1,
      value: try reader.integer("value"),
      decimals: decimals, isStopwatch: reader.optionalText("kind") == "stopwatch")
    try reader.settings { counter[$0] = $1 }
    counter.isLocked = reader.flag("locked")
    return Archive.Entry(counter, isRemoved: reader.flag("removed"))
  }

  private static func event(_ reader: Reader) throws -> Event {
    guard let kind = Event.Kind(rawValue: try reader.text("kind")) else {
      throw Fault(reason: "its kind is unknown")
    }
    let subject = Event.Subject(
      rawValue: reader.optionalText("subject") ?? Event.Subject.counter.rawValue)
    guard let subject,
      let presence = Event.Presence(rawValue: reader.optionalInteger("presence") ?? 0)
    else {
      throw Fault(reason: "its subject or its presence is unknown")
    }
    return Event(
      sequence: try reader.integer("sequence"), time: try reader.integer("time"), kind: kind,
      subject: subject,
      counter: .init(try reader.integer("id")), name: CounterName.first,
      change: try reader.integer("change"),
      value: try reader.integer("value"), presence: presence,
      undoes: reader.optionalInteger("undoes"),
      cause: Cause(
        producer: try reader.text("producer"), device: reader.optionalText("device"),
        gesture: reader.optionalText("gesture")),
      marks: .init(rawValue: (reader.optionalInteger("marks") ?? 0) & 0xff),
      boundary: reader.optionalInteger("boundary"),
      about: reader.optionalInteger("about"), batch: reader.optionalInteger("batch"),
      alterations: try reader.alterations(), note: reader.optionalText("note"))
  }

  /// The members of one line.
  private struct Reader {
    private let object: JSONObject

    init(_ value: JSON) throws {
      guard let object = value.object else { throw Fault(reason: "it holds no object") }
      self.object = object
    }

    func integer(_ name: String) throws -> Int64 {
      guard let number = object[name]?.int else {
        throw Fault(reason: "its \(name) is missing or no whole number")
      }
      return number
    }

    func text(_ name: String) throws -> String {
      guard let text = object[name]?.string else {
        throw Fault(reason: "its \(name) is missing or no text")
      }
      return text
    }

    func optionalInteger(_ name: String) -> Int64? { object[name]?.int }

    func optionalText(_ name: String) -> String? { object[name]?.string }

    func flag(_ name: String) -> Bool { object[name]?.bool ?? false }

    func id() throws -> Counter.ID { Counter.ID(try integer("id")) }

    func name() throws -> CounterName { try CounterName(try text("name")) }

    func settings(_ set: (Field, Field.Value) -> Void) throws {
      for field in Field.allCases {
        guard let value = object[field.rawValue] else { continue }
        let read = try fieldValue(value)
        set(field, field.isSetting && field != .group ? try field.accepted(read) : read)
      }
    }

    func alterations() throws -> [Alteration] {
      try (object["alterations"]?.array ?? []).map { entry in
        guard let parts = entry.array, parts.count == 3,
          let field = parts[0].string.flatMap(Field.init)
        else {
          throw Fault(reason: "its alterations make no sense")
        }
        return Alteration(field, from: try fieldValue(parts[1]), to: try fieldValue(parts[2]))
      }
    }

    private func fieldValue(_ value: JSON) throws -> Field.Value {
      switch value {
      case .null: return .none
      case .int(let number): return .integer(number)
      case .string(let text) where text.utf8.count <= 16_000: return .text(text)
      default: throw Fault(reason: "a setting is neither a text nor a whole number")
      }
    }
  }
}

/// A line that cannot be read.
struct LineError: Error {
  /// Counted from 1.
  let line: Int
  let reason: String

  var message: String { "Line \(line) cannot be taken in: \(reason)" }
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
