import CoreAPI
import JSON
import TestKit
import Testing

@testable import Bridge
@testable import Fleet

struct `The talk about resets` {
  private static let counter = String(repeating: "c", count: 32)
  private static let writer = String(repeating: "a", count: 64)
  private static let period = CounterPeriod(CounterID(counter)!)
  private static let second: Int64 = 1_000_000_000

  private func key(_ number: Int64) -> ResetSync.Key {
    .init(period: Self.period, reset: Entry(writer: WriterID(Self.writer)!, number: number))
  }

  private func stations(_ messages: [Message]) -> [String] { messages.compactMap(\.of) }

  /// The rows of the first resets, of which each has some; `nil` for one that the core does not know.
  private func reply(to request: ResetSync.Request, resets: Int64, of count: Int64) -> Counters.ResetRowsReply {
    guard request.key.reset.number <= resets else { return .init() }
    var ids = SeededRandom(seed: UInt64(request.offset))
    let end = min(request.offset + request.limit, count)
    let rows = (request.offset..<end).map { _ in
      Counters.FleetRegister(
        writer: WriterID.random(using: &ids).description, number: 1, added: 1, subtracted: 0, counts: 1)
    }
    return .init(["size": .int(count), "registers": rows.json, "more": .bool(end < count)])
  }

  @Test func `asks one station at a time, and another one when that says nothing for 5 seconds`() {
    var talk = ResetSync()
    let isAsked = [talk.want(key(1), of: "door2", at: 0), talk.want(key(1), of: "door3", at: 1)]
    #expect(isAsked == [true, false])
    func asked(at second: Int64) -> [String] { stations(talk.questions(at: second * Self.second)) }
    let early = asked(at: 4)
    #expect(early == [])
    let next = asked(at: 5)
    #expect(next == ["door3"])
    // It is still sending others.
    talk.hear(from: "door3", at: 9 * Self.second)
    let meanwhile = asked(at: 11)
    #expect(meanwhile == [])
    let again = asked(at: 14)
    #expect(again == ["door2"])
    let name: JSON = ["counter": .string(Self.counter), "reset": ["writer": .string(Self.writer), "number": 1]]
    let atTheEnd = talk.learn(.init(["complete": [name]]), at: 30 * Self.second)
    #expect(atTheEnd.isEmpty && !talk.isWaiting)
  }

  @Test func `asks once for a reset that is known here with other rows, and not for one that has just come`() {
    func wanted(_ number: Int64, differs: Bool) -> JSON {
      [
        "station": "door2", "counter": .string(Self.counter),
        "reset": ["writer": .string(Self.writer), "number": .int(number)], "different": .bool(differs),
      ]
    }
    let complete: JSON = ["counter": .string(Self.counter), "reset": ["writer": .string(Self.writer), "number": 2]]
    var talk = ResetSync()
    let questions = talk.learn(
      .init(["wanted": [wanted(1, differs: true), wanted(2, differs: false)], "complete": [complete]]), at: 0)
    #expect(questions.map(\.asked) == [[key(1).reset]] && stations(questions) == ["door2"])
    let again = talk.questions(at: 5 * Self.second)
    #expect(again.isEmpty && !talk.isWaiting)
  }

  @Test func `gives up a reset that nobody sends, and keeps no more of them than a bound`() {
    var talk = ResetSync()
    var questions = 0
    for number in 1...Int64(10_000) where talk.want(key(number), of: "door2", at: 0) { questions += 1 }
    #expect(questions == talk.most)
    for time in 1...Int64(100) {
      let now = talk.questions(at: time * Self.second).reduce(0) { $0 + $1.asked.count }
      #expect(now <= talk.most)
      questions += now
    }
    #expect(questions == 6 * 4_096)
    #expect(!talk.isWaiting)
  }

  @Test func `sends each reset once in 5 seconds, and no more rows in a second than a bound`() throws {
    var talk = ResetSync()
    var rows: [Int] = []
    for time in 0..<Int64(8) {
      var sent = 0
      for _ in 0..<100 {
        for number in 1...Int64(4) { talk.answer(key(number), at: time * Self.second) }
        while let request = talk.next(at: time * Self.second) {
          let isOnlyOne = talk.next(at: time * Self.second) == nil
          #expect(isOnlyOne)
          let messages = talk.take(reply(to: request, resets: 3, of: 1_500), for: request, at: time * Self.second)
          #expect(messages.allSatisfy { $0.text.utf8.count <= Message.maximumLength })
          sent += messages.reduce(0) { $0 + $1.content.resets.values.reduce(0) { $0 + $1.seen.count } }
        }
      }
      rows.append(sent)
    }
    // One row is spent for the unknown one.
    #expect(rows.reduce(0, +) == 4_500)
    #expect(rows.allSatisfy { $0 <= talk.most })
  }

  @Test func `answers only those who ask this station, and goes on after a core that refuses`() {
    var talk = ResetSync()
    func hear(_ station: String, isRetained: Bool = false) {
      var message = Counters.StationMessage(station: "door9", topic: "door9/answer", isRetained: isRetained)
      message.counts = .init(counter: Self.counter, asked: [.init(writer: Self.writer, number: 1)], of: station)
      talk.hear([message], of: "door1", at: 0)
    }
    hear("door2")
    hear("door1", isRetained: true)
    let nothing = talk.next(at: 0)
    #expect(nothing == nil && !talk.isWaiting)
    hear("door1")
    let request = talk.next(at: 0)
    #expect(request?.key.reset == key(1).reset)
    if let request {
      let messages = talk.take(nil, for: request, at: 0)
      #expect(messages.isEmpty && !talk.isWaiting)
    }
  }
}
