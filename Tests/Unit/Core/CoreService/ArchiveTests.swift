import Counting
import Foundation
import JSON
import Linux
import TestKit
import Testing
import Varlink

@testable import Journal

/// Exports and imports over the socket, on random histories and on those that were once refused or miscounted.
@Suite(.seeded) final class `Exports and imports` {
  private let here: TestCore
  private let there: TestCore
  private let mine: TestClient
  private let theirs: TestClient

  init() throws {
    (here, there) = (try TestCore(), try TestCore())
    (mine, theirs) = (try here.client(), try there.client())
  }

  // MARK: Helpers

  /// A further core.
  private func another() throws -> (TestCore, TestClient) {
    let core = try TestCore()
    return (core, try core.client())
  }

  /// The entries of a page as text.
  private static func lines(of page: JSONObject) -> [JSON] {
    (page["entries"]?.array ?? []).map { .string($0.description) }
  }

  /// The lines of an export.
  ///
  /// - Parameter isWhole: whether with its format and its end, so that nothing can be changed in it.
  private func export(_ client: TestClient, isWhole: Bool = false) throws -> [JSON] {
    let lines = try wholeExport(client)
    return isWhole
      ? lines : lines.filter { !["{\"tallymark\"", "{\"end\""].contains(($0.string ?? "").prefix { $0 != ":" }) }
  }

  private func wholeExport(_ client: TestClient) throws -> [JSON] {
    var lines: [JSON] = []
    var parameters: JSONObject = [:]
    while true {
      let reply = try client.call("Export", parameters)
      lines += Self.lines(of: reply)
      guard let next = reply["next"] else { return lines }
      parameters["after"] = next
    }
  }

  /// Sends an export as objects, in several calls.
  @discardableResult
  private func importLines(_ lines: some Sequence<JSON>, _ client: TestClient, clash: String? = nil) throws
    -> JSONObject
  {
    let entries = try lines.map { try JSON(parsing: $0.string ?? "") }
    var rest = entries[...]
    while rest.count > 50 {
      try client.call("Import", ["entries": .array(Array(rest.prefix(50))), "continues": true])
      rest = rest.dropFirst(50)
    }
    var last: JSONObject = ["entries": .array(Array(rest))]
    if let clash { last["clash"] = .string(clash) }
    return try client.call("Import", last)
  }

  /// All that can be asked, apart from what a running stopwatch shows.
  private func everything(_ client: TestClient, until last: Int64 = .max) throws -> [String] {
    func text(_ object: JSONObject) -> String {
      var object = object
      // What moves on while a stopwatch runs.
      for (list, moving) in [("counters", ["elapsed", "since"]), ("formulas", ["value", "text"])] {
        guard let entries = object[list]?.array else { continue }
        object[list] = .array(
          entries.map { entry in
            var entry = entry.object ?? [:]
            for name in moving { entry[name] = nil }
            return .object(entry)
          })
      }
      return JSON.object(object).description
    }
    var answers = [text(try client.call("List")), text(try client.call("Groups"))]
    var parameters: JSONObject = ["after": 0, "limit": 1000]
    while true {
      let page = try client.call("History", parameters)
      answers += (page["events"]?.array ?? []).map(\.description)
      guard let next = page["next"], next != .null else { break }
      parameters["after"] = next
    }
    let times = (0..<6).map { Self.start + Int64($0) * 7_200_000_000 }
    answers.append(text(try client.call("Totals", ["bounds": .array((times + [.max]).map(JSON.int))])))
    answers.append(text(try client.call("Statistics")))
    for time in times { answers.append(text(try client.call("Past", ["time": .int(time)]))) }
    return answers
  }

  /// What stands now: everything without the history.
  private func state(_ client: TestClient) throws -> [String] {
    let all = try everything(client)
    return Array(all.prefix(2)) + [try client.call("Statistics")["total"]?.object?["counts"]?.description ?? ""]
  }

  /// The values of all counters by name.
  private func values(_ client: TestClient) throws -> [String: Int64] {
    let counters = try client.call("List")["counters"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: counters.compactMap { counter in
        guard let name = counter.object?["name"]?.string, let value = counter.object?["value"]?.int else { return nil }
        return (name, value)
      })
  }

  private func expectSame(_ one: [String], _ other: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(one.count == other.count, sourceLocation: sourceLocation)
    for (one, other) in zip(one, other) where one != other {
      Issue.record("\(one)\nis not\n\(other)", sourceLocation: sourceLocation)
      return
    }
  }

  /// 2026-11-20 08:00 UTC.
  private static let start: Int64 = 1_795_161_600_000_000

  /// A random life: counters of all kinds that come and go, groups, formulas, periods, late counts, undos, notes.
  private func live(_ client: TestClient, case number: Int, steps: Int) throws {
    var random = Seed.generator(case: number)
    func one(_ words: String...) -> JSON { .string(words.randomElement(using: &random) ?? "") }
    for _ in 0..<steps {
      let name = one("a", "b", "c", "d", "watch")
      let (method, parameters): (String, JSONObject) =
        switch random.below(31) {
        case 0: ("Create", ["name": one("a", "b", "c", "d"), "decimals": .int(random.whole(0...2))])
        case 1:
          (
            "Create",
            [
              "name": one("a", "b", "c", "d"), "title": "Some, “title”", "start": .int(random.whole(-3...5)),
              "group": one("g", "h"),
              "period": one(
                "hourly 15 UTC", "daily 04:00 UTC", "weekly monday", "monthly 1 00:00 Europe/Berlin", "yearly 07-01"),
            ]
          )
        case 2: ("Create", ["name": one("watch", "clock"), "kind": "stopwatch", "group": one("g", "h")])
        case 3: ("CreateGroup", ["name": one("g", "h"), "colour": "red"])
        case 4: ("RemoveGroup", ["group": one("g", "h")])
        case 5: ("Remove", ["counter": one("a", "b", "f", "watch", "k")])
        case 6: ("CreateFormula", ["name": one("f", "k"), "formula": one("a + b", "c * 2 + a", "f + 1")])
        case 7: ("Set", ["counter": name, "newName": one("a", "b", "c", "e")])
        case 8: ("Set", ["counter": name, "target": .int(random.whole(1...30)), "note": "two\nlines"])
        case 9: ("Set", ["counter": name, "maximum": .int(random.whole(5...40)), "limits": one("stop", "refuse")])
        case 10: ("Set", ["counter": name, "archived": .bool(random.happens(0.5)), "tags": ["x", "y"]])
        case 11: (random.happens(0.3) ? "Lock" : "Unlock", ["counter": name])
        case 12: ("Move", ["counter": name, "first": true, "group": one("", "g", "h")])
        case 13: ("Select", ["counter": name])
        case 14:
          ("Reset", random.happens(0.3) ? ["all": true, "confirmed": true] : ["counter": name, "confirmed": true])
        case 15: ("Correct", ["counter": name, "value": .int(random.whole(-9...60))])
        case 16: (one("Start", "Stop", "Lap", "Toggle").string ?? "", ["counter": "watch"])
        case 17, 18: ("Undo", random.happens(0.5) ? [:] : ["counter": name])
        case 19: ("Redo", [:])
        case 20: ("Note", ["sequence": .int(random.whole(1...60)), "text": one("", "that was the dog")])
        case 21:
          ("Add", ["counter": name, "time": .int(Self.start + random.whole(0...43_200) * 1_000_000), "amount": 1])
        case 23:
          (
            one("Start", "Stop", "Lap", "Toggle").string ?? "",
            random.happens(0.5) ? ["all": true] : ["group": one("g", "h")]
          )
        case 24:
          ("Set", ["counter": one("f", "k"), "group": one("", "g", "h"), "archived": .bool(random.happens(0.5))])
        case 25: ("Move", ["counter": one("f", "k"), "group": one("", "g", "h"), "first": .bool(random.happens(0.5))])
        case 26: ("Set", ["counter": one("f", "k"), "newName": one("f", "k", "a"), "icon": one("", "x")])
        case 27: (one("Undo", "Redo").string ?? "", ["counter": one("f", "k", "watch")])
        case 22: ("Subtract", ["counter": name, "amount": .int(random.whole(1...4))])
        default: ("Add", ["counter": name])
        }
      do {
        try client.call(method, parameters)
      } catch is VarlinkError {
        // A refusal changes nothing.
      }
    }
  }

  // MARK: Round trips

  @Test(arguments: 1...Rounds.times(1))
  func `whatever is exported comes back the same in an empty core`(_ number: Int) throws {
    try live(mine, case: number, steps: Rounds.times(150, atMost: 250))
    let lines = try export(mine)
    try importLines(lines, theirs)
    expectSame(try everything(mine), try everything(theirs))
    expectSame(try export(theirs).map(\.description), lines.map(\.description))
    // A backup of it holds together and can be restored.
    let temporary = TemporaryFolder()
    let (backup, state) = (temporary.path("backup"), temporary.path("state"))
    try JournalFile.backUp(there.folder, to: backup)
    #expect(try JournalFile.verify(backup) == [])
    #expect(try JournalFile.restore(backup, to: state) == nil)
    #expect(try JournalFile.verify(state) == [])
    // A second time nothing is new.
    let again = try importLines(lines, theirs)
    #expect(again["counters"] == 0 && again["formulas"] == 0, "\(again)")
    #expect(try everything(mine).prefix(2) == everything(theirs).prefix(2))
    try JournalCheck.expectWhole(there)
  }

  @Test(arguments: 1...Rounds.times(1), ["merge", "rename", "keep"])
  func `into a core that holds something else it comes whole, or not at all, and one undo takes it back`(
    _ number: Int, _ clash: String
  ) throws {
    try live(mine, case: number, steps: Rounds.times(40, atMost: 120))
    try live(theirs, case: number + 1000, steps: Rounds.times(40, atMost: 120))
    let before = try everything(theirs)
    let beginning = try state(theirs)
    let end = try theirs.call("History", ["limit": 1])["events"]?.array?.first?.object?["sequence"]?.int ?? 0
    let summary: JSONObject
    do {
      summary = try importLines(export(mine), theirs, clash: clash)
    } catch let error as VarlinkError {
      // Other decimals, locks and limits refuse a merge.
      #expect(error.name.hasSuffix("BadArchive"))
      #expect(try everything(theirs) == before)
      return
    }
    try JournalCheck.expectWhole(there)
    guard summary["events"] != 0 else { return }
    let after = try state(theirs)
    let undone: JSONObject
    do {
      undone = try theirs.change("Undo")
    } catch let error as VarlinkError where error.name.hasSuffix("Locked") || error.name.hasSuffix("NothingToUndo") {
      // Of an import that cancels out nothing can be undone, and all before it may be undone already.
      return
    }
    // What cancels out within the import is nothing to undo.
    guard let taken = undone["undoes"]?.int, taken > end else { return }
    expectSame(try state(theirs), beginning)
    try JournalCheck.expectWhole(there)
    try theirs.call("Redo")
    expectSame(try state(theirs), after)
    try theirs.call("Undo")
    expectSame(try state(theirs), beginning)
    try JournalCheck.expectWhole(there)
  }

  @Test(arguments: 1...Rounds.times(1), ["merge", "rename", "keep"])
  func `a second import of the same adds nothing, and repeats what was undone`(_ number: Int, _ clash: String) throws {
    try live(mine, case: number, steps: Rounds.times(40, atMost: 120))
    try live(theirs, case: number + 1000, steps: Rounds.times(40, atMost: 120))
    var lines = try export(mine)
    do {
      for _ in 0..<3 {
        let end = try theirs.call("History", ["limit": 1])["events"]?.array?.first?.object?["sequence"]?.int ?? 0
        try importLines(lines, theirs, clash: clash)
        let (after, all) = (try values(theirs), try everything(theirs))
        #expect(try importLines(lines, theirs, clash: clash)["events"] == 0)
        expectSame(try everything(theirs), all)
        var undone: JSONObject = [:]
        do {
          undone = try theirs.change("Undo")
        } catch let error as VarlinkError where error.name.hasSuffix("NothingToUndo") {
          // Everything may be undone already.
        }
        try importLines(lines, theirs, clash: clash)
        if undone["undoes"]?.int ?? 0 > end {
          let repeated = try values(theirs)
          #expect(repeated == after, "\(repeated) \(after)")
        }
        #expect(try importLines(lines, theirs, clash: clash)["events"] == 0)
        try live(mine, case: number + 2000, steps: 20)
        lines = try export(mine)
      }
    } catch let error as VarlinkError {
      // Other decimals, locks and limits refuse a merge.
      #expect(error.name.hasSuffix("BadArchive") || error.name.hasSuffix("Locked"))
    }
    try JournalCheck.expectWhole(there)
  }

  // MARK: What was lost or refused

  @Test func `a period, limits, a lock and a running stopwatch survive`() throws {
    try mine.call(
      "Create", ["name": "coffee", "period": "daily 04:00", "minimum": 0, "maximum": 9, "limits": "stop", "step": 2])
    try mine.call("Create", ["name": "watch", "kind": "stopwatch"])
    try mine.call("Start", ["counter": "watch"])
    try mine.call("Lock", ["counter": "coffee"])
    try importLines(export(mine), theirs)
    #expect(try everything(mine) == everything(theirs))
    #expect(
      try theirs.call("Get", ["counter": "coffee"])["counter"]?.object?["period"]?.string?.hasPrefix("daily") == true)
    #expect(refusal { try theirs.call("Add", ["counter": "coffee"]) } == "Locked")
  }

  @Test func `an archive whose end is missing, or that has other events than were written, is refused`() throws {
    try mine.call("Create", ["name": "a"])
    for _ in 1...3 { try mine.call("Add", ["counter": "a"]) }
    let pages = try export(mine, isWhole: true)
    var stream: [JSON] = []
    try mine.export { stream += $0["entries"]?.array ?? [] }
    #expect(stream.map(\.description) == pages.compactMap(\.string))
    #expect(stream.last == ["end": ["events": 4]])
    func refused(_ lines: [JSON]) -> String? {
      refusal("message") { try importLines(lines, theirs) }
    }
    for count in 1..<pages.count {
      #expect(refused(Array(pages.prefix(count)))?.contains("entry that ends the archive is missing") == true)
    }
    var less = pages
    less.remove(at: pages.count - 3)
    #expect(refused(less)?.contains("was written with 4 events, and has 3: a part of it is missing") == true)
    #expect(refused(pages + [pages[1]])?.contains("follows the entry that ends the archive") == true)
    #expect(try theirs.history() == [])
    try importLines(pages, theirs)
    #expect(try theirs.value("a") == 3)
    // An empty journal has an end as well.
    let (core, empty) = try another()
    defer { core.stop() }
    #expect(try export(empty, isWhole: true).compactMap(\.string) == [#"{"tallymark":1}"#, #"{"end":{"events":0}}"#])
  }

  @Test func `an archive of a journal that lost an event in a repair ends with the number of the others`() throws {
    try mine.call("Create", ["name": "a"])
    for _ in 1...3 { try mine.call("Add", ["counter": "a"]) }
    here.stop()
    do {
      let store = try CounterStore(folder: here.folder)
      _ = try store.load()
      try store.database.execute("DELETE FROM event WHERE sequence = 2")
    }
    here.start()
    let client = try here.client()
    let pages = try export(client, isWhole: true)
    var stream: [JSON] = []
    try client.export { stream += $0["entries"]?.array ?? [] }
    #expect(stream.map(\.description) == pages.compactMap(\.string))
    #expect(stream.last == ["end": ["events": 3]])
  }

  @Test func `counting while an export goes on does not spoil it`() throws {
    try mine.call("Create", ["name": "a"])
    try mine.call("Add", ["counter": "a"])
    var lines = Self.lines(of: try mine.call("Export"))
    try mine.call("Add", ["counter": "a"])
    try mine.call("Create", ["name": "b"])
    lines += Self.lines(of: try mine.call("Export", ["after": 0]))
    // An entity that came later is in no page of definitions.
    let known = lines.filter { line in ![#""counter":"b""#, #"{"end""#].contains { (line.string ?? "").contains($0) } }
    try importLines(known.dropFirst(), theirs)
    #expect(try theirs.value("a") == 2)
  }

  @Test func `a name that was used again, and a formula of a removed counter, come back`() throws {
    try mine.call("Create", ["name": "a"])
    try mine.call("CreateFormula", ["name": "total", "formula": "a * 2"])
    try mine.call("CreateFormula", ["name": "f", "formula": "a + 1"])
    try mine.call("Remove", ["counter": "total"])
    try mine.call("Create", ["name": "total"])
    try mine.call("Remove", ["counter": "a"])
    try importLines(export(mine), theirs)
    #expect(try everything(mine) == everything(theirs))
  }

  @Test func `a note about an event of a removed counter is no damage`() throws {
    for name in ["k", "a"] { try mine.call("Create", ["name": .string(name)]) }
    for amount in [3, 1] as [Int64] { try mine.call("Add", ["counter": "k", "amount": .int(amount)]) }
    try mine.call("Remove", ["counter": "k"])
    let note = try mine.change("Note", ["sequence": 3, "text": "the dog"])
    #expect(note["value"] == 4)
    try JournalCheck.expectWhole(here)
    try importLines(export(mine), theirs)
    #expect(try everything(mine) == everything(theirs))
  }

  // MARK: The rules hold

  private func counted(_ name: String, _ amounts: [Int64]) throws -> [JSON] {
    try mine.call("Create", ["name": .string(name)])
    for amount in amounts { try mine.call("Add", ["counter": .string(name), "amount": .int(amount)]) }
    return try export(mine)
  }

  @Test func `limits and locks hold for what is merged`() throws {
    let lines = try counted("a", [50])
    try theirs.call("Create", ["name": "a", "maximum": 3])
    #expect(
      refusal("message") { try importLines(lines, theirs) }?.contains(": “a” cannot go beyond its limit of 3.")
        == true)
    try theirs.call("Set", ["counter": "a", "limits": "stop"])
    try theirs.call("Lock", ["counter": "a"])
    #expect(refusal { try importLines(lines, theirs) } == "BadArchive")
    try theirs.call("Unlock", ["counter": "a"])
    try importLines(lines, theirs)
    #expect(try theirs.value("a") == 3)
  }

  @Test func `a goal that is reached by a merge says when`() throws {
    let lines = try counted("a", [2, 2])
    try theirs.call("Create", ["name": "a", "target": 3])
    try importLines(lines, theirs)
    let counter = try theirs.call("Get", ["counter": "a"])["counter"]?.object
    #expect(counter?["reachedAt"]?.int != nil)
    #expect(try theirs.change("Add", ["counter": "a"])["reached"] == nil)
  }

  @Test func `what was counted yesterday leaves today's count alone`() throws {
    let yesterday = Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000
    try mine.call("Create", ["name": "a"])
    try mine.call("Add", ["counter": "a", "amount": 7, "time": .int(yesterday)])
    let lines = try export(mine)
    try theirs.call("Create", ["name": "a", "period": .string(SteadyPeriod().daily)])
    try theirs.call("Add", ["counter": "a"])
    try importLines(lines, theirs)
    #expect(try theirs.value("a") == 1)
    #expect(try theirs.call("Statistics")["total"]?.object?["added"] == 8)
  }

  @Test func `what both sides took back is taken back once`() throws {
    let lines = try counted("a", [1, 1])
    func undone(at time: Int64) -> JSON {
      .string(
        #"{"event":{"sequence":4,"time":\#(time),"kind":"undone","id":1,"change":-1,"value":1,"undoes":3,"producer":"x"}}"#
      )
    }
    try importLines(lines + [undone(at: Self.start)], theirs)
    try importLines(lines + [undone(at: Self.start + 1)], theirs)
    #expect(try theirs.value("a") == 1)
    try JournalCheck.expectWhole(there)
  }

  @Test(arguments: [
    ("an order at the end of all numbers", #"\#(changed),"alterations":[["order",0,9223372036854775807]]"#),
    ("a field that is changed twice", #"\#(changed),"alterations":[["title","a","b"],["title","b","c"]]"#),
    ("control characters in a cause", #""kind":"added","change":1,"value":2,"producer":"x\u001b[2J""#),
    ("no producer", #""kind":"added","change":1,"value":2"#),
  ])
  func `an event with such a member is refused, and nothing else`(_ fault: String, _ members: String) throws {
    let event: JSON = .string(#"{"event":{"sequence":9,"time":1,"id":1,\#(members)}}"#)
    #expect(refusal { try importLines(counted("a", [1]) + [event], theirs) } == "BadArchive", "\(fault)")
    #expect(try theirs.change("Add")["value"] == 1)
    try theirs.call("Create", ["name": "b"])
  }

  private static let changed = #""kind":"changed","change":0,"value":1,"producer":"x""#

  @Test func `an import of many events is one step`() throws {
    let lines = try counted("a", Array(repeating: 1, count: 300))
    try importLines(lines, theirs)
    try theirs.call("Undo")
    #expect(try theirs.call("List")["counters"]?.array?.isEmpty == true)
    #expect(try theirs.call("Statistics")["total"]?.object?["counts"] == 0)
    try theirs.call("Redo")
    #expect(try theirs.value("a") == 300)
    try JournalCheck.expectWhole(there)
  }

  // MARK: Again and back

  @Test func `a count that a limit shortened is the same count the next time, here and back there`() throws {
    let lines = try counted("a", [100])
    try theirs.call("Create", ["name": "a", "maximum": 20, "limits": "stop"])
    try importLines(lines, theirs)
    try theirs.call("Subtract", ["counter": "a", "amount": 15])
    try importLines(lines, theirs)
    #expect(try theirs.value("a") == 5)
    try importLines(export(theirs), mine)
    #expect(try mine.value("a") == 85)
  }

  @Test func `the amounts that limits cut off are said, of counts, values and histories`() throws {
    try theirs.call("Create", ["name": "room", "maximum": 10, "minimum": 0, "limits": "stop", "decimals": 1])
    func imported(_ entries: [JSON], trial: Bool = false) throws -> JSON? {
      try theirs.call("Import", ["entries": .array(entries), "trial": .bool(trial)])["cut"]
    }
    func count(_ amount: String, _ time: Int64) -> JSON {
      ["count": ["name": "room", "time": .int(time), "amount": .string(amount)]]
    }
    let expected: JSON = [["name": "room", "added": 5, "subtracted": 20, "decimals": 1]]
    let counts = [count("0.8", 1_000_000), count("0.7", 2_000_000), count("-3", 3_000_000)]
    #expect(try imported(counts, trial: true) == expected)
    #expect(try imported(counts) == expected)
    #expect(try imported(counts) == nil)
    #expect(
      try imported([["value": ["name": "room", "value": "7.5"]]])
        == [["name": "room", "added": 65, "subtracted": 0, "decimals": 1]])
    try mine.call("Create", ["name": "room", "decimals": 1])
    try mine.call("Add", ["counter": "room", "amount": 4])
    #expect(
      try importLines(export(mine), theirs)["cut"]
        == [["name": "room", "added": 4, "subtracted": 0, "decimals": 1]])
  }

  @Test func `a refused count of an import is named with its line and its time`() throws {
    try theirs.call("Create", ["name": "room", "maximum": 5])
    let count: JSONObject = ["name": "room", "time": 86_400_000_000, "amount": "6", "line": 7]
    let message = refusal("message") { try theirs.call("Import", ["entries": [["count": .object(count)]]]) }
    let sentence = /BadArchive Line 7, 1970-01-0. ..:..: “room” cannot go beyond its limit of 5\. Change the limit, .*/
    #expect(message?.wholeMatch(of: sentence) != nil)
  }

  @Test func `a count of a table has a time that has passed`() throws {
    let time = Clock.microsecondsSince1970() + 3_600_000_000
    let count: JSONObject = ["name": "room", "time": .int(time), "amount": "6", "line": 7]
    let message = refusal("message") { try theirs.call("Import", ["entries": [["count": .object(count)]]]) }
    let sentence =
      /BadArchive Line 7, [-0-9]+ [:0-9]+: “room” has a time that has not passed, or is out of range\. Correct .*/
    #expect(message?.wholeMatch(of: sentence) != nil)
  }

  @Test func `a removed counter of a name that is in use comes once`() throws {
    try mine.call("Create", ["name": "x"])
    try mine.call("Add", ["counter": "x", "amount": 5])
    try mine.call("Remove", ["counter": "x"])
    let lines = try counted("x", [1])
    try theirs.call("Create", ["name": "x"])
    for _ in 0..<3 { try importLines(lines, theirs) }
    #expect(try theirs.call("Statistics")["total"]?.object?["added"] == 6)
  }

  @Test func `the end of a period elsewhere takes nothing off a counter without one`() throws {
    let yesterday = Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000
    try mine.call("Create", ["name": "x"])
    try mine.call("Add", ["counter": "x", "amount": 10, "time": .int(yesterday)])
    try mine.call("Add", ["counter": "x"])
    try theirs.call("Create", ["name": "x", "period": .string(SteadyPeriod().daily)])
    try importLines(export(mine), theirs)
    #expect(try theirs.value("x") == 1)
    try importLines(export(theirs), mine)
    #expect(try mine.value("x") == 11)
  }

  @Test func `a group that was removed on both sides is no obstacle`() throws {
    try mine.call("CreateGroup", ["name": "g"])
    try mine.call("Create", ["name": "a", "group": "g"])
    try mine.call("RemoveGroup", ["group": "g"])
    try theirs.call("CreateGroup", ["name": "g"])
    try theirs.call("RemoveGroup", ["group": "g"])
    try importLines(export(mine), theirs)
    #expect(try theirs.value("a") == 0)
    try JournalCheck.expectWhole(there)
  }

  @Test func `a formula of a removed counter is shared without a value`() throws {
    try mine.call("Create", ["name": "a"])
    try mine.call("CreateFormula", ["name": "f", "formula": "a + 1"])
    try mine.call("Remove", ["counter": "a"])
    let setUp = try export(mine).filter { ($0.string ?? "").contains(#""formula":{"#) }
    try importLines(setUp, theirs)
    let formula = try theirs.call("List")["formulas"]?.array?.first?.object
    #expect(formula?["name"] == "f" && formula?["value"] == nil)
    try JournalCheck.expectWhole(there)
  }

  @Test(arguments: 1...Rounds.times(1), ["merge", "rename", "keep"])
  func `an export changes nothing where it comes from, whatever was imported, undone and redone before`(
    _ number: Int, _ clash: String
  ) throws {
    var random = Seed.generator(case: number)
    try live(mine, case: number, steps: Rounds.times(30, atMost: 60))
    try live(theirs, case: number + 2000, steps: Rounds.times(30, atMost: 60))
    let original = try export(mine)
    var sources = [original]
    for step in 0..<Rounds.times(8, atMost: 12) {
      let way = ["merge", "rename", "keep"].randomElement(using: &random)
      do {
        switch random.below(6) {
        case 0, 1: try importLines(sources.randomElement(using: &random) ?? original, theirs, clash: way)
        case 2, 3: try theirs.call("Undo")
        case 4: try theirs.call("Redo")
        default:
          try live(theirs, case: number * 100 + step, steps: 10)
          sources.append(try export(theirs))
        }
      } catch is VarlinkError {
        // A refusal changes nothing.
      }
    }
    let before = try export(theirs)
    let summary = try importLines(before, theirs, clash: clash)
    #expect(summary["events"] == 0, "\(summary)")
    expectSame(try export(theirs).map(\.description), before.map(\.description))
    try JournalCheck.expectWhole(there)
  }

  @Test func `an import that was undone and repeated counts once, and so does an export of all of it`() throws {
    let lines = try counted("a", [1, 2, 3])
    for existing in [false, true] {
      if existing { try theirs.call("Create", ["name": "b"]) }
      for _ in 0..<2 {
        try importLines(lines, theirs)
        try theirs.call("Undo")
      }
      try importLines(lines, theirs)
      #expect(try theirs.value("a") == 6)
      for lines in [lines, try export(theirs)] {
        #expect(try importLines(lines, theirs)["events"] == 0)
        #expect(try theirs.value("a") == 6)
      }
    }
    #expect(try theirs.call("Statistics")["total"]?.object?["counts"] == 3)
    try JournalCheck.expectWhole(there)
  }

  @Test func `an undo that an import brought comes back with the import, whatever was undone and redone here`() throws {
    let before = try counted("a", [1])
    try mine.call("Undo")
    let lines = try export(mine)
    try mine.call("Redo")
    let redone = try export(mine)
    for start in ["imported", "undone", "redone", "repeated", "undone again"] {
      let (core, client) = try another()
      try importLines(before, client)
      try importLines(lines, client)
      #expect(try client.value("a") == 0)
      if start != "imported" {
        try client.call("Undo")
        #expect(try client.value("a") == 1)
      }
      if start == "redone" { try client.call("Redo") }
      if start.hasPrefix("undone again") || start == "repeated" { try importLines(lines, client) }
      if start == "undone again" { try client.call("Undo") }
      let isUndone = start.hasPrefix("undone")
      #expect(try importLines(lines, client)["events"] == (isUndone ? 1 : 0), "\(start)")
      #expect(try client.value("a") == 0, "\(start)")
      #expect(try importLines(lines, client)["events"] == 0, "\(start)")
      #expect(try importLines(export(client), client)["events"] == 0, "\(start)")
      #expect(try importLines(redone, client)["events"] == 1, "\(start)")
      #expect(try client.value("a") == 1, "\(start)")
      #expect(try importLines(redone, client)["events"] == 0, "\(start)")
      try JournalCheck.expectWhole(core)
    }
  }

  @Test func `an undo takes back an import, or a count, that a later import undid until its undo`() throws {
    let created = try counted("a", [])
    for isImported in [false, true] {
      let (core, client) = try another()
      try importLines(created, client)
      try mine.call("Add", ["counter": "a"])
      let added = try export(mine)
      try mine.call("Undo")
      if isImported { try importLines(added, client) } else { try client.call("Add", ["counter": "a"]) }
      try client.call("Add", ["counter": "a", "amount": 2])
      let undone: JSON =
        #"{"event":{"sequence":4,"time":1600000000000000,"kind":"undone","id":1,"change":-1,"value":0,"undoes":2,"producer":"x"}}"#
      try importLines(isImported ? export(mine) : export(client) + [undone], client)
      for value in [2, 3, 1, 0] as [Int64] {
        #expect(try client.value("a") == value)
        try client.call("Undo")
      }
      #expect(try client.call("List")["counters"]?.array?.isEmpty == true)
      try JournalCheck.expectWhole(core)
    }
  }

  @Test func `an import whose events undo each other leaves undo to the change before`() throws {
    try theirs.call("Create", ["name": "own"])
    try importLines(counted("a", [1]), theirs)
    try theirs.call("Add", ["counter": "own"])
    try mine.call("Add", ["counter": "a"])
    try mine.call("Undo")
    let before = try everything(theirs)
    #expect(try importLines(export(mine), theirs)["events"] == 0)
    #expect(try everything(theirs) == before)
    // Once the other core redoes it, it comes with all that became of it.
    try mine.call("Redo")
    #expect(try importLines(export(mine), theirs)["events"] == 3)
    #expect(try theirs.value("a") == 2)
    try theirs.call("Undo")
    #expect(try theirs.value("a") == 1)
    #expect(try theirs.value("own") == 1)
  }

  @Test func `the rest of a large import is undone by a change in it, though the last change is a redo of a part`()
    throws
  {
    try mine.call("Create", ["name": "few"])
    try mine.call("Set", ["counter": "few", "colour": "red"])
    let counts = (0...Undoable.mostAtOnce).map { index -> JSON in
      .string(#"{"count":{"name":"many","time":\#(1_600_000_000_000_000 + index),"amount":"1"}}"#)
    }
    try importLines(export(mine) + counts, theirs)
    let events = try #require(theirs.call("History", ["counters": ["few"]])["events"]?.array)
    let change = try #require(events.first { $0.object?["kind"] == "changed" }?.object?["sequence"])
    try theirs.call("Undo", ["counter": "few"])
    try theirs.call("Redo", ["counter": "few"])
    try theirs.call("Undo", ["sequence": change])
    #expect(try theirs.call("List")["counters"]?.array?.map { $0.object?["name"] } == ["few"])
  }

  @Test func `an undo of a late count is merged once`() throws {
    let yesterday = Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000
    try mine.call("Create", ["name": "a", "period": .string(SteadyPeriod().daily)])
    try importLines(export(mine), theirs)
    try mine.call("Add", ["counter": "a", "time": .int(yesterday)])
    let counted = try export(mine)
    try mine.call("Undo")
    let undone = try export(mine)
    try mine.call("Redo")
    for (lines, added) in [(undone, 0), (counted, 1), (undone, 0), (try export(mine), 1)] as [([JSON], JSON)] {
      for _ in 0..<2 {
        try importLines(lines, theirs)
        #expect(try theirs.value("a") == 0)
        let total = try theirs.call("Statistics")["total"]?.object?["added"]
        #expect(total == added)
      }
    }
    try JournalCheck.expectWhole(there)
  }

  @Test func `undos of late counts are repeated with the import that brought them, among other changes`() throws {
    let yesterday = Int64(Date().timeIntervalSince1970 - 86_400) * 1_000_000
    func expect(a: Int64, added: Int64, sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(try values(theirs) == ["a": a, "b": 0], sourceLocation: sourceLocation)
      let total = try theirs.call("Statistics")["total"]?.object?["added"]?.int
      #expect(total == added, sourceLocation: sourceLocation)
    }
    for name in ["a", "b"] as [JSON] {
      try mine.call("Create", ["name": name, "period": .string(SteadyPeriod().daily)])
    }
    for (name, amount) in [("a", 1), ("b", 4)] as [(JSON, JSON)] {
      try mine.call("Add", ["counter": name, "amount": amount, "time": .int(yesterday)])
    }
    try importLines(export(mine), theirs)
    for _ in 0..<2 { try mine.call("Undo") }
    try mine.call("Add", ["counter": "a", "amount": 2])
    let undone = try export(mine)
    for _ in 0..<2 {
      try importLines(undone, theirs)
      #expect(try importLines(undone, theirs)["events"] == 0)
      try expect(a: 2, added: 2)
      try theirs.call("Undo")
      try expect(a: 0, added: 5)
    }
    try theirs.call("Redo")
    try expect(a: 2, added: 2)
    // Of the redone events, the end of a's period follows the count of b.
    try mine.call("Redo", ["counter": "b"])
    let redone = try export(mine)
    try importLines(redone, theirs)
    #expect(try importLines(redone, theirs)["events"] == 0)
    try expect(a: 2, added: 6)
    try JournalCheck.expectWhole(there)
  }

  @Test func `a counter that an import renamed is the same counter the next time`() throws {
    // Counters of a table are created at the same time.
    let table: [JSON] = ["a", "b"].map { .string(#"{"count":{"name":"\#($0)","time":1600000000000000,"amount":"3"}}"#) }
    try importLines(table, mine)
    let lines = try export(mine)
    for name in ["a", "b"] as [JSON] { try theirs.call("Create", ["name": name]) }
    try importLines(lines, theirs, clash: "rename")
    try theirs.call("Set", ["counter": "a-2", "newName": "c"])
    for clash in ["rename", "merge", "keep"] {
      #expect(try importLines(lines, theirs, clash: clash)["events"] == 0)
    }
    #expect(refusal { try importLines(lines, theirs, clash: "refuse") } == "BadArchive")
    try mine.call("Add", ["counter": "b", "amount": 4])
    try importLines(export(mine), theirs, clash: "rename")
    #expect(try theirs.call("List")["counters"]?.array?.count == 4)
    #expect(try ["a", "b", "c", "b-2"].map { try theirs.value($0) } == [0, 0, 3, 7])
  }

  @Test func `a counter is not merged into one that is another counter of the archive`() throws {
    try mine.call("Create", ["name": "b"])
    try mine.call("Add", ["counter": "b", "amount": 5])
    try importLines(export(mine), theirs)
    try mine.call("Set", ["counter": "b", "newName": "e"])
    try mine.call("Create", ["name": "b"])
    try mine.call("Add", ["counter": "b", "amount": 2])
    let lines = try export(mine)
    try importLines(lines, theirs, clash: "merge")
    // Settings here are not changed: what is “e” there is still “b” here.
    #expect(try values(theirs) == ["b": 5, "b-2": 2])
    #expect(try importLines(lines, theirs, clash: "merge")["events"] == 0)
    #expect(try values(theirs) == ["b": 5, "b-2": 2])
  }

  @Test func `an import is repeated after its undo`() throws {
    try theirs.call("Create", ["name": "a"])
    let lines: [JSON] = [.string(#"{"count":{"name":"a","time":1600000000000000,"amount":"3"}}"#)]
    try importLines(lines, theirs)
    try theirs.call("Undo")
    try importLines(lines, theirs)
    #expect(try theirs.value("a") == 3)
  }

  @Test func `two cores that exchange exports have the same after the first exchange`() throws {
    try mine.call("Create", ["name": "a"])
    try mine.call("Add", ["counter": "a"])
    try mine.call("Remove", ["counter": "a"])
    try importLines(export(mine), theirs)
    try theirs.call("Undo")
    try importLines(export(theirs), mine)
    try importLines(export(mine), theirs)
    for _ in 0..<2 {
      #expect(try importLines(export(theirs), mine)["events"] == 0)
      #expect(try importLines(export(mine), theirs)["events"] == 0)
    }
    try JournalCheck.expectWhole(here)
    try JournalCheck.expectWhole(there)
  }

  /// The lines of an export with an undo, whose last event is replaced by `events`.
  private func undone(with events: String...) throws -> [JSON] {
    try mine.call("Create", ["name": "a"])
    try mine.call("Add", ["counter": "a"])
    try mine.call("Add", ["counter": "a", "amount": 5])
    try mine.call("Undo")
    let lines = try export(mine)
    #expect(lines.last?.string?.contains(#""undoes":3"#) == true)
    return lines.dropLast() + events.map(JSON.string)
  }

  private static func event(_ sequence: Int, _ kind: String, change: Int, value: Int, undoes: Int) -> String {
    """
    {"event":{"sequence":\(sequence),"time":\(start),"kind":"\(kind)","id":1,"counter":"a","change":\(change),\
    "value":\(value),"producer":"x","undoes":\(undoes)}}
    """
  }

  @Test(arguments: [
    [event(4, "undone", change: -5, value: 1, undoes: 3), event(5, "undone", change: -5, value: -4, undoes: 3)],
    [event(4, "undone", change: 0, value: 6, undoes: 3)], [event(4, "undone", change: -6, value: 0, undoes: 3)],
    [event(4, "undone", change: 7, value: 13, undoes: 3)], [event(4, "redone", change: -5, value: 1, undoes: 3)],
    [
      event(4, "undone", change: -5, value: 1, undoes: 3), event(5, "redone", change: 5, value: 6, undoes: 4),
      event(6, "redone", change: 5, value: 11, undoes: 4),
    ],
  ])
  func `an undo that is none is refused`(_ events: [String]) throws {
    let lines = try undone(with: events[0]).dropLast() + events.map(JSON.string)
    let reason = refusal("message") { try importLines(Array(lines), theirs) }
    #expect(reason?.hasPrefix("BadArchive Event \(events.count + 3) is not valid: ") == true)
    #expect(try theirs.call("List")["counters"]?.array?.isEmpty == true)
  }

  @Test(arguments: [
    #"["created"]"#, #"["added"]"#, #"["undone"]"#, #"["redone"]"#, #"["renewed"]"#, #"["changed"]"#,
    #"["noted",3]"#, #"["added",3]"#,
  ])
  func `a note of another kind is refused`(_ text: String) throws {
    let kind = try JSON(parsing: text).array ?? []
    var lines = try counted("a", [1, 5])
    let undoes = kind.count > 1 ? #","undoes":3"# : ""
    lines.append(
      .string(
        """
        {"event":{"sequence":4,"time":1,"kind":"\(kind[0].string ?? "")","id":1,"counter":"a","change":0,"value":6,\
        "producer":"x","about":2\(undoes),"alterations":[["note",null,"hi"]]}}
        """))
    #expect(refusal { try importLines(lines, theirs) } == "BadArchive")
  }

  @Test func `a number of something removed is not made or revived as something else`() throws {
    try mine.call("CreateGroup", ["name": "h"])
    try mine.call("RemoveGroup", ["group": "h"])
    try mine.call("Undo")
    let lines = try export(mine)
    #expect(lines.last?.string?.contains(#""subject":"group""#) == true)
    for subject in [#""counter""#, #""formula""#, "1099511627777"] {
      let changed =
        lines.dropLast() + [
          .string(
            lines.last?.string?.replacingOccurrences(of: #""subject":"group""#, with: #""subject":\#(subject)"#) ?? "")
        ]
      #expect(refusal { try importLines(Array(changed), theirs) } == "BadArchive")
    }
    let again =
      lines + [
        #"{"event":{"sequence":4,"time":2,"kind":"removed","id":1,"counter":"h","change":0,"value":0,"producer":"x","subject":"group","presence":-1}}"#,
        #"{"event":{"sequence":5,"time":3,"kind":"created","id":1,"counter":"h","change":0,"value":0,"producer":"x","subject":"group","presence":1,"alterations":[["name",null,"h"]]}}"#,
      ]
    #expect(refusal { try importLines(again, theirs) } == "BadArchive")
  }

  @Test(arguments: [
    #""marks":"8""#, #""presence":"1""#, #""undoes":"1""#, #""about":true"#, #""batch":"1""#, #""boundary":"9""#,
    #""decimals":"1""#, #""stopwatch":1"#, #""device":7"#, #""gesture":[]"#, #""alterations":{}"#,
  ])
  func `a member of the wrong type is refused, not left out`(_ member: String) throws {
    var lines = try counted("a", [1])
    let event = #"{"event":{"sequence":9,"time":1,"kind":"added","id":1,"change":1,"value":2,"producer":"x","#
    lines.append(.string("\(event)\(member)}}"))
    #expect(refusal { try importLines(lines, theirs) } == "BadArchive")
    lines[lines.count - 1] = .string("\(event)\(member.prefix { $0 != ":" }):null}}")
    try importLines(lines, theirs)
  }

  @Test(arguments: [1, -1]) func `a position at the end of the range is no end for those after it`(_ sign: Int64) throws
  {
    try mine.call("CreateGroup", ["name": "g"])
    try mine.call("CreateFormula", ["name": "f", "formula": "1"])
    let end = sign << 53
    func move(_ subject: String, _ id: Int, _ sequence: Int, from order: Int) -> JSON {
      .string(
        """
        {"event":{"sequence":\(sequence),"time":1,"kind":"changed","id":\(id),"change":0,"value":0,"producer":"x",\
        "subject":"\(subject)","alterations":[["order",\(order),\(end)]]}}
        """)
    }
    try mine.call("Create", ["name": "a"])
    try mine.call("Create", ["name": "b"])
    let lines =
      try export(mine) + [
        move("counter", 4, 5, from: 2 << 20), move("group", 1, 6, from: 1 << 20), move("formula", 2, 7, from: 1 << 20),
      ]
    try importLines(lines, theirs)
    try theirs.call("Create", ["name": "c"])
    try theirs.call("CreateGroup", ["name": "h"])
    try theirs.call("CreateFormula", ["name": "k", "formula": "2"])
    func names(_ list: String) throws -> [String] {
      try theirs.call("List")[list]?.array?.compactMap { $0.object?["name"]?.string } ?? []
    }
    #expect(try names("counters") == (sign > 0 ? ["a", "b", "c"] : ["b", "a", "c"]))
    try JournalCheck.expectWhole(there)
    for (method, subject, name) in [("Move", "counter", "a"), ("MoveGroup", "group", "g"), ("Move", "counter", "f")] {
      try theirs.call(method, [subject: .string(name), "first": true])
      try theirs.call(method, [subject: .string(name)])
    }
    try theirs.call("Move", ["counter": "b", "first": true])
    #expect(try names("counters") == ["b", "c", "a"])
    #expect(try names("formulas") == ["k", "f"])
    try theirs.call("Add", ["counter": "a"])
    try theirs.call("Set", ["counter": "a", "group": "h"])
    try theirs.call("RemoveGroup", ["group": "h"])
    try JournalCheck.expectWhole(there)
    // A counter of another core comes after all others, and what is here comes back elsewhere.
    try importLines([#"{"count":{"name":"z","time":1600000000000000,"amount":"3"}}"#], theirs)
    let (other, client) = try another()
    try importLines(export(theirs), client)
    try JournalCheck.expectWhole(there)
    try JournalCheck.expectWhole(other)
  }
}
