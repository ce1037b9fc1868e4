import Foundation
import JSON
import Linux
import Testing

@Suite struct `Watching over the socket` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
  }

  @Test func `the state comes first, then every change with its cause`() throws {
    try client.call("Create", ["name": "a", "start": 4])
    var seen: [String] = []
    try core.client().watch { reply in
      if let counters = reply["counters"]?.array {
        seen.append("state \(counters.count)")
        try client.call("Add", ["counter": "a", "cause": ["producer": "test", "gesture": "tap"]])
        try client.call("Create", ["name": "b"])
        try client.call("Select", ["counter": "b"])
        try client.call("Remove", ["counter": "b"])
        return true
      }
      let event = reply["event"]?.object ?? [:]
      let gesture = event["cause"]?.object?["gesture"]?.string ?? "-"
      let value = reply["counter"]?.object?["value"]?.int.map(String.init) ?? "gone"
      seen.append("\(event["kind"]?.string ?? "") \(value) \(gesture) \(reply["current"]?.string ?? "none")")
      return event["kind"] != "removed"
    }
    #expect(seen == ["state 1", "added 5 tap a", "created 0 - a", "selected 0 - b", "removed gone - a"])
  }

  @Test func `who watches some counters hears of no others, and naming one that is not there is refused`() throws {
    try client.call("Create", ["name": "a"])
    try client.call("Create", ["name": "b"])
    var seen: [String] = []
    try core.client().watch(["counters": ["b"]]) { reply in
      if let counters = reply["counters"]?.array {
        seen += counters.compactMap { $0.object?["name"]?.string }
        try client.call("Add", ["counter": "a"])
        try client.call("Add", ["counter": "b"])
        return true
      }
      seen.append(reply["event"]?.object?["counter"]?.string ?? "")
      return false
    }
    #expect(seen == ["b", "b"])
    #expect(refusal("name") { try core.client().watch(["counters": ["c"]]) { _ in false } } == "NoSuchCounter c")
  }

  @Test func `the rename of a group is told of its counters and formulas, also to who watches only these`() throws {
    try client.call("CreateGroup", ["name": "g"])
    for name in ["a", "b"] { try client.call("Create", ["name": .string(name), "group": "g"]) }
    try client.call("CreateFormula", ["name": "f", "formula": "1", "group": "g"])
    func told(_ counters: [JSON]?, until last: String) throws -> [String] {
      var seen: [String] = []
      try core.client().watch(counters.map { ["counters": .array($0)] } ?? [:]) { reply in
        if reply["counters"] != nil {
          try client.call("SetGroup", ["group": "g", "newName": "h"])
          try client.call("Undo")
          return true
        }
        let parts = [reply["event"], reply["counter"], reply["formulas"]?.array?.first].compactMap { $0?.object }
        seen += parts.map { "\($0["kind"]?.string ?? $0["name"]?.string ?? "") \($0["group"]?.string ?? "")" }
        return seen.last != last
      }
      return seen
    }
    #expect(try told(["b"], until: "b g") == ["b h", "b g"])
    #expect(try told(["f"], until: "f g") == ["f h", "f g"])
    #expect(
      try told(nil, until: "f g") == ["changed h", "a h", "b h", "f h", "undone g", "a g", "b g", "f g"])
  }

  @Test func `a watcher that does not read is told to start over, and holds nobody up`() throws {
    try client.call("Create", ["name": "a"])
    let label = String(repeating: "x", count: 128)
    let change: JSON = ["verb": "add", "counter": "a", "device": .string(label), "gesture": .string(label)]
    try client.call("Open", ["producer": .string(label)])
    var (events, resynchronised) = (0, false)
    try core.client().watch { reply in
      // Nothing is read while this runs: far more than the core keeps for a watcher.
      if reply["counters"] != nil, events == 0 {
        for number in 1...Int64(20) {
          try client.call(
            "Deliver",
            [
              "producer": .string(label), "epoch": 1, "sequence": .int(number),
              "changes": .array(Array(repeating: change, count: 100)),
            ])
        }
      }
      if reply["event"] != nil { events += 1 }
      resynchronised = reply["resynchronise"] == true
      if resynchronised { #expect(reply["counters"]?.array?.first?.object?["value"] == 2000) }
      return !resynchronised
    }
    #expect(resynchronised)
    #expect(events > 0 && events < 2000)
  }

  @Test func `a watcher that does not read is told once to start over, however much is taken in`() throws {
    let note = String(repeating: "x", count: 500)
    for number in 0..<50 { try client.call("Create", ["name": .string("c\(number)"), "note": .string(note)]) }
    let imports: Int64 = 50
    var states = 0
    var last: Int64?
    try core.client().watch { reply in
      // Nothing is read while this runs: far more than the core keeps for a watcher.
      if states == 0 {
        for value in 1...imports {
          let entry: JSON = ["value": ["name": "c0", "value": .string(String(value))]]
          try client.call("Import", ["entries": [entry]])
        }
      }
      states += 1
      last = reply["counters"]?.array?.first?.object?["value"]?.int
      return last != imports
    }
    #expect(last == imports)
    #expect(states < imports)
  }
}
