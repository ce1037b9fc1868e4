import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

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
      try store.commit(ledger.head)
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

  // MARK: Led astray

  /// A rollback journal of `file` with nothing to roll back, which has SQLite delete the file `victim`.
  func makeHotJournal(of file: String, deleting victim: String) throws {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    func big(_ number: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    // No records, the first checksum, the pages of the file before, and the sizes of a sector and of a page.
    var journal = magic + big(0) + big(0) + big(UInt32(size / pageSize)) + big(512) + big(UInt32(pageSize))
    journal += Array(repeating: 0, count: 512 - journal.count)
    let name = Array(victim.utf8)
    journal += big(UInt32(0x4000_0000 / pageSize + 1)) + name + big(UInt32(name.count))
    journal += big(name.reduce(0) { $0 &+ UInt32($1) }) + magic
    try Data(journal).write(to: URL(fileURLWithPath: "\(file)-journal"))
    chown("\(file)-journal", nobody, nobody)
  }

  @Test(arguments: [false, true]) func `deletes no file of root that its rollback journal names`(
    _ isTheirs: Bool
  ) throws {
    let victim = isTheirs ? "\(folder)/victim" : "\(base)/root/victim"
    let theirs = "\(folder)/counters.sqlite"
    let file = "\(base)/their.tally"
    try FileManager.default.copyItem(atPath: backup, toPath: file)
    chown(file, nobody, nobody)
    for file in [theirs, file] {
      try Data("not a journal".utf8).write(to: URL(fileURLWithPath: victim))
      if isTheirs { chown(victim, nobody, nobody) }
      try makeHotJournal(of: file, deleting: victim)
      if file == theirs {
        _ = try? JournalFile.verify(folder)
        _ = try? JournalFile.verify(theirs)
        _ = try? JournalFile.backUp(folder, to: "\(base)/root/second.tally")
      } else {
        _ = try? JournalFile.verify(file)
        _ = try? JournalFile.restore(file, to: folder)
      }
      // What they may delete themselves shows that the rollback journal works.
      #expect(FileManager.default.fileExists(atPath: victim) == !(isTheirs && file == theirs))
    }
  }

  /// Tries everything that reads or replaces the journal in `folder`; returns the refusals.
  func tryAll(_ folder: String) -> [String] {
    let second = "\(base)/root/second.tally"
    let attempts: [() throws -> Void] = [
      { _ = try JournalFile.verify(folder) },
      { _ = try JournalFile.verify("\(folder)/counters.sqlite") },
      { try JournalFile.backUp(folder, to: second) },
      { _ = try JournalFile.restore(self.backup, to: folder) },
      { _ = try JournalRepair(folder, into: "\(self.base)/root/new") },
    ]
    return attempts.map { attempt in
      do {
        try attempt()
        return ""
      } catch {
        return (error as? StoreError)?.message ?? "\(error)"
      }
    }
  }

  @Test(arguments: [0o777, 0o1777]) func `is not used by root in a folder of root that they may write to`(
    _ mode: Int
  ) throws {
    let (victim, open) = ("\(base)/root/victim", "\(base)/open")
    try Data("not a journal".utf8).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: backup, toPath: "\(open)/counters.sqlite")
    chmod(open, mode_t(mode))
    try makeHotJournal(of: "\(open)/counters.sqlite", deleting: victim)
    let link = "\(base)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: open)
    for folder in [open, link] {
      for refusal in tryAll(folder) { #expect(refusal.hasPrefix("\(open) can be written by other users")) }
    }
    #expect(FileManager.default.fileExists(atPath: victim))
    #expect(try FileManager.default.contentsOfDirectory(atPath: open).count == 2)
  }

  @Test func `behind a link of theirs is used with their rights`() throws {
    let link = "\(base)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(base)/root")
    lchown(link, nobody, nobody)
    try FileManager.default.copyItem(atPath: backup, toPath: "\(base)/root/counters.sqlite")
    #expect(try JournalFile.verify("\(base)/root") == [])
    let before = try FileManager.default.contentsOfDirectory(atPath: "\(base)/root").sorted()
    for refusal in tryAll(link) { #expect(!refusal.isEmpty) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(base)/root").sorted() == before)
  }

  @Test func `that is a link of theirs gives them nothing of root's`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/counters.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/counters.sqlite", withDestinationPath: "\(base)/root/copy.tally")
    for refusal in tryAll(folder) { #expect(!refusal.isEmpty) }
    #expect(!FileManager.default.fileExists(atPath: "\(base)/root/new"))
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["-wal", "-shm", "-journal"])
  func `with a FIFO beside it is refused at once`(_ end: String) throws {
    let fifo = "\(folder)/counters.sqlite\(end)"
    #expect(mkfifo(fifo, 0o600) == 0)
    chown(fifo, nobody, nobody)
    for refusal in tryAll(folder).dropLast() { #expect(refusal == "\(fifo) is not a regular file. It was not opened.") }
  }

  @Test func `is repaired in a folder of theirs with their rights, so that no link leads root away`() throws {
    let home = "\(base)/home"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    chown(home, nobody, nobody)
    _ = try JournalRepair(folder, into: "\(home)/new")
    #expect(try strange("\(home)/new") == [])
    // The new folder is behind a link to one of root's.
    try FileManager.default.createSymbolicLink(atPath: "\(home)/link", withDestinationPath: "\(base)/root")
    lchown("\(home)/link", nobody, nobody)
    #expect(throws: StoreError.self) { try JournalRepair(folder, into: "\(home)/link/new") }
    // A folder of root's that is repaired into theirs would be read by them.
    chown(folder, 0, 0)
    #expect(throws: StoreError.self) { try JournalRepair(folder, into: "\(home)/other") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(base)/root") == ["copy.tally"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == ["link", "new"])
  }

  @Test func `has a lock that is theirs after a repair`() throws {
    try FileManager.default.removeItem(atPath: "\(folder)/lock")
    _ = try JournalRepair(folder, into: "\(base)/root/new")
    #expect(try strange(folder) == [])
  }

  @Test func `is not backed up through a link of theirs`() throws {
    let link = "\(base)/backups"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(base)/root")
    lchown(link, nobody, nobody)
    #expect(throws: StoreError.self) { try JournalFile.backUp(folder, to: "\(link)/second.tally") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(base)/root") == ["copy.tally"])
  }
}

/// Backups that are more, or less, than a file.
@Suite struct `A backup that is no plain file` {
  private let scratch: Scratch
  private let temporary = TemporaryFolder()

  init() throws {
    scratch = try Scratch()
    try scratch.perform(.create(name: "a"))
    try scratch.settle()
  }

  private func refusal(_ path: String) -> String {
    do {
      return try JournalFile.verify(path).description
    } catch {
      return error.message
    }
  }

  @Test func `is refused at once if it is a FIFO, a folder or a device`() {
    let fifo = temporary.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(refusal(fifo) == "\(fifo) is not a file.")
    #expect(refusal(temporary.path) == "\(temporary.path) is not a file.")
    #expect(refusal("/dev/null") == "/dev/null is not a file.")
  }

  @Test(arguments: ["-wal", "-journal"]) func `is refused with a log, without which it is not complete`(
    _ log: String
  ) throws {
    let copy = temporary.path("copy")
    try JournalFile.backUp(scratch.folder, to: copy)
    #expect(refusal(copy) == "[]")
    try Data("log".utf8).write(to: URL(fileURLWithPath: copy + log))
    #expect(refusal(copy).hasPrefix("\(copy) is not complete without \(copy)\(log). Put both"))
  }

  @Test func `is a single file, which any SQLite can read`() throws {
    let copy = temporary.path("copy")
    try JournalFile.backUp(scratch.folder, to: copy)
    let database = try Database(path: copy)
    #expect(try database.text("PRAGMA journal_mode") == "delete")
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.integer("SELECT count(*) FROM event") == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["copy"])
  }

  @Test(arguments: [false, true]) func `is no journal for a second core`(_ isHardLink: Bool) throws {
    let other = temporary.path("counters.sqlite")
    let journal = "\(scratch.folder)/counters.sqlite"
    #expect((isHardLink ? link(journal, other) : symlink(journal, other)) == 0)
    let error = #expect(throws: StoreError.self) { try CounterStore(folder: temporary.path) }
    #expect(error?.message.contains("Another tallyd could use the same file unnoticed") == true)
  }
}
