import Foundation
import TestKit
import Testing
import Varlink

@Suite struct `Taking out and in` {
  let here: Scene
  let there: Scene

  init() throws {
    here = try Scene()
    there = try Scene()
  }

  /// Everything that the core tells of itself.
  private func everything(_ scene: Scene) throws -> [String] {
    try scene.tally("show", "--json").lines + scene.tally("history", "--json").lines
  }

  /// A history at random: counts, undos, resets, corrections, counters that come and go, groups.
  private func live(_ scene: Scene, case number: Int) throws {
    var random = Seed.generator(case: number)
    try scene.call("Create", ["name": "kids", "title": "Kids, “loud” ones\u{202F}"])
    try scene.call("Create", ["name": "adults", "start": -3])
    for _ in 0..<60 {
      let name = JSON.string(["kids", "adults", "dogs"][random.below(3)])
      do {
        switch random.below(9) {
        case 0: try scene.call("Undo")
        case 1: try scene.call("Redo")
        case 2: try scene.call("Create", ["name": "dogs"])
        case 3: try scene.call("Remove", ["name": "dogs"])
        case 4: try scene.call("Correct", ["name": name, "value": .int(random.whole(0...89))])
        case 5: try scene.call("Reset", ["name": name, "confirmed": true])
        case 6: try scene.call("Subtract", ["name": name, "amount": 2])
        default: try scene.call("Add", ["name": name])
        }
      } catch is VarlinkError {
        // A refusal changes nothing.
      }
    }
  }

  @Test(.seeded, arguments: 0..<2, [["--csv"], ["--json"]])
  func `an export of every event gives the same state elsewhere, and nothing new the second time`(
    _ number: Int, _ format: [String]
  ) throws {
    try live(here, case: number)
    let file = "\(here.folder)/all"
    #expect(
      try Program.run("tally", ["export", "--events", "-o", file] + format, here.environment).code
        == 0)
    #expect(try there.tally("import", file, "--dry-run").output.hasPrefix("Would import "))
    #expect(try there.tally("history").output == "")
    let taken = try there.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("import", file).output.hasPrefix("Nothing to import: "))
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("verify").code == 0)
    // One undo takes back all of it.
    let undone = try there.tally("undo")
    #expect(undone.code == 0, "\(undone.complaint)")
    #expect(try there.tally("show", "--json").output == "")
    #expect(try there.tally("redo").code == 0)
    #expect(try there.tally("show", "--json").lines == here.tally("show", "--json").lines)
    #expect(try there.tally("verify").code == 0)
  }

  @Test func `values go out and in, and a file of which one line is wrong changes nothing`() throws {
    try here.tally("new", "kids", "--title", "Kids")
    try here.tally("add", "kids", "23")
    let file = "\(here.folder)/values.csv"
    try here.tally("export", "--csv", "-o", file)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "name,title,value,unit,group\r\nkids,Kids,23,,\r\n")
    #expect(try there.tally("import", file).code == 0)
    #expect(try there.tally("report").output == "23 Kids\n")
    #expect(
      try there.tally("import", file).output
        == "Nothing to import: its only entry is here already.\nThe file changed nothing, so there is nothing to undo.\n"
    )
    try "name,value\na,1\nb,many\n".write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try there.tally("import", file)
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("Line 3"))
    #expect(try there.tally("report").output == "23 Kids\n")
  }

  @Test(arguments: ["--csv", "--json"])
  func `values of stopwatches and groups go out and in, in seconds and decimals`(_ format: String) throws {
    try here.tally("group", "new", "team")
    try here.tally("new", "anna", "--stopwatch", "--group", "team", "--title", "Anna")
    try here.tally("new", "bea", "--stopwatch", "--group", "team")
    try here.tally("new", "litres", "--decimals", "2")
    try here.tally("add", "anna", "1:30.123456")
    try here.tally("add", "litres", "1.75")
    let file = "\(here.folder)/values"
    try here.tally("export", format, "-o", file)
    let taken = try there.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    #expect(!taken.output.contains("present") && taken.output.contains("bea"), "\(taken.output)")
    let (ours, theirs) = (try here.tally("show", "--json").objects, try there.tally("show", "--json").objects)
    for key in ["name", "title", "kind", "group", "text"] {
      #expect(ours.map { $0[key] as? String } == theirs.map { $0[key] as? String }, "\(key)")
    }
    #expect(theirs.map { $0["value"] as? Int }.contains(90_123_456))
    #expect(try there.tally("import", file).output.hasPrefix("Nothing to import: "))
    let undone = try there.tally("undo")
    #expect(undone.code == 0, "\(undone.complaint)")
    #expect(try there.tally("show", "--json").output == "")
  }

  @Test(arguments: ["--csv", "--json"])
  func `values bring their formulas along, and say what stood and what stands`(_ format: String) throws {
    try here.tally("group", "new", "season")
    for (name, amount) in [("goals", "3"), ("shots", "8")] {
      try here.tally("new", name)
      try here.tally("add", name, amount)
    }
    try here.tally("formula", "hits = -goals / shots", "--as", "percent", "--title", "Hits")
    try here.tally("move", "hits", "--group", "season")
    let file = "\(here.folder)/values"
    try here.tally("export", format, "-o", file)
    let taken = try there.tally("import", file)
    #expect(taken.output.hasPrefix("Imported 2 new counters, 1 new formula and "), "\(taken.output)\(taken.complaint)")
    #expect(taken.lines.suffix(2) == ["  goals  3 (new)", "  shots  8 (new)"])
    #expect(try there.tally("show", "hits").output == here.tally("show", "hits").output)
    #expect(try there.tally("import", file).lines.first == "Nothing to import: all 2 entries are here already.")
    try there.tally("add", "goals", "9")
    try there.tally("formula", "hits", "=", "goals")
    #expect(
      try there.tally("import", file, "--dry-run").lines.last == "The formula hits would stay as it is here: goals")
    let older = try there.tally("import", file).lines
    #expect(
      older == [
        "Imported 1 event; 1 was already present.", "  goals  12 → 3",
        "The formula hits stays as it is here: goals",
      ])
  }

  @Test func `values bring the settings of counters that are made, in their order, and the current one stays`() throws {
    try here.tally("new", "people", "--target", "100", "--every", "10", "--colour", "green", "--step", "2")
    try here.tally("new", "litres", "--decimals", "2", "--maximum", "40", "--limits", "stop", "--tags", "west,main")
    try here.tally("new", "dogs", "--note", "of all sizes")
    try here.tally("select", "litres")
    try here.tally("add", "people", "12")
    let file = "\(here.folder)/values"
    try here.tally("export", "--json", "-o", file)
    try there.tally("new", "cats")
    try there.tally("new", "dogs", "--colour", "red")
    let taken = try there.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    let theirs = try there.tally("show", "--json").objects
    #expect(theirs.map { $0["name"] as? String } == ["cats", "dogs", "people", "litres"])
    #expect(theirs.map { $0["current"] as? Bool } == [true, false, false, false])
    let ours = try here.tally("show", "--json").objects
    for key in ["target", "every", "colour", "step", "decimals", "maximum", "limits", "value"] {
      for name in ["people", "litres"] {
        let found = [ours, theirs].map { $0.first { $0["name"] as? String == name }?[key] as? NSObject }
        #expect(found[0] == found[1], "\(name) \(key)")
      }
    }
    // A counter that was there keeps its settings.
    #expect(theirs[1]["colour"] as? String == "red" && theirs[1]["note"] == nil)
    #expect(try there.tally("undo").code == 0)
    #expect(try there.tally("report").output == "0 cats\n0 dogs\n")
  }

  @Test(arguments: [
    ["export", "--events", "--csv"], ["export", "--events", "--json"], ["share", "--history"], ["share"],
  ])
  func `a file that was cut at the end of a line is refused, and so is one with more`(_ verb: [String]) throws {
    try here.tally("new", "people")
    for _ in 0..<5 { try here.tally("add", "people") }
    let file = "\(here.folder)/all"
    #expect(try Program.run("tally", verb + ["-o", file], here.environment).code == 0)
    let lines = try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 10, omittingEmptySubsequences: false)
    func imported(_ lines: [Data]) throws -> Program.Outcome {
      try Data(lines.joined(separator: [10])).write(to: URL(fileURLWithPath: file))
      return try there.tally("import", file)
    }
    // The last one is empty.
    for count in (lines.count - 3)..<(lines.count - 1) {
      let refused = try imported(lines.prefix(count) + [Data()])
      #expect(refused.code == 1 && refused.complaint.contains("its last part is missing"), "\(refused)")
    }
    let more = try imported(lines.prefix(lines.count - 2) + [lines[lines.count - 3]] + lines.suffix(2))
    #expect(more.code == 1 && more.complaint.contains("something was put into it"), "\(more)")
    #expect(try there.tally("history").output == "")
    let whole = try imported(Array(lines))
    #expect(whole.code == 0, "\(whole.complaint)")
  }

  @Test func `a table of events has the numbers in the unit of the counter`() throws {
    try here.tally("new", "litres", "--decimals", "2")
    try here.tally("add", "litres", "1.75")
    try here.tally("new", "anna", "--stopwatch")
    try here.tally("add", "anna", "1.5")
    let lines = try here.tally("export", "--csv", "--events").output
    #expect(lines.contains(",litres,added,1.75,1.75,,"))
    #expect(lines.contains(",anna,added,1.500000,1.500000,,"))
  }

  @Test func `a quote in a title goes out and in, whatever mark stands on it`() throws {
    let title = "so called \"\u{0599}dogs\u{0599}\", all"
    try here.tally("new", "dogs", "--title", title)
    let file = "\(here.folder)/values.csv"
    try here.tally("export", "--csv").output.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try there.tally("import", file).code == 0)
    #expect(try there.tally("show", "--json").objects.first?["title"] as? String == title)
  }

  @Test func `an output file is never made from nothing or over another by mistake`() throws {
    try here.tally("new", "a")
    let verbs = [["share"], ["export", "--csv"], ["plot", "a"]]
    for verb in verbs {
      let file = "\(here.folder)/\(verb[0])"
      func write(_ more: String...) throws -> Program.Outcome {
        try Program.run("tally", verb + more, here.environment)
      }
      let missing = try write("-o", "\(file) x/y")
      #expect(
        missing.code == 74
          && missing.complaint
            == "tally: There is no folder \(file) x. Create it with: mkdir -p '\(file) x'\n"
      )
      #expect(!FileManager.default.fileExists(atPath: "\(file) x"))
      #expect(try write("-o", file).code == 0)
      try "mine".write(toFile: file, atomically: true, encoding: .utf8)
      let refused = try write("-o", file)
      #expect(
        refused.code == 74
          && refused.complaint
            == "tally: \(file) exists already. Choose another name, or replace it with --force.\n"
      )
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
      #expect(try write("-o", file, "--force").code == 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8) != "mine")
      #expect(try write("-o", "/dev/null").code == 0)
    }
    #expect(try here.tally("share").complaint.contains("State the file to write with -o FILE"))
  }

  @Test func `a set-up is shared without values, and clashes are the person's choice`() throws {
    try here.tally("new", "kids", "--title", "Kids")
    try here.tally("add", "kids", "5")
    let file = "\(here.folder)/club.tally"
    try here.tally("share", "-o", file)
    #expect(try there.tally("adopt", file).code == 0)
    #expect(try there.tally("report").output == "0 Kids\n")
    let clash = try there.tally("adopt", file)
    #expect(clash.code == 1)
    #expect(clash.complaint.contains("There is already a counter or formula called “kids” here"))
    #expect(try there.tally("adopt", file, "--on-clash", "rename").code == 0)
    #expect(try there.tally("report").output == "0 Kids\n0 Kids\n")
    #expect(
      try there.tally("adopt", file, "--on-clash", "merge").output
        == "Nothing to import: what is in the file exists here, and it has no history to merge.\n"
        + "The file changed nothing, so there is nothing to undo.\n")
    try here.tally("share", "--history", "--force", "-o", file)
    #expect(try there.tally("adopt", file, "--on-clash", "merge").code == 0)
    #expect(try there.tally("report", "kids").output == "5 Kids\n")
    #expect(try there.tally("verify").code == 0)
  }

  @Test(arguments: [["--csv"], ["--json"]]) func `formulas go out and in with all that happened to them`(
    _ format: [String]
  ) throws {
    try here.tally("new", "goals")
    try here.tally("new", "shots")
    try here.tally("formula", "hits = goals / shots", "--as", "percent")
    try here.tally("formula", "gone = hits + 1")
    try here.tally("formula", "hits = goals / shots * 2")
    try here.tally("rename", "shots", "tries")
    try here.tally("remove", "gone")
    let file = "\(here.folder)/all"
    _ = try Program.run("tally", ["export", "--events", "-o", file] + format, here.environment)
    let taken = try there.tally("import", file)
    #expect(taken.output.contains("2 new counters, 1 new formula and "), "\(taken.output)\(taken.complaint)")
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("import", file).output.hasPrefix("Nothing to import: "))
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("formula", "hits").output == here.tally("formula", "hits").output)
  }

  @Test(arguments: ["refuse", "stop"]) func `a value beyond its limits is shared as it is`(_ limits: String) throws {
    try here.tally("new", "people", "--start", "2")
    try here.tally("add", "people", "23")
    try here.tally("set", "people", "--maximum", "15", "--limits", limits)
    let file = "\(here.folder)/club.tally"
    try here.tally("share", "--values", "-o", file)
    #expect(try there.tally("adopt", file).code == 0)
    let adopted = try #require(try there.tally("show", "people", "--json").objects.first)
    #expect(adopted["value"] as? Int == 25 && adopted["maximum"] as? Int == 15 && adopted["start"] as? Int == 2)
    #expect(try there.tally("undo").code == 0)
    #expect(try there.tally("report").output.isEmpty)
  }

  @Test func `a formula follows the counters that get other names where it is taken in`() throws {
    try here.tally("new", "goals")
    try here.tally("add", "goals", "5")
    try here.tally("formula", "twice = goals * 2")
    try there.tally("new", "goals")
    let file = "\(here.folder)/club.tally"
    try here.tally("share", "--values", "-o", file)
    #expect(try there.tally("adopt", file, "--on-clash", "rename").code == 0)
    #expect(try there.tally("formula", "twice").output == "  10  twice  = goals-2 * 2\n")
    #expect(try there.tally("adopt", file, "--on-clash", "rename").code == 0)
    #expect(try there.tally("formula", "twice-2").output == "  10  twice-2  twice  = goals-3 * 2\n")
    try there.tally("remove", "goals-2")
    try there.tally("remove", "goals-3")
    #expect(try there.tally("adopt", file, "--on-clash", "keep").code == 0)
    let counters = try there.tally("report", "--json").objects.filter { $0["kind"] == nil }
    #expect(counters.compactMap { $0["name"] as? String } == ["goals"])
  }
}
