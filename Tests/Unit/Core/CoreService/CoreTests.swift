import Counting
import Csqlite
import Foundation
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

@Suite final class `The core and its journal` {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  let loop: EventLoop
  let core: Core

  init() throws {
    loop = try EventLoop()
    core = try Core(store: try CounterStore(folder: temporary.path), loop: loop)
  }

  func add(_ amount: Int64 = 1) throws {
    let cause = Cause(producer: "test")
    _ = try core.perform([Request(.change(.add(.current, amount: .units(amount))), time: 1, cause: cause)])
  }

  /// What a core would find that started on a copy of the files as they are now.
  func valueAfterCrash() throws -> Int64? {
    let copy = folder + "-copy-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    return try CounterStore(folder: copy).load().all.first?.value
  }

  @Test func `nobody is answered or told before it is on disk, and all who wait are answered by one commit`() throws {
    var seen: [String] = []
    core.onEvents = { events in seen.append("told of \(events.count)") }
    for amount in [1, 2, 4] {
      try add(Int64(amount))
      core.whenDurable { _ in seen.append("answered") }
    }
    #expect(seen == [])
    #expect(try valueAfterCrash() == nil)
    core.whenDurable { [self] _ in seen.append("\((try? valueAfterCrash()) ?? -1) on disk") }
    while try loop.runOnce(waiting: 0) {}
    // The first gesture made its counter: four events.
    #expect(seen == ["told of 4", "answered", "answered", "answered", "7 on disk"])
  }

  @Test func `who asks while nothing is under way is answered at once`() {
    var isAnswered = false
    core.whenDurable { _ in isAnswered = true }
    #expect(isAnswered)
  }

  @Test func `a flood is committed without waiting for its end`() throws {
    var answered = 0
    for _ in 0..<1500 {
      try add()
      core.whenDurable { _ in answered += 1 }
    }
    #expect(answered == 1024)
  }

  @Test func `a late count belongs to its ended period, also in the transaction that made its counter`() throws {
    let (steady, cause) = (SteadyPeriod(), Cause(producer: "test"))
    func perform(_ change: Change, at time: Int64) throws {
      _ = try core.perform([Request(.change(change), time: time, cause: cause)])
    }
    try perform(.create(name: "a", [.period: .text(steady.hourly)]), at: Clock.microsecondsSince1970())
    for _ in 1...2 {
      try perform(.add(.named("a"), amount: .units(4)), at: steady.hour - 3 * 3_600_000_000)
      #expect(core.ledger.all.map(\.value) == [0])
      core.commit()
    }
  }

  @Test func `another program reads the journal of a running core, and cannot write to it`() throws {
    try add(5)
    core.commit()
    var other: OpaquePointer?
    #expect(sqlite3_open("\(folder)/counters.sqlite", &other) == SQLITE_OK)
    defer { sqlite3_close(other) }
    #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_BUSY)
    #expect(sqlite3_exec(other, "SELECT count(*) FROM event", nil, nil, nil) == SQLITE_OK)
    try add()
    core.commit()
    #expect(try valueAfterCrash() == 6)
  }
}
