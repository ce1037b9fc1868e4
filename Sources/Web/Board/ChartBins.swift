public import Reports

/// The steps of a chart, from a minute to a year. Some consist of several ones of a smaller unit.
public enum ChartBins: String, CaseIterable, Sendable, Hashable {
  case minute
  case fiveMinutes = "5min"
  case quarter = "15min"
  case hour, day, week, month, year

  /// The names, for a sentence.
  static var list: String {
    "\(allCases.dropLast().map(\.rawValue).joined(separator: ", ")) or \(allCases.last?.rawValue ?? "")"
  }

  /// The unit of the totals that the core is asked for.
  public var unit: TimeUnit {
    switch self {
    case .minute, .fiveMinutes, .quarter: .minute
    case .hour: .hour
    case .day: .day
    case .week: .week
    case .month, .year: .month
    }
  }

  private static let minuteLength: Int64 = 60_000_000

  /// The start of a chart with the usual number of steps; in microseconds since 1970, like `end`.
  func start(until end: Int64) -> Int64 {
    // An end at the start of a step leaves that step out.
    let end = end - 1
    return switch self {
    case .fiveMinutes: start(until: end, count: 47, length: 5 * Self.minuteLength)
    case .quarter: start(until: end, count: 47, length: 15 * Self.minuteLength)
    // Nine years and the months of this one; `merge` drops those of an incomplete year.
    case .year: end - 10 * 366 * 86_400_000_000
    default: end - unit.usualSpan
    }
  }

  /// Offsets of time zones are multiples of a quarter of an hour.
  private func start(until end: Int64, count: Int64, length: Int64) -> Int64 {
    let start = end - count * length
    return start - (start % length + length) % length
  }

  /// Joins the steps of the unit to those of the chart.
  func merge(_ series: inout CountSeries) {
    guard self == .fiveMinutes || self == .quarter || self == .year else { return }
    var steps: [CountSeries.Step] = []
    for step in series.steps {
      guard let last = steps.last, !isFirst(step, in: series) else {
        // The months before the first complete year would look like a year.
        if steps.isEmpty, self == .year, !isFirst(step, in: series) { continue }
        steps.append(step)
        continue
      }
      steps[steps.count - 1] = CountSeries.Step(
        start: last.start, counts: last.counts.addingReportingOverflow(step.counts).partialValue,
        added: last.added.addingReportingOverflow(step.added).partialValue,
        subtracted: last.subtracted.addingReportingOverflow(step.subtracted).partialValue)
    }
    series.steps = steps
  }

  /// Whether a step of the unit is the first one of a step of the chart.
  private func isFirst(_ step: CountSeries.Step, in series: CountSeries) -> Bool {
    switch self {
    case .fiveMinutes: step.start % (5 * Self.minuteLength) == 0
    case .quarter: step.start % (15 * Self.minuteLength) == 0
    // A month as text, such as 2026-01.
    default: series.unit.label(step.start, in: series.zone, days: series.days).prefix(7).hasSuffix("-01")
    }
  }

  func label(_ step: CountSeries.Step, in series: CountSeries) -> String {
    let label = series.unit.label(step.start, in: series.zone, days: series.days)
    return self == .year ? String(label.prefix(4)) : label
  }
}
