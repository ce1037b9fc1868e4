/// The gestures that are bound to one key, and the timing of each.
struct KeyBindings: Equatable, Sendable {
  private let interests: [Gesture.Kind: Interest]
  private let common: Timing
  let repetition: Repetition.Rule?
  /// The time, in nanoseconds, in which the other keys of a chord may follow; 0 if the key is part of no chord.
  let chord: Int64

  private static let kinds: [Gesture.Kind] = [.press, .release, .doublePress, .triplePress, .longPress, .hold]

  /// - Parameter interests: all interests in keys, by falling priority.
  init(_ key: Gesture.PressedKey, interests: [Interest], common: Timing) {
    let own = interests.filter { $0.matches(key) }
    var found: [Gesture.Kind: Interest] = [:]
    for kind in Self.kinds { found[kind] = own.first { $0.kind == kind } }
    self.interests = found
    self.common = common
    chord = own.lazy.filter { $0.chord > 0 }.map(\.timing.chord).max() ?? 0
    // Presses of several keys add up if a binding names the keys, but not if it is for any key.
    var spot = Int(key.code)
    if let interest = found[.doublePress] ?? found[.triplePress], interest.namesKeys {
      spot = -1 - (interests.firstIndex(of: interest) ?? 0)
    }
    repetition = Repetition.Rule(twice: found[.doublePress], thrice: found[.triplePress], spot: spot)
  }

  func isBound(_ kind: Gesture.Kind) -> Bool { interests[kind] != nil }

  func refractory(_ kind: Gesture.Kind) -> Int64 { (interests[kind]?.timing ?? common).refractory }

  var longPress: Int64 { (interests[.longPress] ?? interests[.press])?.timing.longPress ?? common.longPress }

  /// Whether a press is emitted while longer gestures that begin with it are still possible.
  var isEager: Bool { repetition?.isEager ?? (interests[.longPress]?.timing.mode == .eager) }
}

extension Interest {
  fileprivate var namesKeys: Bool {
    guard case .keys(let codes, let scans) = target else { return false }
    return !codes.isEmpty || !scans.isEmpty
  }
}
