import CoreService
import Foundation
import JSON
import Testing

@Suite struct `The counters over the socket` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
  }

  @Test func `a counter is made, counted, listed and found again after a restart`() throws {
    try client.call("Create", ["name": "people", "title": "People", "start": 3, "step": 2])
    try client.call("Add", ["counter": "people"])
    try client.call("Add", ["counter": "people", "amount": 10])
    #expect(try client.change("Subtract", ["counter": "people"])["value"]?.int == 13)
    core.restart()
    let again = try core.client()
    let expected: JSON = [
      ["name": "people", "title": "People", "value": 13, "start": 3, "step": 2, "current": true, "id": 1]
    ]
    #expect(try again.call("List")["counters"] == expected)
    #expect(try again.history() == ["created people 3", "added people 5", "added people 15", "subtracted people 13"])
  }

  @Test func `every refusal is a named error that says what was wrong, and changes nothing`() throws {
    try client.call("Create", ["name": "full", "start": .int(Int64.max)])
    let before = try client.history()
    #expect(refusal("name") { try client.call("Get", ["counter": "nobody"]) } == "NoSuchCounter nobody")
    #expect(refusal("name") { try client.call("Add", ["counter": "nobody"]) } == "NoSuchCounter nobody")
    #expect(refusal("name") { try client.call("Select", ["counter": "nobody"]) } == "NoSuchCounter nobody")
    #expect(refusal("name") { try client.call("Remove", ["counter": "nobody"]) } == "NoSuchCounter nobody")
    #expect(refusal("name") { try client.call("History", ["counters": ["nobody"]]) } == "NoSuchCounter nobody")
    #expect(refusal("name") { try client.call("Create", ["name": "a b"]) } == "BadName a b")
    #expect(refusal("reason") { try client.call("Create", ["name": "a", "title": ""]) } == "BadTitle it is empty")
    #expect(refusal("name") { try client.call("Create", ["name": "full"]) } == "CounterExists full")
    #expect(refusal("value") { try client.call("Add", ["counter": "full"]) } == "Overflow \(Int64.max)")
    #expect(refusal("amount") { try client.call("Add", ["counter": "full", "amount": 0]) } == "BadAmount 0")
    #expect(refusal("amount") { try client.call("Create", ["name": "a", "step": -2]) } == "BadAmount -2")
    #expect(
      refusal("parameter") { try client.call("Create", ["name": "a", "kind": "goal"]) } == "InvalidParameter target")
    #expect(refusal("parameter") { try client.call("Add", ["counter": 5]) } == "InvalidParameter counter")
    #expect(refusal("parameter") { try client.call("Add", ["nome": "full"]) } == "InvalidParameter nome")
    #expect(refusal("parameter") { try client.call("History", ["limit": 0]) } == "InvalidParameter limit")
    #expect(refusal("parameter") { try client.call("History", ["limit": 1001]) } == "InvalidParameter limit")
    #expect(
      refusal("parameter") { try client.call("Set", ["counter": "full", "note": "n", "clear": ["note"]]) }
        == "InvalidParameter clear")
    #expect(
      refusal("parameter") { try client.call("Move", ["counter": "full", "first": true, "after": "full"]) }
        == "InvalidParameter after")
    #expect(
      refusal("parameter") { try client.call("Move", ["counter": "full", "before": "full", "group": ""]) }
        == "InvalidParameter group")
    #expect(refusal("parameter") { try client.call("Export", ["after": 1_000_000]) } == "InvalidParameter after")
    #expect(refusal { try client.call("Watch") } == "ExpectedMore")
    let cause: JSON = ["producer": "", "device": "pedal"]
    #expect(
      refusal("parameter") { try client.call("Add", ["counter": "full", "cause": cause]) }
        == "InvalidParameter cause.producer")
    #expect(try client.history() == before)
  }

  @Test func `named counters and formulas are listed alone, in that order`() throws {
    for name in ["a", "b", "c"] { try client.call("Create", ["name": .string(name)]) }
    try client.call("CreateFormula", ["name": "f", "formula": "a + b"])
    let found = try client.call("List", ["counters": ["c", "f", "a", "c"]])
    #expect(found["counters"]?.array?.map { $0.object?["name"] } == ["c", "a"])
    #expect(found["formulas"]?.array?.map { $0.object?["name"] } == ["f"])
    #expect(try client.call("List", ["counters": []])["counters"] == [])
    #expect(refusal("name") { try client.call("List", ["counters": ["a", "nobody"]]) } == "NoSuchCounter nobody")
  }

  @Test func `with no counter there is nothing to get, select or undo`() throws {
    #expect(refusal { try client.call("Get") } == "NoCurrentCounter")
    #expect(refusal { try client.call("Undo") } == "NothingToUndo")
  }

  @Test func `an undo of everything leaves nothing, and the history keeps all of it`() throws {
    try client.call("Create", ["name": "a"])
    try client.call("Add", ["counter": "a", "amount": 7])
    try client.call("Remove", ["counter": "a"])
    #expect(try client.change("Undo")["undoes"] == 3)
    #expect(try client.value("a") == 7)
    #expect(try client.change("Undo")["change"] == -7)
    #expect(try client.change("Undo")["undoes"] == 1)
    #expect(refusal { try client.call("Undo") } == "NothingToUndo")
    #expect(try client.call("List")["counters"] == [])
    #expect(try client.history().count == 6)
    #expect(try client.call("History", ["counters": ["a"], "before": 3])["events"]?.array?.count == 2)
  }

  @Test func `reset, correct and redo are answered like any change`() throws {
    try client.call("Create", ["name": "a", "start": 1])
    try client.call("Add", ["counter": "a", "amount": 20])
    #expect(try client.change("Correct", ["counter": "a", "value": 12])["change"] == -9)
    #expect(try client.change("Undo")["value"] == 21)
    #expect(try client.change("Redo")["value"] == 12)
    #expect(refusal { try client.call("Redo") } == "NothingToRedo")
    #expect(try client.change("Reset", ["counter": "a"])["kind"] == "armed")
    #expect(try client.change("Reset", ["counter": "a"])["value"] == 1)
    #expect(try client.change("Undo")["value"] == 12)
    #expect(try client.change("Reset", ["confirmed": true])["kind"] == "reset")
  }

  @Test func `an event tells its cause as it was stated`() throws {
    let cause: JSON = ["producer": "board", "device": "Stream pedal", "gesture": "press"]
    try client.call("Create", ["name": "a"])
    #expect(try client.change("Add", ["counter": "a", "cause": cause])["cause"] == cause)
    #expect(try client.change("Add", ["counter": "a"])["cause"] == ["producer": "client"])
  }

  @Test func `fifty clients that add at once are all counted once`() async throws {
    try client.call("Create", ["name": "a"])
    await withTaskGroup(of: Void.self) { [core] group in
      for _ in 0..<50 {
        group.addTask {
          guard let client = try? core.client() else { return }
          for _ in 0..<20 { _ = try? client.call("Add", ["counter": "a"]) }
        }
      }
    }
    #expect(try client.value("a") == 1000)
    #expect(Set(try client.history()).count == 1000)
  }
}
