/// One `[[feedback]]` of a configuration: the feedback for an event.
public struct FeedbackRule: Equatable, Sendable {
  /// The setting of one channel; an absent setting is nil.
  public enum Setting<Value: Equatable & Sendable>: Equatable, Sendable {
    case silence
    case play(Value)

    /// The value to play; nil for silence.
    public var value: Value? { if case .play(let value) = self { value } else { nil } }
  }

  public let event: FeedbackEvent
  /// For a boundary, the number (2 or more) whose multiples are boundaries; nil for the counter's boundaries.
  public let every: Int64?
  /// The counter's name; nil for all.
  public let counter: String?
  public var vibrate: Setting<Rhythm>?
  public var light: Setting<Rhythm>?
  public var tone: Setting<Tone>?
  public var sound: Setting<Sound>?
  /// The line of the configuration on which the rule begins.
  public let line: Int

  public init(_ event: FeedbackEvent, every: Int64? = nil, counter: String? = nil, line: Int = 0) {
    self.event = event
    self.every = every
    self.counter = counter
    self.line = line
  }

  /// Whether the rule applies to an outcome.
  func matches(_ outcome: Outcome) -> Bool {
    guard counter == nil || counter == outcome.counter else { return false }
    if let every { return outcome.crosses(multipleOf: every) }
    return event == outcome.event || outcome.marks.contains(event)
  }
}
