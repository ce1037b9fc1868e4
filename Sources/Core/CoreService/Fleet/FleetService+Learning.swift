import Calendars
import CoreAPI
import Counting
import Fleet
import Linux
import Text

/// Merges messages of the fleet, from any sender. The bridge has read them, and nothing in them is trusted.
extension FleetService {
  private static let longestTopic = 256

  /// The result of merging messages.
  struct Learned {
    var publications: [Counters.Publication] = []
    var problems: [Problem] = []
    var resets = ResetNews()
    var missing: [MissingHistory] = []
  }

  /// Merges messages; an invalid one has no effect except a problem.
  func learn(_ messages: [Counters.StationMessage]) -> Learned {
    // After a failure of the journal, merged rows could not be saved and would accumulate.
    guard membership != nil, core.failure == nil else { return Learned() }
    var all = Learned()
    for message in messages {
      do throws(Problem) {
        try learn(message, &all)
      } catch {
        var problem = error
        if message.topic.utf8.count <= Self.longestTopic { problem.topic = message.topic }
        all.problems.append(problem)
      }
    }
    scheduleLearning()
    return all
  }

  /// A problem of a message.
  struct Problem: Error {
    let text: String
    var topic: String?
    /// Whether the message itself is invalid, from any sender.
    var isOfMessage = false
  }

  private func learn(
    _ message: Counters.StationMessage, _ all: inout Learned
  ) throws(Problem) {
    let name = message.station
    guard message.topic.utf8.count <= Self.longestTopic else {
      throw Problem(text: "A message has a topic of \(message.topic.utf8.count) bytes, which is too long.")
    }
    guard Membership.isName(name) else {
      throw Problem(
        text: "“\(name.shortened)” is not the name of a station; its messages are ignored.", isOfMessage: true)
    }
    let isOwn = name == membership?.station
    if let removed = message.removed { return try learnRemoval(of: removed, message, from: name, isOwn: isOwn) }
    // A retained message may be old. Retained counts may come from a station that has left for good.
    if !isOwn, !message.isRetained {
      let now = Clock.microsecondsSince1970()
      peers.change(name) { $0.lastSeen = now }
    }
    if let id = message.id { return try learnStation(id, message, from: name, isOwn: isOwn) }
    if let counts = message.counts {
      try learn(counts, from: name, isRetained: message.isRetained, &all)
    } else if let report = message.report {
      if !isOwn { learn(report, from: name, isRetained: message.isRetained) }
    } else if let history = message.history {
      all.missing += learn(try value(from: name, history.message), from: name)
    } else if let kept = message.kept {
      learn(kept, from: name)
    } else if let definition = message.definition {
      if !isOwn { try learn(definition, from: name) }
    } else if message.has(.online) {
      if !isOwn { peers.change(name) { $0.isOnline = message.isOnline } }
    }
  }

  // MARK: Kinds of messages

  /// Learns from an empty message that the broker no longer holds the messages of a topic, because a station has left
  /// or was removed.
  private func learnRemoval(
    of kind: String, _ message: Counters.StationMessage, from name: String, isOwn: Bool
  ) throws(Problem) {
    switch kind {
    case "station": if !isOwn { peers.forget(name) }
    case "online": if !isOwn { endRemoval(of: name) }
    case "def":
      if !isOwn, let id = message.counter.flatMap(CounterID.init) { peers.offers.withdraw(id, by: name) }
    default: throw bad("removed", from: name)
    }
  }

  private func learnStation(
    _ id: String, _ message: Counters.StationMessage, from name: String, isOwn: Bool
  ) throws(Problem) {
    guard CounterID(id) != nil else { throw bad("id", from: name) }
    guard !isOwn else { return }
    let version = message.product.map { String($0.prefix(64)).printableLine }
    peers.change(name) { ($0.id, $0.version) = (id, version) }
  }

  private func learn(_ definition: Counters.CounterDefinition, from name: String) throws(Problem) {
    guard let id = CounterID(definition.counter) else { throw bad("counter", from: name) }
    guard let called = try? CounterName(definition.name) else { throw bad("name", from: name) }
    let (decimals, start) = (definition.decimals, definition.start)
    guard 0...9 ~= decimals else { throw bad("decimals", from: name) }
    guard definition.step >= 1 else { throw bad("step", from: name) }
    var settings: Settings = [.step: .integer(definition.step), .start: .integer(start), .title: .text(called.text)]
    if let title = definition.title, Counter.isTitle(title) { settings[.title] = .text(title) }
    if let period = definition.period {
      guard Schedule(period) != nil else { throw bad("period", from: name) }
      settings[.period] = .text(period)
    }
    guard definition.minimum ?? start <= start else { throw bad("minimum", from: name) }
    guard definition.maximum ?? start >= start else { throw bad("maximum", from: name) }
    guard definition.target != start else { throw bad("target", from: name) }
    for (field, value) in [
      (Field.minimum, definition.minimum), (.maximum, definition.maximum), (.target, definition.target),
    ] {
      settings[field] = value.map(Field.Value.integer)
    }
    if let limits = definition.limits {
      guard Counter.Limits(rawValue: limits) != nil else { throw bad("limits", from: name) }
      settings[.limits] = .text(limits)
    }
    peers.offers.learn(
      Offer(id: id, name: called.text, decimals: decimals, settings: settings, station: name))
    // A counter that is counted here must have the same start and periods.
    guard let local = member.locals[id], let counter = core.ledger[local] else { return }
    guard counter.decimals == decimals, counter.start == start, counter.period == settings[.period]?.text else {
      throw Problem(
        text: "The station “\(name)” counts “\(counter.name)” with another start, period or number of decimals.")
    }
  }

  private func learn(
    _ counts: Counters.FleetCounts, from name: String, isRetained: Bool, _ all: inout Learned
  ) throws(Problem) {
    let message = try value(from: name, counts.message)
    let hadWriter = member.station.writer != nil
    let learned = try value(from: name) { () throws(MessageError) in
      try member.learn(message, from: name, isOwn: counts.isOwn, in: room(of: message.period.counter))
    }
    if counts.isOwn {
      if isRetained { peers.noteCounts(of: name) }
      // Messages under the own name count, too: they may contain acts that a restored journal has lost.
      let writers = Set(message.content.registers.keys).subtracting(member.station.writers)
      peers.claim(writers, by: name, isLive: !isRetained)
      if learned.isNew { peers.saveClaims(of: writers) }
    }
    if hadWriter, member.station.writer == nil {
      notice(
        "The fleet has later counts of this station than the journal, perhaps after a restore. The station continues as a "
          + "new writer, and nothing counts twice.")
    }
    tellMissingHistory(of: learned.strangers, message.period.counter)
    if let writer = learned.contradictions.min() {
      all.problems.append(
        Problem(
          text: "Two messages about the writer \(writer.description.prefix(16)) contradict: a copy of its machine "
            + "runs, or somebody forged one."))
    }
    if let page = message.page { learn(page, of: message.period.counter) }
    all.resets.note(
      learned, of: message, from: name, isRetained: isRetained, to: member.station.knowledge[message.period])
    all.publications += keep(learned.resets, in: message.period)
  }

  /// Records the entries that a station reports, and its clock.
  private func learn(_ report: Counters.StationReport, from name: String, isRetained: Bool) {
    let now = Clock.microsecondsSince1970()
    if let time = report.time, Event.times ~= time, !isRetained { peers.change(name) { $0.clock = time - now } }
    if let current = report.writer.flatMap({ WriterID($0) }), !isRetained {
      if !member.station.writers.contains(current) { peers.claim([current], by: name, isLive: true, isPresent: true) }
      peers.change(name) { $0.writer = current }
    }
    for heard in report.heard {
      guard let id = CounterID(heard.counter) else { continue }
      // This station may have counted the counter before it left the fleet, and may adopt it again.
      guard member.locals[id] != nil || peers.offers.contains(id) else { continue }
      for entry in heard.entries.lazy.compactMap(\.value) where member.station.writers.contains(entry.writer) {
        peers.hear(entry.number, of: entry.writer, id, by: name)
      }
    }
  }

  /// The value that `read` returns; its error becomes a problem of the sender.
  private func value<Value>(from name: String, _ read: () throws(MessageError) -> Value) throws(Problem) -> Value {
    do throws(MessageError) { return try read() } catch { throw ignored(error, from: name) }
  }

  private func bad(_ member: String, from name: String) -> Problem { ignored(.wrong(member), from: name) }

  private func ignored(_ error: MessageError, from name: String) -> Problem {
    Problem(text: "A message of “\(name)” is ignored. \(error.text)", isOfMessage: error.isOfMessage)
  }
}

/// The resets that messages name. The bridge asks other stations for those that are missing here.
struct ResetNews {
  struct Name {
    let period: CounterPeriod
    let reset: Entry
  }

  /// Resets to ask the senders for.
  private(set) var wanted: [(station: String, reset: Name, isDifferent: Bool)] = []
  /// Resets that are complete from now on.
  private(set) var complete: [Name] = []
  /// The stations that have sent new parts of resets.
  private(set) var progress: Set<String> = []

  /// - Parameter replica: the state after the message.
  mutating func note(
    _ learned: Station.Learned, of message: Message, from name: String, isRetained: Bool, to replica: Replica
  ) {
    let period = message.period
    complete += learned.resets.map { Name(period: period, reset: $0) }
    // The sender of a retained message does not wait for a reply.
    guard !isRetained else { return }
    if learned.isNew, !message.content.resets.isEmpty { progress.insert(name) }
    wanted += learned.wanted.map { (name, Name(period: period, reset: $0), replica.isHeld($0)) }
  }
}
