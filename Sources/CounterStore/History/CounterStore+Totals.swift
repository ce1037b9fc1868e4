public import Counting

extension CounterStore {
  /// What was counted between each two of the moments `bounds`, which are in ascending order: the first one belongs to
  /// the stretch, the second one to the next.
  ///
  /// - Parameter counters: `nil` for all that count things. Stopwatches are left out unless there are no others.
  /// - Returns: what was counted, and in which unit.
  public func totals(of counters: Set<Counter.ID>?, between bounds: [Int64], in ledger: Ledger) throws(StoreError)
    -> (unit: Unit, totals: [Totals])
  {
    try flush(ledger)
    let measure = try measure(of: counters)
    return (measure.unit, try totals(of: counters, measure, between: bounds))
  }

  private func totals(of counters: Set<Counter.ID>?, _ measure: Measure, between bounds: [Int64]) throws(StoreError)
    -> [Totals]
  {
    var totals = Array(repeating: Totals(), count: max(0, bounds.count - 1))
    guard let first = bounds.first, let last = bounds.last, bounds.count > 1, first < last else { return totals }
    func add(_ other: Totals, at time: Int64) {
      guard let index = Self.stretch(holding: time, in: bounds) else { return }
      totals[index].include(other)
    }
    guard bounds.dropFirst().dropLast().allSatisfy(Quarter.begins) else {
      try eachCount(of: counters, measure, from: first, until: last) { add($0.totals, at: $1) }
      return totals
    }
    // Only what sticks out of whole quarters is counted event by event.
    let (start, end) = (Self.quarterStart(notBefore: first), Quarter.start(Quarter.number(of: last)))
    guard start < end else {
      try eachCount(of: counters, measure, from: first, until: last) { add($0.totals, at: $1) }
      return totals
    }
    if first < start { try eachCount(of: counters, measure, from: first, until: start) { add($0.totals, at: $1) } }
    try eachQuarter(of: counters, measure, from: start, until: end) { number, summary in
      add(summary.totals, at: Quarter.start(number))
    }
    if end < last { try eachCount(of: counters, measure, from: end, until: last) { add($0.totals, at: $1) } }
    return totals
  }

  /// What stands out in a stretch of time.
  public struct Statistics: Equatable, Sendable {
    public var totals = Totals()
    /// What its numbers are numbers of.
    public var unit = Unit.things
    /// When it was counted first and last.
    public var first: Int64?
    public var last: Int64?
    /// When the busiest hour began, counted from quarter to quarter, and what it holds.
    public var busiest: (start: Int64, totals: Totals)?
    /// The longest time in which nothing was counted, between two counts.
    public var gap: ClosedRange<Int64>?

    public static func == (one: Statistics, other: Statistics) -> Bool {
      one.totals == other.totals && one.unit == other.unit && one.first == other.first && one.last == other.last
        && one.busiest?.start == other.busiest?.start && one.busiest?.totals == other.busiest?.totals
        && one.gap == other.gap
    }
  }

  /// What stands out from the moment `start` until the moment `end`, which are widened to quarters of an hour.
  ///
  /// A gap of less than a quarter of an hour is looked for among the first 100,000 counts only.
  public func statistics(of counters: Set<Counter.ID>?, from start: Int64, until end: Int64, in ledger: Ledger)
    throws(StoreError) -> Statistics
  {
    try flush(ledger)
    let measure = try measure(of: counters)
    var quarters: [Int64: Quarter.Summary] = [:]
    let last = Quarter.number(of: end)
    let upper = Quarter.begins(at: end) ? end : Quarter.start(last.clampedSum(1))
    try eachQuarter(of: counters, measure, from: Quarter.start(Quarter.number(of: start)), until: upper) {
      number, summary in
      quarters[number, default: .init()].include(summary)
    }
    var found = Statistics()
    found.unit = measure.unit
    let numbers = quarters.keys.sorted()
    for number in numbers {
      guard let summary = quarters[number] else { continue }
      found.totals.include(summary.totals)
      if let first = summary.first {
        if let before = found.last, first > before, first.clampedDistance(from: before) > found.longest {
          found.gap = before...first
        }
        found.first = min(found.first ?? first, first)
      }
      if let last = summary.last { found.last = max(found.last ?? last, last) }
      var hour = Totals()
      for other in number..<number.clampedSum(4) { if let next = quarters[other] { hour.include(next.totals) } }
      if hour.counts > found.busiest?.totals.counts ?? 0 { found.busiest = (Quarter.start(number), hour) }
    }
    if found.longest < Quarter.length, let first = found.first, let last = found.last, first < last {
      try shortGap(of: counters, measure, first...last, &found)
    }
    return found
  }

  /// Looks for a gap that lies within a quarter.
  private func shortGap(
    of counters: Set<Counter.ID>?, _ measure: Measure, _ range: ClosedRange<Int64>, _ found: inout Statistics
  ) throws(StoreError) {
    var moments: [Int64] = []
    try eachCount(of: counters, measure, from: range.lowerBound, until: range.upperBound.clampedSum(1), limit: 100_000)
    {
      _, time in moments.append(time)
    }
    moments.sort()
    for (before, after) in zip(moments, moments.dropFirst()) where after.clampedDistance(from: before) > found.longest {
      found.gap = before...after
    }
  }

  // MARK: Reading

  /// Which of the stretches between `bounds` holds a moment.
  private static func stretch(holding time: Int64, in bounds: [Int64]) -> Int? {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low >= 1 && low < bounds.count ? low - 1 : nil
  }

  private static func quarterStart(notBefore time: Int64) -> Int64 {
    Quarter.begins(at: time) ? time : Quarter.start(Quarter.number(of: time).clampedSum(1))
  }

  /// Every whole quarter between two moments in which something was counted; one may come several times.
  private func eachQuarter(
    of counters: Set<Counter.ID>?, _ measure: Measure, from start: Int64, until end: Int64,
    _ each: (Int64, Quarter.Summary) -> Void
  ) throws(StoreError) {
    let numbers = Quarter.number(of: start)..<max(Quarter.number(of: start), Quarter.number(of: end))
    let factors =
      counters.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.number, measure.factor(of: $0.number)) }) }
      ?? Dictionary(uniqueKeysWithValues: (0...9).map { (Quarter.all(decimals: $0), measure.factor(ofAllWith: $0)) })
    func add(_ summary: Quarter.Summary, to number: Int64, _ factor: Int64) {
      var summary = summary
      summary.totals = summary.totals.scaled(by: factor)
      each(number, summary)
    }
    for (counter, factor) in factors where factor > 0 {
      _ = try past.quarters.each([.integer(counter), .integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
        row throws(StoreError) in add(Quarter.Summary(row, from: 1), to: row.integer(0), factor)
      }
    }
    // What is not summarised yet, which may also take back something of long ago.
    let fresh = try past.summaries.count() * Summaries.blockSize
    let events = try past.freshEvents.rows(.integer(fresh)) { row throws(StoreError) in Counted(row) }
    for (key, summary) in try past.summaries.quarters(of: events) where numbers.contains(key.number) {
      if let factor = factors[key.counter], factor > 0 { add(summary, to: key.number, factor) }
    }
  }

  /// Every count between two moments that stands, with the time at which it was made.
  private func eachCount(
    of counters: Set<Counter.ID>?, _ measure: Measure, from start: Int64, until end: Int64, limit: Int64 = .max,
    _ each: (Quarter.Summary, Int64) -> Void
  ) throws(StoreError) {
    let last = try database.integer("SELECT max(sequence) FROM event") ?? 0
    guard last >= 1 else { return }
    let filter = EventFilter(counters: counters, from: start, until: end)
    _ = try past.countSearch.each(filter, in: 1...last, .forwards, limit: limit, isBounded: false) {
      row throws(StoreError) in
      let factor = measure.factor(of: row.integer(4))
      guard let kind = Event.Kind(rawValue: row.text(2)), kind.isCount || kind.isTiming, factor > 0 else { return }
      let (time, change) = (row.integer(1), row.integer(3).clampedProduct(factor))
      guard try stands(row.integer(0)) else { return }
      var summary = Quarter.Summary()
      summary.totals = Totals(
        counts: 1, added: kind == .subtracted ? 0 : change, subtracted: kind == .subtracted ? -max(change, -.max) : 0)
      each(summary, time)
    }
  }

  /// Whether an event was not taken back, or was done again after all.
  private func stands(_ sequence: Int64) throws(StoreError) -> Bool {
    var (stands, link) = (true, sequence)
    while let next = try past.takenBackBy.rows(.integer(link), row: { row throws(StoreError) in row.integer(0) }).first
    {
      guard next > link else { break }
      (stands, link) = (!stands, next)
    }
    return stands
  }
}

extension CounterStore.Statistics {
  fileprivate var longest: Int64 { gap.map { $0.upperBound.clampedDistance(from: $0.lowerBound) } ?? 0 }
}
