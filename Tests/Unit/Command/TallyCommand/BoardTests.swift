import CoreAPI
import JSON
import Linux
import TestKit
import Testing

@testable import TallyCommand

@Suite struct BoardTests {
  private func counter(_ name: String, _ id: Int64, _ members: JSONObject = [:]) -> JSON {
    var object: JSONObject = ["name": .string(name), "title": .string(name), "value": 1, "id": .int(id)]
    for (key, value) in members { object[key] = value }
    return .object(object)
  }

  private func event(_ name: String, _ members: JSONObject = [:]) -> JSON {
    var object: JSONObject = ["sequence": 9, "kind": "added", "counter": .string(name), "change": 1, "value": 2]
    for (key, value) in members { object[key] = value }
    return .object(object)
  }

  /// A board that has been told all that it misses.
  private func board(_ counters: [JSON], _ formulas: [JSON] = [], watchesAll: Bool = true) -> Board {
    var board = Board(watchesAll: watchesAll)
    board.take(.init(["counters": .array(counters), "formulas": .array(formulas)]), at: 0)
    answer(&board, counters, formulas)
    return board
  }

  private func answer(_ board: inout Board, _ counters: [JSON], _ formulas: [JSON] = []) {
    #expect(board.missing == .definitions)
    board.set(.init(["counters": .array(counters), "formulas": .array(formulas)]), [], at: 0)
    #expect(board.missing == .lastHour)
    board.set(lastHour: [:])
    #expect(board.missing == .nothing)
  }

  private func lines(_ board: Board, at now: Int64 = 0) -> [String] { board.lines(columns: 80, rows: 24, at: now) }

  @Test func `a count misses the sums of the last hour only, and the end of its flash nothing`() {
    var board = board([counter("a", 1)])
    for value: Int64 in 2...5 {
      board.take(.init(["event": event("a"), "counter": counter("a", 1, ["value": .int(value)])]), at: 1000)
    }
    #expect(board.missing == .lastHour)
    board.set(lastHour: ["a": 4])
    #expect(lines(board).first == "  5  a  4 in the last hour")
    let ended = [400_000_000, 400_001_001, 800_000_000].map { board.endFlash(at: $0) }
    #expect(ended == [false, true, false])
    #expect(board.missing == .nothing)
  }

  @Test(
    arguments: [
      ["event": ["kind": "created", "counter": "b", "change": 0, "value": 0], "counter": ["name": "b", "id": 2]],
      ["event": ["kind": "removed", "counter": "a", "change": 0, "value": 0]],
      [
        "event": ["kind": "changed", "counter": "a", "alterations": [["field": "group", "after": "kids"]]],
        "counter": ["name": "a", "id": 1],
      ],
      ["event": ["kind": "created", "counter": "", "group": "kids"]],
      ["formulas": [["name": "twice", "id": 7]]],
    ] as [JSONObject])
  func `what changes definitions makes the board ask for them`(reply: JSONObject) {
    var board = board([counter("a", 1)])
    board.take(.init(reply), at: 0)
    #expect(board.missing == .definitions)
  }

  @Test(arguments: 1...7) func `the smallest terminal shows the counter that changed last`(rows: Int) {
    var board = board((1...10).map { counter("c\($0)", Int64($0)) })
    for value: Int64 in 1...5 {
      board.take(.init(["event": event("c7"), "counter": counter("c7", 7, ["value": .int(value)])]), at: 0)
    }
    let first = board.lines(columns: 80, rows: rows, at: 0, canScroll: true)
    #expect(first.first == "  5  c7", "\(first)")
    // One more line would scroll the first one away.
    #expect(first.count <= max(1, rows - 1), "\(first)")
    for key in [TerminalKey.down, .down] { board.scroll(key, columns: 80, rows: rows) }
    #expect(board.lines(columns: 80, rows: rows, at: 0, canScroll: true).first == "  1  c2")
    board.scroll(.end, columns: 80, rows: rows)
    #expect(board.lines(columns: 80, rows: rows, at: 0, canScroll: true).contains("  1  c10"))
  }

  @Test func `an archived formula is not on the board`() {
    func formula(_ name: String, _ members: JSONObject = [:]) -> JSON {
      var object: JSONObject = ["name": .string(name), "id": 7, "formula": "a", "text": "2"]
      for (key, value) in members { object[key] = value }
      return .object(object)
    }
    let board = board([counter("a", 1)], [formula("twice"), formula("hidden", ["archived": true])])
    #expect(lines(board).contains { $0.contains("twice") })
    #expect(!lines(board).contains { $0.contains("hidden") })
  }

  @Test func `formulas follow the stream`() {
    let twice: JSONObject = ["name": "twice", "title": "twice", "id": 7, "formula": "a * 2", "text": "2"]
    var board = board([counter("a", 1)], [.object(twice)])
    #expect(lines(board).contains("  2  twice  = a * 2"))
    var changed = twice
    changed["text"] = "4"
    board.take(.init(["formulas": [.object(changed)]]), at: 0)
    #expect(board.missing == .nothing)
    #expect(lines(board).contains("  4  twice  = a * 2"))
  }

  @Test func `a running stopwatch advances without a question`() {
    let running = counter("anna", 1, ["kind": "stopwatch", "value": 0, "elapsed": 60_000_000, "since": 5])
    let board = board([running, counter("ben", 2, ["kind": "stopwatch", "elapsed": 1_000_000])])
    #expect(board.isRunning && !board.hasFormulas)
    #expect(lines(board, at: 2_500_000_000).prefix(2) == ["  1:02.50  anna (running)", "  0:01.00  ben"])
  }

  @Test func `a watched counter stays when it is renamed, and others stay away`() {
    var board = board([counter("a", 1)], watchesAll: false)
    #expect(board.names == ["a"])
    board.take(.init(["event": event("z", ["alterations": [["field": "name"]]]), "counter": counter("z", 1)]), at: 0)
    answer(&board, [counter("z", 1), counter("other", 2)])
    #expect(board.names == ["z"])
    #expect(lines(board).first == "  1  z")
  }

  @Test func `the current counter is marked`() {
    var board = board([counter("a", 1, ["current": true]), counter("b", 2)])
    board.take(.init(["event": event("b"), "counter": counter("b", 2), "current": "b"]), at: 0)
    #expect(lines(board).prefix(2) == ["  1  a", "▸ 1  b"])
  }

  @Test func `without counters it says how one is made`() {
    #expect(lines(board([])).first == "There is no counter yet; the first gesture creates one.")
  }

  @Test func `where not all fits, what changed last comes first, and keys show the rest in order`() {
    var board = board((0..<14).map { counter("c\($0)", Int64($0), ["group": "team"]) })
    for name in ["c12", "c11", "c12"] {
      board.take(.init(["event": event(name), "counter": counter(name, 1, ["group": "team"])]), at: 0)
    }
    func shown() -> [String] { board.lines(columns: 80, rows: 15, at: 0, canScroll: true) }
    #expect(shown().prefix(3) == ["  1  c12", "  1  c11", "  1  c0"])
    #expect(shown()[9] == "… and 5 lines more: the down arrow and Page Down scroll, q quits")
    board.scroll(.down, columns: 80, rows: 15)
    #expect(shown().prefix(2) == ["  1  c0", "  1  c1"])
    board.scroll(.down, columns: 80, rows: 15)
    #expect(shown()[0] == "  1  c1" && shown()[9] == "lines 2 to 10 of 14; Home: the last changes first")
    board.scroll(.end, columns: 80, rows: 15)
    #expect(shown()[8] == "  1  c13")
    for _ in 0..<2 { board.scroll(.pageUp, columns: 80, rows: 15) }
    #expect(shown()[0] == "  1  c0")
    board.scroll(.home, columns: 80, rows: 15)
    #expect(shown()[0] == "  1  c12")
    // All fit on a larger screen.
    #expect(board.lines(columns: 80, rows: 60, at: 0)[0] == "  1  c0")
  }

  @Test func `a notice is the last line`() {
    var board = board([counter("a", 1)])
    board.notice = "The core is away."
    #expect(lines(board).last == "The core is away.")
  }

  @Test(arguments: [1, 6, 10, 24, 50]) func `it never has more lines than the screen, but for three events`(rows: Int) {
    var board = board((0..<20).map { counter("c\($0)", Int64($0)) })
    for _ in 0..<20 { board.take(.init(["event": event("c1"), "counter": counter("c1", 1)]), at: 0) }
    #expect(board.lines(columns: 80, rows: rows, at: 0).count <= max(5, rows - 1))
  }
}
