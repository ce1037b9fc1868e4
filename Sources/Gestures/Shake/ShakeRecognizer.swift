/// Recognises that a person shakes the device: strokes to and fro along one axis, firm, in quick turn, and stronger than
/// what the device went through before.
///
/// A value that is driven by its samples alone: their stamps are the only time it knows. Each shake is told once; the
/// next one can begin after a moment of calm. A sample costs the same however long it has been running, and nothing is
/// allocated.
public struct ShakeRecognizer: Sendable {
  /// After a longer time without a sample, in nanoseconds, what was before has nothing to do with what comes.
  private static let longestGap: Int64 = 250_000_000
  /// What goes on for longer, in seconds, is no shake any more but the way in which the device now moves.
  private static let longestShake = 4.0
  /// More than this, in m/s², is no reading of a sensor in a hand but a fault: 40 g.
  private static let most = 400.0

  /// The sensor's range as it was stated; nil where it was not.
  public let range: Double?

  private let parameters: ShakeParameters
  private let judge: ShakeJudge
  private var limit: RangeLimit
  private var last: Int64?
  /// Seconds since it last began afresh.
  private var now = 0.0
  private var ignoredUntil = Int64.min

  private var merger = SampleMerger()
  private var restorer = PeakRestorer()
  private var steps = EvenSteps()
  private var smoother = Smoother()
  private var gravity = GravityFilter()
  private var fall = FreeFall()
  private var background = Background()
  private var chain: StrokeChain
  private var state = State.ready

  private enum State {
    case ready
    /// A shake was told, at a time in seconds; and since when it has been calm again.
    case shaken(at: Double, calmSince: Double?)
  }

  /// - Parameter range: the largest acceleration along an axis that the sensor can tell, in m/s²; found out from the
  ///   samples where it is not given.
  public init(parameters: ShakeParameters = .firm, range: Double? = nil) {
    self.parameters = parameters
    judge = ShakeJudge(parameters: parameters)
    self.range = range
    limit = RangeLimit(stated: range)
    chain = StrokeChain(parameters: parameters)
  }

  /// Whether no shake is under way, nor the beginning of one.
  public var isAtRest: Bool { if case .ready = state { chain.count == 0 } else { false } }

  /// Takes the next sample; returns the shake that it made certain.
  public mutating func handle(_ sample: AccelerationSample) -> Shake? {
    // What is no number at all is not small enough either.
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
    let felt = Felt(time: now, force: sample.vector, clipped: limit.clippedAxes(of: sample.vector))
    guard let merged = merger.take(felt) else { return nil }
    restorer.put(merged)
    var shake: Shake?
    while let restored = restorer.take() {
      steps.put(restored)
      while let step = steps.take() { shake = handle(step, sample.time) ?? shake }
    }
    return shake
  }

  /// The device itself vibrates until `time`, in nanoseconds on the samples' clock: until then, and a moment longer, its
  /// motion makes no shake.
  public mutating func ignore(until time: Int64) {
    let (end, overflow) = time.addingReportingOverflow(Int64(parameters.afterVibration * 1e9))
    ignoredUntil = max(ignoredUntil, overflow ? .max : end)
  }

  /// Forgets what was, as where the sensor was lost or the machine slept. A shake that goes on still counts no more.
  public mutating func cancel() {
    restart()
    last = nil
  }

  private mutating func restart() {
    merger = SampleMerger()
    restorer.reset()
    steps.reset()
    smoother = Smoother()
    gravity = GravityFilter()
    fall = FreeFall()
    background.reset()
    chain.clear()
    now = 0
    if case .shaken = state { state = .shaken(at: 0, calmSince: nil) }
  }

  private mutating func handle(_ step: Felt, _ sampleTime: Int64) -> Shake? {
    guard let smooth = smoother.take(step.force) else { return nil }
    let motion = gravity.motion(in: smooth)
    let isInHand = !fall.take(smooth)
    switch state {
    case .ready:
      guard sampleTime >= ignoredUntil else {
        chain.clear()
        return nil
      }
      background.take(motion, isShaken: false, quiet: parameters.quiet)
      guard isInHand else {
        chain.clear()
        return nil
      }
      chain.take(motion, at: step.time, after: background.lately)
      guard let verdict = judge.verdict(on: chain, against: background, gravity: gravity.atRest) else { return nil }
      state = .shaken(at: step.time, calmSince: nil)
      background.forgetRecent()
      chain.clear()
      return Shake(
        time: sampleTime, start: sampleTime - Int64((now - verdict.start) * 1e9), strength: verdict.strength,
        swings: verdict.strokes)
    case .shaken(let time, let calmSince):
      background.take(
        motion, isShaken: step.time - time < Self.longestShake, quiet: parameters.quiet)
      guard background.isCalm else {
        state = .shaken(at: time, calmSince: nil)
        return nil
      }
      let since = calmSince ?? step.time
      state = step.time - since >= parameters.rest ? .ready : .shaken(at: time, calmSince: since)
      return nil
    }
  }
}
