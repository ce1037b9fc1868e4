/// A date and a time of day by local clocks, of any zone.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let date: CalendarDate
  /// The time of day in seconds: 0 to 86399. After a change of the clocks it differs from the time since midnight.
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
