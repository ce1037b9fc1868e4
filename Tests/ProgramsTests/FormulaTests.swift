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
    #expect(try scene.tally("show", "hits").output == "  37.5 %  hits  = goals / shots\n")
    #expect(try scene.tally("show").output == "▸ 3  goals  3/h\n  8  shots  8/h\n\n  37.5 %  hits  = goals / shots\n")
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

  @Test func `a wrong formula is refused with a mark below the place`() throws {
    let refused = try scene.tally("formula", "hits", "=", "goals / (shots - nothing")
    #expect(refused.code == 1)
    #expect(
      refused.complaint == """
        tally: org.tallymark.Counters.BadFormula: A closing bracket is missing.
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
    let next = try #require(shown["renewsAt"] as? Int64) / 1_000_000
    #expect(next > Int64(Date().timeIntervalSince1970))
    let refused = try scene.tally("set", "laps", "--period", "often")
    #expect(refused.code == 1)
    #expect(refused.complaint.contains("it is written like “daily 04:00”"))
  }
}
