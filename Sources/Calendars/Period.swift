/// Stretches of time that follow each other without a gap: each day, week or month from one time of day on, by the
/// clock on a wall.
///
/// Each begins when the clock first reaches the time: where the clocks are put forward over it, at that change; where
/// they are put back over it, the first of the two times. A day that a zone left out altogether begins none.
public struct Period: Hashable, Sendable {
  public enum Unit: Hashable, Sendable {
    case day
    /// From this day of the week on: 1 for Monday, 7 for Sunday.
    case week(from: Int)
    /// From this day of the month on, 1 to 31; from the last one where the month is shorter.
    case month(from: Int)
  }

  public let unit: Unit
  /// The time of day at which it begins, in seconds: 0 to 86399.
  public let secondOfDay: Int

  /// `nil` for a day or a time that there is not.
  public init?(_ unit: Unit, secondOfDay: Int = 0) {
    switch unit {
    case .day: break
    case .week(let day): guard 1...7 ~= day else { return nil }
    case .month(let day): guard 1...31 ~= day else { return nil }
    }
    guard 0..<WallTime.secondsPerDay ~= secondOfDay else { return nil }
    self.unit = unit
    self.secondOfDay = secondOfDay
  }

  /// The first moment after `time` at which one begins and another ends.
  ///
  /// - Parameter time: in seconds since 1970-01-01T00:00:00Z, as is the result.
  public func boundary(after time: Int64, in zone: Zone) -> Int64 {
    let time = time.bounded
    var date = latest(zone.wallTime(at: time).date.advanced(by: -1))
    while true {
      if let found = boundary(on: date, in: zone), found > time { return found }
      date = following(date)
    }
  }

  /// The moment at which the one began that `time` lies in; `time` itself where it begins just then.
  public func boundary(atOrBefore time: Int64, in zone: Zone) -> Int64 {
    let time = time.bounded
    var date = latest(zone.wallTime(at: time).date.advanced(by: 1))
    while true {
      if let found = boundary(on: date, in: zone), found <= time { return found }
      date = latest(date.advanced(by: -1))
    }
  }

  private func boundary(on date: CalendarDate, in zone: Zone) -> Int64? {
    let moments = zone.moments(of: WallTime(date, secondOfDay: secondOfDay))
    // Samoa had no 30 December 2011: the clocks went over the whole day.
    if case .never(_, let length) = moments, length >= WallTime.secondsPerDay { return nil }
    return moments.first
  }

  /// The last day until `date`, itself included, on which one begins.
  private func latest(_ date: CalendarDate) -> CalendarDate {
    switch unit {
    case .day: return date
    case .week(let first): return date.advanced(by: -Int64((date.weekday - first + 7) % 7))
    case .month(let first):
      let inThisMonth = Self.day(first, date.year, date.month)
      if inThisMonth <= date { return inThisMonth }
      return date.month == 1 ? Self.day(first, date.year - 1, 12) : Self.day(first, date.year, date.month - 1)
    }
  }

  private func following(_ date: CalendarDate) -> CalendarDate {
    switch unit {
    case .day: return date.advanced(by: 1)
    case .week: return date.advanced(by: 7)
    case .month(let first):
      return date.month == 12 ? Self.day(first, date.year + 1, 1) : Self.day(first, date.year, date.month + 1)
    }
  }

  private static func day(_ day: Int, _ year: Int, _ month: Int) -> CalendarDate {
    CalendarDate(unchecked: year, month, min(day, CalendarDate.days(inMonth: month, of: year)))
  }
}
