import Counting

@testable import Journal

/// Queries of a journal with events that are not committed, as tests ask them.
extension CounterStore {
  func totals(
    of counters: Set<Counter.ID>?, between bounds: [Int64], now: Int64 = 0, in ledger: Ledger
  ) throws(StoreError) -> (unit: Unit, totals: [Totals]) {
    try flush(ledger.head)
    return try reader.totals(of: counters, between: bounds, now: .init(time: now, boot: ledger.boot))
  }

  func statistics(
    of counters: Set<Counter.ID>?, from start: Int64, until end: Int64, now: Int64 = 0, in ledger: Ledger
  ) throws(StoreError) -> JournalReader.Statistics {
    try flush(ledger.head)
    return try reader.statistics(of: counters, from: start, until: end, now: .init(time: now, boot: ledger.boot))
  }

  func values(
    of counters: [Counter.ID], at time: Int64, now: Int64 = 0, in ledger: Ledger
  ) throws(StoreError) -> [Counter.ID: Int64] {
    try flush(ledger.head)
    return try reader.values(of: counters, at: time, now: .init(time: now, boot: ledger.boot))
  }

  /// All events that an undo undoes now.
  func lastUndoable(of counter: Counter.ID?, in ledger: Ledger) throws(StoreError) -> [Change.Takeback] {
    try all(lastUndo(of: counter, in: ledger))
  }

  /// All events that a redo undoes now.
  func lastRedoable(of counter: Counter.ID?, in ledger: Ledger) throws(StoreError) -> [Change.Takeback] {
    try all(lastRedo(of: counter, in: ledger))
  }
}
