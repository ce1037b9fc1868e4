import Calendars
import Counting
import JSON

/// An entry of an archive: a JSON object with one member, whose name is the kind of the entry. This is the only code
/// that reads and writes entries.
enum ArchiveEntry: Equatable {
  /// The version of the format.
  case header(Int64)
  case entity(Archive.Entry, isCurrent: Bool)
  case event(Event)
  /// The end of the archive, with the number of events before it, or of entries.
  case end(events: Int64?, entries: Int64? = nil)
  /// Data of other programs: the value of a counter, and a count.
  case value(Archive.Value)
  case count(Archive.Count)

  static let version: Int64 = 1

  // MARK: Writing

  var text: EncodedObject {
    switch self {
    case .header(let version): EncodedObject(["tallymark": .int(version)])
    case .entity(let entry, let isCurrent):
      EncodedObject([entry.entity.subject.rawValue: .object(Self.members(of: entry, isCurrent: isCurrent))])
    case .event(let event): EncodedObject { $0.add("event") { Self.write(event, to: &$0) } }
    case .end(let events, let entries):
      EncodedObject { line in
        line.add("end") {
          $0.add("events", events)
          $0.add("entries", entries)
        }
      }
    case .value(let value):
      EncodedObject { line in
        line.add("value") {
          $0.add("name", value.name)
          $0.add("title", value.title)
          $0.add("value", value.value)
          $0.add("time", value.time)
          $0.add("line", value.line)
        }
      }
    case .count(let count):
      EncodedObject { line in
        line.add("count") {
          $0.add("name", count.name)
          $0.add("time", count.time)
          $0.add("amount", count.amount)
          $0.add("title", count.title)
          $0.add("again", count.again?.rawValue)
          $0.add("line", count.line)
          $0.add("day", count.day?.description)
        }
      }
    }
  }

  private static func members(of entry: Archive.Entry, isCurrent: Bool) -> JSONObject {
    var object: JSONObject = ["id": .int(entry.entity.id.number)]
    if case .counter(let counter) = entry.entity {
      if counter.isStopwatch { object["kind"] = "stopwatch" }
      object["value"] = .int(counter.value)
      if counter.decimals != 0 { object["decimals"] = .int(counter.decimals) }
      if counter.isLocked { object["locked"] = true }
    }
    for field in Field.allCases where entry.entity[field] != .none {
      object[field.rawValue] = JSON(entry.entity[field])
    }
    if entry.isRemoved { object["removed"] = true }
    if isCurrent { object["current"] = true }
    return object
  }

  private static func write(_ event: Event, to object: inout ObjectWriter) {
    object.add("sequence", event.sequence)
    object.add("time", event.time)
    object.add("kind", event.kind.rawValue)
    object.add("id", event.counter.number)
    object.add("counter", event.name.text)
    object.add("change", event.change)
    object.add("value", event.value)
    object.add("producer", event.cause.producer)
    if event.subject != .counter { object.add("subject", event.subject.rawValue) }
    object.add("device", event.cause.device)
    object.add("gesture", event.cause.gesture)
    if event.presence != .unchanged { object.add("presence", event.presence.rawValue) }
    if event.marks != [] { object.add("marks", event.marks.rawValue) }
    switch event.unit {
    case .decimal(0): break
    case .decimal(let decimals): object.add("decimals", decimals)
    case .time: object.add("stopwatch", true)
    }
    object.add("undoes", event.undoes)
    object.add("boundary", event.boundary)
    object.add("about", event.about)
    object.add("batch", event.batch)
    object.add("note", event.note)
    if !event.alterations.isEmpty {
      object.add(
        "alterations", .array(event.alterations.map { [.string($0.field.rawValue), JSON($0.before), JSON($0.after)] }))
    }
  }

  // MARK: Reading

  /// - Throws: ``Fault``, or ``CountingError`` for a setting that breaks a rule.
  init(_ line: JSONObject) throws {
    guard line.count == 1, let (key, value) = line.first(where: { _ in true }) else {
      throw Fault(reason: "it is not an object with one member")
    }
    if key == "tallymark" {
      guard value == .int(Self.version) else { throw Fault(reason: "a newer version of Tallymark wrote it") }
      self = .header(Self.version)
      return
    }
    guard let object = value.object else { throw Fault(reason: "“\(key.shortened)” is not an object") }
    let members = Members(object)
    switch key {
    case "group":
      let name = try members.name()
      var group = Group(id: try members.id(), name: name, title: name.text)
      try members.settings { if $0.isOfGroups { group[$0] = $1 } }
      self = .entity(.init(.group(group), isRemoved: try members.flag("removed")), isCurrent: false)
    case "formula":
      var formula = Formula(
        id: try members.id(), name: try members.name(), text: try members.text(Field.formula.rawValue))
      try members.settings { if $0.isOfFormulas { formula[$0] = $1 } }
      self = .entity(.init(.formula(formula), isRemoved: try members.flag("removed")), isCurrent: false)
    case "counter":
      let counter = try Self.counter(members)
      self = .entity(
        .init(
          .counter(counter), isRemoved: try members.flag("removed"), line: try members.optionalInteger("line"),
          isFurther: try members.again() == .add),
        isCurrent: try members.flag("current"))
    case "event": self = .event(try Self.event(members))
    case "end":
      self = .end(events: try members.optionalInteger("events"), entries: try members.optionalInteger("entries"))
    case "value":
      self = .value(
        .init(
          name: try members.text("name"), title: try members.optionalText("title"), value: try members.text("value"),
          time: try members.optionalInteger("time"), line: try members.optionalInteger("line")))
    case "count":
      self = .count(
        .init(
          name: try members.text("name"), time: try members.integer("time"), amount: try members.text("amount"),
          title: try members.optionalText("title"),
          again: try members.again(),
          line: try members.optionalInteger("line"),
          day: try members.optional("day", as: "a day such as 2026-11-21") { $0.string.flatMap(CalendarDate.init) }))
    default: throw Fault(reason: "“\(key.shortened)” is unknown to this version")
    }
  }

  private static func counter(_ members: Members) throws -> Counter {
    let decimals = try members.optionalInteger("decimals") ?? 0
    guard 0...9 ~= decimals else { throw Fault(reason: "its decimals are not between 0 and 9") }
    let name = try members.name()
    var counter = Counter(
      id: try members.id(), name: name, title: name.text, start: 0, step: 1, value: try members.integer("value"),
      decimals: decimals, isStopwatch: try members.optionalText("kind") == "stopwatch")
    try members.settings { counter[$0] = $1 }
    counter.isLocked = try members.flag("locked")
    return counter
  }

  private static func event(_ members: Members) throws -> Event {
    guard let kind = Event.Kind(rawValue: try members.text("kind")) else { throw Fault(reason: "its kind is unknown") }
    let subject = Event.Subject(rawValue: try members.optionalText("subject") ?? Event.Subject.counter.rawValue)
    guard let subject, let presence = Event.Presence(rawValue: try members.optionalInteger("presence") ?? 0) else {
      throw Fault(reason: "its subject or presence is unknown")
    }
    let decimals = try members.optionalInteger("decimals") ?? 0
    guard 0...9 ~= decimals else { throw Fault(reason: "its decimals are not between 0 and 9") }
    let name = try members.optionalText("counter").flatMap { $0.isEmpty ? nil : try CounterName($0) }
    let alterations = try members.alterations()
    var marks = Event.Marks(rawValue: try members.optionalInteger("marks") ?? 0).intersection(.known)
    if !alterations.isEmpty { marks.insert(.altered) }
    return Event(
      sequence: try members.integer("sequence"), time: try members.integer("time"), kind: kind, subject: subject,
      counter: .init(try members.integer("id")), name: name ?? CounterName.first,
      unit: try members.flag("stopwatch") ? .time : .decimal(decimals), change: try members.integer("change"),
      value: try members.integer("value"), presence: presence, undoes: try members.optionalInteger("undoes"),
      cause: Cause(
        producer: try members.producer(), device: try members.label("device"),
        gesture: try members.label("gesture")),
      marks: marks, boundary: try members.optionalInteger("boundary"), about: try members.optionalInteger("about"),
      batch: try members.optionalInteger("batch"), alterations: alterations)
  }

  /// The fault of an entry, as the text after a colon.
  struct Fault: Error {
    let reason: String
  }

  /// The members of an entry's object.
  private struct Members {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func integer(_ name: String) throws -> Int64 {
      guard let number = object[name]?.int else { throw Fault(reason: "its \(name) is missing or not a whole number") }
      return number
    }

    func text(_ name: String) throws -> String {
      guard let text = object[name]?.string else { throw Fault(reason: "its \(name) is missing or not a text") }
      return text
    }

    func optionalInteger(_ name: String) throws -> Int64? {
      try optional(name, as: "a whole number") { $0.int }
    }

    func optionalText(_ name: String) throws -> String? { try optional(name, as: "a text") { $0.string } }

    func flag(_ name: String) throws -> Bool { try optional(name, as: "true or false") { $0.bool } ?? false }

    /// An optional member. If present, it must have the right type.
    func optional<Value>(_ name: String, as type: String, _ read: (JSON) -> Value?) throws -> Value? {
      guard let value = object[name], value != .null else { return nil }
      guard let read = read(value) else { throw Fault(reason: "its \(name) is not \(type)") }
      return read
    }

    func again() throws -> Archive.Count.Again? {
      try optional("again", as: "replace or add") { $0.string.flatMap(Archive.Count.Again.init) }
    }

    func id() throws -> Counter.ID { Counter.ID(try integer("id")) }

    func name() throws -> CounterName { try CounterName(try text("name")) }

    /// A text of a cause: 1 to 128 bytes without control characters.
    func label(_ name: String) throws -> String? {
      guard let text = try optionalText(name) else { return nil }
      guard Cause.isLabel(text) else { throw Fault(reason: "its \(name) is not 1 to 128 bytes of printable text") }
      return text
    }

    func producer() throws -> String {
      guard let producer = try label("producer") else { throw Fault(reason: "its producer is missing or not a text") }
      return producer
    }

    func settings(_ set: (Field, Field.Value) -> Void) throws {
      for field in Field.allCases {
        guard let value = object[field.rawValue] else { continue }
        let read = try fieldValue(value)
        set(field, field.isSetting && field != .group ? try field.accepted(read) : read)
      }
    }

    func alterations() throws -> [Alteration] {
      try (optional("alterations", as: "a list") { $0.array } ?? []).map { entry in
        guard let parts = entry.array, parts.count == 3, let field = parts[0].string.flatMap(Field.init) else {
          throw Fault(reason: "its alterations are not valid")
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

extension JSON {
  fileprivate init(_ value: Field.Value) {
    switch value {
    case .none: self = .null
    case .integer(let number): self = .int(number)
    case .text(let text): self = .string(text)
    }
  }
}
