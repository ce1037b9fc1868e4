public import CoreAPI
import Fleet
import JSON
import Text

/// The problems of stations' messages and names, as sentences for people and for the log. In memory only: retained
/// messages, descriptions and reports show them again.
public struct StationProblems {
  /// The name and the ID of this station.
  private var (own, id) = ("", "")
  /// The problems of messages, shown for an hour after the last message with the problem; with the time of that message
  /// in nanoseconds since the boot, the station concerned and the topic.
  private var lasting: [(problem: String, time: Int64, subject: String, topic: String)] = []
  /// The IDs that stations have published under each name, with times in nanoseconds since the boot. For the name of
  /// this station only the IDs of others.
  private var callers: [String: [String: Int64]] = [:]
  /// The names of stations that have counted beside a copy, with times in nanoseconds since the boot.
  private var copies: [String: Int64] = [:]
  /// The writers that each other station has been, the present one last.
  private var sequences: [String: [WriterID]] = [:]
  /// The writers that this station has reported; `nil` before the first report, because one of a former bridge may still
  /// be on its way.
  private var reported: Set<WriterID>?
  /// The problems that were logged already.
  private var told: Set<String> = []
  private var log = FleetLog()
  /// Sentences for the log.
  private var lines: [String] = []
  private var description = DescriptionTiming()

  static let mostStations = 1024
  private static let (mostProblems, mostTold, mostCallers, longestSequence) = (20, 1000, 8, 16)
  /// The time in nanoseconds after which a clash of names ends if one of the stations has not published its name again.
  static let lapse: Int64 = 60_000_000_000
  /// ``lapse`` for copies, which are detected only when both count, possibly at long intervals. Also the time for which
  /// a problem is shown after its last message.
  static let longLapse: Int64 = 3_600_000_000_000

  private static func isRecent(_ time: Int64, within lapse: Int64 = lapse, at now: Int64) -> Bool {
    now &- time < lapse
  }

  public init() {}

  /// Sets the name and the ID of this station. The clash over a former name ends.
  public mutating func become(_ station: String, id: String, at now: Int64) {
    if station != own { endClash(over: own, at: now) }
    (own, self.id) = (station, id)
  }

  /// Returns the sentences for the log since the last call.
  public mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// The part of a report to the core that is about problems.
  public struct Report: Equatable {
    public let sentences: [String]
    /// Whether a copy of this station has counted under its name within an hour. A clash of names has the same sentence.
    public let isCopied: Bool
  }

  public func report(at now: Int64) -> Report {
    Report(sentences: sentences(at: now), isCopied: hasCopy(own, at: now))
  }

  /// The present problems, as sentences: those that messages had within an hour, then the clashes of names.
  func sentences(at now: Int64) -> [String] {
    let clashes = Set(callers.keys).union(copies.keys).filter { hasClash(over: $0, at: now) || hasCopy($0, at: now) }
    let recent = lasting.filter { Self.isRecent($0.time, within: Self.longLapse, at: now) }.map(\.problem)
    return recent + clashes.sorted().prefix(Self.mostProblems).map(clash)
  }

  /// The next time at which a problem may have lapsed, in nanoseconds since the boot; `nil` without a problem.
  public func nextLapse(after now: Int64) -> Int64? {
    let ends =
      (lasting.map(\.time) + copies.values).map { $0 &+ Self.longLapse }
      + callers.values.flatMap(\.values).map { $0 &+ Self.lapse }
    return sentences(at: now).isEmpty ? nil : ends.filter { $0 > now }.min()
  }

  // MARK: Messages

  /// Reads a message for the core.
  ///
  /// - Parameter place: a sentence that names the message of a topic, for the person who must remove it.
  /// - Returns: `nil` for a message without a meaning; a message without content if it cannot be read.
  public mutating func read(
    _ received: Received, at now: Int64, place: (String) -> String
  ) -> Counters.StationMessage? {
    do throws(MessageError) {
      guard let message = try Counters.StationMessage(received) else { return nil }
      hear(message, at: now)
      return message
    } catch {
      let sentence = "A message of “\(received.station)” is ignored. \(error.text)"
      note(sentence, in: received.topic, isInvalid: error.isOfMessage, at: now, place)
      return .init(station: received.station, topic: received.topic, isRetained: received.isRetained)
    }
  }

  /// Records the problems that the core has found.
  public mutating func learn(_ reply: Counters.LearnFleetReply, at now: Int64, place: (String) -> String) {
    for one in reply.problems {
      note(one.sentence, in: one.topic ?? "", isInvalid: one.isInvalid, at: now, place)
    }
  }

  private mutating func note(
    _ sentence: String, in topic: String, isInvalid: Bool, at now: Int64, _ place: (String) -> String
  ) {
    let sentence = isInvalid ? "\(sentence) \(place(topic))" : sentence
    note(sentence, about: Received.station(of: topic), in: topic, at: now)
  }

  private mutating func hear(_ message: Counters.StationMessage, at now: Int64) {
    let (name, isOwn) = (message.station, message.station == own)
    if let kind = message.removed {
      endProblems(in: message.topic)
      guard kind == "station" else { return }
      // Another station of this name has left, and this one is still there.
      if isOwn { description.plan(at: now) } else { sequences[name] = nil }
      if endClash(over: name, at: now) { note(Self.clashEnded(over: name), about: name, isKept: false, at: now) }
    } else if message.isRetained {
      // A retained message may come from a station that has left.
      return
    } else if let id = message.id {
      guard CounterID(id) != nil, !isOwn || id != self.id else { return }
      let hadClash = hasClash(over: name, at: now)
      guard hear(id, called: name, at: now) else { return }
      // The other station must receive this description, repeatedly while both are there.
      if isOwn, !hadClash { description.plan(at: now) }
      note(clash(over: name), about: name, isKept: false, at: now)
    } else if let writer = message.report?.writer.flatMap({ WriterID($0) }) {
      // A copy of this machine's disk has the same station ID, and becomes another writer when it counts. The original
      // may itself continue as a writer that the copy was before.
      guard isOwn ? reported?.contains(writer) == false : isBack(writer, of: name) else { return }
      if copies[name] != nil || copies.count < Self.mostStations { copies[name] = now }
      note(clash(over: name), about: name, isKept: false, at: now)
    }
  }

  /// Records a message of the core. The broker may not send it back to this station.
  public mutating func say(_ publication: Counters.Publication, at now: Int64) {
    let levels = publication.topic.split(separator: "/")
    guard levels.count == 2 else {
      if publication.payload.isEmpty { endProblems(in: publication.topic) }
      return
    }
    switch (levels[0] == own, levels[1]) {
    case (true, "knows"):
      let writer = (try? JSONObject(message: publication.payload))?["writer"]?.string.flatMap { WriterID($0) }
      reported = (reported ?? []).union(writer.map { [$0] } ?? [])
    case (false, "station") where publication.payload.isEmpty:
      // The station is being removed, or this was the former name of this station.
      let name = String(levels[0])
      endProblems(in: publication.topic)
      endClash(over: name, at: now)
      sequences[name] = nil
    default: break
    }
  }

  // MARK: Clashes of names

  /// Records that a station has published its ID.
  ///
  /// - Returns: whether several stations have the name, apart from those not heard within ``lapse``.
  mutating func hear(_ id: String, called name: String, at now: Int64) -> Bool {
    var ids = (callers[name] ?? [:]).filter { Self.isRecent($0.value, at: now) }
    if callers.count >= Self.mostStations {
      callers = callers.filter { $0.value.contains { Self.isRecent($0.value, at: now) } }
    }
    guard callers[name] != nil || callers.count < Self.mostStations else { return false }
    if ids[id] != nil || ids.count < Self.mostCallers { ids[id] = now }
    callers[name] = ids
    return hasClash(over: name, at: now)
  }

  /// Whether several stations have published this name within ``lapse``.
  private func hasClash(over name: String, at now: Int64) -> Bool {
    (callers[name] ?? [:]).count { Self.isRecent($0.value, at: now) } > (name == own ? 0 : 1)
  }

  /// Ends a clash of names, because one station has left or was renamed; remaining ones publish the name again.
  ///
  /// - Returns: whether several stations had the name. Then the next clash is logged, too.
  @discardableResult
  private mutating func endClash(over name: String, at now: Int64) -> Bool {
    let hadClash = hasClash(over: name, at: now) || hasCopy(name, at: now)
    (callers[name], copies[name]) = (nil, nil)
    guard hadClash else { return false }
    for sentence in [clash(over: name), Self.clashEnded(over: name)] { told.remove(Self.key(sentence, about: name)) }
    return true
  }

  /// Records the writer that a station reports now.
  ///
  /// - Returns: whether the station had already left this writer for another. A station closes a writer for good, so
  ///   two machines report, one with a copy of the other's disk.
  private mutating func isBack(_ writer: WriterID, of name: String) -> Bool {
    var sequence = sequences[name] ?? []
    guard sequence.last != writer else { return false }
    if sequences[name] == nil, sequences.count >= Self.mostStations, let any = sequences.keys.first {
      sequences[any] = nil
    }
    let isBack = sequence.contains(writer)
    sequence.removeAll { $0 == writer }
    sequences[name] = sequence.suffix(Self.longestSequence - 1) + [writer]
    return isBack
  }

  /// Whether a station of this name has counted beside a copy of itself within an hour.
  private func hasCopy(_ name: String, at now: Int64) -> Bool {
    copies[name].map { Self.isRecent($0, within: Self.longLapse, at: now) } ?? false
  }

  func clash(over name: String) -> String {
    name == own
      ? "Another station is called “\(name)”, too. Give one of them another name: tally fleet join --station NAME"
      : "Two stations are called “\(name)”. Give one of them another name: tally fleet join --station NAME"
  }

  static func clashEnded(over name: String) -> String {
    "One of the stations that were called “\(name)” has left or has another name now."
  }

  // MARK: The description of this station

  /// Whether the description is to be published again.
  public var isDescribing: Bool { description.isPlanned }

  /// Whether the description is due; it counts as published then. Two stations with one name repeat theirs while both
  /// are there.
  public mutating func takeDescription(at now: Int64) -> Bool {
    description.take(at: now, isRepeated: hasClash(over: own, at: now))
  }

  // MARK: Problems

  /// Ends the problems of a topic, or of a station, because the broker holds nothing of it any more.
  private mutating func endProblems(in topic: String) {
    let station = topic.hasSuffix("/station") ? String(topic.dropLast("/station".count)) : nil
    lasting.removeAll { $0.topic == topic || $0.subject == station }
  }

  /// Records a problem that a person should know of, and the sentence for the log, unless it was logged before or the
  /// limit of log lines is reached.
  ///
  /// - Parameters:
  ///   - topic: the topic of the message that has the problem.
  ///   - isKept: whether the problem is shown for the next hour.
  mutating func note(
    _ problem: String, about subject: String, in topic: String = "", isKept: Bool = true, at now: Int64
  ) {
    let key = Self.key(problem, about: subject)
    let isTold = told.contains(key)
    guard let line = isTold ? "" : log.admit(problem, at: now) else { return }
    if told.count >= Self.mostTold { told.removeAll() }
    told.insert(key)
    if !isTold { lines.append(line) }
    guard isKept else { return }
    let problem = problem.printableLine
    if let place = lasting.firstIndex(where: { $0.problem == problem }) {
      lasting[place].time = now
    } else {
      lasting.append((problem, now, subject, topic))
      if lasting.count > Self.mostProblems { lasting.removeFirst() }
    }
  }

  private static func key(_ problem: String, about subject: String) -> String { "\(subject)\n\(problem)" }
}
