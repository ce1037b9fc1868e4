import CoreAPI
import Counting
import Fleet
import JSON
import Linux
import Tallymark
import Varlink

enum FleetMethods {
  static func fleet(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    guard let fleet = core.fleet else { return EncodedObject { _ in } }
    core.showLearned()
    return fleet.state(isBrief: Arguments(call)[.brief]?.bool ?? false)
  }

  static func join(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    try core.fleetInUse().join(
      broker: arguments.text(.broker), fleet: arguments.text(.fleet), station: arguments.text(.station),
      authorities: arguments.text(.authorities), isObeying: arguments[.obeying]?.bool)
    return EncodedObject { _ in }
  }

  static func leave(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    try core.fleetInUse().leave()
    return EncodedObject { _ in }
  }

  static func share(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let fleet = try core.fleetInUse()
    try fleet.recordLearned()
    let id = try fleet.share(Arguments(call).text(.counter) ?? "")
    return EncodedObject { $0.add(Counters.IdReply.Member.id, id.description) }
  }

  static func adopt(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    let cause = try arguments.cause()
    let now = Clock.microsecondsSince1970()
    let fleet = try core.fleetInUse()
    try fleet.recordLearned()
    let (id, event) = try fleet.adopt(
      arguments.text(.counter) ?? "", bringing: arguments[.bring]?.bool, as: arguments.text(.newName)
    ) { Request(.change($0), time: now, cause: cause, isAdministrators: true) }
    return EncodedObject { reply in
      reply.add(Counters.AdoptCounterReply.Member.id, id.description)
      reply.add(Counters.AdoptCounterReply.Member.event) { $0.add(event, in: core.ledger) }
    }
  }
}

extension FleetService {
  /// The reply to `Fleet`.
  ///
  /// - Parameter isBrief: whether to omit everything whose length other stations determine.
  func state(isBrief: Bool = false) -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.FleetReply.Member
      guard let membership else { return }
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.withoutPassword)
      if membership.isObeying { reply.add(Member.obeying, true) }
      reply.add(Member.connected, bridge.report?.isConnected ?? false)
      let counters = counters(in: core.ledger)
      let sorted = counters.sorted { $0.value.name.text < $1.value.name.text }
      guard !isBrief else {
        if !sorted.isEmpty { reply.add(Member.counters, sorted) { add($1.key, $1.value, to: &$0) } }
        return
      }
      if !membership.authorities.isEmpty { reply.add(Member.authorities, membership.authorities) }
      let troubles = (bridge.report?.sentences ?? []) + beyond(counters)
      let trouble = troubles.joined(separator: "\n")
      if !trouble.isEmpty { reply.add(Member.trouble, trouble) }
      let shares = counters.compactMapValues { counter in
        period(of: counter).map(self.shares)
      }
      // Values have a common unit only if their decimals are equal.
      let isSummable = Set(counters.values.map(\.decimals)).count == 1
      let sums = isSummable ? shares.values.reduce(into: Shares()) { $0.add($1) } : nil
      reply.add(Member.stations, stations(of: counters, sums?.stations))
      if let sums, sums.others != 0 { reply.add(Member.others, Int64(clamping: sums.others)) }
      if !counters.isEmpty {
        let heard = mostHeard()
        reply.add(Member.counters, sorted) { add($1.key, $1.value, shares[$1.key], heard[$1.key] ?? [:], to: &$0) }
      }
      let offers = peers.offers.all.filter { counters[$0.id] == nil }.sorted { $0.name < $1.name }
      if !offers.isEmpty {
        let former = (try? formerCounters()) ?? [:]
        reply.add(Member.offers, offers) {
          let here = former[$1.id] ?? counter(for: $1)
          let isTaken = here == nil && (try? CounterName($1.name)).map { !core.ledger.isFree($0) } ?? false
          $0.add($1, here: here?.name.text, isTaken: isTaken)
        }
      }
    }
  }

  /// The counter with the name of an offer, if it can become the fleet's counter.
  private func counter(for offer: Offer) -> Counter? {
    guard let counter = try? core.ledger.find(.named(offer.name)), !counter.isStopwatch,
      counter.decimals == offer.decimals, !core.ledger.isShared(counter.id)
    else { return nil }
    return counter
  }

  /// Whether a station is online; `nil` if this station is not connected, or has not heard of the other one.
  private func isOnline(_ peer: FleetPeers.Peer) -> Bool? {
    guard bridge.report?.isConnected == true else { return nil }
    if let isOnline = peer.isOnline { return isOnline }
    guard peer.isRemembered else {
      // Some brokers do not deliver the state that they hold.
      let isHeard = peer.lastSeen.map { 0..<Self.presence ~= Clock.microsecondsSince1970() &- $0 } ?? false
      return isHeard ? true : nil
    }
    // A broker would have reported the station by now.
    return bridge.connected.map { Clock.boottime() &- $0 >= Self.silence } == true ? false : nil
  }

  /// The time for which a message shows that its sender is online, in microseconds.
  private static let presence: Int64 = 30_000_000

  /// The time within which a broker reports the online stations after a connection, in nanoseconds.
  static let silence: Int64 = 10_000_000_000

  /// Sentences about the counters whose totals are too large to show.
  private func beyond(_ counters: [CounterID: Counter]) -> [String] {
    counters.values.sorted { $0.name.text < $1.name.text }.compactMap { counter in
      guard let period = period(of: counter) else { return nil }
      let total = Int128(counter.start) + member.station.knowledge[period].total()
      guard total.magnitude > Self.farthestTotal.magnitude else { return nil }
      return
        "The total of “\(counter.name)” is beyond ±2^62 and not shown, because a station has sent impossible numbers. "
        + "To begin anew: tally reset \(counter.name)"
    }
  }

  /// The last entry of each own writer that any station has reported.
  private func mostHeard() -> [CounterID: [WriterID: Int64]] {
    var most: [CounterID: [WriterID: Int64]] = [:]
    for peer in peers.stations.values {
      for (counter, numbers) in peer.heard { most[counter, default: [:]].merge(numbers, uniquingKeysWith: max) }
    }
    return most
  }

  private func add(_ id: CounterID, _ counter: Counter, to writer: inout ObjectWriter) {
    typealias Member = Counters.SharedCounter.Member
    writer.add(Member.name, counter.name.text)
    writer.add(Member.id, id.description)
    writer.add(Member.value, counter.value)
    writer.add(Member.own, core.ledger.shares[counter.id] ?? 0)
    if counter.decimals != 0 { writer.add(Member.decimals, counter.decimals) }
  }

  private func add(
    _ id: CounterID, _ counter: Counter, _ shares: Shares?, _ heard: [WriterID: Int64], to writer: inout ObjectWriter
  ) {
    typealias Member = Counters.SharedCounter.Member
    add(id, counter, to: &writer)
    if let shares {
      let parts = shares.stations.sorted { $0.key < $1.key }
      if !parts.isEmpty { writer.add(Member.shares, parts) { $0.add($1.key, Int64(clamping: $1.value)) } }
      if shares.others != 0 { writer.add(Member.others, Int64(clamping: shares.others)) }
    }
    let rows = kept(of: counter, id)
    if !rows.isEmpty { writer.add(Member.kept, rows) { $0.add($1.station, $1.change) } }
    guard let period = period(of: counter) else { return }
    // The number of this station's counts that no other station has reported.
    let registers = member.station.knowledge[period].registers
    let unheard = member.station.writers.reduce(0 as Int64) { sum, writer in
      guard let register = registers[writer] else { return sum }
      let known = heard[writer].map { bridge.counts(of: register, by: writer, of: period, upTo: $0) } ?? 0
      return sum &+ (register.counts &- known)
    }
    writer.add(Member.unheard, unheard)
  }

  /// The parts of a counter's total.
  private struct Shares {
    /// The parts of the stations that have counted the counter.
    var stations: [String: Int128] = [:]
    /// The part that belongs to no known station.
    var others: Int128 = 0

    mutating func add(_ other: Shares) {
      stations.merge(other.stations, uniquingKeysWith: +)
      others += other.others
    }
  }

  private func shares(in period: CounterPeriod) -> Shares {
    var shares = Shares()
    guard let own = membership?.station else { return shares }
    for (name, total) in totals(in: period, own) {
      if let name, peers.isKnown(name, own: own) { shares.stations[name] = total } else { shares.others += total }
    }
    return shares
  }

  /// The sum of the writers of each station, as in ``FleetMember/KnownTotals/stations``.
  private func totals(in period: CounterPeriod, _ own: String) -> [String?: Int128] {
    let (peers, writers) = (peers, member.station.writers)
    var totals: [String?: Int128] = [:]
    // No station claims this station's own writers.
    func add(_ total: Int128, of writer: WriterID) {
      let name = peers.claimant(of: writer, own: own) ?? (writers.contains(writer) ? own : nil)
      totals[name, default: 0] += total
    }
    // There are many writers, of which few count.
    if let known = member.knownTotals[period], known.claims == peers.claimVersion, known.own == own {
      totals = known.stations
      for (writer, change) in known.changes { add(change, of: writer) }
    } else {
      member.station.knowledge[period].forEachTotal { add($1, of: $0) }
    }
    member.keep(peers.claimVersion.map { .init(stations: totals, claims: $0, own: own) }, of: period)
    return totals
  }

  /// The stations, this one first. The cost grows with the total size of their messages, not also with their number.
  ///
  /// - Parameter totals: the sums of their shares; `nil` if the counters have no common sum.
  private func stations(of counters: [CounterID: Counter], _ totals: [String: Int128]?) -> [Counters.FleetStation] {
    guard let membership else { return [] }
    let knowledge = member.station.knowledge
    let periods = counters.compactMapValues(period(of:))
    let present = member.station.writer
    var all = Changes()
    for period in periods.values {
      let registers = knowledge[period].registers
      for writer in member.station.writers {
        if let register = registers[writer] { all.add(register.counts, isPresent: writer == present) }
      }
    }
    func contribution(of name: String) -> Int64? { totals.map { Int64(clamping: $0[name] ?? 0) } }
    var own = Counters.FleetStation()
    (own[.name], own[.id], own[.own]) = (membership.station, membership.id, true)
    own[.online] = bridge.report?.isConnected ?? false
    own[.contribution] = contribution(of: membership.station)
    own[.version] = Product.version
    return [own]
      + peers.stations.filter { $0.key != membership.station }.sorted { $0.key < $1.key }.map { name, peer in
        var station = Counters.FleetStation()
        (station[.name], station[.id]) = (name, peer.id)
        station[.online] = isOnline(peer)
        // A station that is online has heard nothing if it has reported nothing.
        if !peer.heard.isEmpty || isOnline(peer) == true {
          var known = Changes()
          for (counter, numbers) in peer.heard {
            guard let period = periods[counter] else { continue }
            let registers = knowledge[period].registers
            for (writer, number) in numbers {
              guard let register = registers[writer] else { continue }
              known.add(
                bridge.counts(of: register, by: writer, of: period, upTo: number), isPresent: writer == present)
            }
          }
          station[.behind] = all.sum &- known.sum
          var times: [Int64] = []
          if let present, known.present < all.present {
            times += periods.compactMap {
              bridge.time(after: peer.heard[$0.key]?[present] ?? 0, by: present, of: $0.value)
            }
          }
          // Counts of earlier writers were published first.
          if known.earlier < all.earlier { times += periods.values.compactMap(bridge.firstTime) }
          station[.lag] = times.min().map { (Clock.boottime() &- $0) / 1000 }
          station[.heard] = known.sum
        }
        station[.contribution] = contribution(of: name)
        (station[.clock], station[.version], station[.lastSeen]) = (peer.clock, peer.version, peer.lastSeen)
        return station
      }
  }
}

/// Numbers of this station's changes.
private struct Changes {
  /// The changes of the present writer.
  private(set) var present: Int64 = 0
  private(set) var earlier: Int64 = 0

  var sum: Int64 { present &+ earlier }

  mutating func add(_ number: Int64, isPresent: Bool) {
    if isPresent { present &+= number } else { earlier &+= number }
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ station: String, _ change: Int64) {
    typealias Member = Counters.StationCounts.Member
    add(Member.station, station)
    add(Member.change, change)
  }

  fileprivate mutating func add(_ offer: Offer, here: String?, isTaken: Bool) {
    typealias Member = Counters.Offer.Member
    add(Member.name, offer.name)
    add(Member.id, offer.id.description)
    add(Member.title, offer.title)
    if offer.decimals != 0 { add(Member.decimals, offer.decimals) }
    add(Member.station, offer.station)
    add(Member.here, here)
    if isTaken { add(Member.taken, true) }
  }
}
