import Foundation
import Platform
import TestKit
import Testing
import Varlink

@Suite struct `Everything a counter can be, on the command line` {
  let scene: Scene

  init() throws { scene = try Scene() }

  @Test func `decimals are exact, and limits stop or refuse`() throws {
    #expect(
      try scene.tally("new", "litres", "--decimals", "2", "--step", "0.25", "--maximum", "1").output
        == "0.00 litres (created)\n")
    #expect(try scene.tally("add", "litres").output == "0.25 litres\n")
    #expect(try scene.tally("add", "litres", "0.1").output == "0.35 litres\n")
    let refused = try scene.tally("add", "litres", "0.66")
    #expect(refused.code == 1 && refused.complaint == "tally: “litres” cannot go beyond its limit of 1.00.\n")
    try scene.tally("set", "litres", "--limits", "stop")
    #expect(try scene.tally("add", "litres", "0.66").output == "1.00 litres, stopped at the limit\n")
    #expect(try scene.tally("add", "litres", "0.125").complaint.contains("at most 2 decimals"))
    #expect(try scene.tally("set", "litres", "--maximum", "2").output.contains("changed maximum 1.00 → 2.00"))
    #expect(try scene.tally("correct", "litres", "0.5").output == "0.50 litres (corrected −0.50)\n")
    #expect(try scene.tally("show", "litres").output.contains("0.50"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/de_DE")))
  func `numbers have the format of the locale everywhere, except in JSON`() throws {
    let folder = "\(scene.folder)/de_DE.UTF-8"
    let made = try Program.run("/usr/bin/localedef", ["-i", "de_DE", "-f", "UTF-8", folder])
    try #require(made.code == 0, "\(made.complaint)")
    let environment = scene.environment.merging(["LOCPATH": scene.folder, "LC_ALL": "de_DE.UTF-8"]) { $1 }
    func tally(_ arguments: String...) throws -> String { try Program.run("tally", arguments, environment).output }
    #expect(try tally("new", "l", "--decimals", "2", "--start", "-4") == "−4,00 l (created)\n")
    #expect(try tally("add", "l", "1240.5") == "1.236,50 l\n")
    #expect(try tally("correct", "l", "1234") == "1.234,00 l (corrected −2,50)\n")
    #expect(try tally("history", "l").contains("1.236,50 l  +1.240,50  "))
    #expect(try tally("undo").hasPrefix("1.236,50 l (undid a correction of −2,50 by "))
    #expect(try tally("reset", "l").hasPrefix("l is at 1.236,50. "))
    #expect(try tally("show", "l").contains("1.236,50"))
    try scene.tally("group", "new", "g")
    try scene.tally("move", "l", "--group", "g")
    #expect(try tally("group", "g").hasPrefix("1.236,50  l"))
    #expect(try tally("show", "l", "--json").contains(#""text":"1236.50""#))
    #expect(try tally("history", "l", "--json").contains(#""text":"1236.50""#))
  }

  @Test func `a reset of many says which locked counters it left out`() throws {
    try scene.tally("group", "new", "g")
    for name in ["t", "u", "v", "w"] {
      try scene.tally("new", name)
      try scene.tally("move", name, "--group", "g")
      try scene.tally("add", name, "4")
    }
    try scene.tally("lock", "t")
    try scene.tally("archive", "w")
    #expect(
      try scene.tally("reset", "--group", "g", "--yes").output
        == "Reset the group g: 0 u, 0 v; t is locked and stays at 4.\n")
    try scene.tally("lock", "u")
    try scene.tally("add", "v")
    let all = try scene.tally("reset", "--all", "--yes").output
    #expect(all.hasPrefix("Reset all counters: ") && all.hasSuffix("; locked and not reset: t, u.\n"), "\(all)")
    #expect(all.contains("0 v"), "\(all)")
    try scene.tally("add", "v")
    #expect(try scene.tally("reset", "--all", "--yes", "--json").objects.first?["kind"] as? String == "reset")
  }

  @Test func `a goal says when a boundary is passed and when it is reached`() throws {
    try scene.tally("new", "pushups", "--target", "20", "--every", "10")
    #expect(try scene.tally("add", "pushups", "12").output == "12 pushups, passed 10\n")
    let reached = try scene.tally("add", "pushups", "8", "--json").objects.first
    #expect(reached?["reached"] as? Bool == true)
    let progress = try scene.tally("show", "pushups", "--json").objects.first?["progress"] as? [String: Int]
    #expect(progress == ["done": 20, "left": 0, "percent": 100])
  }

  @Test func `the stopwatches of a group start and stop by one command, and their sums stand beside the counts`() throws
  {
    try scene.tally("group", "new", "team")
    for name in ["anna", "bea"] { try scene.tally("new", name, "--stopwatch", "--group", "team") }
    try scene.tally("new", "goals")
    try scene.tally("add", "goals", "2")
    #expect(
      try scene.tally("start", "--group", "team").output.contains(
        /^The group team: 0:00\.\d+ anna, 0:00\.\d+ bea \(started\)\n$/))
    #expect(try scene.tally("start", "--all").complaint == "tally: Every stopwatch is running already.\n")
    let totals = try scene.tally("totals").output
    #expect(totals.contains("\n2 in all.\n") && totals.contains("\n\nStopwatches: anna, bea\n"))
    let objects = try scene.tally("totals", "anna", "--by", "day", "--json").objects
    #expect(objects.contains { $0["stopwatches"] as? Bool == true && ($0["added"] as? Int64 ?? 0) > 0 })
    #expect(try scene.tally("toggle", "--group", "team").output.contains(/anna, \d+:\d\d\.\d+ bea \(stopped\)\n$/))
    #expect(try scene.tally("undo").code == 0)
    #expect(try scene.tally("stop", "anna").code == 0)
    #expect(try scene.tally("stop", "bea").code == 0)
    #expect(try scene.tally("start", "anna", "--all").code == 64)
  }

  @Test func `a stopwatch survives a core that is killed`() throws {
    try scene.tally("new", "anna", "--stopwatch")
    #expect(try scene.tally("start", "anna").output.contains("started"))
    let started = Clock.boottime()
    scene.stopCore(SIGKILL)
    try scene.startCore()
    // The time in which there was no core counts as well.
    let least = (Clock.boottime() - started) / 1000
    let lap = try #require(try scene.tally("lap", "--json").objects.first?["lap"] as? Int64)
    #expect(lap >= least)
    #expect(try scene.tally("stop").output.contains("stopped"))
    #expect(try scene.tally("stop").complaint.contains("“anna” is not running."))
    #expect(try scene.tally("correct", "anna", "1:30").output.hasPrefix("1:30.00 anna"))
  }

  @Test func `groups are made, filled, looked at, reset twice asked, and undone`() throws {
    try scene.tally("group", "new", "players", "--colour", "green")
    for (name, amount) in [("anna", "3"), ("ben", "1")] {
      try scene.tally("new", name, "--group", "players")
      try scene.tally("add", name, amount)
    }
    let overview = try scene.tally("group", "players").output
    for part in ["3  anna   75.0 %", "1  ben    25.0 %", "4  together", "highest anna, lowest ben"] {
      #expect(overview.contains(part), "\(overview)")
    }
    #expect(try scene.tally("reset", "--group", "players").output.contains("repeat the command within 60 seconds"))
    #expect(try scene.tally("reset", "--group", "players").output == "Reset the group players: 0 anna, 0 ben.\n")
    #expect(try scene.tally("show", "--json").objects.map { $0["value"] as? Int } == [0, 0])
    #expect(
      try scene.tally("undo").output == "The group players: 3 anna, 1 ben (undid the reset by tally)\n")
    #expect(try scene.tally("show", "--json").objects.map { $0["value"] as? Int } == [3, 1])
    #expect(
      try scene.tally("redo").output == "The group players: 0 anna, 0 ben (redid the reset by tally)\n")
    try scene.tally("undo")
    try scene.tally("move", "ben", "--before", "anna")
    try scene.tally("group", "rename", "players", "team")
    let counters = try scene.tally("show", "--json").objects
    #expect(counters.map { $0["name"] as? String } == ["ben", "anna"])
    #expect(counters.map { $0["group"] as? String } == ["team", "team"])
    try scene.tally("group", "remove", "team")
    #expect(try scene.tally("undo").output == "The group team is back, with 1 ben, 3 anna.\n")
    #expect(try scene.tally("redo").output == "Removed the group team again.\n")
    #expect(try scene.tally("group", "team").complaint.contains("There is no group called “team”."))
  }

  @Test func `a counter is undone by itself, whatever happened to others since`() throws {
    for name in ["a", "b"] { try scene.tally("new", name) }
    for name in ["a", "b", "b"] { try scene.tally("add", name) }
    #expect(try scene.tally("undo", "a").output == "0 a (undid +1 by tally)\n")
    #expect(try scene.tally("undo").output == "1 b (undid +1 by tally)\n")
    #expect(try scene.tally("redo", "a").output == "1 a (redid +1 by tally)\n")
    #expect(try scene.tally("redo", "b").output == "2 b (redid +1 by tally)\n")
  }

  @Test func `one counter is shown with its settings, others by tag or archived`() throws {
    try scene.tally("group", "new", "kids", "--icon", "👦")
    try scene.tally(
      "new", "people", "--title", "At the door", "--step", "2", "--minimum", "0", "--maximum", "90", "--target", "50",
      "--every", "10", "--period", "daily 04:00 UTC", "--group", "kids", "--tags", "door,main", "--note", "from 9 on")
    try scene.tally("add", "people", "10")
    let card = try scene.tally("show", "people").lines
    #expect(card.first?.hasPrefix("▸ 10  people  At the door") == true)
    let details = card.dropFirst().map {
      $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    for line in [
      "step 2", "start 0", "limits 0 to 90, refuses more",
      "goal 50, 20 % done, 40 left", "every 10", "group kids", "tags door, main", "note from 9 on",
    ] {
      #expect(details.contains(line), "\(line)")
    }
    // The zone may have another name.
    #expect(details.contains { $0.hasPrefix("counted 10 today, 10 this week (days begin at 04:00 ") })
    #expect(
      details.contains { $0.hasPrefix("period daily 04:00 UTC, ends ") }
        || details.contains { $0.hasPrefix("period daily 04:00 Etc/UTC, ends ") })
    #expect(try scene.tally().output.contains("👦 kids"))
    #expect(try scene.tally("--tag", "door").output.contains("people"))
    #expect(try scene.tally("--tag", "nope").output == "No counter has the tag “nope”. There are: door, main.\n")
    try scene.tally("lock", "people")
    #expect(try scene.tally().output.contains("people (locked)"))
    try scene.tally("unlock", "people")
    try scene.tally("archive", "people")
    #expect(try scene.tally().output == "All counters are archived: people. Show them: tally show --archived\n")
    #expect(try scene.tally("--archived").output.contains("people (archived)"))
    #expect(
      try scene.tally("--tag", "door").output
        == "All counters with the tag “door” are archived: people. Show them: tally show --archived\n")
    try scene.tally("new", "dogs")
    #expect(try scene.tally().lines.last == "1 counter is archived: tally --archived")
  }

  @Test func `what makes another counter the current one says so`() throws {
    for name in ["kids", "adults", "dogs"] { try scene.tally("new", name) }
    try scene.tally("select", "kids")
    #expect(try scene.tally("archive", "dogs").lines == ["0 dogs (archived)"])
    #expect(
      try scene.tally("archive", "kids").lines
        == ["0 kids (archived)", "Gestures now count adults, which stands at 0."])
    try scene.tally("archive", "dogs", "--back")
    #expect(
      try scene.tally("remove", "adults").lines
        == ["Removed adults, which stood at 0.", "Gestures now count dogs, which stands at 0."])
  }

  @Test func `a removal names the formulas that lose their value`() throws {
    for name in ["shots", "goals"] { try scene.tally("new", name) }
    try scene.tally("formula", "sum", "=", "goals + shots")
    try scene.tally("formula", "half", "=", "shots / 2")
    #expect(
      try scene.tally("remove", "goals").lines == ["Removed goals, which stood at 0.", "Without a value now: sum."])
  }

  @Test func `a count of an archived counter says that it is archived`() throws {
    try scene.tally("new", "dogs")
    try scene.tally("new", "anna", "--stopwatch")
    for name in ["dogs", "anna"] { try scene.tally("archive", name) }
    #expect(try scene.tally("add", "dogs").output == "1 dogs (archived)\n")
    #expect(try scene.tally("subtract", "dogs").output == "0 dogs (archived)\n")
    #expect(try scene.tally("start", "anna").output == "0:00.00 anna (archived) (started)\n")
    #expect(try scene.tally("stop", "anna").output.contains("anna (archived) (stopped"))
  }

  @Test func `the card of a stopwatch has the time of the present run`() throws {
    try scene.tally("new", "anna", "--stopwatch")
    try scene.tally("add", "anna", "1:00")
    try scene.tally("start", "anna")
    let added = try scene.tally("add", "anna", "1:00").output
    #expect(try #require(added.firstMatch(of: /^2:00\.(\d+) anna\n$/)).1 != "00")
    try scene.tally("undo")
    let card = try scene.tally("show", "anna").output
    #expect(card.contains("anna (running)") && card.contains("since"))
    #expect(try #require(card.firstMatch(of: /counted +1:00\.(\d+) today, 1:00\.(\d+) this week/)).1 != "00")
    try scene.tally("remove", "anna")
    #expect(try scene.tally("undo").output.firstMatch(of: /anna is back, at 1:00\.(\d+)\./)?.1 != "00")
  }

  @Test func `undo says which locked counters it passed over`() throws {
    for name in ["a", "b"] { try scene.tally("new", name) }
    try scene.tally("add", "b", "4")
    try scene.tally("lock", "a")
    #expect(
      try scene.tally("undo").output == "a is locked and was passed over; 0 b (undid +4 by tally)\n")
    try scene.tally("add", "b", "2")
    #expect(try scene.tally("undo").output == "0 b (undid +2 by tally)\n")
  }

  @Test func `undo says which counters of a fleet it passed over`() throws {
    try scene.tally("new", "dogs")
    try scene.tally("formula", "half", "=", "dogs / 2")
    try scene.tally("new", "cars")
    try scene.tally("fleet", "join", "mqtt://localhost", "--fleet", "venue", "--station", "door1")
    try scene.tally("fleet", "share", "cars")
    try scene.tally("add", "cars", "2")
    #expect(try scene.tally("undo").output == "0 cars (undid +2 by tally)\n")
    #expect(
      try scene.tally("undo").output
        == "cars is counted by the fleet and was passed over; The formula half was removed: its creation was undone.\n"
    )
    #expect(
      try scene.tally("undo").output
        == "cars is counted by the fleet and was passed over; dogs was removed: its creation was undone.\n")
  }

  @Test func `undo says what it undid, of a numbered event as well`() throws {
    try scene.tally("new", "a")
    try scene.tally("add", "a", "2")
    try scene.tally("add", "a", "3")
    #expect(try scene.tally("undo", "2").output == "3 a (undid +2 by tally)\n")
    #expect(
      try scene.tally("undo", "2").complaint == "tally: Event 2 cannot be undone: event 4 has undone it already.\n")
    for _ in 0..<2 { try scene.tally("undo", "a") }
    #expect(
      try scene.tally("undo", "a").complaint
        == "tally: There is nothing left to undo. tally history shows the numbers of events, which tally undo takes as well.\n"
    )
    for _ in 0..<2 { try scene.tally("redo", "a") }
    try scene.tally("set", "a", "--colour", "red")
    #expect(try scene.tally("undo").output == "3 a (undid colour → red by tally; no colour again)\n")
    #expect(try scene.tally("redo").output == "3 a (redid colour → red by tally)\n")
    try scene.tally("set", "a", "--clear", "colour")
    #expect(try scene.tally("undo").output == "3 a (undid colour red → none by tally; colour is red again)\n")
    try scene.tally("remove", "a")
    #expect(try scene.tally("undo").output == "a is back, at 3.\n")
    #expect(try scene.tally("redo").output == "Removed a again, which stood at 3.\n")
    #expect(try scene.tally("undo").output == "a is back, at 3.\n")
    try scene.tally("formula", "f", "=", "a + 1")
    try scene.tally("remove", "f")
    #expect(try scene.tally("undo").output == "The formula f is back.\n")
    try scene.tally("note", "3", "that was the dog")
    let history = try scene.tally("history", "a").lines
    try scene.tally("note", "3", "")
    #expect(try scene.tally("undo").output == "3 a (undid the removal of the note on event 3 by tally)\n")
    #expect(try scene.tally("undo").output == "3 a (undid the note on event 3 by tally)\n")
    #expect(try scene.tally("history", "--last", "1").output.contains("3 a  undid the note on event 3  tally"))
    #expect(history.contains { $0.hasPrefix(" 3  ") && $0.hasSuffix("+3  “that was the dog”  tally") }, "\(history)")
  }

  @Test func `the undo of a count in an ended period names the count and the closing of its period`() throws {
    try scene.tally("new", "c", "--period", "daily")
    try scene.tally("add", "c", "6", "--at", "2026-01-02 14:05")
    #expect(try scene.tally("undo").output == "0 c (undid +6 at 2026-01-02 14:05 by tally)\n")
    #expect(try scene.tally("redo").output == "0 c (redid +6 at 2026-01-02 14:05 by tally)\n")
    let history = try scene.tally("history").output
    for words in [
      "undid the closing of the previous period (event 3)  tally", "undid +6 (event 2)  tally",
      "redid +6 (event 5)  tally", "redid the closing of the previous period (event 4)  tally",
    ] {
      #expect(history.contains("c  \(words)"), "\(history)")
    }
  }

  @Test func `the creation of a group with members cannot be undone, and the refusal says why`() throws {
    try scene.tally("group", "new", "g")
    try scene.tally("new", "a", "--group", "g")
    #expect(
      try scene.tally("undo", "1").complaint
        == "tally: Event 1 cannot be undone: counters or formulas belong to the group “g”; move or remove them first.\n"
    )
  }

  @Test func `the history of an empty core says that there is no event yet`() throws {
    #expect(try scene.tally("history").complaint == "There is no event yet. Create a counter: tally new people\n")
    #expect(try scene.tally("history", "--device", "pedal").complaint == "There is no such event.\n")
  }

  @Test func `history shows the last twenty events in the order of their times`() throws {
    try scene.tally("new", "a")
    for _ in 0..<21 { try scene.call("Add", ["name": "a"]) }
    try scene.tally("add", "a", "--at", "yesterday 14:05")
    let lines = try scene.tally("history").lines
    #expect(lines.first == "… earlier events: tally history --last 100, or --all")
    #expect(lines.count == 22)
    #expect(lines[2].hasPrefix("23  "))
    #expect(try scene.tally("history", "--all").lines.count == 24)
    #expect(try scene.tally("history", "--device", "pedal").complaint == "There is no such event.\n")
  }

  @Test func `history goes with a counter that is renamed or removed`() throws {
    try scene.tally("new", "people")
    try scene.tally("add", "people", "7")
    #expect(try scene.tally("rename", "people", "visitors").output == "Renamed people to visitors.\n")
    for name in ["people", "visitors"] {
      #expect(try scene.tally("history", name, "--json").objects.count == 3, "\(name)")
    }
    try scene.tally("remove", "visitors")
    #expect(try scene.tally("history", "visitors", "--json").objects.count == 4)
    try scene.tally("undo")
    #expect(try scene.tally("undo", "visitors").output.contains("undid name people → visitors"))
    #expect(try scene.tally("show").output.contains("people"))
  }

  @Test func `looks, notes, locks and the archive`() throws {
    try scene.tally("new", "people", "--colour", "#ff8800", "--icon", "🧍", "--tags", "door,main", "--note", "from 9 on")
    let counter = try #require(try scene.tally("show", "people", "--json").objects.first)
    #expect(counter["colour"] as? String == "#ff8800" && counter["icon"] as? String == "🧍")
    #expect(counter["tags"] as? [String] == ["door", "main"])
    #expect(try scene.tally("set", "people", "--clear", "note").output.contains("note from 9 on →"))
    #expect(try scene.tally("set", "people", "--colour", "beige").complaint.hasPrefix("tally: --colour must be "))
    try scene.tally("lock", "people")
    #expect(try scene.tally("add", "people").complaint.contains("“people” is locked"))
    try scene.tally("unlock", "people")
    let added = try #require(try scene.tally("add", "people", "--json").objects.first?["sequence"] as? Int)
    try scene.tally("note", "\(added)", "that was the dog")
    let history = try scene.tally("history", "people", "--json").objects
    #expect(history.first { $0["sequence"] as? Int == added }?["note"] as? String == "that was the dog")
    #expect(try scene.tally("note", "999", "x").complaint.contains("There is no event 999."))
    #expect(try scene.tally("archive", "people").code == 0)
    #expect(try scene.tally("archive", "people", "--back").code == 0)
  }

  @Test func `what was forgotten is added at its time, behind what was counted since`() throws {
    try scene.tally("new", "people")
    try scene.tally("add", "people")
    #expect(
      try scene.tally("add", "people", "3", "--at", "2026-01-02 14:05").output == "4 people (+3 at 2026-01-02 14:05)\n")
    let last = try #require(try scene.tally("history", "people", "--json").objects.last)
    #expect(last["time"] as? String == "2026-01-02T14:05:00.000000+05:30")
    #expect(last["sequence"] as? Int == 3)
    #expect(try scene.tally("add", "people", "--at", "half past").code == 64)
    #expect(try scene.tally("add", "people", "--at", "2199-01-01").code == 64)
  }

  @Test func `a name that something else has gets the command that takes it`() throws {
    try scene.tally("group", "new", "team")
    try scene.tally("new", "anna", "--group", "team")
    try scene.tally("formula", "twice", "=", "anna * 2")
    for (words, advice) in [
      (["add", "team"], "“team” is a group, not a counter. Name one of its counters: anna."),
      (["show", "team"], "“team” is a group, not a counter. To show it: tally group team"),
      (["reset", "team"], "“team” is a group, not a counter. Write: tally reset --group team"),
      (["set", "team", "--title", "x"], "“team” is a group, not a counter. Write: tally group set team"),
      (["move", "anna", "--before", "team"], "“team” is a group, not a counter."),
      (["group", "anna"], "“anna” is a counter, not a group. Write: tally show anna"),
      (["group", "remove", "twice"], "“twice” is a formula, not a group. Write: tally remove twice"),
      (["report", "--group", "anna"], "“anna” is a counter, not a group. Write: tally report anna"),
      (
        ["move", "anna", "--group", "twice"],
        "“twice” is a formula, not a group. A group of this name is created with: tally group new twice"
      ),
      (["add", "zebra"], "There is no counter called “zebra”. There are: anna."),
      (["add", ""], "The name of the counter is empty. “tally show” lists the counters."),
      (
        ["new", "red squirrels"],
        "“red squirrels” is not a valid name: it may only contain letters, digits, “-”, “_” and “.”. A title may have "
          + "spaces: --title \"red squirrels\""
      ),
      (["undo", "999"], "There is no event 999. tally history shows the numbers of events."),
      (["new", "anna"], "There is already a counter called “anna”. To count it: tally add anna"),
      (
        ["group", "new", "team"],
        "There is already a group called “team”. To put a counter in it: tally move NAME --group team"
      ),
      (["start", "anna"], "“anna” is not a stopwatch. A stopwatch is created with: tally new NAME --stopwatch"),
    ] {
      let outcome = try Program.run("tally", words, scene.environment)
      #expect(outcome.code == 1 && outcome.complaint == "tally: \(advice)\n", "\(words)")
    }
    #expect(try scene.tally("group", "list").output == "team\n")
    #expect(try scene.tally("formula", "list").output == "  0  twice  = anna * 2\n")
  }

  @Test func `a stopwatch takes durations with units`() throws {
    try scene.tally("new", "run", "--stopwatch")
    for (amount, output) in [("90s", "1:30.00"), ("5m", "6:30.00"), ("1h30min", "1:36:30.00"), ("2h", "3:36:30.00")] {
      #expect(try scene.tally("add", "run", amount).output == "\(output) run\n")
    }
    try scene.tally("new", "cups")
    #expect(try scene.tally("add", "cups", "5m").code == 1)
  }

  @Test func `an unknown name offers the nearest`() throws {
    try scene.tally("new", "people")
    try scene.tally("group", "new", "kids")
    #expect(try scene.tally("add", "poeple").complaint.contains("Did you mean “people”?"))
    #expect(try scene.tally("group", "kid").complaint.contains("Did you mean “kids”?"))
    #expect(try scene.tally("ad", "people").complaint.contains("tally add"))
  }
}
