import CoreAPI
import Fleet
import JSON

/// Parses messages of other stations, so that the core gets values only.
extension Counters.StationMessage {
  /// Reads a message of the broker.
  ///
  /// - Returns: `nil` for a message without a meaning.
  init?(_ received: Received) throws(MessageError) {
    let levels = received.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count >= 2 else { return nil }
    self.init(station: levels[0], topic: received.topic, isRetained: received.isRetained)
    guard !received.payload.isEmpty else {
      guard ["station", "online", "def"].contains(levels[1]) else { return nil }
      removed = levels[1]
      if levels.count > 2 { counter = levels[2] }
      return
    }
    guard try read(received.payload, as: levels) else { return nil }
  }

  /// - Parameter levels: the topic, of a kind that ``FleetTopics/kind(of:)`` knows.
  /// - Returns: whether the payload has a meaning.
  private mutating func read(_ payload: String, as levels: [String]) throws(MessageError) -> Bool {
    if levels[1] == "online" {
      guard ["online", "offline"].contains(payload) else { return false }
      self[.online] = payload == "online"
      return true
    }
    let members = try JSONObject(message: payload)
    switch (levels[1], levels.count) {
    case ("station", 2):
      guard let id = members["id"]?.string else { throw .wrong("id") }
      (self.id, product) = (id, members["product"]?.string)
    case ("def", 3): definition = try .init(reading: members, of: levels[2])
    case ("knows", 2): report = try .init(reading: members)
    case ("answer", 2):
      if let message = try HistoryMessage(parsing: members) {
        history = .init(message)
      } else if let kept = try Counters.FleetKept(reading: members) {
        self.kept = kept
      } else {
        counts = .init(try Message(members))
      }
    case ("reg", 5), ("knows", 3): counts = .init(try Message(members), isOwn: levels[1] == "reg")
    default: return false
    }
    return true
  }
}

extension Counters.CounterDefinition {
  fileprivate init(reading members: JSONObject, of counter: String) throws(MessageError) {
    guard members["counter"]?.string == counter else { throw .wrong("counter") }
    guard let name = members["name"]?.string else { throw .wrong("name") }
    guard let decimals = members["decimals"]?.int else { throw .wrong("decimals") }
    guard let step = members["step"]?.int else { throw .wrong("step") }
    guard let start = members["start"]?.int else { throw .wrong("start") }
    self.init(
      counter: counter, name: name, title: members["title"]?.string, decimals: decimals, step: step, start: start,
      period: members["period"]?.string, minimum: members["minimum"]?.int, maximum: members["maximum"]?.int,
      limits: members["limits"]?.string, target: members["target"]?.int)
  }
}

extension Counters.StationReport {
  fileprivate init(reading members: JSONObject) throws(MessageError) {
    guard let counters = members["counters"]?.object else { throw .wrong("counters") }
    self.init(
      writer: members["writer"]?.string, time: members["time"]?.int,
      heard: counters.compactMap { counter, numbers in
        guard let numbers = numbers.object, CounterID(counter) != nil else { return nil }
        return .init(
          counter: counter,
          entries: numbers.compactMap { writer, number in
            guard WriterID(writer) != nil, let number = number.int else { return nil }
            return .init(writer: writer, number: number)
          })
      })
  }
}

extension Counters.FleetKept {
  /// The maximum number of counts in a message.
  private static let most = 20

  /// - Returns: `nil` for a message of another kind.
  fileprivate init?(reading members: JSONObject) throws(MessageError) {
    guard let rows = members["kept"]?.array else { return nil }
    guard let counter = members["counter"]?.string else { throw .wrong("counter") }
    self.init(
      counter: counter,
      counts: rows.prefix(Self.most).compactMap { row in
        guard let row = row.array, row.count == 3, let writer = row[0].string, let number = row[1].int,
          let change = row[2].int
        else { return nil }
        return .init(reset: .init(writer: writer, number: number), change: change)
      })
  }
}

// MARK: Values

extension Counters.FleetCounts {
  /// - Parameter isOwn: whether the rows are the sender's own.
  init(_ message: Message, isOwn: Bool = false) {
    let content = message.content
    self.init(
      counter: message.period.counter.description, period: message.period.start, isOwn: isOwn,
      registers: .init(content.registers),
      resets: content.resets.map { entry, reset in
        .init(
          entry: .init(entry), base: reset.base.map { .init($0) }, size: Int64(reset.size),
          registers: .init(reset.seen))
      },
      undone: content.undone.map { .init($0) },
      held: message.held.map { .init(entry: .init($0), digest: $1) }, asked: message.asked.map { .init($0) },
      of: message.of, quarters: message.page.map { .init($0) })
  }
}

extension Counters.FleetHistory {
  init(_ message: HistoryMessage) {
    self.init(counter: message.counter.description)
    switch message.content {
    case .known(let digests):
      self[.known] = digests.map { Counters.FleetMark($0, $1.mark, sum: $1.sum) }
    case .wanted(let marks, let station):
      self[.wanted] = marks.map { Counters.FleetMark($0, $1) }
      of = station
    case .page(let page): quarters = .init(page)
    }
  }
}

extension Counters.FleetEntry {
  fileprivate init(_ entry: Entry) { self.init(writer: entry.writer.description, number: entry.number) }
}

extension Counters.FleetMark {
  init(_ writer: WriterID, _ mark: HistoryMark, sum: Int64? = nil) {
    self.init(writer: writer.description, number: mark.number, quarter: mark.quarter, sum: sum)
  }
}

extension Counters.FleetQuarters {
  fileprivate init(_ page: HistoryMessage.Page) {
    self.init(
      writer: page.writer.description, number: page.until.number, quarter: page.until.quarter, isMore: page.hasMore,
      quarters: page.registers.map { quarter, register in
        .init(
          quarter: quarter, number: register.number, counts: register.counts, added: register.added,
          subtracted: register.subtracted, first: register.first, last: register.last)
      })
  }
}

extension [Counters.FleetRegister] {
  fileprivate init(_ registers: [WriterID: Register]) {
    self = registers.map { writer, register in
      .init(
        writer: writer.description, number: register.number, added: register.added, subtracted: register.subtracted,
        counts: register.counts)
    }
  }
}
