/// The time until which a motor may run that plays patterns in a ``PlaybackQueue``, computed without asking the motor.
///
/// Times are nanoseconds of one clock.
public struct Vibrations: Equatable, Sendable {
  private var end = Int64.min / 2
  private var longest: Int64 = 0

  public init() {}

  /// The latest time at which the motor comes to rest after one more pattern is added.
  public mutating func end(adding pattern: Pattern, at time: Int64) -> Int64 {
    let length = pattern.milliseconds * 1_000_000
    // At most one pattern plays before the new one. A waiting pattern is replaced by the new one, or replaces it.
    let start = min(max(time, end &+ PlaybackQueue.pause), time &+ longest &+ PlaybackQueue.pause)
    longest = max(longest, length)
    end = max(end, start &+ length)
    return end
  }
}
