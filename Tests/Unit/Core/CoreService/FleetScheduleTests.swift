import CoreAPI
import Counting
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

extension `Cores in a fleet` {
  @Test(.seeded, arguments: 0..<Rounds.times(1))
  func `random acts, deliveries and faults give the total of the oracle`(number: Int) throws {
    var random = Seed.generator(case: number)
    var oracle = FleetOracle()
    let (first, second) = try Self.pair()
    var stations = [first, second]
    var images: [(FleetTestStation?, FleetImage)] = []
    var retained: [([Counters.Publication], KnownActs)] = []
    let quarter: Int64 = 900_000_000
    let present = Clock.microsecondsSince1970() / quarter * quarter
    let bounds = (-6...1).map { present + Int64($0) * quarter }
    func check(_ station: FleetTestStation, _ what: String) throws {
      station.commit()
      #expect(station.counter()?.value == oracle.total(of: station.known.totals), "\(what)")
      let (found, right) = (
        try station.totals(between: bounds), oracle.totals(of: station.known.quarters, between: bounds)
      )
      #expect(found == right, "\(what): \(zip(found, right).filter { $0.0 != $0.1 }.map { "\($0.0) not \($0.1)" })")
      let shares = try station.shares()
      for period in station.fleet.member.station.knowledge.periods { station.fleet.member.keep(nil, of: period) }
      #expect(try station.shares() == shares, "\(what)")
    }
    for step in 0..<Rounds.times(40, atMost: 120) {
      let station = stations[random.below(stations.count)]
      let disorder = { (messages: [Counters.Publication]) in
        (messages + messages.filter { _ in random.happens(0.5) }).shuffled(using: &random)
      }
      var what = ""
      // Clocks need not be right.
      let time = random.whole((bounds.first ?? 0)...(bounds.last ?? 0) - 1)
      do {
        var events: [Event] = []
        switch random.below(20) {
        case 0..<6:
          what = "add"
          events = try station.perform(add(random.whole(1...9)), time: time)
        case 6:
          what = "subtract"
          events = try station.perform(
            .change(.subtract(.named("people"), amount: .units(random.whole(1...9)))), time: time)
        case 7, 8:
          what = "undo"
          events = try station.perform(.undo("people"))
          if events.contains(where: { $0.presence != .unchanged }) { _ = try station.perform(.redo("people")) }
        case 9:
          what = "redo"
          events = try station.perform(.redo("people"))
        case 10:
          what = "reset"
          events = try station.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
        case 11:
          what = "correct"
          events = try station.perform(.change(.correct(.named("people"), to: .units(random.whole(0...50)))))
        case 12, 13:
          what = "gossip"
          let other = stations[random.below(stations.count)]
          if other !== station { station.learnAll(from: other, disorder) }
        case 14:
          what = "retain"
          station.commit()
          let messages = station.fleet.everything().filter { $0.topic.contains("/reg/") } + station.history()
          retained.append((messages, oracle.announced(by: station)))
        case 15:
          what = "hear retained"
          if let (messages, acts) = retained.randomElement(using: &random) {
            _ = station.hear(disorder(messages))
            station.known.formUnion(acts)
          }
        case 16:
          what = "kill"
          if random.happens(0.5) { _ = try station.perform(add(100)) }
          if random.happens(0.3) { try station.fleet.prepareCommit() }
          station.kill()
          try station.start()
        case 17:
          what = "reboot"
          try station.reboot()
        case 18:
          what = "image"
          images.append((station, try station.image()))
        default:
          what = "restore"
          guard let (owner, image) = images.randomElement(using: &random) else { break }
          if random.happens(0.4), stations.count < 6 {
            what = "clone"
            stations.append(try FleetTestStation(copyOf: image, boot: "copy\(step)"))
          } else if let owner, random.happens(0.5) {
            try owner.restore(image)
            if random.happens(0.3) { try owner.reboot() }
          }
        }
        for event in events { oracle.note(event, at: station) }
      } catch is CountingError {
        what += " (refused)"
      }
      try check(station, "step \(step): \(what)")
    }
    // Once for what is new, once for what is missing among what is old, and once to pass it on.
    for _ in 0..<3 {
      for station in stations {
        for other in stations where other !== station { station.learnAll(from: other) }
      }
    }
    let all = stations.reduce(into: KnownActs()) { $0.formUnion($1.known) }
    for station in stations {
      #expect(station.known == all)
      try check(station, "at the end")
      let period = try #require(station.counter().flatMap(station.fleet.period(of:)))
      let share = try #require(station.core?.ledger.shares.values.first)
      let own = station.fleet.member.station.own(in: period)
      #expect(Int128(share) == own)
      try station.stopAndVerify()
    }
  }
}
