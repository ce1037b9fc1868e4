import Linux

/// Periods of counters, in the words of their setting, none of which begins or ends near the present: tests that use the
/// present time must not fail at midnight, or at the end of an hour or a year.
public struct SteadyPeriod {
  private static let hours: Int64 = 3_600_000_000
  private let minute: Int64
  private let month: Int64
  /// The time of the day that is 11 to 12 hours away, in UTC.
  public let clock: String
  /// The beginning of the present ``hourly`` period, in microseconds since 1970.
  public let hour: Int64

  public init() {
    let now = Clock.microsecondsSince1970()
    minute = (now / 60_000_000 + 30) / 15 * 15 % 60
    let offset = minute * 60_000_000
    hour = (now - offset) / Self.hours * Self.hours + offset
    let far = (now / Self.hours + 12) % 24
    clock = "\(far < 10 ? "0" : "")\(far):00"
    // Half a year away, give or take a month.
    month = (now / (24 * Self.hours) * 12 / 365 + 6) % 12 + 1
  }

  /// An hour of whole quarters, whose ends are at least 15 minutes away.
  public var hourly: String { "hourly \(minute) UTC" }
  /// A day whose ends are at least 11 hours away.
  public var daily: String { "daily \(clock) UTC" }
  /// A year whose ends are at least four months away.
  public var yearly: String { "yearly \(month < 10 ? "0" : "")\(month)-01 00:00 UTC" }
}
