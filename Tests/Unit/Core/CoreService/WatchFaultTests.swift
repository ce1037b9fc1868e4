import Counting
import Foundation
import JSON
import Linux
import TestKit
import Testing

@testable import CoreService

/// What watchers hear of a core whose disk fails: nothing that is lost again.
@Suite(.seeded) struct `Watching a core whose disk is full` {
  /// A core with the counter “x”, and one who watches it.
  func watched(formula: String? = nil) throws -> (LiveRun, LiveWatcher) {
    let run = try LiveRun(case: 1)
    try run.start()
    try perform(run, .create(name: "x"))
    if let formula { try perform(run, .createFormula(name: "f", [.formula: .text(formula)])) }
    run.core?.commit()
    let watcher = try LiveWatcher(run.socket)
    watcher.send("Watch", more: true)
    try run.turn()
    #expect(try watcher.read().first?["counters"]?.array?.count == 1)
    return (run, watcher)
  }

  func perform(_ run: LiveRun, _ change: Change, gesture: String = "tap") throws {
    let cause = Cause(producer: "test", device: gesture, gesture: gesture)
    _ = try run.core?.perform(Request(.change(change), time: Clock.microsecondsSince1970(), cause: cause))
  }

  /// Whoever sends many calls at once has some handled between a commit and its being told.
  @Test func `formulas are told as they were when it was committed`() throws {
    let (_, hits) = try Rounds.untilHit(in: 1...30, gap: 6) { number in
      let (run, watcher) = try watched(formula: "x + 0")
      let hasty = try LiveWatcher(run.socket)
      run.disk.fail(.full, in: number)
      hasty.send("Add", ["counter": "x"], times: 100)
      var told: [[String]] = []
      var quiet = 0
      while quiet < 10 {
        try run.turn()
        let new = try watcher.read().compactMap { reply -> [String]? in
          guard let event = reply["event"]?.object, let formula = reply["formulas"]?.array?.last?.object else {
            return nil
          }
          return [event["value"]?.int?.description ?? "", formula["value"]?.string ?? ""]
        }
        told += new
        quiet = new.isEmpty ? quiet + 1 : 0
      }
      for pair in told { #expect(pair[0] == pair[1], "call \(number)") }
      if let last = told.last { #expect(last[1] == run.value?.description, "call \(number)") }
      return !told.isEmpty && run.core?.trouble != nil
    }
    #expect(hits > 0)
  }

  /// How often the core looks whether a watcher that is behind has caught up.
  static let interval: Int64 = 100_000_000

  @Test func `who was behind is told how things stand on disk`() throws {
    let (run, watcher) = try watched()
    let label = String(repeating: "x", count: 128)
    // Nothing is read while this runs: more than the core keeps for a watcher.
    for _ in 0..<1500 {
      try perform(run, .add(.named("x"), amount: nil), gesture: label)
      run.core?.commit()
      _ = try run.loop.runOnce(waiting: 0)
    }
    var replies: [JSONObject] = []
    while true {
      let found = try watcher.read()
      replies += found
      if try !run.loop.runOnce(waiting: 0), found.isEmpty { break }
    }
    #expect(replies.count < 1500)
    // The moment has come in which the core looks whether he has caught up, and something is under way.
    run.disk.fail(.full, in: 1)
    try perform(run, .add(.named("x"), amount: nil))
    let due = Clock.boottime() + Self.interval
    try Wait.until("the core's timer is due") { Clock.boottime() > due }
    // On a slow machine the watcher may already have caught up.
    try Wait.until("the watcher is told how things stand, and the change is lost", turning: run.loop) {
      replies += try watcher.read()
      return replies.last?["resynchronise"] == true && run.value == 1500
    }
    let counter = replies.last?["counters"]?.array?.first?.object
    #expect(counter?["value"] == 1500)
    #expect(run.value == 1500)
  }
}
