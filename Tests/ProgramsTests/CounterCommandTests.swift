import Foundation
import Platform
import TestKit
import Testing

@Suite struct `Everything a counter can be, on the command line` {
  let scene: Scene

  init() throws { scene = try Scene() }

  @Test func `decimals are exact, and limits stop or refuse`() throws {
    #expect(
      try scene.tally("new", "litres", "--decimals", "2", "--step", "0.25", "--maximum", "1").output == "0.00 litres\n")
    #expect(try scene.tally("add", "litres").output == "0.25 litres\n")
    #expect(try scene.tally("add", "litres", "0.1").output == "0.35 litres\n")
    let refused = try scene.tally("add", "litres", "0.66")
    #expect(refused.code == 1 && refused.complaint.contains("LimitReached"))
    try scene.tally("set", "litres", "--limits", "stop")
    #expect(try scene.tally("add", "litres", "0.66").output == "1.00 litres, stopped at the limit\n")
    #expect(try scene.tally("add", "litres", "0.125").complaint.contains("BadQuantity"))
    #expect(try scene.tally("correct", "litres", "0.5").output == "0.50 litres (corrected −0.50)\n")
    #expect(try scene.tally("show", "litres").output.contains("0.50"))
  }

  @Test func `a goal says when a boundary is passed and when it is reached`() throws {
    try scene.tally("new", "pushups", "--target", "20", "--every", "10")
    #expect(try scene.tally("add", "pushups", "12").output == "12 pushups, passed 10\n")
    let reached = try scene.tally("add", "pushups", "8", "--json").objects.first
    #expect(reached?["reached"] as? Bool == true)
    let progress = try scene.tally("show", "pushups", "--json").objects.first?["progress"] as? [String: Int]
    #expect(progress == ["done": 20, "left": 0, "percent": 100])
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
    #expect(try scene.tally("stop").complaint.contains("NotRunning"))
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
    #expect(try scene.tally("reset", "--group", "players").output.contains("say so again within 60 seconds"))
    #expect(try scene.tally("reset", "--group", "players").output == "Reset the group players.\n")
    #expect(try scene.tally("show", "--json").objects.map { $0["value"] as? Int } == [0, 0])
    try scene.tally("undo")
    #expect(try scene.tally("show", "--json").objects.map { $0["value"] as? Int } == [3, 1])
    try scene.tally("move", "ben", "--before", "anna")
    try scene.tally("group", "rename", "players", "team")
    let counters = try scene.tally("show", "--json").objects
    #expect(counters.map { $0["name"] as? String } == ["ben", "anna"])
    #expect(counters.map { $0["group"] as? String } == ["team", "team"])
    #expect(try scene.tally("group", "remove", "team").code == 0)
    #expect(try scene.tally("group", "team").complaint.contains("NoSuchGroup"))
  }

  @Test func `a counter is undone by itself, whatever happened to others since`() throws {
    for name in ["a", "b"] { try scene.tally("new", name) }
    for name in ["a", "b", "b"] { try scene.tally("add", name) }
    #expect(try scene.tally("undo", "a").output == "0 a (undone −1)\n")
    #expect(try scene.tally("undo").output == "1 b (undone −1)\n")
    #expect(try scene.tally("redo", "a").output == "1 a (redone +1)\n")
    #expect(try scene.tally("redo", "b").output == "2 b (redone +1)\n")
  }

  @Test func `history goes with a counter that is renamed or removed`() throws {
    try scene.tally("new", "people")
    try scene.tally("add", "people", "7")
    #expect(try scene.tally("rename", "people", "visitors").output == "people is called visitors now.\n")
    for name in ["people", "visitors"] {
      #expect(try scene.tally("history", name, "--json").objects.count == 3, "\(name)")
    }
    try scene.tally("remove", "visitors")
    #expect(try scene.tally("history", "visitors", "--json").objects.count == 4)
    try scene.tally("undo")
    #expect(try scene.tally("undo", "visitors").output.contains("name visitors → people"))
    #expect(try scene.tally("show").output.contains("people"))
  }

  @Test func `looks, notes, locks and the archive`() throws {
    try scene.tally("new", "people", "--colour", "#ff8800", "--icon", "🧍", "--tags", "door,main", "--note", "from 9 on")
    let counter = try #require(try scene.tally("show", "people", "--json").objects.first)
    #expect(counter["colour"] as? String == "#ff8800" && counter["icon"] as? String == "🧍")
    #expect(counter["tags"] as? [String] == ["door", "main"])
    #expect(try scene.tally("set", "people", "--clear", "note").output.contains("note from 9 on →"))
    #expect(try scene.tally("set", "people", "--colour", "beige").complaint.contains("BadSetting"))
    try scene.tally("lock", "people")
    #expect(try scene.tally("add", "people").complaint.contains("Locked"))
    try scene.tally("unlock", "people")
    let added = try #require(try scene.tally("add", "people", "--json").objects.first?["sequence"] as? Int)
    try scene.tally("note", "\(added)", "that was the dog")
    let history = try scene.tally("history", "people", "--json").objects
    #expect(history.first { $0["sequence"] as? Int == added }?["note"] as? String == "that was the dog")
    #expect(try scene.tally("note", "999", "x").complaint.contains("NoSuchEvent"))
    #expect(try scene.tally("archive", "people").code == 0)
    #expect(try scene.tally("archive", "people", "--back").code == 0)
  }

  @Test func `what was forgotten is added at its time, behind what was counted since`() throws {
    try scene.tally("new", "people")
    try scene.tally("add", "people")
    #expect(try scene.tally("add", "people", "3", "--at", "2026-01-02 14:05").output == "4 people\n")
    let last = try #require(try scene.tally("history", "people", "--json").objects.last)
    #expect(last["time"] as? String == "2026-01-02T14:05:00.000000+05:30")
    #expect(last["sequence"] as? Int == 3)
    #expect(try scene.tally("add", "people", "--at", "half past").code == 64)
    #expect(try scene.tally("add", "people", "--at", "2199-01-01").code == 1)
  }

  @Test func `an unknown name offers the nearest`() throws {
    try scene.tally("new", "people")
    try scene.tally("group", "new", "kids")
    #expect(try scene.tally("add", "poeple").complaint.contains("Did you mean “people”?"))
    #expect(try scene.tally("group", "kid").complaint.contains("Did you mean “kids”?"))
    #expect(try scene.tally("ad", "people").complaint.contains("tally add"))
  }
}
