public import Counting

/// The events that one undo or redo undoes together, in this order.
public struct Undoable: Sendable {
  /// The events; only the first ones if ``rest`` is not empty.
  public var events: [Change.Takeback]
  /// The sequence numbers of further events. An import may have millions, which are read in pieces.
  public var rest: [Int64] = []
  /// The sequence numbers of the original events among these that ended a period.
  var ends: Set<Int64> = []
  /// The subjects of skipped events, which are locked or whose undo is impossible now.
  public var passed: Set<Entity.Key> = []
  /// The range that a later undo or redo may skip.
  public var scope = Change.UndoScope.one

  /// The number of events that are undone at a time.
  public static let mostAtOnce = 4096

  public init(_ events: [Change.Takeback]) { self.events = events }

  /// Whether all events concern this counter, group or formula.
  func isOf(_ id: Counter.ID) -> Bool { events.allSatisfy { $0.event.counter == id } }

  /// The sequence numbers of all events.
  public var sequences: Set<Int64> { Set(events.map(\.event.sequence) + rest) }

  public func contains(_ sequence: Int64) -> Bool {
    events.contains { $0.event.sequence == sequence } || rest.contains(sequence)
  }
}

extension CounterStore {
  /// The events of a search, without the entities that their undo restores.
  struct Found {
    var events: [Event] = []
    var rest: [Int64] = []
    var ends: Set<Int64> = []
  }

  /// Reads the first piece of the events with these sequence numbers.
  func found(_ sequences: [Int64], _ ends: Set<Int64>) throws(StoreError) -> Found {
    Found(
      events: try events(at: sequences.prefix(Undoable.mostAtOnce)),
      rest: Array(sequences.dropFirst(Undoable.mostAtOnce)), ends: ends)
  }

  /// The events with these sequence numbers, in this order.
  public func events(at sequences: ArraySlice<Int64>) throws(StoreError) -> [Event] {
    guard let first = sequences.min(), let last = sequences.max() else { return [] }
    // Most sequence numbers are close together; then one query is faster than many.
    guard last - first < 2 * Int64(sequences.count) else {
      var found: [Event] = []
      for sequence in sequences { if let event = try recorded(sequence) { found.append(event) } }
      return found
    }
    var found: [Int64: Event] = [:]
    _ = try statements.eventsBetween.each([.integer(first), .integer(last)]) { row throws(StoreError) in
      let event = try self.event(row)
      found[event.sequence] = event
    }
    return sequences.compactMap { found[$0] }
  }

  /// All events of a search.
  public func all(_ undoable: Undoable) throws(StoreError) -> [Change.Takeback] {
    try undoable.events + takebacks(at: undoable.rest[...], of: undoable)
  }

  /// The events with these sequence numbers, in this order, for their undo or redo.
  private func takebacks(
    at sequences: ArraySlice<Int64>, of undoable: Undoable, since step: Int64 = .max
  ) throws(StoreError) -> [Change.Takeback] {
    try takebacks(events(at: sequences), besides: undoable.ends, since: step)
  }

  /// The events of a search without counts that are not in the total of a shared counter. ``Undoable/events`` is empty
  /// only if no event is left.
  public func withoutGone(_ undoable: Undoable, in ledger: Ledger) throws(StoreError) -> Undoable {
    var kept = undoable
    kept.events.removeAll { ledger.isGone($0.event) }
    guard !undoable.rest.isEmpty, !ledger.gone.isEmpty || !ledger.dropped.isEmpty else { return kept }
    var (rest, left): (ArraySlice<Int64>, [Int64]) = (undoable.rest[...], [])
    while !rest.isEmpty {
      left += try events(at: rest.prefix(Undoable.mostAtOnce)).lazy.filter { !ledger.isGone($0) }.map(\.sequence)
      rest = rest.dropFirst(Undoable.mostAtOnce)
    }
    if kept.events.isEmpty {
      kept.events = try takebacks(at: left.prefix(Undoable.mostAtOnce), of: kept)
      left.removeFirst(min(left.count, Undoable.mostAtOnce))
    }
    kept.rest = left
    return kept
  }

  /// Whether one of these counters has an event between the first and the last event of a search.
  public func hasEvents(of counters: some Sequence<Counter.ID>, within undoable: Undoable) throws(StoreError) -> Bool {
    var (first, last) = (Int64.max, Int64.min)
    for event in undoable.events { (first, last) = (min(first, event.event.sequence), max(last, event.event.sequence)) }
    for sequence in undoable.rest { (first, last) = (min(first, sequence), max(last, sequence)) }
    for counter in counters {
      if let event = try lastEvent(of: counter, until: last), event.sequence >= first { return true }
    }
    return false
  }

  /// Undoes or redoes many events in one transaction and in pieces, as one step. The memory does not depend on their
  /// number.
  ///
  /// - Parameter kind: undone or redone.
  /// - Returns: the first and the last of the new events, and the state after them.
  /// - Throws: ``CountingError`` if an event cannot be undone, or ``StoreError``; nothing has changed then.
  public func takeBack(
    _ undoable: Undoable, as kind: Event.Kind, at time: Int64, cause: Cause, in ledger: Ledger
  ) throws -> (events: [Event], ledger: Ledger) {
    try commit(ledger.head)
    do {
      try begin()
      var next = ledger
      var (piece, rest) = (undoable.events, undoable.rest[...])
      var (first, last): (Event?, [Event]) = (nil, [])
      var batch = Batch.begins
      var unsummarised = 0
      while !piece.isEmpty {
        last = try next.takeBack(
          piece, as: kind, undoable.scope, at: time, cause: cause, in: batch)
        try append(last, to: next)
        next.clearUndoLog()
        first = first ?? last.first
        if let number = first?.batch { batch = .goesOn(number) }
        unsummarised += last.count
        if unsummarised > ArchiveImporter.mostUnsummarised {
          try flush(next.head)
          try past.rollups.catchUpWhole(to: next.lastSequence)
          unsummarised = 0
        }
        onProgress()
        piece = try takebacks(
          at: rest.prefix(Undoable.mostAtOnce), of: undoable, since: ledger.lastSequence &+ 1)
        rest = rest.dropFirst(Undoable.mostAtOnce)
      }
      past.rollups.postpone(to: next.lastSequence)
      try commit(next.head)
      next.clearUndoLog()
      let others = last.filter { $0.sequence != first?.sequence }
      return ((first.map { [$0] } ?? []) + others, next)
    } catch {
      rollback()
      throw error
    }
  }
}
