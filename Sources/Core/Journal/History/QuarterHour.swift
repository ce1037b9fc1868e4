/// Quarter hours, from which the totals of hours, days and weeks are computed: the offset of every time zone in use is
/// a multiple of a quarter hour.
enum QuarterHour {
  /// The length in microseconds.
  static let length: Int64 = 900_000_000

  /// The number of the quarter hour that contains `time`; the first one of 1970 is 0.
  static func number(of time: Int64) -> Int64 {
    let quotient = time / length
    return time < 0 && quotient * length != time ? quotient - 1 : quotient
  }

  /// The start of a quarter hour, clamped to 64 bits.
  static func start(_ number: Int64) -> Int64 {
    let (product, overflow) = number.multipliedReportingOverflow(by: length)
    return overflow ? (number < 0 ? .min : .max) : product
  }

  static func begins(at time: Int64) -> Bool { start(number(of: time)) == time }

  /// The rollup of a counter for a quarter hour.
  struct Summary: Equatable {
    var totals = Totals()
    /// The time of the first count, undone ones included.
    var first: Int64?
    /// The time of the last count, undone ones included.
    var last: Int64?

    mutating func include(_ other: Summary) {
      totals.include(other.totals)
      if let moment = other.first { first = min(first ?? moment, moment) }
      if let moment = other.last { last = max(last ?? moment, moment) }
    }
  }

  /// The key of a rollup: counter ID and number of the quarter hour.
  struct Key: Hashable, Comparable {
    let counter: Int64
    let number: Int64

    static func < (one: Key, other: Key) -> Bool { (one.counter, one.number) < (other.counter, other.number) }
  }

  /// The key of the sum of all counters with this number of decimals; no counter has this ID. Numbers of different
  /// decimals are summed separately, because in the finest unit a sum would soon exceed 64 bits.
  static func all(decimals: Int64) -> Int64 { -decimals }
}
