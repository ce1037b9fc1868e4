import Calendars
import CoreAPI
import Counting
import Fleet
import JSON
import Linux
import Text
import Varlink

/// Merges messages of the fleet, from any sender.
extension FleetService {
  private static let longestTopic = 256

  /// Merges messages; an invalid one has no effect except a problem.
  func learn(_ messages: [Counters.Publication]) -> (publications: [Counters.Publication], problems: [String]) {
    // After a failure of the journal, merged rows could not be saved and would accumulate.
    guard membership != nil, core.failure == nil else { return ([], []) }
    var (publications, problems): ([Counters.Publication], [String]) = ([], [])
    for message in messages {
      do throws(Problem) {
        publications += try learn(message)
      } catch {
        let text = error.text + (error.isOfMessage ? place(of: message) : "")
        let told = peers.note(text, about: error.subject, in: message.topic, isKept: error.isKept)
        if let told { problems.append(told) }
      }
    }
    publications += resetAnswers()
    scheduleLearning()
    return (publications, problems)
  }

  /// The reason for ignoring a message.
  struct Problem: Error {
    let subject: String
    let text: String
    /// Whether the problem is shown from now on.
    var isKept = true
    /// Whether the message itself is invalid, from any sender.
    var isOfMessage = false
  }

  /// A sentence that names the ignored message, and the command that removes it.
  private func place(of message: Counters.Publication) -> String {
    guard let membership else { return "" }
    let topic = "tallymark/\(membership.fleet)/\(message.topic)"
    // The topic comes from a stranger, and the command is for a shell.
    guard topic.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "'") }) else {
      return " Its topic is \(topic)."
    }
    return " If the broker holds it, this removes it: \(membership.broker.publisher) -r -n -t '\(topic)'"
  }

  private func learn(_ message: Counters.Publication) throws(Problem) -> [Counters.Publication] {
    guard message.topic.utf8.count <= Self.longestTopic else {
      throw Problem(subject: "", text: "A message has a topic of \(message.topic.utf8.count) bytes, which is too long.")
    }
    let words = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first, name != "all" else { return [] }
    // The broker holds nothing in this topic any more.
    if message.payload.isEmpty { peers.endProblems(in: message.topic) }
    guard Membership.isName(name) else {
      guard !message.payload.isEmpty else { return [] }
      throw Problem(
        subject: name, text: "“\(name.shortened)” is not the name of a station; its messages are ignored.",
        isOfMessage: true)
    }
    let isOwn = name == membership?.station
    // A retained message may be old. Retained counts may come from a station that has left for good.
    if !isOwn, !message.isRetained, !message.payload.isEmpty {
      let now = Clock.microsecondsSince1970()
      peers.change(name) { $0.lastSeen = now }
    }
    switch (words.count, words.dropFirst().first) {
    case (2, "station"): return try learnStation(message, from: name, isOwn: isOwn)
    case (2, "online") where !isOwn:
      if message.payload.isEmpty { endRemoval(of: name) }
      guard ["online", "offline"].contains(message.payload) else { break }
      let isOnline = message.payload == "online"
      peers.change(name) { $0.isOnline = isOnline }
    case (3, "def") where !isOwn: try learnDefinition(words[2], message, from: name)
    case (2, "answer"):
      let members = try members(message, from: name)
      do throws(MessageError) {
        if let history = try HistoryMessage(parsing: members) { return learn(history, from: name) }
      } catch {
        throw ignored(error, from: name)
      }
      return learnKept(members, from: name) ? [] : try learnCounts(message, from: name, isOrigin: false)
    case (5, "reg"), (3, "knows"):
      return try learnCounts(message, from: name, isOrigin: words[1] == "reg")
    case (2, "knows"): try learnKnowledge(message, from: name, isOwn: isOwn)
    default: break
    }
    return []
  }

  // MARK: Kinds of messages

  private func learnStation(
    _ message: Counters.Publication, from name: String, isOwn: Bool
  ) throws(Problem) -> [Counters.Publication] {
    guard !message.payload.isEmpty else {
      let hasEnded = peers.endClash(over: name, isOwn: isOwn)
      // Another station of this name has left, and this one is still there.
      if isOwn { describeSoon() } else { peers.forget(name) }
      guard hasEnded else { return [] }
      throw Problem(subject: name, text: FleetPeers.clashEnded(over: name), isKept: false)
    }
    let members = try members(message, from: name)
    guard let id = members["id"]?.string, CounterID(id) != nil else { throw bad("id", from: name) }
    if isOwn, id == membership?.id { return [] }
    let hadClash = peers.hasClash(over: name, isOwn: isOwn)
    // A retained description may come from a station that has left.
    let hasClash = message.isRetained ? false : peers.hear(id, called: name, isOwn: isOwn)
    if !isOwn {
      let former = peers.stations[name]?.id
      let version = members["product"]?.string.map { String($0.prefix(64)).printableLine }
      peers.change(name) { ($0.id, $0.version) = (id, version) }
      if !message.isRetained || former != id {
        kept.isDue = true
        reportAll()
      }
    }
    guard hasClash else { return [] }
    // The other station must receive this description, repeatedly while both are there.
    if isOwn, !hadClash { describeSoon() }
    throw Problem(subject: name, text: FleetPeers.clash(over: name, isOwn: isOwn), isKept: false)
  }

  private func learnDefinition(_ topic: String, _ message: Counters.Publication, from name: String) throws(Problem) {
    guard !message.payload.isEmpty else {
      if let id = CounterID(topic) { peers.withdraw(id, by: name) }
      return
    }
    guard let id = CounterID(topic) else { throw bad("counter", from: name) }
    let members = try members(message, from: name)
    guard members["counter"]?.string == topic else { throw bad("counter", from: name) }
    guard let text = members["name"]?.string, let called = try? CounterName(text) else { throw bad("name", from: name) }
    guard let decimals = members["decimals"]?.int, 0...9 ~= decimals else { throw bad("decimals", from: name) }
    guard let step = members["step"]?.int, step >= 1 else { throw bad("step", from: name) }
    guard let start = members["start"]?.int else { throw bad("start", from: name) }
    var settings: Settings = [.step: .integer(step), .start: .integer(start), .title: .text(called.text)]
    if let title = members["title"]?.string, Counter.isTitle(title) { settings[.title] = .text(title) }
    if let period = members["period"]?.string {
      guard Schedule(period) != nil else { throw bad("period", from: name) }
      settings[.period] = .text(period)
    }
    peers.learn(
      FleetPeers.Offer(id: id, name: called.text, decimals: decimals, settings: settings, station: name))
    // A counter that is counted here must have the same start and periods.
    guard let local = member.locals[id], let counter = core.ledger[local] else { return }
    guard counter.decimals == decimals, counter.start == start, counter.period == settings[.period]?.text else {
      throw Problem(
        subject: name,
        text: "The station “\(name)” counts “\(counter.name)” with another start, period or number of decimals.")
    }
  }

  private func learnCounts(
    _ message: Counters.Publication, from name: String, isOrigin: Bool
  ) throws(Problem) -> [Counters.Publication] {
    guard !message.payload.isEmpty else { return [] }
    let parsed: Message
    let learned: Station.Learned
    let hadWriter = member.station.writer != nil
    do throws(MessageError) {
      parsed = try Message(parsing: Array(message.payload.utf8))
      learned = try member.learn(parsed, from: name, in: room(of: parsed.period.counter))
    } catch {
      throw ignored(error, from: name)
    }
    if isOrigin {
      if message.isRetained { peers.noteCounts(of: name) }
      // Also under the own name: acts that a restored journal has lost.
      let writers = Set(parsed.content.registers.keys).subtracting(member.station.writers)
      peers.claim(writers, by: name, isLive: !message.isRetained)
      if learned.isNew { peers.saveClaims(of: writers) }
    }
    if hadWriter, member.station.writer == nil {
      notice(
        "The fleet knows later counts of this station; it goes on as a new writer, and nothing counts twice.")
    }
    if learned.isNew { bridge.turns.begin(parsed.period, changed: parsed.content.registers.keys) }
    tellMissingHistory(of: learned.strangers, parsed.period.counter)
    if let writer = learned.contradictions.min() {
      _ = peers.note(
        "Two messages about the writer \(writer.description.prefix(16)) contradict: a copy of its machine runs, or "
          + "somebody forged one.", about: "\(writer)")
    }
    let page = parsed.page.map { learn(HistoryMessage(parsed.period.counter, .page($0)), from: name) }
    return talk(about: parsed, learned, from: name, isRetained: message.isRetained) + (page ?? [])
      + keep(learned.resets, in: parsed.period)
  }

  /// Records the entries that a station reports, and its clock.
  private func learnKnowledge(_ message: Counters.Publication, from name: String, isOwn: Bool) throws(Problem) {
    let members = try members(message, from: name)
    let current = members["writer"]?.string.flatMap { WriterID($0) }
    if isOwn {
      // A copy of this machine's disk has the same station ID, and becomes another writer when it counts.
      // The original may continue as a writer that the copy has been, too.
      guard let current, !message.isRetained, current != member.station.writer, !reported.contains(current) else {
        return
      }
      throw copied(name, isOwn: true)
    }
    let now = Clock.microsecondsSince1970()
    if let time = members["time"]?.int, Event.times ~= time, !message.isRetained {
      peers.change(name) { $0.clock = time - now }
    }
    var isCopied = false
    if let current, !message.isRetained {
      if !member.station.writers.contains(current) { peers.claim([current], by: name, isLive: true, isPresent: true) }
      peers.change(name) { isCopied = $0.become(current) }
    }
    guard let counters = members["counters"]?.object else { throw bad("counters", from: name) }
    // In the order of the message, whose length is bounded.
    for (text, numbers) in counters.members {
      guard let id = CounterID(text), let numbers = numbers.object else { continue }
      // This station may have counted the counter before it left the fleet, and may adopt it again.
      guard member.locals[id] != nil || peers.isOffered(id) else { continue }
      for (text, number) in numbers.members {
        guard let writer = WriterID(text), member.station.writers.contains(writer), let number = number.int, number >= 0
        else { continue }
        peers.hear(number, of: writer, id, by: name)
      }
    }
    if isCopied { throw copied(name, isOwn: false) }
  }

  /// The problem that a station of this name runs beside a copy of itself.
  private func copied(_ name: String, isOwn: Bool) -> Problem {
    peers.noteCopy(of: name)
    return Problem(subject: name, text: FleetPeers.clash(over: name, isOwn: isOwn), isKept: false)
  }

  // MARK: Reading

  private func members(_ message: Counters.Publication, from name: String) throws(Problem) -> JSONObject {
    guard message.payload.utf8.count <= Message.maximumLength else {
      throw ignored(.tooLong(bytes: message.payload.utf8.count), from: name)
    }
    guard let members = (try? JSON(parsing: message.payload))?.object else {
      throw ignored(.notJSON("it is not an object"), from: name)
    }
    guard let version = members["version"]?.int, version >= 1 else { throw bad("version", from: name) }
    guard version <= Message.version else {
      throw ignored(.newer(version: version), from: name)
    }
    return members
  }

  private func bad(_ member: String, from name: String) -> Problem { ignored(.wrong(member), from: name) }

  private func ignored(_ error: MessageError, from name: String) -> Problem {
    let isOfMessage =
      switch error {
      case .tooLong, .notJSON, .wrong: true
      case .newer, .tooManyCounters, .tooManyRows, .tooManyRowsInAll: false
      }
    return Problem(subject: name, text: "A message of “\(name)” is ignored. \(error.text)", isOfMessage: isOfMessage)
  }
}
