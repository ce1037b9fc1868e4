/// A region whose clocks are changed together, such as Europe/Berlin. ``ZoneFolder`` finds zones by name.
public struct Zone: Equatable, Sendable {
  /// The name in the zone database. For a zone that is not in the database: the rule in `TZ`, or the path of the file.
  public let name: String
  /// Whether ``ZoneFolder/zone(named:)`` finds this zone by its name.
  public let isInDatabase: Bool
  /// The value of `TZ` that makes the C library use this zone; `nil` for universal time.
  let setting: String?

  public static let utc = Zone(name: "UTC", isInDatabase: true, setting: nil)

  /// Seconds east of universal time at a moment.
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  public func offset(at seconds: Int64) -> Int {
    setting.map { ZoneLibrary.offset(at: seconds.bounded, in: $0) } ?? 0
  }

  /// The first moment after `time` and up to `end` at which the offset changes; `nil` if it does not change.
  public func firstChange(after time: Int64, until end: Int64) -> Int64? {
    setting.flatMap { ZoneLibrary.firstChange(after: time.bounded, until: end.bounded, in: $0) }
  }

  /// The date and time of day at a moment.
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  public func wallTime(at seconds: Int64) -> WallTime {
    WallTime(secondsSince1970: seconds.bounded + Int64(offset(at: seconds)))
  }

  /// The moments at which clocks show a time.
  public enum Moments: Equatable, Sendable {
    case once(Int64)
    /// The clocks are put back over the time: the first and the last moment that show it.
    case twice(Int64, Int64)
    /// The clocks are put forward over the time: the moment of that change, and its number of seconds.
    case never(changeAt: Int64, by: Int)

    /// The first moment at which the clock has reached the time.
    public var first: Int64 {
      switch self {
      case .once(let time), .twice(let time, _), .never(let time, _): time
      }
    }
  }

  /// The moments at which clocks show `wall`, in seconds since 1970-01-01T00:00:00Z.
  public func moments(of wall: WallTime) -> Moments {
    let local = wall.secondsSince1970
    // No offset reaches a day, and no two changes lie within two days of each other.
    let (start, end) = (local - Int64(WallTime.secondsPerDay), local + Int64(WallTime.secondsPerDay))
    let (before, after) = (offset(at: start), offset(at: end))
    if before == after { return .once(local - Int64(before)) }
    let found = [before, after].filter { offset(at: local - Int64($0)) == $0 }.map { local - Int64($0) }
    if let first = found.min(), let last = found.max() { return first == last ? .once(first) : .twice(first, last) }
    guard let change = firstChange(after: start, until: end) else { return .once(local - Int64(before)) }
    return .never(changeAt: change, by: after - before)
  }

  /// The offsets of a time that clocks show twice, in seconds east of universal time; else none.
  func offsets(of wall: WallTime) -> [Int] {
    if case .twice(let first, let last) = moments(of: wall) { [offset(at: first), offset(at: last)] } else { [] }
  }

  /// The offset from universal time at a moment whose time clocks show twice, such as `+02:00`; otherwise an empty text.
  public func mark(at seconds: Int64) -> String {
    guard case .twice = moments(of: wallTime(at: seconds)) else { return "" }
    return Self.text(ofOffset: offset(at: seconds))
  }

  /// An offset from universal time in seconds as text: `+02:00`.
  public static func text(ofOffset offset: Int) -> String {
    let minutes = abs(offset) / 60
    return "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }
}

extension Int64 {
  /// The seconds, clamped to the range of calendars: at most 30,000 years from 1970.
  var bounded: Int64 { Swift.min(Swift.max(self, -1_000_000_000_000), 1_000_000_000_000) }
}

/// The reason why a time zone cannot be used: a clause without a full stop, as the text after a colon.
public struct ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
