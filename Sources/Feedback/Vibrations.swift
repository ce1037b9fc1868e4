/// Until when a motor may run that takes pieces in ``Turns``: known without asking it.
///
/// Times are nanoseconds of one clock.
public struct Vibrations: Equatable, Sendable {
  private var end = Int64.min / 2
  private var longest: Int64 = 0

  public init() {}

  /// When the motor has come to rest once one more piece is added, at the latest.
  public mutating func end(adding piece: Piece, at time: Int64) -> Int64 {
    let length = piece.milliseconds * 1_000_000
    // At most one piece plays before this one; what waited gives way to it or is played instead.
    let start = min(max(time, end &+ Turns.pause), time &+ longest &+ Turns.pause)
    longest = max(longest, length)
    end = max(end, start &+ length)
    return end
  }
}
