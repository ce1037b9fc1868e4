import CounterStore
import Counting
import Foundation
import TestKit

/// A journal in a folder of its own, with a ledger beside it as the core keeps one.
final class Scratch {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private(set) var store: CounterStore
  var ledger: Ledger
  var time: Int64 = 1_000_000_000

  /// - Parameter journal: the file to begin with.
  init(journal: URL? = nil) throws {
    if let journal { try FileManager.default.copyItem(atPath: journal.path, toPath: temporary.path("counters.sqlite")) }
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

  func settle() throws {
    try store.commit(ledger)
    ledger.settle()
  }

  /// Takes back what is last, of one counter or of all; `false` where nothing is left.
  func undo(_ counter: Counter.ID? = nil) throws -> Bool {
    let last = try store.lastUndoable(of: counter, in: ledger)
    if !last.isEmpty { try perform(.undo(last, counter == nil ? .all : .counter)) }
    return !last.isEmpty
  }

  func redo(_ counter: Counter.ID? = nil) throws -> Bool {
    let last = try store.lastRedoable(of: counter, in: ledger)
    if !last.isEmpty { try perform(.redo(last, counter == nil ? .all : .counter)) }
    return !last.isEmpty
  }

  var events: [Event] {
    get throws { try store.events(1...max(1, ledger.lastSequence), in: ledger) }
  }

  func id(_ name: String) throws -> Counter.ID { try ledger.find(.named(name)).id }
}
