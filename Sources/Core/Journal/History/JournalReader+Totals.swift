public import Counting

extension JournalReader {
  /// The totals of the intervals between the times `bounds`, in ascending order. The lower bound of an interval is
  /// included, the upper one excluded.
  ///
  /// - Parameter counters: `nil` for all. Stopwatches are left out unless all are stopwatches; their runs are spread
  ///   over the time in which they ran.
  /// - Parameter isOwn: whether counts of other stations are left out. Otherwise the other stations' counts of a
  ///   quarter hour are counted at its start.
  /// - Returns: the totals and their unit.
  public func totals(
    of counters: Set<Counter.ID>?, between bounds: [Int64], now: Now, isOwn: Bool = false
  ) throws(StoreError) -> (unit: Unit, totals: [Totals]) {
    let scale = try scale(of: counters)
    var totals = Array(repeating: Totals(), count: max(0, bounds.count - 1))
    if scale.unit == .time, let counters {
      let runs = try runs(of: counters, from: bounds.first ?? .max, until: bounds.last ?? .min, now: now)
      runs.eachTotal(between: bounds) { _, stretch, other in totals[stretch].include(other) }
      return (scale.unit, totals)
    }
    let factors = Self.factors(of: counters, scale)
    try eachTotal(of: counters, factors, scale.factor(of:), between: bounds) {
      _, stretch, other in totals[stretch].include(other)
    }
    if !isOwn { try eachLearned(of: factors, between: bounds) { totals[$1].include($2) } }
    return (scale.unit, totals)
  }

  /// The totals of each of several counters separately, in its unit. Counters without counts are missing.
  public func totals(
    ofEach counters: Set<Counter.ID>, between bounds: [Int64], now: Now, isOwn: Bool = false
  ) throws(StoreError) -> [Counter.ID: [Totals]] {
    var totals: [Int64: [Totals]] = [:]
    let none = Array(repeating: Totals(), count: max(0, bounds.count - 1))
    func include(_ counter: Int64, _ stretch: Int, _ other: Totals) {
      totals[counter, default: none][stretch].include(other)
    }
    let stopwatches = try stopwatches(among: counters)
    try runs(of: stopwatches, from: bounds.first ?? .max, until: bounds.last ?? .min, now: now)
      .eachTotal(between: bounds, include)
    let others = counters.subtracting(stopwatches)
    let factors = Dictionary(uniqueKeysWithValues: others.map { ($0.number, Int64(1)) })
    try eachTotal(of: others, factors, { _ in 1 }, between: bounds, include)
    if !isOwn { try eachLearned(of: factors, between: bounds, include) }
    return Dictionary(uniqueKeysWithValues: totals.map { (Counter.ID($0), $1) })
  }

  /// Calls the body for all counts between `bounds`, with the counter (or the key of all counters) and the index of the
  /// interval. Whole quarter hours come from rollups; single events are only read for quarter hours that contain a
  /// bound.
  private func eachTotal(
    of counters: Set<Counter.ID>?, _ factors: [Int64: Int64], _ factor: (Int64) -> Int64, between bounds: [Int64],
    _ each: (Int64, Int, Totals) -> Void
  ) throws(StoreError) {
    guard let first = bounds.first, let last = bounds.last, bounds.count > 1, first < last else { return }
    func add(_ counter: Int64, _ other: Totals, at time: Int64) {
      if let stretch = Self.stretch(holding: time, in: bounds) { each(counter, stretch, other) }
    }
    let cut = CutQuarters(bounds)
    if !cut.isEmpty {
      let holds: (Int64, Int64) -> Bool = { cut.overlap($0, $1) }
      try eachCount(of: counters, factor, from: max(first, cut.start), until: min(last, cut.end), mayHold: holds) {
        add($0, $1, at: $2)
      }
    }
    let (start, end) = (Self.quarterStart(notBefore: first), QuarterHour.start(QuarterHour.number(of: last)))
    guard start < end else { return }
    try eachQuarter(of: factors, from: start, until: end) { counter, number, summary in
      if !cut.contains(number) { add(counter, summary.totals, at: QuarterHour.start(number)) }
    }
  }

  /// The quarter hours that contain a bound which is not their start.
  private struct CutQuarters {
    /// The numbers in ascending order, without duplicates.
    private let numbers: [Int64]

    init(_ bounds: [Int64]) {
      var numbers: [Int64] = []
      for bound in bounds where !QuarterHour.begins(at: bound) {
        let number = QuarterHour.number(of: bound)
        if numbers.last != number { numbers.append(number) }
      }
      self.numbers = numbers
    }

    /// - Parameter numbers: in ascending order, without duplicates.
    init(numbers: [Int64]) { self.numbers = numbers }

    var isEmpty: Bool { numbers.isEmpty }
    var start: Int64 { numbers.first.map(QuarterHour.start) ?? .max }
    var end: Int64 { numbers.last.map { QuarterHour.start($0.clampedSum(1)) } ?? .min }

    func contains(_ number: Int64) -> Bool {
      let index = firstIndex(notBefore: number)
      return index < numbers.count && numbers[index] == number
    }

    /// Whether any of the quarter hours contains a time from `earliest` to `latest`.
    func overlap(_ earliest: Int64, _ latest: Int64) -> Bool {
      let index = firstIndex(notBefore: QuarterHour.number(of: earliest))
      return index < numbers.count && numbers[index] <= QuarterHour.number(of: latest)
    }

    private func firstIndex(notBefore number: Int64) -> Int { numbers.partitioningIndex { $0 >= number } }
  }

  /// Statistics of a time range.
  public struct Statistics: Equatable, Sendable {
    public var totals = Totals()
    public var unit = Unit.things
    /// The time of the first count.
    public var first: Int64?
    /// The time of the last count.
    public var last: Int64?
    /// The busiest 60 minutes that start at a quarter hour and have no row of a day: their start and totals.
    public var busiest: (start: Int64, totals: Totals)?
    public var gap: ClosedRange<Int64>?

    public static func == (one: Statistics, other: Statistics) -> Bool {
      one.totals == other.totals && one.unit == other.unit && one.first == other.first && one.last == other.last
        && one.busiest?.start == other.busiest?.start && one.busiest?.totals == other.busiest?.totals
        && one.gap == other.gap
    }
  }

  /// The statistics from the time `start` until before `end`. Except for stopwatches, these bounds are widened to full
  /// quarter hours. Counts that were undone at any time later are left out.
  ///
  /// If the longest gap is shorter than a quarter hour, only the first 100,000 counts are searched.
  public func statistics(
    of counters: Set<Counter.ID>?, from start: Int64, until end: Int64, now: Now, isOwn: Bool = false
  ) throws(StoreError) -> Statistics {
    let scale = try scale(of: counters)
    if scale.unit == .time, let counters {
      var found = try runs(of: counters, from: start, until: end, now: now).statistics(from: start, until: end)
      if let best = found.busiest?.start, try !quartersOfDays(of: counters, hourFrom: best).isEmpty {
        found.busiest = nil
      }
      return found
    }
    var quarters: [Int64: QuarterHour.Summary] = [:]
    let last = QuarterHour.number(of: end)
    let upper = QuarterHour.begins(at: end) ? end : QuarterHour.start(last.clampedSum(1))
    let factors = Self.factors(of: counters, scale)
    try eachQuarter(of: factors, from: QuarterHour.start(QuarterHour.number(of: start)), until: upper) {
      _, number, summary in
      quarters[number, default: .init()].include(summary)
    }
    try leaveOutUndone(of: counters, scale, from: start, until: upper, &quarters)
    var learned: Set<Int64> = []
    if !isOwn {
      try eachLearned(of: factors, from: QuarterHour.number(of: start), until: QuarterHour.number(of: upper)) {
        _, number, summary in
        quarters[number, default: .init()].include(summary)
        if summary.totals != Totals() { learned.insert(number) }
      }
      // A fleet that began to count here dropped all counts of these quarter hours.
      for number in learned where quarters[number]?.totals == Totals() { quarters[number] = nil }
    }
    var found = Statistics()
    found.unit = scale.unit
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
    }
    found.busiest = Self.busiest(in: quarters)
    if let best = found.busiest?.start, try !quartersOfDays(of: counters, hourFrom: best).isEmpty {
      for number in try quartersOfDays(
        of: counters, from: QuarterHour.start(QuarterHour.number(of: start)), until: upper)
      { quarters[number] = nil }
      found.busiest = Self.busiest(in: quarters)
    }
    // The single counts of other stations are unknown.
    if learned.isEmpty, found.longest < QuarterHour.length, let first = found.first, let last = found.last, first < last
    {
      try shortGap(of: counters, scale, first...last, &found)
    }
    return found
  }

  private static func busiest(in quarters: [Int64: QuarterHour.Summary]) -> (start: Int64, totals: Totals)? {
    var found: (start: Int64, totals: Totals)?
    // The busiest hour begins with a count, unless it must end before a subtraction.
    let beginnings = Int64(quarters.values.contains { $0.totals.net < 0 } ? 3 : 0)
    for number in quarters.keys.sorted() {
      for before in 0...beginnings {
        let begin = number.clampedSum(-before)
        var hour = Totals()
        for other in begin..<begin.clampedSum(4) { if let next = quarters[other] { hour.include(next.totals) } }
        if hour.net > found?.totals.net ?? 0 { found = (QuarterHour.start(begin), hour) }
      }
    }
    return found
  }

  private func quartersOfDays(of counters: Set<Counter.ID>?, hourFrom start: Int64) throws(StoreError) -> Set<Int64> {
    try quartersOfDays(of: counters, from: start, until: start.clampedSum(4 * QuarterHour.length))
  }

  /// The quarter hours with the rows of days that imports brought, which belong to no hour.
  private func quartersOfDays(
    of counters: Set<Counter.ID>?, from start: Int64, until end: Int64
  ) throws(StoreError) -> Set<Int64> {
    let last = try lastSequence()
    guard last >= 1 else { return [] }
    var found: Set<Int64> = []
    let filter = EventFilter(
      counters: counters, producer: Cause.importer, gesture: Cause.gestureOfDay, from: start, until: end)
    _ = try past.countSearch.each(filter, in: 1...last, .forwards, limit: .max, isBounded: false) {
      row throws(StoreError) in
      if try stands(row.integer(0)) { found.insert(QuarterHour.number(of: row.integer(1))) }
    }
    return found
  }

  /// Replaces the times of first and last counts that were undone. Rollups have the times of all counts, undone ones
  /// included, so single counts are read for the quarter hours that begin or end with an undone one.
  func leaveOutUndone(
    of counters: Set<Counter.ID>?, _ scale: UnitScale, from start: Int64, until end: Int64,
    _ quarters: inout [Int64: QuarterHour.Summary]
  ) throws(StoreError) {
    var found = quarters
    var numbers: Set<Int64> = []
    let from = QuarterHour.start(QuarterHour.number(of: start))
    _ = try past.undoneCounts.each([.integer(from), .integer(end)]) { row throws(StoreError) in
      let time = row.integer(1)
      let number = QuarterHour.number(of: time)
      guard !numbers.contains(number), let summary = found[number], summary.first == time || summary.last == time,
        counters?.contains(.init(row.integer(2))) ?? true, scale.factor(of: row.integer(2)) > 0,
        try !stands(row.integer(0))
      else { return }
      numbers.insert(number)
    }
    guard !numbers.isEmpty else { return }
    for number in numbers {
      found[number]?.first = nil
      found[number]?.last = nil
    }
    let cut = CutQuarters(numbers: numbers.filter { found[$0]?.totals.counts != 0 }.sorted())
    if !cut.isEmpty {
      let holds: (Int64, Int64) -> Bool = { cut.overlap($0, $1) }
      try eachCount(of: counters, scale.factor(of:), from: cut.start, until: cut.end, mayHold: holds) { _, _, time in
        var moment = QuarterHour.Summary()
        (moment.first, moment.last) = (time, time)
        found[QuarterHour.number(of: time)]?.include(moment)
      }
    }
    quarters = found
  }

  /// Searches for a gap that lies within one quarter hour.
  private func shortGap(
    of counters: Set<Counter.ID>?, _ scale: UnitScale, _ range: ClosedRange<Int64>, _ found: inout Statistics
  ) throws(StoreError) {
    var moments: [Int64] = []
    try eachCount(
      of: counters, scale.factor(of:), from: range.lowerBound, until: range.upperBound.clampedSum(1), limit: 100_000
    ) { _, _, time in moments.append(time) }
    moments.sort()
    for (before, after) in zip(moments, moments.dropFirst()) where after.clampedDistance(from: before) > found.longest {
      found.gap = before...after
    }
  }

  // MARK: Reading

  /// The interval of `bounds` that contains a time.
  static func stretch(holding time: Int64, in bounds: [Int64]) -> Int? {
    let next = bounds.partitioningIndex { $0 > time }
    return next >= 1 && next < bounds.count ? next - 1 : nil
  }

  private static func quarterStart(notBefore time: Int64) -> Int64 {
    QuarterHour.begins(at: time) ? time : QuarterHour.start(QuarterHour.number(of: time).clampedSum(1))
  }

  /// The keys of the rollups of the counters, and the factors to convert their numbers to the unit.
  private static func factors(of counters: Set<Counter.ID>?, _ scale: UnitScale) -> [Int64: Int64] {
    counters.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.number, scale.factor(of: $0.number)) }) }
      ?? Dictionary(uniqueKeysWithValues: (0...9).map { (QuarterHour.all(decimals: $0), scale.factor(ofAllWith: $0)) })
  }

  /// Calls the body for the whole quarter hours between two times with counts; a quarter hour may occur several times.
  func eachQuarter(
    of factors: [Int64: Int64], from start: Int64, until end: Int64, _ each: (Int64, Int64, QuarterHour.Summary) -> Void
  ) throws(StoreError) {
    let numbers = QuarterHour.number(of: start)..<max(QuarterHour.number(of: start), QuarterHour.number(of: end))
    func add(_ summary: QuarterHour.Summary, of counter: Int64, to number: Int64, _ factor: Int64) {
      var summary = summary
      summary.totals = summary.totals.scaled(by: factor)
      each(counter, number, summary)
    }
    for (counter, factor) in factors where factor > 0 {
      _ = try past.quarters.each([.integer(counter), .integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
        row throws(StoreError) in add(QuarterHour.Summary(row, from: 1), of: counter, to: row.integer(0), factor)
      }
    }
    // Events without a rollup are read one by one. They may also undo an old count.
    let fresh = try past.rollups.count() * Rollups.blockSize
    let events = try past.freshEvents.rows(.integer(fresh)) { row throws(StoreError) in EventRow(row) }
    for (key, summary) in try past.rollups.quarters(of: events) where numbers.contains(key.number) {
      if let factor = factors[key.counter], factor > 0 { add(summary, of: key.counter, to: key.number, factor) }
    }
  }

  /// Calls the body for the effective counts between two times, with the counter and the time of the count.
  ///
  /// - Parameter mayHold: whether to read events between two times.
  func eachCount(
    of counters: Set<Counter.ID>?, _ factor: (Int64) -> Int64, from start: Int64, until end: Int64,
    limit: Int64 = .max, mayHold: ((Int64, Int64) -> Bool)? = nil, _ each: (Int64, Totals, Int64) -> Void
  ) throws(StoreError) {
    let last = try lastSequence()
    guard last >= 1 else { return }
    let filter = EventFilter(counters: counters, from: start, until: end)
    _ = try past.countSearch.each(
      filter, in: 1...last, .forwards, limit: limit, isBounded: false, mayHold: mayHold
    ) { row throws(StoreError) in
      let (counter, time) = (row.integer(4), row.integer(1))
      let factor = factor(counter)
      guard mayHold?(time, time) ?? true, let kind = Event.Kind(rawValue: row.text(2)), kind.isCount, factor > 0,
        row.integer(3) != 0
      else { return }
      let change = Int128(row.integer(3)) * Int128(factor)
      guard try stands(row.integer(0)) else { return }
      let totals =
        kind == .subtracted
        ? Totals(counts: 1, exactAdded: 0, exactSubtracted: -change) : Totals(counts: 1, exactAdded: change)
      each(counter, totals, time)
    }
  }

  /// Whether an event is not undone, or was redone.
  public func stands(_ sequence: Int64) throws(StoreError) -> Bool { try lastLink(of: sequence).stands }

  /// The last event of the chain of undos and redos that begins with an event, and whether the event is in effect after it.
  func lastLink(of sequence: Int64) throws(StoreError) -> (stands: Bool, sequence: Int64) {
    var (stands, link) = (true, sequence)
    while let next = try past.takenBackBy.number(.integer(link)) { (stands, link) = (!stands, next) }
    return (stands, link)
  }
}

extension JournalReader.Statistics {
  fileprivate var longest: Int64 { gap.map { $0.upperBound.clampedDistance(from: $0.lowerBound) } ?? 0 }
}
