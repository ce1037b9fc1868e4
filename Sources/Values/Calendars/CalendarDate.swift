/// A date of the proleptic Gregorian calendar.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let year: Int
  /// The month: 1 for January.
  public let month: Int
  /// The day of the month: 1 to 31.
  public let day: Int

  /// The date; `nil` for a day that does not exist, and for a year outside of 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// A date that is known to exist.
  init(unchecked year: Int, _ month: Int, _ day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date a number of days after 1970-01-01, clamped to a million years around it.
  public init(daysSince1970 days: Int64) {
    // All eras of 400 years have the same number of days. If years begin in March, the leap day is at their end.
    let shifted = min(max(days, -365_000_000), 365_000_000) + 719_468
    let (era, dayOfEra) = shifted.divided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  public var daysSince1970: Int64 {
    let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = yearFromMarch.divided(by: 400)
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  public static func < (one: CalendarDate, other: CalendarDate) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  /// The date a number of days later, or earlier if `days` is negative.
  public func advanced(by days: Int64) -> CalendarDate { CalendarDate(daysSince1970: daysSince1970 + days) }

  /// ISO 8601's number of the day of the week: 1 for Monday, 7 for Sunday.
  public var weekday: Int { Int((daysSince1970 + 3).divided(by: 7).remainder) + 1 }

  /// ISO 8601: `2026-11-21`.
  public var description: String {
    let digits = String(abs(year))
    return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      + "-\(twoDigits(month))-\(twoDigits(day))"
  }

  /// The number of days: 28 to 31.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

/// A number below 100, with a leading zero.
func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension Int64 {
  /// Division that rounds down. Its remainder is never negative, so that times before 1970 lie on the right day.
  func divided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A date and a time of day by local clocks, of any zone.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let date: CalendarDate
  /// The time of day in seconds: 0 to 86399. After a change of the clocks, the time of day differs from the time since
  /// midnight.
  public let secondOfDay: Int

  public init(_ date: CalendarDate, secondOfDay: Int = 0) {
    self.date = date
    self.secondOfDay = min(max(secondOfDay, 0), Self.secondsPerDay - 1)
  }

  static let secondsPerDay = 86_400

  /// - Parameter seconds: since 1970-01-01 00:00 by the same clocks.
  init(secondsSince1970 seconds: Int64) {
    let (days, second) = seconds.divided(by: Int64(Self.secondsPerDay))
    self.init(CalendarDate(daysSince1970: days), secondOfDay: Int(second))
  }

  /// Seconds since 1970-01-01 00:00 by the same clocks, as if they had never been changed.
  var secondsSince1970: Int64 { date.daysSince1970 * Int64(Self.secondsPerDay) + Int64(secondOfDay) }

  public static func < (one: WallTime, other: WallTime) -> Bool {
    (one.date, one.secondOfDay) < (other.date, other.secondOfDay)
  }

  /// The time of day: `14:05`, or `14:05:30` if it has seconds.
  public var clock: String {
    let text = "\(twoDigits(secondOfDay / 3600)):\(twoDigits(secondOfDay / 60 % 60))"
    return secondOfDay % 60 == 0 ? text : "\(text):\(twoDigits(secondOfDay % 60))"
  }

  /// `2026-11-21 14:05`
  public var description: String { "\(date) \(clock)" }
}
