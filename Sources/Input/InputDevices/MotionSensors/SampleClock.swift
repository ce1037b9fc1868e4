/// Gives samples their times on the clock of gestures: the sensor's stamps if they are on that clock, else times
/// derived from the time of reading.
public struct SampleClock: Equatable, Sendable {
  private let period: Int64
  private let isTrusted: Bool
  private var last = Int64.min

  /// The largest age of a stamp at its reading, in nanoseconds; an older or a future stamp is on another clock or a
  /// fault. A full buffer is 2.5 s old at 100 Hz.
  private static let oldest: Int64 = 12_000_000_000
  private static let youngest: Int64 = 100_000_000

  /// - Parameters:
  ///   - period: from one sample to the next, in nanoseconds.
  ///   - isTrusted: whether the sensor stamps its samples on that clock.
  public init(period: Int64, isTrusted: Bool) {
    self.period = max(1, period)
    self.isTrusted = isTrusted
  }

  /// The time of a sample.
  ///
  /// - Parameters:
  ///   - stamp: the sensor's stamp.
  ///   - behind: the number of later samples in the same read.
  ///   - now: the time of the read.
  public mutating func time(stamp: Int64?, behind: Int, now: Int64) -> Int64 {
    var time = now.subtractingSaturated(Int64(clamping: behind).multipliedSaturated(by: period))
    if isTrusted, let stamp, stamp > now.subtractingSaturated(Self.oldest),
      stamp < now.subtractingSaturated(-Self.youngest)
    {
      time = stamp
    } else if time <= last, last < now {
      // Samples that are read sooner than they can have been measured get times just after the previous one.
      time = last + 1
    }
    last = time
    return time
  }
}

extension Int64 {
  fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }

  fileprivate func multipliedSaturated(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
