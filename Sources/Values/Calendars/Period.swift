/// Hours, days, weeks, months or years that begin at a time of day by local clocks, without a gap between them.
///
/// A period begins when the clocks first reach the time of day. If the clocks are put forward over that time, the
/// period begins at the change; if they are put back, at the first of the two moments. A day that a zone skips begins
/// no period. An hour begins whenever the clocks show its minute, regardless of changes.
public struct Period: Hashable, Sendable {
  public enum Unit: Hashable, Sendable {
    /// The time of day is the time within the hour.
    case hour
    case day
    /// The first day of the week: 1 for Monday, 7 for Sunday.
    case week(from: Int)
    /// The day of the month on which the period begins, 1 to 31; the last day in shorter months.
    case month(from: Int)
    /// The month, 1 to 12, and the day on which the period begins; 29 February is the 28th in most years.
    case year(month: Int, day: Int)
  }

  public let unit: Unit
  /// The time of day at which a period begins, in seconds: 0 to 86399.
  public let secondOfDay: Int

  /// The period; `nil` for a day or a time out of range.
  public init?(_ unit: Unit, secondOfDay: Int = 0) {
    switch unit {
    case .hour: guard secondOfDay < Self.secondsPerHour else { return nil }
    case .day: break
    case .week(let day): guard 1...7 ~= day else { return nil }
    case .month(let day): guard 1...31 ~= day else { return nil }
    case .year(let month, let day):
      guard 1...12 ~= month, 1...CalendarDate.days(inMonth: month, of: Self.leapYear) ~= day else { return nil }
    }
    guard 0..<WallTime.secondsPerDay ~= secondOfDay else { return nil }
    self.unit = unit
    self.secondOfDay = secondOfDay
  }

  /// The first moment after `time` at which a period begins.
  ///
  /// - Parameter time: in seconds since 1970-01-01T00:00:00Z, as is the result.
  public func boundary(after time: Int64, in zone: Zone) -> Int64 {
    let time = time.bounded
    if unit == .hour { return hour(after: time, in: zone) }
    var date = latest(zone.wallTime(at: time).date.advanced(by: -1))
    while true {
      if let found = boundary(on: date, in: zone), found > time { return found }
      date = following(date)
    }
  }

  /// The last moment up to `time` at which a period begins.
  public func boundary(atOrBefore time: Int64, in zone: Zone) -> Int64 {
    let time = time.bounded
    if unit == .hour { return hour(atOrBefore: time, in: zone) }
    var date = latest(zone.wallTime(at: time).date.advanced(by: 1))
    while true {
      if let found = boundary(on: date, in: zone), found <= time { return found }
      date = latest(date.advanced(by: -1))
    }
  }

  // MARK: Hours

  private static let secondsPerHour = 3600
  private static let leapYear = 2000

  /// The first moment after `time` at which clocks with an offset show the minute.
  private func hour(after time: Int64, offset: Int) -> Int64 {
    let length = Int64(Self.secondsPerHour)
    return time + length - (time + Int64(offset - secondOfDay)).divided(by: length).remainder
  }

  private func hour(after time: Int64, in zone: Zone) -> Int64 {
    let found = hour(after: time, offset: zone.offset(at: time))
    let offset = zone.offset(at: found)
    guard offset != zone.offset(at: time) else { return found }
    // The clocks are changed in between; the hour must begin after the change.
    let other = hour(after: time, offset: offset)
    return zone.offset(at: other) == offset ? other : other + Int64(Self.secondsPerHour)
  }

  private func hour(atOrBefore time: Int64, in zone: Zone) -> Int64 {
    let length = Int64(Self.secondsPerHour)
    // Usually one hour begins in the hour before `time`; with a change of the clocks, none or two may begin.
    var start = time - 2 * length
    var found = hour(after: start, in: zone)
    while true {
      start = hour(after: found, in: zone)
      if start > time { return found }
      found = start
    }
  }

  // MARK: Days

  private func boundary(on date: CalendarDate, in zone: Zone) -> Int64? {
    let moments = zone.moments(of: WallTime(date, secondOfDay: secondOfDay))
    // A skipped day begins no period. Samoa skipped 30 December 2011.
    if case .never(_, let length) = moments, length >= WallTime.secondsPerDay { return nil }
    return moments.first
  }

  /// The last day up to `date` on which a period begins.
  private func latest(_ date: CalendarDate) -> CalendarDate {
    switch unit {
    case .hour, .day: return date
    case .week(let first): return date.advanced(by: -Int64((date.weekday - first + 7) % 7))
    case .month(let first):
      let inThisMonth = Self.day(first, date.year, date.month)
      if inThisMonth <= date { return inThisMonth }
      return date.month == 1 ? Self.day(first, date.year - 1, 12) : Self.day(first, date.year, date.month - 1)
    case .year(let month, let day):
      let inThisYear = Self.day(day, date.year, month)
      return inThisYear <= date ? inThisYear : Self.day(day, date.year - 1, month)
    }
  }

  private func following(_ date: CalendarDate) -> CalendarDate {
    switch unit {
    case .hour, .day: return date.advanced(by: 1)
    case .week: return date.advanced(by: 7)
    case .month(let first):
      return date.month == 12 ? Self.day(first, date.year + 1, 1) : Self.day(first, date.year, date.month + 1)
    case .year(let month, let day): return Self.day(day, date.year + 1, month)
    }
  }

  private static func day(_ day: Int, _ year: Int, _ month: Int) -> CalendarDate {
    CalendarDate(unchecked: year, month, min(day, CalendarDate.days(inMonth: month, of: year)))
  }
}
