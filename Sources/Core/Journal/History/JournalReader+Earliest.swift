import Counting

extension JournalReader {
  /// The time of the earliest count in the value of a counter, if it is earlier than `began`.
  ///
  /// - Parameters:
  ///   - began: the time of the event that set the value to its start.
  ///   - isIn: whether a count of a time is in the value.
  func earliestCount(of counter: Counter.ID, before began: Int64, isIn: (Int64) -> Bool) throws(StoreError) -> Int64? {
    let last = try lastSequence()
    guard last >= 1 else { return nil }
    func earliest(from start: Int64, until end: Int64, in range: ClosedRange<Int64>) throws(StoreError) -> Int64? {
      var found: Int64?
      let filter = EventFilter(counters: [counter], from: start, until: end)
      _ = try past.countSearch.each(filter, in: range, .forwards, limit: .max, isBounded: false) {
        row throws(StoreError) in
        let time = row.integer(1)
        guard row.integer(3) != 0, Event.Kind(rawValue: row.text(2))?.isCount == true, time < found ?? end, isIn(time),
          try stands(row.integer(0))
        else { return }
        found = time
      }
      return found
    }
    // Rollups contain the counts from before a reset as well.
    if let start = try start(of: counter) {
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

  /// The last reset or end of a period of a counter that is not undone; `nil` for none.
  private func start(of counter: Counter.ID) throws(StoreError) -> Int64? {
    try past.starts.first([.integer(counter.number)]) { row throws(StoreError) in
      let start = row.integer(0)
      return try stands(start) ? start : nil
    }
  }
}
