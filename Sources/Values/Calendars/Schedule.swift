/// The times at which a counter returns to its start, as people write them:
///
/// ```
/// hourly [MINUTE] [ZONE]              a minute of the hour, 0 to 59; the first
/// daily [TIME] [ZONE]
/// weekly [DAY] [TIME] [ZONE]          a day of the week; Monday
/// monthly [DAY] [TIME] [ZONE]         a day of the month, 1 to 31; the first
/// yearly [DAY] [TIME] [ZONE]          a day of the year such as 07-01; 01-01
/// on DATE [TIME] [ZONE]               once, on a date such as 2026-12-24
/// ```
///
/// The time is midnight by default, and the zone is that of the machine.
public struct Schedule: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    case every(Period)
    case once(WallTime)
  }

  public let kind: Kind
  /// The name of the zone; `nil` for that of the machine.
  public var zone: String?

  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// The schedule; `nil` for any other text.
  public init?(_ text: String) {
    do throws(ScheduleError) { try self.init(parsing: text) } catch { return nil }
  }

  /// - Throws: ``ScheduleError`` for any other text.
  public init(parsing text: String) throws(ScheduleError) {
    guard text.utf8.count <= 128 else { throw .form }
    var words = text.split(separator: " ").map(String.init)[...]
    guard let verb = words.popFirst() else { throw .form }
    var (day, month, second) = (1, 1, Int?.none)
    var date: CalendarDate?
    switch verb {
    case "hourly":
      second = 0
      if let minute = words.first.flatMap({ Int($0) }) {
        guard 0...59 ~= minute else { throw ScheduleError("the minute of an hour must be from 0 to 59") }
        second = minute * 60
        words.removeFirst()
      } else if let word = words.first, word.first?.isNumber == true {
        throw ScheduleError("“\(word)” is not a minute from 0 to 59")
      }
    case "daily": break
    case "weekly":
      if let word = words.first {
        if let index = Self.weekdays.firstIndex(of: word.lowercased()) {
          day = index + 1
          words.removeFirst()
        } else if word.utf8.count > 1, let near = Self.weekdays.first(where: { $0.hasPrefix(word.lowercased()) }) {
          throw ScheduleError("“\(word)” is not a weekday; write \(near)")
        } else if words.dropFirst().first.flatMap(TimeText.secondOfDay) != nil, TimeText.secondOfDay(word) == nil {
          throw ScheduleError("“\(word)” is not a weekday such as monday")
        }
      }
    case "monthly":
      if let number = words.first.flatMap({ Int($0) }) {
        guard 1...31 ~= number else { throw ScheduleError("the day of a month must be from 1 to 31") }
        day = number
        words.removeFirst()
      }
    case "yearly":
      if let word = words.first, word.contains("-"), word.first?.isNumber == true {
        // 2000 is a leap year, so it has every day.
        guard let date = CalendarDate("2000-\(word)") else {
          throw ScheduleError("“\(word)” is not a day of the year such as 07-01")
        }
        (month, day) = (date.month, date.day)
        words.removeFirst()
      }
    case "on":
      guard let word = words.popFirst() else { throw .form }
      date = CalendarDate(word)
      guard date != nil else { throw ScheduleError("“\(word)” is not a date such as 2026-12-24") }
    default: throw .form
    }
    if second == nil, let found = words.first.flatMap(TimeText.secondOfDay) {
      second = found
      words.removeFirst()
    }
    // The name of a zone begins with a letter.
    if let word = words.first, word.first?.isNumber == true {
      throw ScheduleError("“\(word)” is not a time of day such as 04:00 or 16:30")
    }
    zone = words.popFirst()
    // The full description must be short enough to be parsed again.
    guard words.isEmpty, zone?.utf8.count ?? 0 <= 64 else { throw .form }
    if let date {
      kind = .once(WallTime(date, secondOfDay: second ?? 0))
    } else {
      let unit: Period.Unit =
        switch verb {
        case "hourly": .hour
        case "daily": .day
        case "weekly": .week(from: day)
        case "monthly": .month(from: day)
        default: .year(month: month, day: day)
        }
      guard let period = Period(unit, secondOfDay: second ?? 0) else { throw .form }
      kind = .every(period)
    }
  }

  /// The first time of the schedule after `time`, in seconds since 1970-01-01T00:00:00Z; `nil` after the only one.
  public func next(after time: Int64, in zone: Zone) -> Int64? {
    switch kind {
    case .every(let period): return period.boundary(after: time, in: zone)
    case .once(let wall):
      let moment = zone.moments(of: wall).first
      return moment > time ? moment : nil
    }
  }

  /// The time of day at which days begin, in seconds; `nil` for an hourly schedule and a date, which begin no days.
  public var secondOfDay: Int? {
    if case .every(let period) = kind, period.unit != .hour { period.secondOfDay } else { nil }
  }

  /// The time of a count for a day without a time: the middle of the hours, up to now, that the day shares with the
  /// calendar day. The count then stays in its day if the days begin at another time later.
  ///
  /// - Parameters:
  ///   - start: when the day began, in microseconds since 1970 like `now` and the result.
  ///   - secondOfDay: the time of day at which the days begin.
  public static func middle(ofDayFrom start: Int64, secondOfDay: Int, now: Int64) -> Int64 {
    let shared = Int64(WallTime.secondsPerDay - secondOfDay) * 1_000_000
    return start + max(0, min(shared, now - start)) / 2
  }

  /// The last time of the schedule up to `time`; `nil` before the only one.
  public func last(atOrBefore time: Int64, in zone: Zone) -> Int64? {
    switch kind {
    case .every(let period): return period.boundary(atOrBefore: time, in: zone)
    case .once(let wall):
      let moment = zone.moments(of: wall).first
      return moment <= time ? moment : nil
    }
  }

  /// Canonical text; `Schedule(description)` gives the same schedule.
  public var description: String {
    let start =
      switch kind {
      case .once(let wall): "on \(wall)"
      case .every(let period):
        switch period.unit {
        case .hour: "hourly \(period.secondOfDay / 60)"
        case .day: "daily \(Self.clock(period))"
        case .week(let day): "weekly \(Self.weekdays[day - 1]) \(Self.clock(period))"
        case .month(let day): "monthly \(day) \(Self.clock(period))"
        case .year(let month, let day): "yearly \(twoDigits(month))-\(twoDigits(day)) \(Self.clock(period))"
        }
      }
    return zone.map { "\(start) \($0)" } ?? start
  }

  private static func clock(_ period: Period) -> String {
    WallTime(CalendarDate(daysSince1970: 0), secondOfDay: period.secondOfDay).clock
  }
}

/// The reason why a text is not a schedule.
public struct ScheduleError: Error, Equatable, Sendable {
  /// A clause without a full stop, as the text after a colon.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  static let form = ScheduleError(
    "it must have a form such as “daily 04:00”, “hourly 15”, “weekly monday”, “monthly 1 00:00 Europe/Berlin”, “yearly 07-01” or “on 2026-12-24 18:00”"
  )
}

extension CalendarDate {
  /// Parses `2026-11-21`.
  public init?(_ text: String) {
    var reader = TimeReader(text)
    guard let date = reader.date(), reader.isAtEnd else { return nil }
    self = date
  }
}
