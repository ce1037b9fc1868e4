import CoreAPI
import JSON
import Testing

@testable import Bridge
@testable import Fleet

/// Questions about the history, by a clock of the test.
struct `Questions about the history` {
  private static let second: Int64 = 1_000_000_000
  private static let counter = CounterID(String(repeating: "c", count: 32))!
  private let author = HistorySync.Author(counter: counter, writer: WriterID(String(repeating: "a", count: 64))!)

  private func digest(_ number: Int64, sum: Int64 = 1) -> HistoryDigest {
    HistoryDigest(mark: HistoryMark(number: number, quarter: 1_960_000), sum: sum)
  }

  /// The conversation with a core that replies at once.
  private final class Talk {
    private var sync = HistorySync()
    var isWaiting: Bool { sync.isWaiting }

    func miss(
      _ digest: HistoryDigest, beyond mark: HistoryMark, of author: HistorySync.Author, at holder: String, now: Int64
    ) { sync.miss(digest, beyond: mark, of: author, at: holder, now: now) }

    /// - Parameter known: the digest that the core has of a writer.
    func questions(
      at now: Int64, known: (WriterID) -> HistoryDigest?
    ) -> [(holder: String, writer: WriterID, after: HistoryMark)] {
      var questions: [(holder: String, writer: WriterID, after: HistoryMark)] = []
      for request in sync.due(at: now) {
        let digests = request.writers.map { ($0, known($0)) }
        let found = Dictionary(uniqueKeysWithValues: digests).compactMapValues(\.self)
        for (holder, marks) in sync.questions(found, of: request, at: now) {
          questions += marks.map { (holder, $0, $1) }
        }
      }
      return questions
    }
  }

  @Test func `a station asks for what has not come within two seconds, once in five`() {
    let talk = Talk()
    talk.miss(digest(5), beyond: digest(4).mark, of: author, at: "door2", now: 0)
    var asked: [Int64: String] = [:]
    for time in 0...9 as ClosedRange<Int64> {
      if time > 2 { talk.miss(digest(5), beyond: digest(4).mark, of: author, at: "door3", now: time * Self.second) }
      let questions = talk.questions(at: time * Self.second) { _ in digest(4) }
      #expect(questions.allSatisfy { $0.after == digest(4).mark && $0.writer == author.writer })
      asked[time] = questions.first?.holder
    }
    #expect(asked == [2: "door2", 7: "door3"])
  }

  @Test func `a station asks for nothing while the counts of the writer come`() {
    let talk = Talk()
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
    let talk = Talk()
    talk.miss(digest(5, sum: 2), beyond: digest(5).mark, of: author, at: "door2", now: 0)
    let asked = (1...9 as ClosedRange<Int64>).flatMap { time in
      talk.questions(at: time * Self.second) { _ in digest(5 + time) }
    }
    #expect(asked.map(\.after) == [.none, .none])
    #expect(!talk.isWaiting)
  }

  @Test func `what does not come is asked for at each station that has it, ever more seldom`() {
    let talk = Talk()
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
    let talk = Talk()
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
    let talk = Talk()
    for number in 0..<12_000 {
      let writer = WriterID(String(repeating: "0", count: 56) + String(number + 0x1000_0000, radix: 16))!
      talk.miss(digest(5), beyond: .none, of: .init(counter: Self.counter, writer: writer), at: "door2", now: 0)
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

  private func message(_ history: Counters.FleetHistory) -> Counters.StationMessage {
    var message = Counters.StationMessage(station: "door2", topic: "door2/answer")
    message.history = history
    return message
  }

  private func writers(_ count: Int) -> [String] {
    (0..<count).map { String(repeating: "0", count: 56) + String($0 + 0x1000_0000, radix: 16) }
  }

  @Test func `a question of others is answered once in five seconds, in portions`() {
    var talk = HistorySync()
    let counter = Self.counter.description
    let ids = writers(3)
    func ask(of station: String, at second: Int64) {
      let marks = ids.map { Counters.FleetMark(writer: $0, number: 0, quarter: 0) }
      let question = Counters.FleetHistory(counter: counter, wanted: marks, of: station)
      let questions = talk.hear([message(question)], of: "door1", at: second * Self.second)
      #expect(questions.isEmpty)
    }
    /// The quarter hours of writers as the core has them: 500 of each.
    func reply(to request: HistorySync.Request) -> Counters.QuartersReply {
      var (room, pages): (Int, [Counters.FleetQuarters]) = (800, [])
      for (writer, _) in request.marks where room > 0 {
        let rows = (1...Int64(min(room, 500))).map {
          Counters.FleetQuarter(quarter: $0, number: $0, counts: 1, added: 1, subtracted: 0)
        }
        room -= rows.count
        pages.append(
          .init(
            writer: writer.description, number: Int64(rows.count), quarter: Int64(rows.count), isMore: rows.count < 500,
            quarters: rows))
      }
      return .init(["quarters": pages.json])
    }
    func replies(at second: Int64) -> [HistoryMessage.Page] {
      var pages: [HistoryMessage.Page] = []
      while let request = talk.next(at: second * Self.second) {
        let isOnlyOne = talk.next(at: second * Self.second) == nil
        #expect(isOnlyOne)
        for message in talk.take(reply(to: request), for: request) {
          if case .page(let page) = message.content { pages.append(page) }
        }
      }
      return pages
    }
    ask(of: "door3", at: 0)
    #expect(replies(at: 0).isEmpty)
    ask(of: "door1", at: 0)
    let pages = replies(at: 0)
    #expect(pages.map(\.registers.count) == Array(repeating: 100, count: 13))
    #expect(pages.filter(\.hasMore).map { $0.writer.description } == [ids[1]])
    #expect(pages.allSatisfy { page in page.until.number == page.registers.values.map(\.number).max() })
    ask(of: "door1", at: 4)
    #expect(replies(at: 4).isEmpty && !talk.isWaiting)
    ask(of: "door1", at: 5)
    #expect(replies(at: 5).count == 13)
    // A core that refuses leaves nothing waiting.
    ask(of: "door1", at: 10)
    let request = talk.next(at: 10 * Self.second)
    #expect(request != nil)
    if let request { #expect(talk.take(nil, for: request).isEmpty && !talk.isWaiting) }
    // However many ask, a second has so many rows.
    talk.most = 1_000
    for number in 0..<Int64(2_000) {
      let mark = Counters.FleetMark(writer: ids[0], number: number, quarter: 0)
      _ = talk.hear(
        [message(.init(counter: counter, wanted: [mark], of: "door1"))], of: "door1", at: 20 * Self.second)
    }
    #expect(replies(at: 20).count == 10)
  }

  @Test func `the rest of a reply is asked for at once, by the station that has asked`() {
    var talk = HistorySync()
    let page = Counters.FleetQuarters(
      writer: author.writer.description, number: 5, quarter: 1_960_000, isMore: true,
      quarters: [.init(quarter: 1_960_000, number: 5, counts: 1, added: 1, subtracted: 0)])
    func heard(at second: Int64) -> [HistoryMessage] {
      let reply = Counters.FleetHistory(counter: Self.counter.description, quarters: page)
      return talk.hear([message(reply)], of: "door1", at: second * Self.second)
    }
    let unasked = heard(at: 0)
    #expect(unasked.isEmpty)
    talk.miss(digest(9), beyond: .none, of: author, at: "door2", now: 0)
    for request in talk.due(at: 2 * Self.second) {
      _ = talk.questions([author.writer: .none], of: request, at: 2 * Self.second)
    }
    let rest = heard(at: 3)
    #expect(rest == [HistoryMessage(Self.counter, .wanted([author.writer: digest(5).mark], of: "door2"))])
  }
}
