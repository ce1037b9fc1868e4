import CountersAPI
import Counting
import Fleet
import Platform
import Tallymark
import Varlink

/// The methods for fleets.
enum FleetMethods {
  static func fleet(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    guard let fleet = core.fleet else { return EncodedObject { _ in } }
    core.showLearned()
    return fleet.state()
  }

  static func join(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    try core.fleetInUse().join(
      broker: arguments.text("broker") ?? "", fleet: arguments.text("fleet") ?? "",
      station: arguments.text("station") ?? "")
    return EncodedObject { _ in }
  }

  static func leave(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    try core.fleetInUse().leave()
    return EncodedObject { _ in }
  }

  static func share(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let fleet = try core.fleetInUse()
    try fleet.recordLearned()
    let id = try fleet.share(Arguments(call).text("name") ?? "")
    return EncodedObject { $0.add(Counters.Shared.Member.id, id.description) }
  }

  static func adopt(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    let cause = try arguments.cause()
    let now = Clock.microsecondsSince1970()
    let fleet = try core.fleetInUse()
    try fleet.recordLearned()
    let (id, event) = try fleet.adopt(
      arguments.text("name") ?? "", bringing: arguments["bring"]?.bool, as: arguments.text("new")
    ) { Request(.change($0), time: now, cause: cause, isAdministrators: true) }
    return EncodedObject { reply in
      reply.add(Counters.Adopted.Member.id, id.description)
      reply.add(Counters.Adopted.Member.event) { $0.add(event, in: core.ledger) }
    }
  }

  /// The maximum number of messages in a call.
  private static let mostMessages = 1000

  static func learn(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let values = Arguments(call)["messages"]?.array ?? []
    guard values.count <= mostMessages else { throw VarlinkError.invalidParameter("messages") }
    let learned = core.fleet?.learn(values.compactMap(Counters.Publication.init(json:)))
    return EncodedObject { reply in
      typealias Member = Counters.Learned.Member
      guard let learned else { return }
      if !learned.publications.isEmpty { reply.add(Member.publications, learned.publications) { $0.add($1) } }
      if !learned.problems.isEmpty { reply.add(Member.problems, learned.problems) }
    }
  }

  static func report(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    let arguments = Arguments(call)
    core.fleet?.hear(
      .init(
        isConnected: arguments["connected"]?.bool ?? false,
        trouble: arguments.text("trouble").map { String($0.prefix(1000)) }))
    return EncodedObject { _ in }
  }
}

extension FleetService {
  /// The reply to `Fleet`.
  func state() -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.FleetState.Member
      guard let membership else { return }
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.withoutPassword)
      reply.add(Member.connected, bridge.report?.isConnected ?? false)
      let trouble = ([bridge.report?.trouble].compactMap(\.self) + peers.problems).joined(separator: "\n")
      if !trouble.isEmpty { reply.add(Member.trouble, trouble) }
      let counters = counters(in: core.ledger)
      let (stations, others) = stations(of: counters)
      reply.add(Member.stations, stations) { $0.add($1) }
      if others != 0 { reply.add(Member.others, others) }
      if !counters.isEmpty {
        let sorted = counters.sorted { $0.value.name.text < $1.value.name.text }
        reply.add(Member.counters, sorted) { add($1.key, $1.value, to: &$0) }
      }
      let offers = peers.offers.values.filter { counters[$0.id] == nil }.sorted { $0.name < $1.name }
      if !offers.isEmpty { reply.add(Member.offers, offers) { $0.add($1) } }
    }
  }

  private func add(_ id: CounterID, _ counter: Counter, to writer: inout ObjectWriter) {
    typealias Member = Counters.SharedCounter.Member
    writer.add(Member.name, counter.name.text)
    writer.add(Member.id, id.description)
    writer.add(Member.value, counter.value)
    writer.add(Member.own, core.ledger.shares[counter.id] ?? 0)
    if counter.decimals != 0 { writer.add(Member.decimals, counter.decimals) }
    let rows = kept(of: counter, id)
    if !rows.isEmpty {
      writer.add(Member.kept, rows) { object, row in
        typealias Member = Counters.KeptCounts.Member
        object.add(Member.station, row.station)
        object.add(Member.change, row.change)
      }
    }
    guard let period = period(of: counter) else { return }
    // Heard by any station.
    let unheard = member.station.knowledge[period].registers.reduce(0 as Int64) { sum, row in
      guard member.station.writers.contains(row.key) else { return sum }
      let most = peers.stations.values.map { heard(row.value, of: row.key, in: period, by: $0) }.max() ?? 0
      return sum &+ (row.value.counts &- most)
    }
    writer.add(Member.unheard, unheard)
  }

  private func heard(
    _ register: Register, of writer: WriterID, in period: CounterPeriod, by peer: FleetPeers.Peer
  ) -> Int64 {
    guard let number = peer.heard[period.counter]?[writer] else { return 0 }
    return bridge.counts(of: register, by: writer, of: period, upTo: number)
  }

  /// The stations with their contributions, and the part of the totals that none of them has made.
  private func stations(of counters: [CounterID: Counter]) -> ([Counters.FleetStation], others: Int64) {
    guard let membership else { return ([], 0) }
    let periods = counters.values.compactMap(period(of:))
    func total(_ writers: Set<WriterID>?) -> Int128 {
      periods.reduce(0) { $0 + member.station.knowledge[$1].total(of: writers) }
    }
    var others = total(nil)
    func contribution(_ writers: Set<WriterID>) -> Int64 {
      let part = total(writers)
      others -= part
      return Int64(clamping: part)
    }
    let writers = peers.writers(except: member.station.writers)
    var own = Counters.FleetStation()
    (own[.name], own[.id], own[.own]) = (membership.station, membership.id, true)
    own[.contribution] = contribution(member.station.writers)
    own[.version] = Product.version
    own[.online] = bridge.report?.isConnected ?? false
    let stations =
      [own]
      + peers.stations.filter { $0.key != membership.station }.sorted { $0.key < $1.key }.map { name, peer in
        var station = Counters.FleetStation()
        (station[.name], station[.id], station[.online]) = (name, peer.id, peer.isOnline)
        (station[.clock], station[.version], station[.lastSeen]) = (peer.clock, peer.version, peer.lastSeen)
        station[.contribution] = contribution(writers[name] ?? [])
        if !peer.heard.isEmpty {
          var (known, all): (Int64, Int64) = (0, 0)
          for period in periods {
            for (writer, register) in member.station.knowledge[period].registers
            where member.station.writers.contains(writer) {
              known &+= heard(register, of: writer, in: period, by: peer)
              all &+= register.counts
            }
          }
          (station[.heard], station[.behind]) = (known, all &- known)
        }
        return station
      }
    return (stations, Int64(clamping: others))
  }
}

extension ObjectWriter {
  fileprivate mutating func add(_ station: Counters.FleetStation) {
    typealias Member = Counters.FleetStation.Member
    add(Member.name, station.name)
    add(Member.id, station.id)
    if station.isOwn { add(Member.own, true) }
    if let isOnline = station.isOnline { add(Member.online, isOnline) }
    add(Member.behind, station.behind)
    add(Member.heard, station.heard)
    add(Member.contribution, station.contribution)
    add(Member.clock, station.clock)
    add(Member.version, station.version)
    add(Member.lastSeen, station.lastSeen)
  }

  fileprivate mutating func add(_ offer: FleetPeers.Offer) {
    typealias Member = Counters.Offer.Member
    add(Member.name, offer.name)
    add(Member.id, offer.id.description)
    add(Member.title, offer.title)
    if offer.decimals != 0 { add(Member.decimals, offer.decimals) }
    add(Member.station, offer.station)
  }
}
