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

  /// The whole duration in milliseconds.
  public var milliseconds: Int64 { steps.reduce(0) { $0 + Int64($1.milliseconds) } }

  /// Whether the pattern is a single pulse or note; several such patterns stay distinct with a short pause.
  var isSingle: Bool { steps.count == 1 }
}
