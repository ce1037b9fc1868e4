/// Turns samples at any moments into samples at even steps, along a smooth curve through them: between two samples of a
/// slow sensor, a peak is found where it was.
struct EvenSteps {
  /// In seconds.
  static let step = 0.01

  private var points: (Felt, Felt, Felt)?
  private var seen: [Felt] = []
  private var slopes = (Vector.zero, Vector.zero)
  private var next = 0.0

  init() { seen.reserveCapacity(3) }

  /// Takes the next sample; `take()` then gives the steps up to the sample before it.
  mutating func put(_ sample: Felt) {
    guard let (a, b, c) = points else {
      seen.append(sample)
      if seen.count == 3 {
        points = (seen[0], seen[1], seen[2])
        slopes = (Self.slope(seen[0], seen[1], seen[1]), Self.slope(seen[0], seen[1], seen[2]))
        next = seen[0].time
        seen.removeAll(keepingCapacity: true)
      }
      return
    }
    _ = a
    points = (b, c, sample)
    slopes = (slopes.1, Self.slope(b, c, sample))
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
    seen.removeAll(keepingCapacity: true)
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
