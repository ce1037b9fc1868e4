/// How something vibrates or shines: on, off, on, and so forth.
public struct Rhythm: Equatable, Sendable, CustomStringConvertible {
  /// Milliseconds, alternately on and off; begins and ends with on.
  public let milliseconds: [Int32]

  /// How long each part may be, in milliseconds. A motor takes some 20 ms to be felt at all.
  public static let range: ClosedRange<Int32> = 20...2000
  /// How many parts there may be.
  public static let mostParts = 9

  /// Nil where the parts are none, even in number, too many, too short or too long.
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

  /// Those that have a name in configurations.
  public static let named: [(name: String, rhythm: Rhythm)] = [
    ("short", .short), ("double", .double), ("triple", .triple), ("long", .long),
  ]

  /// The standard for each event, so that eyes may stay shut: one pulse is up, two are down, three take something
  /// back; what must not be missed is longer than any count.
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

  /// Its name, or its parts in seconds.
  public var description: String {
    if let known = Self.named.first(where: { $0.rhythm == self }) { return known.name }
    return milliseconds.map { String(Double($0) / 1000) }.joined(separator: "-") + " s"
  }

  /// The same as something to be played.
  var steps: [Pattern.Step] {
    milliseconds.enumerated().map { Pattern.Step(level: $0.offset % 2 == 0 ? 1 : 0, milliseconds: $0.element) }
  }
}
