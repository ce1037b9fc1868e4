/// A shake of the device, reported once when it is certain, however long the shaking continues.
public struct Shake: Equatable, Sendable {
  /// The stamp of the sample that made it certain, in nanoseconds.
  public let time: Int64

  /// The time of the extreme of the first stroke, in nanoseconds.
  public let start: Int64

  /// The mean of the strokes' greatest accelerations until `time`, without gravity, in m/s².
  public let strength: Double

  public init(time: Int64, start: Int64, strength: Double) {
    self.time = time
    self.start = start
    self.strength = strength
  }
}

/// Recognises that a person shakes the device: strokes to and fro along one axis, in quick turn, and stronger than the
/// motion before them.
///
/// A pure value: the samples' time stamps are its only clock. It reports each shake once, while the shake goes on; the
/// next shake can begin after a moment of calm. The cost of a sample is bounded.
public struct ShakeRecognizer: Sendable {
  /// After a longer time without a sample, in nanoseconds, the recogniser starts afresh.
  private static let longestGap: Int64 = 250_000_000
  /// A reading of more than this, in m/s², is a fault of the sensor: 40 g.
  private static let most = 400.0
  /// Stronger strokes, in m/s², are no hand's: 16 g.
  private static let strongest = 160.0
  /// Between two steps a runner's body is in free fall, and a device on it feels less than this, in m/s²: 1 g, with
  /// room for a sensor's error. A hand pulls both ways.
  private static let mostInFall = 1.1 * 9.80665
  /// A shake goes on as long as swings of this part of its strokes follow each other.
  private static let continuation = 0.5

  private let parameters: ShakeParameters
  private var last: Int64?
  /// Seconds since the recogniser started afresh.
  private var now = 0.0
  private var ignoredUntil = Int64.min
  private var decimator = Decimator()
  private var chain: StrokeChain
  /// Nil until the first sample.
  private var baseline: MotionBaseline?
  private var state = State.ready

  private enum State {
    case ready
    /// A shake of this strength was reported; its last swing so far was at this time, in seconds.
    case shaken(strength: Double, lastSwing: Double)
  }

  public init(parameters: ShakeParameters = .firm) {
    self.parameters = parameters
    chain = StrokeChain(
      durations: parameters.shortestStroke...max(parameters.shortestStroke, parameters.longestStroke),
      capacity: parameters.strokes - 2)
  }

  /// Whether no shake is under way, nor the beginning of one.
  public var isAtRest: Bool {
    guard case .ready = state else { return false }
    return chain.swings.allSatisfy { $0.length < parameters.weakest }
      && (chain.open?.length ?? 0) < parameters.weakest
  }

  /// Takes the next sample; returns the shake that it made certain.
  public mutating func handle(_ sample: AccelerationSample) -> Shake? {
    // The comparison is false for NaN, too.
    guard sample.vector.squared <= Self.most * Self.most else { return nil }
    if let last {
      let (gap, overflow) = sample.time.subtractingReportingOverflow(last)
      if overflow || gap > Self.longestGap || gap < -Self.longestGap {
        restart()
      } else if gap <= 0 {
        return nil
      } else {
        now += Double(gap) * 1e-9
      }
    }
    last = sample.time
    guard let force = decimator.take(TimedForce(time: now, force: sample.vector)) else { return nil }
    return handle(force, sample.time)
  }

  /// The device itself vibrates until `time`, in nanoseconds on the samples' clock: until then, and a moment longer, its
  /// motion makes no shake.
  public mutating func ignore(until time: Int64) {
    let (end, overflow) = time.addingReportingOverflow(Int64(parameters.afterVibration * 1e9))
    ignoredUntil = max(ignoredUntil, overflow ? .max : end)
  }

  /// Forgets the past, as after a loss of the sensor or a suspend. A shake that goes on does not count again.
  public mutating func cancel() {
    restart()
    last = nil
  }

  private mutating func restart() {
    decimator = Decimator()
    chain.clear()
    baseline = nil
    now = 0
    if case .shaken(let strength, _) = state { state = .shaken(strength: strength, lastSwing: 0) }
  }

  private mutating func handle(_ sample: TimedForce, _ sampleTime: Int64) -> Shake? {
    var past = baseline ?? MotionBaseline(strength: parameters.unknownPart * parameters.strength, at: sample.time)
    defer { baseline = past }
    guard case .shaken(let strength, let lastSwing) = state else {
      guard sampleTime >= ignoredUntil else {
        chain.clear()
        return nil
      }
      chain.take(sample) { past.add($0) }
      guard let strokes = chain.strokes(parameters.strokes, at: sample.time), isShake(strokes, after: past) else {
        return nil
      }
      state = .shaken(strength: strokes.strength, lastSwing: sample.time)
      return Shake(
        time: sampleTime, start: sampleTime &- Int64((now - strokes.start) * 1e9), strength: strokes.strength)
    }
    // A shake is no motion that the next one must stand out from.
    past.hold(until: sample.time)
    chain.take(sample) { _ in }
    if let open = chain.open, open.end.time == sample.time, open.length >= 2 * Self.continuation * strength {
      state = .shaken(strength: strength, lastSwing: sample.time)
    } else if sample.time - lastSwing >= parameters.rest {
      state = .ready
      chain.clear()
    }
    return nil
  }

  private func isShake(_ strokes: Strokes, after past: MotionBaseline) -> Bool {
    guard strokes.weakest >= parameters.weakest, strokes.strength >= parameters.strength,
      strokes.strength <= Self.strongest
    else { return false }
    let canBeFalls = strokes.leastForce < Self.mostInFall
    let prominence = parameters.prominence * (canBeFalls ? parameters.fallFactor : 1)
    guard strokes.strength >= prominence * past.strength(at: strokes.start) else { return false }
    // Arms swing in circles, but not so fast.
    let quickness = max(1, parameters.quickStroke / strokes.spacing)
    return strokes.roundness <= parameters.roundness * quickness * quickness
  }
}
