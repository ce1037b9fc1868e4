import CountersAPI
import Counting
import Platform
import TestKit
import Testing
import Varlink

@testable import CounterService
@testable import CounterStore
@testable import Fleet

extension `Cores in a fleet` {
  /// What the client of a question got.
  private final class Reply {
    var results: [Result<EncodedObject, any Error>] = []

    func page() throws -> Counters.EventPage {
      try #require(results.count == 1)
      return .init(try results[0].get().parsed())
    }

    var message: String? {
      guard results.count == 1, case .failure(let error) = results[0] else { return nil }
      return VarlinkError(error).description
    }
  }

  /// Two stations that have heard each other; the second one has counted, and calls the counter otherwise.
  private func acquainted() throws -> (FleetTestStation, FleetTestStation) {
    let first = try Self.station("door1")
    _ = try first.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    _ = try first.perform(.change(.create(name: "secret", decimals: 0, isStopwatch: false, [:])))
    _ = try first.fleet.share("people")
    let second = try Self.station("door2")
    second.learnAll(from: first)
    _ = try second.fleet.adopt("people", bringing: nil, as: "guests") {
      Request(.change($0), time: 1, cause: Cause(producer: "test"))
    }
    _ = try second.perform(.change(.create(name: "people", decimals: 0, isStopwatch: false, [:])))
    for amount in 1...3 {
      _ = try second.perform(.change(.add(.named("guests"), amount: .units(Int64(amount)))), time: Int64(amount) * 1000)
    }
    _ = try second.perform(.change(.add(.named("people"), amount: .units(99))))
    first.learnAll(from: second)
    for station in [first, second] {
      station.commit()
      station.fleet.hear(.init(isConnected: true, trouble: nil))
      let location = try #require(station.core?.store.location)
      station.fleet.readJournal = { body, then in
        then(Result { try body(ReaderThread(location) { true }) })
      }
    }
    return (first, second)
  }

  private func ask(
    _ asker: FleetTestStation, _ reply: Reply, _ parameters: JSONObject = ["counter": "people"],
    of name: String = "door2",
    user: UInt32 = 1, at now: Int64 = Clock.boottime()
  ) throws -> Counters.Publication {
    try asker.fleet.ask(name, Arguments(parameters), for: user, at: now) { reply.results.append($0) }.publication
  }

  /// What a station answers to a message.
  private func answers(
    of station: FleetTestStation, to message: Counters.Publication, from name: String = "door1",
    at now: Int64 = Clock.boottime()
  ) throws -> [Counters.Publication] {
    let members = try #require(try JSON(parsing: message.payload).object)
    let question = try #require(try StationQuestion(parsing: members))
    var found: [Counters.Publication] = []
    station.fleet.answer(question, from: name, at: now) { reply in
      found += (try? Counters.Linked(reply.parsed()).publications) ?? []
    }
    return found
  }

  @Test func `another station tells its events of a shared counter, under the name here`() throws {
    let (first, second) = try acquainted()
    let reply = Reply()
    let question = try ask(first, reply, ["counters": ["people"], "limit": 2, "from": 1])
    #expect(question.topic == "door1/answer")
    // The core takes the question out of the message by itself; here it has no bridge.
    #expect(second.hear([question]).isEmpty)
    let answer = try answers(of: second, to: question)
    #expect(answer.map(\.topic) == ["door2/answer"])
    #expect(first.fleet.learn(answer).problems == [])
    let page = try reply.page()
    #expect(page.events.map(\.change) == [3, 2])
    #expect(page.events.map(\.counter) == ["people", "people"])
    #expect(page.events.map(\.cause.producer) == ["test", "test"])
    #expect(page.events[0][.id] == first.counter()?.id.number)
    #expect(page.hasMore)
    let next = Reply()
    let more = try ask(first, next, ["counter": "people", "before": .int(try #require(page.next)), "from": 1])
    _ = first.hear(try answers(of: second, to: more))
    let rest = try next.page()
    #expect(rest.events.map(\.change).contains(1) && !rest.events.map(\.change).contains(2))
    #expect(!rest.events.map(\.change).contains(99))
    #expect(!rest.hasMore && rest.next == nil)
    #expect(first.fleet.questions.open.isEmpty)
    #expect(first.fleet.hasNews == false)
    // The time range.
    let range = Reply()
    let ranged = try ask(first, range, ["counter": "people", "after": 0, "from": 2000, "until": 3000])
    _ = first.hear(try answers(of: second, to: ranged))
    #expect(try range.page().events.map(\.change) == [2])
  }

  @Test func `a question that cannot be asked is refused at once`() throws {
    let (first, _) = try acquainted()
    let reply = Reply()
    func refusal(_ parameters: JSONObject = ["counter": "people"], of name: String = "door2") -> String {
      do { _ = try ask(first, reply, parameters, of: name) } catch { return VarlinkError(error).description }
      return "asked"
    }
    #expect(refusal(of: "door9").contains("No station of the fleet is called “door9”"))
    #expect(refusal(["counter": "secret"]).contains("“secret” is not shared"))
    #expect(refusal(["counter": "nothing"]).contains("no counter called “nothing”"))
    for parameters: JSONObject in [
      [:], ["counters": ["people", "secret"]], ["counter": "people", "device": "x"], ["counter": "people", "limit": 0],
      ["counter": "people", "before": 1, "after": 1],
    ] { #expect(refusal(parameters) != "asked") }
    _ = first.hear([Counters.Publication("door2/online", isRetained: true, "offline")])
    #expect(refusal().contains("is offline"))
    _ = first.hear([Counters.Publication("door2/online", isRetained: true, "online")])
    first.fleet.hear(.init(isConnected: false, trouble: nil))
    #expect(refusal().contains("not connected to the broker"))
    try first.leave()
    #expect(refusal().contains("in no fleet"))
    #expect(reply.results.isEmpty)
  }

  @Test func `a question is published again, and ends after a while; a late answer is ignored`() throws {
    let (first, second) = try acquainted()
    let reply = Reply()
    let question = try ask(first, reply, at: 1000)
    #expect(first.fleet.questions.due == 1000 + StationQuestions.repetition)
    first.fleet.advanceQuestions(to: 1000 + StationQuestions.repetition)
    #expect(reply.results.isEmpty)
    #expect(first.fleet.questions.due == 1000 + 2 * StationQuestions.repetition)
    first.fleet.advanceQuestions(to: 1000 + StationQuestions.patience)
    #expect(reply.message?.contains("“door2” did not answer within 10 s") == true)
    _ = first.hear(try answers(of: second, to: question))
    #expect(reply.results.count == 1)
    #expect(first.fleet.questions.due == nil)
  }

  @Test func `answers that this station did not ask that one for are ignored`() throws {
    let (first, second) = try acquainted()
    let reply = Reply()
    let question = try ask(first, reply)
    let answer = try #require(try answers(of: second, to: question).first)
    let token = try #require(first.fleet.questions.open.keys.first)
    let foreign = String(repeating: "0", count: 32)
    _ = first.hear([
      Counters.Publication("door3/answer", answer.payload),
      Counters.Publication("door2/answer", answer.payload.replacing(token, with: foreign)),
      Counters.Publication("door2/answer", answer.payload.replacing(#""to":"door1""#, with: #""to":"door3""#)),
    ])
    #expect(reply.results.isEmpty)
    _ = first.hear([answer, answer])
    #expect(reply.results.count == 1)
    // A question to a third station, to itself, and one of its own.
    #expect(try answers(of: first, to: question).isEmpty)
    #expect(try answers(of: second, to: question, from: "door2").isEmpty)
  }

  @Test func `an answer with absurd values is a problem, and no reply`() throws {
    let (first, second) = try acquainted()
    let reply = Reply()
    let question = try ask(first, reply, ["counter": "people", "before": 50])
    let answer = try #require(try answers(of: second, to: question).first?.payload)
    let bad = answer.replacing(#""sequence":"#, with: #""sequence":-"#)
    #expect(first.fleet.learn([Counters.Publication("door2/answer", bad)]).problems.count == 1)
    #expect(reply.results.isEmpty)
    // A page that leads back would never end.
    var members = try #require(try JSON(parsing: answer).object)
    members["next"] = 50
    _ = first.hear([Counters.Publication("door2/answer", members.description)])
    #expect(reply.message?.contains("is not valid") == true)
  }

  @Test func `a station that does not count the counter says so`() throws {
    let (first, second) = try acquainted()
    _ = try second.perform(.change(.remove(.named("guests"))))
    second.commit()
    let reply = Reply()
    _ = first.hear(try answers(of: second, to: try ask(first, reply)))
    #expect(reply.message?.contains("does not count “people”") == true)
  }

  @Test func `open questions are bounded for a user and for all`() throws {
    let (first, _) = try acquainted()
    let reply = Reply()
    for user in 1...8 {
      for _ in 0..<StationQuestions.mostOfUser { _ = try ask(first, reply, user: UInt32(user)) }
      #expect(throws: VarlinkError.self) { try ask(first, reply, user: UInt32(user)) }
    }
    #expect(first.fleet.questions.open.count == StationQuestions.most)
    #expect(throws: VarlinkError.self) { try ask(first, reply, user: 9) }
    try first.leave()
    #expect(reply.results.count == StationQuestions.most)
    #expect(first.fleet.questions.open.isEmpty)
  }

  @Test func `answers keep a pace, whoever asks`() throws {
    let (first, second) = try acquainted()
    let question = try ask(first, Reply())
    let now: Int64 = 1_000_000_000_000
    var count = 0
    for _ in 0..<100 { count += try answers(of: second, to: question, at: now).count }
    #expect(count == Int(StationQuestions.burst))
    #expect(try answers(of: second, to: question, at: now + StationQuestions.interval).count == 1)
    #expect(try answers(of: second, to: question, at: now + StationQuestions.interval).isEmpty)
    // A reader that has not returned yet.
    let later = now + 1000 * StationQuestions.interval
    second.fleet.readJournal = { _, _ in }
    for _ in 0..<10 { #expect(try answers(of: second, to: question, at: later).isEmpty) }
    #expect(second.fleet.questions.reading == 4)
  }
}
