/// The alternation of on and off of a vibration or a light.
public struct Rhythm: Equatable, Sendable, CustomStringConvertible {
  /// Milliseconds, alternately on and off; begins and ends with on.
  public let milliseconds: [Int32]

  /// The range of each part, in milliseconds. A motor needs some 20 ms to be felt at all.
  public static let range: ClosedRange<Int32> = 20...2000
  /// The maximum number of parts.
  public static let mostParts = 9

  /// The rhythm; nil if there are no parts, an even number of parts, too many, or a part out of ``range``.
  public init?(milliseconds: [Int32]) {
    guard milliseconds.count % 2 == 1, milliseconds.count <= Self.mostParts,
      milliseconds.allSatisfy(Self.range.contains)
    else { return nil }
    self.milliseconds = milliseconds
  }

  private init(_ milliseconds: Int32...) { self.milliseconds = milliseconds }

  public static let short = Rhythm(60)
  // Eccentric motors take about 50 ms to start and as long to stop: with a shorter pause two pulses feel like one.
  public static let double = Rhythm(60, 100, 60)
  public static let triple = Rhythm(60, 100, 60, 100, 60)
  public static let long = Rhythm(500)

  /// The rhythms with a name in configurations.
  public static let named: [(name: String, rhythm: Rhythm)] = [
    ("short", .short), ("double", .double), ("triple", .triple), ("long", .long),
  ]

  /// The standard for each event, recognisable without looking: one pulse is up, two are down, three are an undo; the
  /// events that must not be missed are longer than any count.
  static func standard(for event: FeedbackEvent) -> Rhythm? {
    switch event {
    case .added, .started: short
    case .subtracted, .stopped: double
    case .undone, .redone: triple
    case .selected, .lapped: Rhythm(200)
    case .armed: Rhythm(60, 100, 300)
    case .reset: Rhythm(300, 100, 300)
    case .goal: Rhythm(300, 100, 300, 100, 300)
    case .limited, .refused: long
    case .boundary: nil
    }
  }

  /// The name, or the parts in seconds.
  public var description: String {
    if let known = Self.named.first(where: { $0.rhythm == self }) { return known.name }
    return milliseconds.map { String(Double($0) / 1000) }.joined(separator: "-") + " s"
  }

  /// The rhythm as steps of a pattern.
  var steps: [Pattern.Step] {
    milliseconds.enumerated().map { Pattern.Step(level: $0.offset % 2 == 0 ? 1 : 0, milliseconds: $0.element) }
  }
}
