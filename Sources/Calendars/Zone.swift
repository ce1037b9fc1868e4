/// A place whose clocks are changed together, such as Europe/Berlin.
public struct Zone: Equatable, Sendable {
  /// What the zone database calls it.
  public let name: String
  public let rules: ZoneRules

  public init(name: String, rules: ZoneRules) {
    self.name = name
    self.rules = rules
  }

  /// Universal time.
  public static let utc = Zone(name: "UTC", rules: .utc)

  /// What a wall here shows at a moment.
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  public func wallTime(at seconds: Int64) -> WallTime {
    WallTime(secondsSince1970: seconds.bounded + Int64(rules.offset(at: seconds.bounded)))
  }

  /// The moments at which a wall here shows a time.
  public enum Moments: Equatable, Sendable {
    case once(Int64)
    /// The clocks were put back over it: the first and the last moment that show it.
    case twice(Int64, Int64)
    /// The clocks were put forward over it, at this moment and by so many seconds.
    case never(changeAt: Int64, by: Int)

    /// The first moment at which the clock has reached the time.
    public var first: Int64 {
      switch self {
      case .once(let time), .twice(let time, _), .never(let time, _): time
      }
    }
  }

  /// When a wall here shows `wall`, in seconds since 1970-01-01T00:00:00Z.
  public func moments(of wall: WallTime) -> Moments {
    let local = wall.secondsSince1970
    // No offset is more than 26 hours, so whatever can matter lies within two days.
    var time = local - 2 * Int64(WallTime.secondsPerDay)
    let end = local + 2 * Int64(WallTime.secondsPerDay)
    var offset = rules.offset(at: time)
    var found: [Int64] = []
    var gap: (at: Int64, by: Int)?
    while true {
      let next = rules.transition(after: time)
      let moment = local - Int64(offset)
      if moment >= time, moment < next?.time ?? Int64.max { found.append(moment) }
      guard let next, next.time <= end else { break }
      if local - Int64(offset) >= next.time, local - Int64(next.offset) < next.time {
        gap = (next.time, next.offset - offset)
      }
      time = next.time
      offset = next.offset
    }
    if let first = found.first, let last = found.last { return first == last ? .once(first) : .twice(first, last) }
    if let gap { return .never(changeAt: gap.at, by: gap.by) }
    return .once(local - Int64(offset))
  }
}

extension Int64 {
  /// Seconds that calendars can name; whoever asks beyond 30,000 years gets their end.
  var bounded: Int64 { Swift.min(Swift.max(self, -1_000_000_000_000), 1_000_000_000_000) }
}
