import Counting
public import Varlink

/// A question of one station to another for the events of a shared counter. Both messages go over topics that all stations
/// read; those of older versions ignore them.
///
/// ```
/// {"version":1,"counter":"7b1e…","question":"03ac…","of":"door2","limit":50,"before":1200}
/// {"version":1,"counter":"7b1e…","response":"03ac…","to":"door1","next":1150,"events":[{"sequence":1199,…}]}
/// ```
public struct StationQuestion: Equatable, Sendable {
  public let counter: CounterID
  /// 32 hexadecimal digits that the answer repeats.
  public let token: String
  /// The station that is asked.
  public let station: String
  public let page: Page
  /// The maximum number of events in the answer.
  public let limit: Int64
  /// The time range in microseconds since 1970; the end is excluded.
  public let from: Int64?
  public let until: Int64?

  public enum Page: Equatable, Sendable {
    /// The events before a sequence number, newest first; `nil` for all.
    case before(Int64?)
    /// The events after a sequence number, oldest first.
    case after(Int64)

    /// Whether a page that begins with `next` comes after this one.
    public func isFollowed(by next: Int64) -> Bool {
      switch self {
      case .before(let sequence): next >= 1 && next < sequence ?? .max
      case .after(let sequence): next > sequence
      }
    }
  }

  /// The maximum of ``limit``.
  public static let mostEvents: Int64 = 100

  /// - Parameter limit: more than ``mostEvents`` is lowered to it.
  public init(
    _ counter: CounterID, token: String, to station: String, _ page: Page, limit: Int64, from: Int64? = nil,
    until: Int64? = nil
  ) {
    (self.counter, self.token, self.station, self.page) = (counter, token, station, page)
    (self.limit, self.from, self.until) = (min(limit, Self.mostEvents), from, until)
  }

  /// The message as JSON text.
  public var text: String {
    var members: JSONObject = [
      "version": .int(Message.version), "counter": .string(counter.description), "question": .string(token),
      "of": .string(station), "limit": .int(limit),
    ]
    switch page {
    case .before(let sequence): members["before"] = sequence.map(JSON.int)
    case .after(let sequence): members["after"] = .int(sequence)
    }
    members["from"] = from.map(JSON.int)
    members["until"] = until.map(JSON.int)
    return members.description
  }

  /// Parses the members of a message from anybody, whose version was checked; `nil` for a message of another kind.
  public init?(parsing members: JSONObject) throws(MessageError) {
    guard let token = members["question"] else { return nil }
    let counter = try members.counter()
    guard let token = token.string, token.isToken else { throw .wrong("question") }
    guard let station = members["of"]?.string, Membership.isName(station) else { throw .wrong("of") }
    guard let limit = members["limit"]?.int, limit >= 1 else { throw .wrong("limit") }
    let page: Page
    switch (try members.integer("before"), try members.integer("after")) {
    case (let before, nil): page = .before(before)
    case (nil, let after?): page = .after(after)
    case (.some, .some): throw .wrong("after")
    }
    self.init(
      counter, token: token, to: station, page, limit: limit, from: try members.integer("from"),
      until: try members.integer("until"))
  }
}

/// The answer to a ``StationQuestion``.
public struct StationAnswer: Equatable, Sendable {
  public let counter: CounterID
  /// That of the question.
  public let token: String
  /// The station that has asked.
  public let station: String
  public let content: Content

  public enum Content: Equatable, Sendable {
    /// Events, and where the next page begins; `nil` on the last one.
    case events([StationEvent], next: Int64?)
    /// The counter does not exist at the station that was asked.
    case absent
  }

  /// - Parameter station: the one that has asked.
  public init(_ question: StationQuestion, to station: String, _ content: Content) {
    (counter, token) = (question.counter, question.token)
    (self.station, self.content) = (station, content)
  }

  /// The answer with as many of `events` as a message can hold, at least one.
  ///
  /// - Parameter next: where the page after all of them begins.
  public init(_ question: StationQuestion, to station: String, fitting events: [StationEvent], next: Int64?) {
    // The other members take less.
    var (room, count) = (Message.maximumLength - 300, 0)
    for event in events {
      room -= JSON.object(event.object).description.utf8.count + 1
      guard room >= 0 || count == 0 else { break }
      count += 1
    }
    let isWhole = count == events.count
    self.init(
      question, to: station,
      .events(Array(events.prefix(count)), next: isWhole ? next : events[count - 1].sequence))
  }

  /// The message as JSON text.
  public var text: String {
    var members: JSONObject = [
      "version": .int(Message.version), "counter": .string(counter.description), "response": .string(token),
      "to": .string(station),
    ]
    switch content {
    case .events(let events, let next):
      members["events"] = .array(events.map { .object($0.object) })
      members["next"] = next.map(JSON.int)
    case .absent: members["absent"] = true
    }
    return members.description
  }

  /// Parses the members of a message from anybody, whose version was checked; `nil` for a message of another kind.
  public init?(parsing members: JSONObject) throws(MessageError) {
    guard let token = members["response"] else { return nil }
    counter = try members.counter()
    guard let token = token.string, token.isToken else { throw .wrong("response") }
    guard let station = members["to"]?.string, Membership.isName(station) else { throw .wrong("to") }
    (self.token, self.station) = (token, station)
    guard members["absent"]?.bool != true else {
      content = .absent
      return
    }
    guard let rows = members["events"]?.array, rows.count <= Int(StationQuestion.mostEvents) else {
      throw .wrong("events")
    }
    var events: [StationEvent] = []
    for row in rows {
      guard let event = row.object.flatMap(StationEvent.init(parsing:)) else { throw .wrong("events") }
      events.append(event)
    }
    content = .events(events, next: try members.integer("next"))
  }
}

/// An event of another station: the members that the interface gives an event, without those that follow from the counter.
public struct StationEvent: Equatable, Sendable {
  public let object: JSONObject
  public let sequence: Int64

  /// The maximum length of a note or of the value of a setting, in bytes; longer ones are cut.
  public static let longestText = 200
  private static let mostAlterations = 16

  /// An own event.
  ///
  /// - Parameter object: the event as the interface writes it.
  public init?(own object: JSONObject) {
    var object = object
    object["note"] = object["note"]?.string.map { .string($0.cut) }
    object["alterations"] = object["alterations"]?.array.map { rows in
      .array(
        rows.prefix(Self.mostAlterations).map { row in
          var row = row.object ?? [:]
          for name in ["before", "after"] { row[name] = row[name]?.string.map { .string($0.cut) } }
          return .object(row)
        })
    }
    self.init(parsing: object)
  }

  /// An event from anybody. Unknown members are left out.
  ///
  /// - Returns: `nil` if a member is missing, of another kind, too long or absurd.
  public init?(parsing members: JSONObject) {
    guard let sequence = members["sequence"]?.int, sequence >= 1, let kind = members["kind"]?.string, kind.isWord,
      let cause = members["cause"]?.object
    else { return nil }
    self.sequence = sequence
    var object: JSONObject = ["kind": .string(kind)]
    for name in ["sequence", "time", "change", "value", "undoes", "boundary", "about", "batch", "began", "until"] {
      guard let value = members[name], !value.isNull else { continue }
      guard let number = value.int else { return nil }
      if ["time", "began", "until"].contains(name), !Event.times.contains(number) { return nil }
      object[name] = value
    }
    guard ["time", "change", "value"].allSatisfy({ object[$0] != nil }) else { return nil }
    for name in ["reached", "limited"] where members[name]?.bool == true { object[name] = true }
    var labels: JSONObject = [:]
    for name in ["producer", "device", "gesture"] {
      guard let value = cause[name], !value.isNull else { continue }
      guard let label = value.string, Cause.isLabel(label) else { return nil }
      labels[name] = value
    }
    guard labels["producer"] != nil else { return nil }
    object["cause"] = .object(labels)
    if let note = members["note"], !note.isNull {
      guard note.string?.isShort == true else { return nil }
      object["note"] = note
    }
    if let value = members["alterations"], !value.isNull {
      guard let rows = value.array, rows.count <= Self.mostAlterations else { return nil }
      let alterations = rows.compactMap { $0.object.flatMap(Self.alteration) }
      guard alterations.count == rows.count else { return nil }
      object["alterations"] = .array(alterations)
    }
    self.object = object
  }

  private static func alteration(_ members: JSONObject) -> JSON? {
    guard let field = members["field"]?.string, field.isWord else { return nil }
    var object: JSONObject = ["field": .string(field)]
    for name in ["before", "after"] {
      guard let value = members[name], !value.isNull else { continue }
      guard value.string?.isShort == true else { return nil }
      object[name] = value
    }
    return .object(object)
  }
}

extension JSONObject {
  fileprivate func counter() throws(MessageError) -> CounterID {
    guard let counter = self["counter"]?.string.flatMap(CounterID.init) else { throw .wrong("counter") }
    return counter
  }

  /// A whole number that may be missing.
  fileprivate func integer(_ name: String) throws(MessageError) -> Int64? {
    guard let value = self[name], !value.isNull else { return nil }
    guard let number = value.int else { throw .wrong(name) }
    return number
  }
}

extension String {
  fileprivate var isToken: Bool { CounterID(self) != nil }

  /// Whether this can be a kind or a field, also one of a newer version.
  fileprivate var isWord: Bool {
    1...32 ~= utf8.count
      && utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
  }

  /// Whether this is short enough, without control characters but line breaks and tabs.
  fileprivate var isShort: Bool {
    utf8.count <= StationEvent.longestText
      && !unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }
  }

  /// The text, or its beginning with an ellipsis.
  fileprivate var cut: String {
    guard utf8.count > StationEvent.longestText else { return self }
    var (text, length) = ("", "…".utf8.count)
    for scalar in unicodeScalars {
      length += scalar.utf8.count
      guard length <= StationEvent.longestText else { break }
      text.unicodeScalars.append(scalar)
    }
    return text + "…"
  }
}
