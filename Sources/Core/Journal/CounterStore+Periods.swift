public import Counting

/// Periods of events and of times. An event belongs to the period whose end is the first one recorded after the event,
/// even if the schedule has changed since. A late count belongs to the period that was closed again after the count. An
/// event that ends a period is never buffered, so that searches for it need no flush.
extension CounterStore {
  /// The end of the period of an event; `nil` for the current period.
  public func periodEnd(after event: Event) throws(StoreError) -> PeriodEnd? {
    guard event.subject == .counter, event.about == nil else { return nil }
    try learnEnds(of: event.counter, after: event.sequence)
    let known = endedPeriods.ends(of: event.counter).ends
    let next = known.partitioningIndex { $0.sequence > event.sequence }
    return next < known.count ? known[next] : nil
  }

  /// The end of the period that an event of a count belongs to, in microseconds since 1970; `nil` for the current
  /// period.
  public func endOfPeriod(of event: Event) throws(StoreError) -> Int64? {
    if let late = try lateCount(event) { return late.end }
    return try periodEnd(after: event)?.time
  }

  /// Whether an event undid or redid the end of a period, and the period has ended again since or is ended by a fleet.
  func isFinalEnd(_ event: Event, in ledger: Ledger) throws(StoreError) -> Bool {
    guard event.undoes != nil, try isOfPeriodEnd(event),
      let end = try recorded(past.rollups.origin(of: EventRow(event, cause: 0)).sequence)
    else { return false }
    if end.closesEndedPeriod { return false }
    if ledger.isShared(event.counter) { return true }
    return try periodEnd(after: event) != nil
  }

  /// Whether an event ended a period or closed one again after a late count, or undid or redid such an event.
  public func isOfPeriodEnd(_ event: Event) throws(StoreError) -> Bool { try originalKind(of: event) == .renewed }

  /// The kind of the event with which the chain of undos and redos up to an event began.
  public func originalKind(of event: Event) throws(StoreError) -> Event.Kind? {
    try event.undoes == nil ? event.kind : past.rollups.origin(of: EventRow(event, cause: 0)).kind
  }

  /// The end of a period that an event made, and the ends after it.
  public func ends(from event: Event) throws(StoreError) -> [PeriodEnd] {
    try learnEnds(of: event.counter, after: event.sequence - 1)
    return endedPeriods.ends(of: event.counter).ends.filter { $0.sequence >= event.sequence }
  }

  /// The event that ended the last period with a count of a counter; `nil` if that end was undone, or undone and redone.
  /// Looks at the empty periods after it, but not at more than ``mostEmptyPeriods``.
  ///
  /// - Parameters:
  ///   - end: the time of the counter's last end, in microseconds since 1970.
  ///   - earliest: the earliest time of the end that is returned.
  public func lastEnd(
    of counter: Counter.ID, at end: Int64, notBefore earliest: Int64, in ledger: Ledger
  ) throws(StoreError) -> Event? {
    try flush(ledger.head)
    var (time, rest) = (end, Self.mostEmptyPeriods)
    while time >= earliest, rest > 0 {
      var found: Event?
      // Each search reads only the few blocks with events of that time.
      try reader.eachEnding(of: counter, after: time &- 1, until: time) { event, latest in
        if !event.closesEndedPeriod, latest == event.sequence { found = event }
      }
      guard let found, found.change == 0 else { return found }
      guard let start = PeriodEnd(found)?.start else { return nil }
      (time, rest) = (start, rest - 1)
    }
    return nil
  }

  private static let mostEmptyPeriods = 64

  /// The end of the period to which a count of this time belongs, in microseconds since 1970; `nil` for the current
  /// period.
  func endOfPeriod(of counter: Counter, containing time: Int64, in ledger: Ledger) throws(StoreError) -> Int64? {
    try learnEnds(of: counter.id, until: time)
    let ends = endedPeriods.ends(of: counter.id).ends
    // Without an ended period in the journal, the schedule gives the end.
    guard !ends.isEmpty else { return ledger.periodEnd(of: counter, at: time) }
    guard let place = ends.place(ofPeriodAt: time) else { return nil }
    let end = ends[place]
    guard let boundary = ledger.renewal(of: counter, after: time), boundary < end.time else { return end.time }
    // A count from before the first period belongs to a period of its own.
    let isBeforeFirst = place == 0 && end.start.map { boundary <= $0 } ?? false
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

  /// The end of a period that a row of a query describes; `nil` if the end is not in effect.
  private func end(_ row: Statement) throws(StoreError) -> PeriodEnd? {
    let end = PeriodEnd(
      sequence: row.integer(0), start: row.optionalInteger(2), time: row.integer(1), isEmpty: row.integer(3) == 0)
    // A counter may have tens of thousands of ends, and few of them were undone.
    guard row.integer(4) != 0 else { return end }
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
      guard let end = try endOfPeriod(of: counter, containing: time, in: ledger) else { return nil }
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
    guard let first = ends.first else { return nil }
    try flush(ledger.head)
    // Consecutive empty periods have one end; each of them may have late counts.
    var (sequences, isEmpty) = ([Int64](), true)
    try learnEnds(of: counter, until: first.time &- 1)
    let former = endedPeriods.ends(of: counter).ends.last { $0.sequence < first.sequence }
    // After a setback of the clock, the times are in another order.
    let times = ends.map(\.time)
    let start = min(max(first.start ?? .min, former?.time ?? .min), (times.min() ?? first.time) &- 1)
    try reader.eachEnding(of: counter, after: start, until: times.max() ?? first.time) { event, latest in
      guard event.sequence >= first.sequence else { return }
      sequences.append(latest)
      if event.change != 0 { isEmpty = false }
    }
    return isEmpty ? nil : try undoable(found(sequences.sorted(by: >), Set(ends.lazy.map(\.sequence))))
  }

  /// For a count of an ended period, or an undo or redo of such a count: that event, and the event that closed the
  /// period again. The second one is left out if it was undone and redone with the end of the period. `nil` for any
  /// other event.
  public func lateCount(_ event: Event) throws(StoreError) -> (events: [Change.Takeback], end: Int64)? {
    guard let closing = try closing(of: event) else { return nil }
    guard let partner = closing.partner else {
      return ([Change.Takeback(event, ofPeriodEnding: closing.end)], closing.end)
    }
    let pair = partner.sequence > event.sequence ? [partner, event] : [event, partner]
    return (pair.map { Change.Takeback($0) }, closing.end)
  }

  /// The closing of an ended period after a late count that is in effect: the end of that period in microseconds since
  /// 1970, and the event that is undone together with the count.
  ///
  /// - Parameters:
  ///   - step: undos and redos from this event on are ignored, because they belong to the present step.
  ///   - known: events that need not be read again.
  private func closing(
    of event: Event, before step: Int64 = .max, near known: [Event] = []
  ) throws(StoreError) -> (partner: Event?, end: Int64)? {
    guard let batch = event.batch else { return nil }
    // The undo of an import may hold many such pairs. The two events of a pair are neighbours, in either order.
    for sequence in [event.sequence &+ 1, event.sequence &- 1] {
      var other = known.first { $0.sequence == sequence }
      if other == nil { other = try recorded(sequence) }
      guard let other, other.batch == batch, try originalKind(of: other) == .renewed,
        let end = try endTime(closedBy: other, after: event)
      else { continue }
      guard let taker = try taker(of: sequence), taker < step else {
        return try isEndUndone(of: event.counter, at: end, before: event.sequence) ? nil : (other, end)
      }
      return try reader.lastLink(of: sequence).stands ? (nil, end) : nil
    }
    return nil
  }

  /// Whether the period of a counter that ended at a time goes on, because its end was undone.
  private func isEndUndone(of counter: Counter.ID, at end: Int64, before sequence: Int64) throws(StoreError) -> Bool {
    try learnEnds(of: counter, until: end)
    if endedPeriods.ends(of: counter).ends.contains(where: { $0.time == end }) { return false }
    // An empty period among others may have no end of its own.
    return try past.periodEnds.first([.integer(counter.number), .integer(0), .integer(sequence)]) {
      row throws(StoreError) -> Bool? in
      row.integer(1) > end ? nil : row.integer(1) == end
    } ?? false
  }

  /// The events of a batch without undos and redos of the closings of periods that go on, because their ends were undone;
  /// all of them if the batch undid or redid an end itself.
  func withoutClosingsOfUndoneEnds(_ batch: [Event]) throws(StoreError) -> [Event] {
    var kept: [Event] = []
    for event in batch {
      if event.undoes != nil, event.subject == .counter,
        let origin = try recorded(past.rollups.origin(of: EventRow(event, cause: 0)).sequence), origin.kind == .renewed
      {
        if !origin.closesEndedPeriod { return batch }
        if try isEndUndone(of: event.counter, at: origin.time, before: event.sequence) { continue }
      }
      kept.append(event)
    }
    return kept
  }

  /// The end of the period that an event closed after a late count, or was undone and redone together with that count;
  /// `nil` if it did not.
  private func endTime(closedBy event: Event, after count: Event) throws(StoreError) -> Int64? {
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
  /// - Parameters:
  ///   - ends: the ends of periods that are undone together with the event.
  ///   - step: the first event of the step, of which earlier pieces are recorded already.
  ///   - known: events that need not be read again.
  func endOfPeriod(
    toCloseAfterUndoOf event: Event, besides ends: Set<Int64>, since step: Int64, near known: [Event]
  ) throws(StoreError) -> Int64? {
    guard event.presence == .unchanged, event.change != 0, event.kind != .renewed else { return nil }
    if let closing = try closing(of: event, before: step, near: known) {
      return closing.partner == nil ? closing.end : nil
    }
    guard let end = try periodEnd(after: event), !ends.contains(end.sequence), try !isOfPeriodEnd(event) else {
      return nil
    }
    return end.time
  }
}

extension [PeriodEnd] {
  /// The place of the end of the period that contains a time, in microseconds since 1970; `nil` for the current period.
  fileprivate func place(ofPeriodAt time: Int64) -> Int? {
    var place: Int?
    // The last end of the period counts, because a clock that was set back may have ended the same period twice. After
    // a reset, a period begins later than its first counts.
    for (index, end) in enumerated().reversed() {
      if end.time > time { place = index }
      if end.start.map({ $0 <= time }) ?? true { return place }
    }
    return place
  }
}
