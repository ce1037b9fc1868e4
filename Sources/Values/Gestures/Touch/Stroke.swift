/// The path of one contact over the surface, reduced to the numbers that a verdict needs.
///
/// A single report is not trusted, because the first or last report of a touch has a wrong position on some panels
/// (TSC2007, the Raspberry Pi's FT5406), and others lose the position for one report in between. A report that is far
/// from the previous one waits for the next one or for the lift:
///
/// | reports before             | the report | reports after          | the report is                           |
/// |----------------------------|------------|------------------------|-----------------------------------------|
/// | at A                       | at B       | at A                   | wrong, and dropped                      |
/// | two at A, or one for long  | at B       | the lift               | wrong, and dropped                      |
/// | only one, at A             | at B       | at B, or none for long | right; the landing at A was wrong       |
/// | any, for less than a tap   | at B       | at B                   | right; the landing was wrong            |
/// | two at A                   | at B       | at B                   | a ``jump``, which is no part of a swipe |
/// | anything else              |            |                        | right                                   |
///
/// “Long” is longer than the time on the other side of the report: devices report only changes, and a finger that moves
/// changes its position in each report. In a swipe a finger in motion is “at” a place to which it moves in steps that
/// are much shorter than the way to B, and in another direction.
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
  /// The time at which the contact lifted.
  private(set) var end: Int64
  /// The largest displacement from the start after the settling time.
  private(set) var excursion = Vector.zero
  private var corner: Vector
  private var travelled = 0.0
  /// Two earlier reports, at least ``velocitySpan`` apart, which give the velocity.
  private var earlier: Sample
  private var recent: Sample
  private var lastReport: Int64
  /// The time between the last two accepted reports.
  private var interval: Int64 = 0
  /// The position in the report before the last one; nil after the landing.
  private var previous: Vector?
  /// A report that is far from ``last``, and is not accepted yet.
  private var pending: Sample?
  /// The sum of the moves made within one report, with rest before and after them.
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
    extend(until: time, limits: limits)
    if let early = pending {
      pending = nil
      // A position that lasts until a late report is right: devices report only changes.
      let isBack = (place - last).length <= (early.place - last).length / 4
      if !isBack || time.elapsed(since: early.time) ?? 0 >= limits.settling {
        let (way, step) = (early.place - last, place - early.place)
        let rests =
          isRest(early.place, place, besides: way, limits) || isLanding(until: early) && isTurn(step, besides: way)
        accept(early, isFollowedByRest: rests, limits: limits)
        extend(until: time, limits: limits)
      }
    }
    if (place - last).length > limits.tapSlop {
      pending = Sample(place: place, time: time)
    } else {
      accept(Sample(place: place, time: time), limits: limits)
    }
  }

  /// Accepts a pending report.
  private mutating func accept(_ sample: Sample, isFollowedByRest: Bool, limits: TouchLimits) {
    guard isFollowedByRest else { return accept(sample, limits: limits) }
    if isLanding(until: sample) {
      // The finger was at this place from the beginning.
      (start, last, corner, lastReport) = (sample.place, sample.place, sample.place, sample.time)
      (earlier, recent) = (sample, sample)
      (previous, excursion, travelled) = (sample.place, .zero, 0)
    } else {
      if restsBefore(sample.place, limits) { jump = jump + (sample.place - last) }
      accept(sample, limits: limits)
    }
  }

  /// Whether all reports before a report may have a wrong position.
  private func isLanding(until sample: Sample) -> Bool {
    previous == nil || sample.time.elapsed(since: startTime) ?? .max < TouchLimits.shortestTap
  }

  /// Whether the last two reports show a finger at rest, compared with the distance to `place`.
  private func restsBefore(_ place: Vector, _ limits: TouchLimits) -> Bool {
    previous.map { isRest($0, last, besides: place - last, limits) } ?? false
  }

  /// Whether the last report before the lift is wrong: the finger rested before it, or moved in another direction.
  private func isWrong(_ report: Sample, before lift: Int64, _ limits: TouchLimits) -> Bool {
    let way = report.place - last
    if let previous {
      return restsBefore(report.place, limits) || isTurn(last - previous, besides: way)
    }
    let rest = lift.elapsed(since: report.time) ?? .max
    return rest < limits.settling && isLong(report.time.elapsed(since: startTime), besides: rest)
  }

  /// Whether a finger rested for a time without reports, compared with the time before or after it.
  private func isLong(_ rest: Int64?, besides other: Int64?) -> Bool {
    guard let rest, let other else { return false }
    return rest >= max(TouchLimits.shortestTap, other + other / 4)
  }

  /// Whether a step is much shorter than the move `way` before or after it, and in a direction that differs by more
  /// than 45°: no finger turns so fast.
  private func isTurn(_ step: Vector, besides way: Vector) -> Bool {
    step.length <= way.length / 4 && step.x * way.x + step.y * way.y <= step.length * way.length * 0.7
  }

  /// Whether the step between two successive positions is negligible compared with the move `way` before or after the
  /// step: the step is within the sensor's noise, or much shorter. A flick does not change its speed so much within one
  /// report.
  private func isRest(_ one: Vector, _ other: Vector, besides way: Vector, _ limits: TouchLimits) -> Bool {
    let step = (other - one).length
    return step <= min(limits.hysteresis, way.length / 4) || step <= min(limits.tapSlop, way.length / 10)
  }

  private mutating func accept(_ sample: Sample, limits: TouchLimits) {
    let (place, time) = (sample.place, sample.time)
    previous = last
    last = place
    extend(until: time, limits: limits)
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

  /// Corrects the coordinates of a contact whose finger did not move.
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

  /// Completes the stroke until `time`, assuming that the finger rests: devices report only changes.
  ///
  /// If this rest is longer than the time from the landing to the first report after it, that report was a finger at
  /// rest.
  mutating func rest(until time: Int64, limits: TouchLimits) {
    if previous == nil, let early = pending,
      isLong(time.elapsed(since: early.time), besides: early.time.elapsed(since: startTime))
    {
      pending = nil
      accept(early, isFollowedByRest: true, limits: limits)
    }
    extend(until: time, limits: limits)
  }

  /// Extends the last position until `time`.
  private mutating func extend(until time: Int64, limits: TouchLimits) {
    let way = last - start
    guard time.elapsed(since: startTime) ?? 0 >= limits.settling, way.length > excursion.length else { return }
    excursion = way
  }

  mutating func lift(at time: Int64, limits: TouchLimits) {
    rest(until: time, limits: limits)
    if let early = pending {
      pending = nil
      if !isWrong(early, before: time, limits) { accept(early, limits: limits) }
    }
    extend(until: time, limits: limits)
    end = time
  }

  /// The distance of a landing from the expected position of this contact, if the panel may only have lost it for a
  /// moment; nil if the landing cannot be this contact.
  ///
  /// A lost finger may continue to move. The landing must be near the path from the last position in the direction of
  /// the last velocity; it is expected at the last position, or where the velocity leads.
  func distance(toContinuationAt place: Vector, _ time: Int64, limits: TouchLimits) -> Double? {
    guard limits.touchDropout > 0, let pause = time.elapsed(since: end), pause <= limits.touchDropout else {
      return nil
    }
    let way = velocity * (Double(time.elapsed(since: lastReport) ?? 0) / 1e9)
    // A beginning stroke may double its speed within the time of a dropout, and an ending stroke may stop.
    let longest = way * 2.5
    let offset = place - last
    let square = longest.x * longest.x + longest.y * longest.y
    let part = square > 0 ? min(max((offset.x * longest.x + offset.y * longest.y) / square, 0), 1) : 0
    // The radius is larger near a stroke, where another finger rarely lands so soon.
    let radius = net.length > limits.tapSlop ? 2 * limits.dropoutRadius : limits.dropoutRadius
    guard (offset - longest * part).length <= radius + way.length * 0.25 else { return nil }
    return min(offset.length, (offset - way).length)
  }

  /// The velocity at the lift, in the surface's unit per second. Zero without a recent report: a fingertip that rolls
  /// while it lands has stopped when it lifts.
  private var velocity: Vector {
    let rest = end.elapsed(since: lastReport) ?? .max
    guard rest <= 2 * Self.velocitySpan,
      let span = (rest > interval + interval / 2 ? end : lastReport).elapsed(since: earlier.time), span > 0
    else { return .zero }
    return (last - earlier.place) * (1e9 / Double(span))
  }
}
