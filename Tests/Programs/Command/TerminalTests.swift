import Foundation
import JSON
import TestKit
import Testing
import Varlink

/// What only happens on a terminal: keys, pages, and a display that stays.
@Suite struct `The command line on a terminal` {
  let scene: Scene

  init() throws { scene = try Scene() }

  private var tally: String { "'\(Program.path("tally"))'" }

  private func session(_ command: String, rows: Int = 24, columns: Int = 80) throws -> TerminalSession {
    var environment = scene.environment
    environment["PATH"] = "/usr/bin:/bin"
    return try TerminalSession(command, environment, rows: rows, columns: columns)
  }

  @Test func `watch stays on the screen while the core is away, and goes on with it`() throws {
    try scene.tally("new", "people")
    let watching = try session("exec \(tally) watch")
    try watching.read(until: "▸ 0  people")
    scene.stopCore()
    try watching.read(until: "Waiting until it runs again.")
    try scene.startCore()
    try scene.tally("add", "people", "7")
    try watching.read(until: "▸ 7  people")
    try watching.type("q")
    #expect(watching.end() == 0)
  }

  @Test func `watch says that the core hangs, and goes on when it answers`() throws {
    try scene.tally("new", "people")
    let watching = try session("exec \(tally) watch")
    try watching.read(until: "▸ 0  people")
    scene.freezeCore(true)
    try watching.read(until: "The core has not answered since")
    scene.freezeCore(false)
    try scene.tally("add", "people", "7")
    try watching.read(until: "▸ 7  people")
    try watching.type("q")
    #expect(watching.end() == 0)
    #expect(!watching.screen.components(separatedBy: "▸ 7  people").last!.contains("has not answered"))
  }

  @Test func `keys that are pasted into the gesture daemon count each, and none waits for another`() throws {
    try scene.tally("new", "people")
    var environment = scene.environment
    environment["XDG_RUNTIME_DIR"] = "\(scene.folder)/run"
    let daemon = try TerminalSession("exec '\(Program.path("tally-inputd"))' --terminal", environment)
    try daemon.read(until: "q quits")
    try daemon.type(" \r- \r \r")
    try Wait.until("each key is counted") { try scene.tally("report").output == "5 people\n" }
    try daemon.type("q")
    #expect(daemon.end() == 0)
  }

  @Test func `watch follows a formula that changes with time alone`() throws {
    try scene.tally("new", "round", "--stopwatch")
    try scene.tally("formula", "double", "=", "round * 2")
    try scene.tally("start", "round")
    let watching = try session("exec \(tally) watch double")
    func shown() throws -> Substring? {
      try watching.read(until: "  double").split { !$0.isNumber && $0 != "." && $0 != ":" }.last
    }
    let first = try #require(try shown())
    try Wait.until("the number has changed") { try shown() != first }
    try watching.type("q")
    #expect(watching.end() == 0)
  }

  @Test func `watch --big shows a formula, and follows it`() throws {
    try scene.tally("new", "a")
    try scene.tally("formula", "half", "=", "a / 2")
    try scene.tally("set", "half", "--title", "Half of them")
    let watching = try session("exec \(tally) watch --big half")
    try watching.read(until: "Half of them")
    try watching.read(until: "= a / 2")
    try scene.tally("formula", "half", "=", "a / 4")
    try watching.read(until: "= a / 4")
    try watching.type("q")
    #expect(watching.end() == 0)
  }

  @Test func `a reset is confirmed by the terminal that asked for it, and by no other`() throws {
    try scene.tally("new", "a")
    try scene.tally("add", "a", "5")
    let (one, other) = (try session("exec sh"), try session("exec sh"))
    func reset(_ session: TerminalSession) throws {
      try session.type("\(tally) reset a\n")
    }
    try reset(one)
    try one.read(until: "repeat the command within")
    try reset(other)
    try other.read(until: "repeat the command within")
    #expect(try scene.tally("report").output == "5 a\n")
    // A program without a terminal confirms none either.
    #expect(try scene.tally("reset", "a").output.contains("repeat the command within"))
    try reset(one)
    try one.read(until: "0 a (reset")
    #expect(try scene.tally("report").output == "0 a\n")
    for session in [one, other] {
      try session.type("exit\n")
      #expect(session.end() == 0)
    }
  }

  @Test func `watch shows what changed first where not all fits, and scrolls with keys`() throws {
    for number in 10..<40 { try scene.call("Create", ["name": .string("c\(number)")]) }
    let watching = try session("exec \(tally) watch", rows: 15)
    try watching.read(until: "… and 21 lines more: the down arrow and Page Down scroll, q quits")
    try scene.tally("add", "c35")
    try watching.read(until: "1  c35")
    try watching.read(until: "c10")
    try watching.type("\u{1B}[6~")
    try watching.read(until: "lines 10 to 18 of 30; Home: the last changes first")
    try watching.type("\u{1B}[F")
    try watching.read(until: "lines 22 to 30 of 30")
    try watching.type("\u{1B}[H")
    try watching.read(until: "… and 21 lines more")
    try watching.type("q")
    #expect(watching.end() == 0)
  }

  @Test(arguments: [40, 200]) func `the guide counts with keys, and shows presses of others as they arrive`(
    _ columns: Int
  ) throws {
    try scene.tally("new", "dogs")
    let guide = try session("exec \(tally) guide", rows: 50, columns: columns)
    try guide.read(until: "What do you count?")
    try guide.type("people\n")
    try guide.read(until: "Created “people”.")
    try guide.read(until: "tour.")
    try guide.type("  ")
    try guide.read(until: "2 people  +1")
    try scene.tally("add", "people", "5")
    try guide.read(until: "7 people  +5")
    try guide.read(until: "press u")
    try guide.type("u")
    try guide.read(until: "undid +5")
    try guide.read(until: "tally watch")
    try guide.read(until: "Enter goes on.")
    try guide.type("\n")
    try guide.read(until: "2 people")
    try guide.read(until: "Enter ends the tour.")
    try guide.type("\n")
    try guide.read(until: "tally remove people")
    try guide.read(until: "tally select dogs")
    #expect(guide.end() == 0)
    for line in guide.screen.split(whereSeparator: \.isNewline) {
      let text = line.replacing("\u{1B}[K", with: "")
      #expect(text.count <= columns, "\(text)")
    }
    // Again, with the same counter; Ctrl-C leaves what was counted, and a terminal that shows what is typed.
    let again = try session("trap : INT; \(tally) guide; stty -a")
    try again.read(until: "What do you count?")
    try again.type("people\n")
    try again.read(until: "at 2")
    try again.read(until: "ends the tour.")
    try again.type(" ")
    try again.read(until: "3 people")
    try again.type("\u{3}")
    try again.read(until: " icanon")
    #expect(again.end() == 0)
    #expect(try scene.tally("show", "people", "--json").objects.first?["value"] as? Int == 3)
  }
}
