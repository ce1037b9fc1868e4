import Counting
public import JSON

/// The JSON form of a message. A row of a register is an array of writer, number, added, subtracted and counts.
///
/// ```
/// {"version":1,"counter":"7b1e…","period":1764000000000000,"registers":[["03ac…",57,60,3,12]],
///  "resets":[{"entry":["03ac…",58],"base":["91f0…",7],"size":2,"registers":[…]}],"undone":[["03ac…",58]],
///  "held":[["03ac…",58,-172…]],"asked":[["03ac…",58]],"of":"door1"}
/// ```
extension Message {
  /// Parses a message from any sender. Unknown members are ignored.
  public init(parsing bytes: [UInt8]) throws(MessageError) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notJSON("it is not UTF-8") }
    try self.init(try JSONObject(message: text))
  }

  /// Reads the members of a message from any sender, whose version was checked.
  public init(_ members: JSONObject) throws(MessageError) {
    guard let counter = members["counter"]?.string.flatMap(CounterID.init) else { throw .wrong("counter") }
    let start = members["period"]
    guard start == nil || start?.int.map(Event.times.contains) == true else { throw .wrong("period") }
    let (asked, station) = (try members.entries("asked"), members["of"])
    guard station == nil || station?.string.map(Membership.isName) == true else { throw .wrong("of") }
    self.init(
      CounterPeriod(counter, start: start?.int),
      Replica(
        registers: try members.registers("registers"), resets: try members.resets("resets"),
        undone: try members.entries("undone")),
      held: try members.digests("held"), asked: asked, of: asked.isEmpty ? nil : station?.string,
      page: try members.page())
  }

  /// The message as JSON text.
  public var text: String {
    EncodedObject { message in
      message.add("version", Self.version)
      message.add("counter", period.counter.description)
      message.add("period", period.start)
      if !content.registers.isEmpty { message.add("registers", content.registers) }
      if !content.resets.isEmpty {
        message.add("resets", content.resets.sorted { $0.key < $1.key }) { writer, element in
          let (entry, reset) = element
          writer.add("entry", entry.writer.description, then: [entry.number])
          if let base = reset.base { writer.add("base", base.writer.description, then: [base.number]) }
          writer.add("size", Int64(reset.size))
          writer.add("registers", reset.seen)
        }
      }
      if !content.undone.isEmpty { message.add("undone", content.undone) }
      if !held.isEmpty {
        message.add("held", rows: held.sorted { $0.key < $1.key }) { entry, digest in
          (entry.writer.description, [entry.number, digest])
        }
      }
      if !asked.isEmpty { message.add("asked", asked) }
      message.add("of", of)
      if let page { message.add(page) }
    }.description
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ name: StaticString, _ registers: [WriterID: Register]) {
    add(name, rows: registers.sorted { $0.key < $1.key }) { writer, register in
      (writer.description, [register.number, register.added, register.subtracted, register.counts])
    }
  }

  fileprivate mutating func add(_ name: StaticString, _ entries: Set<Entry>) {
    add(name, rows: entries.sorted()) { ($0.writer.description, [$0.number]) }
  }
}

extension JSONObject {
  /// The members of a message from any sender.
  ///
  /// - Throws: an error for a text that is too long, no object, or of a newer version.
  public init(message text: String) throws(MessageError) {
    guard text.utf8.count <= Message.maximumLength else { throw .tooLong(bytes: text.utf8.count) }
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .notJSON(error.description) }
    guard let members = json.object else { throw .notJSON("it is not an object") }
    guard let version = members["version"]?.int, version >= 1 else { throw .wrong("version") }
    guard version <= Message.version else { throw .newer(version: version) }
    self = members
  }
}

/// The reason for refusing a message. The error is thrown before any change.
public enum MessageError: Error, Equatable, Sendable {
  case tooLong(bytes: Int)
  case notJSON(String)
  /// The sender has a newer version of Tallymark.
  case newer(version: Int64)
  /// A member is missing, has another type, or is out of range.
  case wrong(String)
  case tooManyCounters
  case tooManyRows
  /// The sender has used up its share of the counter's rows.
  case tooManyRowsOfSender
  /// Stations have passed on as many rows of the counter as all of them together may.
  case tooManyRelayedRows
  case tooManyRowsInAll

  /// Whether the message itself is invalid, at all stations.
  public var isOfMessage: Bool {
    switch self {
    case .tooLong, .notJSON, .wrong: true
    case .newer, .tooManyCounters, .tooManyRows, .tooManyRowsOfSender, .tooManyRelayedRows, .tooManyRowsInAll: false
    }
  }

  /// The reason, as a sentence.
  public var text: String {
    switch self {
    case .tooLong(let bytes): "The message has \(bytes) bytes; the maximum is \(Message.maximumLength)."
    case .notJSON(let reason): "The message is not valid JSON: \(reason)."
    case .newer(let version):
      "The message has version \(version), and this Tallymark reads up to \(Message.version); upgrade this station."
    case .wrong(let member): "The member \"\(member)\" of the message is missing or not valid."
    case .tooManyCounters: "The fleet has more than \(ReplicaStore.maximumCounters) counters."
    case .tooManyRows:
      "The counter has more than \(ReplicaStore.maximumRows) registers and resets; counts of stations that were started "
        + "since are missing. Let all stations leave the fleet, and share the counter anew."
    case .tooManyRowsOfSender:
      "It adds more registers and resets to the counter than one station may. If it is no station of yours, take its user "
        + "from the broker."
    case .tooManyRelayedRows:
      "Stations have passed on too many registers and resets of the counter; it learns only what each station publishes of "
        + "itself. If somebody forged them, let all stations leave the fleet, and share the counter anew."
    case .tooManyRowsInAll:
      "The counters of the fleet have too many registers and resets in all; counts of stations that were started since "
        + "are missing. Let all stations leave the fleet, and share the counters anew."
    }
  }
}

extension JSON {
  /// An entry; `nil` for anything else.
  fileprivate var entry: Entry? {
    guard let row = array, row.count == 2 else { return nil }
    return Entry(row)
  }

  /// An entry with the digest of its reset; `nil` for anything else.
  fileprivate var digest: (Entry, Int64)? {
    guard let row = array, row.count == 3, let entry = Entry(row), let digest = row[2].int else { return nil }
    return (entry, digest)
  }

  /// A writer and its register; `nil` for anything else.
  fileprivate var register: (WriterID, Register)? {
    guard let row = array, row.count == 5, let writer = row[0].string.flatMap(WriterID.init) else { return nil }
    let numbers = row.dropFirst().compactMap(\.int)
    guard numbers.count == 4,
      let register = Register(
        received: numbers[0], added: numbers[1], subtracted: numbers[2], counts: numbers[3])
    else { return nil }
    return (writer, register)
  }
}

extension Entry {
  /// A writer and a number, which a row begins with.
  fileprivate init?(_ row: [JSON]) {
    guard row.count >= 2, let writer = row[0].string, let number = row[1].int else { return nil }
    self.init(received: writer, number: number)
  }
}

/// Lists of a message; an absent one is empty.
extension JSONObject {
  private func rows(_ name: String) throws(MessageError) -> [JSON] {
    guard let value = self[name] else { return [] }
    guard let rows = value.array else { throw .wrong(name) }
    return rows
  }

  fileprivate func entries(_ name: String) throws(MessageError) -> Set<Entry> {
    var entries: Set<Entry> = []
    for row in try rows(name) {
      guard let entry = row.entry else { throw .wrong(name) }
      entries.insert(entry)
    }
    return entries
  }

  fileprivate func digests(_ name: String) throws(MessageError) -> [Entry: Int64] {
    var digests: [Entry: Int64] = [:]
    for row in try rows(name) {
      guard let (entry, digest) = row.digest else { throw .wrong(name) }
      digests[entry] = digest
    }
    return digests
  }

  fileprivate func registers(_ name: String) throws(MessageError) -> [WriterID: Register] {
    var registers: [WriterID: Register] = [:]
    for row in try rows(name) {
      guard let (writer, register) = row.register, registers.updateValue(register, forKey: writer) == nil else {
        throw .wrong(name)
      }
    }
    return registers
  }

  fileprivate func resets(_ name: String) throws(MessageError) -> [Entry: Reset] {
    var resets: [Entry: Reset] = [:]
    for row in try rows(name) {
      guard let members = row.object, let entry = members["entry"]?.entry, let size = members["size"]?.int,
        0...Int64(ReplicaStore.maximumRows) ~= size
      else { throw .wrong(name) }
      let base = members["base"]
      guard base == nil || base?.entry != nil else { throw .wrong(name) }
      let reset = Reset(on: base?.entry, size: Int(size), seen: try members.registers("registers"))
      guard resets.updateValue(reset, forKey: entry) == nil else { throw .wrong(name) }
    }
    return resets
  }
}
