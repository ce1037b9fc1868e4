/// The part of a surface that is covered by the same zones: its bindings, and its taps that may become double-taps.
struct TouchRegion: Equatable, Sendable {
  /// The zones that cover the region, the smallest first.
  let zones: [Zone]
  /// The bindings by the number of fingers, from 1.
  private let bindings: [TouchBindings]
  /// The largest number of fingers of a gesture that is bound here.
  let mostFingers: Int
  /// Whether landings of several fingers are distinguished from landings of one finger.
  let bindsLandingsOfSeveral: Bool
  var taps = TapRows()

  /// The number of fingers of a hand.
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

  var single: TouchBindings { bindings[0] }

  var limits: TouchLimits { single.landing }

  /// The greatest distance between the taps of a double-tap.
  var doubleTapSlop: Double { single.limits(for: .doubleTap).doubleTapSlop }

  /// The taps at the place of a group.
  func row(of group: FingerGroup) -> Int? { taps.index(at: group.landings, within: doubleTapSlop) }
}
