import JSON
import Linux
import TestKit
import Testing

/// Formulas are told only when they are others than those who watch have heard.
@Suite struct `Watching formulas` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
    try client.call("Create", ["name": "x"])
    try client.call("CreateFormula", ["name": "f", "formula": "x + 0"])
  }

  /// Watches, does one thing after the other, each when the one before was told of, and gives the values of the formula
  /// that were told; "-" where it was not.
  func told(_ steps: [(String, JSONObject)]) throws -> [String] {
    var seen: [String] = []
    try core.client().watch { reply in
      let formula = reply["formulas"]?.array?.first?.object
      seen.append(formula.map { $0["value"]?.string ?? "?" } ?? "-")
      guard seen.count <= steps.count else { return false }
      try client.call(steps[seen.count - 1].0, steps[seen.count - 1].1)
      return true
    }
    return seen
  }

  @Test func `whoever comes when others have left hears of a value that they had heard as well`() throws {
    #expect(try told([("Add", [:])]) == ["0", "1"])
    try client.call("Add")
    #expect(try told([("Undo", [:]), ("Select", ["counter": "x"])]) == ["2", "1", "-"])
  }

  /// A rate falls by itself, without anybody being told.
  @Test func `one who came later hears of a value that others were told before`() throws {
    var told: [String]?
    // A slow machine needs more time for the first half.
    for (number, seconds) in [0.25, 1, 4, 16, 60].enumerated() where told == nil {
      let name = JSON.string("y\(number)")
      try client.call("Create", ["name": name])
      let earlier = Clock.microsecondsSince1970() - 100_000_000
      let limit = Int64(1_000_000 * 3600 / (100 + seconds))
      try client.call(
        "CreateFormula", ["name": .string("fast\(number)"), "formula": .string("rate(y\(number)) > \(limit)")])
      let created = Clock.boottime()
      var seen: [String] = []
      try core.client().watch(["counters": [.string("fast\(number)")]]) { reply in
        seen.append(reply["formulas"]?.array?.first?.object?["value"]?.string ?? "-")
        guard seen.count == 1 else {
          return try second(number, name, after: created + Int64(seconds * 1_100_000_000), &told)
        }
        try client.call("Add", ["counter": name, "amount": 1_000_000, "time": .int(earlier)])
        return true
      }
      if seen != ["0", "1"] { told = nil }
    }
    #expect(told == ["0", "1"])
  }

  /// What a second watcher hears, who comes when the rate has fallen.
  func second(_ number: Int, _ name: JSON, after time: Int64, _ told: inout [String]?) throws -> Bool {
    try Wait.until("the rate has fallen") { Clock.boottime() > time }
    var seen: [String] = []
    try core.client().watch(["counters": [.string("fast\(number)"), name]]) { reply in
      seen.append(reply["formulas"]?.array?.first?.object?["value"]?.string ?? "-")
      if seen.count == 1 { try client.call("Add", ["counter": name, "amount": 1_000_000_000]) }
      return seen.count < 2
    }
    told = seen
    return false
  }

  @Test func `one that loses its value with a name is told of`() throws {
    try client.call("Create", ["name": "d"])
    try client.call("Set", ["counter": "x", "newName": "y"])
    try client.call("CreateFormula", ["name": "q", "formula": "d + 1"])
    try client.call("Remove", ["counter": "d"])
    try client.call("Remove", ["counter": "f"])
    let steps: [(String, JSONObject)] = [("Set", ["counter": "y", "newName": "d"]), ("Undo", [:])]
    #expect(try told(steps) == ["?", "1", "?"])
  }

  @Test func `one that was removed and comes back is told of`() throws {
    try client.call("Add")
    #expect(
      try told([("Select", ["counter": "x"]), ("Remove", ["counter": "f"]), ("Undo", [:])]).last == "1")
  }

  @Test func `what was told before everything became another counts no more`() throws {
    let steps: [(String, JSONObject)] = [
      ("Add", [:]), ("Import", ["entries": [["value": ["name": "x", "value": "5"]]]]),
      ("Correct", ["counter": "x", "value": 1]),
    ]
    #expect(try told(steps) == ["0", "1", "5", "1"])
  }
}
