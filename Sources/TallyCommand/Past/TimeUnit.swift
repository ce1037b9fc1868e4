import ArgumentParser
import Calendars

/// What totals are given for, by the clock and the calendar on a wall.
enum TimeUnit: String, CaseIterable, ExpressibleByArgument {
  case minute, hour, day, week, month

  /// About how long it is, in microseconds.
  var length: Int64 {
    switch self {
    case .minute: 60_000_000
    case .hour: 3_600_000_000
    case .day: 86_400_000_000
    case .week: 7 * 86_400_000_000
    case .month: 30 * 86_400_000_000
    }
  }

  /// How many are shown where nobody says from when.
  var usualCount: Int64 {
    switch self {
    case .minute: 60
    case .hour: 24
    case .day: 14
    case .week, .month: 12
    }
  }

  /// The moments, in microseconds, at which these begin, from the one that holds `start` up to the end of the one before
  /// `end`; at most `most` stretches, the last ones.
  func bounds(from start: Int64, until end: Int64, most: Int = 2000, in zone: Zone) -> [Int64] {
    let (start, end) = (start.seconds, end.seconds + (end % 1_000_000 > 0 ? 1 : 0))
    let earliest = max(start, end - Int64(most - 1) * (length / 1_000_000))
    var bounds = [boundary(atOrBefore: earliest, in: zone)]
    while let last = bounds.last, last < max(end, start + 1) { bounds.append(boundary(after: last, in: zone)) }
    return bounds.suffix(most + 1).map { $0 * 1_000_000 }
  }

  /// The moment at which the one began that `time` lies in; both in seconds.
  func boundary(atOrBefore time: Int64, in zone: Zone) -> Int64 {
    if let period { return period.boundary(atOrBefore: time, in: zone) }
    let length = length / 1_000_000
    let wall = time + Int64(zone.rules.offset(at: time))
    return time - (wall % length + length) % length
  }

  private func boundary(after time: Int64, in zone: Zone) -> Int64 {
    if let period { return period.boundary(after: time, in: zone) }
    let length = length / 1_000_000
    let wall = time + Int64(zone.rules.offset(at: time))
    let next = time + length - (wall % length + length) % length
    // Clocks may be changed by half an hour: then a new hour begins with the change.
    guard let change = zone.rules.transition(after: time), change.time < next else { return next }
    return change.time
  }

  private var period: Period? {
    switch self {
    case .minute, .hour: nil
    case .day: Period(.day)
    case .week: Period(.week(from: 1))
    case .month: Period(.month(from: 1))
    }
  }

  /// How one that began at a moment is called.
  func label(_ start: Int64, in zone: Zone) -> String {
    let wall = zone.wallTime(at: start.seconds)
    switch self {
    case .minute, .hour: return "\(wall.date) \(wall.clock)"
    case .day: return "\(wall.date) \(Self.weekdays[(wall.date.weekday - 1) % 7])"
    case .week: return "week from \(wall.date)"
    case .month: return String("\(wall.date)".prefix(7))
    }
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// From when until when, in words.
  func spanText(from start: Int64, until end: Int64, in zone: Zone) -> String {
    let (first, last) = (zone.wallTime(at: start.seconds), zone.wallTime(at: end.seconds - 1))
    if first.date != last.date { return "\(first.date) to \(last.date)" }
    return self == .day ? "\(first.date)" : "\(first.date), \(first.clock) to \(zone.wallTime(at: end.seconds).clock)"
  }

  /// The same in the few columns that an axis has.
  func shortLabel(_ start: Int64, in zone: Zone) -> String {
    let wall = zone.wallTime(at: start.seconds)
    switch self {
    case .minute, .hour: return wall.clock
    case .day, .week: return String("\(wall.date)".dropFirst(5))
    case .month: return String("\(wall.date)".prefix(7))
    }
  }
}

extension Int64 {
  /// Whole seconds of these microseconds, rounded down.
  var seconds: Int64 { self / 1_000_000 - (self % 1_000_000 < 0 ? 1 : 0) }
}
