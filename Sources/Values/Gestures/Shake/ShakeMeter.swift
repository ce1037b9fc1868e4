internal import Glibc

/// Measures a person's shakes in the quantities that decide whether they count, for display beside the thresholds.
public struct ShakeMeter: Sendable {
  /// One bout of motion between two moments of rest.
  public struct Measure: Equatable, Sendable {
    /// The number of strokes, each opposite to the one before.
    public let strokes: Int
    /// The mean strength of the strongest successive strokes (as many as a shake needs), in m/s².
    public let strength: Double
    /// The weakest of these strokes, in m/s².
    public let weakest: Double
    /// The mean time from one stroke to the next, in seconds.
    public let strokeTime: Double
  }

  /// Weaker strokes, in m/s², are the trembling of the hand that holds the device.
  private static let least = 2.0
  /// A bout ends after this time without a stroke, in seconds.
  private static let rest = 0.4

  private let parameters: ShakeParameters
  private var decimator = Decimator()
  private var chain: StrokeChain
  private var last: Int64?
  private var now = 0.0
  private var lastStroke = 0.0
  private var count = 0
  private var best: Strokes?

  /// - Parameter parameters: the thresholds. As many strokes as they require are measured together.
  public init(parameters: ShakeParameters = .firm) {
    self.parameters = parameters
    chain = StrokeChain(durations: 0.02...1, capacity: parameters.strokes - 2)
  }

  /// Adds the next sample; returns the measure of a bout of motion once it is over.
  public mutating func take(_ sample: AccelerationSample) -> Measure? {
    guard sample.vector.squared.isFinite, let gap = last.map({ sample.time.elapsed(since: $0) }) ?? 0 else {
      self = ShakeMeter(parameters: parameters)
      return nil
    }
    last = sample.time
    now += Double(gap) * 1e-9
    guard let force = decimator.take(TimedForce(time: now, force: sample.vector)) else { return nil }
    return handle(force)
  }

  private mutating func handle(_ sample: TimedForce) -> Measure? {
    let former = chain.open?.start.time
    chain.take(sample) { _ in }
    if let open = chain.open, open.length >= 2 * Self.least {
      if open.start.time != former { count += 1 }
      if open.end.time == sample.time { lastStroke = sample.time }
    }
    if let strokes = chain.strokes(parameters.strokes, at: sample.time), strokes.strength > best?.strength ?? 0 {
      best = strokes
    }
    guard count > 0, sample.time - lastStroke >= Self.rest else { return nil }
    defer {
      (count, best) = (0, nil)
      chain.clear()
    }
    guard let best, best.weakest >= Self.least else { return nil }
    return Measure(
      strokes: max(count, parameters.strokes), strength: best.strength, weakest: best.weakest,
      strokeTime: best.spacing)
  }
}

/// The recent strength of the device's swings, such as in a runner's pocket: a shake must stand out from it.
struct MotionBaseline {
  /// The time constant of the averaged energy, in seconds.
  private static let span = 1.0
  /// The longest part of a swing that counts, in seconds. A longer swing is mostly rest.
  private static let longestSwing = 0.25

  private var energy: Double
  private var time: Double

  /// - Parameter strength: the strength of the strokes that are assumed before `time`, in m/s².
  init(strength: Double, at time: Double) {
    energy = strength * strength
    self.time = time
  }

  /// Adds a swing that is not part of a possible shake.
  mutating func add(_ swing: Swing) {
    let part = 1 - exp(-min(swing.duration, Self.longestSwing) / Self.span)
    energy = energy * exp(-max(0, swing.end.time - time) / Self.span) + swing.length * swing.length / 4 * part
    time = swing.end.time
  }

  /// The strength of strokes with the average energy, in m/s².
  func strength(at time: Double) -> Double { (energy * exp(-max(0, time - self.time) / Self.span)).squareRoot() }

  /// Keeps the present strength until `time`.
  mutating func hold(until time: Double) { self.time = max(self.time, time) }
}
