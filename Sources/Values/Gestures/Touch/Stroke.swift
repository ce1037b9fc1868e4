/// The path of one contact over the surface, reduced to the numbers that a verdict needs.
///
/// One report decides nothing, because panels are known whose first or last report of a touch has a wrong place (TSC2007,
/// the Raspberry Pi's FT5406), and some that lose the place for one report in between. A report that is far from the one
/// before waits for the next one or for the lift:
///
/// | reports before | the report | reports after        | the report is                         |
/// |----------------|------------|----------------------|---------------------------------------|
/// | at A           | at B       | at A                 | wrong, and dropped                    |
/// | two at A       | at B       | the lift             | wrong, and dropped                    |
/// | only one, at A | at B       | at B                 | right; the landing at A was wrong     |
/// | two at A       | at B       | at B                 | a ``jump``, which is no part of a swipe |
/// | anything else  |            |                      | right                                 |
struct Stroke: Equatable, Sendable {
  /// A point or a displacement in the surface's unit.
  struct Vector: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = Vector(x: 0, y: 0)
    var length: Double { (x * x + y * y).squareRoot() }
    static func - (left: Vector, right: Vector) -> Vector { Vector(x: left.x - right.x, y: left.y - right.y) }
    static func + (left: Vector, right: Vector) -> Vector { Vector(x: left.x + right.x, y: left.y + right.y) }
    static func * (left: Vector, factor: Double) -> Vector { Vector(x: left.x * factor, y: left.y * factor) }
  }

  private struct Sample: Equatable, Sendable {
    var place: Vector
    var time: Int64
  }

  private(set) var start: Vector
  let startTime: Int64
  private(set) var last: Vector
  /// When the contact lifted.
  private(set) var end: Int64
  /// The largest displacement from the start after the settling time.
  private(set) var excursion = Vector.zero
  private var corner: Vector
  private var travelled = 0.0
  /// Two earlier reports, at least ``velocitySpan`` apart, from which the velocity is taken.
  private var earlier: Sample
  private var recent: Sample
  private var lastReport: Int64
  /// From the report before to the last one.
  private var interval: Int64 = 0
  /// The place in the report before the last one; nil after the landing.
  private var previous: Vector?
  /// A report that is far from ``last``, and is not taken for true yet.
  private var pending: Sample?
  /// The ways that lie between two reports, with rest before and after.
  private(set) var jump = Vector.zero

  /// The time over which the velocity is averaged, in nanoseconds: two or three reports of a usual panel.
  private static let velocitySpan: Int64 = 20_000_000

  init(from start: Vector, at time: Int64) {
    self.start = start
    startTime = time
    last = start
    end = time
    corner = start
    earlier = Sample(place: start, time: time)
    recent = earlier
    lastReport = time
  }

  /// The displacement from the landing to the place in the last report.
  var net: Vector { (pending?.place ?? last) - start }

  /// The length of the path, without sensor noise.
  var path: Double { travelled + (last - corner).length }

  mutating func move(to place: Vector, at time: Int64, limits: TouchLimits) {
    rest(until: time, limits: limits)
    if let early = pending {
      pending = nil
      // A place at which the device leaves a finger for long is right, since it reports only what changes.
      let isBack = (place - last).length <= (early.place - last).length / 4
      if !isBack || time.elapsed(since: early.time) ?? 0 >= limits.settling {
        let rests = isRest(early.place, place, besides: early.place - last, limits)
        accept(early, isFollowedByRest: rests, limits: limits)
        rest(until: time, limits: limits)
      }
    }
    if (place - last).length > limits.tapSlop {
      pending = Sample(place: place, time: time)
    } else {
      accept(Sample(place: place, time: time), limits: limits)
    }
  }

  /// Takes a report that waited for true.
  private mutating func accept(_ sample: Sample, isFollowedByRest: Bool, limits: TouchLimits) {
    guard isFollowedByRest else { return accept(sample, limits: limits) }
    if previous == nil {
      // The finger was there from the beginning.
      (start, last, corner, lastReport) = (sample.place, sample.place, sample.place, sample.time)
      (earlier, recent) = (sample, sample)
      (excursion, travelled) = (.zero, 0)
    } else {
      if restsBefore(sample.place, limits) { jump = jump + (sample.place - last) }
      accept(sample, limits: limits)
    }
  }

  /// Whether the last two reports show a finger at rest, compared with the way to `place`.
  private func restsBefore(_ place: Vector, _ limits: TouchLimits) -> Bool {
    previous.map { isRest($0, last, besides: place - last, limits) } ?? false
  }

  /// Whether two places in a row are the same besides a way to or from them: but for the sensor's noise, or in a stroke
  /// that is slow beside that way. No flick gains or loses its speed within one report.
  private func isRest(_ one: Vector, _ other: Vector, besides way: Vector, _ limits: TouchLimits) -> Bool {
    let step = (other - one).length
    return step <= min(limits.hysteresis, way.length / 4) || step <= min(limits.tapSlop, way.length / 10)
  }

  private mutating func accept(_ sample: Sample, limits: TouchLimits) {
    let (place, time) = (sample.place, sample.time)
    previous = last
    last = place
    rest(until: time, limits: limits)
    let way = (place - corner).length
    if way > limits.hysteresis {
      travelled += way
      corner = place
    }
    interval = time.elapsed(since: lastReport) ?? 0
    lastReport = time
    if time.elapsed(since: recent.time) ?? 0 >= Self.velocitySpan {
      earlier = recent
      recent = Sample(place: place, time: time)
    }
  }

  /// The device reports the same place under other coordinates from now on: the contact did not move.
  mutating func shift(to place: Vector) {
    let jump = place - (pending?.place ?? last)
    pending = pending.map { Sample(place: $0.place + jump, time: $0.time) }
    previous = previous.map { $0 + jump }
    start = start + jump
    corner = corner + jump
    earlier.place = earlier.place + jump
    recent.place = recent.place + jump
    last = last + jump
  }

  /// The contact stayed where it is until `time`: devices report only what changes.
  mutating func rest(until time: Int64, limits: TouchLimits) {
    let way = last - start
    guard time.elapsed(since: startTime) ?? 0 >= limits.settling, way.length > excursion.length else { return }
    excursion = way
  }

  /// The contact lifted.
  mutating func lift(at time: Int64, limits: TouchLimits) {
    if let early = pending {
      pending = nil
      if !restsBefore(early.place, limits) { accept(early, limits: limits) }
    }
    rest(until: time, limits: limits)
    end = time
  }

  /// How far a contact lands from where this one is expected, if it can be this one, which the panel only lost for a moment;
  /// nil for one that cannot.
  ///
  /// A moving finger goes on moving meanwhile: the landing is compared with the way from the last place to where the last
  /// velocity has taken it. It is expected at either end.
  func distance(toContinuationAt place: Vector, _ time: Int64, limits: TouchLimits) -> Double? {
    guard limits.touchDropout > 0, let pause = time.elapsed(since: end), pause <= limits.touchDropout else {
      return nil
    }
    let way = velocity * (Double(time.elapsed(since: lastReport) ?? 0) / 1e9)
    // A stroke that begins doubles its speed within the time of a dropout, and one that ends may stop.
    let longest = way * 2.5
    let offset = place - last
    let square = longest.x * longest.x + longest.y * longest.y
    let part = square > 0 ? min(max((offset.x * longest.x + offset.y * longest.y) / square, 0), 1) : 0
    // Another finger that lands so soon near a stroke is rarer than near a tap.
    let radius = net.length > limits.tapSlop ? 2 * limits.dropoutRadius : limits.dropoutRadius
    guard (offset - longest * part).length <= radius + way.length * 0.25 else { return nil }
    return min(offset.length, (offset - way).length)
  }

  /// In the surface's unit a second, at the lift. A contact of which no report comes in time rests: a fingertip that rolls as
  /// it lands has stopped when it lifts.
  private var velocity: Vector {
    let rest = end.elapsed(since: lastReport) ?? .max
    guard rest <= 2 * Self.velocitySpan,
      let span = (rest > interval + interval / 2 ? end : lastReport).elapsed(since: earlier.time), span > 0
    else { return .zero }
    return (last - earlier.place) * (1e9 / Double(span))
  }
}
