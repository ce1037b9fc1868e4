public import Counting

extension CounterStore {
  /// How counters stood at a moment, in microseconds since 1970, as the events tell now: what was added after the fact
  /// is in it, what was undone later is, too. A counter that was not there yet is missing.
  public func values(of counters: [Counter.ID], at time: Int64, in ledger: Ledger) throws(StoreError)
    -> [Counter.ID: Int64]
  {
    try flush(ledger)
    let cut = try cut(at: time, last: ledger.lastSequence)
    var values: [Counter.ID: Int64] = [:]
    for counter in counters {
      let first = try past.firstEvent.rows(.integer(counter.number)) { row throws(StoreError) in
        (time: row.integer(0), before: row.integer(1) &- row.integer(2))
      }
      guard let first = first.first else { continue }
      var isThere = first.time <= time
      var value = first.before
      let known = try past.valueUntil.rows(.integer(counter.number), .integer(cut.sequence)) {
        row throws(StoreError) in (value: row.integer(0), time: row.integer(1))
      }
      if let known = known.first {
        value = known.value
        isThere = isThere || known.time <= time
      }
      for range in cut.early {
        for change in try changes(of: counter, range, from: time.clampedSum(1), until: .max) { value &-= change }
        // Something may be added after the fact for a time before the counter was made.
        if !isThere { isThere = try !changes(of: counter, range, from: .min, until: time.clampedSum(1)).isEmpty }
      }
      for range in cut.late {
        for change in try changes(of: counter, range, from: .min, until: time.clampedSum(1)) {
          value &+= change
          isThere = true
        }
      }
      if isThere { values[counter] = value }
    }
    return values
  }

  /// An event such that nearly all events up to it were before a moment and nearly all others after it, and where the
  /// exceptions lie: clocks are set, and events are added after the fact.
  private struct Cut {
    var sequence: Int64 = 0
    /// What lies before the cut and may be later than the moment.
    var early: [ClosedRange<Int64>] = []
    /// What lies behind the cut and may be earlier.
    var late: [ClosedRange<Int64>] = []
  }

  private func cut(at time: Int64, last: Int64) throws(StoreError) -> Cut {
    // The cut is put where the fewest blocks must be read.
    var (balance, best, cut) = (Int64(0), Int64(0), Int64(0))
    _ = try past.blocks.each([]) { row throws(StoreError) in
      if row.integer(2) > time { balance += 1 }
      if row.integer(1) <= time { balance -= 1 }
      if balance <= best { (best, cut) = (balance, row.integer(0) + 1) }
    }
    var found = Cut(sequence: cut * Summaries.blockSize)
    _ = try past.blocksAcross.each([.integer(cut), .integer(time)]) { row throws(StoreError) in
      let range = Summaries.sequences(of: row.integer(0))
      if row.integer(0) < cut { found.early.append(range) } else { found.late.append(range) }
    }
    let fresh = try past.summaries.count() * Summaries.blockSize + 1
    if fresh <= last { found.late.append(fresh...last) }
    return found
  }

  private func changes(of counter: Counter.ID, _ range: ClosedRange<Int64>, from: Int64, until: Int64)
    throws(StoreError) -> [Int64]
  {
    try past.changesBetween.rows(
      .integer(counter.number), .integer(range.lowerBound), .integer(range.upperBound), .integer(from), .integer(until)
    ) { row throws(StoreError) in row.integer(0) }
  }
}
