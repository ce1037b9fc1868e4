/// When something begins anew, as people write it:
///
/// ```
/// daily [TIME] [ZONE]
/// weekly [DAY] [TIME] [ZONE]          a day of the week; Monday
/// monthly [DAY] [TIME] [ZONE]         a day of the month, 1 to 31; the first
/// on DATE [TIME] [ZONE]               once, on a date such as 2026-12-24
/// ```
///
/// Without a time it is midnight, without a zone that of the machine.
public struct Schedule: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    case every(Period)
    case once(WallTime)
  }

  public let kind: Kind
  /// The name of the zone; `nil` where none was written.
  public var zone: String?

  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// `nil` for what is not written as described.
  public init?(_ text: String) {
    guard text.utf8.count <= 128 else { return nil }
    var words = text.split(separator: " ").map(String.init)[...]
    guard let verb = words.popFirst() else { return nil }
    var day = 1
    var date: CalendarDate?
    switch verb {
    case "daily": break
    case "weekly":
      if let index = words.first.flatMap({ Self.weekdays.firstIndex(of: $0.lowercased()) }) {
        day = index + 1
        words.removeFirst()
      }
    case "monthly":
      if let number = words.first.flatMap({ Int($0) }) {
        day = number
        words.removeFirst()
      }
    case "on":
      date = words.popFirst().flatMap(CalendarDate.init)
      guard date != nil else { return nil }
    default: return nil
    }
    let second = words.first.flatMap(TimeText.secondOfDay)
    if second != nil { words.removeFirst() }
    zone = words.popFirst()
    // Written out in full it must be short enough to be read again.
    guard words.isEmpty, zone?.utf8.count ?? 0 <= 64 else { return nil }
    if let date {
      kind = .once(WallTime(date, secondOfDay: second ?? 0))
    } else {
      let unit: Period.Unit = verb == "daily" ? .day : verb == "weekly" ? .week(from: day) : .month(from: day)
      guard let period = Period(unit, secondOfDay: second ?? 0) else { return nil }
      kind = .every(period)
    }
  }

  /// When it comes next, in seconds since 1970-01-01T00:00:00Z; `nil` for a date that has passed.
  public func next(after time: Int64, in zone: Zone) -> Int64? {
    switch kind {
    case .every(let period): return period.boundary(after: time, in: zone)
    case .once(let wall):
      let moment = zone.moments(of: wall).first
      return moment > time ? moment : nil
    }
  }

  /// All of it, as it can be read again.
  public var description: String {
    let start =
      switch kind {
      case .once(let wall): "on \(wall)"
      case .every(let period):
        switch period.unit {
        case .day: "daily \(Self.clock(period))"
        case .week(let day): "weekly \(Self.weekdays[day - 1]) \(Self.clock(period))"
        case .month(let day): "monthly \(day) \(Self.clock(period))"
        }
      }
    return zone.map { "\(start) \($0)" } ?? start
  }

  private static func clock(_ period: Period) -> String {
    WallTime(CalendarDate(daysSince1970: 0), secondOfDay: period.secondOfDay).clock
  }
}

extension CalendarDate {
  /// Reads `2026-11-21`.
  public init?(_ text: String) {
    var reader = TimeReader(text)
    guard let date = reader.date(), reader.isAtEnd else { return nil }
    self = date
  }
}
