/// Smooths away what is faster than a hand: knocks and their ringing. A binomial average of five steps, which leaves a
/// swing of 7 Hz nine tenths of its height and one of 25 Hz a quarter.
struct Smoother {
  /// The last four steps, the latest one last.
  private var a = Vector.zero
  private var b = Vector.zero
  private var c = Vector.zero
  private var d = Vector.zero
  private var count = 0

  /// Takes a step; returns the average about the one two steps before it, once there is one.
  mutating func take(_ force: Vector) -> Vector? {
    defer { (a, b, c, d, count) = (b, c, d, force, min(count + 1, 4)) }
    guard count == 4 else { return nil }
    return (a + force) * 0.0625 + (b + d) * 0.25 + c * 0.375
  }
}
