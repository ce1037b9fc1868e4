import Foundation
import TestKit
import Testing

@Suite struct `The past on the command line` {
  let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.tally("new", "people", "--title", "People at the door")
    try scene.tally("new", "dogs")
    for _ in 0..<3 { try scene.tally("add", "people", "4") }
    try scene.tally("add", "dogs")
    try scene.tally("undo")
  }

  @Test func `the history is asked for by counters and causes`() throws {
    #expect(try scene.tally("history", "people", "dogs", "--producer", "tally", "--json").objects.count == 7)
    #expect(try scene.tally("history", "dogs", "--from", "yesterday", "--json").objects.count == 3)
    #expect(try scene.tally("history", "--until", "2020-01-01").output == "")
    #expect(try scene.tally("history", "--device", "pedal").output == "")
    #expect(try scene.tally("history", "--from", "25:99").code == 64)
  }

  @Test func `totals leave out what was undone, and say what stands out`() throws {
    let steps = try scene.tally("totals", "people", "dogs", "--by", "day", "--json").objects
    // A day may end between two of the counts. The last line is about all days.
    #expect(steps.dropLast().compactMap { $0["added"] as? Int }.reduce(0, +) == 12)
    #expect(steps.dropLast().compactMap { $0["counts"] as? Int }.reduce(0, +) == 3)
    let text = try scene.tally("totals", "people").output
    #expect(text.contains("12 in all"))
    #expect(text.contains("Busiest hour: 12 from "))
    #expect(try scene.tally("totals", "--by", "month", "--from", "2020-01-01").lines.count >= 13)
  }

  @Test func `a value at a past moment is shown, and none before the counter was made`() throws {
    #expect(try scene.tally("show", "people", "--at", "now").lines.last == "12  people")
    #expect(try scene.tally("show", "people", "--at", "2020-01-01").lines.last == "–  people")
  }

  @Test func `what was counted is drawn in the terminal and as a picture`() throws {
    let plot = try scene.tally("history", "people", "--plot").output
    #expect(plot.contains("█"))
    // A minute may end between two of the counts, and the highest bar is lower then.
    #expect(plot.contains(" ┤"))
    #expect(plot.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let path = "\(scene.folder)/people.svg"
    #expect(try scene.tally("plot", "people", "--title", "A & B", "-o", path).code == 0)
    let picture = try String(contentsOfFile: path, encoding: .utf8)
    #expect(picture.contains("<title>A &amp; B</title>"))
    #expect(picture.contains("prefers-color-scheme: dark"))
    #expect(try scene.tally("plot", "people", "-o", "/dev/null/x.svg").code == 74)
  }

  @Test func `a name or a verb that was mistyped gets the nearest one offered`() throws {
    #expect(try scene.tally("add", "peple").complaint.hasSuffix("Did you mean “people”?\n"))
    let verb = try scene.tally("hsitory")
    #expect(verb.code == 64)
    #expect(verb.complaint.contains("Did you mean “tally history”?"))
  }

  @Test(arguments: [40, 80]) func `all counters fit the terminal, wide letters too`(_ width: Int) throws {
    try scene.tally("new", "犬", "--title", String(repeating: "犬と猫", count: 30))
    var environment = scene.environment
    environment["COLUMNS"] = "\(width)"
    let shown = try Program.run("tally", [], environment)
    for line in shown.lines {
      let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2e80 ? 2 : 1) }
      #expect(columns <= width, "\(line)")
    }
    #expect(shown.output.contains("犬と") == (width >= 60))
  }
}
