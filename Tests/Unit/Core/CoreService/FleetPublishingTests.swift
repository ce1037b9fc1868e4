import CoreAPI
import Counting
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

extension `Cores in a fleet` {
  /// Retained messages, as a broker keeps them.
  struct Retained {
    var messages: [String: Counters.Publication] = [:]

    mutating func keep(_ publications: [Counters.Publication]) {
      for message in publications where message.isRetained {
        messages[message.topic] = message.payload.isEmpty ? nil : message
      }
    }
  }

  private var reset: Request.Verb { .change(.reset(.one(.named("people")), isConfirmed: true)) }

  /// The messages of an act, as they are published after its commit.
  private func said(by station: FleetTestStation, _ verb: Request.Verb) throws -> [Counters.Publication] {
    _ = try station.perform(verb)
    try station.fleet.prepareCommit()
    defer { station.commit() }
    return station.fleet.waiting()
  }

  @Test func `the messages of a count do not grow with resets and boots`() throws {
    let (first, _) = try Self.pair()
    let id = try #require(first.fleet.member.locals.keys.first)
    var ids = SeededRandom(seed: 1)
    let crowd = (0..<50).map { _ in "[\"\(WriterID.random(using: &ids))\",1,1,0,1]" }.joined(separator: ",")
    _ = first.hear([
      .init("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[\(crowd)]}")
    ])
    var broker = Retained()
    for boot in 0..<5 {
      if boot > 0 { try first.reboot() }
      broker.keep(first.everything())
      for _ in 0..<4 {
        broker.keep(try said(by: first, add(2)))
        broker.keep(try said(by: first, reset))
      }
    }
    for _ in 0..<3 {
      let count = try said(by: first, add(1))
      #expect(count.count == 1)
      #expect(count.reduce(0) { $0 + $1.payload.utf8.count } < 600)
      broker.keep(count)
    }
    // A reset has the messages of its own rows, and an undo one.
    let all = first.everything().count { $0.topic.contains("/reg/") }
    #expect(all >= 3)
    let again = try said(by: first, reset)
    #expect(again.count <= 4)
    broker.keep(again)
    let undo = try said(by: first, .undo("people"))
    #expect(undo.count <= 2)
    broker.keep(undo)
    #expect(first.counter()?.value == 3)

    // While the first one is away, the broker has all that a new station needs.
    let third = try Self.station("door3")
    let retained = broker.messages.values.map { Counters.Publication($0.topic, isRetained: true, $0.payload) }
    _ = third.hear(retained)
    try third.adopt()
    third.commit()
    #expect(third.counter()?.value == 3)
    let period = try #require(first.counter().flatMap(first.fleet.period(of:)))
    #expect(third.fleet.member.station.knowledge[period] == first.fleet.member.station.knowledge[period])
  }

  @Test func `the broker keeps as few messages after many boots as all former registers need`() throws {
    let (first, _) = try Self.pair()
    var broker = Retained()
    func registers() -> [String: Counters.Publication] { broker.messages.filter { $0.key.contains("/reg/") } }
    for boot in 0..<60 {
      try first.reboot()
      // Some boots have no broker.
      if boot % 3 > 0 { broker.keep(first.everything()) }
      let count = try said(by: first, add(1))
      if boot % 3 > 0 { broker.keep(count) }
    }
    broker.keep(first.everything())
    // Those of the 60 former writers are in two messages.
    #expect(registers().count == 3)
    let third = try Self.station("door3")
    _ = third.hear(registers().values.map { Counters.Publication($0.topic, isRetained: true, $0.payload) })
    let period = try #require(first.counter().flatMap(first.fleet.period(of:)))
    #expect(third.fleet.member.station.knowledge[period] == first.fleet.member.station.knowledge[period])
  }

  @Test func `a reset changes one row, however many it includes`() throws {
    let (first, second) = try Self.pair()
    for _ in 0..<3 {
      _ = try second.perform(add(1))
      second.commit()
      try second.reboot()
    }
    _ = try first.perform(add(1))
    first.learnAll(from: second)
    first.commit()
    let period = try #require(first.counter().flatMap(first.fleet.period(of:)))
    for verb in [reset, .undo("people"), .redo("people")] {
      _ = try first.perform(verb)
      #expect(first.fleet.member.unsaved.changed[period]?.count == 1)
      first.commit()
    }
    let replica = first.fleet.member.station.knowledge[period]
    #expect(replica.resets.count == 2 && replica.resets.values.allSatisfy { $0.seen.count > 3 })
    try first.stopAndVerify()
  }

  @Test func `a copy leaves what its original has published`() throws {
    let (first, _) = try Self.pair()
    _ = try first.perform(add(1))
    let original = Set(first.everything().map(\.topic).filter { $0.contains("/reg/") })
    try first.reboot()
    first.fleet.hear(.init(isConnected: true, isCopied: true))
    // The next bridge does not know of the copy yet.
    first.fleet.bridge.remove(ObjectIdentifier(first))
    first.fleet.hear(.init(isConnected: true))
    let messages = try said(by: first, add(1)) + first.everything()
    #expect(messages.allSatisfy { !original.contains($0.topic) || !$0.payload.isEmpty })
  }

  /// The messages of the reports that are due, until there is nothing to report.
  private func reports(of station: FleetTestStation) -> [[Station.Row]] {
    var found: [[Station.Row]] = []
    while !station.fleet.bridge.turns.isEmpty {
      found.append(station.fleet.bridge.turns.next(200, of: station.fleet.member.station).flatMap(\.value))
    }
    return found
  }

  @Test func `a report is as long after years as it was before, and all is told in turns`() throws {
    let (first, _) = try Self.pair()
    let id = try #require(first.fleet.member.locals.keys.first)
    var ids = SeededRandom(seed: 2)
    let crowd = (0..<900).map { _ in WriterID.random(using: &ids) }
    for part in stride(from: 0, to: crowd.count, by: 50) {
      let rows = crowd[part..<part + 50].map { "[\"\($0)\",1,1,0,1]" }.joined(separator: ",")
      _ = first.hear([.init("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[\(rows)]}")])
    }
    first.commit()
    // The new ones come first.
    let told = reports(of: first)
    #expect(told.map(\.count).allSatisfy { $0 <= 200 })
    #expect(Set(told.flatMap(\.self)).isSuperset(of: crowd.map(Station.Row.register)))
    let latest = try #require(crowd.last)
    _ = first.hear([
      .init("door9/reg/a/\(id)/0", "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[[\"\(latest)\",2,2,0,2]]}")
    ])
    first.commit()
    let news = reports(of: first)
    #expect(news.first?.first == .register(latest))
    #expect(news.count == 1)
    // Others are repeated with it, which differ from time to time.
    let period = CounterPeriod(id)
    var repeated: Set<Station.Row> = []
    for _ in 0..<100 {
      first.fleet.bridge.turns.add([.register(latest)], of: period)
      let report = reports(of: first).flatMap(\.self)
      #expect(report.count == 1 + ReportScheduler.repeated)
      repeated.formUnion(report)
    }
    #expect(repeated.count > 10 * ReportScheduler.repeated)
    // All rows are told at a connection. What is new in between does not begin the turn anew.
    first.fleet.bridge.turns.begin(period)
    var again: Set<String> = []
    for _ in 0..<10 {
      first.fleet.bridge.turns.begin(period)
      again.formUnion(
        first.fleet.bridge.turns.next(200, of: first.fleet.member.station).flatMap(\.value).map { "\($0)" })
    }
    #expect(again.count >= crowd.count)
    // Nor does one counter hold up others.
    first.fleet.bridge.turns = ReportScheduler()
    let other = CounterPeriod(CounterID.random(using: &ids))
    first.fleet.bridge.turns.begin(period)
    _ = first.hear([
      .init(
        "door9/reg/a/\(other.counter)/0",
        "{\"version\":1,\"counter\":\"\(other.counter)\",\"registers\":[[\"\(latest)\",2,2,0,2]]}")
    ])
    first.commit()
    #expect(first.fleet.bridge.turns.next(500, of: first.fleet.member.station)[other]?.isEmpty == false)
  }
}
