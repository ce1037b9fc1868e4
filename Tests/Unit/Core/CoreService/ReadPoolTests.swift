import Foundation
import JSON
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

/// Several users who ask at the same time.
@Suite final class `Reader threads` {
  private let temporary = TemporaryFolder()
  let loop: EventLoop
  let store: CounterStore
  let pool: ReadPool

  init() throws {
    loop = try EventLoop()
    store = try CounterStore(folder: temporary.path)
    pool = try ReadPool(store.location, loop: loop)
  }

  /// A question that takes hours.
  static let endless: ReadJob.Body = { thread in
    let query = "WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n"
    let count = try thread.reader().database.integer(query)
    return EncodedObject { $0.add("count", count) }
  }
  static let short: ReadJob.Body = { thread in
    let version = try thread.reader().database.integer("PRAGMA user_version")
    return EncodedObject { $0.add("version", version) }
  }

  @Test func `those who ask little are answered beside one who asks much`() throws {
    let long = pool.run(for: 1, Self.endless) { _ in Issue.record("it ended") }
    var answered: [UInt32] = []
    for user: UInt32 in [2, 3, 2, 4, 5] { _ = pool.run(for: user, Self.short) { _ in answered.append(user) } }
    try Wait.until("all others are answered", turning: loop) { answered.count == 5 }
    #expect(answered.sorted() == [2, 2, 3, 4, 5])
    #expect(pool.threadCount <= 4)
    pool.cancel(long)
  }

  @Test func `users who ask much share the time, however much one of them asks`() throws {
    var jobs = (0..<3).map { _ in pool.run(for: 1, Self.endless) { _ in Issue.record("it ended") } }
    jobs.append(pool.run(for: 2, Self.endless) { _ in Issue.record("it ended") })
    var isAnswered = false
    _ = pool.run(for: 3, Self.short) { _ in isAnswered = true }
    try Wait.until("the third user is answered", turning: loop) { isAnswered }
    // Of the first user one job has begun.
    #expect(pool.threadCount <= 3)
    for job in jobs { pool.cancel(job) }
  }

  @Test func `one that nobody waits for any more ends, and makes room for the next of its user`() throws {
    let long = pool.run(for: 1, Self.endless) { _ in Issue.record("it ended") }
    let dropped = (0..<1000).map { _ in pool.run(for: 1, Self.short) { _ in Issue.record("it was dropped") } }
    var isAnswered = false
    _ = pool.run(for: 1, Self.short) { _ in isAnswered = true }
    for job in dropped + [long] { pool.cancel(job) }
    try Wait.until("the next one is answered", turning: loop) { isAnswered }
    #expect(pool.threadCount == 1)
  }

  @Test func `none begins while snapshots have to end, and all go on after that`() throws {
    let long = pool.run(for: 1, Self.endless) { _ in Issue.record("it ended") }
    var seen: [String] = []
    pool.drain { seen.append("drained") }
    _ = pool.run(for: 2, Self.short) { _ in seen.append("answered") }
    for _ in 0..<10 { _ = try loop.runOnce(waiting: 5_000) }
    #expect(seen == [])
    pool.cancel(long)
    try Wait.until("the other one is answered", turning: loop) { seen.count == 2 }
    #expect(seen == ["drained", "answered"])
  }

  @Test func `threads end when nothing was asked for a while`() throws {
    let pool = try ReadPool(store.location, loop: loop, patience: 20_000_000)
    var isAnswered = false
    _ = pool.run(for: 1, Self.short) { _ in isAnswered = true }
    try Wait.until("it is answered", turning: loop) { isAnswered }
    try Wait.until("the thread has ended") { pool.threadCount == 0 }
    isAnswered = false
    _ = pool.run(for: 1, Self.short) { _ in isAnswered = true }
    try Wait.until("another one answers", turning: loop) { isAnswered }
  }

  @Test func `the pool ends while they work`() throws {
    for user: UInt32 in 0..<8 { _ = pool.run(for: user, Self.endless) { _ in Issue.record("it ended") } }
    for _ in 0..<5 { _ = try loop.runOnce(waiting: 5_000) }
    pool.end()
    try Wait.until("the threads have ended") { pool.threadCount == 0 }
  }

  @Test func `a reader does not keep the write-ahead log growing`() throws {
    let reader = try JournalReader(store.location)
    reader.onProgress { true }
    try reader.beginSnapshot()
    #expect(try reader.lastSequence() == 0)
    #expect(throws: StoreError.self) { try reader.database.execute("DELETE FROM event") }
    reader.endSnapshot()
    #expect(!reader.database.isInTransaction)
  }
}
