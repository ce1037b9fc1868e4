/// A shake of the device, reported once when it is certain, however long the shaking continues.
public struct Shake: Equatable, Sendable {
  /// The stamp of the sample that made the shake certain, in nanoseconds.
  public let time: Int64

  /// The time of the extreme of the first stroke, in nanoseconds.
  public let start: Int64

  /// The mean of the strokes' peak accelerations until `time`, without gravity, in m/s².
  public let strength: Double
}

/// Recognises that a person shakes the device: strokes to and fro along one axis, in quick succession, and stronger
/// than the motion before them.
///
/// A pure value: the samples' time stamps are its only clock. Each shake is reported once, during the shake; the next
/// one can begin after a moment of calm. The cost of a sample is bounded.
public struct ShakeRecognizer: Sendable {
  /// The longest time without a sample, in nanoseconds; after a longer gap the recogniser restarts.
  private static let longestGap: Int64 = 250_000_000
  /// The largest valid reading, in m/s²: 40 g. A larger one is a fault of the sensor.
  private static let most = 400.0
  /// The strongest stroke of a hand, in m/s²: 16 g.
  private static let strongest = 160.0
  /// The largest reading in free fall, in m/s²: 1 g, with tolerance for a sensor's error. A runner's body is in free
  /// fall between two steps. A hand pulls the device beyond this in both directions.
  private static let mostInFall = 1.1 * 9.80665
  /// The smallest length of swings that continue a shake, relative to its strokes.
  private static let continuation = 0.5

  private let parameters: ShakeParameters
  private var last: Int64?
  /// The time since the last restart, in seconds.
  private var now = 0.0
  private var ignoredUntil = Int64.min
  private var decimator = Decimator()
  private var chain: StrokeChain
  /// The recent motion; nil until the first sample.
  private var baseline: MotionBaseline?
  private var state = State.ready

  private enum State {
    case ready
    /// A shake of this strength was reported; its last swing was at `lastSwing`, in seconds.
    case shaken(strength: Double, lastSwing: Double)
  }

  public init(parameters: ShakeParameters = .firm) {
    self.parameters = parameters
    chain = StrokeChain(
      durations: parameters.shortestStroke...max(parameters.shortestStroke, parameters.longestStroke),
      capacity: parameters.strokes - 2)
  }

  /// Whether no shake is in progress, nor the beginning of one.
  public var isAtRest: Bool {
    guard case .ready = state else { return false }
    return chain.swings.allSatisfy { $0.length < parameters.weakest }
      && (chain.open?.length ?? 0) < parameters.weakest
  }

  /// Handles the next sample; returns the shake that becomes certain with it.
  public mutating func handle(_ sample: AccelerationSample) -> Shake? {
    // The comparison is also false for NaN.
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

  /// Ignores motion until `time`, in nanoseconds on the samples' clock, and for a moment longer, because the device
  /// itself vibrates.
  public mutating func ignore(until time: Int64) {
    let (end, overflow) = time.addingReportingOverflow(Int64(parameters.afterVibration * 1e9))
    ignoredUntil = max(ignoredUntil, overflow ? .max : end)
  }

  /// Forgets the past, as after a loss of the sensor or a suspend. A shake that continues does not count again.
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
    // After a pause, the next shake need not be stronger than the previous shake.
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
    // Walking arms swing in circles, but not as fast as a shake.
    let quickness = max(1, parameters.quickStroke / strokes.spacing)
    return strokes.roundness <= parameters.roundness * quickness * quickness
  }
}
