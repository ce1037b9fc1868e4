import CounterStore
import CountersAPI
import Counting
import Fleet
import Platform
import Tallymark
import Varlink

/// What this station publishes, all of it from the state on disk.
extension FleetService {
  /// The shortest time between two publications of a counter, in nanoseconds.
  private static let interval: Int64 = 200_000_000
  /// The shortest time between two reports of what is known here.
  private static let reportInterval: Int64 = 10_000_000_000
  /// The first report waits for more news.
  private static let reportDelay: Int64 = 500_000_000
  /// The newest periods of a counter that are published at a connection.
  private static let mostPeriods = 64
  /// Those of them of which all that is known is told, also the counts of others. The reply must stay below the limit
  /// of its reader.
  private static let knownPeriods = 4
  /// The entries in a message `knows`: each takes 90 bytes.
  private static let knownEntries = 150

  // MARK: The bridge

  /// Starts a link: sends the settings and all messages, then what is new.
  func link(_ call: Call) {
    guard call.requireMore() else { return }
    core.showLearned(isDue: true)
    core.whenDurable { [self] _ in
      bridge.add(call)
      call.onGone = { [weak self, id = ObjectIdentifier(call)] in self?.bridge.remove(id) }
      if membership != nil { call.replyContinuing(settings()) }
    }
  }

  /// Ends the links that `refusal` returns an error for, because the rights have changed.
  func endLinks(where refusal: (Call) -> VarlinkError?) {
    for call in bridge.calls.values {
      guard let error = refusal(call) else { continue }
      bridge.remove(ObjectIdentifier(call))
      call.fail(error)
    }
  }

  func sendSettings() { bridge.send(settings()) }

  func hear(_ report: BridgeLinks.Report) { bridge.hear(report) }

  /// The settings, with everything that is published at a connection.
  private func settings() -> EncodedObject {
    let all = everything()
    return EncodedObject { reply in
      typealias Member = Counters.Linked.Member
      guard let membership else { return }
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.description)
      reply.add(Member.publications, all) { $0.add($1) }
    }
  }

  /// The last messages of a station that leaves, or that takes another name: others forget its name and its offers, and
  /// keep its counts. One that leaves publishes those that it has not published yet.
  func farewell(to membership: Membership, isLeaving: Bool) -> EncodedObject {
    let name = membership.station
    let topics = ["\(name)/station"] + member.counters.values.map { "\(name)/def/\($0)" }
    let counts = isLeaving ? member.announced.flatMap(announcement(of:)) : []
    let publications = counts + topics.map { Counters.Publication($0, isRetained: true, "") }
    return EncodedObject { reply in
      typealias Member = Counters.Linked.Member
      reply.add(Member.publications, publications) { $0.add($1) }
      if isLeaving { reply.add(Member.left, true) }
    }
  }

  func everything() -> [Counters.Publication] {
    guard membership != nil else { return [] }
    var all = description()
    for (local, _) in member.counters { all += definition(of: local) }
    for period in newestPeriods(Self.mostPeriods) { all += announcement(of: period) }
    return all + knowledge(of: newestPeriods(Self.knownPeriods)) + allDigests() + allKept()
  }

  func description() -> [Counters.Publication] {
    guard let membership else { return [] }
    let station: JSONObject = [
      "version": 1, "id": .string(membership.id), "name": .string(membership.station),
      "product": .string(Product.version),
    ]
    return [Counters.Publication("\(membership.station)/station", isRetained: true, station.description)]
  }

  /// The newest periods of each counter.
  private func newestPeriods(_ count: Int) -> [CounterPeriod] {
    Dictionary(grouping: member.station.knowledge.periods, by: \.counter).values.flatMap { periods in
      periods.sorted { $0.start ?? -1 > $1.start ?? -1 }.prefix(count)
    }
  }

  // MARK: Messages

  private func definition(of local: Counter.ID) -> [Counters.Publication] {
    guard let membership, let id = member.counters[local], let counter = core.ledger[local] else { return [] }
    var members: JSONObject = [
      "version": 1, "counter": .string(id.description), "name": .string(counter.name.text),
      "title": .string(counter.title), "decimals": .int(counter.decimals), "step": .int(counter.step),
      "start": .int(counter.start),
    ]
    members["period"] = counter.period.map(JSON.string)
    return [Counters.Publication("\(membership.station)/def/\(id)", isRetained: true, members.description)]
  }

  /// The own registers and resets of a counter in a period. The topic has the writer, so that copies of a station do not
  /// replace each other's messages, and the period.
  private func announcement(of period: CounterPeriod) -> [Counters.Publication] {
    guard let membership else { return [] }
    let station = member.station
    let own = station.knowledge[period].registers.filter { station.writers.contains($0.key) }
    guard let writer = station.writer ?? own.keys.max() ?? station.writers.max() else { return [] }
    bridge.remember(own, of: period)
    let topic = "\(membership.station)/reg/\(writer.description.prefix(16))/\(period.counter)"
    return station.announcement(of: period).enumerated().map { part, message in
      var message = message
      if part == 0 { message.page = lastPage(of: period.counter) }
      if message.text.utf8.count > Message.maximumLength { message.page = nil }
      let part = period.start.map { "\($0)-\(part)" } ?? "\(part)"
      return Counters.Publication("\(topic)/\(part)", isRetained: true, message.text)
    }
  }

  /// All that is known of counters, and the clock.
  private func knowledge(of periods: [CounterPeriod]) -> [Counters.Publication] {
    guard let membership else { return [] }
    let station = member.station
    var entries: [(CounterID, WriterID, Int64)] = []
    for (counter, periods) in Dictionary(grouping: periods, by: \.counter) {
      var latest: [WriterID: Int64] = [:]
      for period in periods {
        latest.merge(station.knowledge[period].registers.mapValues(\.number), uniquingKeysWith: max)
      }
      entries += latest.map { (counter, $0.key, $0.value) }
    }
    var messages: [Counters.Publication] = []
    for begin in stride(from: 0, to: max(entries.count, 1), by: Self.knownEntries) {
      var counters: [String: JSONObject] = [:]
      for (counter, writer, number) in entries[
        min(begin, entries.count)..<min(begin + Self.knownEntries, entries.count)]
      {
        counters[counter.description, default: [:]][writer.description] = .int(number)
      }
      var members: JSONObject = ["version": 1, "time": .int(Clock.microsecondsSince1970())]
      members["writer"] = station.writer.map { .string($0.description) }
      if station.writer != nil { members["number"] = .int(station.number) }
      var named: JSONObject = [:]
      for (counter, numbers) in counters { named[counter] = .object(numbers) }
      members["counters"] = .object(named)
      messages.append(Counters.Publication("\(membership.station)/knows", isRetained: false, members.description))
    }
    for period in periods {
      for message in station.summary(of: period) {
        messages.append(
          Counters.Publication("\(membership.station)/knows/\(period.counter)", isRetained: false, message.text))
      }
    }
    return messages
  }

  /// The answers to a message.
  func answers(_ replies: [Message]) -> [Counters.Publication] {
    guard let membership else { return [] }
    return replies.map { Counters.Publication("\(membership.station)/answer", isRetained: false, $0.text) }
  }

  // MARK: News

  func publishAgain() {
    core.whenDurable { [weak self] outcome in
      if case .durable = outcome { self?.publish() }
    }
  }

  /// Publishes definitions and own acts, which are on disk, as far as the interval allows.
  func publish() {
    guard !bridge.isEmpty else {
      (member.announced, bridge.definitions) = ([], [])
      return
    }
    // Nothing may be told that could still be lost.
    guard !core.store.isPending else {
      publishing?.arm(at: Clock.boottime())
      return
    }
    let now = Clock.boottime()
    var publications: [Counters.Publication] = []
    for local in bridge.definitions { publications += definition(of: local) }
    bridge.definitions = []
    var (later, earliest): (Set<CounterPeriod>, Int64) = ([], .max)
    var sent: Set<CounterID> = []
    for period in member.announced {
      let due = (bridge.sent[period.counter] ?? .min / 2) &+ Self.interval
      guard due <= now else {
        later.insert(period)
        earliest = min(earliest, due)
        continue
      }
      publications += announcement(of: period)
      sent.insert(period.counter)
    }
    for counter in sent { bridge.sent[counter] = now }
    member.announced = later
    bridge.send(publications)
    if earliest < .max { publishing?.arm(at: earliest) }
    scheduleReport()
  }

  /// Arms the timer of the next report, if there is anything to report.
  func scheduleReport() {
    guard !(bridge.known.isEmpty && talk.changed.isEmpty), !bridge.isEmpty, !bridge.isReporting else { return }
    bridge.isReporting = true
    reporting?.arm(at: max(Clock.boottime() &+ Self.reportDelay, bridge.lastReport &+ Self.reportInterval))
  }

  /// Tells a station that has just appeared what is known here.
  func reportAll() {
    bridge.known.formUnion(newestPeriods(Self.knownPeriods))
    scheduleReport()
  }

  func reportKnowledge() {
    bridge.isReporting = false
    core.showLearned(isDue: true)
    core.whenDurable { [weak self] outcome in
      guard let self, case .durable = outcome, membership != nil else { return }
      let periods = bridge.known.intersection(newestPeriods(Self.mostPeriods))
      bridge.known = []
      bridge.lastReport = Clock.boottime()
      bridge.send(historyNews() + knowledge(of: Array(periods)))
    }
  }
}

extension ObjectWriter {
  mutating func add(_ publication: Counters.Publication) {
    typealias Member = Counters.Publication.Member
    add(Member.topic, publication.topic)
    add(Member.retained, publication.isRetained)
    add(Member.payload, publication.payload)
  }
}
