import Glibc

/// A moment as people and programs read it, in the time zone of whoever asks.
struct LocalTime {
  private let broken: tm
  private let microseconds: Int64

  /// - Parameter microseconds: since 1970-01-01T00:00:00Z.
  init(microseconds: Int64) {
    // Floored, so that a moment before 1970 has a fraction too.
    let seconds = microseconds >> 63 == 0 ? microseconds / 1_000_000 : (microseconds &- 999_999) / 1_000_000
    var time = time_t(seconds)
    var broken = tm()
    unsafe localtime_r(&time, &broken)
    self.broken = broken
    self.microseconds = microseconds &- seconds &* 1_000_000
  }

  /// ISO 8601 with microseconds and the offset from UTC: `2026-11-21T14:05:09.123456+01:00`.
  var iso8601: String {
    let offset = broken.tm_gmtoff / 60
    let fraction = String(microseconds)
    return
      "\(padded(Int32(clamping: Int(broken.tm_year) + 1900), 4))-\(padded(broken.tm_mon + 1))-\(padded(broken.tm_mday))T\(clock)"
      + ".\(String(repeating: "0", count: max(0, 6 - fraction.count)))\(fraction)"
      + (offset < 0 ? "-" : "+")
      + "\(padded(Int32(clamping: abs(offset) / 60))):\(padded(Int32(clamping: abs(offset) % 60)))"
  }

  /// The day: `2026-11-21`.
  var day: String { String(iso8601.prefix { $0 != "T" }) }

  /// The time of day: `14:05:09`.
  var clock: String { "\(padded(broken.tm_hour)):\(padded(broken.tm_min)):\(padded(broken.tm_sec))" }

  private func padded(_ number: Int32, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
