import CoreAPI
import CoreService
import Counting
import JSON
import Testing
import Varlink

/// Requests that are made by hand, beside the generated ones.
@Suite struct ModelTests {
  private let interface: Interface

  init() throws { interface = try Interface(CountersInterface.description) }

  @Test func `the verbs of deliveries are documented`() throws {
    let change = try #require(interface.description.split(separator: "type Change (").last)
    let line = try #require(change.split(separator: "\n").first { $0.contains("#") })
    for verb in Counters.Change.Verb.allCases { #expect(line.contains(verb.rawValue)) }
  }

  typealias ChangeRequest = Counters.Request<Counters.EventReply>

  @Test func `a parameter that is not stated is left out`() {
    let requests = [ChangeRequest.add(nil), .move("a", to: .last), .undo(), .create("a")]
    #expect(requests.map(\.parameters.count) == [0, 1, 0, 1])
    #expect(Counters.Request.watch().parameters.isEmpty)
  }

  @Test(
    arguments: [
      (.add("a", amount: 2, time: 9), ["counter": "a", "amount": 2, "time": 9]),
      (.subtract("a", quantity: "1.5"), ["counter": "a", "quantity": "1.5"]),
      (.correct("a", quantity: "7"), ["counter": "a", "quantity": "7"]), (.correct(nil, value: 7), ["value": 7]),
      (.reset(.one(nil), isConfirmed: false), ["confirmed": false]),
      (.reset(.group("g"), isConfirmed: true), ["group": "g", "confirmed": true]),
      (.reset(.all, isConfirmed: true), ["all": true, "confirmed": true]),
      (.move("a", to: .before("b")), ["counter": "a", "before": "b"]),
      (.move("a", to: .after("b")), ["counter": "a", "after": "b"]),
      (.move("a", to: .first, group: ""), ["counter": "a", "first": true, "group": ""]),
      (.moveGroup("g", to: .last), ["group": "g"]), (.note(sequence: 5, text: ""), ["sequence": 5, "text": ""]),
      (.create("a", decimals: 2, [:]), ["name": "a", "decimals": 2]),
      (.create("a", isStopwatch: true, [:]), ["name": "a", "kind": "stopwatch"]),
    ] as [(ChangeRequest, JSONObject)])
  func `a change states what it was made of`(request: ChangeRequest, parameters: JSONObject) {
    #expect(request.parameters == parameters)
  }

  @Test func `questions state what they were made of`() {
    let filter = Counters.EventFilter(device: "pedal", from: 1, until: 2)
    #expect(
      Counters.Request.history(before: 9, limit: 5, filter).parameters
        == ["device": "pedal", "from": 1, "until": 2, "before": 9, "limit": 5])
    #expect(Counters.Request.history(after: 9).parameters == ["after": 9])
    #expect(
      Counters.Request.statistics(counters: ["a"], from: 1, until: 2).parameters == [
        "counters": ["a"], "from": 1, "until": 2,
      ])
    #expect(
      Counters.Request.totals(counters: ["a"], bounds: [1, 2]).parameters == ["counters": ["a"], "bounds": [1, 2]])
    #expect(
      Counters.Request.import(["l"], clash: .keep, isTrial: false).parameters == [
        "entries": ["l"], "clash": "keep", "trial": false,
      ])
  }

  @Test func `settings keep their types, and cleared ones are named`() {
    let settings: Settings = [
      .name: .text("b"), .tags: .text("x y"), .archived: .integer(0), .target: .integer(5), .note: .none,
    ]
    #expect(
      ChangeRequest.set("a", settings).parameters == [
        "counter": "a", "newName": "b", "tags": ["x", "y"], "archived": false, "target": 5, "clear": ["note"],
      ])
  }
}
