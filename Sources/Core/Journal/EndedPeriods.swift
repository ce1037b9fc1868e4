public import Counting

/// The end of a period of a counter that is in effect: it is not undone, or it was redone.
public struct PeriodEnd: Equatable, Sendable {
  /// The event that ended the period. The period contains the events before it, and the late counts that were closed
  /// again.
  public let sequence: Int64
  /// The start of counting in that period, in microseconds since 1970.
  public let start: Int64?
  /// In microseconds since 1970.
  public let time: Int64
  /// Whether the counter was at its start, so that consecutive empty periods may have ended with this event.
  public let isEmpty: Bool
}

/// What is known of the ended periods of counters, kept up to date with each recorded event. Without it, each late count
/// would read the ends of all periods since, and with a limit all late counts of its period.
struct EndedPeriods {
  private struct Known {
    /// All ends from this sequence number on, in order.
    var ends: [PeriodEnd] = []
    var first: Int64
    /// The values at the ends of periods, by the times of these ends.
    var values: [Int64: Int128] = [:]

    var count: Int { 1 + ends.count + values.count }
  }

  private var known: [Counter.ID: Known] = [:]
  private var count = 0

  /// The maximum number of ends, values and counters.
  private static let most = 65_536

  /// The value of a counter at the end of a period, in microseconds since 1970; `nil` if unknown.
  func value(of counter: Counter.ID, endingAt end: Int64) -> Int128? { known[counter]?.values[end] }

  mutating func remember(_ value: Int128, of counter: Counter.ID, endingAt end: Int64) {
    change(counter) { $0.values[end] = value }
  }

  /// The known ends, and the sequence number from which all are known.
  func ends(of counter: Counter.ID) -> (ends: [PeriodEnd], first: Int64) {
    known[counter].map { ($0.ends, $0.first) } ?? ([], .max)
  }

  /// - Parameter ends: the ends from `first` to those that are known, in order.
  mutating func remember(_ ends: [PeriodEnd], of counter: Counter.ID, from first: Int64) {
    change(counter) { known in
      known.ends = ends + known.ends
      known.first = first
    }
  }

  private mutating func change(_ counter: Counter.ID, _ body: (inout Known) -> Void) {
    if count >= Self.most { removeAll() }
    count -= known[counter]?.count ?? 0
    body(&known[counter, default: Known(first: .max)])
    count += known[counter]?.count ?? 0
  }

  /// Records the next event of the journal.
  mutating func note(_ event: Event) {
    guard count > 0, let former = known[event.counter] else { return }
    if event.closesEndedPeriod {
      known[event.counter]?.values[event.time]? -= Int128(event.change)
    } else if event.undoes != nil
      && (!event.alterations.isEmpty || former.ends.contains { $0.sequence == event.undoes })
    {
      // The event may undo or redo the end of a period.
      forget(event.counter)
    } else if event.undoes != nil || event.presence != .unchanged || !event.alterations.isEmpty {
      // The event may undo a late count, end a period or change the start value.
      change(event.counter) { known in
        known.values.removeAll()
        if let end = PeriodEnd(event) { known.ends.append(end) }
      }
    }
  }

  private mutating func forget(_ counter: Counter.ID) { count -= known.removeValue(forKey: counter)?.count ?? 0 }

  mutating func removeAll() {
    known.removeAll()
    count = 0
  }
}

extension PeriodEnd {
  /// `nil` for any other event.
  init?(_ event: Event) {
    guard event.kind == .renewed, let start = event.alterations.first(where: { $0.field == .began }) else { return nil }
    self.init(sequence: event.sequence, start: start.before.integer, time: event.time, isEmpty: event.change == 0)
  }
}

/// Ends of periods are written at once, so that no search for them needs a flush.
///
/// An event belongs to the period that the first end after it ended, whatever the schedule is now; a late count to the
/// period that was closed again after it.
extension CounterStore {
  /// The end of the period of an event; `nil` for the current period.
  ///
  /// - Parameter ends: ends that do not count, because they are undone together with the event.
  public func end(ofPeriodOf event: Event, except ends: Set<Int64> = []) throws(StoreError) -> PeriodEnd? {
    guard event.subject == .counter, event.about == nil else { return nil }
    try learnEnds(of: event.counter, after: event.sequence)
    let known = endedPeriods.ends(of: event.counter).ends
    var place = known.count
    while place > 0, known[place - 1].sequence > event.sequence { place -= 1 }
    return known[place...].first { !ends.contains($0.sequence) }
  }

  /// Whether an event undid the end of a period that has ended again.
  func isOvertakenEnd(_ event: Event) throws(StoreError) -> Bool {
    guard event.kind == .undone, try end(ofPeriodOf: event) != nil else { return false }
    let origin = try past.rollups.origin(of: EventRow(event, cause: 0))
    guard origin.kind == .renewed, let end = try recorded(origin.sequence) else { return false }
    return !end.closesEndedPeriod
  }

  /// The end of a period that an event made, and the ends after it.
  public func ends(from event: Event) throws(StoreError) -> [PeriodEnd] {
    try learnEnds(of: event.counter, after: event.sequence - 1)
    return endedPeriods.ends(of: event.counter).ends.filter { $0.sequence >= event.sequence }
  }

  /// The end of the period to which a count of this time belongs, in microseconds since 1970; `nil` for the current
  /// period.
  func end(ofPeriodOf counter: Counter, at time: Int64, in ledger: Ledger) throws(StoreError) -> Int64? {
    try learnEnds(of: counter.id, until: time)
    let ends = endedPeriods.ends(of: counter.id).ends
    // A count from before the first period belongs to a period of its own.
    guard !ends.isEmpty else { return ledger.periodEnd(of: counter, at: time) }
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle].time > time { high = middle } else { low = middle + 1 }
    }
    guard low < ends.count else { return nil }
    let end = ends[low]
    guard let boundary = ledger.renewal(of: counter, after: time), boundary < end.time else { return end.time }
    let isBeforeFirst = low == 0 && end.start.map { boundary <= $0 } ?? false
    return isBeforeFirst || end.isEmpty ? boundary : end.time
  }

  /// Reads the ends of a counter's periods after an event.
  private func learnEnds(of counter: Counter.ID, after sequence: Int64) throws(StoreError) {
    let first = endedPeriods.ends(of: counter).first
    guard sequence + 1 < first else { return }
    var ends: [PeriodEnd] = []
    _ = try past.periodEnds.first([.integer(counter.number), .integer(sequence), .integer(first)]) {
      row throws(StoreError) -> Bool? in
      if let end = try end(row) { ends.append(end) }
      return nil
    }
    endedPeriods.remember(ends.reversed(), of: counter, from: sequence + 1)
  }

  /// Reads the ends of a counter's periods since a time, and the last one until that time.
  private func learnEnds(of counter: Counter.ID, until time: Int64) throws(StoreError) {
    let known = endedPeriods.ends(of: counter)
    guard known.first > 1, known.ends.first.map({ $0.time > time }) ?? true else { return }
    var ends: [PeriodEnd] = []
    let found = try past.periodEnds.first([.integer(counter.number), .integer(0), .integer(known.first)]) {
      row throws(StoreError) -> PeriodEnd? in
      guard let end = try end(row) else { return nil }
      ends.append(end)
      return end.time <= time ? end : nil
    }
    endedPeriods.remember(ends.reversed(), of: counter, from: found?.sequence ?? 1)
  }

  /// The end of a period in a row; `nil` if it is not in effect.
  private func end(_ row: Statement) throws(StoreError) -> PeriodEnd? {
    let end = PeriodEnd(
      sequence: row.integer(0), start: row.optionalInteger(2), time: row.integer(1), isEmpty: row.integer(3) == 0)
    return try reader.stands(end.sequence) ? end : nil
  }

  /// The answer to a question of the ledger; `nil` for none.
  public func answer(_ question: Ledger.Question, in ledger: Ledger) throws(StoreError) -> Ledger.Answer? {
    try answer(question, in: ledger) { () throws(StoreError) in try flush(ledger.head) }
  }

  /// - Parameter flush: writes all events before a search.
  func answer(
    _ question: Ledger.Question, in ledger: Ledger, flush: () throws(StoreError) -> Void
  ) throws(StoreError) -> Ledger.Answer? {
    switch question {
    case .endedPeriod(let counter, let time):
      guard let end = try end(ofPeriodOf: counter, at: time, in: ledger) else { return nil }
      return .endedPeriod(end: end, value: try value(of: counter, endingAt: end, flush: flush))
    case .earliestCount(let counter):
      return try earliestCount(of: counter, in: ledger).map { .earliestCount($0) }
    }
  }

  /// The value of a counter at the end of a period, in microseconds since 1970.
  public func value(of counter: Counter, endingAt end: Int64, in ledger: Ledger) throws(StoreError) -> Int64 {
    try value(of: counter, endingAt: end) { () throws(StoreError) in try flush(ledger.head) }
  }

  private func value(
    of counter: Counter, endingAt end: Int64, flush: () throws(StoreError) -> Void
  ) throws(StoreError) -> Int64 {
    if let known = endedPeriods.value(of: counter.id, endingAt: end) { return Int64(clamping: known) }
    try flush()
    let value = try reader.value(of: counter, endingAt: end)
    endedPeriods.remember(value, of: counter.id, endingAt: end)
    return Int64(clamping: value)
  }

  /// The last ends of periods of a counter and the events that closed these again after late counts, which are undone
  /// together; the last one first. `nil` if none of them changed a value.
  public func endings(with ends: [PeriodEnd], of counter: Counter.ID, in ledger: Ledger) throws(StoreError) -> Undoable?
  {
    guard let first = ends.first, let last = ends.last else { return nil }
    try flush(ledger.head)
    // Empty periods in a row have one end, and late counts of each.
    var (sequences, isEmpty) = ([Int64](), true)
    try learnEnds(of: counter, until: first.time &- 1)
    let former = endedPeriods.ends(of: counter).ends.last { $0.sequence < first.sequence }
    let start = min(max(first.start ?? .min, former?.time ?? .min), first.time &- 1)
    try reader.eachEnding(of: counter, after: start, until: last.time) { event, latest in
      guard event.sequence >= first.sequence else { return }
      sequences.append(latest)
      if event.change != 0 { isEmpty = false }
    }
    return isEmpty ? nil : try undoable(found(sequences.sorted(by: >), Set(ends.lazy.map(\.sequence))))
  }

  /// A count of a period that had ended, or an undo or redo of such a count, with the event that closed that period
  /// again; `nil` for any other event.
  public func lateCount(_ event: Event) throws(StoreError) -> (events: [Change.Takeback], end: Int64)? {
    guard let (closing, end) = try closing(of: event) else { return nil }
    let pair = closing.sequence > event.sequence ? [closing, event] : [event, closing]
    return (pair.map { Change.Takeback($0) }, end)
  }

  /// The event that closed an ended period again after a late count, and the end of that period in microseconds since
  /// 1970.
  func closing(of event: Event) throws(StoreError) -> (event: Event, end: Int64)? {
    guard let batch = event.batch else { return nil }
    // The undo of an import may hold many such pairs. The two events of a pair are neighbours, in either order.
    for sequence in [event.sequence &+ 1, event.sequence &- 1] {
      guard let other = try recorded(sequence), other.batch == batch, try !isTakenBack(other),
        let end = try end(closedBy: other, after: event)
      else { continue }
      return (other, end)
    }
    return nil
  }

  /// The end of the period that an event closed after a late count, or was undone and redone together with that count;
  /// `nil` if it did not.
  private func end(closedBy event: Event, after count: Event) throws(StoreError) -> Int64? {
    var (closing, count) = (event, count)
    while !closing.closesEndedPeriod {
      guard let closed = closing.undoes, let counted = count.undoes,
        // The comparison is false only in a damaged journal.
        closed < closing.sequence, let former = try recorded(closed), let formerCount = try recorded(counted)
      else { return nil }
      (closing, count) = (former, formerCount)
    }
    return closing.sequence == count.sequence &+ 1 && closing.counter == count.counter ? closing.time : nil
  }

  /// The end of the period that the undo of an event must close again; `nil` if the undo changes the current value.
  ///
  /// - Parameter ends: the ends of periods that are undone together with the event.
  func end(toCloseAfterUndoOf event: Event, besides ends: Set<Int64>) throws(StoreError) -> Int64? {
    guard event.presence == .unchanged, event.change != 0, event.kind != .renewed,
      let end = try end(ofPeriodOf: event, except: ends),
      try past.rollups.origin(of: EventRow(event, cause: 0)).kind != .renewed,
      // The closing of a late count is undone together with it.
      try closing(of: event) == nil
    else { return nil }
    return end.time
  }
}
