import CoreAPI
import Counting
import Foundation
import JSON
import Linux
import TestKit
import Testing
import Varlink

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

@Suite struct `Cores in a fleet` {
  let steady = SteadyPeriod()

  /// Two stations that share the counter “people”.
  static func pair() throws -> (FleetTestStation, FleetTestStation) {
    let first = try station("door1")
    _ = try first.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    _ = try first.fleet.share("people")
    first.commit()
    let second = try station("door2")
    second.learnAll(from: first)
    try second.adopt(isAdministrators: true)
    second.commit()
    return (first, second)
  }

  static func station(_ name: String) throws -> FleetTestStation {
    let station = try FleetTestStation(boot: "b\(name)")
    try station.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: name)
    station.commit()
    return station
  }

  func add(_ amount: Int64) -> Request.Verb { .change(.add(.named("people"), amount: .units(amount))) }

  @Test func `a limit and a goal come with the counter`() throws {
    let first = try Self.station("door1")
    let settings: Settings = [.maximum: .integer(8), .limits: .text("stop"), .target: .integer(5)]
    _ = try first.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, settings)))
    _ = try first.fleet.share("people")
    first.commit()
    // One station makes the counter, the other one has it already, with a goal of its own.
    for (name, isThere) in [("door2", false), ("door3", true)] {
      let other = try Self.station(name)
      if isThere {
        let own: Settings = [.target: .integer(7), .step: .integer(2)]
        _ = try other.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, own)))
      }
      other.learnAll(from: first)
      try other.adopt(bringing: isThere ? true : nil, isAdministrators: true)
      let counter = try #require(other.counter())
      #expect(counter.maximum == 8 && counter.limits == .stop && counter.target == 5)
      #expect(counter.step == (isThere ? 2 : 1))
    }
    // Also the mode of the limits that is the usual one.
    _ = try first.perform(.change(.set(.named("people"), [.limits: .text("refuse")])))
    first.commit()
    let strict = try Self.station("door5")
    let stopping: Settings = [.maximum: .integer(9), .limits: .text("stop")]
    _ = try strict.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, stopping)))
    strict.learnAll(from: first)
    try strict.adopt(bringing: true, isAdministrators: true)
    #expect(strict.counter()?.limits == .refuse)
    // A change is offered as well.
    _ = try first.perform(.change(.set(.named("people"), [.maximum: .integer(9)])))
    first.commit()
    let offered = first.fleet.definition(of: try #require(first.counter()).id)
    #expect(offered.first?.payload.contains("\"maximum\":9") == true)
    // Nobody can have a limit below its start.
    let forged = offered.map { Counters.Publication($0.topic, isRetained: true, $0.payload.replacing("9", with: "-9")) }
    let fourth = try Self.station("door4")
    #expect(fourth.learn(forged).problems.count == 1)
    let lowest = offered.map {
      Counters.Publication($0.topic, isRetained: true, $0.payload.replacing("\"maximum\":9", with: "\"minimum\":9"))
    }
    #expect(fourth.learn(lowest).problems.first?.contains("\"minimum\"") == true)
  }

  @Test func `commands are obeyed only where they were allowed`() throws {
    let station = try Self.station("door1")
    #expect(station.fleet.membership?.isObeying == false)
    let pem = "A root\r\n-----BEGIN CERTIFICATE-----\r\nMIIB\r\n"
    try station.fleet.join(broker: nil, fleet: nil, station: nil, authorities: pem, isObeying: true)
    #expect(station.fleet.membership?.isObeying == true && station.fleet.membership?.station == "door1")
    // A change of something else keeps both, and the journal has them.
    try station.fleet.join(broker: "mqtt://elsewhere", fleet: nil, station: nil)
    station.stop()
    try station.start()
    let kept = try #require(station.fleet.membership)
    #expect(kept.isObeying && kept.authorities == pem && kept.broker.host == "elsewhere")
    try station.fleet.join(broker: nil, fleet: nil, station: nil, authorities: "", isObeying: false)
    #expect(station.fleet.membership?.isObeying == false && station.fleet.membership?.authorities.isEmpty == true)
    for wrong in [pem + String(repeating: "x", count: 16_385), "PEM", "0 -----BEGIN CERTIFICATE-----"] {
      #expect(throws: CountingError.self) {
        try station.fleet.join(broker: nil, fleet: nil, station: nil, authorities: wrong)
      }
    }
  }

  @Test func `one undo too many never ends the counting for the fleet`() throws {
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "dogs", decimals: 0, isStopwatch: false, [:])))
    _ = try first.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    _ = try first.fleet.share("people")
    _ = try first.perform(add(1))
    first.commit()
    #expect(try first.perform(.undo("people")).map(\.change) == [-1])
    #expect {
      try first.perform(.undo("people"))
    } throws: {
      "\(($0 as? CountingError)?.message ?? "")".contains("tally remove people")
    }
    // That of all counters passes over it.
    #expect(try first.perform(.undo(nil)).map(\.name.text) == ["dogs"])
    _ = try first.perform(.redo(nil))
    _ = try first.perform(.change(.remove(.named("people"))))
    #expect(try first.perform(.undo("people")).map(\.presence) == [.appeared])
    first.commit()
    try first.leave()
    #expect(try first.perform(.undo("people")).map(\.presence) == [.disappeared])
    try first.stopAndVerify()
  }

  @Test func `counts of all stations are one total, and each knows its share`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    _ = try second.perform(add(4))
    second.learnAll(from: first)
    first.learnAll(from: second)
    for station in [first, second] {
      station.commit()
      #expect(station.counter()?.value == 7)
    }
    #expect(first.core?.ledger.shares.values.map(\.self) == [3])
    #expect(second.core?.ledger.shares.values.map(\.self) == [4])
  }

  @Test func `a learned count is no step of undo and does not end the redo chain`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    _ = try second.perform(add(4))
    _ = try first.perform(.undo("people"))
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 4)
    #expect(try first.perform(.redo("people")).map(\.change) == [3])
    #expect(first.counter()?.value == 7)
    #expect(try first.perform(.undo(nil)).map(\.change) == [-3])
    #expect(throws: CountingError.self) { try first.perform(.change(.set(.named("people"), [.start: .integer(5)]))) }
  }

  @Test func `a learned count passes limits and locks`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(.change(.set(.named("people"), [.maximum: .integer(2)])))
    _ = try first.perform(.change(.lock(.named("people"), true)))
    _ = try second.perform(add(9))
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 9)
    let learned = try first.core?.store.events(1...100, in: first.core!.ledger).filter { $0.kind == .learned } ?? []
    #expect(learned.map(\.change) == [9])
    #expect(learned.first?.cause == Cause(producer: "fleet", device: "door2"))
  }

  @Test func `what was learned with a count is not later than the count, unless that is entered later`() throws {
    let (first, second) = try Self.pair()
    for isNow in [true, false] {
      var (former, time, end): (Event?, Int64, Int64) = (nil, 1, 0)
      repeat {
        _ = try second.perform(add(4))
        first.learn(second.everything(), from: second)
        // A call has the time of its arrival, and a gesture that of the press.
        if isNow { time = Clock.microsecondsSince1970() - 20_000 }
        let added = try #require(try first.perform(add(3), time: time).first)
        end = Clock.microsecondsSince1970()
        first.commit()
        former = try first.core?.store.events(1...added.sequence, in: first.core!.ledger).dropLast().last
        // After a second, as on a machine that is very busy, the count is entered later.
      } while isNow && end - time >= 1_000_000
      #expect(former?.kind == .learned && (former?.time == time) == isNow)
    }
  }

  @Test func `adopting brings the count that is here, or drops it`() throws {
    for (brings, total) in [(true, 12), (false, 5)] as [(Bool, Int64)] {
      let (first, _) = try Self.pair()
      _ = try first.perform(add(5))
      let third = try Self.station("door3")
      _ = try third.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
      _ = try third.perform(add(7))
      third.learnAll(from: first)
      let request = { (change: Change) in Request(.change(change), time: 1, cause: Cause(producer: "test")) }
      #expect(throws: CountingError.self) { try third.fleet.adopt("people", bringing: nil, as: nil, request) }
      _ = try third.fleet.adopt("people", bringing: brings, as: nil, request)
      third.commit()
      #expect(third.counter()?.value == total)
      first.learnAll(from: third)
      first.commit()
      #expect(first.counter()?.value == total)
    }
  }

  @Test func `a writer goes on only where the journal is proven to continue`() throws {
    let (first, _) = try Self.pair()
    func press() throws -> WriterID? {
      _ = try first.perform(add(1))
      first.commit()
      return first.fleet.member.station.writer
    }
    let writer = try press()
    first.kill()
    try first.start()
    #expect(try press() == writer)
    let image = try first.image()
    #expect(try press() == writer)
    // The proof is ahead of the journal.
    try first.restore(image)
    let next = try press()
    #expect(next != writer)
    try first.reboot()
    #expect(try press() != next)
    #expect(first.counter()?.value == 4)
    // The proof was written, and the commit was not.
    let last = try press()
    _ = try first.perform(add(1))
    try first.fleet.prepareCommit()
    first.kill()
    try first.start()
    #expect(try press() != last)
    #expect(first.counter()?.value == 6)
  }

  @Test func `a count of an ended period, its undo and its redo leave the present total`() throws {
    let first = try Self.station("door1")
    _ = try first.perform(
      .change(.create(name: "people", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)])))
    _ = try first.fleet.share("people")
    let second = try Self.station("door2")
    second.learnAll(from: first)
    try second.adopt(at: Clock.microsecondsSince1970())
    let hours: Int64 = 3_600_000_000
    let past = Clock.microsecondsSince1970() - 3 * hours
    _ = try first.perform(add(2))
    let late = try first.perform(add(5), time: past)
    #expect(late.map(\.kind) == [.added, .renewed])
    func totals(_ station: FleetTestStation) -> [Int128] {
      station.commit()
      let knowledge = station.fleet.member.station.knowledge
      return knowledge.periods.sorted { $0.start ?? 0 < $1.start ?? 0 }.map { knowledge[$0].total() }
    }
    #expect(totals(first) == [5, 2])
    _ = try first.perform(.undoEvent(late[0].sequence))
    #expect(totals(first) == [0, 2])
    _ = try first.perform(.redo("people"))
    #expect(totals(first) == [5, 2])
    #expect(first.counter()?.value == 2)
    second.learnAll(from: first)
    #expect(totals(second) == [5, 2])
    #expect(second.counter()?.value == 2)
    for station in [first, second] {
      try station.stopAndVerify()
    }
  }

  @Test func `a period that ends here takes what others have counted in the next one`() throws {
    let first = try Self.station("door1")
    let past = Clock.microsecondsSince1970() - 3 * 3_600_000_000
    _ = try first.core?.perform(
      Request(
        .change(.create(name: "people", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)])), time: past,
        cause: Cause(producer: "test")))
    _ = try first.fleet.share("people")
    let second = try Self.station("door2")
    second.learnAll(from: first)
    try second.adopt(at: Clock.microsecondsSince1970())
    _ = try second.perform(add(4))
    first.learnAll(from: second)
    // Still in the period that has ended.
    first.commit()
    #expect(first.counter()?.value == 0)
    _ = try first.perform(add(1))
    first.commit()
    second.learnAll(from: first)
    second.commit()
    #expect(first.counter()?.value == 5)
    #expect(second.counter()?.value == 5)
  }

  @Test func `a reset that is undone brings nothing back that another reset took away`() throws {
    let (first, second) = try Self.pair()
    let reset = Request.Verb.change(.reset(.one(.named("people")), isConfirmed: true))
    _ = try first.perform(add(3))
    second.learnAll(from: first)
    _ = try first.perform(reset)
    _ = try second.perform(reset)
    first.learnAll(from: second)
    _ = try first.perform(.undo("people"))
    first.commit()
    #expect(first.counter()?.value == 0)
    _ = try second.perform(.undo("people"))
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 3)
    // Done again after a restart, which knows the reset from the journal.
    first.kill()
    try first.start()
    _ = try first.perform(.redo("people"))
    first.commit()
    #expect(first.counter()?.value == 0)
    try first.stopAndVerify()
  }

  @Test func `counts move to the present period when the clock is set back`() throws {
    let first = try Self.station("door1")
    let ahead = Clock.microsecondsSince1970() + 3 * 3_600_000_000
    let cause = Cause(producer: "test")
    _ = try first.core?.perform([
      Request(
        .change(.create(name: "people", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)])),
        time: ahead,
        cause: cause), Request(add(3), time: ahead, cause: cause),
    ])
    _ = try first.fleet.share("people")
    first.commit()
    #expect(first.counter()?.value == 3)
    _ = try first.perform(add(1))
    first.commit()
    let knowledge = first.fleet.member.station.knowledge
    #expect(knowledge.periods.sorted { $0.start ?? 0 < $1.start ?? 0 }.map { knowledge[$0].total() } == [4, 0])
    #expect(first.counter()?.value == 4)
    #expect(first.core?.ledger.shares.values.first == 4)
  }

  @Test func `leaving keeps the value, and the others keep the counts`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    second.learnAll(from: first)
    second.commit()
    try first.leave()
    first.commit()
    #expect(first.counter()?.value == 3)
    #expect(first.core?.ledger.shares.isEmpty == true)
    _ = try first.perform(add(1))
    #expect(first.everything().isEmpty)
    #expect(second.counter()?.value == 3)
  }

  private func adopt(_ station: FleetTestStation, bringing isBrought: Bool, as name: String? = nil) throws {
    try station.adopt(bringing: isBrought, as: name)
  }

  @Test func `a station that was in the fleet before brings only what it has counted since`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    _ = try second.perform(add(4))
    first.learnAll(from: second)
    second.learnAll(from: first)
    second.commit()
    try second.leave()
    _ = try second.perform(add(9))
    _ = try second.perform(.undo("people"))
    _ = try second.perform(add(2))
    // Takes back what the fleet has.
    _ = try second.perform(.change(.subtract(.named("people"), amount: .units(1))))
    try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
    second.learnAll(from: first)
    try adopt(second, bringing: true)
    for _ in 0..<2 {
      first.learnAll(from: second)
      second.learnAll(from: first)
    }
    let now = Clock.microsecondsSince1970()
    for station in [first, second] {
      station.commit()
      #expect(station.counter()?.value == 8)
      #expect(
        try station.totals(between: [now - 7_200_000_000, now + 7_200_000_000])
          == [Totals(counts: 4, added: 9, subtracted: 1)])
    }
    // Its former counts are its own.
    #expect(second.core?.ledger.shares.values.first == 5)
    #expect(first.core?.ledger.shares.values.first == 3)
    // The second time, after a restart.
    try second.leave()
    second.commit()
    second.kill()
    try second.start()
    try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
    _ = try second.perform(add(1))
    second.learnAll(from: first)
    try adopt(second, bringing: true)
    second.commit()
    #expect(second.counter()?.value == 9)
    for station in [first, second] {
      try station.stopAndVerify()
    }
  }

  @Test(
    arguments: [
      (.create(name: "people"), "people", false), (.create(name: "people", decimals: 2), nil, true),
      (.create(name: "people", isStopwatch: true), nil, true),
      (.createFormula(name: "people", [.formula: .text("1 + 1")]), nil, true), (.create(name: "dogs"), nil, false),
    ] as [(Change, String?, Bool)])
  func `an offer says whether a counter of its name can become it, or something else has the name`(
    change: Change, here: String?, isTaken: Bool
  ) throws {
    let (first, second) = (try Self.station("door1"), try Self.station("door2"))
    _ = try first.perform(.change(.create(name: "people")))
    _ = try first.fleet.share("people")
    first.commit()
    _ = try second.perform(.change(change))
    second.learnAll(from: first)
    let offer = try #require(Counters.FleetReply(try second.fleet.state().parsed()).offers.first)
    #expect((offer.here, offer.isTaken) == (here, isTaken))
    if isTaken { #expect(throws: CountingError.self) { try adopt(second, bringing: false) } }
    try adopt(second, bringing: false, as: isTaken ? "visitors" : nil)
  }

  @Test func `a counter that was the fleet's under another name is not made again beside it`() throws {
    let (first, second) = try Self.pair()
    _ = try second.perform(add(4))
    _ = try second.perform(.change(.set(.named("people"), [.name: .text("visitors")])))
    first.learnAll(from: second)
    second.commit()
    try second.leave()
    _ = try second.perform(.change(.add(.named("visitors"), amount: .units(7))))
    try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
    second.learnAll(from: first)
    func here() throws -> String? {
      Counters.FleetReply(try second.fleet.state().parsed()).offers.first?.here
    }
    #expect(try here() == "visitors")
    for isBrought in [true, false] {
      let refusal = #expect(throws: CountingError.self) { try adopt(second, bringing: isBrought) }
      #expect("\(try #require(refusal))".contains("tally fleet adopt people --as visitors --bring"))
    }
    let refusal = #expect(throws: CountingError.self) { try adopt(second, bringing: true, as: "guests") }
    #expect("\(try #require(refusal))".contains("no counter “guests” here"))
    #expect(second.counter() == nil)
    try adopt(second, bringing: true, as: "visitors")
    #expect(second.counter("visitors")?.value == 11)
    #expect(try here() == nil)
  }

  @Test func `a station that was in the fleet before says when it cannot tell what it has counted since`() throws {
    for isUndone in [false, true] {
      let (first, second) = try Self.pair()
      _ = try second.perform(add(4))
      first.learnAll(from: second)
      second.commit()
      try second.leave()
      _ = try second.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
      if isUndone { _ = try second.perform(.undo("people")) }
      _ = try second.perform(add(2))
      try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
      second.learnAll(from: first)
      let refusal = #expect(throws: CountingError.self) { try adopt(second, bringing: true) }
      #expect("\(try #require(refusal))".contains("reset"))
      try adopt(second, bringing: false)
      second.commit()
      #expect(second.counter()?.value == 4)
    }
  }

  /// Two stations have counted 10 and 5.
  private func talkingPair() throws -> (FleetTestStation, FleetTestStation, talk: () throws -> Void) {
    let (first, second) = try Self.pair()
    func talk() throws {
      for _ in 0..<2 {
        first.learnAll(from: second)
        second.learnAll(from: first)
      }
      first.commit()
      second.commit()
    }
    _ = try first.perform(add(10))
    _ = try second.perform(add(5))
    try talk()
    return (first, second, talk)
  }

  @Test func `a count that another station's reset took away is not undone`() throws {
    let (first, second, talk) = try talkingPair()
    let count = try #require(second.core?.ledger.lastSequence)
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    try talk()
    #expect(second.counter()?.value == 0)
    for verb in [Request.Verb.undo("people"), .undo(nil), .undoEvent(count)] {
      #expect(throws: CountingError.self) { try second.perform(verb) }
    }
    _ = try second.perform(add(7))
    _ = try second.perform(.undo("people"))
    #expect(throws: CountingError.self) { try second.perform(.undo("people")) }
    _ = try second.perform(.redo("people"))
    try talk()
    #expect(first.counter()?.value == 7)
    // The reset is undone, and so the count can be.
    _ = try first.perform(.undo("people"))
    try talk()
    #expect(second.counter()?.value == 22)
    for value in [15, 10] as [Int64] {
      _ = try second.perform(.undo("people"))
      try talk()
      #expect(first.counter()?.value == value)
      #expect(second.counter()?.value == value)
    }
  }

  @Test func `after a journal was put back, what may be undone already is not undone, and new counts are`() throws {
    let (first, second) = try Self.pair()
    let count = try #require(try first.perform(add(5)).first?.sequence)
    let image = try first.image()
    _ = try first.perform(.undo("people"))
    second.learnAll(from: first)
    try first.restore(image)
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 0)
    for verb in [Request.Verb.undo("people"), .undoEvent(count)] {
      #expect(throws: CountingError.self) { try first.perform(verb) }
    }
    for amount in [1, 2] as [Int64] { _ = try first.perform(add(amount)) }
    _ = try first.perform(.undo("people"))
    #expect(first.counter()?.value == 1)
    first.commit()
    first.kill()
    try first.start()
    #expect(throws: CountingError.self) { try first.perform(.undoEvent(count)) }
    _ = try first.perform(.undo("people"))
    #expect(throws: CountingError.self) { try first.perform(.undo("people")) }
    second.learnAll(from: first)
    for station in [first, second] {
      station.commit()
      #expect(station.counter()?.value == 0)
    }
  }

  @Test func `after a journal was put back, a reset is known to have taken away the counts before it only`() throws {
    let (first, second) = try Self.pair()
    let reset = Request.Verb.change(.reset(.one(.named("people")), isConfirmed: true))
    _ = try first.perform(add(5))
    let image = try first.image()
    // Numbers that the journal uses again.
    for _ in 0..<6 { _ = try first.perform(add(1)) }
    second.learnAll(from: first)
    try first.restore(image)
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 11)
    _ = try second.perform(reset)
    first.learnAll(from: second)
    first.commit()
    for _ in 0..<9 { _ = try first.perform(add(1)) }
    #expect(first.counter()?.value == 9)
    for _ in 0..<9 { _ = try first.perform(.undo("people")) }
    #expect(first.counter()?.value == 0)
    #expect(throws: CountingError.self) { try first.perform(.undo("people")) }
  }

  @Test func `the undo of a count that a reset took away is not redone`() throws {
    let (first, second, talk) = try talkingPair()
    _ = try second.perform(.undo("people"))
    try talk()
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    try talk()
    #expect(throws: CountingError.self) { try second.perform(.redo("people")) }
    #expect(second.counter()?.value == 0)
  }

  @Test func `counts that several undos passed over are undone when they are back`() throws {
    let (first, second, talk) = try talkingPair()
    _ = try second.perform(.change(.create(name: "bags")))
    for _ in 0..<2 { _ = try second.perform(.change(.add(.named("bags"), amount: .units(1)))) }
    _ = try second.perform(add(7))
    try talk()
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    try talk()
    // The second one knows the range that the first one has skipped.
    for _ in 0..<2 { #expect(try second.perform(.undo(nil)).map(\.name.text) == ["bags"]) }
    _ = try first.perform(.undo("people"))
    try talk()
    #expect(try second.perform(.undo(nil)).map(\.change) == [-7])
    try talk()
    #expect(first.counter()?.value == 15)
  }

  @Test func `an undo passes over a bounded number of counts, however often it is tried`() throws {
    let (first, second, talk) = try talkingPair()
    _ = try second.perform(.change(.create(name: "bags")))
    for _ in 0..<4100 { _ = try second.perform(add(1)) }
    try talk()
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    try talk()
    for _ in 0..<3 {
      #expect(throws: CountingError.self) { try second.perform(.undo(nil)) }
      #expect(throws: CountingError.self) { try second.perform(.undo("people")) }
    }
    #expect(second.counter("bags") != nil)
  }

  @Test func `counts that were dropped at the adoption are not undone`() throws {
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "people")))
    _ = try first.fleet.share("people")
    _ = try first.perform(add(10))
    let second = try Self.station("door2")
    _ = try second.perform(.change(.create(name: "people")))
    _ = try second.perform(add(5))
    second.learnAll(from: first)
    try adopt(second, bringing: false)
    second.commit()
    for isRestarted in [false, true] {
      if isRestarted {
        second.kill()
        try second.start()
      }
      _ = try second.perform(add(1))
      _ = try second.perform(.undo("people"))
      #expect(throws: CountingError.self) { try second.perform(.undo("people")) }
      #expect(second.counter()?.value == 10)
    }
  }

  @Test func `the statistics do not begin with counts that were dropped at the adoption`() throws {
    let now = Clock.microsecondsSince1970()
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "people")))
    _ = try first.fleet.share("people")
    _ = try first.perform(add(2))
    let second = try Self.station("door2")
    _ = try second.perform(.change(.create(name: "people")))
    _ = try second.perform(add(5), time: now - 30 * 3_600_000_000)
    second.learnAll(from: first)
    try adopt(second, bringing: false)
    for _ in 0..<2 {
      second.learnAll(from: first)
      first.learnAll(from: second)
    }
    second.commit()
    for station in [first, second] {
      let (core, counter) = (try #require(station.core), try #require(station.counter()))
      try core.store.flush(core.ledger.head)
      let found = try core.store.reader.statistics(
        of: [counter.id], from: now - 40 * 3_600_000_000, until: now + 3_600_000_000, now: .init(time: 0, boot: nil))
      #expect(found.totals == Totals(counts: 1, added: 2))
      #expect(found.gap == nil)
      #expect(try #require(found.first) > now - 1_800_000_000)
      #expect(try #require(found.busiest).start > now - 1_800_000_000)
    }
  }

  @Test func `a reset of counts that were dropped at the adoption is not undone`() throws {
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "people")))
    _ = try first.fleet.share("people")
    _ = try first.perform(add(10))
    let second = try Self.station("door2")
    _ = try second.perform(.change(.create(name: "people")))
    _ = try second.perform(add(5))
    _ = try second.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    let reset = try #require(second.core?.ledger.lastSequence)
    second.learnAll(from: first)
    try adopt(second, bringing: false)
    for verb in [Request.Verb.undo("people"), .undo(nil), .undoEvent(reset)] {
      #expect(throws: CountingError.self) { try second.perform(verb) }
    }
    #expect(second.counter()?.value == 10)
  }

  @Test func `counts that the fleet does not have are not undone when the station has left, and has returned`() throws {
    for isReset in [false, true] {
      let (first, second, talk) = try talkingPair()
      if isReset {
        _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
        try talk()
      } else {
        try second.leave()
        try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
        second.learnAll(from: first)
        try adopt(second, bringing: false)
        try talk()
      }
      let value: Int64 = isReset ? 0 : 15
      func refuse() throws {
        for _ in 0..<2 {
          for verb in [Request.Verb.undo("people"), .undo(nil)] {
            #expect(throws: CountingError.self) { try second.perform(verb) }
          }
          #expect(second.counter()?.value == value)
          second.commit()
          second.kill()
          try second.start()
        }
      }
      try second.leave()
      try refuse()
      _ = try second.perform(add(1))
      _ = try second.perform(.undo("people"))
      try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
      second.learnAll(from: first)
      try adopt(second, bringing: true)
      try talk()
      #expect(first.counter()?.value == value)
      try refuse()
      try second.stopAndVerify()
    }
  }

  @Test func `counts come back with the undo of a reset that was made here before the station left`() throws {
    let (_, second, talk) = try talkingPair()
    _ = try second.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    try talk()
    try second.leave()
    for value in [15, 10] as [Int64] {
      _ = try second.perform(.undo("people"))
      #expect(second.counter()?.value == value)
    }
  }

  @Test func `each counter that was the fleet's before brings only what it has counted since`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(10))
    _ = try second.perform(add(5))
    first.learnAll(from: second)
    second.learnAll(from: first)
    second.commit()
    for (name, isBrought) in [("other", false), ("people", true)] {
      try second.leave()
      second.commit()
      try second.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
      second.learnAll(from: first)
      try adopt(second, bringing: isBrought, as: name)
      second.commit()
      first.learnAll(from: second)
      first.commit()
      #expect(first.counter()?.value == 15)
      #expect(second.counter(name)?.value == 15)
    }
  }

  @Test func `a counter whose place another one took does not bring what the fleet has`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(10))
    _ = try second.perform(add(5))
    first.learnAll(from: second)
    second.learnAll(from: first)
    second.commit()
    _ = try second.perform(.change(.remove(.named("people"))))
    let removal = try #require(second.core?.ledger.lastSequence)
    try adopt(second, bringing: false, as: "other")
    _ = try second.perform(.undoEvent(removal))
    _ = try second.perform(.change(.remove(.named("other"))))
    let refusal = #expect(throws: CountingError.self) { try adopt(second, bringing: true) }
    #expect("\(try #require(refusal))".contains("removed"))
    try adopt(second, bringing: false)
    second.commit()
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 15)
  }

  @Test func `counts of other stations are not brought into another fleet`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(10))
    second.learnAll(from: first)
    second.commit()
    for (station, name) in [(first, "door1"), (second, "door2")] {
      try station.leave()
      station.commit()
      try station.fleet.join(broker: "mqtt://localhost", fleet: "other", station: name)
    }
    _ = try first.fleet.share("people")
    first.commit()
    second.learnAll(from: first)
    let refusal = #expect(throws: CountingError.self) { try adopt(second, bringing: true) }
    #expect("\(try #require(refusal))".contains("other stations"))
    try adopt(second, bringing: false)
    second.commit()
    #expect(second.counter()?.value == 10)
  }

  @Test(arguments: ["dogs", "people"])
  func `an undo of many events is done in pieces unless one of them is of a shared counter`(name: String) throws {
    let station = try Self.station("door1")
    let core = try #require(station.core)
    for one in ["people", "dogs"] {
      _ = try station.perform(.change(.create(name: one, decimals: 0, isStopwatch: false, [:])))
    }
    var archive = Archive()
    for number in 0..<4200 {
      try archive.add(Archive.Count(name: name, time: Int64(1_600_000_000_000_000 + number), amount: "1"))
    }
    _ = try core.importArchive(archive, onClash: .merge, isTrial: false)
    _ = try station.fleet.share("people")
    station.commit()
    let total = try #require(station.counter()?.value)
    var replaced = 0
    core.onReplaced = { replaced += 1 }
    let isShared = name == "people"
    // The events of the pieces between are not kept in memory.
    #expect(try (station.perform(.undo(name)).count == 4200) == isShared)
    station.commit()
    #expect(station.counter(name)?.value == 0)
    #expect(try (station.perform(.redo(name)).count == 4200) == isShared)
    station.commit()
    #expect(station.counter(name)?.value == 4200)
    #expect(replaced == (isShared ? 0 : 2))
    // The fleet has heard of all.
    #expect(station.counter()?.value == total)
    let id = try #require(station.fleet.member.counters.values.first)
    #expect(station.fleet.member.station.own(in: CounterPeriod(id, start: nil)) == Int128(total))
    try station.stopAndVerify()
  }

  /// A station that adopts `people` after an import of 4,200 counts, of which `bags` has those in a range.
  private func importer(ofBags bags: Range<Int>) throws -> (FleetTestStation, FleetTestStation) {
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "people")))
    _ = try first.fleet.share("people")
    _ = try first.perform(add(100))
    let second = try Self.station("door2")
    for name in ["people", "bags"] { _ = try second.perform(.change(.create(name: name))) }
    var archive = Archive()
    for number in 0..<4200 {
      let name = bags.contains(number) ? "bags" : "people"
      try archive.add(Archive.Count(name: name, time: Int64(1_600_000_000_000_000 + number), amount: "1"))
    }
    _ = try second.core?.importArchive(archive, onClash: .merge, isTrial: false)
    second.learnAll(from: first)
    try adopt(second, bringing: false)
    second.commit()
    return (first, second)
  }

  /// The undo begins with the last count: all counts beyond its first piece are dropped, or those between, or all of its
  /// first piece.
  @Test(arguments: [4199..<4200, 50..<4200, 0..<104])
  func `the undo of a large import takes no dropped counts off the fleet`(bags: Range<Int>) throws {
    let (first, second) = try importer(ofBags: bags)
    for (isRedo, value) in [(false, 0), (true, Int64(bags.count))] {
      _ = try second.perform(isRedo ? .redo(nil) : .undo(nil))
      #expect(second.counter("bags")?.value == value)
      second.commit()
      first.learnAll(from: second)
      for station in [first, second] { #expect(station.counter()?.value == 100) }
    }
    try second.stopAndVerify()
  }

  @Test func `a dropped count of an import is refused for what it is`() throws {
    let (_, second) = try importer(ofBags: 0..<0)
    let core = try #require(second.core)
    let count = try #require(try core.store.events(1...1000, in: core.ledger).last)
    let refusal = #expect(throws: CountingError.self) { try second.perform(.undoEvent(count.sequence)) }
    let words = try #require(refusal).message
    #expect(words.contains("dropped"))
    #expect(second.counter()?.value == 100)
  }

  @Test func `the trouble of two stations with one name ends when one of them takes another`() throws {
    let stations = try (0..<3).map { try Self.station($0 < 2 ? "door1" : "door3") }
    func hear(_ speaker: FleetTestStation) {
      for hearer in stations where hearer !== speaker {
        let said = speaker.everything().filter { $0.topic.hasSuffix("/station") }
        _ = hearer.hear(said.map { Counters.Publication($0.topic, isRetained: false, $0.payload) })
      }
    }
    func problems() -> [Int] {
      stations.map { $0.problems.sentences(at: Clock.boottime()).count }
    }
    hear(stations[0])
    hear(stations[1])
    #expect(problems() == [1, 1, 1])
    try stations[1].fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door2")
    let farewell = [Counters.Publication("door1/station", isRetained: true, "")]
    for hearer in [stations[0], stations[2]] { _ = hearer.hear(farewell) }
    hear(stations[0])
    hear(stations[1])
    #expect(problems() == [0, 0, 0])
    // Again, and one of them leaves: the other one says that it is still there.
    try stations[1].fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door1")
    hear(stations[0])
    hear(stations[1])
    #expect(problems() == [1, 1, 1])
    try stations[1].leave()
    #expect(stations[0].hear(farewell).isEmpty)
    #expect(stations[0].problems.isDescribing)
    _ = stations[2].hear(farewell)
    #expect(stations[2].fleet.peers.stations["door1"] == nil)
    hear(stations[0])
    #expect(problems() == [0, 0, 0])
  }

  @Test func `a copy that runs beside its original is told as another station of its name, a reboot is not`() throws {
    let (first, second) = try Self.pair()
    func report(_ speaker: FleetTestStation, to hearers: FleetTestStation...) {
      speaker.commit()
      for hearer in hearers { _ = hearer.hear(speaker.everything().filter { $0.topic.hasSuffix("/knows") }) }
    }
    func clashes(_ station: FleetTestStation) -> [String] {
      station.problems.sentences(at: Clock.boottime())
    }
    _ = try first.perform(add(1))
    report(first, to: first, second)
    let image = try first.image()
    try first.reboot()
    _ = try first.perform(add(1))
    report(first, to: first, second)
    report(first, to: first, second)
    #expect([first, second].map(clashes) == [[], []])

    let copy = try FleetTestStation(copyOf: image, boot: "copy")
    _ = try copy.perform(add(1))
    report(copy, to: first, second)
    report(first, to: copy, second)
    let advice = "Give one of them another name: tally fleet join --station NAME"
    #expect(clashes(second) == ["Two stations are called “door1”. \(advice)"])
    for station in [first, copy] {
      #expect(clashes(station) == ["Another station is called “door1”, too. \(advice)"])
    }

    try copy.fleet.join(broker: "mqtt://localhost", fleet: "venue", station: "door3")
    for station in [first, second] { _ = station.hear([Counters.Publication("door1/station", isRetained: true, "")]) }
    report(copy, to: first, second)
    report(first, to: copy, second)
    #expect([first, second, copy].map(clashes) == [[], [], []])
  }

  @Test func `a copy whose original goes on as the same writer is told, and becomes a station of its own`() throws {
    let (first, second) = try Self.pair()
    func report(_ speaker: FleetTestStation, to hearers: FleetTestStation...) {
      speaker.commit()
      let said = speaker.everything().filter { ["station", "knows"].contains($0.topic.split(separator: "/").last) }
      for hearer in hearers {
        _ = hearer.hear(said.map { Counters.Publication($0.topic, isRetained: false, $0.payload) })
      }
    }
    _ = try first.perform(add(1))
    report(first, to: first, second)
    let copy = try FleetTestStation(copyOf: try first.image(), boot: "copy")
    _ = try copy.perform(add(1))
    _ = try first.perform(add(1))
    report(copy, to: copy)
    #expect(copy.fleet.bridge.report?.isCopied == false)
    report(first, to: copy)
    #expect(copy.fleet.bridge.report?.isCopied == true && copy.fleet.bridge.report?.problems.count == 1)
    let id = copy.fleet.membership?.id
    try copy.fleet.join(broker: nil, fleet: nil, station: "door3")
    #expect(copy.fleet.membership?.id != id)
    // Both are missed when they are offline.
    for station in [first, copy] { report(station, to: second) }
    _ = second.hear(["door1", "door3"].map { .init("\($0)/online", isRetained: false, "online") })
    _ = second.hear([.init("door1/online", isRetained: false, "offline")])
    #expect(second.fleet.peers.stations["door1"]?.isOnline == false)
    #expect(second.fleet.peers.stations["door3"]?.isOnline == true)
  }

  @Test func `bad messages change nothing and are told once each`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    _ = try second.perform(add(4))
    first.learnAll(from: second)
    first.commit()
    let id = try #require(first.fleet.member.locals.keys.first)
    let writer = String(repeating: "a", count: 64)
    let big = String(repeating: "9", count: 30)
    let bad: [(String, String)] = [
      ("", ""), ("/", "{}"), ("DOOR/station", "{}"), ("door9/station", "{"), ("door9/station", "{\"version\":2}"),
      ("door9/station", "{\"version\":1,\"id\":7}"), ("door1/station", "{\"version\":1,\"id\":\"\(id)\"}"),
      ("door9/def/x", "{}"), ("door9/def/\(id)", "{\"version\":1,\"counter\":\"\(id)\",\"name\":\"\"}"),
      ("door9/reg/a/\(id)/0", "[]"), ("door9/reg/a/\(id)/0", String(repeating: "x", count: 20_000)),
      ("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[[\"\(writer)\",\(big),1,0,1]]}"),
      ("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[[\"\(writer)\",1,-1,0,1]]}"),
      ("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"period\":-5,\"registers\":[]}"),
      ("door9/answer", "{\"version\":1,\"counter\":\"\(id)\",\"history\":[[\"\(writer)\",-1,0,0]]}"),
      ("door9/answer", "{\"version\":1,\"counter\":\"\(id)\",\"wanted\":[],\"of\":\"+\"}"),
      ("door9/answer", "{\"version\":1,\"counter\":\"\(id)\",\"quarters\":[]}"),
      (
        "door9/reg/a/\(id)/0",
        "{\"version\":1,\"counter\":\"\(id)\",\"writer\":\"\(writer)\",\"until\":[9,1],\"quarters\":[[1,9]]}"
      ),
      (
        "door9/reg/a/\(id)/0",
        "{\"version\":1,\"counter\":\"\(id)\",\"writer\":\"\(writer)\",\"until\":[9,1],"
          + "\"quarters\":[[\(Int64.max),9,1,1,1]]}"
      ),
      ("door9/knows", "{\"version\":1,\"counters\":5}"), ("door9/knows/\(id)", "null"), ("door9/answer", "{}"),
      (String(repeating: "a/", count: 400), "{}"),
    ]
    for repetition in 0..<2 {
      for (topic, payload) in bad {
        let told = first.learn([.init(topic, payload)])
        #expect(told.problems.count <= (repetition == 0 ? 1 : 0), "\(topic)")
        #expect(told.publications.isEmpty)
      }
    }
    #expect(first.fleet.bridge.report?.problems.isEmpty == false)
    first.commit()
    #expect(first.counter()?.value == 7)
  }

  @Test func `absurd registers refuse no count, never overflow, and vanish with a reset`() throws {
    let (first, _) = try Self.pair()
    let id = try #require(first.fleet.member.locals.keys.first)
    for digit in ["a", "b", "c"] {
      let writer = String(repeating: digit, count: 64)
      _ = first.learn([
        .init(
          "door9/reg/a/\(id)/0",
          "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[[\"\(writer)\",\(Int64.max),\(Int64.max),0,1]]}")
      ])
      first.commit()
    }
    #expect(first.counter()?.value == 1 << 62)
    // What others claim refuses no count here.
    _ = try first.perform(add(1))
    first.commit()
    #expect(first.core?.ledger.shares.values.first == 1)
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    first.commit()
    #expect(first.counter()?.value == 0)
    _ = try first.perform(add(1))
    try first.stopAndVerify()
  }

  @Test func `a group of changes that is refused leaves no act`() throws {
    let (first, _) = try Self.pair()
    _ = try first.perform(add(2))
    let cause = Cause(producer: "test")
    let requests = [
      Request(add(5), time: 1, cause: cause),
      Request(.change(.add(.named("missing"), amount: nil)), time: 1, cause: cause),
    ]
    #expect(throws: CountingError.self) { try first.core?.perform(requests) }
    first.commit()
    #expect(first.counter()?.value == 2)
    #expect(first.core?.ledger.shares.values.first == 2)
    first.kill()
    try first.start()
    first.commit()
    #expect(first.counter()?.value == 2)
  }

  @Test func `messages of others cause few lines in the log`() throws {
    let (first, _) = try Self.pair()
    let told = (0..<500).flatMap { first.learn([.init("door\($0)/station", "x\n\($0)")]).problems }
    #expect(told.count <= FleetLog.most)
    #expect(first.problems.sentences(at: Clock.boottime()).count <= FleetLog.most)
    #expect(told.allSatisfy { !$0.contains("\n") })
  }

  @Test func `what was lost with a failed commit is asked for when the journal takes changes again`() throws {
    let (first, second) = try Self.pair()
    _ = try second.perform(add(4))
    _ = first.hear(second.everything())
    let full = StoreError(.full, "The disk is full.")
    #expect(throws: full) { try first.core?.storing { () throws(StoreError) in throw full } }
    // A commit of nothing says nothing about the journal.
    first.commit()
    #expect(first.counter()?.value == 0)
    #expect(first.fleet.hasLostLearned)
    first.fleet.tryJournal()
    #expect(!first.fleet.hasLostLearned)
    first.learnAll(from: second)
    first.commit()
    #expect(first.counter()?.value == 4)
  }

  @Test func `nothing is learned after a failure of the journal`() throws {
    let (first, second) = try Self.pair()
    _ = try second.perform(add(4))
    let messages = second.everything()
    #expect(throws: StoreError.self) {
      try first.core?.storing { () throws(StoreError) in throw StoreError(.failed, "The disk is gone.") }
    }
    #expect(first.core?.failure != nil)
    let knowledge = first.fleet.member.station.knowledge
    #expect(first.hear(messages).isEmpty)
    let isSame = first.fleet.member.station.knowledge == knowledge
    #expect(isSame)
    #expect(first.fleet.member.unsaved.isEmpty)
  }
}
