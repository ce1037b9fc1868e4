extension Timing {
  /// A time or distance that a person can set, by the name that configurations use for it.
  public enum Setting: String, CaseIterable, Sendable {
    case doubleTap = "double-tap"
    case tripleTap = "triple-tap"
    case doublePress = "double-press"
    case triplePress = "triple-press"
    case longPress = "long-press"
    case chord
    case touchDropout = "touch-dropout"
    case bounce
    case refractory
    case swipeLength = "swipe-length"
    case swipeSpeed = "swipe-speed"

    /// Every name that a configuration may use.
    public static let names = allCases.map(\.rawValue)

    /// What it is measured in.
    public enum Unit: Equatable, Sendable {
      case seconds
      /// Fractions of the surface's shorter side.
      case fraction
      /// The same in each second.
      case fractionPerSecond
    }

    public var unit: Unit {
      switch self {
      case .swipeLength: .fraction
      case .swipeSpeed: .fractionPerSecond
      default: .seconds
      }
    }

    /// The values that make sense; what lies outside is a slip.
    ///
    /// Double and triple ones are meant to be 0.2 to 1.0 s; below 0.1 s no hand comes back, and above 2 s nobody waits.
    /// A long press below 0.2 s would swallow taps. Fingers that are not a chord follow each other within 0.3 s. No
    /// panel loses a contact, and no worn switch bounces, for longer than people need to come back: 0.2 s and 1 s (worn
    /// pedals are known that need as much).
    public var range: ClosedRange<Double> {
      switch self {
      case .doubleTap, .tripleTap, .doublePress, .triplePress: 0.1...2
      case .longPress: 0.2...10
      case .chord: 0.01...0.3
      case .touchDropout: 0...0.2
      case .bounce: 0...1
      case .refractory: 0...10
      case .swipeLength: 0.02...0.9
      case .swipeSpeed: 0...5
      }
    }

    /// Whether 0 means that there is no such thing.
    public var canBeOff: Bool { range.lowerBound == 0 }

    /// Whether it has a say in how a gesture is told from others.
    public func concerns(_ kind: Gesture.Kind) -> Bool {
      switch self {
      case .doubleTap: [.doubleTap].contains(kind)
      case .tripleTap: [.tripleTap].contains(kind)
      case .doublePress: [.doublePress].contains(kind)
      case .triplePress: [.triplePress].contains(kind)
      case .longPress: [.tap, .press, .longPress].contains(kind)
      case .chord: [.chord].contains(kind)
      case .touchDropout: kind.means == [.touch] || kind == .longPress
      case .bounce: kind.means.contains(.key)
      // A shake has its own: the rest that must come after it (`ShakeParameters`).
      case .refractory: kind != .shake
      case .swipeLength, .swipeSpeed: [.swipeUp, .swipeDown, .swipeLeft, .swipeRight].contains(kind)
      }
    }
  }

  /// Whether a gesture can have a ``Timing/Mode``: it begins as another one that could be all.
  public static func hasMode(_ kind: Gesture.Kind) -> Bool {
    [.doubleTap, .tripleTap, .doublePress, .triplePress, .longPress].contains(kind)
  }

  /// The value of a setting in its unit.
  public subscript(setting: Setting) -> Double {
    get {
      switch setting {
      case .swipeLength: swipe.fraction
      case .swipeSpeed: swipePerSecond.fraction
      default: Double(self[keyPath: Self.time(setting)]) / 1e9
      }
    }
    set {
      switch setting {
      case .swipeLength: swipe = Length(fraction: newValue)
      case .swipeSpeed: swipePerSecond = Length(fraction: newValue)
      default: self[keyPath: Self.time(setting)] = Int64((newValue * 1e9).rounded())
      }
    }
  }

  private static func time(_ setting: Setting) -> WritableKeyPath<Timing, Int64> {
    switch setting {
    case .doubleTap: \.doubleTap
    case .tripleTap: \.tripleTap
    case .doublePress: \.doublePress
    case .triplePress: \.triplePress
    case .longPress: \.longPress
    case .chord: \.chord
    case .touchDropout: \.touchDropout
    case .bounce: \.bounce
    case .refractory, .swipeLength, .swipeSpeed: \.refractory
    }
  }
}
