import Foundation
import TestKit
import Testing

/// How the command line speaks with people.
@Suite struct `Speaking with people` {
  let scene: Scene

  init() throws { scene = try Scene() }

  private func run(_ line: String, _ more: [String: String] = [:]) throws -> Program.Outcome {
    let folder = URL(fileURLWithPath: Program.path("tally")).deletingLastPathComponent().path
    let own = ["PATH": "\(folder):/usr/bin:/bin", "HOME": scene.folder]
    return try Program.run("/bin/sh", ["-c", line], scene.environment.merging(own) { $1 }.merging(more) { $1 })
  }

  @Test func `a negative amount needs no dashes before it`() throws {
    try scene.tally("new", "degrees")
    #expect(try scene.tally("correct", "degrees", "-3").output == "−3 degrees (corrected −3)\n")
    #expect(try scene.tally("correct", "degrees", "-5", "--json").output.contains(#""value":-5"#))
    #expect(try scene.tally("correct", "degrees", "--", "-7").output == "−7 degrees (corrected −2)\n")
    #expect(
      try scene.tally("add", "degrees", "-3").complaint
        == "tally: An amount must be above 0. You can write: tally subtract degrees 3\n")
    #expect(try scene.tally("correct", "degrees", "-3", "-4").code == 64)
  }

  @Test(arguments: ["hits goals/shots", "'hits goals / shots'", "hits goals / shots"])
  func `a formula without its sign is told how it is written`(_ words: String) throws {
    let told = try run("tally formula \(words)")
    #expect(told.code == 64)
    #expect(told.complaint.contains("tally formula hits = \"goals"))
    #expect(!told.complaint.contains("Usage"))
  }

  @Test(arguments: ["more = 'a >= 2'", "'more=a >= 2'", "more '=a >= 2'", "more= a '>=' 2"])
  func `a formula may compare, wherever its sign stands`(_ words: String) throws {
    try scene.tally("new", "a")
    #expect(try run("tally formula \(words)").output == "  0  more  = a >= 2\n")
  }

  @Test func `a guide makes a counter of whatever a newcomer writes`() throws {
    #expect(try run("printf 'people\\n' | tally guide").output.contains("Created “people”."))
    let told = try run("printf '\\nVisitors at the door\\n\\n' | tally guide")
    #expect(told.output.contains("Created “visitors-at-the-door”."))
    #expect(try scene.tally("show", "--json").objects.last?["title"] as? String == "Visitors at the door")
    #expect(try run("printf 'Cars 🚗!\\nautos\\n' | tally guide").output.contains("Created “autos”."))
    #expect(try run("printf 'people\\n' | tally guide").output.contains("“people” exists, at 0"))
    let nothing = try run("tally guide < /dev/null")
    #expect(nothing.code == 1 && nothing.output.hasSuffix("Nothing was created.\n"))
  }

  @Test func `a guide counts, undoes and reports, and says what stands and how it is removed`() throws {
    try scene.tally("new", "dogs")
    let told = try run("printf 'people\\n   u\\n\\n' | tally guide", ["COLUMNS": "100"])
    #expect(told.code == 0)
    for part in [
      "3 people  +1  press KEY_SPACE on terminal", "2 people  undid +1 (event 6)  press KEY_U on terminal",
      "\n  2 people\n",
      "2 people. It stays, with its history; tally remove people removes it.",
      "Gestures that name no counter now count people. Back to dogs: tally select dogs",
    ] {
      #expect(told.output.contains(part), "\(part): \(told.output)")
    }
    let events = try run("printf 'people\\n q' | tally guide --json").objects
    #expect(events.map { $0["value"] as? Int } == [3])
  }

  @Test(arguments: [
    ("tally count", "Did you mean “tally add”?"), ("tally people", "tally add people"),
    ("tally ad", "Did you mean “tally add”?"), ("tally add a 3 b", "tally add people=3 dogs=2"),
    ("tally add a=-1 b=2", "tally subtract a 1"), ("tally add a= b=2", "“a=” is not a counter with its amount"),
    ("tally add -- -5", "tally subtract 5"), ("tally subtract people -2", "tally add people 2"),
    ("tally new x --step -1", "--step: a step must be above 0."),
    ("tally new", "“tally new” needs <name>, as in: tally new people --title"),
    ("tally rename people", "“tally rename” needs <new-name>, as in: tally rename people visitors"),
    ("tally new red squirrels", "A title has several: tally new red --title \"red squirrels\""),
    ("tally reset a b", "“b” is one word too many. Write: tally reset [<name>]"),
    ("tally show -goals", "“tally show” has no option “-goals”. A name or a number here does not begin with “-”"),
    ("tally share m1 -o f", "“m1” is one word too many. Write: tally share -o club.tally"),
    ("tally start a b", "tally start takes one stopwatch, or --group NAME for those of a group."),
    ("tally add people dogs", "“dogs” is not an amount. To count several counters, write: people=1 dogs=1"),
    ("tally version", "There is no command “version”. Did you mean “tally --version”?"),
    ("tally add x --at -3h", "--at needs a value. To give it one that begins with “-”, write: --at=-3h"),
    ("tally undo -1", "“tally undo” has no option “-1”."),
    ("tally new x --stp 1", "“tally new” has no option “--stp”. Did you mean “--step”?"),
    ("tally show --frobnicate", "“tally show” has no option “--frobnicate”. Its options: tally show --help"),
    ("tally show --at", "--at needs a value: --at <time>. Show the values at this time"),
    ("tally history --last -3", "--last needs a value. To give it one that begins with “-”, write: --last=-3"),
    ("tally history --last abc", "“abc” is not valid for --last. The number of last events to show"),
    ("tally totals --by fortnight", "“fortnight” is not valid for --by. The steps: minute, hour, day, week or month."),
    ("tally help reprot", "There is no command “reprot”. Did you mean “tally report”?"),
    ("tally group delete x", "There is no command “tally group delete”. Did you mean “tally group remove”?"),
    ("tally group team x", "“x” is one word too many. Write: tally group show [<name>]"),
    (
      "tally group bogus x", "There is no command “tally group bogus”; there are: show, new, set, rename, move, remove."
    ),
    ("tally adopt x --on-clash y", "“y” is not valid for --on-clash. The answer to a clash of names: refuse, keep,"),
    ("tally \"\"", "The command is empty. “tally help” lists the commands."),
    ("tally add m 92233720368547758079.5", "“92233720368547758079.5” is too large for a counter."),
    ("tally group show team x", "“x” is one word too many. Write: tally group show [<name>]"),
    ("tally -v", "“tally” has no option “-v”. Its options: tally --help"),
    ("tally formula rm x", "Formulas share this command with counters. Write: tally remove x"),
    ("tally formula new x", "A formula is created with “=”, such as: tally formula twice = "),
    ("tally note abc x", "“abc” is not an event number. tally history lists them."),
    ("tally group set x", "State at least one setting; tally help group set lists them."),
    ("tally move x --before x", "x cannot be moved beside itself."),
    ("tally new x --every 0", "--every must be above 0. To have none: tally set NAME --clear every"),
    ("tally formula x =", "The formula after “=” is missing, as in: tally formula x = \"people * 2\""),
    ("tally formula x = 1 --as foo", "“foo” is not valid for --as. The display format: number, percent or duration."),
    ("tally redo 3", "A redo takes no number"), ("tally undo 99999999999999999999", "There is no event"),
    ("tally new x --period none", "“none” is not a period. To have none: tally set NAME --clear period"),
    ("tally add x 99999999999999999999", "is too large for a counter."),
    ("tally add x 1e5", "“1e5” is not a valid amount. Write a number, such as 5 or 1.5, or a time"),
    ("tally add x --at 25:00", "“25:00” is not a time. Write it like 14:05, yesterday 14:05"),
  ])
  func `a guess is told the command`(_ line: String, _ advice: String) throws {
    let told = try run(line)
    #expect(told.code == 64 && told.complaint.contains(advice), "\(told.complaint)")
    #expect(told.complaint.hasPrefix("tally: ") && told.lines.isEmpty)
    #expect(!told.complaint.contains("Usage") && told.complaint.filter { $0 == "\n" }.count == 1)
  }

  @Test func `several counters are counted by one command, all or none, and taken back by one undo`() throws {
    for name in ["a", "b", "c", "d"] { try scene.tally("new", name) }
    #expect(try scene.tally("add", "a=3", "b=2").output == "3 a\n2 b\n")
    #expect(try scene.tally("add", "a", "3", "b", "2").output == "6 a\n4 b\n")
    let refused = try scene.tally("add", "a=1", "nope=3")
    #expect(refused.code == 1 && refused.complaint.contains("There is no counter called “nope”."))
    #expect(try scene.tally("subtract", "a=1", "b=1", "--json").objects.map { $0["value"] as? Int } == [5, 3])
    #expect(try scene.tally("undo").output == "6 a, 4 b (undid −1 on a, −1 on b by tally)\n")
    #expect(try scene.tally("add", "a=1", "b=1", "c=1", "d=1").lines == ["7 a", "5 b", "1 c", "1 d"])
    #expect(try scene.tally("undo").output == "6 a, 4 b, 0 c, 0 d (undid +1 on 4 counters by tally)\n")
    #expect(try scene.tally("redo").output == "7 a, 5 b, 1 c, 1 d (redid +1 on 4 counters by tally)\n")
    #expect(
      try scene.tally("add", "a=1", "b=1", "--at", "2026-01-02 14:05").lines == [
        "8 a (+1 at 2026-01-02 14:05)", "6 b (+1 at 2026-01-02 14:05)",
      ])
  }

  @Test func `a limit beyond which the value is already is remarked`() throws {
    try scene.tally("new", "a")
    try scene.tally("add", "a", "10")
    #expect(
      try scene.tally("set", "a", "--maximum", "5").output
        == "10 a (changed maximum → 5; the value is above the maximum)\n")
    #expect(try scene.tally("set", "a", "--maximum", "10").output == "10 a (changed maximum 5 → 10)\n")
    try scene.tally("add", "a", "-10")
    try scene.tally("set", "a", "--clear", "maximum", "--start", "20")
    try scene.tally("correct", "a", "7")
    #expect(
      try scene.tally("set", "a", "--minimum", "9").output
        == "7 a (changed minimum → 9; the value is below the minimum)\n")
  }

  @Test func `a history says which counts were entered later, whose values follow from others`() throws {
    try scene.tally("new", "a")
    try scene.tally("add", "a", "5")
    #expect(try !scene.tally("history", "a").output.contains("entered"))
    try scene.tally("add", "a", "3", "--at", "2026-01-02 10:00")
    let lines = try scene.tally("history", "a").lines
    #expect(lines.first == "Sorted by time. Values are as of entry.")
    #expect(lines.dropFirst().map { $0.contains("8 a  +3, entered later") } == [true, false, false])
  }

  @Test func `a counter that was not there yet and a formula without a value have no value`() throws {
    try scene.tally("new", "a")
    try scene.tally("formula", "f = a / 0")
    #expect(try scene.tally("show", "--at", "2020-01-01").lines.dropFirst() == ["no value  a", "no value  f"])
  }

  @Test func `several counters are counted while other commands do the same`() throws {
    for name in ["a", "b"] { try scene.tally("new", name) }
    let told = try run("seq 8 | xargs -P 8 -I% tally add a=1 b=1")
    #expect(told.lines.count == 16, "\(told.complaint)")
    #expect(try scene.tally("show", "--json").objects.map { $0["value"] as? Int } == [8, 8])
  }

  @Test func `an output goes through a link into a pipe, and the link stays`() throws {
    try scene.tally("new", "a")
    let link = "\(scene.folder)/out"
    let told = try run(
      "ln -s /proc/self/fd/1 '\(link)'; tally export --csv -o '\(link)' | cat; test -L '\(link)' && echo same")
    #expect(told.output == "name,title,value,unit,group\r\na,a,0,,\r\nsame\n", "\(told.complaint)")
  }

  @Test func `the current counter is meant where none is named`() throws {
    try scene.tally("new", "a")
    for (line, answer) in [
      ("tally add", "1 a"), ("tally add 5", "6 a"), ("tally subtract", "5 a"), ("tally +", "6 a"), ("tally -2", "4 a"),
      ("tally +1", "5 a"),
    ] {
      #expect(try run(line).output == answer + "\n", "\(line)")
    }
    #expect(try scene.tally("new", "sw", "--stopwatch").code == 0)
    let refused = try scene.tally("subtract", "sw", "10:00")
    #expect(refused.code == 1 && refused.complaint.contains("The stopwatch “sw” cannot be negative."))
  }

  @Test func `a counter of a name that was used before is undone before the earlier one is`() throws {
    try scene.tally("new", "r")
    try scene.tally("add", "r", "7")
    try scene.tally("remove", "r")
    try scene.tally("new", "r")
    #expect(try scene.tally("undo", "r").output == "r was removed: its creation was undone.\n")
    #expect(try scene.tally("undo", "r").output == "r is back, at 7.\n")
  }

  @Test func `a removed group is not shared, and a place that is had already is no change`() throws {
    try scene.tally("new", "a")
    try scene.tally("group", "new", "gone")
    try scene.tally("group", "remove", "gone")
    let shared = try scene.tally("share", "-o", "-").output
    #expect(shared.contains(#""name":"a""#) && !shared.contains("gone"))
    #expect(try scene.tally("move", "a").output == "a is already there.\n")
    #expect(try scene.tally("move", "a", "--first").output == "a is already there.\n")
  }

  @Test func `every verb speaks JSON, and numbers that are not whole also in their unit`() throws {
    try scene.tally("group", "new", "drinks")
    try scene.tally("new", "litres", "--decimals", "2", "--step", "0.25", "--maximum", "40", "--group", "drinks")
    try scene.tally("add", "litres", "1.75")
    let shown = try #require(try scene.tally("show", "--json").objects.first)
    #expect(shown["text"] as? String == "1.75" && shown["stepText"] as? String == "0.25")
    #expect(shown["maximumText"] as? String == "40.00" && shown["maximum"] as? Int == 4000)
    let totals = try scene.tally("totals", "litres", "--json").objects
    // As in the table, nothing stands before the first count.
    #expect(totals.count <= 3 && totals.first?["addedText"] as? String == "1.75")
    let statistics = try #require(totals.last?["statistics"] as? [String: Any])
    for part in ["total", "busiest"] {
      let sums = try #require(statistics[part] as? [String: Any])
      #expect(sums["added"] as? Int == 175 && sums["addedText"] as? String == "1.75")
      #expect(sums["subtractedText"] as? String == "0.00")
    }
    #expect(
      try scene.tally("show", "litres", "--at", "2100-01-01", "--json").objects.first?["text"] as? String == "1.75")
    let group = try #require(try scene.tally("group", "drinks", "--json").objects.first)
    #expect(group["sumText"] as? String == "1.75" && group["formulas"] == nil)
    try scene.tally("formula", "half", "=", "litres / 2")
    try scene.tally("move", "half", "--group", "drinks")
    let drinks = try #require(try scene.tally("group", "drinks", "--json").objects.first)
    #expect((drinks["formulas"] as? [[String: Any]])?.map { $0["text"] as? String } == ["0.875"])
    let folder = scene.folder
    #expect(try run("tally verify --state '\(folder)/state/tallymark' --json").output == "{\"differences\":[]}\n")
    #expect(
      try run("tally backup --state '\(folder)/state/tallymark' --json \(folder)/b").objects.first?["file"] as? String
        == "\(folder)/b")
    scene.stopCore()
    let repaired = try run("tally repair '\(folder)/state/tallymark' '\(folder)/new' --json").objects.first
    #expect(repaired?["folder"] as? String == "\(folder)/new")
    #expect((repaired?["losses"] as? [String])?.isEmpty == true)
  }

  @Test func `events in JSON have titles, settings in their unit, and those made together`() throws {
    try scene.tally("group", "new", "drinks")
    let created = try scene.tally(
      "new", "litres", "--decimals", "2", "--title", "Tea", "--target", "40", "--group", "drinks", "--json"
    ).objects.first
    #expect(created?["title"] as? String == "Tea")
    let target = try #require(
      (created?["alterations"] as? [[String: Any]])?.first { $0["field"] as? String == "target" })
    #expect(target["after"] as? String == "4000" && target["afterText"] as? String == "40.00")
    try scene.tally("new", "cups", "--group", "drinks")
    let counts = try scene.tally("add", "litres=1.75", "cups=2", "--json").objects
    #expect(counts.map { $0["title"] as? String } == ["Tea", "cups"])
    let progress = try #require(
      try scene.tally("show", "litres", "--json").objects.first?["progress"] as? [String: Any])
    #expect(progress["doneText"] as? String == "1.75" && progress["leftText"] as? String == "38.25")
    let undone = try scene.tally("undo", "--json").objects
    #expect(undone.map { $0["title"] as? String } == ["cups", "Tea"])
    #expect(undone.map { $0["kind"] as? String } == ["undone", "undone"])
    #expect(try scene.tally("redo", "--json").objects.map { $0["title"] as? String } == ["Tea", "cups"])
    let reset = try scene.tally("reset", "--group", "drinks", "--yes", "--json").objects
    #expect(reset.map { $0["name"] as? String } == ["", "litres", "cups"])
    #expect(try scene.tally("undo", "--json").objects.map { $0["name"] as? String } == ["cups", "litres", ""])
  }

  @Test func `a count of an ended period says what stands, beside others and in JSON, too`() throws {
    try scene.tally("new", "coffee", "--period", "daily")
    try scene.tally("new", "cups")
    try scene.tally("add", "coffee")
    let counted = try scene.tally("add", "coffee=3", "cups=2", "--at", "yesterday 12:00").lines
    #expect(counted.count == 2 && counted[0].contains(", in the period until "), "\(counted)")
    for words in [["coffee", "3"], ["coffee=3", "cups=2"]] {
      let event = try Program.run(
        "tally", ["add"] + words + ["--at", "yesterday 12:00", "--json"], scene.environment
      ).objects.first
      #expect(event?["change"] as? Int == 3 && event?["standing"] as? Int == 1, "\(words)")
    }
    #expect(try scene.tally("show", "coffee", "--json").objects.first?["value"] as? Int == 1)
  }

  @Test func `every time in JSON has the same form`() throws {
    try scene.tally("new", "sw", "--stopwatch", "--period", "daily 04:00")
    try scene.tally("start", "sw")
    try scene.tally("new", "a", "--target", "1")
    try scene.tally("add", "a")
    try scene.tally("add", "a", "--at", "2026-01-02 14:05")
    var times: [String: Any] = [:]
    func collect(_ object: [String: Any]) {
      for (name, value) in object {
        if let inner = value as? [String: Any] { collect(inner) }
        for inner in value as? [[String: Any]] ?? [] { collect(inner) }
        if ["time", "since", "began", "renewsAt", "reachedAt", "until", "start", "end", "first", "last"].contains(name)
        {
          times[name] = value
        }
      }
    }
    for words in [
      ["show", "sw"], ["show", "a"], ["totals", "a", "--by", "month", "--from", "2026-01-01"], ["history"],
      ["reset", "sw"],
    ] {
      for object in try Program.run("tally", words + ["--json"], scene.environment).objects {
        var object = object
        // The start of a counter is a value.
        if words.first == "show" { object["start"] = nil }
        collect(object)
      }
    }
    #expect(
      times.keys.sorted() == [
        "began", "end", "first", "last", "reachedAt", "renewsAt", "since", "start", "time", "until",
      ])
    for (name, value) in times {
      #expect((value as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT[0-9:.]{15}\+05:30/) != nil, "\(name): \(value)")
    }
  }

  @Test func `a reset of a group says which counters it concerns, armed or done`() throws {
    try scene.tally("group", "new", "team")
    for name in ["anna", "bea", "cleo"] { try scene.tally("new", name, "--group", "team") }
    try scene.tally("add", "anna=3", "bea=2", "cleo=1")
    try scene.tally("lock", "cleo")
    #expect(
      try scene.tally("reset", "--group", "team").output
        == "The group team: 3 anna, 2 bea. To reset it, repeat the command within 60 seconds.\n")
    let reset = try scene.tally("reset", "--group", "team", "--json").objects
    #expect(reset.map { $0["kind"] as? String } == ["reset", "reset", "reset"])
    #expect(reset.map { $0["name"] as? String } == ["", "anna", "bea"])
    try scene.tally("undo")
    #expect(try scene.tally("reset", "--all", "--json").objects.map { $0["kind"] as? String } == ["armed"])
    #expect(try scene.tally("reset", "--all").output.hasPrefix("Reset all counters: 0 anna, 0 bea; cleo is locked"))
  }

  @Test func `the history says what an undo without a number undid`() throws {
    try scene.tally("new", "sw", "--stopwatch")
    try scene.tally("start", "sw")
    try scene.tally("undo")
    try scene.tally("redo")
    try scene.tally("undo")
    let whats = try scene.tally("history").lines.map { $0.split(separator: "  ").dropFirst(3).first.map(String.init) }
    #expect(
      whats == [
        "created", "started", "undid the start (event 2)", "redid the start (event 3)",
        "undid the start (event 4)",
      ])
    try scene.tally("undo")
    #expect(try scene.tally("history", "--last", "1").output.contains("undid the creation (event 1)"))
    try scene.tally("group", "new", "team")
    try scene.tally("new", "a", "--group", "team")
    try scene.tally("add", "a")
    try scene.tally("reset", "--group", "team", "--yes")
    #expect(try scene.tally("undo").output == "The group team: 1 a (undid the reset by tally)\n")
    #expect(try scene.tally("history", "--last", "1").output.contains("the group team  undid the reset (event"))
  }

  @Test(arguments: [("q\n", 0), ("\n\nq\n", 0), ("", 1), ("\n", 1)])
  func `a guide can be left at its first question`(_ typed: String, _ code: Int) throws {
    let told = try run("printf '\(typed)' | tally guide")
    #expect(told.code == code && told.output.contains("Nothing was created."), "\(told.output)")
    #expect(told.output.contains("Write a word or two, such as people; q quits.") == typed.hasPrefix("\n"))
    #expect(try scene.tally("show", "--json").objects.isEmpty)
  }

  @Test func `an import says which names differ in capital letters only, and that a file is empty`() throws {
    try scene.tally("new", "coffee")
    let told = try run("printf 'name,value\\nCoffee,3\\n' | tally import -")
    #expect(told.output.contains("Coffee and coffee are two counters: their names differ in capital letters.\n"))
    #expect(try run("tally import - < /dev/null").output.hasPrefix("Nothing to import: the file is empty.\n"))
  }

  @Test func `history is that of a group where one is named`() throws {
    try scene.tally("group", "new", "team")
    try scene.tally("new", "anna", "--group", "team")
    try scene.tally("new", "dogs")
    try scene.tally("add", "anna", "3")
    try scene.tally("add", "dogs")
    #expect(
      try scene.tally("history", "--group", "team", "--json").objects.map { $0["kind"] as? String }
        == ["created", "added"])
    #expect(try scene.tally("history", "--group", "nobody").code == 1)
  }

  @Test func `sums over counters with other decimals are exact, and totals keep them apart`() throws {
    try scene.tally("group", "new", "drinks")
    try scene.tally("new", "cups", "--group", "drinks")
    try scene.tally("new", "litres", "--decimals", "2", "--group", "drinks")
    try scene.tally("add", "cups", "3")
    try scene.tally("add", "litres", "0.25")
    let totals = try scene.tally("totals").output
    #expect(totals.hasPrefix("cups\n") && totals.contains("\n3 in all.") && totals.contains("\n\nlitres\n"))
    #expect(totals.contains("\n0.25 in all."), "\(totals)")
    let sums = try scene.tally("totals", "litres", "cups", "--json").objects.filter { $0["counts"] as? Int == 1 }
    #expect(sums.map { $0["added"] as? Int } == [3, 25] && sums.map { $0["decimals"] as? Int } == [nil, 2])
    #expect(try scene.tally("totals", "cups").output.contains("\n3 in all."))
    #expect(try scene.tally("show").output.contains("Σ 3.25"))
    #expect(try scene.tally("group", "drinks").output.contains("3.25  together"))
    #expect(try scene.tally("plot", "cups", "litres", "-o", "-").output.contains(">cups 3.00<"))
    try scene.tally("new", "anna", "--stopwatch")
    #expect(try scene.tally("plot", "cups", "anna", "-o", "-").code == 64)
    let unnamed = try scene.tally("plot", "-o", "-")
    #expect(unnamed.code == 0 && unnamed.output.contains(">litres 0.25<") && !unnamed.output.contains("anna"))
    #expect(
      unnamed.complaint.hasSuffix("Left out (stopwatches): anna. To plot them: tally plot anna -o FILE\n"),
      "\(unnamed.complaint)")
  }

  @Test(arguments: [40, 80]) func `a table keeps within the width that there is`(_ width: Int) throws {
    try scene.tally("group", "new", "team", "--title", "Everybody who plays in the team of this year, and guests")
    try scene.tally("new", "a-name-that-is-much-too-long-for-a-narrow-terminal", "--target", "7", "--icon", "🧍")
    try scene.tally("new", "人数カウンター", "--title", "お客さま", "--group", "team")
    try scene.tally("add", "人数カウンター", "1234567")
    try scene.tally("formula", "a-formula-of-some-length = 人数カウンター * 2 + 人数カウンター * 3 + 人数カウンター * 4")
    let shown = try run("tally", ["COLUMNS": "\(width)"]).lines
    for line in shown { #expect(Self.columns(line) <= width, "\(line)") }
    // In a pipe nothing is cut off.
    #expect(try run("tally | cat").output.contains("a-name-that-is-much-too-long-for-a-narrow-terminal"))
  }

  /// Letters of East Asia and emoji take two columns.
  private static func columns(_ line: String) -> Int {
    line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
  }
}
