import Testing
import Varlink

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
    defer { core.stop() }
    #expect(try told([("Add", [:])]) == ["0", "1"])
    try client.call("Add")
    #expect(try told([("Undo", [:]), ("Select", ["name": "x"])]) == ["2", "1", "-"])
  }

  @Test func `one that was removed and comes back is told of`() throws {
    defer { core.stop() }
    try client.call("Add")
    #expect(
      try told([("Select", ["name": "x"]), ("Remove", ["name": "f"]), ("Undo", [:])]).last == "1")
  }

  @Test func `what was told before everything became another counts no more`() throws {
    defer { core.stop() }
    let line = #"{"value":{"name":"x","value":"5"}}"#
    let steps: [(String, JSONObject)] = [
      ("Add", [:]), ("Import", ["lines": [#"{"tallymark":1}"#, .string(line)]]),
      ("Correct", ["name": "x", "value": 1]),
    ]
    #expect(try told(steps) == ["0", "1", "5", "1"])
  }
}
