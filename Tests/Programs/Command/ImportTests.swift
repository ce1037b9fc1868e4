import Foundation
import TestKit
import Testing

/// Files from other programs, and hostile ones.
@Suite struct `Taking in` {
  let here: Scene

  init() throws { here = try Scene() }

  @Test(arguments: [
    "\u{FEFF}Name;Count\r\n\"Kids, small\";1.234\r\nDogs;7\r\n", "Dogs\t7\n\"Kids, small\"\t1234\n",
    "label,total\nDogs,7\n\"Kids, small\",\"1,234\"\n",
  ])
  func `tables of other counters are read as they are`(_ table: String) throws {
    let file = "\(here.folder)/other.csv"
    try table.write(toFile: file, atomically: true, encoding: .utf8)
    let taken = try here.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    let report = try here.tally("report").lines.sorted()
    #expect(report.contains("7 Dogs"))
    #expect(report.contains { $0.hasSuffix(" Kids, small") })
  }

  @Test func `a dry run shows each value before and after, as the import does`() throws {
    try here.tally("new", "a")
    try here.tally("add", "a", "10")
    let file = "\(here.folder)/values.csv"
    try "name,value\na,3\nbees,2\n".write(toFile: file, atomically: true, encoding: .utf8)
    let changes = ["  a     10 → 3", "  bees  2 (new)"]
    #expect(try here.tally("import", file, "--dry-run").lines == ["Would import 1 new counter and 3 events."] + changes)
    #expect(try here.tally("report").output == "10 a\n")
    #expect(try here.tally("import", file).lines == ["Imported 1 new counter and 3 events."] + changes)
  }

  @Test func `the format of another program is named, and the columns that are left out`() throws {
    let file = "\(here.folder)/other.csv"
    try "FeatureName,Timestamp,Value,Note\nTea,2021-05-04T14:12Z,1,hot\nTea,2021-05-04T15:12Z,1.5,\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let lines = try here.tally("import", file).lines
    #expect(lines.prefix(2) == ["Read as an export of Track & Graph.", "Left out: Note."])
    #expect(lines.last == "  Tea  2.5 (new)")
    let json = try here.tally("import", file, "--json").objects.first
    #expect(json?["format"] as? String == "an export of Track & Graph")
    let asked = try here.tally("import", file, "--column", "-=Value")
    #expect(asked.lines.last == "  Tea  2.5 → 3.5", "\(asked)")
    try "Tier,Wert\nDogs,3\n".write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try here.tally("import", file)
    #expect(
      refused.code == 1 && refused.complaint.contains("Line 1: the meaning of the columns “Tier”, “Wert” is not known"))
    #expect(try here.tally("import", file, "--column", "name=Tier", "--column", "value=Wert").code == 0)
    #expect(try here.tally("report", "Dogs").output == "3 Dogs\n")
  }

  @Test func `a table of times is counted once, two at the same time twice`() throws {
    let file = "\(here.folder)/times.csv"
    try "time,name\n2026-11-20T14:05:00+01:00,kids\n2026-11-20T14:05:00+01:00,kids\n2026-11-20 14:06,kids\n"
      .write(
        toFile: file, atomically: true, encoding: .utf8)
    try here.tally("import", file)
    #expect(try here.tally("report").output == "3 kids\n")
    #expect(
      try here.tally("import", file).output
        == "Nothing to import: all 3 entries are here already.\nThe file changed nothing, so there is nothing to undo.\n"
    )
    #expect(
      try here.tally("totals", "--by", "day", "--from", "2026-11-20", "--json").output.contains(
        #""added":3"#))
  }

  @Test(arguments: [
    #"{"tallymark":2}"#, #"{"counter":{"id":1,"name":"a","value":5,"step":0}}"#,
    #"{"counter":{"id":-1,"name":"a","value":5}}"#, #"{"counter":{"id":1,"name":"a b","value":5}}"#,
    #"{"event":{"sequence":1,"time":0,"kind":"added","id":7,"change":1,"value":1,"producer":"x"}}"#,
    "{", "[]",
    #"{"counter":{"id":1,"name":"a","value":5,"title":7.5}}"#,
    #"{"formula":{"id":1,"name":"f","formula":"f + 1"}}"#, #"{"formula":{"id":1,"name":"f"}}"#,
    #"{"value":{"name":"x","value":"99999999999999999999"}}"#,
  ])
  func `a hostile file is refused with a sentence, and nothing has changed`(_ line: String) throws {
    let file = "\(here.folder)/evil.tally"
    try "{\"value\":{\"name\":\"good\",\"value\":\"1\"}}\n\(line)\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let refused = try here.tally("adopt", file)
    #expect(refused.code == 1, "\(refused.output)")
    #expect(refused.complaint != "")
    #expect(try here.tally("history").output == "")
  }

  @Test(arguments: ["import", "adopt"]) func `a device that never ends is refused`(_ verb: String) throws {
    let refused = try here.tally(verb, "/dev/zero")
    #expect(refused.code == 1)
    let reason = "It is a device; tally reads files, pipes and terminals."
    #expect(refused.complaint == "tally: /dev/zero: \(reason) Nothing was imported.\n")
  }

  @Test(arguments: [
    [#"{"counter":{"id":1,"name":"a","value":5}}"#, #"{"counter":{"id":2,"name":"a","value":5}}"#],
    [#"{"counter":{"id":1,"name":"a","value":5}}"#, #"{"formula":{"id":2,"name":"a","formula":"1"}}"#],
    [#"{"counter":{"id":1,"name":"taken","value":5}}"#], [#"{"value":{"name":"taken","value":"5"}}"#],
    [#"{"formula":{"id":1,"name":"f","formula":"g"}}"#, #"{"formula":{"id":2,"name":"g","formula":"f"}}"#],
  ])
  func `names that cannot stand beside each other are refused, and the core goes on counting`(_ lines: [String]) throws
  {
    try here.tally("formula", "taken = 1")
    let file = "\(here.folder)/evil.tally"
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    for clash in ["refuse", "merge"] {
      let refused = try here.tally("adopt", file, "--on-clash", clash, "--json")
      #expect(refused.code == 1)
      #expect(refused.complaint.contains("BadArchive"), "\(refused.complaint)")
    }
    #expect(try here.tally("new", "people").code == 0)
    #expect(try here.tally("report").output == "0 people\n1 taken\n")
  }
}
