import Counting
import Fleet
import Journal
import Testing

@testable import CoreService

/// Questions about the history, by a clock of the test.
struct `Questions about the history` {
  private static let second: Int64 = 1_000_000_000
  private let author = HistorySync.Author(Counter.ID(1), WriterID(String(repeating: "a", count: 64))!)

  private func digest(_ number: Int64, sum: Int64 = 1) -> HistoryDigest {
    HistoryDigest(mark: HistoryMark(number: number, quarter: 1_960_000), sum: sum)
  }

  @Test func `a station asks for what has not come within two seconds, once in five`() {
    var talk = HistorySync()
    talk.miss(digest(5), beyond: digest(4).mark, of: author, at: "door2", now: 0)
    var asked: [Int64: String] = [:]
    for time in 0...9 as ClosedRange<Int64> {
      if time > 2 { talk.miss(digest(5), beyond: digest(4).mark, of: author, at: "door3", now: time * Self.second) }
      let questions = talk.questions(at: time * Self.second) { _ in digest(4) }
      #expect(questions.allSatisfy { $0.after == digest(4).mark && $0.author == author })
      asked[time] = questions.first?.holder
    }
    #expect(asked == [2: "door2", 7: "door3"])
  }

  @Test func `a station asks for nothing while the counts of the writer come`() {
    var talk = HistorySync()
    // Of each count it hears a second after others have reported it.
    for time in 0...20 as ClosedRange<Int64> {
      talk.miss(digest(time + 1), beyond: digest(time).mark, of: author, at: "door2", now: time * Self.second)
      #expect(talk.questions(at: time * Self.second) { _ in digest(time) }.isEmpty)
    }
    // The last one does not come.
    let late = (21...30 as ClosedRange<Int64>).flatMap { time in
      talk.questions(at: time * Self.second) { _ in digest(20) }
    }
    #expect(late.map(\.after) == [digest(20).mark, digest(20).mark])
    #expect(talk.questions(at: 40 * Self.second) { _ in digest(21) }.isEmpty)
    #expect(!talk.isWaiting)
  }

  @Test func `a station asks for an earlier gap although the counts of the writer come`() {
    var talk = HistorySync()
    talk.miss(digest(5, sum: 2), beyond: digest(5).mark, of: author, at: "door2", now: 0)
    let asked = (1...9 as ClosedRange<Int64>).flatMap { time in
      talk.questions(at: time * Self.second) { _ in digest(5 + time) }
    }
    #expect(asked.map(\.after) == [.none, .none])
    #expect(!talk.isWaiting)
  }

  @Test func `what does not come is asked for at each station that has it, ever more seldom`() {
    var talk = HistorySync()
    for holder in ["door2", "door3", "door4"] {
      talk.miss(digest(5), beyond: .none, of: author, at: holder, now: 0)
    }
    // A station that says too much keeps none of the others from being asked.
    talk.miss(digest(1_000_000), beyond: .none, of: author, at: "liar", now: 0)
    talk.miss(digest(5), beyond: .none, of: author, at: "door4", now: 0)
    var asked: [(time: Int64, holder: String)] = []
    for time in 0...2_000 as ClosedRange<Int64> {
      asked += talk.questions(at: time * Self.second) { _ in HistoryDigest.none }.map { (time, $0.holder) }
    }
    #expect(asked.map(\.time) == [2, 7, 17, 37, 77, 157, 317, 637])
    #expect(asked.map(\.holder) == ["door4", "liar", "door3", "door2", "door4", "liar", "door3", "door2"])
    #expect(!talk.isWaiting)
  }

  @Test func `what has come is forgotten, and what differs at the same mark is asked for from the beginning`() {
    var talk = HistorySync()
    talk.miss(digest(5), beyond: digest(4).mark, of: author, at: "door2", now: 0)
    #expect(talk.questions(at: 3 * Self.second) { _ in digest(5) }.isEmpty)
    #expect(!talk.isWaiting)
    talk.miss(digest(5, sum: 2), beyond: digest(5).mark, of: author, at: "door2", now: 4 * Self.second)
    #expect(talk.questions(at: 7 * Self.second) { _ in digest(5) }.map(\.after) == [.none])
    // A journal that cannot be read, or that has no room, learns nothing.
    talk.miss(digest(6), beyond: digest(5).mark, of: author, at: "door2", now: 20 * Self.second)
    #expect(talk.questions(at: 23 * Self.second) { _ in nil }.isEmpty)
    #expect(!talk.isWaiting)
  }

  @Test func `invented writers cost a thousand looks a second`() {
    var talk = HistorySync()
    for number in 0..<12_000 {
      let writer = WriterID(String(repeating: "0", count: 56) + String(number + 0x1000_0000, radix: 16))!
      talk.miss(digest(5), beyond: .none, of: .init(Counter.ID(1), writer), at: "door2", now: 0)
    }
    var looks: [Int] = []
    for time in 4...10 as ClosedRange<Int64> {
      var count = 0
      for _ in 0..<3 {
        _ = talk.questions(at: time * Self.second) { _ in
          count += 1
          return HistoryDigest.none
        }
      }
      looks.append(count)
    }
    #expect(looks == Array(repeating: 1000, count: looks.count))
  }
}
