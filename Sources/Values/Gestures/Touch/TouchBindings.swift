/// The bindings for a number of fingers in one region, with the limits of each gesture.
struct TouchBindings: Equatable, Sendable {
  private let interests: [Gesture.Kind: Interest]
  private let limits: [Gesture.Kind: TouchLimits]
  private let common: TouchLimits
  let repetition: Repetition.Rule?
  /// The greatest distance of a tap's lift from its landing towards a side with a bound swipe.
  let tapSlop: Double
  /// The time after which a touch becomes a long press, if bound, and can no longer be a part of a double-tap.
  let longPress: Int64
  let longestTap: Int64

  private static let kinds = Gesture.Kind.allCases.filter { $0.means.contains(.touch) }

  /// - Parameter interests: the bindings of the whole surface, by descending priority.
  init(fingers: Int, in zones: [Zone], interests: [Interest], on surface: TouchSurface, common: TouchLimits) {
    let own = interests.filter { $0.matches(fingers: fingers, in: zones) }
    let found = Self.kinds.compactMap { kind in own.first { $0.kind == kind } }
    self.interests = Dictionary(uniqueKeysWithValues: found.map { ($0.kind, $0) })
    limits = self.interests.mapValues { TouchLimits($0.timing, on: surface) }
    self.common = common
    repetition = Repetition.Rule(found, spot: fingers)
    tapSlop = limits.values.map(\.tapSlop).min() ?? common.tapSlop
    longPress = (limits[.longPress] ?? limits[.tap] ?? common).longPress
    longestTap = self.interests[.longPress] == nil ? (limits[.tap] ?? common).longestTap : longPress
  }

  /// Whether no gesture is bound.
  var isEmpty: Bool { interests.isEmpty }

  func isBound(_ kind: Gesture.Kind) -> Bool { interests[kind] != nil }

  /// Whether these gestures have the same bindings.
  func isSame(_ kinds: [Gesture.Kind], as other: TouchBindings) -> Bool {
    kinds.allSatisfy { interests[$0] == other.interests[$0] }
  }

  /// Whether a verdict is a bound gesture, or may become one.
  func bind(_ verdict: TouchVerdict) -> Bool {
    switch verdict {
    case .tap: isBound(.tap) || repetition != nil
    case .longPress: isBound(.longPress)
    case .swipe(let kind): isBound(kind)
    case .nothing: false
    }
  }

  var bindsTaps: Bool { bind(.tap) }
  var bindsSwipes: Bool { Gesture.Kind.swipes.contains(where: isBound) }

  func limits(for kind: Gesture.Kind) -> TouchLimits { limits[kind] ?? common }

  /// The limits that distinguish a new landing from a contact that the panel had lost.
  var landing: TouchLimits { limits[.tap] ?? limits[.touch] ?? limits.first?.value ?? common }
}
