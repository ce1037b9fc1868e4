import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

@Suite final class `Putting back a backup` {
  private let temporary = TemporaryFolder()
  var base: String { temporary.path }
  var folder: String { "\(base)/state" }
  var journal: String { "\(folder)/counters.sqlite" }
  var backup: String { "\(base)/copy.tally" }

  /// A backup with 7, and a journal that has gone on to 10.
  init() throws {
    try add(7)
    try JournalFile.backUp(folder, to: backup)
    try add(3)
  }

  func add(_ amount: Quantity, abandoning: Bool = false) throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    for event in try ledger.perform(.add(.current, amount: amount), at: 1, cause: Cause(producer: "test")) {
      try store.append(event, to: ledger)
    }
    try store.commit(ledger.head)
    if abandoning { store.stopWriting() }
  }

  var values: [Int64] { get throws { try CounterStore(folder: folder).load().all.map(\.value) } }

  func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  @Test func `leaves the journal where it is until the other one takes its place`() throws {
    #expect(throws: StoreError.self) { try JournalFile.put("\(folder)/gone", inPlaceOf: journal) }
    #expect(try values == [10])
    #expect(try files() == ["counters.sqlite", "lock"])
    #expect(try JournalFile.restore(backup, to: folder) == "\(journal).before-restore")
    #expect(try values == [7])
    #expect(try JournalFile.restore("\(journal).before-restore", to: folder) == "\(journal).before-restore.1")
    #expect(try values == [10])
  }

  @Test func `that is cut off leaves a journal that can be used`() throws {
    try FileManager.default.linkItem(atPath: journal, toPath: "\(base)/elsewhere")
    let refused = #expect(throws: StoreError.self) { try values }
    #expect(refused?.message.contains("has 2 names") == true)
    try FileManager.default.moveItem(atPath: "\(base)/elsewhere", toPath: "\(journal).before-restore.1")
    #expect(try values == [10])
    #expect(try files() == ["counters.sqlite", "lock"])
  }

  @Test func `is for the owner of the backup alone, and never in the place of another file`() throws {
    var status = stat()
    #expect(stat(backup, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: StoreError.self) { try JournalFile.backUp(folder, to: backup) }
    #expect(try JournalFile.verify(backup) == [])
  }

  @Test func `replaces a journal that is damaged, which is what backups are for`() throws {
    try Data(repeating: 37, count: 8192).write(to: URL(fileURLWithPath: journal))
    #expect(throws: StoreError.self) { try values }
    #expect(try JournalFile.restore(backup, to: folder) == "\(journal).before-restore")
    #expect(try values == [7])
  }

  @Test func `leaves no log that has yet to be rolled back, wherever it is cut off`() throws {
    try add(1, abandoning: true)
    #expect(try JournalFile.restore(backup, to: folder) == "\(journal).before-restore")
    #expect(StateFolder.lastConfirmed(in: folder) == nil)
    #expect(try !files().contains { $0.hasSuffix("-journal") })
    // The former file is still one with a write-ahead log, which no rollback journal can block.
    let header = try Data(contentsOf: URL(fileURLWithPath: "\(journal).before-restore")).prefix(20)
    #expect(header.suffix(2) == Data([2, 2]))
    #expect(try values == [7])
  }

  @Test func `takes no log of a journal that is gone for its own`() throws {
    // As a core leaves it that is killed.
    try add(1, abandoning: true)
    #expect(try files().contains("counters.sqlite-wal"))
    try FileManager.default.removeItem(atPath: journal)
    #expect(try JournalFile.restore(backup, to: folder) == nil)
    #expect(try values == [7])
    #expect(try files().contains("counters.sqlite.before-restore-wal"))
  }
}
