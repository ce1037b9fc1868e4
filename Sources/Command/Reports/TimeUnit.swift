public import Calendars

/// The steps of totals and charts, in local time.
public enum TimeUnit: String, CaseIterable, Sendable {
  case minute
  case fiveMinutes = "5min"
  case quarter = "15min"
  case halfHour = "30min"
  case hour, day, week, month, year

  /// The names, for a sentence.
  public static var list: String {
    "\(allCases.dropLast().map(\.rawValue).joined(separator: ", ")) or \(allCases.last?.rawValue ?? "")"
  }

  /// The step in a sentence: `each hour`, `every 15 minutes`.
  public var each: String {
    switch self {
    case .fiveMinutes: "every 5 minutes"
    case .quarter: "every 15 minutes"
    case .halfHour: "every 30 minutes"
    default: "each \(rawValue)"
    }
  }

  private static let dayLength: Int64 = 86_400_000_000

  /// The approximate length in microseconds.
  public var length: Int64 {
    switch self {
    case .minute: 60_000_000
    case .fiveMinutes: 5 * 60_000_000
    case .quarter: 15 * 60_000_000
    case .halfHour: 30 * 60_000_000
    case .hour: 60 * 60_000_000
    case .day: Self.dayLength
    case .week: 7 * Self.dayLength
    case .month: 30 * Self.dayLength
    case .year: 365 * Self.dayLength
    }
  }

  /// Whether a day has several steps.
  public var isWithinDay: Bool { length < Self.dayLength }

  /// The default length of a chart, from its first step to its last one, in microseconds.
  public var usualSpan: Int64 {
    // With the approximate length, the twelfth month and the tenth year were missing on some days of the year.
    let longest =
      switch self {
      case .month: 31 * Self.dayLength
      case .year: 366 * Self.dayLength
      default: length
      }
    return (usualCount - 1) * longest
  }

  /// The usual number of steps to show without a start.
  private var usualCount: Int64 {
    switch self {
    case .minute: 60
    case .fiveMinutes, .quarter, .halfHour: 48
    case .hour: 24
    case .day: 14
    case .week, .month: 12
    case .year: 10
    }
  }

  /// The starts of the steps, in microseconds, from the step that contains `start` to the end of the step before `end`;
  /// at most `most` steps, the last ones.
  ///
  /// - Parameter days: the start of days, weeks, months and years.
  public func bounds(
    from start: Int64, until end: Int64, most: Int = 2000, in zone: Zone, days: DayStart = .midnight
  ) -> [Int64] {
    let (start, end) = (start.seconds, end.seconds + (end % 1_000_000 > 0 ? 1 : 0))
    let earliest = max(start, end - Int64(most - 1) * (length / 1_000_000))
    var bounds = [boundary(atOrBefore: earliest, in: zone, days: days)]
    while let last = bounds.last, last < max(end, start + 1) {
      bounds.append(boundary(after: last, in: zone, days: days))
    }
    return bounds.suffix(most + 1).map { $0 * 1_000_000 }
  }

  /// The start of the step that contains `time`; both in seconds.
  public func boundary(atOrBefore time: Int64, in zone: Zone, days: DayStart = .midnight) -> Int64 {
    if let period = period(days) { return period.boundary(atOrBefore: time, in: zone) }
    let length = length / 1_000_000
    let wall = time + Int64(zone.offset(at: time))
    return time - (wall % length + length) % length
  }

  private func boundary(after time: Int64, in zone: Zone, days: DayStart) -> Int64 {
    if let period = period(days) { return period.boundary(after: time, in: zone) }
    let length = length / 1_000_000
    let wall = time + Int64(zone.offset(at: time))
    let next = time + length - (wall % length + length) % length
    // A change of the clocks by half an hour starts a new step.
    return zone.firstChange(after: time, until: next) ?? next
  }

  private func period(_ days: DayStart) -> Period? {
    switch self {
    case .day: Period(.day, secondOfDay: days.secondOfDay)
    case .week: Period(.week(from: days.weekday), secondOfDay: days.secondOfDay)
    case .month: Period(.month(from: 1), secondOfDay: days.secondOfDay)
    case .year: Period(.year(month: 1, day: 1), secondOfDay: days.secondOfDay)
    default: nil
    }
  }

  /// The label of the step that starts at a time.
  public func label(_ start: Int64, in zone: Zone, days: DayStart = .midnight) -> String {
    let wall = zone.wallTime(at: start.seconds)
    switch self {
    case .day: return "\(wall.date) \(Self.weekdays[(wall.date.weekday - 1) % 7])\(days.suffix)"
    // The suffix without its "from", which the label has already.
    case .week: return "week from \(wall.date)\(days.suffix.dropFirst(" from".count))"
    case .month: return String("\(wall.date)".prefix(7)) + days.suffix
    case .year: return "\(wall.date.year)" + days.suffix
    default: return "\(wall.date) \(wall.clock)\(zone.mark(at: start.seconds))"
    }
  }

  public static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The range as text.
  public func spanText(from start: Int64, until end: Int64, in zone: Zone, days: DayStart = .midnight) -> String {
    let lead = isWithinDay ? 0 : Int64(days.secondOfDay)
    let (first, last) = (zone.wallTime(at: start.seconds - lead), zone.wallTime(at: end.seconds - 1 - lead))
    if first.date != last.date { return "\(first.date) to \(last.date)" }
    return self == .day ? "\(first.date)" : "\(first.date), \(first.clock) to \(zone.wallTime(at: end.seconds).clock)"
  }

  /// The label for an axis, in few columns.
  public func shortLabel(_ start: Int64, in zone: Zone) -> String {
    let wall = zone.wallTime(at: start.seconds)
    switch self {
    case .day, .week: return String("\(wall.date)".dropFirst(5))
    case .month: return String("\(wall.date)".prefix(7))
    case .year: return "\(wall.date.year)"
    default: return wall.clock
    }
  }
}

extension Int64 {
  /// Converts microseconds to whole seconds, rounded down.
  public var seconds: Int64 { self / 1_000_000 - (self % 1_000_000 < 0 ? 1 : 0) }
}
