/// A sequence of steps for one motor, light or buzzer.
public struct Pattern: Equatable, Sendable {
  /// A time at one level.
  public struct Step: Equatable, Sendable {
    /// The level: 0 is off; otherwise on, and for a buzzer the pitch in hertz.
    public let level: Int32
    public let milliseconds: Int32

    public init(level: Int32, milliseconds: Int32) {
      self.level = level
      self.milliseconds = milliseconds
    }
  }

  public let steps: [Step]
  /// The reported event. Of two waiting patterns, the one with the more important event is played.
  public let event: FeedbackEvent

  public init(steps: [Step], event: FeedbackEvent) {
    self.steps = steps
    self.event = event
  }

  public var milliseconds: Int64 { steps.reduce(0) { $0 + Int64($1.milliseconds) } }
}

/// The feedback for one gesture, by output channel; nil for a channel without feedback.
public struct Signal: Equatable, Sendable {
  public var vibration: Pattern?
  public var light: Pattern?
  public var tone: Pattern?
  public var sound: Sound?

  public init() {}

  public var isEmpty: Bool { vibration == nil && light == nil && tone == nil && sound == nil }
}

/// The on and off times of a vibration or a light.
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

  /// The default rhythm of an event, recognisable without looking: one pulse is up, two are down, three are an undo;
  /// the events that must not be missed are longer than any count.
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

/// A few notes on a buzzer, such as a computer's own speaker.
public struct Tone: Equatable, Sendable, CustomStringConvertible {
  /// The pitch of each note in hertz.
  public let pitches: [Int32]

  /// The range in hertz that such speakers play and people hear; the kernel's limit is 32,767.
  public static let range: ClosedRange<Int32> = 50...15_000
  public static let mostNotes = 8
  /// The length of each note: long enough to have a pitch, short enough for fast counting.
  static let noteMilliseconds: Int32 = 80

  /// The tone; nil without notes, with too many, or with a pitch out of ``range``.
  public init?(pitches: [Int32]) {
    guard 1...Self.mostNotes ~= pitches.count, pitches.allSatisfy(Self.range.contains) else { return nil }
    self.pitches = pitches
  }

  public var description: String { pitches.map { String($0) }.joined(separator: "-") + " Hz" }

  /// The tone as steps of a pattern.
  var steps: [Pattern.Step] { pitches.map { Pattern.Step(level: $0, milliseconds: Self.noteMilliseconds) } }
}
