/// Measures what a person does who shakes, by what decides whether it counts: for showing it beside the thresholds.
public struct ShakeMeter: Sendable {
  /// One bout of motion, between two moments of rest.
  public struct Measure: Equatable, Sendable {
    /// How many strokes it had, each opposite to the one before.
    public let strokes: Int
    /// The mean of the strongest strokes in turn, as many as a shake takes, in m/s².
    public let strength: Double
    /// The weakest of these.
    public let weakest: Double
    /// From one stroke to the next, on average, in seconds.
    public let strokeTime: Double
  }

  /// Weaker than this, in m/s², nothing is a stroke; so weak is no shake that anybody means.
  private static let least = 2.0
  /// In steps: after so much rest a bout is over.
  private static let rest = 40

  private let parameters: ShakeParameters
  private var merger = SampleMerger()
  private var steps = EvenSteps()
  private var smoother = Smoother()
  private var gravity = GravityFilter()
  private var chain: StrokeChain
  private var last: Int64?
  private var now = 0.0
  private var restSteps = 0
  private var best: Measure?

  /// - Parameter parameters: how many strokes are judged together.
  public init(parameters: ShakeParameters = .firm) {
    var weak = parameters
    (weak.weakest, weak.shortestStroke, weak.longestStroke) = (Self.least, 0.02, 1)
    self.parameters = parameters
    chain = StrokeChain(parameters: weak)
  }

  /// Takes the next sample; returns what a bout of motion was like once it is over.
  public mutating func take(_ sample: AccelerationSample) -> Measure? {
    guard sample.vector.squared.isFinite, let gap = last.map({ sample.time.elapsed(since: $0) }) ?? 0 else {
      self = ShakeMeter(parameters: parameters)
      return nil
    }
    last = sample.time
    now += Double(gap) * 1e-9
    guard let merged = merger.take(Felt(time: now, force: sample.vector)) else { return nil }
    steps.put(merged)
    var over: Measure?
    while let step = steps.take() { over = handle(step) ?? over }
    return over
  }

  private mutating func handle(_ step: Felt) -> Measure? {
    guard let smooth = smoother.take(step.force) else { return nil }
    let motion = gravity.motion(in: smooth)
    chain.take(motion, at: step.time, after: nil)
    restSteps = motion.squared < Self.least * Self.least ? restSteps + 1 : 0
    if chain.count > 1 { best = measure(better: best) }
    guard restSteps >= Self.rest else { return nil }
    defer { best = nil }
    chain.clear()
    return best
  }

  private func measure(better former: Measure?) -> Measure {
    let judged = min(parameters.strokes, chain.count)
    let strengths = (0..<judged).map { chain.stroke(fromEnd: $0).strength }
    let strength = strengths.reduce(0, +) / Double(judged)
    let count = max(chain.count, former?.strokes ?? 0)
    if let former, former.strength >= strength, former.strokes >= judged {
      return Measure(
        strokes: count, strength: former.strength, weakest: former.weakest, strokeTime: former.strokeTime)
    }
    let time = chain.stroke(fromEnd: 0).time - chain.stroke(fromEnd: judged - 1).time
    return Measure(
      strokes: count, strength: strength, weakest: strengths.min() ?? 0, strokeTime: time / Double(max(1, judged - 1)))
  }
}
