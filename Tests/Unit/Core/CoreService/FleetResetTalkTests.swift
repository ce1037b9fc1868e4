import CoreAPI
import Counting
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

struct `The talk about resets` {
  private static let period = CounterPeriod(CounterID(String(repeating: "c", count: 32))!)
  private static let second: Int64 = 1_000_000_000

  private func key(_ number: Int64) -> ResetSync.Key {
    .init(
      period: Self.period, reset: Entry(writer: WriterID(String(repeating: "a", count: 64))!, number: number))
  }

  /// A station with resets, each of a number of writers.
  private func station(resets: Int64, of count: Int) throws -> Station {
    var ids = SeededRandom(seed: 1)
    let register = try #require(Register(received: 1, added: 1, subtracted: 0, counts: 1))
    var station = Station()
    for number in 1...resets {
      let seen = (0..<count).map { _ in (WriterID.random(using: &ids), register) }
      let reset = Reset(seen: Dictionary(uniqueKeysWithValues: seen))
      _ = try station.learn(Message(Self.period, Replica(resets: [key(number).reset: reset])))
    }
    return station
  }

  @Test func `asks one station at a time, and another one when that says nothing for 5 seconds`() {
    var talk = ResetSync()
    let isAsked = [talk.want(key(1), of: "door2", at: 0), talk.want(key(1), of: "door3", at: 1)]
    #expect(isAsked == [true, false])
    func stations(at second: Int64, isKnown: Bool = false) -> [String] {
      talk.questions(at: second * Self.second) { _ in isKnown }.map(\.station)
    }
    let early = stations(at: 4)
    #expect(early == [])
    let next = stations(at: 5)
    #expect(next == ["door3"])
    // It is still sending others.
    talk.hear(from: "door3", at: 9 * Self.second)
    let meanwhile = stations(at: 11)
    #expect(meanwhile == [])
    let again = stations(at: 14)
    #expect(again == ["door2"])
    let atTheEnd = stations(at: 30, isKnown: true)
    #expect(atTheEnd == [])
    #expect(!talk.isWaiting)
  }

  @Test func `gives up a reset that nobody sends, and keeps no more of them than a bound`() {
    var talk = ResetSync()
    var questions = 0
    for number in 1...Int64(10_000) where talk.want(key(number), of: "door2", at: 0) { questions += 1 }
    #expect(questions == talk.most)
    for time in 1...Int64(100) {
      let now = talk.questions(at: time * Self.second) { _ in false }.reduce(0) { $0 + $1.resets.count }
      #expect(now <= talk.most)
      questions += now
    }
    #expect(questions == 6 * 4_096)
    #expect(!talk.isWaiting)
  }

  @Test func `sends each reset once in 5 seconds, and no more rows in a second than a bound`() throws {
    let station = try station(resets: 3, of: 1_500)
    var talk = ResetSync()
    var rows: [Int] = []
    for time in 0..<Int64(8) {
      var sent = 0
      for _ in 0..<100 {
        for number in 1...Int64(4) { talk.answer(key(number), at: time * Self.second) }
        let messages = talk.answers(of: station, at: time * Self.second)
        #expect(messages.allSatisfy { $0.text.utf8.count <= Message.maximumLength })
        sent += messages.reduce(0) { $0 + $1.content.resets.values.reduce(0) { $0 + $1.seen.count } }
      }
      rows.append(sent)
    }
    // One row is spent for the unknown one.
    #expect(rows.reduce(0, +) == 4_500)
    #expect(rows.allSatisfy { $0 <= talk.most })
  }
}

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
    for station in others + [new] { station.fleet.resetTalk = ResetSync() }
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
    station.fleet.answers(
      resets.flatMap { reset in
        station.fleet.member.station.messages(
          of: reset, in: period,
          station.fleet.member.station.knowledge[period].resets[reset]?.seen.keys.map(\.self) ?? [])
      })
  }

  @Test func `questions about a large reset, however many, are answered in portions`() throws {
    let (first, _) = try Self.pair()
    first.fleet.resetTalk = ResetSync()
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
    #expect(first.fleet.resetTalk.isWaiting)
  }
}
