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
    #expect(try scene.tally("correct", "degrees", "-3").output == "-3 degrees (corrected −3)\n")
    #expect(try scene.tally("correct", "degrees", "-5", "--json").output.contains(#""value":-5"#))
    #expect(try scene.tally("correct", "degrees", "--", "-7").output == "-7 degrees (corrected −2)\n")
    #expect(try scene.tally("add", "degrees", "-3").complaint.contains("-3 is not an amount"))
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
    #expect(try run("printf 'people\\n' | tally guide").output.contains("Made “people”."))
    let told = try run("printf '\\nVisitors at the door\\n\\n' | tally guide")
    #expect(told.output.contains("Made “visitors-at-the-door”."))
    #expect(try scene.tally("show", "--json").objects.last?["title"] as? String == "Visitors at the door")
    #expect(try run("printf 'Cars 🚗!\\nautos\\n' | tally guide").output.contains("Made “autos”."))
    #expect(try run("printf 'people\\n' | tally guide").complaint.contains("already a counter"))
    #expect(try run("tally guide < /dev/null").code == 1)
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
    #expect(try scene.tally("history", "--group", "nobody").code == 64)
  }

  @Test func `sums over counters with other decimals are exact wherever they are shown`() throws {
    try scene.tally("group", "new", "drinks")
    try scene.tally("new", "cups", "--group", "drinks")
    try scene.tally("new", "litres", "--decimals", "2", "--group", "drinks")
    try scene.tally("add", "cups", "3")
    try scene.tally("add", "litres", "0.25")
    #expect(try scene.tally("totals").output.contains("3.25 in all."))
    #expect(try scene.tally("totals", "cups").output.contains("\n3 in all."))
    #expect(try scene.tally("show").output.contains("Σ 3.25"))
    #expect(try scene.tally("group", "drinks").output.contains("3.25  together"))
    #expect(try scene.tally("plot", "cups", "litres", "-o", "-").output.contains(">cups 3.00<"))
    try scene.tally("new", "anna", "--stopwatch")
    #expect(try scene.tally("plot", "cups", "anna", "-o", "-").code == 64)
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
