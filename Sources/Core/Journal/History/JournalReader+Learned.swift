import Counting

/// The part of totals that other stations of a fleet have made.
extension JournalReader {
  /// Calls the body for the fleets' contributions to the quarter hours that start between `bounds`, with the counter
  /// and the index of the interval.
  func eachLearned(
    of factors: [Int64: Int64], between bounds: [Int64], _ each: (Int64, Int, Totals) -> Void
  ) throws(StoreError) {
    guard let first = bounds.first, let last = bounds.last, first < last else { return }
    let end = QuarterHour.number(of: last).clampedSum(1)
    try eachLearned(of: factors, from: QuarterHour.number(of: first), until: end) { counter, number, summary in
      if let stretch = Self.stretch(holding: QuarterHour.start(number), in: bounds) {
        each(counter, stretch, summary.totals)
      }
    }
  }

  /// Like the method above, for the numbers of quarter hours from `first` up to, but not including, `end`.
  func eachLearned(
    of factors: [Int64: Int64], from first: Int64, until end: Int64, _ each: (Int64, Int64, QuarterHour.Summary) -> Void
  ) throws(StoreError) {
    for (key, factor) in factors where factor > 0 {
      let (statement, number) = key > 0 ? (past.learned, key) : (past.learnedOfAll, -key)
      _ = try statement.each([.integer(number), .integer(first), .integer(end)]) { row throws(StoreError) in
        var summary = QuarterHour.Summary(row, from: 1)
        summary.totals = summary.totals.scaled(by: factor)
        each(key, row.integer(0), summary)
      }
    }
  }

  /// The times of the first and the last count of a counter in a quarter hour that was made here and is not undone;
  /// `nil` for none.
  func ownTimes(of counter: Counter.ID, in quarter: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    var times: ClosedRange<Int64>?
    let factor = { (_: Int64) in Int64(1) }
    try eachCount(
      of: [counter], factor, from: QuarterHour.start(quarter), until: QuarterHour.start(quarter.clampedSum(1))
    ) { _, _, time in times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time) }
    return times
  }

  /// The quarter hours of the events of a counter in this journal.
  func ownQuarters(of counter: Counter.ID) throws(StoreError) -> [Int64: QuarterHour.Summary] {
    var quarters: [Int64: QuarterHour.Summary] = [:]
    try eachQuarter(of: [counter.number: 1], from: .min, until: .max) { _, number, summary in
      quarters[number, default: .init()].include(summary)
    }
    return quarters
  }
}
