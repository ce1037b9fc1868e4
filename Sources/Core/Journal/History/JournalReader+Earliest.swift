public import Counting

extension JournalReader {
  /// The time since which the value of a counter had been counted at a time: that of its creation, its last reset or the
  /// start of its period, or of the earliest count in the value if that is earlier.
  public func beginning(of counter: Counter, at time: Int64, in ledger: Ledger) throws(StoreError) -> Int64? {
    var then = counter
    let start = try start(of: counter.id, at: time) { then.began = $0 }
    if let start { then.began = start.time }
    then.renewsAt = nil
    guard let began = then.began else { return nil }
    return try earliestCount(of: counter.id, since: start?.sequence, before: began, at: time) {
      !ledger.isOfEndedPeriod(then, at: $0)
    } ?? began
  }

  /// The time of the earliest count in the value of a counter, if it is earlier than `began`.
  ///
  /// - Parameters:
  ///   - began: the time of the event that set the value to its start.
  ///   - isIn: whether a count at a time is in the value.
  func earliestCount(of counter: Counter.ID, before began: Int64, isIn: (Int64) -> Bool) throws(StoreError) -> Int64? {
    let start = try start(of: counter, at: .max) { _ in }
    return try earliestCount(of: counter, since: start?.sequence, before: began, at: .max, isIn: isIn)
  }

  private func earliestCount(
    of counter: Counter.ID, since start: Int64?, before began: Int64, at moment: Int64, isIn: (Int64) -> Bool
  ) throws(StoreError) -> Int64? {
    let last = try lastSequence()
    guard last >= 1 else { return nil }
    func earliest(from start: Int64, until end: Int64, in range: ClosedRange<Int64>) throws(StoreError) -> Int64? {
      var found: Int64?
      let filter = EventFilter(counters: [counter], from: start, until: end)
      _ = try past.countSearch.each(filter, in: range, .forwards, limit: .max, isBounded: false) {
        row throws(StoreError) in
        let time = row.integer(1)
        guard row.integer(3) != 0, Event.Kind(rawValue: row.text(2))?.isCount == true, time < found ?? end, isIn(time),
          try stands(row.integer(0), at: moment)
        else { return }
        found = time
      }
      return found
    }
    // Rollups contain the counts from before a reset as well.
    if let start {
      return start < last ? try earliest(from: .min, until: began, in: start + 1...last) : nil
    }
    let fresh = try past.rollups.count() * Rollups.blockSize
    let late = fresh < last ? try earliest(from: .min, until: began, in: fresh + 1...last) : nil
    guard fresh > 0 else { return late }
    var quarters = try past.quartersUntil.rows(.integer(counter.number), .integer(QuarterHour.number(of: began))) {
      row throws(StoreError) in row.integer(0)
    }[...]
    while let quarter = quarters.popFirst(), QuarterHour.start(quarter) < late ?? began {
      let end = min(QuarterHour.start(quarter.clampedSum(1)), late ?? began)
      if let time = try earliest(from: QuarterHour.start(quarter), until: end, in: 1...fresh) { return time }
    }
    return late
  }

  /// The last reset or end of a period of a counter up to a time that was not undone then; `nil` for none.
  ///
  /// - Parameter passing: called for each later or undone one, with the start of the counting before it.
  private func start(
    of counter: Counter.ID, at time: Int64, passing: (Int64?) -> Void
  ) throws(StoreError) -> (sequence: Int64, time: Int64)? {
    try past.starts.first([.integer(counter.number)]) { row throws(StoreError) in
      let start = (sequence: row.integer(0), time: row.integer(1))
      if start.time <= time, try stands(start.sequence, at: time) { return start }
      passing(row.optionalInteger(2))
      return nil
    }
  }
}
