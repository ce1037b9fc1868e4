import Counting
import Varlink

/// What lines hold, from whomever they come.
extension ArchiveLine {
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
    case let error as ArchiveMembers.Fault: error.reason
    default: "\(error)"
    }
  }

  /// How many values a line may hold: a hundred times those of any that was written by a core.
  private static let mostValues = 4096

  private static func read(_ line: String, into archive: inout Archive) throws {
    guard let object = try JSON(parsing: line, values: mostValues).object,
      let (key, value) = object.first(where: { _ in true }),
      object.count == 1
    else { throw ArchiveMembers.Fault(reason: "it is no object with one member") }
    switch key {
    case "tallymark":
      guard value == 1 else { throw ArchiveMembers.Fault(reason: "it was written by a newer version") }
    case "group":
      let reader = try ArchiveMembers(value)
      let name = try reader.name()
      var group = Group(id: try reader.id(), name: name, title: name.text)
      try reader.settings { if $0.isOfGroups { group[$0] = $1 } }
      archive.groups.append(group)
      if reader.flag("removed") { archive.removed.insert(group.id) }
    case "formula":
      let reader = try ArchiveMembers(value)
      var formula = Formula(id: try reader.id(), name: try reader.name(), text: try reader.text(Field.formula.rawValue))
      try reader.settings { formula[$0] = $1 }
      archive.formulas.append(formula)
      if reader.flag("removed") { archive.removed.insert(formula.id) }
    case "counter":
      let reader = try ArchiveMembers(value)
      archive.counters.append(try counter(reader))
      if reader.flag("current") { archive.current = archive.counters.last?.counter.id }
    case "event": archive.events.append(try event(ArchiveMembers(value)))
    case "value":
      let reader = try ArchiveMembers(value)
      archive.values.append(
        (try reader.text("name"), reader.optionalText("title"), try reader.text("value")))
    case "count":
      let reader = try ArchiveMembers(value)
      archive.counts.append(
        (try reader.text("name"), try reader.integer("time"), try reader.text("amount")))
    default: throw ArchiveMembers.Fault(reason: "“\(key.shortened)” is nothing that this version knows")
    }
  }

  private static func counter(_ reader: ArchiveMembers) throws -> Archive.Entry {
    let decimals = reader.optionalInteger("decimals") ?? 0
    guard 0...9 ~= decimals else { throw ArchiveMembers.Fault(reason: "decimals are 0 to 9") }
    let name = try reader.name()
    var counter = Counter(
      id: try reader.id(), name: name, title: name.text, start: 0, step: 1,
      value: try reader.integer("value"),
      decimals: decimals, isStopwatch: reader.optionalText("kind") == "stopwatch")
    try reader.settings { counter[$0] = $1 }
    counter.isLocked = reader.flag("locked")
    return Archive.Entry(counter, isRemoved: reader.flag("removed"))
  }

  private static func event(_ reader: ArchiveMembers) throws -> Event {
    guard let kind = Event.Kind(rawValue: try reader.text("kind")) else {
      throw ArchiveMembers.Fault(reason: "its kind is unknown")
    }
    let subject = Event.Subject(
      rawValue: reader.optionalText("subject") ?? Event.Subject.counter.rawValue)
    guard let subject,
      let presence = Event.Presence(rawValue: reader.optionalInteger("presence") ?? 0)
    else {
      throw ArchiveMembers.Fault(reason: "its subject or its presence is unknown")
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
}

/// A line that cannot be read.
struct LineError: Error {
  /// Counted from 1.
  let line: Int
  let reason: String

  var message: String { "Line \(line) cannot be taken in: \(reason)" }
}
