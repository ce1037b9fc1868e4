import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

@Suite struct `Files that are in use` {
  let temporary = TemporaryFolder()
  var folder: String { "\(temporary.path)/state" }
  var file: String { "\(folder)/a" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b"] { #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)) }
  }

  @Test(arguments: [(0o777, true), (0o770, true), (0o755, false), (0o700, false)])
  func `can be replaced by others if their folder is open to them`(_ mode: Int, _ isOpen: Bool) throws {
    #expect(chmod(folder, mode_t(mode)) == 0)
    #expect(try CounterStore(folder: folder).isOpenToOthers == isOpen)
  }

  @Test func `take no count that is refused because they were moved`() throws {
    let place = "\(folder)/\(JournalFile.name)"
    do {
      let store = try CounterStore(folder: folder)
      var ledger = try store.load()
      func count() throws {
        for event in try ledger.perform(.add(.current, amount: nil), at: 1, cause: Cause(producer: "test")) {
          try store.append(event, to: ledger)
        }
        try store.commit(ledger.head)
        ledger.clearUndoLog()
      }
      try count()
      try FileManager.default.moveItem(atPath: place, toPath: "\(temporary.path)/moved")
      #expect(throws: StoreError.self) { try count() }
      store.rollback()
      store.stopWriting()
    }
    try FileManager.default.moveItem(atPath: "\(temporary.path)/moved", toPath: place)
    #expect(try CounterStore(folder: folder).load().all.map(\.value) == [1])
  }

  /// With a folder that has just changed, and with one that changed so long ago that only the folder is asked for.
  @Test(arguments: [0, 10])
  func `are missed when they are deleted, moved or replaced, at once or later`(_ seconds: Int) throws {
    let later = time(nil) + seconds
    var presence = FileIdentity(of: ["a", "b", "c"], in: folder)
    for _ in 0..<2 { #expect(presence.lost(at: later) == nil) }
    // A file beside them is nobody's loss.
    #expect(FileManager.default.createFile(atPath: "\(folder)/c", contents: nil))
    for _ in 0..<2 { #expect(presence.lost(at: later) == nil) }
    try FileManager.default.moveItem(atPath: file, toPath: "\(folder)/other")
    for _ in 0..<2 { #expect(presence.lost(at: later) == file) }
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    for _ in 0..<2 { #expect(presence.lost(at: later) == file) }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: "\(folder)/other", toPath: file)
    for _ in 0..<2 { #expect(presence.lost(at: later) == nil) }
    try FileManager.default.moveItem(atPath: folder, toPath: "\(temporary.path)/elsewhere")
    #expect(presence.lost(at: later) == file)
    try FileManager.default.moveItem(atPath: "\(temporary.path)/elsewhere", toPath: folder)
    #expect(presence.lost(at: later) == nil)
  }

  @Test func `are looked for after a change of a watched folder, and once a second`() throws {
    var presence = FileIdentity(of: ["a"], in: folder)
    presence.isWatched = true
    #expect(presence.lost(at: 100) == nil)
    try FileManager.default.removeItem(atPath: file)
    #expect(presence.lost(at: 100) == nil)
    #expect(presence.lost(at: 101) == file)
    #expect(presence.lost(at: 101) == file)
    #expect(FileManager.default.createFile(atPath: "\(folder)/c", contents: nil))
    presence = FileIdentity(of: ["c"], in: folder)
    presence.isWatched = true
    #expect(presence.lost(at: 100) == nil)
    try FileManager.default.removeItem(atPath: "\(folder)/c")
    presence.forget()
    #expect(presence.lost(at: 100) == "\(folder)/c")
  }
}
