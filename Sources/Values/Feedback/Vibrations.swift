/// The time until which a motor may run that plays patterns in a ``PlaybackQueue``, computed without asking the motor.
///
/// Times are nanoseconds of one clock.
public struct Vibrations: Equatable, Sendable {
  private var end = Int64.min / 2
  private var longest: Int64 = 0

  public init() {}

  /// When the motor has come to rest once one more pattern is added, at the latest.
  public mutating func end(adding pattern: Pattern, at time: Int64) -> Int64 {
    let length = pattern.milliseconds * 1_000_000
    // At most one pattern plays before this one; what waited gives way to it or is played instead.
    let start = min(max(time, end &+ PlaybackQueue.pause), time &+ longest &+ PlaybackQueue.pause)
    longest = max(longest, length)
    end = max(end, start &+ length)
    return end
  }
}
