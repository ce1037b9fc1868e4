/// The motion from one turning point of the acceleration to the next: half a period of a shake.
struct Swing {
  var start: TimedForce
  var end: TimedForce
  /// The sums over the samples after `start`, up to and including `end`.
  var moments = Moments()

  var duration: Double { end.time - start.time }
  /// The distance from one extreme to the other, in m/s²: about twice the strength of a stroke.
  var length: Double { (end.force - start.force).length }
}

/// Follows the turning points of the acceleration in space. No estimate of gravity is needed, because gravity is the
/// same at both ends of a swing.
struct StrokeChain {
  /// The part of the swing by which the force must return before a turning point is certain. With less, the trembling
  /// of a hand splits a swing; with much more, the weaker strokes of an uneven shake are missed.
  private static let reversal = 0.6

  /// The present swing, from the last turning point to the furthest force since.
  private(set) var open: Swing?
  /// The complete swings directly before the present one, without a gap, oldest first.
  private(set) var swings: [Swing] = []
  private var sinceExtreme = Moments()
  private let durations: ClosedRange<Double>
  private let capacity: Int

  /// - Parameters:
  ///   - durations: the range of a shake's swing, in seconds.
  ///   - capacity: the number of complete swings that are kept.
  init(durations: ClosedRange<Double>, capacity: Int) {
    self.durations = durations
    self.capacity = capacity
    swings.reserveCapacity(capacity + 1)
  }

  mutating func clear() {
    open = nil
    swings.removeAll(keepingCapacity: true)
  }

  /// Adds the next sample. Calls `onLeave` for each swing that leaves the chain, in order.
  mutating func take(_ sample: TimedForce, onLeave: (Swing) -> Void) {
    guard var swing = open else {
      begin(at: sample)
      return
    }
    sinceExtreme.add(sample.force)
    let (start, extreme) = (swing.start.force, swing.end.force)
    let back = sample.force - extreme
    // A reversal is checked first: the opposite stroke may end as far from the start as the extreme is.
    if back.dot(start - extreme) > 0, back.length >= Self.reversal * swing.length {
      append(swing, onLeave)
      open = Swing(start: swing.end, end: sample, moments: sinceExtreme)
      sinceExtreme = Moments()
    } else if (sample.force - start).squared >= (extreme - start).squared {
      swing.end = sample
      swing.moments.add(sinceExtreme)
      sinceExtreme = Moments()
      open = swing
    } else if sample.time - swing.end.time > durations.upperBound {
      // The device came to rest, so no swing follows this one.
      append(swing, onLeave)
      leave(onLeave)
      begin(at: sample)
    }
  }

  /// The last `count` strokes, including the stroke that has just reached a new extreme; nil if there are fewer.
  ///
  /// - Parameter time: the time of the last sample.
  func strokes(_ count: Int, at time: Double) -> Strokes? {
    guard let open, open.end.time == time, durations.contains(open.duration), swings.count >= count - 2 else {
      return nil
    }
    return Strokes(swings.suffix(count - 2) + [open])
  }

  private mutating func begin(at sample: TimedForce) {
    open = Swing(start: sample, end: sample)
    sinceExtreme = Moments()
  }

  private mutating func append(_ swing: Swing, _ onLeave: (Swing) -> Void) {
    guard durations.contains(swing.duration) else {
      leave(onLeave)
      if swing.duration > 0 { onLeave(swing) }
      return
    }
    swings.append(swing)
    if swings.count > capacity { onLeave(swings.removeFirst()) }
  }

  private mutating func leave(_ onLeave: (Swing) -> Void) {
    for swing in swings { onLeave(swing) }
    swings.removeAll(keepingCapacity: true)
  }
}

/// Combined measures of successive strokes. A stroke is the extreme between two swings.
struct Strokes {
  /// The time of the first stroke's extreme, in seconds.
  let start: Double
  /// The mean time from one stroke to the next, in seconds.
  let spacing: Double
  /// The mean strength of the strokes: their acceleration along the common axis, without the mean of all strokes, in
  /// m/s².
  let strength: Double
  /// The smallest strength of a stroke, in m/s².
  let weakest: Double
  /// The least measured acceleration at a stroke, gravity included, in m/s².
  let leastForce: Double
  /// The energy across the strokes' axis as a part of the energy along it.
  let roundness: Double

  /// - Parameter swings: at least one.
  init?(_ swings: ArraySlice<Swing>) {
    guard let first = swings.first, let last = swings.last else { return nil }
    var (axis, sign, all) = (Vector.zero, 1.0, Moments())
    for swing in swings {
      axis = axis + (swing.end.force - swing.start.force) * sign
      all.add(swing.moments)
      sign = -sign
    }
    guard axis.length > 0 else { return nil }
    axis = axis * (1 / axis.length)
    let mean = all.mean
    let least = -(first.start.force - mean).dot(axis)
    var (sum, weakest, leastForce) = (least, least, first.start.force.length)
    sign = 1
    for swing in swings {
      let stroke = sign * (swing.end.force - mean).dot(axis)
      sum += stroke
      weakest = min(weakest, stroke)
      leastForce = min(leastForce, swing.end.force.length)
      sign = -sign
    }
    start = first.start.time
    spacing = (last.end.time - first.start.time) / Double(swings.count)
    strength = sum / Double(swings.count + 1)
    self.weakest = weakest
    self.leastForce = leastForce
    let along = all.energy(along: axis)
    roundness = along > 0 ? max(0, all.energy - along) / along : .infinity
  }
}

/// Count, sum and sums of products of the samples of a motion: enough for its mean and for its energy along any axis.
struct Moments {
  private var count = 0.0
  private var sum = Vector.zero
  private var squares = Vector.zero
  /// The sums of x·y, y·z and z·x.
  private var products = Vector.zero

  mutating func add(_ v: Vector) {
    count += 1
    sum = sum + v
    squares = squares + Vector(v.x * v.x, v.y * v.y, v.z * v.z)
    products = products + Vector(v.x * v.y, v.y * v.z, v.z * v.x)
  }

  mutating func add(_ other: Moments) {
    count += other.count
    sum = sum + other.sum
    squares = squares + other.squares
    products = products + other.products
  }

  /// Zero without samples.
  var mean: Vector { sum * (1 / max(1, count)) }

  /// The energy about the mean.
  var energy: Double { squares.x + squares.y + squares.z - sum.squared / max(1, count) }

  /// The part of the energy about the mean that lies along `axis`, which has length 1.
  func energy(along axis: Vector) -> Double {
    let own = squares.dot(Vector(axis.x * axis.x, axis.y * axis.y, axis.z * axis.z))
    let mixed = products.dot(Vector(axis.x * axis.y, axis.y * axis.z, axis.z * axis.x))
    let along = sum.dot(axis)
    return own + 2 * mixed - along * along / max(1, count)
  }
}
