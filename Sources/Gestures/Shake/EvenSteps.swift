/// Turns samples at any moments into samples at even steps, along a smooth curve through them: between two samples of a
/// slow sensor, a peak is found where it was.
struct EvenSteps {
  /// In seconds.
  static let step = 0.01

  /// The last three samples; the curve is certain between the first two.
  private var points: (Felt, Felt, Felt)?
  /// The first samples, while there are fewer than three.
  private var first: (Felt?, Felt?)
  /// The curve's slopes at the first two points.
  private var slopes = (Vector.zero, Vector.zero)
  private var next = 0.0

  /// Takes the next sample; `take()` then gives the steps up to the sample before it.
  mutating func put(_ sample: Felt) {
    if let (_, b, c) = points {
      points = (b, c, sample)
      slopes = (slopes.1, Self.slope(b, c, sample))
    } else if let a = first.0, let b = first.1 {
      points = (a, b, sample)
      slopes = (Self.slope(a, b, b), Self.slope(a, b, sample))
      next = a.time
    } else {
      first = first.0 == nil ? (sample, nil) : (first.0, sample)
    }
  }

  /// The next step that is certain.
  mutating func take() -> Felt? {
    guard let (a, b, _) = points, next <= b.time else { return nil }
    let length = b.time - a.time
    let part = min(1, max(0, (next - a.time) / length))
    let (square, cube) = (part * part, part * part * part)
    let force =
      a.force * (2 * cube - 3 * square + 1) + b.force * (3 * square - 2 * cube)
      + slopes.0 * (length * (cube - 2 * square + part)) + slopes.1 * (length * (cube - square))
    defer { next += Self.step }
    return Felt(time: next, force: force)
  }

  mutating func reset() {
    points = nil
    first = (nil, nil)
  }

  /// The slope at `b` of the parabola through three samples; of the line where the last two are one.
  private static func slope(_ a: Felt, _ b: Felt, _ c: Felt) -> Vector {
    let (before, after) = (b.time - a.time, c.time - b.time)
    let first = (b.force - a.force) * (1 / before)
    guard after > 0 else { return first }
    let second = (c.force - b.force) * (1 / after)
    return first * (after / (before + after)) + second * (before / (before + after))
  }
}
