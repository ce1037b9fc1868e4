import CoreAPI
import Counting
import Foundation
import JSON
import Linux
import TestKit
import Testing

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

/// A core in a fleet, with the acts that it must know.
final class FleetTestStation {
  let folder: TemporaryFolder
  var boot: String
  private(set) var core: Core?
  private var loop: EventLoop?
  /// The acts that are known here, and those of them that a kill leaves.
  var known = KnownActs()
  var durable = KnownActs()
  /// The acts of events.
  var acts: [Int64: Int] = [:]
  /// The parts of the bridge that ask for resets and for the history, and answer, and that name problems.
  var (resets, talk, problems) = (ResetSync(), HistorySync(), StationProblems())

  init(boot: String) throws {
    folder = TemporaryFolder()
    self.boot = boot
    try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: false)
    try start()
  }

  /// A machine that begins with the files of another one.
  init(copyOf image: FleetImage, boot: String) throws {
    folder = TemporaryFolder()
    self.boot = boot
    try FileManager.default.copyItem(atPath: image.folder.path("state"), toPath: folder.path("state"))
    (known, durable, acts) = (image.known, image.known, image.acts)
    try start()
  }

  var fleet: FleetService {
    guard let fleet = core?.fleet else { fatalError("The station does not run.") }
    return fleet
  }

  func start() throws {
    let loop = try EventLoop()
    core = try Core(
      store: try CounterStore(folder: folder.path("state")), loop: loop,
      surroundings: .init(runtime: folder.path("run"), boot: boot))
    self.loop = loop
    talkAtOnce()
  }

  /// In these tests an answer reaches only the station that asked, and no time passes.
  private func talkAtOnce() {
    (resets, talk) = (ResetSync(), HistorySync())
    (talk.patience, talk.mostTries, talk.most) = (0, 1, .max)
    (resets.patience, resets.most) = (0, .max)
  }

  func leave() throws {
    try fleet.leave()
    talkAtOnce()
    problems = StationProblems()
  }

  /// The totals of quarter hours.
  func totals(between bounds: [Int64], isOwn: Bool = false) throws -> [Totals] {
    guard let core, let counter = counter() else { return [] }
    try core.store.flush(core.ledger.head)
    return try core.store.reader.totals(of: [counter.id], between: bounds, now: .init(time: 0, boot: nil), isOwn: isOwn)
      .totals
  }

  /// The shares of the counters, and their counts of no station.
  func shares() throws -> [[String: Int64]] {
    Counters.FleetReply(try fleet.state().parsed()).counters.map { counter in
      counter.shares.reduce(into: ["": counter.others ?? 0]) { $0[$1.station] = $1.change }
    }
  }

  /// Ends the core; what was not committed is lost.
  func kill() {
    core?.end()
    (core, loop) = (nil, nil)
    known = durable
  }

  func stop() {
    commit()
    kill()
  }

  /// Ends the core, and expects that its journal holds together.
  func stopAndVerify(sourceLocation: SourceLocation = #_sourceLocation) throws {
    stop()
    #expect(try JournalFile.verify(folder.path("state")) == [], sourceLocation: sourceLocation)
  }

  /// Counts a counter of the fleet here as well.
  func adopt(
    _ name: String = "people", bringing isBrought: Bool? = nil, as here: String? = nil, at time: Int64 = 1,
    isAdministrators: Bool = false
  ) throws {
    _ = try fleet.adopt(name, bringing: isBrought, as: here) {
      Request(.change($0), time: time, cause: Cause(producer: "test"), isAdministrators: isAdministrators)
    }
  }

  /// Handles what is due now.
  func turn() throws {
    while try loop?.runOnce(waiting: 0) == true {}
  }

  /// Commits everything, as the timer does.
  func commit() {
    core?.showLearned(isDue: true)
    core?.commit()
    durable = known
  }

  func reboot() throws {
    kill()
    boot = UUID().uuidString.filter(\.isHexDigit)
    try? FileManager.default.removeItem(atPath: folder.path("run"))
    try start()
  }

  func image() throws -> FleetImage {
    stop()
    defer { try? start() }
    return try FleetImage(of: self)
  }

  /// Puts earlier files back, while the machine runs on.
  func restore(_ image: FleetImage) throws {
    stop()
    try FileManager.default.removeItem(atPath: folder.path("state"))
    try FileManager.default.copyItem(atPath: image.folder.path("state"), toPath: folder.path("state"))
    (known, durable, acts) = (image.known, image.known, image.acts)
    try start()
  }

  func counter(_ name: String = "people") -> Counter? { try? core?.ledger.find(.named(name)) }

  /// Performs a change and returns its events, which are not committed yet.
  func perform(_ verb: Request.Verb, time: Int64 = Clock.microsecondsSince1970()) throws -> [Event] {
    try core?.perform(Request(verb, time: time, cause: Cause(producer: "test"), isAdministrators: true)) ?? []
  }

  func hear(_ publications: [Counters.Publication]) -> [Counters.Publication] {
    learn(publications).publications
  }

  /// Learns from messages that the bridge has read.
  func learn(_ publications: [Counters.Publication]) -> (publications: [Counters.Publication], problems: [String]) {
    let now = Clock.boottime()
    nameProblems(at: now)
    let messages = publications.compactMap { read($0, at: now) }
    let name = fleet.membership?.station ?? ""
    resets.hear(messages, of: name, at: now)
    let rest = talk.hear(messages, of: name, at: now)
    let learned = fleet.learn(messages)
    let reply = Counters.LearnFleetReply((try? FleetMethods.reply(learned).parsed()) ?? [:])
    talk.learn(reply, at: now)
    problems.learn(reply, at: now, place: place)
    let report = problems.report(at: now)
    fleet.hear(
      .init(
        isConnected: fleet.bridge.report?.isConnected ?? false, problems: report.sentences, isCopied: report.isCopied))
    let questions = resets.learn(reply, at: now) + resetAnswers(at: now)
    let texts = questions.map(\.text) + (rest + historyQuestions(at: now) + historyAnswers(at: now)).map(\.text)
    return (learned.publications + fleet.answers(texts), problems.takeLines())
  }

  private func description() -> [Counters.Publication] {
    guard let membership = fleet.membership,
      let topics = FleetTopics(fleet: membership.fleet, station: membership.station)
    else { return [] }
    let payload = topics.description(id: membership.id, version: "1.0").payload
    return [.init("\(membership.station)/station", isRetained: true, payload)]
  }

  private func nameProblems(at now: Int64) {
    if let membership = fleet.membership { problems.become(membership.station, id: membership.id, at: now) }
  }

  private func place(of topic: String) -> String {
    fleet.membership.map { $0.broker.place(of: "tallymark/\($0.fleet)/\(topic)") } ?? ""
  }

  /// The questions about the history that the bridge asks.
  private func historyQuestions(at now: Int64) -> [HistoryMessage] {
    talk.due(at: now).flatMap { request in
      let digests = fleet.digests(of: request.writers, request.counter.description)
      let reply = Counters.DigestsReply((try? FleetMethods.digests(digests).parsed()) ?? [:])
      return talk.questions(reply, of: request, at: now)
    }
  }

  /// The quarter hours that the bridge sends.
  private func historyAnswers(at now: Int64) -> [HistoryMessage] {
    var messages: [HistoryMessage] = []
    while let request = talk.next(at: now) {
      let marks = request.marks.map { Counters.FleetMark($0.writer, $0.after) }
      let quarters = fleet.quarters(after: marks, request.counter.description, most: 800)
      let reply = Counters.QuartersReply((try? FleetMethods.quarters(quarters).parsed()) ?? [:])
      messages += talk.take(reply, for: request)
    }
    return messages
  }

  /// The rows of resets that the bridge sends.
  func resetAnswers(at now: Int64 = Clock.boottime()) -> [Message] {
    var messages: [Message] = []
    while let request = resets.next(at: now) {
      let reset = fleet.member.station.knowledge[request.key.period].resets[request.key.reset]
      let reply = try? FleetMethods.rows(of: reset, from: request.offset, request.limit).parsed()
      messages += resets.take(reply.map { .init($0) }, for: request, at: now)
    }
    return messages
  }

  /// What the bridge passes on of a message.
  private func read(_ publication: Counters.Publication, at now: Int64) -> Counters.StationMessage? {
    guard let membership = fleet.membership,
      let topics = FleetTopics(fleet: membership.fleet, station: membership.station)
    else { return nil }
    let topic: String
    switch topics.kind(of: topics.full(publication.topic)) {
    case .core(let relative): topic = relative
    case .online(let station): topic = "\(station)/online"
    case .command, .echo, .spoken, .birth, nil: return nil
    }
    let received = Received(topic, Array(publication.payload.utf8), isRetained: publication.isRetained)
    return problems.read(received, at: now, place: place)
  }

  /// All that the station publishes at a connection, and its report after it.
  func everything() -> [Counters.Publication] {
    commit()
    let said = description() + fleet.everything() + fleet.report(.init(isAll: true, hasDigests: true))
    nameProblems(at: Clock.boottime())
    for one in said { problems.say(one, at: Clock.boottime()) }
    return said
  }

  /// What the station answers to one that knows nothing: a reset tells registers of other writers, too.
  func history() -> [Counters.Publication] {
    guard let name = fleet.membership?.station else { return [] }
    return fleet.member.counters.values.flatMap { id in
      let digests = try? core?.store.fleetTables.digests(of: counter()?.id ?? .init(0), most: 1000)
      let questions = (digests ?? [:]).keys.flatMap { HistoryMessage.wanted([$0: .none], of: id, from: name) }
      return hear(fleet.answers(questions.map(\.text)))
    }
  }

  /// What the station reports of its history after a while.
  func news() -> [Counters.Publication] {
    commit()
    return fleet.historyNews()
  }

  /// Everything of `other` reaches this station, and the answers go back and forth.
  func learnAll(from other: FleetTestStation, _ disorder: ([Counters.Publication]) -> [Counters.Publication] = { $0 }) {
    learn(other.everything(), from: other, disorder)
    known.formUnion(other.known)
  }

  /// The answers to messages of `other` go back and forth.
  func learn(
    _ messages: [Counters.Publication], from other: FleetTestStation,
    _ disorder: ([Counters.Publication]) -> [Counters.Publication] = { $0 }
  ) {
    var messages = disorder(messages)
    var (hearer, speaker) = (self, other)
    for _ in 0..<20 where !messages.isEmpty {
      messages = disorder(hearer.hear(messages))
      swap(&hearer, &speaker)
    }
    #expect(messages.isEmpty)
  }
}

/// The acts that a station has heard of. The history travels in messages of its own, so that either may know more.
struct KnownActs: Equatable {
  /// Those in its totals.
  var totals: Set<Int> = []
  /// Those in its quarter hours.
  var quarters: Set<Int> = []

  mutating func insert(_ act: Int) {
    totals.insert(act)
    quarters.insert(act)
  }

  mutating func formUnion(_ other: KnownActs) {
    totals.formUnion(other.totals)
    quarters.formUnion(other.quarters)
  }
}

/// The files of a station at one moment, with what it knew then.
final class FleetImage {
  let folder = TemporaryFolder()
  let known: KnownActs
  let acts: [Int64: Int]

  init(of station: FleetTestStation) throws {
    try FileManager.default.copyItem(atPath: station.folder.path("state"), toPath: folder.path("state"))
    (known, acts) = (station.durable, station.acts)
  }
}
