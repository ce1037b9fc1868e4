/// All that is played about one gesture, by the way it reaches the person; nil where nothing is.
public struct Signal: Equatable, Sendable {
  public var vibration: Pattern?
  public var light: Pattern?
  public var tone: Pattern?
  public var sound: Sound?

  public init() {}

  public var isEmpty: Bool { vibration == nil && light == nil && tone == nil && sound == nil }
}
