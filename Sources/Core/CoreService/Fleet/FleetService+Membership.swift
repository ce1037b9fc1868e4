import CoreAPI
import Counting
import Fleet
import Journal
import Linux
import Varlink

/// Joining and leaving a fleet, and the counters that are shared with it.
extension FleetService {
  /// The time for connecting under a new name, within which the messages of the former name are removed.
  private static let formerTime: Int64 = 60_000_000_000

  /// The maximum length of ``Membership/authorities`` in bytes.
  private static let longestAuthorities = 16_384

  /// Joins a fleet, or changes its settings; `nil` keeps the present setting.
  func join(
    broker: String?, fleet: String?, station: String?, authorities: String? = nil, isObeying: Bool? = nil
  ) throws {
    guard let url = try broker.map(Self.url) ?? membership?.broker else {
      throw CountingError.badSetting("broker", reason: "this core is in no fleet yet, and needs the URL of its broker")
    }
    guard let fleet = fleet ?? membership?.fleet else {
      throw CountingError.badSetting("fleet", reason: "this core is in no fleet yet, and needs the name of one")
    }
    guard let station = station ?? membership?.station else {
      throw CountingError.badSetting("station", reason: "this core is in no fleet yet, and needs a name in it")
    }
    for (setting, name) in [("fleet", fleet), ("station", station)] where !Membership.isName(name) {
      throw CountingError.badSetting(
        setting, reason: "it must have 1 to 32 of a-z, 0-9 and “-”, and must not begin with “-” or be “all”")
    }
    let authorities = authorities ?? membership?.authorities ?? ""
    guard authorities.utf8.count <= Self.longestAuthorities else {
      throw CountingError.badSetting(
        "authorities",
        reason: "the certificates have more than \(Self.longestAuthorities) bytes; give only those that vouch for the "
          + "broker")
    }
    guard authorities.isEmpty || Membership.hasCertificate(authorities) else {
      throw CountingError.badSetting(
        "authorities", reason: "the certificates have no line -----BEGIN CERTIFICATE-----; give them as PEM")
    }
    if let membership, membership.fleet != fleet {
      throw CountingError.badSetting("fleet", reason: "this core is in the fleet “\(membership.fleet)”; leave it first")
    }
    // An offline station of this name may be this one, after the loss of its journal.
    if membership?.station != station, peers.stations[station]?.isOnline == true {
      throw CountingError.badSetting(
        "station",
        reason: "“\(station)” is the name of another station, which is online; give this one a name of its own")
    }
    var random = SystemRandomNumberGenerator()
    // A copy that gets its own name needs its own ID.
    let id = membership.flatMap { $0.station == station ? $0.id : nil }
    let joined = Membership(
      fleet: fleet, station: station, id: id ?? CounterID.random(using: &random).description, broker: url,
      authorities: authorities, isObeying: isObeying ?? membership?.isObeying ?? false)
    try core.storing { () throws(StoreError) in try core.store.save(joined) }
    if let membership, membership.station != station {
      formerName = (membership.station, Clock.boottime() &+ Self.formerTime)
    }
    // The bridge's last report is about no fleet, or about another broker.
    if membership?.broker != url { bridge.hear(.init(isConnected: false)) }
    (membership, isChanging) = (joined, true)
    core.whenDurable { [weak self] outcome in
      if case .durable = outcome { self?.sendSettings() }
    }
  }

  private static func url(_ text: String) throws(CountingError) -> BrokerURL {
    do throws(BrokerURL.Fault) {
      return try BrokerURL(text)
    } catch {
      throw .badSetting("broker", reason: error.reason)
    }
  }

  func leave() throws {
    guard membership != nil else { throw CountingError.notInFleet }
    // The fleet receives all earlier counts.
    core.commit()
    if let failure = core.failure { throw failure }
    let last = waiting()
    let shares = try member.counters.map { try endedShare(of: $0, as: $1) }
    try core.storing { () throws(StoreError) in try core.store.leaveFleet(shares) }
    (membership, isChanging) = (nil, true)
    let nothing: [(CounterPeriod, Replica)] = []
    let station = Station(writers: member.station.writers, last: nil, lasts: member.station.lasts, parts: nothing)
    member = FleetMember(station: station, dropped: member.dropped)
    for share in shares { member.drop(share.counter, until: share.dropped) }
    (peers, history, kept, formerName) = (FleetPeers(), HistoryNews(), LateCounts(), nil)
    endRemovals()
    bridge.forgetPublished()
    updateShares()
    core.whenDurable { [weak self] outcome in
      guard case .durable = outcome else { return }
      self?.bridge.send(last)
      // The bridge removes what the broker holds of the station except its counts, and ends its connection.
      self?.bridge.send(.left) { $0.add(Counters.LinkFleetReply.Member.left, true) }
    }
  }

  /// The state of a counter at the moment when it stops being shared as the fleet's counter `id`.
  private func endedShare(of local: Counter.ID, as id: CounterID) throws -> LeftFleetCounter {
    LeftFleetCounter(
      id: id, counter: local, event: core.ledger.lastSequence, value: core.ledger[local]?.value,
      dropped: try lastDropped(of: local))
  }

  /// The last of a counter's events whose counts are not in the value and cannot return: an undo on this station would
  /// not restore them.
  private func lastDropped(of local: Counter.ID) throws -> Int64 {
    let dropped = core.ledger.dropped[local] ?? 0
    guard let gone = core.ledger.gone[local]?.last?.upperBound, gone > dropped else { return dropped }
    let isReset = try core.storing { () throws(StoreError) in
      try core.store.isReset(local, after: gone, in: core.ledger)
    }
    return isReset ? dropped : gone
  }

  /// The counter with this name, if it can be shared.
  private func find(_ name: String) throws -> Counter {
    guard membership != nil else { throw CountingError.notInFleet }
    let counter = try core.ledger.find(.named(name))
    if counter.isStopwatch {
      throw CountingError.badSetting("name", reason: "“\(counter.name)” is a stopwatch, and these cannot be shared")
    }
    if core.ledger.isShared(counter.id) {
      throw CountingError.badSetting("name", reason: "“\(counter.name)” is shared already")
    }
    return counter
  }

  /// Shares a counter; its count so far becomes the first entry.
  func share(_ name: String) throws -> CounterID {
    let counter = try find(name)
    // Two counters with one name would never have one total.
    if let offer = peers.offers.offer(called: counter.name.text),
      member.locals[offer.id].flatMap({ core.ledger[$0] }) == nil
    {
      throw CountingError.badSetting(
        "name",
        reason: "“\(offer.station)” shares a counter “\(counter.name)” already; count that one: "
          + "tally fleet adopt \(counter.name). For a counter of its own, rename it first")
    }
    var random = SystemRandomNumberGenerator()
    let id = CounterID.random(using: &random)
    try begin(counter, as: id, bringing: .all)
    return id
  }

  /// Adopts a counter that another station shares.
  ///
  /// - Parameters:
  ///   - isBrought: whether the count of an existing counter with that name is added to the total.
  /// - Returns: the event that gives the counter the total.
  func adopt(_ name: String, bringing isBrought: Bool?, as new: String?, _ request: (Change) -> Request) throws -> (
    id: CounterID, event: Event
  ) {
    guard membership != nil else { throw CountingError.notInFleet }
    let offer = try peers.offers.offer(named: name, except: Set(counters(in: core.ledger).keys))
    // If a removed counter was shared as this counter of the fleet, waiting changes of its history are committed first,
    // under its ID.
    if member.locals[offer.id] != nil { core.showLearned(isDue: true) }
    let here = new ?? offer.name
    if (try? core.ledger.find(.named(here))) == nil {
      try checkNew(from: offer, named: name, bringing: isBrought, as: new)
      _ = try core.perform(request(.create(name: here, decimals: offer.decimals, isStopwatch: false, offer.settings)))
      try begin(try core.ledger.find(.named(here)), as: offer.id, bringing: nil)
    } else {
      let counter = try find(here)
      guard counter.decimals == offer.decimals else {
        throw CountingError.badSetting(
          "new",
          reason: "“\(counter.name)” has \(counter.decimals) decimals, and the counter of the fleet has "
            + "\(offer.decimals); give the counter of the fleet another name")
      }
      guard let isBrought else {
        throw CountingError.badSetting(
          "bring",
          reason: "“\(counter.name)” has a count of its own here; say whether it is added to the total (bring) or "
            + "dropped (from now)")
      }
      let count = isBrought ? try unsharedCount(of: counter, for: offer.id) : nil
      // The title, the step and more stay as they are here.
      let settings = offer.settings.filter {
        [.start, .period, .minimum, .maximum, .limits, .target].contains($0.key) && $0.value != counter[$0.key]
      }
      if !settings.isEmpty { _ = try core.perform(request(.set(.named(here), settings))) }
      try begin(
        try core.ledger.find(.named(here)), as: offer.id, bringing: count?.history, count?.change)
    }
    let counter = try core.ledger.find(.named(here))
    guard let event = try core.performLearned(counter.id, by: missing(in: counter), from: offer.station) else {
      throw CountingError.noSuchCounter(here)
    }
    member.stale[counter.id] = nil
    return (offer.id, event)
  }

  /// The fleet's counters that this core does not count any more.
  func formerCounters() throws -> [CounterID: Counter] {
    try core.storing { () throws(StoreError) in try core.store.formerShares() }.compactMapValues { id in
      core.ledger.isShared(id) ? nil : core.ledger[id]
    }
  }

  /// Refuses to create a counter for an offer if a counter here was shared as that counter of the fleet before, or if
  /// the caller wants to bring the count of a counter that does not exist.
  private func checkNew(from offer: Offer, named name: String, bringing isBrought: Bool?, as new: String?)
    throws
  {
    if new == nil, let former = try formerCounters()[offer.id] {
      throw CountingError.badSetting(
        "new",
        reason: "“\(offer.name)” was “\(former.name)” here before. To go on with that counter: "
          + "tally fleet adopt \(name) --as \(former.name) --bring, or --from-now. For one more, give it another name")
    }
    guard isBrought == true else { return }
    throw CountingError.badSetting(
      "bring",
      reason: "there is no counter “\((new ?? offer.name).shortened)” here whose count could be added (bring); without "
        + "that, it begins with the total of the fleet")
  }

  /// The count that a counter brings into the fleet: since its start, or since the station left the fleet.
  private func unsharedCount(of counter: Counter, for id: CounterID) throws -> (change: Int64, history: ImportedHistory)
  {
    let count = try core.storing { () throws(StoreError) in
      try core.store.unsharedCount(of: counter, for: id, in: core.ledger)
    }
    switch count {
    case .all:
      let (change, overflow) = counter.value.subtractingReportingOverflow(counter.start)
      return (overflow ? 0 : change, .own)
    case .since(let change): return (change, .ownSince)
    case .unknown:
      throw CountingError.badSetting(
        "bring",
        reason:
          "“\(counter.name)” was this counter of the fleet before, which still has those counts; since then it was "
          + "reset, removed, imported, in another fleet or in another period, so that the new counts are not known. Drop "
          + "them (from now), or give the counter of the fleet another name")
    case .learnedElsewhere:
      throw CountingError.badSetting(
        "bring",
        reason:
          "“\(counter.name)” has counts of other stations of a former fleet, which they may have brought into this one. "
          + "Drop its count (from now) and add by hand what this fleet lacks, or give the counter of the fleet another "
          + "name")
    }
  }

  /// Shares a local counter as the fleet's counter `id`.
  ///
  /// - Parameters:
  ///   - history: the part of the history that is brought; `nil` without an entry.
  ///   - count: the first entry; `nil` for the count since the start.
  private func begin(
    _ counter: Counter, as id: CounterID, bringing history: ImportedHistory?, _ count: Int64? = nil
  ) throws {
    // Counts that were dropped earlier are still not in the value.
    let dropped = history == nil ? core.ledger.lastSequence : core.ledger.dropped[counter.id] ?? 0
    let former = try member.locals[id].flatMap { $0 == counter.id ? nil : try endedShare(of: $0, as: id) }
    try core.storing { () throws(StoreError) in
      if let former { try core.store.save(former) }
      try core.store.share(counter.id, as: id, dropping: dropped)
    }
    if let former { member.drop(former.counter, until: former.dropped) }
    member.share(counter.id, as: id, dropping: dropped)
    let period = CounterPeriod(id, start: core.ledger.periodStart(of: counter))
    var entry: Entry?
    if history != nil {
      let (since, overflow) = counter.value.subtractingReportingOverflow(counter.start)
      let hasHistory = try core.storing { () throws(StoreError) in
        try core.store.hasHistory(of: counter.id, in: core.ledger)
      }
      member.count(
        count ?? (overflow ? 0 : since), in: period, room(of: id), as: core.ledger.lastSequence, isEntry: hasHistory)
      let number = member.station.number
      if hasHistory { entry = member.station.writer.map { Entry(writer: $0, number: number) } }
    }
    try core.storing { () throws(StoreError) in
      try core.store.beginHistory(of: counter.id, bringing: history, as: entry, in: core.ledger)
    }
    self.history.isBeginning = true
    // For writers known only by their counts, the report states that their history is missing here.
    for period in member.station.knowledge.periods where period.counter == id {
      for writer in member.station.knowledge[period].registers.keys {
        self.history.changed.insert(.init(counter.id, writer))
      }
    }
    member.announce(period)
    bridge.definitions.insert(counter.id)
    member.stale[counter.id] = []
    updateShares()
    // The commit is scheduled even without an entry, so that the definition is published.
    core.due?.schedule()
  }
}

extension CountingError {
  static var notInFleet: CountingError { .badSetting("fleet", reason: "this core is in no fleet; join one first") }
}
