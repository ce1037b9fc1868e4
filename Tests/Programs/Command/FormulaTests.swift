import Foundation
import TestKit
import Testing

@Suite struct `Formulas and periods on the command line` {
  let scene: Scene

  init() throws {
    scene = try Scene()
    for name in ["goals", "shots"] { try scene.tally("new", name) }
    try scene.tally("add", "shots", "8")
  }

  @Test func `a formula is made, shown, changed, renamed with what it mentions, and removed`() throws {
    let made = try scene.tally("formula", "hits", "=", "goals / shots", "--as", "percent")
    #expect(made.output == "  0 %  hits  = goals / shots\n")
    try scene.tally("add", "goals", "3")
    #expect(
      try scene.tally("show", "hits").output
        == "  37.5 %  hits\n  formula   goals / shots\n  shown as  percent\n")
    #expect(
      try scene.tally("show").output
        == "▸ 3  goals\n  8  shots\n\n  37.5 %  hits  = goals / shots\n")
    #expect(try scene.tally("formula", "hits", "--as", "number").output == "  0.375  hits  = goals / shots\n")
    try scene.tally("rename", "goals", "points")
    #expect(try scene.tally("formula").output == "  0.375  hits  = points / shots\n")
    #expect(try scene.tally("formula", "hits= points/(shots - 8)").output == "  no value  hits  = points/(shots - 8)\n")
    #expect(try scene.tally("remove", "hits").output == "Removed the formula hits.\n")
    try scene.tally("undo")
    let shown = try #require(try scene.tally("show", "hits", "--json").objects.first)
    #expect(shown["kind"] as? String == "formula")
    #expect(shown["value"] == nil)
  }

  @Test func `a formula has a card, and a place in its group`() throws {
    try scene.tally("formula", "e", "=", "goals + 1")
    try scene.tally("formula", "f", "=", "goals / shots", "--as", "percent", "--title", "Hits")
    try scene.tally("group", "new", "g")
    try scene.tally("move", "f", "--group", "g")
    try scene.tally("set", "f", "--colour", "red", "--icon", "⚽", "--note", "Of the season")
    try scene.tally("archive", "e")
    #expect(
      try scene.tally("show", "f").lines == [
        "  0 %  f", "  formula   goals / shots", "  shown as  percent", "  title     Hits", "  group     g",
        "  colour    red", "  icon      ⚽", "  note      Of the season",
      ])
    #expect(try scene.tally("show", "e").lines.first == "  1  e (archived)")
    // A group in which only formulas are.
    #expect(try scene.tally("group", "g").output == "  ⚽ 0 %  f  Hits  = goals / shots\n")
    #expect(try scene.tally("show", "--group", "g").output.contains("  ⚽ 0 %  f"))
    #expect(try scene.tally("report", "--group", "g").output == "0 % Hits\n")
    #expect(try scene.tally("report").output == "0 goals\n8 shots\n0 % Hits\n")
    try scene.tally("move", "shots", "--group", "g")
    #expect(try scene.tally("group", "g").output.hasSuffix("together\n\n  ⚽ 0 %  f  Hits  = goals / shots\n"))
  }

  @Test func `a formula has a past: its value then, at the ends of hours, and as a picture`() throws {
    try scene.tally("correct", "shots", "0")
    try scene.tally("add", "goals", "3", "--at", "2026-01-02 14:05")
    try scene.tally("add", "shots", "8", "--at", "2026-01-02 14:06")
    try scene.tally("add", "goals", "1", "--at", "2026-01-02 15:30")
    try scene.tally("formula", "hits", "=", "goals / shots", "--as", "percent", "--title", "Hits")
    try scene.tally("formula", "twice", "=", "goals * 2")
    #expect(try scene.tally("show", "hits", "--at", "2026-01-02 14:10").lines.last == "37.5 %  hits  Hits")
    #expect(try scene.tally("show", "hits", "--at", "2026-01-02 14:05:30").lines.last == "no value  hits  Hits")
    let span = ["--from", "2026-01-02 13:00", "--until", "2026-01-02 16:00"]
    func tally(_ arguments: String...) throws -> Program.Outcome {
      try Program.run("tally", arguments + span, scene.environment)
    }
    #expect(
      try tally("totals", "hits").lines == [
        "hits = goals / shots, at the end of each hour", "2026-01-02 14:00  37.5 %",
        "2026-01-02 15:00    50 %  +12.5 %",
      ])
    let both = try tally("totals", "goals", "twice").lines
    #expect(both.contains("4 in all, 2.8 an hour over 1 h 25 min."), "\(both)")
    #expect(both.suffix(2) == ["2026-01-02 14:00  6", "2026-01-02 15:00  8  +2"], "\(both)")
    let objects = try tally("totals", "hits", "--json").objects
    #expect(objects.map { $0["value"] as? String } == ["0.375", "0.5"])
    #expect(objects.last?["changeText"] as? String == "12.5" && objects.last?["text"] as? String == "50 %")
    #expect(try tally("history", "hits", "--plot").lines.first == "hits, at the end of each hour")
    let picture = try tally("plot", "hits", "--by", "hour", "-o", "-").output
    #expect(picture.contains("<title>Hits</title>") && picture.contains(">50.0 % at the end<"))
    #expect(picture.contains("At the end of each hour, 2026-01-02, 13:00 to 16:00"))
    // No value in the first hour: the line begins in the second one.
    let line = try #require(picture.firstMatch(of: /polyline points="([^"]+)"/)).1
    #expect(line.split(separator: " ").count == 2)
    let mixed = try tally("plot", "hits", "goals", "-o", "-")
    #expect(mixed.code == 64 && mixed.complaint.contains("either counts, or values of up to 20 formulas"))
    #expect(try tally("plot", "hits", "twice", "-o", "-").code == 64)
  }

  @Test func `a formula is renamed, looks as it should and is reported by the verbs of a counter`() throws {
    try scene.tally("new", "a")
    try scene.tally("formula", "f", "=", "a + 1")
    #expect(try scene.tally("rename", "f", "g").output == "Renamed f to g.\n")
    #expect(try scene.tally("set", "g", "--title", "One more", "--colour", "red").code == 0)
    #expect(try scene.tally("set", "g", "--step", "2").complaint.contains("is a formula, which only has"))
    #expect(try scene.tally("report", "a", "g").output == "0 a\n1 One more\n")
    #expect(try scene.tally("undo").output.contains("undid"))
  }

  @Test func `a formula has a place, a group, an archive, an undo, a history and a row of its own`() throws {
    for name in ["f", "k"] { try scene.tally("formula", name, "=", "goals + shots") }
    try scene.tally("group", "new", "team")
    try scene.tally("move", "goals", "--group", "team")
    #expect(try scene.tally("move", "k", "--before", "f").output == "Moved k before f.\n")
    #expect(try scene.tally("move", "k", "--first").output == "k is already there.\n")
    #expect(try scene.tally("group", "move", "team").output == "team is already there.\n")
    #expect(try scene.tally("move", "f", "--group", "team").output == "Moved f to the last place of the group team.\n")
    let shown = try scene.tally("show").output
    #expect(shown == "  8  shots\n\nteam\n▸ 0  goals\n  8  f  = goals + shots\n\n  8  k  = goals + shots\n")
    #expect(try scene.tally("report", "--group", "team").output == "0 goals\n8 f\n")
    #expect(try scene.tally("archive", "f").output == "The formula f: archived\n")
    #expect(try !scene.tally("show").output.contains("  f  "))
    #expect(try scene.tally("show", "--archived").output.contains("  f  "))
    #expect(
      try scene.tally("undo", "f").output.hasPrefix("The formula f is out of the archive again (undid a change by"))
    #expect(try scene.tally("history", "f").output.contains("the formula f  created"))
    #expect(
      try scene.tally("add", "f").complaint
        == "tally: “f” is a formula, which has no counts of its own: f = goals + shots. Name counters instead. Its present "
        + "value: tally show f\n")
    let rows = try scene.tally("export", "--csv").output
    #expect(rows.contains("f,f,8,formula,team,goals + shots,number\r\n"))
    try scene.tally("remove", "f")
    #expect(try scene.tally("undo", "f").output == "The formula f is back.\n")
  }

  @Test func `a wrong formula is refused with a mark below the place`() throws {
    let refused = try scene.tally("formula", "hits", "=", "goals / (shots - nothing")
    #expect(refused.code == 1)
    #expect(
      refused.complaint == """
        tally: A closing bracket is missing.
          goals / (shots - nothing
                                  ^

        """)
    let unknown = try scene.tally("formula", "hits", "=", "größe + goals").complaint
    #expect(unknown.hasSuffix("called “größe”.\n  größe + goals\n  ^\n"))
    #expect(try scene.tally("formula").output.hasPrefix("There is no formula yet."))
    #expect(try scene.tally("formula", "hits").code == 1)
  }

  @Test func `a goal takes a period and shows it`() throws {
    try scene.tally("new", "laps", "--target", "10", "--period", "weekly sunday 04:00 Europe/Berlin")
    let shown = try #require(try scene.tally("show", "laps", "--json").objects.first)
    #expect(shown["period"] as? String == "weekly sunday 04:00 Europe/Berlin")
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let time = try #require(shown["renewsAt"] as? String)
    #expect(try #require(formatter.date(from: time)) > Date())
    let refused = try scene.tally("set", "laps", "--period", "often")
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("--period must have a form such as “daily 04:00”"))
  }
}
