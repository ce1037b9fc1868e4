/// Something a person did, recognised from what one device reported.
public struct Gesture: Equatable, Sendable {
  /// What was done. The raw value is the word that configurations, recordings and histories use for it.
  public enum Kind: String, CaseIterable, Sendable {
    /// A key, button or pedal went down.
    case press
    /// A finger touched the surface briefly and lifted where it had landed.
    case tap
    case swipeUp = "swipe-up"
    case swipeDown = "swipe-down"
    case swipeLeft = "swipe-left"
    case swipeRight = "swipe-right"
  }

  /// A place on a touch surface, as fractions of it: (0, 0) is the top left corner, (1, 1) the bottom right one.
  public struct Position: Equatable, Sendable {
    public let x: Double
    public let y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  public let kind: Kind

  /// The kernel's stamp of the report that completed the gesture, in nanoseconds of `CLOCK_MONOTONIC`.
  public let time: Int64

  /// The `KEY_…` or `BTN_…` code of a press; nil for what is done on a touch surface.
  public let key: UInt16?

  /// How many fingers took part; 0 for a press.
  public let fingers: Int

  /// Where the first finger landed; nil for a press.
  public let position: Position?

  public init(kind: Kind, time: Int64, key: UInt16? = nil, fingers: Int = 0, position: Position? = nil) {
    self.kind = kind
    self.time = time
    self.key = key
    self.fingers = fingers
    self.position = position
  }
}
