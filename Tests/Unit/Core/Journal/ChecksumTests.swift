import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

@Suite(.seeded) struct `Checksums of a journal` {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path("state") }
  private var journal: String { "\(folder)/\(JournalFile.name)" }

  /// A journal that a core left in good order, with this many events.
  private func live(_ events: Int, then isKilled: Bool = false) throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    for index in 0..<events {
      let change: Change = ledger.isEmpty ? .create(name: "people") : .add(.current, amount: nil)
      try store.append(try ledger.perform(change, at: Int64(index), cause: Cause(producer: "test")), to: ledger)
      if index % 10 == 9 { try store.commit(ledger.head) }
    }
    try store.commit(ledger.head)
    if isKilled { store.stopWriting() }
  }

  private func value(_ folder: String) throws -> Int64? { try CounterStore(folder: folder).load().all.first?.value }

  /// Runs SQL as programs do that do not keep checksums.
  private func runElsewhere(_ sql: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.close()",
      journal, sql,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func flip(_ file: String, at offset: Int) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: file))
    try handle.seek(toOffset: UInt64(offset))
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data([byte ^ 4]))
    try handle.close()
  }

  @Test func `are in backups too, and name the place that is damaged`() throws {
    try live(300)
    let copy = temporary.path("copy")
    try JournalFile.backUp(folder, to: copy)
    #expect(try JournalFile.verify(copy) == [])
    try flip(copy, at: pageSize * 3 + 100)
    let error = #expect(throws: StoreError.self) { try JournalFile.verify(copy) }
    #expect(error?.message.hasPrefix("\(copy) is damaged at byte 3072: a checksum is wrong.") == true)
    #expect(throws: StoreError.self) { try JournalFile.restore(copy, to: temporary.path("other")) }
  }

  @Test func `are written anew after another program has added to the journal`() throws {
    try live(20)
    try runElsewhere(
      "WITH RECURSIVE n(i) AS (SELECT 21 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO event "
        + "SELECT i, i, 'added', 1, 1, i - 1, NULL, 1, 0, 0, NULL, NULL, NULL FROM n")
    #expect(try JournalFile.verify(folder).allSatisfy { !$0.contains("damaged") })
    #expect(try CounterStore(folder: folder).database.checksums == .kept)
    #expect(try value(folder) == 399)
    try flip(journal, at: pageSize * 5 + 100)
    #expect(throws: StoreError.self) { try JournalFile.verify(folder) }
  }

  @Test func `are not missed where another program has copied the log into the file`() throws {
    try live(300, then: true)
    try runElsewhere("SELECT count(*) FROM event")
    #expect(!FileManager.default.fileExists(atPath: "\(journal)-wal"))
    #expect(try JournalFile.verify(folder) == [])
    #expect(try value(folder) == 299)
  }

  @Test func `of the log are checked when it is read again`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    for _ in 0..<200 { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    let log = "\(scratch.folder)/counters.sqlite-wal"
    let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    for page in stride(from: 32 + 24, to: size, by: pageSize + 24) { try flip(log, at: page + 1000) }
    let error = #expect(throws: StoreError.self) {
      try JournalReader(scratch.store.location).search(EventFilter(), .after(0), limit: 1000)
    }
    #expect(error?.message.contains("counters.sqlite-wal is damaged at byte") == true)
  }

  @Test func `are all checked in the background`() throws {
    try live(500)
    let store = try CounterStore(folder: folder)
    var pauses = 0
    func search() throws -> StoreError? {
      try JournalReader(store.location).findDamage {
        pauses += 1
        return true
      }
    }
    #expect(try search() == nil)
    #expect(pauses > 0)
    let size = try #require(try FileManager.default.attributesOfItem(atPath: journal)[.size] as? Int)
    try flip(journal, at: size / pageSize * 3 / 4 * pageSize + 1000)
    #expect(try search()?.message.contains("To recover its data: tally repair \(folder) NEWFOLDER") == true)
    store.stopWriting()
  }

  // MARK: Logs

  @Test func `or not, a missing log is noticed`() throws {
    try live(300, then: true)
    for log in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: journal + log) }
    for attempt in [{ _ = try self.value(folder) }, { _ = try JournalFile.verify(folder) }] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.message.contains("but event 300 was confirmed: its write-ahead log is damaged or missing") == true)
    }
    #expect(truncate("\(folder)/lock", 0) == 0)
    _ = try value(folder)
  }

  @Test func `or not, a journal that was put back by hand is accepted after a core that ended in good order`() throws {
    try live(20)
    let former = try Data(contentsOf: URL(fileURLWithPath: journal))
    try live(20)
    try former.write(to: URL(fileURLWithPath: journal))
    #expect(try value(folder) == 19)
  }

  /// A power cut may leave any part of the transaction that was not synced.
  @Test func `of the last transaction in a log may be wrong, as a power cut leaves it`() throws {
    try live(300, then: true)
    try FileManager.default.removeItem(atPath: "\(folder)/lock")
    let log = "\(journal)-wal"
    let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    try flip(log, at: size - 1000)
    #expect(try value(folder) == 289)
  }

  @Test func `or not, a log that is damaged before its last transaction is refused and kept`() throws {
    try live(300, then: true)
    try FileManager.default.removeItem(atPath: "\(folder)/lock")
    let log = "\(journal)-wal"
    let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    let frame = size / (pageSize + 24) * 3 / 4
    try flip(log, at: 32 + 24 + (pageSize + 24) * frame)
    let before = try Data(contentsOf: URL(fileURLWithPath: log))
    for attempt in [{ _ = try self.value(folder) }, { _ = try JournalFile.verify(folder) }] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.message.hasPrefix("\(log) is damaged at byte \(32 + (pageSize + 24) * frame): ") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == before)
    let repair = try JournalRepair(folder, into: temporary.path("new"))
    #expect(repair.losses.contains { $0.hasPrefix("The write-ahead log is damaged") })
    #expect(try value(temporary.path("new")) ?? 0 > 0)
  }

  // MARK: Repair

  @Test func `cost no row of a damaged page that a repair does not tell of`() throws {
    try live(500)
    let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
    let (tried, doubtful) = try Rounds.untilHit(in: 1...whole.count / pageSize - 1, gap: 12) { page in
      try whole.write(to: URL(fileURLWithPath: journal))
      try flip(journal, at: page * pageSize + 1010)
      let new = temporary.path("new-\(page)")
      let losses = try JournalRepair(folder, into: new).losses
      // A wrong row number may cost all rows of its page.
      let saved = try CounterStore(folder: new).database.integer("SELECT count(*) FROM event") ?? 0
      #expect(saved >= 499 || losses.contains { $0.hasSuffix(" are missing.") }, "page \(page): \(saved)")
      return losses.contains { $0.hasPrefix("Saved from damaged pages, and perhaps wrong: ") }
    }
    // The tables of a small journal have a page each, and most of them are empty.
    #expect(doubtful > (Rounds.factor < 12 ? 0 : 3), "\(doubtful) of \(tried)")
  }
}
