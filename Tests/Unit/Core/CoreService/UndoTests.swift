import Foundation
import JSON
import TestKit
import Testing

@Suite struct `Undo over the socket` {
  @Test func `takes back a count by its number, whatever followed`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "a"])
    for amount in [1, 2, 3] as [Int64] { try client.call("Add", ["counter": "a", "amount": .int(amount)]) }
    let undone = try client.change("Undo", ["sequence": 3])
    #expect(undone["change"] == -2 && undone["value"] == 4 && undone["undoes"] == 3)
    func refusal(of sequence: Int64) -> String? {
      CoreServiceTests.refusal("message") { try client.call("Undo", ["sequence": .int(sequence)]) }
    }
    #expect(refusal(of: 3) == "NothingToUndo Event 3 cannot be undone: event 5 has undone it already.")
    #expect(refusal(of: 1) == "NothingToUndo Event 1 cannot be undone: later events of “a” follow it; undo them first.")
    #expect(refusal(of: 99) == "NoSuchEvent There is no event 99.")
    // A plain undo goes on with what is left.
    #expect(try client.change("Undo")["undoes"] == 4)
    #expect(try client.change("Undo")["undoes"] == 2)
    #expect(try client.change("Undo", ["sequence": 1])["undoes"] == 1)
  }

  @Test func `takes back what was made together whole, by the number of a part or by a name`() throws {
    let client = try TestCore().client()
    func values() throws -> [Int64?] {
      try client.call("List")["counters"]?.array?.map { $0.object?["value"]?.int } ?? []
    }
    for name in ["a", "b"] { try client.call("Create", ["name": .string(name)]) }
    let epoch = try client.call("Open", ["producer": "p"])["epoch"] ?? .null
    func deliver(_ sequence: Int64) throws {
      try client.call(
        "Deliver",
        [
          "producer": "p", "epoch": epoch, "sequence": .int(sequence),
          "changes": [
            ["verb": "add", "counter": "a"], ["verb": "add", "counter": "b", "amount": 2, "together": true],
          ],
        ])
    }
    try deliver(1)
    try client.call("Add", ["counter": "b", "amount": 7])
    #expect(try values() == [1, 9])
    // What was counted since stays.
    try client.call("Undo", ["sequence": 3])
    #expect(try values() == [0, 7])
    try deliver(2)
    try client.call("Add", ["counter": "b", "amount": 10])
    try client.call("Undo", ["counter": "a"])
    #expect(try values() == [0, 17])
    try client.call("Redo", ["counter": "a"])
    #expect(try values() == [1, 19])
    try JournalCheck.expectWhole(client)
  }

  @Test func `takes back no part of a reset of several counters after another of them has counted`() throws {
    let client = try TestCore().client()
    for name in ["a", "b"] {
      try client.call("Create", ["name": .string(name)])
      try client.call("Add", ["counter": .string(name), "amount": 5])
    }
    try client.call("Reset", ["all": true, "confirmed": true])
    try client.call("Add", ["counter": "b"])
    let refusals = [["counter": "a"], ["sequence": 6]].map { (words: JSONObject) in
      CoreServiceTests.refusal("message") { try client.call("Undo", words) }
    }
    #expect(
      refusals.allSatisfy { $0?.contains("later events of “b” follow it; undo them first") == true }, "\(refusals)")
    try client.call("Undo", ["counter": "b"])
    try client.call("Undo", ["counter": "a"])
    #expect(try client.call("List")["counters"]?.array?.map { $0.object?["value"]?.int } == [5, 5])
    try JournalCheck.expectWhole(client)
  }

  @Test(arguments: [["counter": "b"], ["sequence": 3]] as [JSONObject])
  func `takes back a new name with what it changed in formulas`(_ words: JSONObject) throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "a"])
    try client.call("CreateFormula", ["name": "f", "formula": "a + 1"])
    try client.call("Set", ["counter": "a", "newName": "b"])
    try client.call("Undo", words)
    let formula = try client.call("List")["formulas"]?.array?.first?.object
    #expect(formula?["formula"] == "a + 1" && formula?["value"] == "1")
  }

  @Test func `takes back a note about a counter that is gone`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "k"])
    try client.call("Add", ["counter": "k"])
    try client.call("Remove", ["counter": "k"])
    try client.call("Note", ["sequence": 2, "text": "x"])
    #expect(try client.change("Undo")["undoes"] == 4)
    #expect(try client.change("Undo")["undoes"] == 3)
  }

  @Test func `of a name that is gone takes back what the last one did that had it`() throws {
    let client = try TestCore().client()
    for (name, amount) in [("y", 7), ("x", 2)] as [(String, Int64)] {
      try client.call("Create", ["name": .string(name)])
      try client.call("Add", ["counter": .string(name), "amount": .int(amount)])
    }
    try client.call("Remove", ["counter": "x"])
    try client.call("Set", ["counter": "y", "newName": "x"])
    try client.call("Remove", ["counter": "x"])
    #expect(try client.change("Undo", ["counter": "x"])["value"] == 7)
  }

  @Test func `stops before a lock, rather than take back what was arranged before it`() throws {
    let client = try TestCore().client()
    for name in ["a", "b"] { try client.call("Create", ["name": .string(name)]) }
    try client.call("Lock", ["counter": "a"])
    let refusal = CoreServiceTests.refusal("message") { try client.call("Undo") }
    #expect(refusal?.contains("Unlock it first (tally unlock a), or undo this one by its number: tally undo 2") == true)
    try client.call("Add", ["counter": "b"])
    #expect(try client.change("Undo")["undoes"] == 4)
    try client.call("Undo", ["sequence": 2])
  }

  @Test func `by a key takes back counts only`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "a"])
    try client.call("Add", ["counter": "a"])
    let key: JSON = ["producer": "tally", "device": "terminal", "gesture": "press KEY_U"]
    #expect(try client.change("Undo", ["cause": key])["undoes"] == 2)
    let refusal = CoreServiceTests.refusal("message") { try client.call("Undo", ["cause": key]) }
    #expect(refusal?.contains("gesture") == true, "\(refusal ?? "nothing")")
  }

  @Test func `a formula that comes back without its group is no damage`() throws {
    let client = try TestCore().client()
    try client.call("CreateGroup", ["name": "g"])
    try client.call("CreateFormula", ["name": "f", "formula": "1"])
    try client.call("Set", ["counter": "f", "group": "g"])
    try client.call("Remove", ["counter": "f"])
    try client.call("RemoveGroup", ["group": "g"])
    for _ in 0..<2 { try client.call("Undo", ["counter": "f"]) }
    try JournalCheck.expectWhole(client)
  }

  @Test func `the undo of a group alone blocks no undo of what was in it`() throws {
    let client = try TestCore().client()
    for name in ["g", "h"] { try client.call("CreateGroup", ["name": .string(name)]) }
    try client.call("Create", ["name": "m", "group": "g"])
    try client.call("Set", ["counter": "m", "group": "h"])
    try client.call("Create", ["name": "z"])
    try client.call("Undo", ["sequence": 1])
    for _ in 0..<3 { try client.call("Undo") }
    #expect(try client.call("List")["counters"]?.array?.isEmpty == true)
    try JournalCheck.expectWhole(client)
  }

  @Test func `takes back looks by number while they stand, and says why not later`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "a"])
    try client.call("CreateFormula", ["name": "f", "formula": "a"])
    try client.call("CreateGroup", ["name": "g"])
    var numbers: [JSON] = []
    for (method, subject, name) in [("Set", "counter", "a"), ("Set", "counter", "f"), ("SetGroup", "group", "g")] {
      numbers.append(try client.change(method, [subject: .string(name), "colour": "red"])["sequence"] ?? .null)
      try client.call(method, [subject: .string(name), "icon": "x"])
    }
    try client.call("Set", ["counter": "a", "maximum": 9])
    try client.call("Add", ["counter": "a"])
    try client.call("Set", ["counter": "f", "colour": "blue"])
    #expect(try client.change("Undo", ["sequence": numbers[0]])["counter"] == "a")
    #expect(try client.change("Undo", ["sequence": numbers[2]])["group"] == "g")
    let counter = try client.call("Get", ["counter": "a"])["counter"]?.object
    #expect(counter?["colour"] == nil && counter?["icon"] == "x" && counter?["value"] == 1)
    #expect(
      refusal("message") { try client.call("Undo", ["sequence": numbers[1]]) }?
        .hasSuffix("cannot be undone: later events of “f” follow it; undo them first.") == true)
    try JournalCheck.expectWhole(client)
  }

  @Test func `finds what had a name before something else had it`() throws {
    let client = try TestCore().client()
    let first = try client.change("Create", ["name": "r"])
    try client.call("Add", ["counter": "r", "amount": 3])
    try client.call("Remove", ["counter": "r"])
    let second = try client.change("Create", ["name": "r"])
    #expect(try client.change("Undo", ["counter": "r"])["id"] == second["id"])
    let back = try client.change("Undo", ["counter": "r"])
    #expect(back["id"] == first["id"] && back["value"] == 3)
    #expect(try client.change("Undo", ["counter": "r"])["value"] == 0)
    #expect(try client.change("Redo", ["counter": "r"])["value"] == 3)
    #expect(refusal { try client.call("Undo", ["counter": "nobody"]) } == "NoSuchCounter")
  }

  @Test func `passes over what a locked counter bars, and comes back to it`() throws {
    let client = try TestCore().client()
    for name in ["a", "b"] as [JSON] { try client.call("Create", ["name": name]) }
    for name in ["a", "b"] as [JSON] { try client.call("Add", ["counter": name]) }
    try client.call("Lock", ["counter": "b"])
    #expect(try client.change("Undo")["counter"] == "a")
    try client.call("Unlock", ["counter": "b"])
    #expect(try client.change("Undo")["undoes"] == 4)
    #expect(try client.change("Undo")["undoes"] == 2)
  }

  @Test func `takes back no count by its number across a reset, a correction or a limit`() throws {
    let client = try TestCore().client()
    func undo(_ event: JSONObject) throws -> String? {
      refusal("message") { try client.call("Undo", ["sequence": event["sequence"] ?? .null]) }
    }
    func reset(_ name: JSON) throws -> JSONObject {
      try client.call("Reset", ["counter": name])
      return try client.change("Reset", ["counter": name])
    }
    try client.call("Create", ["name": "m", "minimum": 0])
    let first = try client.change("Add", ["counter": "m", "amount": 5])
    let number = first["sequence"]?.int ?? 0
    let wasReset = try reset("m")
    let resetNumber = wasReset["sequence"]?.int ?? 0
    #expect(
      try undo(first)
        == "NothingToUndo Event \(number) cannot be undone: “m” was reset since by event \(resetNumber); undo that first."
    )
    try client.call("Add", ["counter": "m", "amount": 7])
    try client.call("Undo")
    #expect(try undo(wasReset) == nil)
    // Undone, redone and undone again.
    let redone = try client.change("Redo")["sequence"]?.int ?? 0
    #expect(try undo(first)?.hasSuffix("“m” was reset since by event \(redone); undo that first.") == true)
    try client.call("Undo")
    let corrected = try client.change("Correct", ["counter": "m", "value": 3])["sequence"]?.int ?? 0
    #expect(try undo(first)?.hasSuffix("“m” was corrected since by event \(corrected); undo that first.") == true)
    try client.call("Undo")
    try client.call("Subtract", ["counter": "m", "amount": 1])
    #expect(
      try undo(first)
        == "NothingToUndo Event \(number) cannot be undone: “m” would stand at -1, below its minimum of 0.")
    try client.call("Undo")
    #expect(try undo(first) == nil)
    #expect(try client.value("m") == 0)

    try client.call("Create", ["name": "lim", "maximum": 1000, "limits": "stop", "decimals": 2])
    try client.call("Add", ["counter": "lim", "amount": 800])
    let subtracted = try client.change("Subtract", ["counter": "lim", "amount": 500])
    try client.call("Add", ["counter": "lim", "amount": 600])
    #expect(
      try undo(subtracted)?.hasSuffix("“lim” would stand at 14.00, above its maximum of 10.00.") == true)
    try client.call("Undo")
    #expect(try undo(subtracted) == nil)
    #expect(try client.value("lim") == 800)
    try JournalCheck.expectWhole(client)
  }

  @Test func `takes back a count of an ended period by its number`() throws {
    let client = try TestCore().client()
    let day: Int64 = 86_400_000_000
    let today = Int64(Date().timeIntervalSince1970 * 1_000_000) / day * day
    try client.call("Create", ["name": "p", "period": .string(SteadyPeriod().yearly)])
    try client.call("Create", ["name": "other"])
    try client.call("Add", ["counter": "p"])
    let late = try client.change("Add", ["counter": "p", "amount": 9, "time": .int(today - 366 * day)])
    #expect(late["kind"] == "added" && late["value"] == 10 && late["standing"] == 1)
    #expect(late["until"]?.int.map { $0 > today - 366 * day && $0 <= today } == true)
    try client.call("Add", ["counter": "other"])
    try client.call("Add", ["counter": "p"])
    let undone = try client.change("Undo", ["sequence": late["sequence"] ?? .null])
    #expect(undone["undoes"] == late["sequence"])
    #expect(try client.value("p") == 2)
    #expect(
      refusal { try client.call("Undo", ["sequence": late["sequence"] ?? .null]) } == "NothingToUndo")
    try client.call("Redo")
    #expect(try client.value("p") == 2)
    try JournalCheck.expectWhole(client)
  }

  @Test func `takes back a count that was added late, after a reset`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "n"])
    for _ in 0..<2 { try client.call("Reset", ["counter": "n"]) }
    let late = try client.change("Add", ["counter": "n", "amount": 2, "time": 1_000_000_000_000_000])
    try client.call("Add", ["counter": "n", "amount": 3])
    #expect(try client.change("Undo", ["sequence": late["sequence"] ?? .null])["value"] == 3)
  }

  @Test func `passes over changes that changed nothing`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "a"])
    try client.call("CreateFormula", ["name": "f", "formula": "a"])
    try client.call("CreateGroup", ["name": "g"])
    let count = try client.change("Add", ["counter": "a"])["sequence"]
    for method in ["Lock", "Lock", "Unlock", "Unlock"] { try client.call(method, ["counter": "a"]) }
    for (method, subject, name) in [("Set", "counter", "a"), ("Set", "counter", "f"), ("SetGroup", "group", "g")] {
      try client.call(method, [subject: .string(name), "title": .string(name)])
    }
    #expect(try client.change("Undo")["undoes"] == count)
    let archived = try client.change("Set", ["counter": "a", "archived": true])["sequence"]
    try client.call("Set", ["counter": "a", "archived": true])
    #expect(try client.change("Undo", ["counter": "a"])["undoes"] == archived)
    try JournalCheck.expectWhole(client)
  }

  @Test func `passes over a removal whose name is in use, and comes back to it`() throws {
    let client = try TestCore().client()
    for (create, remove, subject, undoable) in [
      ("Create", "Remove", "counter", 3), ("CreateGroup", "RemoveGroup", "group", 8),
    ] {
      func call(_ method: String, _ word: String) throws -> JSON {
        try client.change(method, [word: "a"])["sequence"] ?? .null
      }
      _ = try client.call("Create", ["name": .string("z\(undoable)")])
      _ = try call(create, "name")
      let first = try call(remove, subject)
      _ = try call(create, "name")
      let second = try call(remove, subject)
      try client.call("Undo", ["sequence": first])
      let undone = try client.change("Undo")
      #expect(undone["undoes"]?.int == (first.int ?? 0) - 1, "\(undone)")
      _ = try client.call("Redo")
      try client.call(remove, [subject: "a"])
      try client.call("Undo", ["sequence": second])
    }
    try JournalCheck.expectWhole(client)
  }

  @Test func `does not walk over the events of a locked counter again`() throws {
    let core = try TestCore()
    let client = try core.client()
    for name in ["a", "b", "c"] { try client.call("Create", ["name": .string(name)]) }
    // A long range of undone changes lies behind.
    for _ in 0..<300 { try client.call("Add", ["counter": "c"]) }
    for _ in 0..<300 { try client.call("Undo") }
    #expect(try client.change("Undo")["undoes"] == 3)
    try client.call("Redo")
    let start = try client.change("Add", ["counter": "b"])["sequence"]?.int ?? 0
    for _ in 0..<2 { try client.call("Add", ["counter": "b"]) }
    for _ in 0..<300 { try client.call("Add", ["counter": "a"]) }
    try client.call("Lock", ["counter": "a"])
    func undo() throws -> (work: Int, undone: JSON?) {
      var undone: JSON?
      let work = try core.work { undone = try client.change("Undo")["undoes"] }
      return (work, undone)
    }
    let first = try undo()
    #expect(first.undone?.int == start + 2)
    let others = try (0..<20).map { _ in
      try client.call("Add", ["counter": "c"])
      return try undo().work
    }
    // A commit may end a block of events, which is summed up then.
    #expect(others.sorted()[10] < first.work / 4, "\(first) \(others)")
    #expect(try undo().undone?.int == start + 1)
    try client.call("Unlock", ["counter": "a"])
    #expect(try undo().undone?.int == start + 302)
    try client.call("Lock", ["counter": "a"])
    #expect(try undo().undone?.int == start)
    try JournalCheck.expectWhole(core)
  }

  @Test func `of an import is denied at once to those who may not, and goes on behind one that was undone`() throws {
    let core = try TestCore()
    let client = try core.client()
    try client.call("Create", ["name": "a"])
    let count = try client.change("Add", ["counter": "a"])["sequence"]?.int
    let counts = (0..<600).map { index -> JSON in
      ["count": ["name": "a", "time": .int(1_600_000_000_000_000 + index), "amount": "1"]]
    }
    try client.call("Import", ["entries": .array(counts)])
    _ = try client.call("Open", ["producer": "pedals"])
    func undo(_ sequence: Int64) throws -> JSON? {
      try client.call(
        "Deliver", ["producer": "pedals", "epoch": 1, "sequence": .int(sequence), "changes": [["verb": "undo"]]])[
          "events"]?.array?.first?.object?["undoes"]
    }
    let work = (0..<20).map { _ in
      core.work { #expect(refusal { _ = try undo(1) } == "PermissionDenied") }
    }
    // The import has 600 counts.
    #expect(work.dropFirst().allSatisfy { $0 < 400 }, "\(work)")
    try client.call("Undo")
    #expect(try undo(1)?.int == count)
    try client.call("Redo")
    try JournalCheck.expectWhole(core)
  }

  @Test func `does not walk over all earlier undos again`() throws {
    let core = try TestCore()
    let client = try core.client()
    for name in ["a", "b"] { try client.call("Create", ["name": .string(name)]) }
    try client.call("Add", ["counter": "b"])
    for _ in 0..<300 {
      try client.call("Add", ["counter": "a"])
      try client.call("Undo", ["counter": "a"])
    }
    core.restart()
    let again = try core.client()
    // A redo finds nothing behind the count, and an undo of the other counter's count nothing more of this one.
    let first = try core.work { try again.call("Undo") }
    let others = try (0..<20).map { _ in
      try again.call("Add", ["counter": "b"])
      return try core.work { try again.call("Undo", ["counter": "b"]) } + core.work { try again.call("Redo") }
    }
    #expect(try again.value("a") == 0)
    // A commit may end a block of events, which is summed up then.
    #expect(others.sorted()[10] < first / 4, "\(first) \(others)")
  }
}
