extension Gesture {
  /// The kind of a gesture. The raw value is its name in configurations, recordings and histories.
  public enum Kind: String, CaseIterable, Sendable {
    /// A key, button or pedal went down.
    case press
    /// A key, button or pedal was released.
    case release
    case doublePress = "double-press"
    case triplePress = "triple-press"
    /// A key went down, or later up: one gesture each.
    case hold
    /// Several keys went down together.
    case chord

    /// A finger landed. Emitted at once, whatever gesture follows.
    case touch
    /// Fingers touched the surface briefly and lifted where they had landed.
    case tap
    case doubleTap = "double-tap"
    case tripleTap = "triple-tap"
    /// Fingers stayed where they had landed, or a key stayed down.
    case longPress = "long-press"
    case swipeUp = "swipe-up"
    case swipeDown = "swipe-down"
    case swipeLeft = "swipe-left"
    case swipeRight = "swipe-right"

    /// A wheel was turned by one detent: up is away from the person.
    case wheelUp = "wheel-up"
    case wheelDown = "wheel-down"
    case wheelLeft = "wheel-left"
    case wheelRight = "wheel-right"
    /// A dial was turned by one detent: right is clockwise.
    case dialLeft = "dial-left"
    case dialRight = "dial-right"

    /// The device was shaken, for any time.
    case shake

    /// A part of a device with which gestures are made.
    public enum Means: Equatable, Sendable {
      case key, touch, wheel, motion
    }

    /// The parts that can make the gesture; two for a long press.
    public var means: [Means] {
      switch self {
      case .press, .release, .doublePress, .triplePress, .hold, .chord: [.key]
      case .longPress: [.touch, .key]
      case .touch, .tap, .doubleTap, .tripleTap, .swipeUp, .swipeDown, .swipeLeft, .swipeRight: [.touch]
      case .wheelUp, .wheelDown, .wheelLeft, .wheelRight, .dialLeft, .dialRight: [.wheel]
      case .shake: [.motion]
      }
    }
  }
}
