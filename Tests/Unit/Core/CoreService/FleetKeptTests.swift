import CoreAPI
import Counting
import TestKit
import Testing

@testable import CoreService
@testable import Fleet

extension `Cores in a fleet` {
  private func kept(_ station: FleetTestStation) throws -> [String] {
    station.commit()
    let core = try #require(station.core)
    let (id, counter) = try #require(station.fleet.counters(in: core.ledger).first)
    return station.fleet.kept(of: counter, id).map { "\($0.change) of \($0.station)" }
  }

  @Test func `a reset names what others had counted before they heard of it`() throws {
    let (first, second) = try Self.pair()
    _ = try first.perform(add(3))
    second.learnAll(from: first)
    _ = try second.perform(add(4))
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    second.learnAll(from: first)
    // Counted after the reset was heard of.
    _ = try second.perform(add(2))
    first.learnAll(from: second)
    for station in [first, second] {
      #expect(try kept(station) == ["4 of door2"])
      #expect(station.counter()?.value == 6)
    }
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    #expect(try kept(first) == [])
    // A station that was away says again what it kept of the reset before.
    first.learn(second.everything(), from: second)
    #expect(try kept(first) == [])
    second.learnAll(from: first)
    #expect(try kept(second) == [])
    _ = try second.perform(add(5))
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    second.learnAll(from: first)
    first.learnAll(from: second)
    #expect(try kept(first) == ["5 of door2"])
    _ = try first.perform(.undo("people"))
    #expect(try kept(first) == [])
  }

  @Test(arguments: [false, true], [false, true])
  func `a reset that is complete only with an earlier one names the counts that it kept`(
    areTogether: Bool, isUndone: Bool
  ) throws {
    let (first, second) = try Self.pair()
    let reset = Request.Verb.change(.reset(.one(.named("people")), isConfirmed: true))
    _ = try second.perform(add(4))
    for amount in [3, 2] as [Int64] {
      _ = try first.perform(add(amount))
      _ = try first.perform(reset)
    }
    first.commit()
    let (station, period) = (first.fleet.member.station, try #require(first.counter().flatMap(first.fleet.period)))
    let replica = station.knowledge[period]
    let resets = replica.resets.sorted { $0.key.number > $1.key.number }
    #expect(resets.first?.value.base == resets.last?.key)
    let undone = Message(period, Replica(undone: isUndone ? Set(resets.suffix(1).map(\.key)) : []))
    let parts = resets.map { Message(period, Replica(resets: [$0.key: $0.value])) }
    let messages =
      [undone] + (areTogether ? [Message(period, Replica(resets: replica.resets))] : parts)
    _ = second.hear(messages.map { Counters.Publication("door1/answer", isRetained: false, $0.text) })
    #expect(try kept(second) == ["4 of door2"])
  }

  @Test func `a station that comes after the others have heard of a reset hears what they kept`() throws {
    let (first, second) = try Self.pair()
    let third = try Self.station("door3")
    third.learnAll(from: first)
    try third.adopt()
    _ = try second.perform(add(4))
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    // The third one is away.
    second.learnAll(from: first)
    func rows(in report: [Counters.Publication]) -> [Counters.Publication] {
      report.filter { $0.payload.contains("\"kept\"") }
    }
    second.commit()
    _ = second.fleet.report()
    #expect(rows(in: second.fleet.report()).isEmpty)
    third.learnAll(from: first)
    #expect(try kept(third) == [])
    second.commit()
    _ = third.hear(rows(in: second.fleet.report(.init(isAll: true, hasSettings: true))))
    #expect(try kept(third) == ["4 of door2"])
    #expect(rows(in: second.fleet.report()).isEmpty)
  }

  @Test func `each station names its own counts that a reset kept, unless another reset took them`() throws {
    let (first, second) = try Self.pair()
    let third = try Self.station("door3")
    third.learnAll(from: first)
    try third.adopt()
    let reset = Request.Verb.change(.reset(.one(.named("people")), isConfirmed: true))
    _ = try second.perform(add(4))
    _ = try third.perform(add(6))
    second.learnAll(from: third)
    _ = try first.perform(reset)
    _ = try third.perform(reset)
    second.learnAll(from: first)
    #expect(try kept(second) == ["4 of door2"])
    #expect(second.counter()?.value == 10)
    // Its own reset has taken its count away.
    third.learnAll(from: first)
    #expect(try kept(third) == [])
    third.learnAll(from: second)
    second.learnAll(from: third)
    #expect(try kept(second) == ["4 of door2"])
    #expect(second.counter()?.value == 4)
  }
}
