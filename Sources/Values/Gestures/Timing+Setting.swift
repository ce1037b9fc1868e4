extension Timing {
  /// A time or distance that a person can set, with its name in configurations.
  public enum Setting: Hashable, Sendable {
    /// The longest pause in a row of taps or presses, by the name of the row.
    case pause(before: Gesture.Kind)
    case longPress
    case chord
    case touchDropout
    case bounce
    case refractory
    case swipeLength
    case swipeSpeed

    /// Every name that a configuration may use.
    public static let names = allCases.map(\.rawValue)

    /// The unit of a setting.
    public enum Unit: Equatable, Sendable {
      case seconds
      /// Fractions of the surface's shorter side.
      case fraction
      /// Fractions of the surface's shorter side per second.
      case fractionPerSecond
    }

    public var unit: Unit {
      switch self {
      case .swipeLength: .fraction
      case .swipeSpeed: .fractionPerSecond
      default: .seconds
      }
    }

    /// The valid values; a value outside is assumed to be a mistake.
    ///
    /// Deliberate pauses in a row are 0.2 to 1.0 s; a hand cannot return within 0.1 s, and a wait above 2 s is too
    /// long. A long press below 0.2 s would suppress taps. Fingers that are not a chord follow each other within 0.3 s.
    /// No panel loses a contact for longer than 0.2 s, and no worn switch bounces for longer than 1 s (some worn pedals
    /// need that), and people need longer to press or tap again.
    public var range: ClosedRange<Double> {
      switch self {
      case .pause: 0.1...2
      case .longPress: 0.2...10
      case .chord: 0.01...0.3
      case .touchDropout: 0...0.2
      case .bounce: 0...1
      case .refractory: 0...10
      case .swipeLength: 0.02...0.9
      case .swipeSpeed: 0...5
      }
    }

    /// Whether 0 switches the setting off.
    public var canBeOff: Bool { range.lowerBound == 0 }

    /// Whether the setting affects the recognition of gestures of this kind.
    public func concerns(_ kind: Gesture.Kind) -> Bool {
      switch self {
      case .pause(let row): row == kind
      case .longPress: [.tap, .press, .longPress].contains(kind)
      case .chord: [.chord].contains(kind)
      case .touchDropout: kind.means == [.touch] || kind == .longPress
      case .bounce: kind.means.contains(.key)
      // A shake has another setting instead: the rest after it (`ShakeParameters`).
      case .refractory: kind != .shake
      case .swipeLength, .swipeSpeed: Gesture.Kind.swipes.contains(kind)
      }
    }
  }

  /// Whether a kind of gesture can have a ``Timing/Mode``, because it begins like a shorter gesture.
  public static func hasMode(_ kind: Gesture.Kind) -> Bool {
    kind.base != nil || kind == .longPress
  }

  /// The value of a setting in its unit.
  public subscript(setting: Setting) -> Double {
    get {
      switch setting {
      case .swipeLength: swipe.fraction
      case .swipeSpeed: swipePerSecond.fraction
      case .pause(let row): Double(pause(before: row)) / 1e9
      case .longPress: Double(longPress) / 1e9
      case .chord: Double(chord) / 1e9
      case .touchDropout: Double(touchDropout) / 1e9
      case .bounce: Double(bounce) / 1e9
      case .refractory: Double(refractory) / 1e9
      }
    }
    set {
      var time: Int64 { Int64((newValue * 1e9).rounded()) }
      switch setting {
      case .swipeLength: swipe = Length(fraction: newValue)
      case .swipeSpeed: swipePerSecond = Length(fraction: newValue)
      case .pause(let row): setPause(before: row, to: time)
      case .longPress: longPress = time
      case .chord: chord = time
      case .touchDropout: touchDropout = time
      case .bounce: bounce = time
      case .refractory: refractory = time
      }
    }
  }
}

extension Timing.Setting: CaseIterable, RawRepresentable {
  public static let allCases: [Self] =
    Gesture.Kind.allRepeats.map(Self.pause) + [
      .longPress, .chord, .touchDropout, .bounce, .refractory, .swipeLength, .swipeSpeed,
    ]

  public init?(rawValue: String) {
    guard let setting = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = setting
  }

  public var rawValue: String {
    switch self {
    case .pause(let row): row.rawValue
    case .longPress: "long-press"
    case .chord: "chord"
    case .touchDropout: "touch-dropout"
    case .bounce: "bounce"
    case .refractory: "refractory"
    case .swipeLength: "swipe-length"
    case .swipeSpeed: "swipe-speed"
    }
  }
}
