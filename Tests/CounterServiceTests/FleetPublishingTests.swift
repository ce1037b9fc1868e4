import CountersAPI
import Counting
import TestKit
import Testing

@testable import CounterService
@testable import CounterStore
@testable import Fleet

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
    _ = try third.fleet.adopt("people", bringing: nil, as: nil) {
      Request(.change($0), time: 1, cause: Cause(producer: "test"))
    }
    third.commit()
    #expect(third.counter()?.value == 3)
    let period = try #require(first.counter().flatMap(first.fleet.period(of:)))
    #expect(third.fleet.member.station.knowledge[period] == first.fleet.member.station.knowledge[period])
  }
}
