import Calendars
import Counting
import Foundation
import JSON
import Journal
import TestKit
import Testing

@Suite struct `Formulas and periods over the socket` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
  }

  private func formulas(_ client: TestClient) throws -> [String] {
    (try client.call("List")["formulas"]?.array ?? []).compactMap(\.object).map { formula in
      "\(formula["name"]?.string ?? "") \(formula["value"]?.string ?? "-") \(formula["text"]?.string ?? "-")"
    }
  }

  @Test func `a formula is listed with its value, found again after a restart, and undone`() throws {
    try client.call("Create", ["name": "goals"])
    try client.call("Create", ["name": "shots", "start": 3])
    let parameters: JSONObject = ["name": "share", "formula": "goals / shots", "display": "percent"]
    #expect(try client.change("CreateFormula", parameters)["formula"]?.string == "share")
    #expect(try formulas(client) == ["share 0 0 %"])
    try client.call("Add", ["counter": "goals"])
    core.restart()
    let again = try core.client()
    #expect(try formulas(again) == ["share 0.333333333333 33.3 %"])
    try again.call("SetFormula", ["name": "share", "formula": "shots / (goals - 1)"])
    #expect(try formulas(again) == ["share - -"])
    try again.call("Undo")
    try again.call("Set", ["counter": "goals", "newName": "points"])
    #expect(try formulas(again) == ["share 0.333333333333 33.3 %"])
    try again.call("Remove", ["counter": "share"])
    #expect(try formulas(again) == [])
    core.restart()
    let last = try core.client()
    try last.call("Undo")
    #expect(try formulas(last) == ["share 0.333333333333 33.3 %"])
  }

  @Test func `the undo of a rename is answered with what has its name again, not with a formula that follows`() throws {
    try client.call("Create", ["name": "goals"])
    try client.call("CreateFormula", ["name": "twice", "formula": "goals * 2"])
    try client.call("Set", ["counter": "goals", "newName": "points"])
    let undone = try client.change("Undo")
    #expect(undone["counter"] == "goals" && undone["formula"] == nil)
    #expect(try client.change("Redo")["counter"] == "points")
    #expect(try client.change("Undo")["counter"] == "goals")
  }

  @Test func `a wrong formula is refused with its place`() throws {
    #expect(
      refusal("position") { try client.call("CreateFormula", ["name": "f", "formula": "1 + x"]) } == "BadFormula 4")
    #expect(refusal("name") { try client.call("SetFormula", ["name": "f"]) } == "NoSuchFormula f")
    try client.call("CreateFormula", ["name": "f", "formula": "1"])
    #expect(refusal("name") { try client.call("CreateFormula", ["name": "f", "formula": "1"]) } == "FormulaExists f")
    #expect(refusal("name") { try client.call("Create", ["name": "f"]) } == "FormulaExists f")
  }

  @Test func `watchers hear of the formulas that got another value, and of no others`() throws {
    try client.call("Create", ["name": "a"])
    try client.call("Create", ["name": "b"])
    try client.call("CreateFormula", ["name": "twice", "formula": "a * 2"])
    try client.call("CreateFormula", ["name": "some", "formula": "min(a, 1)"])
    func watch(_ names: JSONObject) throws -> [String] {
      var seen: [String] = []
      try core.client().watch(names) { reply in
        if reply["counters"] != nil {
          for _ in 0..<2 { try client.call("Add", ["counter": "a"]) }
          try client.call("Add", ["counter": "b"])
          try client.call("SetFormula", ["name": "twice", "title": "The end"])
        }
        let formulas = (reply["formulas"]?.array ?? []).compactMap(\.object)
          .map { "\($0["name"]?.string ?? "") \($0["value"]?.string ?? "-")" }
        let event = reply["event"]?.object.map { "\($0["kind"]?.string ?? "") \($0["counter"]?.string ?? "")" }
        seen.append("\(event ?? "-"): \(formulas.joined(separator: ", "))")
        return !(reply["formulas"]?.array ?? []).contains { $0.object?["title"] == "The end" }
      }
      return seen
    }
    #expect(
      try watch([:]) == [
        "-: twice 0, some 0", "added a: twice 2, some 1", "added a: twice 4", "added b: ", "changed : twice 4",
      ])
    // Who named a formula alone hears of nothing else.
    try client.call("SetFormula", ["name": "twice", "title": "twice"])
    #expect(try watch(["counters": ["twice"]]) == ["-: twice 4", "-: twice 6", "-: twice 8", "changed : twice 8"])
  }

  @Test func `periods that ended while the core was off are closed when it starts`() throws {
    let now = Int64(Date().timeIntervalSince1970) * 1_000_000
    core.stop()
    do {
      let store = try CounterStore(folder: core.folder)
      var ledger = try store.load()
      let begun = now - 5 * 86_400_000_000
      let cause = Cause(producer: "test")
      for change in [
        Change.create(name: "laps", [.period: .text("daily 00:00 UTC"), .target: .integer(5)]),
        .add(.named("laps"), amount: 4),
      ] {
        for event in try ledger.perform(change, at: begun, cause: cause) { try store.append(event, to: ledger) }
      }
      try store.commit(ledger.head)
    }
    core.start()
    let events =
      try client(again: core).call("History", ["counters": ["laps"]])["events"]?.array?.compactMap(\.object) ?? []
    let renewed = events.filter { $0["kind"] == "renewed" }
    // A midnight may come while this runs.
    let days = Int(Int64(Date().timeIntervalSince1970) / 86_400 - now / 86_400_000_000)
    // The day with the count, and the empty ones after it together.
    #expect(2...2 + days ~= renewed.count)
    #expect(renewed.last?["change"] == -4 && renewed.first?["change"] == 0)
    let midnights = renewed.compactMap { $0["time"]?.int }
    #expect(midnights.allSatisfy { $0 % 86_400_000_000 == 0 } && Set(midnights).count == renewed.count)
    #expect(renewed.first?["began"] == renewed.dropFirst().first?["time"])
    let beginning = (now - 5 * 86_400_000_000) / 86_400_000_000
    #expect(renewed.last?["time"]?.int == (beginning + 1) * 86_400_000_000)
    let counter = try client(again: core).call("Get", ["counter": "laps"])["counter"]?.object
    #expect(counter?["value"] == 0 && counter?["period"] == "daily 00:00 UTC")
    #expect(counter?["renewsAt"]?.int.map { $0 > now } == true)
  }

  private func client(again core: TestCore) throws -> TestClient { try core.client() }

  @Test func `a period ends while the core runs`() throws {
    var end: Int64 = 0
    var seen: [String] = []
    try core.client().watch { reply in
      if reply["counters"] != nil {
        try Wait.until("a period is made that has not passed, however busy the machine is") {
          // The next second, by the clock on the wall.
          end = Int64(Date().timeIntervalSince1970) + 1
          let period = JSON.string("on \(Zone.utc.wallTime(at: end)) UTC")
          return refusal { try client.call("Create", ["name": "laps", "period": period, "start": 1]) } == nil
        }
        try client.call("Add", ["counter": "laps", "amount": 6])
      }
      guard let event = reply["event"]?.object, event["kind"] == "renewed" else { return true }
      seen.append("renewed \(event["value"]?.int ?? 0) \((event["time"]?.int ?? 0) / 1_000_000 - end)")
      return false
    }
    #expect(seen == ["renewed 1 0"])
  }
}
