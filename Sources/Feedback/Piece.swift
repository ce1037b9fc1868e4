/// One thing to be played on one motor, light or buzzer, from its beginning to its end.
public struct Piece: Equatable, Sendable {
  /// A time in which nothing changes.
  public struct Step: Equatable, Sendable {
    /// 0: off; else on, and of a buzzer the pitch in hertz.
    public let level: Int32
    public let milliseconds: Int32

    public init(level: Int32, milliseconds: Int32) {
      self.level = level
      self.milliseconds = milliseconds
    }
  }

  public let steps: [Step]
  /// What it is about; of those that wait the more important one is played.
  public let occasion: Occasion

  public init(steps: [Step], occasion: Occasion) {
    self.steps = steps
    self.occasion = occasion
  }

  /// From beginning to end, in milliseconds.
  public var milliseconds: Int64 { steps.reduce(0) { $0 + Int64($1.milliseconds) } }

  /// Whether it is one pulse or note, of which many can follow each other and be told apart.
  var isSingle: Bool { steps.count == 1 }
}
