import Calendars
import JSON
import Reports

/// A time in the local time zone, with its formats.
struct LocalTime {
  private let wall: WallTime
  /// The offset from UTC in seconds, positive to the east.
  private let offset: Int
  /// The microseconds within the second.
  private let microseconds: Int64
  /// The offset as text if clocks show the time twice; otherwise empty.
  private let mark: String

  /// - Parameter microseconds: since 1970-01-01T00:00:00Z.
  init(microseconds: Int64, in zone: Zone = Zone.local) {
    let seconds = microseconds.seconds
    mark = zone.mark(at: seconds)
    wall = zone.wallTime(at: seconds)
    offset = zone.offset(at: seconds)
    self.microseconds = microseconds &- seconds &* 1_000_000
  }

  /// ISO 8601 with microseconds and the UTC offset: `2026-11-21T14:05:09.123456+01:00`.
  var iso8601: String {
    "\(wall.date)T\(clock).\(padded(Int(microseconds), 6))\(Zone.text(ofOffset: offset))"
  }

  /// The day: `2026-11-21`.
  var day: String { "\(wall.date)" }

  /// The time of day: `14:05:09`.
  var clock: String {
    let second = wall.secondOfDay
    return "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
  }

  /// The day and the time of day: `2026-11-21 14:05:09`; with the offset from UTC if clocks show it twice.
  var second: String { "\(day) \(clock)\(mark)" }

  /// ``second`` without the seconds: `2026-11-21 14:05`.
  var minute: String { "\(day) \(clock.prefix(5))\(mark)" }

  static func minute(_ microseconds: Int64) -> String { LocalTime(microseconds: microseconds).minute }

  private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension JSONObject {
  /// The object with the times of these members as ISO 8601 with the UTC offset, the format of all times in `--json`,
  /// instead of microseconds since 1970.
  func spellingTimes(_ names: String...) -> JSONObject {
    var object = self
    for name in names {
      if let time = object[name]?.int { object[name] = .string(LocalTime(microseconds: time).iso8601) }
    }
    return object
  }
}
