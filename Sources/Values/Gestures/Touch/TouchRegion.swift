/// The part of a surface that is covered by the same zones: what is bound there, and the taps there that may become double-taps.
struct TouchRegion: Equatable, Sendable {
  /// The zones that cover it, the smallest first.
  let zones: [Zone]
  /// By the number of fingers, from 1.
  private let bindings: [TouchBindings]
  /// The most fingers that a bound gesture has here.
  let mostFingers: Int
  /// Whether landings of several fingers are told from landings of one.
  let bindsLandingsOfSeveral: Bool
  var taps = TapRows()

  /// As many fingers as a hand has.
  static let handSize = 5

  init(zones: [Zone], interests: [Interest], on surface: TouchSurface, common: TouchLimits) {
    self.zones = zones
    let all = (1...Self.handSize).map {
      TouchBindings(fingers: $0, in: zones, interests: interests, on: surface, common: common)
    }
    bindings = all
    mostFingers = (1...Self.handSize).last { !all[$0 - 1].isEmpty } ?? 1
    bindsLandingsOfSeveral = all.dropFirst().contains { $0.isBound(.touch) }
  }

  /// The bindings for a number of fingers; nil for more than ``handSize``.
  func bindings(_ fingers: Int) -> TouchBindings? {
    fingers <= Self.handSize ? bindings[fingers - 1] : nil
  }

  /// The bindings for one finger.
  var single: TouchBindings { bindings[0] }

  var limits: TouchLimits { single.landing }

  /// The greatest distance between the taps of a double-tap.
  var doubleTapSlop: Double { single.limits(for: .doubleTap).doubleTapSlop }

  /// The taps at the place of a group.
  func row(of group: FingerGroup) -> Int? { taps.index(at: group.landings, within: doubleTapSlop) }
}
