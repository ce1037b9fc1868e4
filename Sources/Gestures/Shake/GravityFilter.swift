/// Tells gravity from motion: what is felt on average is gravity.
struct GravityFilter {
  /// Over how long it is averaged, in seconds.
  private static let span = 0.5
  /// What differs by more than this, in m/s², pulls the average no harder: a shake hardly moves it, while a device that
  /// is turned is followed.
  private static let most = 5.0
  private static let standard = 9.80665

  private var gravity: Vector?

  /// What is left of a step without gravity.
  mutating func motion(in force: Vector) -> Vector {
    guard let pull = gravity else {
      let length = force.length
      gravity = length > 0 ? force * (Self.standard / length) : .zero
      return .zero
    }
    let motion = force - pull
    let length = motion.length
    let pulling = length > Self.most ? Self.most / length : 1
    gravity = pull + motion * (EvenSteps.step / Self.span * pulling)
    return motion
  }
}

/// Smooths away what is faster than a hand: knocks and their ringing. A binomial average of five steps, which leaves a
/// swing of 7 Hz nine tenths of its height and one of 25 Hz a quarter.
struct Smoother {
  private var a = Vector.zero
  private var b = Vector.zero
  private var c = Vector.zero
  private var d = Vector.zero
  private var count = 0

  mutating func take(_ force: Vector) -> Vector? {
    defer { (a, b, c, d, count) = (b, c, d, force, min(count + 1, 4)) }
    guard count == 4 else { return nil }
    return (a + force) * 0.0625 + (b + d) * 0.25 + c * 0.375
  }
}
