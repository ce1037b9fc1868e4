/// Parses times as people type them and as programs write them.
///
/// `now`, `14:05`, `14:05:30`, `today`, `yesterday 14:05`, `2026-11-21` (its beginning), `2026-11-21 14:05`, and ISO
/// 8601 with `T`, a fraction of a second, and an offset from universal time: `2026-11-21T14:05:09.25+01:00`, `…Z`. Without
/// `T` and seconds, an offset to the west must be one of a time that clocks show twice: `07:00-08:00` may be two times.
public enum TimeText {
  /// The moment that `text` means, in microseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Parameters:
  ///   - now: the moment to which "now", "today" and a time without a day refer, in the same unit.
  ///   - zone: the zone of times without an offset.
  ///   - start: when a day begins, in seconds since 1970, for a day without a time; default: at midnight, or when the
  ///     clocks are put forward over it.
  /// - Throws: ``TimeError`` for other texts, and for times that local clocks skip or show twice.
  public static func moment(
    _ text: String, now: Int64, in zone: Zone, startOfDay start: ((CalendarDate) -> Int64)? = nil
  ) throws(TimeError) -> Int64 {
    var reader = TimeReader(text)
    if reader.skip("now") {
      guard reader.isAtEnd else { throw .unreadable(text) }
      return now
    }
    let today = zone.wallTime(at: now.divided(by: 1_000_000).quotient).date
    let start = start ?? { zone.moments(of: WallTime($0)).first }
    let (date, isRelative) = day(&reader, today)
    if let date, reader.isAtEnd {
      // Before a day has begun, “today” is still the day before.
      let isEarly = isRelative && start(today) * 1_000_000 > now
      return start(isEarly ? date.advanced(by: -1) : date) * 1_000_000
    }
    guard date == nil || reader.skip("T") || reader.skip(" "), let clock = reader.clock() else {
      throw .unreadable(text)
    }
    let wall = WallTime(date ?? today, secondOfDay: clock.second)
    let offset = reader.offset()
    guard reader.isAtEnd else { throw .unreadable(text) }
    if let offset {
      guard offset >= 0 || !mayBeInterval(text) || zone.offsets(of: wall).contains(offset) else {
        throw .unreadable(text)
      }
      return (wall.secondsSince1970 - Int64(offset)) * 1_000_000 + clock.microseconds
    }
    switch zone.moments(of: wall) {
    case .once(let seconds): return seconds * 1_000_000 + clock.microseconds
    case .never(let change, _): throw .skipped(wall, in: zone, from: zone.wallTime(at: change - 1))
    case .twice(let first, let last):
      throw .ambiguous(wall, in: zone, zone.offset(at: first), zone.offset(at: last))
    }
  }

  /// Whether a text such as `07:00-08:00` is more likely two times than one west of Greenwich.
  private static func mayBeInterval(_ text: String) -> Bool {
    !text.contains("T") && text.count { $0 == ":" } < 3
  }

  /// Whether a text is a day without a time, such as `yesterday` or `2026-11-21`.
  public static func isDay(_ text: String) -> Bool {
    var reader = TimeReader(text)
    return day(&reader, CalendarDate(daysSince1970: 0)).date != nil && reader.isAtEnd
  }

  private static func day(
    _ reader: inout TimeReader, _ today: CalendarDate
  ) -> (date: CalendarDate?, isRelative: Bool) {
    if reader.skip("today") { return (today, true) }
    if reader.skip("yesterday") { return (today.advanced(by: -1), true) }
    return (reader.date(), false)
  }

  /// A time of day such as `04:00` or `14:05:30`, in seconds; `nil` for anything else.
  public static func secondOfDay(_ text: String) -> Int? {
    var reader = TimeReader(text)
    guard let clock = reader.clock(), clock.microseconds == 0, reader.isAtEnd else { return nil }
    return clock.second
  }
}

/// The reason why a text is not the time of one moment.
public enum TimeError: Error, Equatable, Sendable {
  case unreadable(String)
  /// The clocks were put forward over the time; `from` is the last time that they showed before the change.
  case skipped(WallTime, in: Zone, from: WallTime)
  /// The clocks were put back over the time, and showed it twice, with these two offsets.
  case ambiguous(WallTime, in: Zone, Int, Int)

  /// The reason, as a sentence.
  public var message: String {
    switch self {
    case .unreadable(let text):
      "“\(String(text.unicodeScalars.prefix(64)))” is not a time. Write it like 14:05, yesterday 14:05, 2026-11-21, "
        + "“2026-11-21 14:05” or 2026-11-21T14:05:00+01:00."
    case .skipped(let wall, let zone, let from):
      "There is no \(wall.clock) on \(wall.date) in \(zone.name): the clocks are put forward after \(from.clock)."
    case .ambiguous(let wall, let zone, let first, let last):
      "It is \(wall.clock) twice on \(wall.date) in \(zone.name), as the clocks are put back; write "
        + "\(Self.iso(wall, first)) or \(Self.iso(wall, last))."
    }
  }

  private static func iso(_ wall: WallTime, _ offset: Int) -> String {
    "\(wall.date)T\(wall.clock)\(Zone.text(ofOffset: offset))"
  }
}
