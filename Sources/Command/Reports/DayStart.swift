public import Calendars

/// The start of days, weeks and months: midnight and Monday, or the time of day and the weekday at which the periods of
/// the counters begin.
public struct DayStart: Equatable, Sendable {
  /// The time of day, in seconds after midnight.
  public var secondOfDay = 0
  /// The first day of the week: 1 for Monday, 7 for Sunday.
  public var weekday = 1
  /// The name of the time zone; `nil` for the local one.
  public var zoneName: String?

  public static let midnight = DayStart()

  /// The start that the periods of all counters have in common; otherwise ``midnight``.
  ///
  /// - Parameter periods: the period of each counter; `nil` for a counter without one.
  public init(of periods: [String?]) {
    let starts = periods.map { $0.flatMap(Self.init(period:)) ?? .midnight }
    self = starts.first.flatMap { first in starts.allSatisfy { $0 == first } ? first : nil } ?? .midnight
  }

  /// Fails for an hourly period and for a date.
  private init?(period: String) {
    guard let schedule = Schedule(period), let second = schedule.secondOfDay else { return nil }
    let zone = schedule.zone == Zone.local.name ? nil : schedule.zone
    let weekday = if case .every(let period) = schedule.kind, case .week(let first) = period.unit { first } else { 1 }
    self.init(secondOfDay: second, weekday: weekday, zoneName: zone)
  }

  public init(secondOfDay: Int = 0, weekday: Int = 1, zoneName: String? = nil) {
    (self.secondOfDay, self.weekday, self.zoneName) = (secondOfDay, weekday, zoneName)
  }

  /// The zone of the days; the local one if its file cannot be read.
  public var zone: Zone { zoneName.flatMap { try? ZoneFolder().zone(named: $0) } ?? Zone.local }

  /// When a day begins, in seconds since 1970.
  public func start(of day: CalendarDate) -> Int64 {
    zone.moments(of: WallTime(day, secondOfDay: secondOfDay)).first
  }

  /// The words after the date of a day: ` from 04:00`, with the zone unless it is the local one. Empty for midnight.
  public var suffix: String {
    guard secondOfDay != 0 || zoneName != nil else { return "" }
    let clock = WallTime(CalendarDate(daysSince1970: 0), secondOfDay: secondOfDay).clock
    return " from \(clock)" + (zoneName.map { " \($0)" } ?? "")
  }
}

extension Zone {
  /// The local time zone; UTC if its file cannot be read, as in the C library.
  public static let local = (try? ZoneFolder().zone(named: nil)) ?? .utc
}
