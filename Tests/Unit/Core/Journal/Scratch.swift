import Counting
import Foundation
import TestKit

@testable import Journal

/// The size of the pages of a journal, in bytes.
let pageSize = Database.pageSize

/// A journal in a folder of its own, with a ledger beside it as the core keeps one.
final class Scratch {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private(set) var store: CounterStore
  var ledger: Ledger
  var time: Int64 = 1_000_000_000

  init() throws {
    store = try CounterStore(folder: temporary.path)
    ledger = try store.load()
  }

  @discardableResult
  func perform(_ change: Change) throws -> [Event] {
    time += 1_000_000
    let events = try ledger.perform(change, at: time, cause: Cause(producer: "test"))
    for event in events { try store.append(event, to: ledger) }
    return events
  }

  /// The steps of SQLite, in tens, that some work takes.
  func steps(of work: () throws -> Void) rethrows -> Int {
    var looks = 0
    store.database.onProgress(every: 10) {
      looks += 1
      return true
    }
    try work()
    return looks
  }

  func settle() throws {
    try store.commit(ledger.head)
    ledger.clearUndoLog()
  }

  /// Takes back what is last, of one counter or of all; `false` where nothing is left, or where what was made together with
  /// it cannot be taken back now.
  func undo(_ counter: Counter.ID? = nil) throws -> Bool {
    let last = try store.lastUndo(of: counter, in: ledger)
    return try perform(last, counter) { .undo($0, last.scope) }
  }

  func redo(_ counter: Counter.ID? = nil) throws -> Bool {
    let last = try store.lastRedo(of: counter, in: ledger)
    return try perform(last, counter) { .redo($0, last.scope) }
  }

  private func perform(
    _ last: Undoable, _ counter: Counter.ID?, _ change: ([Change.Takeback]) -> Change
  ) throws -> Bool {
    let events = try store.all(last)
    guard !events.isEmpty else { return false }
    do {
      try perform(change(events))
    } catch is CountingError where counter != nil {
      return false
    }
    return true
  }

  var events: [Event] {
    get throws { try store.events(1...max(1, ledger.lastSequence), in: ledger) }
  }

  func id(_ name: String) throws -> Counter.ID { try ledger.find(.named(name)).id }
}
