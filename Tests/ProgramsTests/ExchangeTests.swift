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
    #expect(try there.tally("import", file, "--dry-run").output.hasPrefix("Would take in "))
    #expect(try there.tally("history").output == "")
    let taken = try there.tally("import", file)
    #expect(taken.code == 0, "\(taken.complaint)")
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("import", file).output.hasPrefix("Took in nothing"))
    #expect(try everything(here) == everything(there))
    #expect(try there.tally("verify").code == 0)
    // What was taken in can be taken back as if it had been made here.
    #expect(try here.tally("undo").output == there.tally("undo").output)
  }

  @Test func `values go out and in, and a file of which one line is wrong changes nothing`() throws {
    try here.tally("new", "kids", "--title", "Kids")
    try here.tally("add", "kids", "23")
    let file = "\(here.folder)/values.csv"
    try here.tally("export", "--csv", "-o", file)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "name,title,value,group\r\nkids,Kids,23,\r\n")
    #expect(try there.tally("import", file).code == 0)
    #expect(try there.tally("report").output == "23 kids\n")
    #expect(try there.tally("import", file).output == "Took in nothing; 1 was here already.\n")
    try "name,value\na,1\nb,many\n".write(toFile: file, atomically: true, encoding: .utf8)
    let refused = try there.tally("import", file)
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("Line 3"))
    #expect(try there.tally("report").output == "23 kids\n")
  }

  @Test func `a quote in a title goes out and in, whatever mark stands on it`() throws {
    let title = "so called \"\u{0599}dogs\u{0599}\", all"
    try here.tally("new", "dogs", "--title", title)
    let file = "\(here.folder)/values.csv"
    try here.tally("export", "--csv").output.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try there.tally("import", file).code == 0)
    #expect(try there.tally("show", "--json").objects.first?["title"] as? String == title)
  }

  @Test func `a set-up is shared without values, and clashes are the person's choice`() throws {
    try here.tally("new", "kids", "--title", "Kids")
    try here.tally("add", "kids", "5")
    let file = "\(here.folder)/club.tally"
    try here.tally("share", "-o", file)
    #expect(try there.tally("adopt", file).code == 0)
    #expect(try there.tally("report").output == "0 kids\n")
    let clash = try there.tally("adopt", file)
    #expect(clash.code == 1)
    #expect(clash.complaint.contains("There is a counter called “kids” here already."))
    #expect(try there.tally("adopt", file, "--on-clash", "rename").code == 0)
    #expect(try there.tally("report").output == "0 kids\n0 kids-2\n")
    try here.tally("share", "--history", "-o", file)
    #expect(try there.tally("adopt", file, "--on-clash", "merge").code == 0)
    #expect(try there.tally("report", "kids").output == "5 kids\n")
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
    #expect(try there.tally("import", file).output.hasPrefix("Took in nothing"))
    #expect(try everything(here) == everything(there))
    for _ in 0..<4 { #expect(try here.tally("undo").output == there.tally("undo").output) }
    #expect(try everything(here).count == everything(there).count)
    #expect(try there.tally("formula", "hits").output == here.tally("formula", "hits").output)
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
    #expect(try there.tally("report").output == "0 goals\n")
  }
}
