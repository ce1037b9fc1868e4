/// Recognises that a person shakes the device: strokes to and fro along one axis, firm, in quick turn, and stronger than
/// what the device went through before.
///
/// A value that is driven by its samples alone: their stamps are the only time it knows. Each shake is told once; the
/// next one can begin after a moment of quiet. A sample costs the same however long it has been running, and nothing is
/// allocated.
public struct ShakeRecognizer: Sendable {
  /// Longer without a sample, and what was before has nothing to do with what comes.
  private static let longestGap: Int64 = 250_000_000
  /// No accelerometer of this world measures more than 400 g.
  private static let most = 4000.0

  private let parameters: ShakeParameters
  private var limit: RangeLimit
  private var last: Int64?
  private var now = 0.0
  private var ignoredUntil: Int64 = .min

  private var merger = SampleMerger()
  private var restorer = PeakRestorer()
  private var steps = EvenSteps()
  private var smoother = Smoother()
  private var gravity = GravityFilter()
  private var chain: StrokeChain
  private var background = Background()
  private var state = State.ready

  private enum State {
    case ready
    /// A shake was told; the time since when it has been quiet again.
    case shaken(since: Double, quietSince: Double?)
  }

  /// - Parameter range: the largest acceleration that the sensor can tell, in m/s²; found out where it is not given.
  public init(parameters: ShakeParameters = .firm, range: Double? = nil) {
    self.parameters = parameters
    limit = RangeLimit(stated: range)
    chain = StrokeChain(parameters: parameters)
  }

  /// Takes the next sample; returns the shake that it made certain.
  public mutating func handle(_ sample: AccelerationSample) -> Shake? {
    // No number at all is not small enough either.
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

  /// The device itself vibrates until `time`: until then, and a moment longer, its motion says nothing.
  public mutating func ignore(until time: Int64) {
    let (end, overflow) = time.addingReportingOverflow(Int64(parameters.afterVibration * 1e9))
    ignoredUntil = max(ignoredUntil, overflow ? .max : end)
  }

  /// Forgets what was, as where the sensor was lost or the machine slept.
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
    background.reset()
    chain.clear()
    now = 0
    state = .ready
  }

  private mutating func handle(_ step: Felt, _ sampleTime: Int64) -> Shake? {
    guard let smooth = smoother.take(step.force) else { return nil }
    let force = gravity.motion(in: smooth)
    let squared = force.squared
    var isShaken = false
    if case .shaken(let since, _) = state { isShaken = step.time - since < 4 }
    background.take(squared, isShaken: isShaken)
    if sampleTime < ignoredUntil {
      chain.clear()
      if case .shaken(let since, _) = state { state = .shaken(since: since, quietSince: nil) }
      return nil
    }
    switch state {
    case .shaken(let since, let quietSince):
      let isQuiet = squared < max(parameters.quiet * parameters.quiet, 2 * background.energy)
      guard isQuiet else {
        state = .shaken(since: since, quietSince: nil)
        return nil
      }
      let start = quietSince ?? step.time
      state = .shaken(since: since, quietSince: start)
      if step.time - start >= parameters.rest {
        state = .ready
        chain.clear()
      }
      return nil
    case .ready:
      chain.take(force, at: step.time)
      guard let shake = judge(sampleTime, step.time) else { return nil }
      state = .shaken(since: step.time, quietSince: nil)
      background.forgetRecent()
      chain.clear()
      return shake
    }
  }

  private func judge(_ sampleTime: Int64, _ time: Double) -> Shake? {
    let (closed, open) = chain.candidate
    let count = closed.count + (open == nil ? 0 : 1)
    guard count >= parameters.strokes else { return nil }
    let taken = closed.suffix(parameters.strokes - (open == nil ? 0 : 1))
    guard let first = taken.first else { return nil }
    var axis = Vector.zero
    var sum = 0.0
    var sign = 1.0
    for stroke in taken {
      axis = axis + stroke.force * sign
      sum += stroke.strength
      sign = -sign
    }
    if let open {
      axis = axis + open.force * sign
      sum += open.strength
    }
    let mean = sum / Double(parameters.strokes)
    guard mean >= max(parameters.strength, parameters.prominence * background.strength) else { return nil }
    let spread = chain.energy - first.energy
    let along = spread.along(axis * (1 / max(axis.length, 0.001)))
    guard spread.all - along <= parameters.roundness * along else { return nil }
    let start = sampleTime - Int64((time - first.time) * 1e9)
    return Shake(time: sampleTime, start: start, strength: mean, swings: parameters.strokes)
  }
}
