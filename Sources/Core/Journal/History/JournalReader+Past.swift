public import Counting

extension JournalReader {
  /// The values of counters at a time in microseconds since 1970, as they are known now: counts that were entered later
  /// are included, and events that were undone since are not. Counters that did not exist yet are missing. The value of
  /// a stopwatch includes its run at that time.
  public func values(of counters: [Counter.ID], at time: Int64, now: Now) throws(StoreError) -> [Counter.ID: Int64] {
    var values = try bookedValues(of: counters, at: time)
    for run in try runs(of: stopwatches(among: Set(counters)), at: time, now: now) {
      let (stopwatch, part) = (Counter.ID(run.counter), run.totals(from: .min, until: time))
      values[stopwatch] = values[stopwatch]?.clampedSum(part?.added ?? 0)
    }
    return values
  }

  /// The value of a counter at the end of a period, late counts included.
  func value(of counter: Counter, endingAt end: Int64) throws(StoreError) -> Int128 {
    var value = Int128(counter.start)
    try eachEnding(of: counter.id, after: end &- 1, until: end) { event, _ in
      // The first event closed the period, the others closed it again.
      value = (event.closesEndedPeriod ? value : Int128(event.value)) - Int128(event.change)
    }
    return value
  }

  /// Calls the body for the events that closed a period of a counter after `start` and until `end`, also for those that
  /// closed a period again after a late count. Undone events are left out.
  ///
  /// - Parameter body: receives the event and `latest`, the event that an undo must name: the last redo of the event,
  ///   or the event itself.
  func eachEnding(
    of counter: Counter.ID, after start: Int64, until end: Int64, _ body: (Event, _ latest: Int64) -> Void
  ) throws(StoreError) {
    let last = try lastSequence()
    guard last >= 1 else { return }
    let filter = EventFilter(counters: [counter], from: start.clampedSum(1), until: end.clampedSum(1))
    _ = try past.eventSearch.each(filter, in: 1...last, .forwards, limit: .max, isBounded: false) {
      row throws(StoreError) in
      let event = try event(row)
      guard event.kind == .renewed else { return }
      let (stands, latest) = try lastLink(of: event.sequence)
      if stands { body(event, latest) }
    }
  }

  /// The values without the runs that had not ended.
  private func bookedValues(of counters: [Counter.ID], at time: Int64) throws(StoreError) -> [Counter.ID: Int64] {
    let cut = try cut(at: time)
    let shifted = try shifted(of: counters, at: time)
    let fresh = Dictionary(grouping: try freshChanges(), by: { $0.counter })
    var values: [Counter.ID: Int64] = [:]
    for counter in counters {
      let first = try past.firstEvent.rows(.integer(counter.number)) { row throws(StoreError) -> First in
        (time: row.integer(0), before: row.integer(1) &- row.integer(2))
      }
      guard let first = first.first ?? fresh[counter.number]?.first.map({ ($0.time, $0.value &- $0.change) }) else {
        continue
      }
      var isThere = first.time <= time
      var value = Int128(first.before)
      func makesAppear(_ changes: [Change]) throws(StoreError) -> Bool {
        for change in changes where try stands(change.sequence) { return true }
        return false
      }
      let known = try past.valueUntil.rows(.integer(counter.number), .integer(cut.sequence)) {
        row throws(StoreError) in (value: row.integer(0), time: row.integer(1), sequence: row.integer(2))
      }
      if let known = known.first {
        value = Int128(known.value)
        if !isThere, known.time <= time { isThere = try stands(known.sequence) }
      }
      for range in cut.early {
        for change in try changes(of: counter, range, from: time.clampedSum(1), until: .max) {
          value -= Int128(change.amount)
        }
        // An event may have been added with a time before the creation of its counter.
        if !isThere { isThere = try makesAppear(changes(of: counter, range, from: .min, until: time.clampedSum(1))) }
      }
      for range in cut.late {
        let changes = try changes(of: counter, range, from: .min, until: time.clampedSum(1))
        for change in changes { value += Int128(change.amount) }
        if !isThere { isThere = try makesAppear(changes) }
      }
      for event in fresh[counter.number, default: []] where event.time <= time {
        value += Int128(event.change)
        if !isThere { isThere = try stands(event.sequence) }
      }
      value += shifted[counter.number] ?? 0
      if isThere { values[counter] = Int64(clamping: value) }
    }
    return values
  }

  private typealias First = (time: Int64, before: Int64)

  /// The changes by events without a block.
  private func freshChanges() throws(StoreError) -> [FreshChange] {
    try past.freshChanges.rows(.integer(try past.rollups.count() * Rollups.blockSize)) { row throws(StoreError) in
      (row.integer(0), row.integer(1), row.integer(2), row.integer(3), row.integer(4))
    }
  }

  private typealias FreshChange = (counter: Int64, time: Int64, change: Int64, value: Int64, sequence: Int64)

  /// A correction for the value of each counter at a time: an undo or a redo has its effect at the time of the event
  /// that it undid or redid.
  private func shifted(of counters: [Counter.ID], at time: Int64) throws(StoreError) -> [Int64: Int128] {
    // An undo matters only if either the undo or the undone event is later than `time`, so no event before the first
    // later one matters.
    let block = try past.firstBlockAfter.rows(.integer(time)) { row throws(StoreError) in row.optionalInteger(0) }
    let blocks = try past.rollups.count()
    let start = Rollups.sequences(of: block.first.flatMap(\.self) ?? blocks).lowerBound
    guard let later = try past.firstEventAfter.number(.integer(start), .integer(time)) else { return [:] }
    var sums: [Int64: Int128] = [:]
    _ = try past.undosSince.each([.integer(later), .init(counters)]) { row throws(StoreError) in
      let undo = EventRow(row)
      let isEarlier = try past.rollups.origin(of: undo).time <= time
      if isEarlier != (undo.time <= time) {
        sums[undo.counter, default: 0] += isEarlier ? Int128(undo.change) : -Int128(undo.change)
      }
    }
    return sums
  }

  /// Divides the events at a time: nearly all before `sequence` are earlier, nearly all after it later. Exceptions come
  /// from clocks that were set and from late counts.
  private struct Cut {
    var sequence: Int64 = 0
    /// Blocks before the cut that may contain events later than the time.
    var early: [ClosedRange<Int64>] = []
    /// Blocks after the cut that may contain events earlier than the time.
    var late: [ClosedRange<Int64>] = []
  }

  private func cut(at time: Int64) throws(StoreError) -> Cut {
    // The cut is chosen so that the fewest blocks are read.
    var (balance, best, cut) = (Int64(0), Int64(0), Int64(0))
    _ = try past.blocks.each([]) { row throws(StoreError) in
      if row.integer(2) > time { balance += 1 }
      if row.integer(1) <= time { balance -= 1 }
      if balance <= best { (best, cut) = (balance, row.integer(0) + 1) }
    }
    var found = Cut(sequence: cut * Rollups.blockSize)
    _ = try past.blocksAcross.each([.integer(cut), .integer(time)]) { row throws(StoreError) in
      let range = Rollups.sequences(of: row.integer(0))
      if row.integer(0) < cut { found.early.append(range) } else { found.late.append(range) }
    }
    return found
  }

  private typealias Change = (amount: Int64, sequence: Int64)

  private func changes(of counter: Counter.ID, _ range: ClosedRange<Int64>, from: Int64, until: Int64)
    throws(StoreError) -> [Change]
  {
    try past.changesBetween.rows(
      .integer(counter.number), .integer(range.lowerBound), .integer(range.upperBound), .integer(from), .integer(until)
    ) { row throws(StoreError) in (row.integer(0), row.integer(1)) }
  }
}
