extension Gesture {
  /// The kind of a gesture. The raw value is its name in configurations, recordings and histories.
  public enum Kind: String, CaseIterable, Sendable {
    /// A key, button or pedal went down.
    case press
    /// A key, button or pedal was released.
    case release
    case doublePress = "double-press"
    case triplePress = "triple-press"
    /// A key went down, and later up; each is a gesture.
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

    /// The device was shaken; one gesture, however long.
    case shake

    /// A part of a device that makes gestures.
    public enum Means: Equatable, Sendable {
      case key, touch, wheel, motion
    }

    /// The parts that can make the gesture; two for a long press.
    public var means: [Means] { row.means }

    /// The gesture that is repeated; `nil` for a gesture without repetition.
    public var base: Kind? { row.base }

    /// The number of times that ``base`` is made; 1 for a gesture without repetition.
    public var times: Int { row.times }

    private struct Row {
      let means: [Means]
      var base: Kind?
      var times = 1

      static func means(_ means: Means...) -> Row { Row(means: means) }
      static func row(of base: Kind, times: Int) -> Row { Row(means: base.means, base: base, times: times) }
    }

    private var row: Row {
      switch self {
      case .press, .release, .hold, .chord: .means(.key)
      case .doublePress: .row(of: .press, times: 2)
      case .triplePress: .row(of: .press, times: 3)
      case .longPress: .means(.touch, .key)
      case .touch, .tap, .swipeUp, .swipeDown, .swipeLeft, .swipeRight: .means(.touch)
      case .doubleTap: .row(of: .tap, times: 2)
      case .tripleTap: .row(of: .tap, times: 3)
      case .wheelUp, .wheelDown, .wheelLeft, .wheelRight, .dialLeft, .dialRight: .means(.wheel)
      case .shake: .means(.motion)
      }
    }

    /// The gestures that repeat this one, in the order of ``times``.
    public var repeats: [Kind] { Self.allCases.filter { $0.base == self }.sorted { $0.times < $1.times } }

    /// All gestures that repeat another one.
    static let allRepeats = allCases.filter { $0.base != nil }

    static let swipes: [Kind] = [.swipeUp, .swipeDown, .swipeLeft, .swipeRight]
  }
}
