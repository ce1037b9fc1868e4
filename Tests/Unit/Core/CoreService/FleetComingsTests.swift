import Counting
import Linux
import Randomness
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

/// Counters that leave a fleet, come back, are removed, and take each other's place.
@Suite struct `Counters that come and go in a fleet` {
  @Test(.seeded, arguments: 0..<Rounds.times(2))
  func `have the sums of the oracle at all stations`(number: Int) throws {
    var random = Seed.generator(case: number)
    var world = try ComingsWorld(hasPeriods: number % 2 == 1, &random)
    for step in 0..<Rounds.times(15, atMost: 100) {
      let place = random.below(3)
      var what: String
      do {
        what = try world.act(at: place, &random)
      } catch let error as CountingError {
        what = "refused: \(error)"
      }
      what = "\(what) as step \(step) of door\(place + 1)"
      try world.checkAlone(what)
      if random.happens(0.2) { try world.checkTogether(what) }
    }
    try world.end()
  }
}

/// Three stations, and what their counters must show by the documents.
private struct ComingsWorld {
  struct Sums {
    var quarters: [Int64: Totals] = [:]
    /// The changes of the value in the present period, and in the one before.
    var present: Int64 = 0
    var past: Int64 = 0

    mutating func add(_ totals: Totals, _ change: Int64, at time: Int64, isPresent: Bool) {
      include([time / ComingsWorld.quarter: totals])
      if isPresent { present += change } else { past += change }
    }

    mutating func include(_ quarters: [Int64: Totals]) {
      for (number, totals) in quarters { self.quarters[number, default: Totals()].include(totals) }
    }
  }

  private static let quarter: Int64 = 900_000_000
  private static let hour: Int64 = 3_600_000_000
  private static let names = ["people", "other", "third"]

  private let stations: [FleetTestStation]
  private let now = Clock.microsecondsSince1970()
  private let hasPeriods: Bool
  /// The beginning of the present period.
  private var boundary: Int64 { (now / Self.hour - 12) * Self.hour }
  private var id: CounterID?

  /// What the fleet has.
  private var fleet = Sums()
  /// What each counter that is not shared has counted since it was.
  private var alone: [[Counter.ID: Sums]] = [[:], [:], [:]]
  /// The quarter hours of counters that were shared until their station left.
  private var former: [[Counter.ID: [Int64: Totals]]] = [[:], [:], [:]]
  /// Counters that another one replaced in the fleet, which show what was known then.
  private var replaced: [Set<Counter.ID>] = [[], [], []]
  /// The counts of events.
  private var counts: [[Int64: (time: Int64, totals: Totals)]] = [[:], [:], [:]]
  private var removals: [[Int64]] = [[], [], []]
  /// The last event of each counter before its count was dropped. No such count can be undone, also when its station has
  /// left, or has brought later counts into the fleet.
  private var dropped: [[Counter.ID: Int64]] = [[:], [:], [:]]

  init(hasPeriods: Bool, _ random: inout SeededRandom) throws {
    self.hasPeriods = hasPeriods
    stations = try (1...3).map { try `Cores in a fleet`.station("door\($0)") }
    try create("people", at: 0)
    for _ in 0..<3 { _ = try count("people", at: 0, &random) }
    let counter = try #require(stations[0].counter())
    id = try stations[0].fleet.share("people")
    let own = alone[0].removeValue(forKey: counter.id) ?? Sums()
    fleet.include(own.quarters)
    fleet.present += own.present
    try meet()
  }

  // MARK: Acts

  mutating func act(at place: Int, _ random: inout SeededRandom) throws -> String {
    let station = stations[place]
    var name = Self.names[random.below(3)]
    if random.happens(0.9), let there = station.core?.ledger.all.randomElement(using: &random) {
      name = there.name.text
    }
    switch random.below(20) {
    case 0..<6: return try count(name, at: place, &random)
    case 6, 7:
      let events = try station.perform(.undo(name))
      if events.contains(where: { $0.presence != .unchanged }) { _ = try station.perform(.redo(name)) }
      note(events, at: place)
      return "undo \(name)"
    case 8:
      note(try station.perform(.redo(name)), at: place)
      return "redo \(name)"
    case 9:
      try create(name, at: place)
      return "create \(name)"
    case 10:
      removals[place] += try station.perform(.change(.remove(.named(name)))).map(\.sequence)
      return "remove \(name)"
    case 11, 12:
      guard let removal = removals[place].randomElement(using: &random) else { return "nothing" }
      _ = try station.perform(.undoEvent(removal))
      return "undo removal \(removal)"
    case 13:
      let new = Self.names[random.below(3)]
      _ = try station.perform(.change(.set(.named(name), [.name: .text(new)])))
      return "rename \(name) \(new)"
    case 14:
      station.commit()
      try station.reboot()
      return "reboot"
    case 15:
      let other = random.below(3)
      if other != place { station.learnAll(from: stations[other]) }
      return "hear door\(other + 1)"
    case 16:
      guard place != 0, station.fleet.membership != nil else { return "nothing" }
      try leave(place)
      return "leave"
    default:
      if station.fleet.membership == nil {
        try station.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door\(place + 1)")
        station.commit()
      }
      for other in stations where other !== station { station.learnAll(from: other) }
      if random.happens(0.5), station.counter("people") == nil { name = "people" }
      let brings = random.happens(0.7)
      let what = "adopt \(name) \(try adopt(name, bringing: brings, at: place) ? "--bring" : "--from-now")"
      guard random.happens(0.3) else { return what }
      note(try station.perform(.undo(name)), at: place)
      return what + ", undo \(name)"
    }
  }

  private func create(_ name: String, at place: Int) throws {
    let start = boundary / Self.hour % 24
    _ = try stations[place].perform(
      .change(
        .create(
          name: name, decimals: 0, isStopwatch: false, hasPeriods ? [.period: .text("daily \(start):00 UTC")] : [:])))
  }

  private mutating func count(_ name: String, at place: Int, _ random: inout SeededRandom) throws -> String {
    let time = now - random.whole(0...20 * Self.hour)
    let amount = Quantity.units(random.whole(1...9))
    let change: Change =
      random.happens(0.8) ? .add(.named(name), amount: amount) : .subtract(.named(name), amount: amount)
    note(try stations[place].perform(.change(change), time: time), at: place)
    return "count \(name)"
  }

  /// All stations know all of it before, and the fleet still has it.
  private mutating func leave(_ place: Int) throws {
    try meet()
    let station = stations[place]
    let counters = station.fleet.member.counters.keys
    try station.leave()
    station.commit()
    for counter in counters {
      former[place][counter] = fleet.quarters
      alone[place][counter] = Sums()
    }
  }

  /// Returns whether the counts of this counter were brought.
  private mutating func adopt(_ name: String, bringing isBrought: Bool, at place: Int) throws -> Bool {
    let station = stations[place]
    let before = id.flatMap { station.fleet.member.locals[$0] }
    let isThere = station.counter(name) != nil
    try station.fleet.recordLearned()
    let last = station.core?.ledger.lastSequence
    let offer = id.flatMap { id in station.fleet.peers.offers.all.first { $0.id == id } }
    try station.adopt(
      offer?.name ?? "people", bringing: isThere ? isBrought : nil, as: name, at: now, isAdministrators: true)
    station.commit()
    let counter = try #require(station.counter(name))
    if !isThere || !isBrought { dropped[place][counter.id] = last }
    if isThere, isBrought, let own = alone[place][counter.id] {
      fleet.include(own.quarters)
      fleet.present += own.present
    }
    alone[place][counter.id] = nil
    former[place][counter.id] = nil
    replaced[place].remove(counter.id)
    if let before, before != counter.id {
      alone[place][before] = Sums()
      replaced[place].insert(before)
    }
    return isThere && isBrought
  }

  /// Adds what events have counted to the sums that they belong to.
  private mutating func note(_ events: [Event], at place: Int) {
    for event in events {
      var (time, totals) = (event.time, Totals())
      switch event.kind {
      case .added: totals = Totals(counts: 1, added: event.change)
      case .subtracted: totals = Totals(counts: 1, subtracted: -event.change)
      case .undone, .redone:
        let isCount = event.presence == .unchanged && event.change != 0
        #expect(
          !isCount || event.undoes ?? 0 > dropped[place][event.counter] ?? 0, "a dropped count was undone: \(event)")
        guard let (origin, taken) = event.undoes.flatMap({ counts[place][$0] }) else { continue }
        totals = Totals(counts: -taken.counts, added: -taken.added, subtracted: -taken.subtracted)
        time = origin
      default: continue
      }
      counts[place][event.sequence] = (time, totals)
      let isPresent = !hasPeriods || time >= boundary
      let isShared = stations[place].fleet.member.counters[event.counter] != nil
      func add(to sums: inout Sums) { sums.add(totals, totals.net, at: time, isPresent: isPresent) }
      if isShared { add(to: &fleet) } else { add(to: &alone[place][event.counter, default: Sums()]) }
    }
  }

  // MARK: Checks

  /// All stations hear each other.
  private func meet() throws {
    for _ in 0..<3 {
      for station in stations {
        for other in stations where other !== station { station.learnAll(from: other) }
      }
    }
    for station in stations { station.commit() }
  }

  private func quarters(of counter: Counter.ID, at place: Int) throws -> [Int64: Totals] {
    guard let core = stations[place].core else { return [:] }
    try core.store.flush(core.ledger.head)
    let first = now / Self.quarter - 90
    let bounds = (0...94).map { (first + $0) * Self.quarter }
    let totals = try core.store.reader.totals(of: [counter], between: bounds, now: .init(time: 0, boot: nil)).totals
    return Dictionary(uniqueKeysWithValues: totals.enumerated().map { (first + Int64($0), $1) }).visible
  }

  /// Counters that are not shared show what they counted, and what the fleet had when their station left it.
  func checkAlone(_ what: String) throws {
    for (place, station) in stations.enumerated() {
      for counter in station.core?.ledger.all ?? [] where station.fleet.member.counters[counter.id] == nil {
        guard !replaced[place].contains(counter.id) else { continue }
        var sums = Sums(quarters: former[place][counter.id] ?? [:])
        sums.include(alone[place][counter.id]?.quarters ?? [:])
        let found = try quarters(of: counter.id, at: place)
        #expect(found == sums.quarters.visible, "“\(counter.name)” of door\(place + 1) after \(what)")
      }
    }
  }

  /// All that are shared show what the fleet has.
  func checkTogether(_ what: String) throws {
    try meet()
    for (place, station) in stations.enumerated() {
      guard let id, let local = station.fleet.member.locals[id], let counter = station.core?.ledger[local] else {
        continue
      }
      let what = "of door\(place + 1) after \(what)"
      #expect(counter.value == fleet.present, "the value \(what)")
      let knowledge = station.fleet.member.station.knowledge
      let past = knowledge.periods.filter { hasPeriods && $0.start != boundary }.map { knowledge[$0].total() }
      #expect(past.reduce(0, +) == Int128(fleet.past), "the period before \(what)")
      let (found, right) = (try quarters(of: local, at: place), fleet.quarters.visible)
      let different = Set(found.keys).union(right.keys).filter { found[$0] != right[$0] }.sorted()
      let words = different.map { "\($0): \(found[$0] ?? Totals()) not \(right[$0] ?? Totals())" }
      #expect(words == [], "the totals \(what)")
    }
  }

  /// Stations that do not count it come, and hear all from the others.
  mutating func end() throws {
    for place in 1...2 where stations[place].fleet.membership == nil {
      try stations[place].fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door\(place + 1)")
      stations[place].commit()
    }
    try meet()
    for (place, station) in stations.enumerated() {
      guard let id, station.fleet.member.locals[id].flatMap({ station.core?.ledger[$0] }) == nil else { continue }
      _ = try? adopt("last", bringing: false, at: place)
    }
    try checkTogether("the end")
    for station in stations {
      try station.stopAndVerify()
    }
  }
}

extension [Int64: Totals] {
  /// Without quarter hours of nothing.
  fileprivate var visible: [Int64: Totals] { filter { $0.value != Totals() } }
}
