import Counting
import Foundation
import JSON
import Journal
import TestKit
import Testing

/// A clock that was ahead while a period began, and is right again.
@Suite struct `A clock that was ahead` {
  static let month: Int64 = 40 * 86_400_000_000
  let core: TestCore
  let client: TestClient

  /// A day with 5, closed by the wrong clock, and 2 that it counted for the next one.
  init() throws {
    core = try TestCore()
    core.stop()
    let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
    do {
      let store = try CounterStore(folder: core.folder)
      var ledger = try store.load()
      func perform(_ change: Change, _ time: Int64) throws {
        for event in try ledger.perform(change, at: time, cause: Cause(producer: "test")) {
          try store.append(event, to: ledger)
        }
      }
      try perform(.create(name: "x", [.period: .text(SteadyPeriod().daily)]), now)
      try perform(.add(.named("x"), amount: 5), now)
      while let id = ledger.renewals(until: now + Self.month).first { try perform(.renew(id), now + Self.month) }
      try perform(.add(.named("x"), amount: 2), now + Self.month)
      try store.commit(ledger.head)
    }
    core.start()
    client = try core.client()
  }

  private var days: Int64 {
    get throws {
      let counter = try client.call("Get", ["counter": "x"])["counter"]?.object
      let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
      #expect(counter?["began"]?.int.map { $0 <= now } == true)
      return try #require(counter?["renewsAt"]?.int) / 86_400_000_000 - now / 86_400_000_000
    }
  }

  @Test func `hides no count until that date, and a day ends when it does`() throws {
    #expect(try days <= 1)
    try client.change("Add", ["counter": "x", "amount": 3])
    #expect(try client.value("x") == 5)
    #expect(try Array(client.history().suffix(2)) == ["changed x 2", "added x 5"])
    // Nobody can take back what the clock did, only what people did.
    try client.change("Undo")
    try client.change("Undo", ["counter": "x"])
    #expect(try client.value("x") == 0)
    core.restart()
    #expect(try core.client().history().filter { $0.hasPrefix("changed") }.count == 1)
  }

  @Test(arguments: [false, true])
  func `lets no undo take a count of an ended period from the present one`(_ isRestarted: Bool) throws {
    defer { core.stop() }
    try client.change("Add", ["counter": "x", "amount": 3])
    if isRestarted { core.restart() }
    let client = try core.client()
    // The 3, the 2 of the clock that was ahead, and the 5 of the day that this clock ended.
    for value: Int64 in [2, 0, 0] {
      try client.change("Undo")
      #expect(try client.value("x") == value)
    }
  }

  @Test func `takes nothing for good: the end of the period that it caused is undone by its number`() throws {
    let ends =
      try client.call("History", ["counters": ["x"]])["events"]?.array?.compactMap(\.object)
      .filter { $0["kind"] == "renewed" && $0["change"] != 0 } ?? []
    let end = try #require(ends.first?["sequence"]?.int)
    #expect(ends.count == 1)
    let undone = try client.call("Undo", ["sequence": .int(end)])["event"]?.object
    #expect(undone?["change"] == 5 && undone?["value"] == 7)
    let again = refusal("message") { try client.call("Undo", ["sequence": .int(end)]) }
    #expect(again?.contains("has undone it already") == true)
    #expect(try days <= 1)
    // The memory of what the clock did needs no core that runs on.
    core.restart()
    let next = try core.client()
    #expect(try next.value("x") == 7)
    try next.change("Redo", ["counter": "x"])
    #expect(try next.value("x") == 2)
  }

  @Test func `is noticed while the core runs, too`() throws {
    try client.call("Open", ["producer": "pedal"])
    let later = Int64(Date().timeIntervalSince1970 * 1_000_000) + Self.month
    let reset: JSON = .object(["verb": "reset", "counter": "x", "time": .int(later)])
    try client.call(
      "Deliver", ["producer": "pedal", "epoch": 1, "sequence": 1, "changes": .array([reset, reset])])
    try client.change("Add", ["counter": "x", "amount": 3])
    #expect(try client.value("x") == 3)
    #expect(try days <= 1)
  }
}
