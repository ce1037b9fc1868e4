import CounterStore
import Counting
import Foundation
import TestKit
import Testing

/// What root does to the journal of another user's core, which that core must be able to open afterwards.
@Suite(.enabled(if: geteuid() == 0, "only root can work on another user's journal"))
final class `A journal of another user` {
  private let temporary = TemporaryFolder()
  var base: String { temporary.path }
  let nobody: uid_t = 65534
  var folder: String { "\(base)/state" }
  var backup: String { "\(base)/root/copy.tally" }

  init() throws {
    try FileManager.default.createDirectory(atPath: "\(base)/root", withIntermediateDirectories: true)
    chmod(base, 0o755)
    // Only root can look into it.
    chmod("\(base)/root", 0o700)
    do {
      let store = try CounterStore(folder: folder)
      var ledger = try store.load()
      for event in try ledger.perform(.add(.current, amount: 7), at: 1, cause: Cause(producer: "test")) {
        try store.append(event, to: ledger)
      }
      try store.commit(ledger)
    }
    try JournalFile.backUp(folder, to: backup)
    for file in try files(folder) + [folder] { chown(file, nobody, nobody) }
  }

  func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.sorted()
  }

  /// The files that are not theirs.
  func strange(_ folder: String) throws -> [String] {
    try ([folder] + files(folder)).filter { file in
      var status = stat()
      lstat(file, &status)
      return status.st_uid != nobody || status.st_gid != nobody
    }
  }

  @Test func `is still theirs when root has put back a backup that only root can read`() throws {
    let kept = try JournalFile.restore(backup, to: folder)
    #expect(kept == "\(folder)/counters.sqlite.before-restore")
    #expect(try strange(folder) == [])
    #expect(try CounterStore(folder: folder).load().all.map(\.value) == [7])
    #expect(try strange(folder) == [])
    // Root itself again.
    #expect(FileManager.default.createFile(atPath: "\(base)/root/trial", contents: nil))
  }

  @Test func `is theirs where there was none`() throws {
    for file in try files(folder) { try FileManager.default.removeItem(atPath: file) }
    #expect(try JournalFile.restore(backup, to: folder) == nil)
    #expect(try files(folder).count == 2)
    #expect(try strange(folder) == [])
  }

  @Test func `is not restored through a link to what is not theirs`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/lock")
    try FileManager.default.removeItem(atPath: "\(folder)/counters.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/counters.sqlite", withDestinationPath: "\(base)/root/copy.tally")
    #expect(throws: StoreError.self) { try JournalFile.restore(backup, to: folder) }
    #expect(try JournalFile.verify(backup) == [])
  }

  @Test func `is repaired into a folder that is theirs as well`() throws {
    let new = "\(base)/root/new"
    do {
      let repair = try JournalRepair(folder, into: new)
      #expect(repair.losses == [])
      #expect(try strange(new) == [])
    }
    #expect(try CounterStore(folder: new).load().all.map(\.value) == [7])
  }
}
