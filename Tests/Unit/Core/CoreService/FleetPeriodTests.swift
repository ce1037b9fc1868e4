import CoreAPI
import Counting
import Foundation
import Linux
import TestKit
import Testing

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

extension `Cores in a fleet` {
  private static let hour: Int64 = 3_600_000_000

  /// Two stations that share the hourly counter “people”.
  private func hourly() throws -> (FleetTestStation, FleetTestStation) {
    let first = try Self.station("door1")
    _ = try first.perform(
      .change(.create(name: "people", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)])))
    _ = try first.fleet.share("people")
    first.commit()
    let second = try Self.station("door2")
    try adopt(second, from: first)
    return (first, second)
  }

  private func adopt(_ station: FleetTestStation, from other: FleetTestStation) throws {
    station.learnAll(from: other)
    try station.adopt(at: Clock.microsecondsSince1970())
    station.commit()
  }

  @Test func `a late count keeps the limits of its period with the counts of all stations`() throws {
    let (first, second) = (try Self.station("door1"), try Self.station("door2"))
    let settings: Settings = [.period: .text(steady.hourly), .maximum: .integer(5)]
    _ = try first.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, settings)))
    _ = try first.fleet.share("people")
    first.commit()
    try adopt(second, from: first)
    let late = steady.hour - 90 * 60_000_000
    _ = try first.perform(add(4), time: late)
    second.learnAll(from: first)
    second.commit()
    #expect(throws: CountingError.self) { try second.perform(add(2), time: late) }
    _ = try second.perform(add(1), time: late)
    first.learnAll(from: second)
    first.commit()
    #expect(throws: CountingError.self) { try first.perform(add(1), time: late) }
    // Another period has its own count.
    _ = try first.perform(add(5), time: late - Self.hour)
    for station in [first, second] { try station.stopAndVerify() }
  }

  /// A message of a stranger about a period.
  private func forged(_ id: CounterID, _ start: Int64, number: Int64 = 1) -> Counters.Publication {
    let writer = String(repeating: "e", count: 64)
    return .init(
      "stranger/answer",
      "{\"version\":1,\"counter\":\"\(id)\",\"period\":\(start),\"registers\":[[\"\(writer)\",\(number),1,0,1]]}")
  }

  @Test(arguments: [false, true])
  func `forged periods of the future hide nothing from stations that are new`(isHourly: Bool) throws {
    let (first, second) = isHourly ? try hourly() : try Self.pair()
    let id = try #require(first.fleet.member.locals.keys.first)
    _ = try first.perform(add(7))
    _ = try second.perform(add(5))
    first.learnAll(from: second)
    second.learnAll(from: first)
    let present = steady.hour
    for station in [first, second] {
      _ = station.hear((1...70).map { forged(id, present + Int64($0) * 1_000 * Self.hour) })
      station.commit()
    }
    // The second one is offline; the first tells what it knows of it.
    let third = try Self.station("door3")
    try adopt(third, from: first)
    third.learnAll(from: first)
    third.commit()
    #expect(third.counter()?.value == 12)
    for station in [first, second] {
      let period = try #require(station.counter().flatMap(station.fleet.period(of:)))
      let own = station.everything().filter { $0.topic.contains("/reg/") && $0.payload.contains("\(id)") }
      #expect(own.contains { (try? Message(parsing: Array($0.payload.utf8)))?.period == period })
    }
  }

  @Test func `ended periods leave nothing at the broker, whoever published them, also without a bridge`()
    throws
  {
    let (first, _) = try hourly()
    let id = try #require(first.fleet.member.locals.keys.first)
    let present = steady.hour
    let past = present - 100 * Self.hour
    _ = try first.perform(add(5), time: past + 1)
    var broker = Retained()
    func kept() -> [String] { broker.messages.keys.filter { $0.contains("/\(past)-") } }
    for _ in 0..<3 {
      broker.keep(first.everything())
      try first.reboot()
      _ = try first.perform(add(2))
    }
    broker.keep(first.everything())
    #expect(kept().count == 1)
    _ = first.hear((0...80).map { forged(id, present - Int64($0) * Self.hour) })
    first.commit()
    broker.keep(first.everything())
    #expect(kept().isEmpty)
    // Each is said once.
    #expect(first.fleet.member.ended.isEmpty)
  }

  @Test func `ended periods beyond those that are kept leave the journal, with their late counts`() throws {
    let (first, second) = try hourly()
    let id = try #require(first.fleet.member.locals.keys.first)
    let present = steady.hour
    let past = present - 100 * Self.hour
    let late = try first.perform(add(5), time: past + 1)
    _ = try first.perform(add(2))
    second.learnAll(from: first)
    let writer = first.fleet.member.station.writer
    func totals(_ station: FleetTestStation) throws -> [Int64] {
      try station.totals(between: [past, past + Self.hour]).map(\.added)
    }
    for station in [first, second] {
      _ = station.hear((0...80).map { forged(id, present - Int64($0) * Self.hour) })
      // The broker forgets it as well.
      let hasPublished = station === first
      #expect(station.fleet.member.ended[CounterPeriod(id, start: past)]?.parts == (hasPublished ? 1 : nil))
      station.commit()
      #expect(station.fleet.member.station.knowledge.periods.count == PeriodRetention.ended + 1)
      #expect(station.counter()?.value == 3)
      #expect(try totals(station) == [5])
    }
    // Again, and undone, and later still: the history takes it, and no register does.
    _ = try first.perform(.undoEvent(late[0].sequence))
    first.commit()
    #expect(try totals(first) == [0])
    _ = try first.perform(add(4), time: past + 2)
    second.learnAll(from: first)
    second.learnAll(from: first)
    #expect(first.fleet.member.station.writer == writer)
    for station in [first, second] {
      station.commit()
      #expect(station.counter()?.value == 3)
      #expect(try totals(station) == [4])
      #expect(station.problems.sentences(at: Clock.boottime()).isEmpty)
      let known = Set(station.fleet.member.station.knowledge.periods)
      let writer = station.fleet.member.station.writer
      station.kill()
      try station.start()
      #expect(station.fleet.member.station.writer == writer)
      #expect(Set(station.fleet.member.station.knowledge.periods) == known)
      #expect(station.counter()?.value == 3)
      try station.stopAndVerify()
    }
  }

  @Test func `dropped counts of an ended period are not undone`() throws {
    let first = try Self.station("door1")
    let second = try Self.station("door2")
    let past = steady.hour - Self.hour
    func totals(_ station: FleetTestStation) throws -> [Int64] {
      try station.totals(between: [past, past + Self.hour]).map(\.net)
    }
    for (station, amount) in [(first, 10), (second, 5)] as [(FleetTestStation, Int64)] {
      _ = try station.perform(
        .change(.create(name: "people", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)])))
      _ = try station.perform(add(amount), time: past + 1)
    }
    let count = try #require(second.core?.ledger.lastSequence) - 1
    _ = try first.fleet.share("people")
    second.learnAll(from: first)
    try second.adopt(bringing: false)
    func talk() {
      for _ in 0..<2 {
        first.learnAll(from: second)
        second.learnAll(from: first)
      }
      second.commit()
    }
    talk()
    #expect(try totals(second) == [10])
    for verb in [Request.Verb.undo("people"), .undo(nil), .undoEvent(count)] {
      #expect(throws: CountingError.self) { try second.perform(verb) }
    }
    talk()
    for station in [first, second] { #expect(try totals(station) == [10]) }
  }

  @Test func `sharing several counters, and a clock that is set back, need one writer`() throws {
    let first = try Self.station("door1")
    let ahead = Clock.microsecondsSince1970() + 3 * Self.hour
    for number in 1...4 {
      let create = Request.Verb.change(
        .create(name: "c\(number)", decimals: 0, isStopwatch: false, [.period: .text(steady.hourly)]))
      _ = try first.perform(create, time: ahead)
      _ = try first.perform(.change(.add(.named("c\(number)"), amount: .units(3))), time: ahead)
    }
    for number in 1...4 {
      _ = try first.fleet.share("c\(number)")
      first.commit()
    }
    let writer = try #require(first.fleet.member.station.writer)
    // The clock is right again.
    for number in 1...4 {
      _ = try first.perform(.change(.add(.named("c\(number)"), amount: .units(1))))
      #expect(first.counter("c\(number)")?.value == 4)
    }
    #expect(first.fleet.member.station.writers == [writer])
    first.commit()
    first.kill()
    try first.start()
    #expect(first.fleet.member.station.writer == writer)
    try first.stopAndVerify()
  }
}
