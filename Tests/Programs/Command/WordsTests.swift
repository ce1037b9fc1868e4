import Foundation
import TestKit
import Testing

/// What the command line says, and what it does not: each of these was wrong once.
@Suite struct `Words that are true` {
  let scene: Scene

  init() throws { scene = try Scene() }

  private func run(_ line: String, _ more: [String: String] = [:]) throws -> Program.Outcome {
    let folder = URL(fileURLWithPath: Program.path("tally")).deletingLastPathComponent().path
    let own = ["PATH": "\(folder):/usr/bin:/bin", "HOME": scene.folder]
    return try Program.run("/bin/sh", ["-c", line], scene.environment.merging(own) { $1 }.merging(more) { $1 })
  }

  @Test func `a table in which two names would become one changes nothing`() throws {
    let table = "\(scene.folder)/x.csv"
    try "name,value\nA/B,5\nA B,7\n".write(toFile: table, atomically: true, encoding: .utf8)
    let refused = try scene.tally("import", table)
    #expect(refused.code == 1)
    #expect(
      refused.complaint
        == "tally: \(table): Line 3: “A/B” and “A B” would both become “A-B”. Nothing was imported.\n")
    try "name,value\n-x,3\n_foo,4\n.bar,5\n🐿,6\n".write(toFile: table, atomically: true, encoding: .utf8)
    #expect(try scene.tally("import", table).code == 0)
    #expect(try scene.tally("report", "x", "foo", "bar", "counter").lines.count == 4)
  }

  @Test func `the reason for a refused table ends with one full stop`() throws {
    let table = "\(scene.folder)/x.csv"
    for text in ["name,time\na,soon\n", "name,time\na,2099-01-01 10:00\n", "name,value\na,many\n"] {
      try text.write(toFile: table, atomically: true, encoding: .utf8)
      let refused = try scene.tally("import", table)
      #expect(refused.code == 1 && refused.complaint.hasSuffix(". Nothing was imported.\n"), "\(refused.complaint)")
      #expect(!refused.complaint.contains(".."), "\(refused.complaint)")
    }
    #expect(try scene.tally("history").output == "")
  }

  @Test func `a lap of a group is a lap, of which each stopwatch has its own`() throws {
    try scene.tally("group", "new", "players")
    for name in ["anna", "ben"] { try scene.tally("new", name, "--stopwatch", "--group", "players") }
    try scene.tally("start", "--group", "players")
    for scope in [["--group", "players"], ["--all"]] {
      let lap = try Program.run("tally", ["lap"] + scope, scene.environment).output
      #expect(lap.hasSuffix(" (lap)\n") && !lap.contains("lap of"), "\(lap)")
    }
    #expect(try scene.tally("history", "--last", "1").output.contains("lap of"))
    #expect(
      try scene.tally("history").lines.filter { $0.contains("the group players") }.allSatisfy { !$0.contains("of 0") })
  }

  @Test func `an undo of the reset of a running stopwatch speaks of the reset, and says that it runs`() throws {
    try scene.tally("new", "sw", "--stopwatch")
    try scene.tally("start", "sw")
    try scene.tally("reset", "sw", "--yes")
    let told = try scene.tally("undo").output
    #expect(
      told.contains("(undid the reset −0:0") && told.hasSuffix(" by tally; it is running again)\n"), "\(told)")
    #expect(try scene.tally("redo").output.hasPrefix("0:00.00 sw (redid the reset −0:0"))
    try scene.tally("undo")
    // The last line has the time that stood, not the one without this run.
    let line = try #require(try scene.tally("history", "--last", "1").lines.last)
    #expect(!line.contains("0:00.00 sw"), "\(line)")
  }

  @Test func `an undo names the formulas and groups that it takes back as well`() throws {
    try scene.tally("group", "new", "g")
    try scene.tally("new", "a", "--group", "g")
    try scene.tally("formula", "f = a + 1")
    let shared = "\(scene.folder)/c.tally"
    try scene.tally("share", "-o", shared)
    try scene.tally("remove", "f")
    try scene.tally("remove", "a")
    try scene.tally("group", "remove", "g")
    #expect(try scene.tally("adopt", shared).code == 0)
    let undone = try scene.tally("undo").output
    #expect(undone.hasPrefix("a removed, f removed, the group g removed ("), "\(undone)")
    let redone = try scene.tally("redo").output
    #expect(redone.hasPrefix("0 a, 1 f ("), "\(redone)")
  }

  @Test func `an amount is refused in the words in which it was written`() throws {
    try scene.tally("new", "c")
    try scene.tally("new", "m", "--decimals", "2")
    #expect(
      try scene.tally("add", "c", "5m").complaint
        == "tally: “5m” is a time, which only a stopwatch has. Write a number, such as 5.\n")
    #expect(try scene.tally("add", "c=1h", "m=2").complaint.contains("“1h” is a time"))
    #expect(try scene.tally("add", "m", "10000000000000.5").output == "10000000000000.50 m\n")
    #expect(try scene.tally("correct", "m", "92233720368547758.07").output.hasPrefix("92233720368547758.07 m ("))
    #expect(
      try scene.tally("correct", "m", "−5").complaint.hasSuffix(
        "the change would exceed the range of 64-bit numbers.\n"))
    #expect(try scene.tally("correct", "c", "−5").output == "−5 c (corrected −5)\n")
  }

  @Test func `a group whose counters are all archived or locked says so, and is not reset`() throws {
    try scene.tally("group", "new", "g")
    let empty = "The group g has no counters yet: tally move NAME --group g\n"
    #expect(try scene.tally("group", "g").output == empty)
    #expect(try scene.tally("reset", "--group", "g").complaint == "tally: " + empty)
    #expect(
      try scene.tally("reset", "--all").complaint
        == "tally: There is no counter to reset. Create one: tally new people\n")
    try scene.tally("new", "a", "--group", "g")
    try scene.tally("archive", "a")
    let archived = "All counters of g are archived: a. Use: tally archive a --back\n"
    #expect(try scene.tally("group", "g").output == archived)
    let refused = try scene.tally("reset", "--group", "g")
    #expect(refused.code == 64 && refused.complaint == "tally: " + archived)
    try scene.tally("new", "b", "--group", "g")
    try scene.tally("lock", "b")
    #expect(
      try scene.tally("reset", "--group", "g").complaint == "tally: Every counter of g is locked or archived: a, b.\n")
    let script = try scene.tally("reset", "--group", "g", "--yes")
    #expect(
      script.code == 0 && script.output == "Nothing was reset. Every counter of g is locked or archived: a, b.\n")
    #expect(try scene.tally("reset", "--group", "nope").code == 1)
  }

  @Test func `a guide asks for another name where the counter is archived, and proposes one that is free`() throws {
    try scene.tally("new", "dogs")
    try scene.tally("archive", "dogs")
    let told = try run("printf 'dogs\\ncats\\nq' | tally guide")
    #expect(
      told.code == 0 && told.output.contains("“dogs” is archived, and would not count: tally archive dogs --back."))
    #expect(told.output.contains("Created “cats”."))
    #expect(try run("printf -- '-x\\n\\nq' | tally guide").output.contains("Created “x”."))
    #expect(try run("printf '@@\\n\\nq' | tally guide").output.contains("Created “counter”."))
    #expect(try run("printf '🐿\\n\\nq' | tally guide").output.contains("Created “counter-2”."))
  }

  @Test func `a setting has the name of its option`() throws {
    try scene.tally("new", "r")
    #expect(try scene.tally("set", "r", "--step-down", "2").output == "0 r (changed step-down → 2)\n")
    #expect(try scene.tally("set", "r", "--clear", "step-down").output == "0 r (changed step-down 2 → none)\n")
    try scene.tally("set", "r", "--step-down", "2")
    // The name in the interface is read as before.
    #expect(try scene.tally("set", "r", "--clear", "stepDown").output == "0 r (changed step-down 2 → none)\n")
  }

  @Test func `a note, its change and its removal are told apart, also when they are taken back`() throws {
    try scene.tally("new", "a")
    try scene.tally("add", "a")
    #expect(try scene.tally("note", "2", "").output == "There is no note on event 2.\n")
    #expect(try scene.tally("note", "2", "first").output == "Added a note on event 2.\n")
    #expect(try scene.tally("note", "2", "second").output == "Changed the note on event 2.\n")
    #expect(try scene.tally("undo").output.contains("undid the change of the note on event 2 by tally"))
    #expect(try scene.tally("history", "--last", "1").output.contains("undid the change of the note on event 2"))
    #expect(try scene.tally("note", "2", "").output == "Removed the note on event 2.\n")
    #expect(try scene.tally("undo").output.contains("undid the removal of the note on event 2 by tally"))
  }

  @Test func `a backup that cannot be written ends as an export that cannot`() throws {
    let (state, file) = ("\(scene.folder)/state/tallymark", "\(scene.folder)/b")
    func backup(_ path: String) throws -> Program.Outcome { try scene.tally("backup", "--state", state, path) }
    #expect(try backup(file).code == 0)
    let existing = try backup(file)
    #expect(
      existing.code == 74
        && existing.complaint == "tally: \(file) exists already. Choose another name, or replace it with --force.\n")
    let folder = try backup("\(scene.folder)/none/b")
    #expect(folder.code == 74 && folder.complaint.contains("Create it with: mkdir -p \(scene.folder)/none"))
    let device = try backup("/dev/full")
    #expect(device.code == 74 && device.complaint.contains("/dev/full is not the file of a backup."))
    // The core's file is no destination, and another folder is at fault.
    #expect(try scene.tally("backup", "--state", "\(scene.folder)/none", "\(scene.folder)/c").code == 1)
  }

  @Test func `watch leaves out what is archived, and a stopwatch that runs in the archive is remarked`() throws {
    try scene.tally("new", "a")
    try scene.tally("new", "b")
    try scene.tally("new", "sw", "--stopwatch")
    try scene.tally("archive", "b")
    let watched = try run("timeout 2 tally watch").output
    #expect(watched.contains("  a") && !watched.contains("b (archived)"), "\(watched)")
    #expect(try run("timeout 2 tally watch b").output.contains("b (archived)"))
    try scene.tally("start", "sw")
    #expect(try scene.tally("archive", "sw").output.contains("It is still running: tally stop sw"))
    #expect(try scene.tally("show").output.contains("2 counters are archived, sw still running: tally --archived"))
    try scene.tally("stop", "sw")
    #expect(try scene.tally("show").output.contains("2 counters are archived: tally --archived"))
  }

  @Test func `a card has the title in any width`() throws {
    try scene.tally("new", "c1", "--title", "People at the door")
    for columns in ["30", "45", "60", "80", "200"] {
      let card = try run("tally show c1", ["COLUMNS": columns]).output
      #expect(card.components(separatedBy: "People at the door").count == 2, "\(columns): \(card)")
    }
  }

  @Test func `what is removed says how it comes back, and a group that is asked for is not to be created`() throws {
    try scene.tally("new", "sw")
    try scene.tally("new", "t1")
    try scene.tally("add", "t1", "3")
    try scene.tally("remove", "t1")
    let advice = "There is no counter called “t1”. It was removed; tally undo t1 brings it back.\n"
    #expect(try scene.tally("undo", "3").complaint == "tally: " + advice)
    #expect(try scene.tally("add", "t1").complaint == "tally: " + advice)
    #expect(try scene.tally("undo", "t1").output == "t1 is back, at 3.\n")
    #expect(try scene.tally("undo", "3").output.contains("undid +3"))
    try scene.tally("group", "new", "team")
    for line in ["group remove nope", "history --group nope", "report --group nope"] {
      #expect(
        try run("tally \(line)").complaint == "tally: There is no group called “nope”. There are: team.\n", "\(line)")
    }
    #expect(try scene.tally("new", "x", "--group", "nope").complaint.contains("Create it with: tally group new nope"))
  }

  @Test func `a tag that only other counters have is not said to be missing and there`() throws {
    try scene.tally("new", "a", "--tags", "x")
    try scene.tally("new", "b", "--tags", "y")
    try scene.tally("archive", "b")
    #expect(try scene.tally("show", "--archived", "--tag", "x").output == "No archived counter has the tag “x”.\n")
    #expect(try scene.tally("show", "--tag", "z").output == "No counter has the tag “z”. There are: x, y.\n")
  }

  @Test func `a change to what was there already is no line of the history`() throws {
    try scene.tally("new", "a", "--title", "A")
    for _ in 0..<3 { try scene.tally("set", "a", "--title", "A") }
    try scene.tally("move", "a")
    #expect(try scene.tally("history").lines.count == 1)
    #expect(try scene.tally("history", "--all").lines.count == 1)
    #expect(try scene.tally("history", "--last", "2").lines.count == 1)
    #expect(try scene.tally("history", "--json").lines.count > 1)
  }
}
