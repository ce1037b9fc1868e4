/// One `[[feedback]]` of a configuration: what is played when something has happened.
public struct FeedbackRule: Equatable, Sendable {
  /// What is said about one way of feedback; nothing being said is nil.
  public enum Wish<Value: Equatable & Sendable>: Equatable, Sendable {
    case silence
    case play(Value)

    /// What is to be played, if anything.
    public var value: Value? { if case .play(let value) = self { value } else { nil } }
  }

  public let occasion: Occasion
  /// For a boundary: of which number the multiples are meant, 2 or more; nil for the counter's own boundaries.
  public let every: Int64?
  /// The counter's name; nil for all.
  public let counter: String?
  public var vibrate: Wish<Rhythm>?
  public var light: Wish<Rhythm>?
  public var tone: Wish<Tone>?
  public var sound: Wish<Sound>?
  /// The line it begins on.
  public let line: Int

  public init(_ occasion: Occasion, every: Int64? = nil, counter: String? = nil, line: Int = 0) {
    self.occasion = occasion
    self.every = every
    self.counter = counter
    self.line = line
  }

  /// Whether it speaks of something that happened.
  func matches(_ happening: Happening) -> Bool {
    guard counter == nil || counter == happening.counter else { return false }
    if let every { return happening.crosses(multipleOf: every) }
    return occasion == happening.occasion || happening.marks.contains(occasion)
  }
}
