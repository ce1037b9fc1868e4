import JSON
import Testing

/// Formulas with the verbs of counters.
@Suite struct `A formula is treated like a counter` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
    try client.call("CreateGroup", ["name": "g"])
    for name in ["a", "b"] { try client.call("Create", ["name": .string(name)]) }
    for (name, formula) in [("f", "a + b"), ("h", "f * 2"), ("k", "a")] {
      try client.call("CreateFormula", ["name": .string(name), "formula": .string(formula)])
    }
  }

  private var names: [String] {
    get throws {
      try client.call("List")["formulas"]?.array?.compactMap { $0.object?["name"]?.string } ?? []
    }
  }

  private func formula(_ name: String) throws -> JSONObject? {
    try client.call("List")["formulas"]?.array?.compactMap(\.object).first { $0["name"]?.string == name }
  }

  @Test func `by a rename, which other formulas follow, and by looks, group and archive`() throws {
    try client.call("Set", ["counter": "f", "newName": "sum", "colour": "red", "icon": "Σ", "group": "g"])
    try client.call("Set", ["counter": "sum", "archived": true])
    let found = try formula("sum")
    #expect(found?["group"] == "g" && found?["archived"] == true && found?["icon"] == "Σ" && found?["title"] == "sum")
    #expect(try formula("h")?["formula"] == "sum * 2")
    #expect(refusal { try client.call("Set", ["counter": "sum", "maximum": 3]) } == "BadSetting")
    #expect(
      refusal("message") { try client.call("Add", ["counter": "sum"]) }
        == "NoSuchCounter “sum” is a formula: its value follows from the counters in it.")
    core.restart()
    let again = try core.client()
    #expect(try again.call("List")["formulas"]?.array?.count == 3)
    try JournalCheck.expectWhole(core)
  }

  @Test func `by its place, among the formulas of its group`() throws {
    try client.call("Move", ["counter": "k", "first": true])
    #expect(try names == ["k", "f", "h"])
    try client.call("Move", ["counter": "k", "after": "f"])
    #expect(try names == ["f", "k", "h"])
    try client.call("Move", ["counter": "f", "group": "g"])
    #expect(try names == ["k", "h", "f"])
    #expect(refusal { try client.call("Move", ["counter": "k", "after": "a"]) } == "BadSetting")
    try client.call("Undo")
    #expect(try names == ["f", "k", "h"])
    try client.call("Redo")
    #expect(try names == ["k", "h", "f"])
    // A group that goes leaves its formulas, and an undo brings them back into it.
    let removed = try client.change("RemoveGroup", ["group": "g"])
    #expect(try formula("f")?["group"] == nil)
    let left = try client.call("History", ["counters": ["f"], "limit": 1])["events"]?.array?.first?.object
    #expect(left?["batch"] == removed["batch"])
    #expect(left?["alterations"]?.array?.contains { $0.object?["field"] == "group" } == true)
    try client.call("Undo")
    #expect(try formula("f")?["group"] == "g")
    try JournalCheck.expectWhole(core)
  }

  @Test func `by undo, redo and history of its name, and of its events by number`() throws {
    let set = try client.change("Set", ["counter": "f", "colour": "red"])
    try client.call("Add", ["counter": "a"])
    #expect(try client.change("Undo", ["counter": "f"])["undoes"] == set["sequence"])
    #expect(try formula("f")?["colour"] == nil)
    try client.call("Redo", ["counter": "f"])
    #expect(try formula("f")?["colour"] == "red")
    let events = try client.call("History", ["counters": ["f"]])["events"]?.array?.compactMap(\.object) ?? []
    #expect(events.compactMap { $0["kind"]?.string } == ["redone", "undone", "changed", "created"])
    let removed = try client.change("Remove", ["counter": "f"])
    #expect(try client.call("History", ["counters": ["f", "a"]])["events"]?.array?.count == 7)
    let number = try #require(removed["sequence"])
    #expect(try client.change("Undo", ["sequence": number])["formula"] == "f")
    try client.call("Remove", ["counter": "f"])
    #expect(try client.change("Undo", ["counter": "f"])["formula"] == "f")
  }

  @Test func `by export and import, with its group`() throws {
    let other = try TestCore()
    let there = try other.client()
    try client.call("Set", ["counter": "f", "group": "g", "archived": true])
    let definitions = try client.call("Export")["entries"]?.array ?? []
    let entries = definitions + (try client.call("Export", ["after": 0])["entries"]?.array ?? [])
    // Without the format, which promises an end, definitions alone are taken.
    for entries in [Array(definitions.dropFirst()), entries] {
      try there.call("Import", ["entries": .array(entries)])
      let found = try there.call("List")["formulas"]?.array?.compactMap(\.object).first { $0["name"] == "f" }
      #expect(found?["group"] == "g" && found?["archived"] == true)
      try JournalCheck.expectWhole(other)
      try there.call("Undo")
      #expect(try there.call("List")["formulas"] == nil)
    }
  }
}
