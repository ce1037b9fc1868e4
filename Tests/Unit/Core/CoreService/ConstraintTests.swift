import Counting
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

/// A row that the journal's rules refuse is a fault of the program, not of the disk. The test puts a row in the
/// way, of which the core knows nothing.
@Suite final class `A broken rule of the journal` {
  private let temporary = TemporaryFolder()
  let core: Core
  var database: Database { core.store.database }
  var outcomes: [String] = []

  init() throws {
    core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop())
    _ = try core.perform(Self.request(.create(name: "people")))
    core.commit()
  }

  static func request(_ change: Change) -> Request { Request(.change(change), time: 1, cause: Cause(producer: "test")) }

  func perform(_ changes: Change...) throws { _ = try core.perform(changes.map(Self.request)) }

  func wait(_ name: String) {
    core.whenDurable { [unowned self] outcome in
      switch outcome {
      case .durable: outcomes.append("\(name) durable")
      case .lost(let error): outcomes.append("\(name) lost: \(error.code)")
      }
    }
  }

  /// The values in a journal that is read anew.
  func values() throws -> [Int64] {
    let copy = TemporaryFolder()
    try JournalFile.backUp(temporary.path, to: copy.path("counters.sqlite"))
    #expect(try JournalFile.verify(copy.path) == [])
    return try CounterStore(folder: copy.path).load().all.map(\.value)
  }

  @Test func `or a row that cannot be read refuses only the request that needs it`() throws {
    try perform(.add(.named("people"), amount: 3))
    core.commit()
    try database.execute("UPDATE event SET kind = 'damaged' WHERE sequence = 2")
    try perform(.add(.named("people"), amount: 4))
    wait("before")
    for _ in 0..<2 {
      let note = Request(.note(2, "on what cannot be read"), time: 1, cause: Cause(producer: "test"))
      let undo = Request(.undoEvent(2), time: 1, cause: Cause(producer: "test"))
      for request in [note, undo] {
        #expect { _ = try core.perform(request) } throws: { ($0 as? StoreError)?.code == .damaged }
      }
    }
    try perform(.add(.named("people"), amount: 5))
    wait("after")
    core.commit()
    #expect(outcomes == ["before durable", "after durable"])
    #expect(core.ledger.all.map(\.value) == [12])
    #expect(core.trouble == nil)
  }

  @Test func `refuses only the request that breaks it; what others wait for is kept`() throws {
    try database.execute("INSERT INTO counter (id, name, title, start, step) VALUES (99, 'dogs', '', 0, 1)")
    try perform(.add(.named("people"), amount: 3))
    wait("first")
    for _ in 0..<2 {
      #expect { try perform(.create(name: "dogs")) } throws: { error in
        let error = error as? StoreError
        return error?.code == .constraint && error?.message.contains("UNIQUE constraint failed") == true
      }
      #expect { try perform(.add(.named("people"), amount: 9), .create(name: "dogs")) } throws: {
        ($0 as? StoreError)?.code == .constraint
      }
    }
    try perform(.add(.named("people"), amount: 4))
    wait("second")
    core.commit()
    #expect(outcomes == ["first durable", "second durable"])
    #expect(core.failure == nil)
    #expect(core.ledger.all.map(\.value) == [7])
    try database.execute("DELETE FROM counter WHERE id = 99")
    #expect(try values() == [7])
    try perform(.create(name: "dogs"), .add(.named("dogs"), amount: 1))
    core.commit()
    #expect(try values() == [7, 1])
  }

  @Test func `that concerns a count is told to all who wait for its commit, and counting goes on`() throws {
    try perform(.add(.named("people"), amount: 1))
    core.commit()
    try database.execute(
      "INSERT INTO event (sequence, time, kind, counter, change, value, cause) VALUES (5, 1, 'added', 1, 0, 1, 1)")
    for name in ["third", "fourth", "fifth"] {
      try perform(.add(.named("people"), amount: 1))
      wait(name)
    }
    core.commit()
    #expect(outcomes == ["third lost: constraint", "fourth lost: constraint", "fifth lost: constraint"])
    #expect(core.failure == nil)
    #expect(core.ledger.all.map(\.value) == [1])
    try database.execute("DELETE FROM event WHERE sequence = 5")
    try perform(.add(.named("people"), amount: 5))
    core.commit()
    #expect(try values() == [6])
  }
}
