/// A quarter of an hour, from which the totals of hours, days and weeks are put together: the offset of every time zone
/// in use is a multiple of it.
enum Quarter {
  /// In microseconds.
  static let length: Int64 = 900_000_000

  /// The number of the quarter that holds the moment `time`; the first one of 1970 is 0.
  static func number(of time: Int64) -> Int64 {
    let quotient = time / length
    return time < 0 && quotient * length != time ? quotient - 1 : quotient
  }

  /// When a quarter begins, as far as 64 bits can tell.
  static func start(_ number: Int64) -> Int64 {
    let (product, overflow) = number.multipliedReportingOverflow(by: length)
    return overflow ? (number < 0 ? .min : .max) : product
  }

  /// Whether a quarter begins at the moment `time`.
  static func begins(at time: Int64) -> Bool { start(number(of: time)) == time }

  /// What a counter did in a quarter.
  struct Summary {
    var totals = Totals()
    /// When it was counted first and last, whether or not that was taken back later.
    var first: Int64?
    var last: Int64?

    mutating func include(_ other: Summary) {
      totals.include(other.totals)
      if let moment = other.first { first = min(first ?? moment, moment) }
      if let moment = other.last { last = max(last ?? moment, moment) }
    }
  }

  /// Which counter's which quarter.
  struct Key: Hashable {
    let counter: Int64
    let number: Int64
  }

  /// The number, which no counter has, that stands for all counters with so many decimals together. Units of different
  /// sizes have no sum, and in the smallest one of all it would soon be beyond 64 bits.
  static func all(decimals: Int64) -> Int64 { -decimals }

  /// All such numbers.
  static let allCounters = (0...9).map(all)
}
