import CoreAPI
import Counting
import TestKit
import Testing

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

extension `Cores in a fleet` {
  private func rows(_ messages: [Counters.Publication]) -> Int {
    messages.reduce(0) { sum, message in
      let resets = (try? Message(parsing: Array(message.payload.utf8)))?.content.resets
      return sum + (resets?.values.reduce(0) { $0 + max($1.seen.count, 1) } ?? 0)
    }
  }

  @Test func `a new station gets each reset once from all others that have it`() throws {
    let (first, second) = try Self.pair()
    var others = [first, second]
    for number in 3...8 { others.append(try Self.station("door\(number)")) }
    for _ in 0..<12 {
      _ = try first.perform(add(1))
      _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    }
    for other in others.dropFirst() { other.learnAll(from: first) }
    let period = try #require(first.counter().flatMap(first.fleet.period(of:)))
    let replica = first.fleet.member.station.knowledge[period]
    #expect(replica.resets.keys.count(where: replica.isHeld) == 12)
    // The resetter is offline.
    others.removeFirst()
    let new = try Self.station("new")
    for station in others + [new] { station.resets = ResetSync() }
    var answers = 0
    let said = others.map { $0.everything() }
    for messages in said {
      let questions = new.hear(messages.filter { !$0.topic.contains("/reg/") })
      for other in others {
        let replies = other.hear(questions)
        answers += rows(replies)
        _ = new.hear(replies)
      }
    }
    #expect(new.fleet.member.station.knowledge[period].resets == replica.resets)
    #expect(answers == rows(answersOfOne(second, Set(replica.resets.keys), period)))
  }

  private func answersOfOne(
    _ station: FleetTestStation, _ resets: Set<Entry>, _ period: CounterPeriod
  ) -> [Counters.Publication] {
    let known = station.fleet.member.station.knowledge[period].resets.filter { resets.contains($0.key) }
    return station.fleet.answers(
      known.flatMap { reset, rows in Message(period, Replica(resets: [reset: rows])).split().map(\.text) })
  }

  @Test func `questions about a large reset, however many, are answered in portions`() throws {
    let (first, _) = try Self.pair()
    first.resets = ResetSync()
    let id = try #require(first.fleet.member.locals.keys.first)
    var ids = SeededRandom(seed: 1)
    let reset = "[\"\(String(repeating: "e", count: 64))\",9]"
    for _ in 0..<50 {
      let rows = (0..<100).map { _ in "[\"\(WriterID.random(using: &ids))\",1,1,0,1]" }.joined(separator: ",")
      _ = first.hear([
        .init(
          "stranger/answer",
          "{\"version\":1,\"counter\":\"\(id)\",\"resets\":[{\"entry\":\(reset),\"size\":5000,"
            + "\"registers\":[\(rows)]}]}")
      ])
    }
    func question(_ station: String) -> String {
      "{\"version\":1,\"counter\":\"\(id)\",\"asked\":[\(reset)],\"of\":\"\(station)\"}"
    }
    #expect(first.hear([.init("stranger/answer", question("door2"))]).isEmpty)
    #expect(first.hear([.init("stranger/reg/a/\(id)/0", isRetained: true, question("door1"))]).isEmpty)
    let replies = first.hear((0..<256).map { _ in .init("stranger/answer", question("door1")) })
    #expect(rows(replies) == 1_000)
    #expect(first.resets.isWaiting)
  }
}
