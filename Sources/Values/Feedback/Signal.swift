/// The feedback for one gesture, by output channel; nil for a channel without feedback.
public struct Signal: Equatable, Sendable {
  public var vibration: Pattern?
  public var light: Pattern?
  public var tone: Pattern?
  public var sound: Sound?

  public init() {}

  public var isEmpty: Bool { vibration == nil && light == nil && tone == nil && sound == nil }
}
