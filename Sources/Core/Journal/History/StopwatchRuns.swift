public import Counting

/// The times in which stopwatches ran. The journal records a run at its end; totals spread it over its duration.
struct StopwatchRuns {
  /// A run, or an amount that was added or subtracted at one moment. All numbers are microseconds.
  struct Run: Equatable {
    let counter: Int64
    let from: Int64
    let until: Int64
    let amount: Int64

    init(of counter: Int64, at time: Int64, _ amount: Int64) {
      (self.counter, from, until, self.amount) = (counter, time, time, amount)
    }

    /// A run that ended at `time` or still lasts at `time`, after this duration.
    init(of counter: Int64, until time: Int64, lasting duration: Int64) {
      let duration = max(0, duration)
      (self.counter, from, until, amount) = (counter, time.clampedSum(-duration), time, duration)
    }

    /// The totals of the run between `start` and `end`; `nil` if the run is outside of this time.
    func totals(from start: Int64, until end: Int64) -> Totals? {
      if from >= until {
        guard start <= from, from < end else { return nil }
        return Totals(counts: 1, exactAdded: Int128(max(0, amount)), exactSubtracted: -Int128(min(0, amount)))
      }
      let (from, until) = (max(from, start), min(until, end))
      return from < until ? Totals(counts: 1, added: until.clampedDistance(from: from)) : nil
    }
  }

  /// The runs, in the order of their starts.
  let runs: [Run]

  init(_ runs: [Run]) { self.runs = runs.sorted { ($0.from, $0.until) < ($1.from, $1.until) } }

  /// Calls the body with the counter, the index of the interval, and the totals of each run in each interval between
  /// `bounds`. A run is counted in all intervals in which it ran.
  func eachTotal(between bounds: [Int64], _ each: (Int64, Int, Totals) -> Void) {
    guard let first = bounds.first else { return }
    for run in runs {
      let start = run.from < first ? 0 : JournalReader.stretch(holding: run.from, in: bounds)
      guard var index = start else { continue }
      while index + 1 < bounds.count, bounds[index] <= run.until {
        if let totals = run.totals(from: bounds[index], until: bounds[index + 1]) { each(run.counter, index, totals) }
        index += 1
      }
    }
  }

  /// The statistics from `start` until before `end`. A gap is a time in which no stopwatch ran.
  func statistics(from start: Int64, until end: Int64) -> JournalReader.Statistics {
    var found = JournalReader.Statistics()
    found.unit = .time
    for run in runs {
      guard let totals = run.totals(from: start, until: end) else { continue }
      found.totals.include(totals)
      let (from, until) = (max(run.from, start), min(run.until, end))
      if let last = found.last, from > last,
        from.clampedDistance(from: last) > found.gap.map({ $0.upperBound.clampedDistance(from: $0.lowerBound) }) ?? 0
      {
        found.gap = last...from
      }
      found.first = found.first ?? from
      found.last = max(found.last ?? until, until)
    }
    found.busiest = busiest(from: start, until: end)
    return found
  }

  /// The earliest hour with the most time, starting at a quarter hour; `nil` if none has time above 0.
  private func busiest(from start: Int64, until end: Int64) -> (start: Int64, totals: Totals)? {
    let quarters = RunQuarters(runs, from: start, until: end)
    var best: (number: Int64, amount: Int64)?
    for number in quarters.candidates where quarters.time(in: number) > 0 {
      let amount = quarters.hour(from: number)
      if amount > best?.amount ?? 0 { best = (number, amount) }
    }
    return best.map { number, _ in
      let hour = (start: QuarterHour.start(number), end: QuarterHour.start(number.clampedSum(4)))
      var totals = Totals()
      for run in runs {
        if let part = run.totals(from: max(hour.start, start), until: min(hour.end, end)) { totals.include(part) }
      }
      return (hour.start, totals)
    }
  }
}

/// The time in each quarter hour. A run of years takes no more memory than one of minutes.
private struct RunQuarters {
  /// The sums of the quarter hours that runs do not fill.
  private var partial: [Int64: Int64] = [:]
  /// The quarter hours at which the number of completely covering runs changes, with that number; ascending.
  private var filled: [(number: Int64, runs: Int64)] = []
  /// The possible starts of the hour with the most time, in order: hours that begin or end where the time in a quarter
  /// hour differs from the time in the previous quarter hour.
  let candidates: [Int64]

  init(_ runs: [StopwatchRuns.Run], from start: Int64, until end: Int64) {
    var partial: [Int64: Int64] = [:]
    var changes: [Int64: Int64] = [:]
    func add(_ amount: Int64, to number: Int64) { partial[number] = (partial[number] ?? 0).clampedSum(amount) }
    for run in runs {
      guard let totals = run.totals(from: start, until: end) else { continue }
      let (from, until) = (max(run.from, start), min(run.until, end))
      let first = QuarterHour.number(of: from)
      // The last quarter hour contains the end, or begins there.
      let last = QuarterHour.number(of: until)
      if first == last {
        add(totals.net, to: first)
      } else {
        add(QuarterHour.start(first + 1).clampedDistance(from: from), to: first)
        add(until.clampedDistance(from: QuarterHour.start(last)), to: last)
        changes[first + 1, default: 0] += 1
        changes[last, default: 0] -= 1
      }
    }
    var active: Int64 = 0
    for number in changes.keys.sorted() {
      active += changes[number] ?? 0
      filled.append((number, active))
    }
    self.partial = partial
    let numbers = Set(partial.keys).union(changes.keys)
    candidates = Set(numbers.flatMap { number in (0...4).map { number - $0 } + [number + 1] }).sorted()
  }

  /// The running time in four quarter hours, the first of which is `number`.
  func hour(from number: Int64) -> Int64 {
    (number...number + 3).reduce(0) { $0.clampedSum(time(in: $1)) }
  }

  func time(in number: Int64) -> Int64 {
    runs(filling: number).clampedProduct(QuarterHour.length).clampedSum(partial[number] ?? 0)
  }

  private func runs(filling number: Int64) -> Int64 {
    let next = filled.partitioningIndex { $0.number > number }
    return next > 0 ? filled[next - 1].runs : 0
  }
}

extension JournalReader {
  /// The current time, for the runs that have not ended.
  public struct Now: Sendable {
    /// The wall clock in microseconds since 1970.
    public let time: Int64
    public let boot: Boot?

    public init(time: Int64, boot: Boot?) { (self.time, self.boot) = (time, boot) }
  }

  /// The runs of stopwatches that have not ended by `start` and begin before `end`.
  func runs(
    of stopwatches: Set<Counter.ID>, from start: Int64, until end: Int64, now: Now
  ) throws(StoreError) -> StopwatchRuns {
    var runs: [StopwatchRuns.Run] = []
    func take(_ run: StopwatchRuns.Run) { if run.from < end { runs.append(run) } }
    let last = try lastSequence()
    guard last >= 1, !stopwatches.isEmpty else { return StopwatchRuns([]) }
    let filter = EventFilter(counters: stopwatches, from: start)
    _ = try past.countSearch.each(filter, in: 1...last, .forwards, limit: .max, isBounded: false) {
      row throws(StoreError) in
      guard let kind = Event.Kind(rawValue: row.text(2)), kind.isCount || kind.isTiming, try stands(row.integer(0))
      else { return }
      let (time, change, counter) = (row.integer(1), row.integer(3), row.integer(4))
      take(kind.isTiming ? .init(of: counter, until: time, lasting: change) : .init(of: counter, at: time, change))
    }
    for (counter, duration) in try running(of: stopwatches, now: now) where duration > 0 {
      take(.init(of: counter, until: now.time, lasting: duration))
    }
    return StopwatchRuns(runs)
  }

  /// The runs of stopwatches that began before a time and had not ended then.
  func runs(of stopwatches: Set<Counter.ID>, at time: Int64, now: Now) throws(StoreError) -> [StopwatchRuns.Run] {
    let ended = try endedRuns(of: stopwatches, at: time)
    let present = try running(of: stopwatches, now: now).filter { $1 > 0 }.map { counter, duration in
      StopwatchRuns.Run(of: counter, until: now.time, lasting: duration)
    }
    return ended + present.filter { $0.from < time }
  }

  private func endedRuns(of stopwatches: Set<Counter.ID>, at time: Int64) throws(StoreError) -> [StopwatchRuns.Run] {
    var (runs, waiting) = ([StopwatchRuns.Run](), stopwatches)
    var next: [Counter.ID: NextRun] = [:]
    var (first, limit) = (Int64(1), Rollups.blockSize)
    let last = try lastSequence()
    while first <= last, !waiting.isEmpty {
      let filter = EventFilter(counters: waiting, from: time.clampedSum(1))
      let end = try past.countSearch.each(filter, in: first...last, .forwards, limit: limit, isBounded: false) {
        row throws(StoreError) in
        guard Event.Kind(rawValue: row.text(2))?.isTiming == true else { return }
        let (sequence, stopwatch) = (row.integer(0), Counter.ID(row.integer(4)))
        let run = StopwatchRuns.Run(of: stopwatch.number, until: row.integer(1), lasting: row.integer(3))
        guard run.from < time || next[stopwatch] == nil, try stands(sequence) else { return }
        if run.from < time { runs.append(run) } else { next[stopwatch] = (sequence, run.until) }
      }
      guard case .reached(let sequence) = end else { break }
      // The runs of one stopwatch do not overlap, unless the clock was set back.
      let found = waiting.filter { next[$0] != nil }
      waiting = try waiting.subtracting(found).union(setBack(found, since: next))
      (first, limit) = (sequence + 1, 2 * limit)
    }
    return runs
  }

  /// The sequence number and the time of the end of the first run after a time.
  private typealias NextRun = (sequence: Int64, end: Int64)

  /// The stopwatches that started or ended a run after a run, but at an earlier time than its end.
  private func setBack(
    _ stopwatches: Set<Counter.ID>, since runs: [Counter.ID: NextRun]
  ) throws(StoreError) -> Set<Counter.ID> {
    var found: Set<Counter.ID> = []
    let known = stopwatches.compactMap { runs[$0] }
    guard let first = known.map(\.sequence).min(), let end = known.map(\.end).max() else { return [] }
    let filter = EventFilter(counters: stopwatches, until: end)
    _ = try past.countSearch.each(filter, in: first...lastSequence(), .forwards, limit: .max, isBounded: false) {
      row throws(StoreError) in
      let (stopwatch, kind) = (Counter.ID(row.integer(4)), Event.Kind(rawValue: row.text(2)))
      guard let run = runs[stopwatch], row.integer(0) > run.sequence, row.integer(1) < run.end,
        kind == .started || kind?.isTiming == true
      else { return }
      found.insert(stopwatch)
    }
    return found
  }

  /// The durations of the present runs, by counter.
  private func running(of stopwatches: Set<Counter.ID>, now: Now) throws(StoreError) -> [Int64: Int64] {
    let counters = try past.running.rows(.init(stopwatches)) { row throws(StoreError) in CounterRow.counter(row) }
    return Dictionary(
      counters.map { ($0.id.number, $0.running(at: now.time, in: now.boot)) }, uniquingKeysWith: { one, _ in one })
  }
}
