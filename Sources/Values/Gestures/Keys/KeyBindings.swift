/// The gestures that are bound to one key, and the timing of each.
struct KeyBindings: Equatable, Sendable {
  private let interests: [Gesture.Kind: Interest]
  private let common: Timing
  let repetition: Repetition.Rule?
  /// The time, in nanoseconds, in which the other keys of a chord may follow; 0 if the key is part of no chord.
  let chord: Int64

  private static let kinds = Gesture.Kind.allCases.filter { $0.means.contains(.key) && $0 != .chord }

  /// - Parameter interests: all interests in keys, by descending priority.
  init(_ key: Gesture.PressedKey, interests: [Interest], common: Timing) {
    let own = interests.filter { $0.matches(key) }
    let found = Self.kinds.compactMap { kind in own.first { $0.kind == kind } }
    self.interests = Dictionary(uniqueKeysWithValues: found.map { ($0.kind, $0) })
    self.common = common
    chord = own.lazy.filter { $0.chord > 0 }.map(\.timing.chord).max() ?? 0
    // Presses of different keys count as a row if the binding names the keys, but not if it is for any key.
    var spot = Int(key.code)
    if let interest = found.first(where: { $0.kind.base != nil }), interest.namesKeys {
      spot = -1 - (interests.firstIndex(of: interest) ?? 0)
    }
    repetition = Repetition.Rule(found, spot: spot)
  }

  func isBound(_ kind: Gesture.Kind) -> Bool { interests[kind] != nil }

  func refractory(_ kind: Gesture.Kind) -> Int64 { (interests[kind]?.timing ?? common).refractory }

  var longPress: Int64 { (interests[.longPress] ?? interests[.press])?.timing.longPress ?? common.longPress }

  /// Whether a press is emitted while longer gestures that begin with it are still possible.
  var isEager: Bool { repetition?.isEager ?? (interests[.longPress]?.timing.mode == .eager) }
}

extension Interest {
  /// Whether the target names its keys; without names it is any key.
  var namesKeys: Bool {
    guard case .keys(let codes, let scans) = target else { return false }
    return !codes.isEmpty || !scans.isEmpty
  }
}
