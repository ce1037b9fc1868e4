/// What is wished for of one key, and by which timing each gesture is told there.
struct KeySpot: Equatable, Sendable {
  private let wishes: [Gesture.Kind: Wish]
  private let common: Timing
  let repetition: Repetition.Rule?
  /// How long it can take until the other keys of a chord are down; 0 where the key is part of none.
  let chord: Int64

  private static let kinds: [Gesture.Kind] = [.press, .release, .doublePress, .triplePress, .longPress, .hold]

  /// - Parameter wishes: those that speak of keys, the first ones before the others.
  init(_ key: Gesture.PressedKey, wishes: [Wish], common: Timing) {
    let own = wishes.filter { $0.matches(key) }
    var found: [Gesture.Kind: Wish] = [:]
    for kind in Self.kinds { found[kind] = own.first { $0.kind == kind } }
    self.wishes = found
    self.common = common
    chord = own.lazy.filter { $0.chord > 0 }.map(\.timing.chord).max() ?? 0
    // Several names of one button are one spot, any key is a spot for each.
    var spot = Int(key.code)
    if let wish = found[.doublePress] ?? found[.triplePress], wish.namesKeys {
      spot = -1 - (wishes.firstIndex(of: wish) ?? 0)
    }
    repetition = Repetition.Rule(twice: found[.doublePress], thrice: found[.triplePress], spot: spot)
  }

  func isWished(_ kind: Gesture.Kind) -> Bool { wishes[kind] != nil }

  func refractory(_ kind: Gesture.Kind) -> Int64 { (wishes[kind]?.timing ?? common).refractory }

  var longPress: Int64 { (wishes[.longPress] ?? wishes[.press])?.timing.longPress ?? common.longPress }

  /// Whether a press is given before it is known what else it could be the beginning of.
  var isEager: Bool { repetition?.isEager ?? (wishes[.longPress]?.timing.mode == .eager) }
}

extension Wish {
  fileprivate var namesKeys: Bool {
    guard case .keys(let codes, let scans) = target else { return false }
    return !codes.isEmpty || !scans.isEmpty
  }
}
