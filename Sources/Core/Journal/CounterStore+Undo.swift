public import Counting

/// Finds the events for undo and redo. An event is undone at most once: a redo is a further event, which can be undone
/// in turn.
extension CounterStore {
  /// The events that an undo undoes now, of one counter or of all: the last event that is not undone yet, with its
  /// batch. Events of kind selected, armed, locked, unlocked and renewed are skipped. Empty if there is no such event.
  ///
  /// - Parameters:
  ///   - isPassing: whether events that cannot be undone now are skipped: events of locked counters, the creation of a
  ///     shared counter, and a removal while the name is in use.
  ///   - isWhole: whether all events of an import are needed; otherwise one is enough.
  ///
  /// Counts that are not in the total of a shared counter are skipped, at most ``mostGone`` of them.
  public func lastUndo(
    of counter: Counter.ID?, in ledger: Ledger, passing isPassing: Bool = false, wholeImports isWhole: Bool = true
  ) throws(StoreError) -> Undoable {
    let search = UndoSearch(counter: counter, isRedo: false, isPassing: isPassing)
    var (found, skipped) = try last(search, in: ledger) { event, skipped throws(StoreError) in
      let key = Entity.Key(event)
      if ledger.isGone(event) { return .gone }
      if isPassing, ledger.isLocked(key) {
        // A counter with counts outside the total is not skipped as a whole, because these counts are skipped one by
        // one.
        let isWhole = ledger.gone[key.id] == nil && ledger.dropped[key.id] == nil
        return .pass(key, isBarred: false, isWhole: isWhole)
      }
      if let span = try importSpan(holding: event.sequence) {
        if !isWhole, let one = try oneEffective(of: span, counter, until: event.sequence, in: ledger) {
          return .found(Found(events: [one]))
        }
        let (effective, ends, _) = try effectiveEvents(of: span, counter, in: ledger)
        rememberEffective(effective.first, of: span, counter)
        return effective.isEmpty ? .goOn(before: span.lowerBound) : .found(try self.found(effective, ends))
      }
      if event.kind == .undone { return .goOn(before: Self.settled(by: event, counter)) }
      if event.presence == .appeared, event.subject == .counter {
        let isShared = ledger.isShared(event.counter)
        let hasSkipped = skipped.gone > 0 && (isShared || ledger.dropped[event.counter] != nil)
        if isPassing, isShared || hasSkipped { return .pass(key, isBarred: false, isWhole: false) }
        // The creation cannot be undone while skipped counts exist.
        if hasSkipped { return .nothing }
      }
      // The event can be undone again after an undo of the later end.
      if try isFinalEnd(event, in: ledger) { return .pass(key, isBarred: false, isWhole: false) }
      guard let standing = try standing(event) else { return .goOn(before: event.sequence) }
      // Only after a skipped removal can the search meet events of entities that do not exist now.
      if isPassing, event.subject != .all, event.about == nil, ledger.entity(key.subject, key.id) == nil {
        guard event.presence == .disappeared else { return .pass(key, isBarred: false, isWhole: true) }
        if try isNameTaken(key, in: ledger) { return .pass(key, isBarred: true, isWhole: true) }
      }
      // One event is enough to refuse the undo of an import's redo.
      if !isWhole, try isImported(event) { return .found(Found(events: [event])) }
      // If the undo of an import undid the event, `standing` is that undo: there is no redo to find.
      return .found(
        standing.sequence == event.sequence ? try batch(of: event) : Found(events: [standing]))
    }
    // Undoing the removal reports the name that is in use.
    if found.events.isEmpty,
      let event = try skipped.barred.flatMap({ sequence throws(StoreError) in
        try events(sequence...sequence, in: ledger).first
      })
    {
      return try undoable(batch(of: event))
    }
    found.passed = skipped.passed
    // Skipped events may become undoable later, and the counters of a batch may have later events.
    found.scope =
      skipped.gone > 0 || counter.map { !found.isOf($0) } ?? !skipped.passed.isEmpty
      ? .one : counter == nil ? .all : .counter
    return found
  }

  /// The events that a redo undoes now: the last undo that is not redone yet, if no other change followed.
  ///
  /// - Parameter isWhole: whether all events of the undo of an import are needed; otherwise one is enough.
  public func lastRedo(
    of counter: Counter.ID?, in ledger: Ledger, wholeImports isWhole: Bool = true
  ) throws(StoreError) -> Undoable {
    var (found, _) = try last(.init(counter: counter, isRedo: true, isPassing: false), in: ledger) {
      event, _ throws(StoreError) in
      switch event.kind {
      case _ where try importSpan(holding: event.sequence) != nil: .nothing
      case .undone where ledger.isGone(event): .nothing
      case .undone:
        try isTakenBack(event)
          ? .goOn(before: event.sequence)
          : .found(
            try isWhole
              ? batch(of: event) : isImported(event) ? Found(events: [event]) : batch(of: event))
      case .redone: .goOn(before: Self.settled(by: event, counter))
      default: .nothing
      }
    }
    for takeback in found.events where try isFinalEnd(takeback.event, in: ledger) { return Undoable([]) }
    found.scope = counter.map { found.isOf($0) ? .counter : .one } ?? .all
    return found
  }

  /// The count that a producer made at a time with a device, unless it is undone.
  ///
  /// - Parameter deliveries: the events of the producer's latest deliveries, which are searched.
  public func takeback(
    among deliveries: [ClosedRange<Int64>], of producer: String, _ device: String?, madeAt time: Int64,
    in ledger: Ledger
  ) throws(StoreError) -> [Change.Takeback] {
    for range in deliveries.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      let made = try events(range, in: ledger).last { event in
        event.time == time && event.cause.producer == producer && event.cause.device == device
          && event.kind.effect != .none
      }
      guard let made else { continue }
      return try isTakenBack(made) ? [] : all(undoable(batch(of: made)))
    }
    return []
  }

  private enum Verdict {
    case found(Found)
    case goOn(before: Int64)
    /// This event cannot be undone now; the search continues before it. `isBarred`: the name is in use. `isWhole`: no
    /// earlier event of the subject can be undone now.
    case pass(Entity.Key, isBarred: Bool, isWhole: Bool)
    /// This count is not in the total of a shared counter; the search continues before it.
    case gone
    case nothing
  }

  /// The maximum number of subjects in ``UndoSkip/passed``. Each search checks all of them.
  private static let mostPassed = 4096
  /// The maximum number of counts outside the total that a search skips, to bound the time. Counts in known ranges are
  /// included, so that the same search always has the same result.
  private static let mostGone = 4096

  /// Searches backwards through the events that can be undone. `judge` receives the events skipped so far and decides
  /// how to continue.
  ///
  /// A later search also skips the range that this search has skipped, so that the range is not read again.
  private func last(
    _ search: UndoSearch, in ledger: Ledger, _ judge: (Event, UndoSkip) throws(StoreError) -> Verdict
  ) throws(StoreError) -> (found: Undoable, skipped: UndoSkip) {
    try flush(ledger.head)
    let known = try skips(of: search, in: ledger)
    var end = ledger.lastSequence
    var walked = UndoSkip(range: 0...0)
    var jumped: Set<ClosedRange<Int64>> = []
    var filter = PassedEvents.Filter()
    func result(_ found: Found, until reached: Int64) throws(StoreError) -> (found: Undoable, skipped: UndoSkip) {
      if reached < ledger.lastSequence, walked.passed.count <= Self.mostPassed {
        walked.range = reached + 1...ledger.lastSequence
        undoSkips.remember(
          known.filter { !jumped.contains($0.range) } + [walked], for: search, last: ledger.lastSequence)
      }
      return (try undoable(found), walked)
    }
    while end > 0, let event = try lastEvent(of: search.counter, until: end, filter) {
      if let skip = known.first(where: { $0.range.contains(event.sequence) }) {
        jumped.insert(skip.range)
        walked.passed.formUnion(skip.passed)
        walked.barred = walked.barred ?? skip.barred
        walked.gone += skip.gone
        end = skip.range.lowerBound - 1
        continue
      }
      if let rest = try settled(search, from: event, after: known, filter) {
        end = rest
        continue
      }
      switch try judge(event, walked) {
      case .nothing: return try result(Found(), until: event.sequence)
      case .goOn(let before): end = min(before, event.sequence) &- 1
      case .pass(let key, let isBarred, let isWhole):
        walked.passed.insert(key)
        if isWhole { filter.insert(key.id) }
        if isBarred { walked.barred = walked.barred ?? event.sequence }
        end = event.sequence &- 1
      case .gone where walked.gone >= Self.mostGone: return try result(Found(), until: event.sequence)
      case .gone:
        walked.gone += 1
        end = event.sequence &- 1
      case .found(let found): return try result(found, until: event.sequence)
      }
    }
    return try result(Found(), until: 0)
  }

  /// The ranges that a search may skip because nothing in them has become undoable since.
  private func skips(of search: UndoSearch, in ledger: Ledger) throws(StoreError) -> [UndoSkip] {
    var known: [UndoSkip] = []
    for skip in undoSkips[search] {
      var isValid = true
      for key in skip.passed where isValid && !ledger.isLocked(key) {
        isValid = try ledger.entity(key.subject, key.id) == nil ? isNameTaken(key, in: ledger) : false
      }
      if isValid { known.append(skip) }
    }
    undoSkips.replace(known, for: search)
    return known
  }

  /// Forgets all skipped ranges, because counts have become undoable again.
  public func forgetUndoSkips() { undoSkips.removeAll() }

  /// Whether another entity has the name of a removed one.
  private func isNameTaken(_ key: Entity.Key, in ledger: Ledger) throws(StoreError) -> Bool {
    try removed(key.id).map { ledger.isTaken($0) } ?? false
  }

  /// The sequence number before which a search continues after an undo: no event from there to `event` can be undone.
  private static func settled(by event: Event, _ counter: Counter.ID?) -> Int64 {
    let isLast = event.marks.contains(counter == nil ? .lastOfAll : .lastOfCounter)
    return isLast ? event.undoes ?? event.sequence : event.sequence
  }

  func lastEvent(of counter: Counter.ID?, until end: Int64) throws(StoreError) -> Event? {
    func event(_ row: Statement) throws(StoreError) -> Event { try self.event(row) }
    guard let counter else { return try statements.lastEventUntil.rows(.integer(end), row: event).first }
    let summarised = try past.rollups.count() * Rollups.blockSize
    return try statements.lastCounterEventUntil.rows(
      .integer(counter.number), .integer(end), .integer(summarised), row: event
    ).first
  }

  private func lastEvent(
    of counter: Counter.ID?, until end: Int64, _ filter: PassedEvents.Filter
  ) throws(StoreError) -> Event? {
    guard let passed = filter.numbers else { return try lastEvent(of: counter, until: end) }
    return try passedEvents.last(until: end, without: passed).flatMap { sequence throws(StoreError) in
      try recorded(sequence)
    }
  }

  /// The position at which the search continues before `event` and all events before it that are undone or undos (for a
  /// redo: redos). `nil` if `event` is neither. Stops early at a known range.
  private func settled(
    _ search: UndoSearch, from event: Event, after known: [UndoSkip], _ filter: PassedEvents.Filter
  ) throws(StoreError) -> Int64? {
    let kind = search.isRedo ? Event.Kind.redone : .undone
    let end = known.lazy.map(\.range.upperBound).filter { $0 < event.sequence }.max() ?? 0
    let mark = search.counter == nil ? Event.Marks.lastOfAll : .lastOfCounter
    let statement = search.counter == nil ? statements.settledAll : statements.settledOfCounter
    let summarised = try past.rollups.count() * Rollups.blockSize
    let values: [Statement.Value] = [
      .init(search.counter?.number), .integer(event.sequence), .integer(summarised), .text(kind.rawValue),
      .integer(mark.rawValue), .integer(end),
    ]
    guard let passed = filter.numbers else {
      return try statement.rows(values) { row throws(StoreError) in row.optionalInteger(0) }.first ?? nil
    }
    return try passedEvents.settled(values, without: passed)
  }

  /// The event that undid this one; `nil` if none did.
  public func undoer(of event: Event, in ledger: Ledger) throws(StoreError) -> Int64? {
    try flush(ledger.head)
    return try taker(of: event.sequence)
  }

  /// The number of events in which ``setter(of:after:before:in:)`` searches, to bound the time.
  public static let mostSearchedForSetter: Int64 = 16_384

  /// The latest reset or correction of the counter after `event` and before `end` that is not undone, or the redo of it;
  /// `nil` if the last ``mostSearchedForSetter`` events before `end` have none.
  public func setter(
    of counter: Counter.ID, after event: Int64, before end: Int64, in ledger: Ledger
  ) throws(StoreError) -> (sequence: Int64, kind: Event.Kind?)? {
    try flush(ledger.head)
    return try setter(of: counter, after: event, before: end) { _ in true }
  }

  /// The latest event that set the counter's value, is not undone, and has a kind that `isMeant` accepts.
  func setter(
    of counter: Counter.ID, after event: Int64, before end: Int64, _ isMeant: (Event.Kind?) -> Bool
  ) throws(StoreError) -> (sequence: Int64, kind: Event.Kind?)? {
    let found = try statements.settersAfter.rows(
      .integer(counter.number), .integer(max(event, end &- 1 - Self.mostSearchedForSetter)), .integer(end)
    ) { row throws(StoreError) in (sequence: row.integer(0), kind: Event.Kind(rawValue: row.text(1))) }
    for (sequence, kind) in found where isMeant(kind) {
      let last = try reader.lastLink(of: sequence)
      if last.stands { return (last.sequence, kind) }
    }
    return nil
  }

  /// The last event of a chain of undos and redos that begins with the undo `taker`, and whether it leaves the first
  /// event undone.
  public func lastLink(after taker: Int64) throws(StoreError) -> (sequence: Int64, isUndone: Bool) {
    let last = try reader.lastLink(of: taker)
    return (last.sequence, last.stands)
  }

  /// Whether an event was undone, even if it was redone later.
  public func isTakenBack(_ event: Event) throws(StoreError) -> Bool { try taker(of: event.sequence) != nil }

  /// The event that undid the event with this sequence number.
  func taker(of sequence: Int64) throws(StoreError) -> Int64? {
    try past.takenBackBy.number(.integer(sequence))
  }

  /// The events that were recorded together with `event` and are not undone, the last one first.
  public func wholeBatch(of event: Event) throws(StoreError) -> Undoable { try undoable(batch(of: event)) }

  /// The counters, groups and formulas with events of a batch.
  public func subjects(ofBatch batch: Int64) throws(StoreError) -> [Counter.ID] {
    try statements.subjectsOfBatch.rows(.integer(batch)) { row throws(StoreError) in Counter.ID(row.integer(0)) }
  }

  private func batch(of event: Event) throws(StoreError) -> Found {
    guard let batch = event.batch else { return Found(events: [event]) }
    var (sequences, ends): ([Int64], Set<Int64>) = ([], [])
    _ = try statements.batch.each([.integer(batch)]) { row throws(StoreError) in
      sequences.append(row.integer(0))
      if row.text(1) == Event.Kind.renewed.rawValue { ends.insert(row.integer(0)) }
    }
    var found = try found(sequences, ends)
    found.events = try withoutClosingsOfUndoneEnds(found.events)
    return found
  }

  func undoable(_ found: Found) throws(StoreError) -> Undoable {
    var undoable = Undoable(try takebacks(found.events, besides: found.ends))
    (undoable.rest, undoable.ends) = (found.rest, found.ends)
    return undoable
  }

  /// The events with the data that their undo or redo needs.
  ///
  /// - Parameters:
  ///   - ends: the ends of periods among all events of the step.
  ///   - step: the first event of the step, if earlier pieces of it are recorded already.
  public func takebacks(
    _ events: [Event], besides ends: Set<Int64> = [], since step: Int64 = .max
  ) throws(StoreError) -> [Change.Takeback] {
    var span: ClosedRange<Int64>?
    return try events.enumerated().map { index, event throws(StoreError) in
      // An import repeats the undos that people made elsewhere.
      if !isImporting, span?.contains(event.sequence) != true { span = try importSpan(holding: event.sequence) }
      return Change.Takeback(
        event, reviving: event.presence == .disappeared ? try removed(event.counter) : nil,
        ofPeriodEnding: try endOfPeriod(
          toCloseAfterUndoOf: event, besides: ends, since: step,
          near: Array(events[max(0, index - 1)..<min(events.count, index + 2)])),
        isOfImport: !isImporting && (span != nil || event.marks.contains(.ofImport)))
    }
  }

  private func removed(_ id: Counter.ID) throws(StoreError) -> Entity? {
    try statements.counter.rows(.integer(id.number)) { row throws(StoreError) in CounterRow.entity(row) }.first
  }
}
