import CoreAPI
import Counting
import Fleet
import JSON
import Journal
import Linux
import Varlink

/// Publishes this station's own acts and the settings of its counters, all from the state on disk.
extension FleetService {
  /// The shortest time between two publications of a counter, in nanoseconds.
  private static let interval: Int64 = 200_000_000
  /// The number of a counter's newest periods that are published at a connection.
  private static let mostPeriods = 64
  /// The number of former writers whose messages are removed at a connection and after a boot.
  private static let formerWriters = 8
  /// The maximum number of messages of a former name that are removed.
  private static let mostFormer = 2_000

  // MARK: The bridge

  /// Starts a link: sends the settings and all messages, then later changes.
  func link(_ call: Call) {
    guard call.requireMore() else { return }
    core.showLearned(isDue: true)
    core.whenDurable { [self] _ in
      bridge.add(call)
      sendSettings(to: call)
    }
  }

  /// Ends the links for which `refusal` returns an error, because the rights have changed.
  func endLinks(where refusal: (Call) -> VarlinkError?) {
    for call in bridge.calls {
      guard let error = refusal(call) else { continue }
      bridge.remove(ObjectIdentifier(call))
      call.fail(error)
    }
  }

  /// Sends the settings, with all messages that are published at a connection.
  ///
  /// - Parameter call: the link; `nil` for all of them.
  func sendSettings(to call: Call? = nil) {
    guard let membership, !bridge.isEmpty else { return }
    defer {
      bridge.isReportOffered = false
      offerReport()
    }
    bridge.send(.settings, everything() + formerMessages(), to: call) { reply in
      typealias Member = Counters.LinkFleetReply.Member
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.text)
      if !membership.authorities.isEmpty { reply.add(Member.authorities, membership.authorities) }
      if membership.isObeying { reply.add(Member.obeying, true) }
    }
  }

  func hear(_ report: BridgeLinks.Report) { bridge.hear(report) }

  /// Removes all messages of the former name from the broker, unless another station has that name now. The counts are
  /// published again under the new name.
  func formerMessages() -> [Counters.Publication] {
    guard let formerName, Clock.boottime() < formerName.end else { return [] }
    let name = formerName.name
    guard name != membership?.station, peers.stations[name]?.isOnline != true else { return [] }
    var topics = ["\(name)/station", "\(name)/online"] + member.counters.values.map { "\(name)/def/\($0)" }
    for period in newestPeriods(Self.mostPeriods) where member.locals[period.counter] != nil {
      var writers = member.writers(of: period)
      if let writer = member.station.writer { writers.insert(writer) }
      topics += registerTopics(of: name, writers, period, parts: member.station.announcement(of: period).count)
    }
    return topics.prefix(Self.mostFormer).map { Counters.Publication($0, isRetained: true, "") }
  }

  /// The own acts that wait for publication.
  func waiting() -> [Counters.Publication] { member.announced.flatMap { announcement(of: $0.key, $0.value) } }

  /// Returns all own acts and the settings of counters, for a connection.
  func everything() -> [Counters.Publication] {
    guard membership != nil else { return [] }
    bridge.announced = [:]
    var all = farewellToPeriods()
    for (local, _) in member.counters { all += definition(of: local) }
    var told: Set<CounterID> = []
    for period in newestPeriods(Self.mostPeriods) {
      all += announcement(of: period, hasPage: told.insert(period.counter).inserted)
    }
    return all + allKept()
  }

  /// The present period of each counter, then the newest ended ones, then later ones.
  func newestPeriods(_ count: Int) -> [CounterPeriod] {
    let knowledge = member.station.knowledge
    return Set(knowledge.periods.map(\.counter)).flatMap { id in
      knowledge.periods(of: id, in: room(of: id)).prefix(count)
    }
  }

  // MARK: Messages

  func definition(of local: Counter.ID) -> [Counters.Publication] {
    guard let membership, let id = member.counters[local], let counter = core.ledger[local] else { return [] }
    var members: JSONObject = [
      "version": 1, "counter": .string(id.description), "name": .string(counter.name.text),
      "title": .string(counter.title), "decimals": .int(counter.decimals), "step": .int(counter.step),
      "start": .int(counter.start),
    ]
    members["period"] = counter.period.map(JSON.string)
    (members["minimum"], members["maximum"]) = (counter.minimum.map(JSON.int), counter.maximum.map(JSON.int))
    if counter.minimum != nil || counter.maximum != nil { members["limits"] = .string(counter.limits.rawValue) }
    members["target"] = counter.target.map(JSON.int)
    return [Counters.Publication("\(membership.station)/def/\(id)", isRetained: true, members.description)]
  }

  /// The own registers and resets of a counter in a period. The topic of the present register contains its writer, so
  /// that copies of a station do not replace each other's counts.
  ///
  /// - Parameters:
  ///   - news: the acts since the last publication, in one message for any number of counts; `nil` for all acts.
  ///   - hasPage: whether the counter's last quarter hours, of any period, are sent with its register.
  private func announcement(
    of period: CounterPeriod, _ news: FleetMember.News? = nil, hasPage: Bool = true
  ) -> [Counters.Publication] {
    guard let membership else { return [] }
    let station = member.station
    var messages = [(part: 0, message: station.latest(of: period))]
    var former: [Counters.Publication] = []
    // A former writer may have published something else.
    if let news, bridge.announced[period] == station.writer {
      if !(news.resets.isEmpty && news.undone.isEmpty) {
        messages += parts(of: period).drop { !news.isTold(by: $0.message) }
      }
    } else {
      messages += parts(of: period)
      former = farewellToFormerWriters(in: period)
    }
    messages.removeAll { $0.message.content == Replica() }
    if !messages.isEmpty { bridge.announced[period] = station.writer }
    return messages.map { part, message in
      bridge.remember(message.content.registers, of: period)
      var message = message
      if part == 0, hasPage {
        message.page = lastPage(of: period.counter)
        if message.text.utf8.count > Message.maximumLength { message.page = nil }
      }
      let topic = registerTopic(of: membership.station, part == 0 ? station.writer : nil, period, part: part)
      return Counters.Publication(topic, isRetained: true, message.text)
    } + former
  }

  /// The messages of an announcement after the first one. Only resets and boots change them.
  private func parts(of period: CounterPeriod) -> [(part: Int, message: Message)] {
    member.station.announcement(of: period).enumerated().dropFirst().map { ($0.offset, $0.element) }
  }

  /// Removes the registers that the last few former writers have published: the other parts contain them now.
  private func farewellToFormerWriters(in period: CounterPeriod) -> [Counters.Publication] {
    // The original of this copy may continue as one of the former writers.
    guard let membership, !bridge.isCopied(at: Clock.boottime()) else { return [] }
    let registers = member.station.knowledge[period].registers
    let former = member.writers(of: period).filter { $0 != member.station.writer }
      .sorted { (registers[$0]?.number ?? 0, $0) > (registers[$1]?.number ?? 0, $1) }
    return former.prefix(Self.formerWriters).map {
      Counters.Publication(registerTopic(of: membership.station, $0, period, part: 0), isRetained: true, "")
    }
  }

  private func registerTopics(
    of station: String, _ writers: Set<WriterID>, _ period: CounterPeriod, parts: Int
  ) -> [String] {
    writers.map { registerTopic(of: station, $0, period, part: 0) }
      + (1..<max(parts, 1)).map { registerTopic(of: station, nil, period, part: $0) }
  }

  /// Empty messages, which remove periods that are no longer kept here from the broker.
  private func farewellToPeriods() -> [Counters.Publication] {
    guard let membership else { return [] }
    defer { member.ended = [:] }
    return member.ended.flatMap { period, said in
      bridge.announced[period] = nil
      return registerTopics(of: membership.station, said.writers, period, parts: said.parts)
    }.map { Counters.Publication($0, isRetained: true, "") }
  }

  private func registerTopic(of station: String, _ writer: WriterID?, _ period: CounterPeriod, part: Int) -> String {
    let part = period.start.map { "\($0)-\(part)" } ?? "\(part)"
    return "\(station)/reg/\(writer?.description.prefix(16) ?? "rest")/\(period.counter)/\(part)"
  }

  /// Messages in this station's topic `answer`. They are not retained, and do not replace each other.
  func answers(_ texts: [String]) -> [Counters.Publication] {
    guard let membership else { return [] }
    return texts.map { Counters.Publication("\(membership.station)/answer", isRetained: false, $0) }
  }

  // MARK: News

  func publishAgain() {
    core.whenDurable { [weak self] outcome in
      if case .durable = outcome { self?.publish() }
    }
  }

  /// Publishes definitions and own acts that are on disk, within the limits of the interval.
  func publish() {
    guard !bridge.isEmpty else {
      (member.announced, bridge.definitions) = ([:], [])
      if member.ended.count > Self.mostFormer { member.ended = [:] }
      return
    }
    // An uncommitted act must not be published.
    guard !core.store.isPending else {
      publishing?.arm(at: Clock.boottime())
      return
    }
    let now = Clock.boottime()
    var publications = farewellToPeriods()
    for local in bridge.definitions { publications += definition(of: local) }
    bridge.definitions = []
    var (later, earliest): ([CounterPeriod: FleetMember.News], Int64) = ([:], .max)
    var sent: Set<CounterID> = []
    for (period, news) in member.announced {
      let due = (bridge.sent[period.counter] ?? .min / 2) &+ Self.interval
      guard due <= now else {
        later[period] = news
        earliest = min(earliest, due)
        continue
      }
      publications += announcement(of: period, news)
      sent.insert(period.counter)
    }
    for counter in sent { bridge.sent[counter] = now }
    member.announced = later
    bridge.send(publications)
    if earliest < .max { publishing?.arm(at: earliest) }
    offerReport()
  }
}
