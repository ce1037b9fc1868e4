public import Calendars
public import CoreAPI
public import Counting

/// Counts by hour or other steps, for tables and charts. Times are in microseconds since 1970.
public struct CountSeries {
  public struct Step {
    public let start: Int64
    /// The number of counts, of any amount.
    public let counts: Int64
    /// The sum of the added amounts, in the unit of ``CountSeries/format``, like `subtracted`.
    public let added: Int64
    public let subtracted: Int64
    /// The sum of the step; the nearest number of 64 bits.
    public let net: Int64
    /// Whether the step has a number; a formula may have no value.
    public var isKnown = true

    /// - Parameter net: default: the difference of the two sums, which may be clamped.
    public init(
      start: Int64, counts: Int64, added: Int64, subtracted: Int64, net: Int64? = nil, isKnown: Bool = true
    ) {
      (self.start, self.counts, self.added, self.subtracted) = (start, counts, added, subtracted)
      self.net = net ?? Int64(clamping: Int128(added) - Int128(subtracted))
      self.isKnown = isKnown
    }
  }

  public let unit: TimeUnit
  public var steps: [Step]
  /// The end of the last step.
  public let end: Int64
  public let zone: Zone
  /// The start of days, weeks, months and years.
  public let days: DayStart
  /// The format of the numbers.
  public private(set) var format: ValueText

  public init(unit: TimeUnit, steps: [Step], end: Int64, zone: Zone, days: DayStart, format: ValueText) {
    (self.unit, self.steps, self.end, self.zone, self.days, self.format) = (unit, steps, end, zone, days, format)
  }

  /// The label of each step. The label states if the first or last step is cut by the times that the person chose.
  public var labels: [String] {
    func time(_ microseconds: Int64) -> String {
      "\(zone.wallTime(at: microseconds.seconds))\(zone.mark(at: microseconds.seconds))"
    }
    return steps.indices.map { index in
      let start = steps[index].start
      let whole = unit.bounds(from: start, until: start + 1, in: zone, days: days)
      // The label of an hour or less is its start.
      let first = unit.isWithinDay ? start : whole.first ?? start
      let isCut = index == steps.indices.last && end < whole.last ?? end
      return unit.label(first, in: zone, days: days) + (first < start ? ", from \(time(start))" : "")
        + (isCut ? ", until \(time(end))" : "")
    }
  }

  /// Drops the steps before the first count; one step remains.
  public mutating func dropLeadingZeros() {
    let first = steps.firstIndex { $0.counts != 0 || $0.added != 0 || $0.subtracted != 0 } ?? steps.count
    steps.removeFirst(min(first, max(0, steps.count - 1)))
  }

  /// The sum of the steps.
  public var total: Int128 { steps.reduce(0) { $0 + Int128($1.net) } }

  /// The sum in ``format``; `at least 9223372036854775807` for a sum beyond 64 bits.
  public var totalText: String { totalText { format.text($0) } }

  /// The sum as `text` writes numbers.
  public func totalText(_ text: (Int64) -> String) -> String {
    let nearest = Int64(clamping: total)
    let isExact = nearest == total && !steps.contains { $0.net == .max || $0.net == .min }
    return (isExact ? "" : total > 0 ? "at least " : "at most ") + text(nearest)
  }

  /// The average count in ``format``, small ones with one decimal, and the time that it covers: `2.8 an hour` and the
  /// time between the first and the last count. If these are two days apart, or on two days and the steps are a day or
  /// longer, the average is one per day, and the time is the number of days from the first to the last. If they are in
  /// several steps of a week or longer, and nearly a step apart, the average is one per step.
  ///
  /// - Returns: `nil` for stopwatches, for an average that would be shown as 0, for one beyond 9 · 10¹⁵, and for counts
  ///   within less than ten minutes, whose average would look like a forecast.
  public func rate(from first: Int64, to last: Int64) -> (text: String, time: String)? {
    guard format.unit != .time, last > first, last - first >= 600_000_000 else { return nil }
    guard total != 0 else { return nil }
    let days = dayNumber(at: last) - dayNumber(at: first) + 1
    let isOfDays = last - first >= 172_800_000_000 || !unit.isWithinDay && days > 1
    let hours = Double(last - first) / 3_600_000_000
    let longSteps = numberOfLongSteps(from: first, to: last)
    let ofSteps = (Double(longSteps), "a \(unit.rawValue)", "\(longSteps) \(unit.rawValue)s")
    var rates = [
      (hours, "an hour", ValueText.spoken(last - first)), (Double(days), "a day", "\(days) day\(days == 1 ? "" : "s")"),
    ]
    if longSteps > 1 { rates = [ofSteps] }
    for (length, name, time) in rates.suffix(isOfDays ? 1 : 2) {
      let rate = Double(total) / length
      let isFew = format.unit == .things && abs(rate) < 10
      let units = (isFew ? rate * 10 : rate).rounded()
      // A Double cannot represent all larger integers.
      guard abs(units) < 9e15 else { return nil }
      // An hourly rate that would be shown as 0 is shown per day.
      guard units != 0 else { continue }
      return ("\((isFew ? ValueText(unit: .decimal(1)) : format).text(Int64(units))) \(name)", time)
    }
    return nil
  }

  /// The number of steps from that of a time to that of another; 0 for steps of a day or less, and for times less than
  /// nine tenths of a step apart, whose average would look like a forecast.
  private func numberOfLongSteps(from first: Int64, to last: Int64) -> Int {
    guard unit.length > TimeUnit.day.length, last - first >= unit.length / 10 * 9 else { return 0 }
    return unit.bounds(from: first, until: last + 1, in: days.zone, days: days).count - 1
  }

  /// The number of the day that contains a time.
  private func dayNumber(at time: Int64) -> Int64 {
    let zone = days.zone
    return zone.wallTime(at: TimeUnit.day.boundary(atOrBefore: time.seconds, in: zone, days: days)).date.daysSince1970
  }

  /// Adds the counts of a series with the same steps and unit.
  public mutating func add(_ other: CountSeries) {
    func sum(_ one: Int64, _ other: Int64) -> Int64 { Int64(clamping: Int128(one) + Int128(other)) }
    steps = zip(steps, other.steps).map { step, other in
      Step(
        start: step.start, counts: sum(step.counts, other.counts), added: sum(step.added, other.added),
        subtracted: sum(step.subtracted, other.subtracted), net: sum(step.net, other.net))
    }
  }

  /// The series in a finer unit; `nil` if a number does not fit, or if only one of the units is time.
  public func scaled(to unit: Unit) -> CountSeries? {
    var series = self
    series.format = ValueText(unit: unit)
    let steps = steps.compactMap { step -> Step? in
      guard let added = format.unit.number(step.added, in: unit),
        let subtracted = format.unit.number(step.subtracted, in: unit), let net = format.unit.number(step.net, in: unit)
      else { return nil }
      return Step(start: step.start, counts: step.counts, added: added, subtracted: subtracted, net: net)
    }
    guard steps.count == self.steps.count else { return nil }
    series.steps = steps
    return series
  }
}

extension CountSeries {
  /// The bounds of the steps of a series, as the core's method `Totals` needs them.
  public struct Frame {
    public let unit: TimeUnit
    public private(set) var bounds: [Int64]
    let zone: Zone
    let days: DayStart
    private(set) var end: Int64

    /// - Parameters:
    ///   - unit: the size of the steps; `nil` for the smallest with at most `most` steps.
    ///   - most: has no effect if `unit` is given: there are at most 2,000 steps then, the last ones.
    ///   - days: the start of days, weeks, months and years.
    public init(_ unit: TimeUnit?, from begin: Int64, until end: Int64, most: Int = 2000, days: DayStart) {
      self.unit = unit ?? Self.unit(from: begin, until: end, most: most)
      self.days = days
      zone = self.unit.isWithinDay ? Zone.local : days.zone
      bounds = self.unit.bounds(
        from: begin, until: end, most: min(2000, unit == nil ? most : 2000), in: zone, days: days)
      self.end = bounds.last ?? end
    }

    /// The smallest unit that divides the time from `begin` to `end` into fewer than `most` steps.
    public static func unit(from begin: Int64, until end: Int64, most: Int = 2000) -> TimeUnit {
      TimeUnit.allCases.first { (end - begin) / $0.length + 1 < Int64(most) } ?? .year
    }

    /// Shortens the first and the last step to the times that a person gave. These need not be the ends of steps.
    public mutating func cut(from start: Int64?, until end: Int64?) {
      guard bounds.count > 1 else { return }
      if let start, bounds[0] < start, start < bounds[1] { bounds[0] = start }
      let last = bounds.count - 1
      if let end, bounds[last - 1] < end, end < bounds[last] { bounds[last] = end }
      self.end = bounds[last]
    }
  }

  /// Creates the series from the core's totals for the bounds of a frame.
  public init(_ frame: Frame, _ totals: [Counters.Total], in unit: Unit) {
    let steps = totals.map {
      Step(start: $0.start, counts: $0.counts, added: $0.added, subtracted: $0.subtracted, net: $0.net)
    }
    self.init(
      unit: frame.unit, steps: steps, end: frame.end, zone: frame.zone, days: frame.days, format: ValueText(unit: unit))
  }
}
