import Counting
import Testing
import Varlink

@testable import Fleet

@Suite struct `Questions to other stations` {
  private let counter: CounterID
  private let token = String(repeating: "0b", count: 16)

  init() throws { counter = try #require(CounterID(String(repeating: "a", count: 32))) }

  private func question(_ page: StationQuestion.Page = .before(nil), limit: Int64 = 10) -> StationQuestion {
    StationQuestion(counter, token: token, to: "door2", page, limit: limit)
  }

  private func event(_ sequence: Int64 = 7, _ more: JSONObject = [:]) -> JSONObject {
    var object: JSONObject = [
      "sequence": .int(sequence), "time": 1_764_000_000_000_000, "kind": "added", "change": 1, "value": 5,
      "cause": ["producer": "tally", "device": "pedal"],
    ]
    for (name, value) in more { object[name] = value }
    return object
  }

  private func members(_ text: String) throws -> JSONObject { try #require(try JSON(parsing: text).object) }

  @Test func `a question is the same after its way`() throws {
    let pages: [StationQuestion.Page] = [.before(nil), .before(9), .after(0)]
    for page in pages {
      let sent = StationQuestion(counter, token: token, to: "door2", page, limit: 3, from: 5, until: 6)
      #expect(try StationQuestion(parsing: try members(sent.text)) == sent)
    }
    #expect(question(limit: 1000).limit == 100)
  }

  @Test func `an answer is the same after its way`() throws {
    let own = try #require(
      StationEvent(own: event(7, ["counter": "people", "id": 3, "note": "x", "reached": true, "unknown": 1])))
    #expect(own.object["counter"] == nil && own.object["id"] == nil && own.object["unknown"] == nil)
    for content in [StationAnswer.Content.events([own], next: 7), .events([], next: nil), .absent] {
      let sent = StationAnswer(question(), to: "door1", content)
      #expect(try StationAnswer(parsing: try members(sent.text)) == sent)
    }
  }

  @Test(arguments: [
    #""question":"00""#, #""question":7"#, #""of":"all""#, #""of":7"#, #""limit":0"#, #""limit":"x""#, #""before":"x""#,
    #""before":1,"after":1"#, #""counter":"x""#, #""from":[]"#,
  ])
  func `a question with absurd values is refused`(part: String) throws {
    var object = try members(question().text)
    for (name, value) in try members("{\(part)}") { object[name] = value }
    #expect(throws: MessageError.self) { try StationQuestion(parsing: object) }
  }

  @Test(arguments: [
    #""sequence":0"#, #""sequence":"x""#, #""time":-1"#, #""time":9223372036854775807"#, #""time":null"#,
    #""kind":"\u001b[2J""#, #""kind":7"#, #""change":1.5"#, #""value":{}"#, #""undoes":"x""#, #""until":-5"#,
    #""note":"\u001b[2J""#, #""note":7"#, #""cause":{"producer":"\u0007"}"#, #""cause":{}"#, #""cause":7"#,
    #""cause":{"producer":"x","device":7}"#, #""alterations":7"#, #""alterations":[7]"#,
    #""alterations":[{"field":"a b"}]"#, #""alterations":[{"field":"title","after":"\u001b"}]"#,
    #""alterations":[{"field":"title","before":7}]"#,
  ])
  func `an event with absurd values is refused`(part: String) throws {
    var object = event()
    for (name, value) in try members("{\(part)}") { object[name] = value }
    #expect(StationEvent(parsing: event()) != nil)
    #expect(StationEvent(parsing: object) == nil)
    let answer: JSONObject = [
      "counter": .string(counter.description), "response": .string(token), "to": "door1", "events": [.object(object)],
    ]
    #expect(throws: MessageError.wrong("events")) { try StationAnswer(parsing: answer) }
  }

  @Test func `too many or too long parts are refused`() throws {
    let many = JSON.array(Array(repeating: .object(event()), count: 101))
    let answer: JSONObject = [
      "counter": .string(counter.description), "response": .string(token), "to": "door1", "events": many,
    ]
    #expect(throws: MessageError.wrong("events")) { try StationAnswer(parsing: answer) }
    #expect(StationEvent(parsing: event(7, ["note": .string(String(repeating: "x", count: 201))])) == nil)
    let alterations = JSON.array(Array(repeating: ["field": "title"], count: 17))
    #expect(StationEvent(parsing: event(7, ["alterations": alterations])) == nil)
  }

  @Test func `the longest own event fits into a message, and what does not fit is the next page`() throws {
    let long = JSON.string(String(repeating: "\"🙂", count: 3000))
    let label = JSON.string(String(repeating: "\"", count: 128))
    let alterations = JSON.array(Array(repeating: ["field": "title", "before": long, "after": long], count: 40))
    let events = try (1...3).map { number in
      try #require(
        StationEvent(
          own: event(
            .max - number,
            [
              "note": long, "alterations": alterations, "value": .int(.min), "change": .int(.min), "batch": .int(.min),
              "cause": ["producer": label, "device": label, "gesture": label],
            ])))
    }
    let answer = StationAnswer(question(), to: String(repeating: "d", count: 32), fitting: events, next: nil)
    #expect(answer.text.utf8.count <= Message.maximumLength)
    guard case .events(let fitting, let next) = answer.content else {
      Issue.record("The answer has no events.")
      return
    }
    #expect(1..<3 ~= fitting.count)
    #expect(next == fitting.last?.sequence)
    #expect(try StationAnswer(parsing: try members(answer.text)) == answer)
    #expect(
      StationAnswer(question(), to: "door1", fitting: Array(events.prefix(1)), next: 4).content
        == .events(Array(events.prefix(1)), next: 4))
  }

  @Test func `a page must be followed by a later one`() {
    #expect(StationQuestion.Page.before(nil).isFollowed(by: 5))
    #expect(!StationQuestion.Page.before(nil).isFollowed(by: 0))
    #expect(!StationQuestion.Page.before(5).isFollowed(by: 5))
    #expect(StationQuestion.Page.after(5).isFollowed(by: 6))
    #expect(!StationQuestion.Page.after(5).isFollowed(by: 5))
  }
}
