public import Counting

extension JournalReader {
  /// The time from which the value at `time` was counted: the creation of the counter, its last reset, the start of its
  /// period, or the earliest count in the value, if that is earlier.
  public func beginning(of counter: Counter, at time: Int64, in ledger: Ledger) throws(StoreError) -> Int64? {
    let (began, start) = try began(counter, at: time)
    guard let began else { return nil }
    let period = ledger.start(of: counter, endingAt: time.clampedSum(1_000_000))
    guard began > time else {
      return try earliestCount(of: counter.id, since: start, of: period, before: began) ?? began
    }
    let (end, last) = (time.clampedSum(1), try lastSequence())
    // Only counts that were entered later belong to a period before the counter's first one.
    if let period,
      let late = try earliestCount(
        of: counter.id, since: nil, from: period, of: period, before: end, ofEndedPeriods: true),
      try earliest(of: counter.id, from: late, until: late + 1, in: 1...last, ofEndedPeriods: false) == nil
    {
      return late
    }
    return try earliestCount(of: counter.id, since: start, of: period, before: end) ?? began
  }

  /// The time of the earliest count in the value of a counter, if it is earlier than `began`.
  ///
  /// - Parameters:
  ///   - period: the start of the current period.
  ///   - began: the time of the event that set the value to its start.
  func earliestCount(of counter: Counter, in period: Int64?, before began: Int64) throws(StoreError) -> Int64? {
    let start = try self.began(counter, at: .max).start
    return try earliestCount(of: counter.id, since: start, of: period, before: began)
  }

  /// - Parameters:
  ///   - first: the earliest time of the search.
  ///   - ofEndedPeriods: whether counts that were recorded for a period that had ended are among them.
  private func earliestCount(
    of counter: Counter.ID, since start: Int64?, from first: Int64 = .min, of period: Int64?, before began: Int64,
    ofEndedPeriods: Bool = false
  ) throws(StoreError) -> Int64? {
    let last = try lastSequence()
    guard last >= 1 else { return nil }
    func earliest(from start: Int64, until end: Int64, in range: ClosedRange<Int64>) throws(StoreError) -> Int64? {
      try self.earliest(of: counter, from: start, until: end, in: range, ofEndedPeriods: ofEndedPeriods)
    }
    // Rollups contain the counts from before a reset as well.
    if let start {
      return start < last ? try earliest(from: first, until: began, in: start + 1...last) : nil
    }
    let learned = try past.learnedSince.number(.integer(counter.number), .integer(period ?? .min))
    let began = learned.map { min($0, began) } ?? began
    let known = learned == began ? learned : nil
    let fresh = try past.rollups.count() * Rollups.blockSize
    let late = fresh < last ? try earliest(from: first, until: began, in: fresh + 1...last) : nil
    guard fresh > 0 else { return late ?? known }
    var quarters = try past.quartersBetween.rows(
      .integer(counter.number), .integer(QuarterHour.number(of: first)), .integer(QuarterHour.number(of: began))
    ) { row throws(StoreError) in row.integer(0) }[...]
    while let quarter = quarters.popFirst(), QuarterHour.start(quarter) < late ?? began {
      let end = min(QuarterHour.start(quarter.clampedSum(1)), late ?? began)
      if let time = try earliest(from: max(first, QuarterHour.start(quarter)), until: end, in: 1...fresh) {
        return time
      }
      // A counter whose earliest count is of an ended period had periods then.
      if let period, !ofEndedPeriods { quarters = quarters.drop { $0 < QuarterHour.number(of: period) } }
    }
    return late ?? known
  }

  /// The earliest time of a standing count in a range of times and of sequence numbers.
  ///
  /// - Parameter ofEndedPeriods: whether counts that were recorded for a period that had ended are among them.
  private func earliest(
    of counter: Counter.ID, from start: Int64, until end: Int64, in range: ClosedRange<Int64>, ofEndedPeriods: Bool
  ) throws(StoreError) -> Int64? {
    var found: Int64?
    let filter = EventFilter(counters: [counter], from: start, until: end)
    _ = try past.countSearch.each(filter, in: range, .forwards, limit: .max, isBounded: false) {
      row throws(StoreError) in
      let time = row.integer(1)
      guard row.integer(3) != 0, Event.Kind(rawValue: row.text(2))?.isCount == true, time < found ?? end,
        try stands(row.integer(0))
      else { return }
      if !ofEndedPeriods, try isOfEndedPeriod(row.integer(0), of: counter) { return }
      found = time
    }
    return found
  }

  /// Whether a count was recorded for a period that had ended, which the next event closed again.
  private func isOfEndedPeriod(_ count: Int64, of counter: Counter.ID) throws(StoreError) -> Bool {
    try past.closing.number(.integer(count + 1), .integer(counter.number)) != nil
  }

  /// The time from which a counter counted at `time`, and the sequence number of the last event before `time` that set
  /// the value to the start; `nil` for none. Undone events are left out.
  private func began(
    _ counter: Counter, at time: Int64
  ) throws(StoreError) -> (time: Int64?, start: Int64?) {
    var (began, isKnown) = (counter.began, false)
    let start = try past.starts.first([.integer(counter.id.number)]) { row throws(StoreError) -> Int64? in
      let sequence = row.integer(0)
      let stands = row.integer(1) <= time ? try stands(sequence) : false
      if !isKnown { (began, isKnown) = (row.optionalInteger(stands ? 3 : 2), stands) }
      return stands && row.integer(4) != 0 ? sequence : nil
    }
    return (began, start)
  }
}
