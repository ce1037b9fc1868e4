/// What is wished for of a touch with so many fingers in one area, and by which limits each gesture is told there.
struct TouchSpot: Equatable, Sendable {
  /// The wish for each kind of gesture, or nil where it is of interest to nobody.
  private let wishes: [Gesture.Kind: Wish]
  private let limits: [Gesture.Kind: TouchLimits]
  private let common: TouchLimits
  let repetition: Repetition.Rule?
  /// How far from its landing a finger may lift and have stayed.
  let reach: Double
  let longPress: Int64

  private static let kinds: [Gesture.Kind] = [
    .touch, .tap, .doubleTap, .tripleTap, .longPress, .swipeUp, .swipeDown, .swipeLeft, .swipeRight,
  ]

  /// - Parameter wishes: those that apply to the area, the first ones before the others.
  init(fingers: Int, in zones: [Zone], wishes: [Wish], on surface: TouchSurface, common: TouchLimits) {
    let own = wishes.filter { $0.matches(fingers: fingers, in: zones) }
    let found = Self.kinds.compactMap { kind in own.first { $0.kind == kind } }
    self.wishes = Dictionary(uniqueKeysWithValues: found.map { ($0.kind, $0) })
    limits = self.wishes.mapValues { TouchLimits($0.timing, on: surface) }
    self.common = common
    repetition = Repetition.Rule(twice: self.wishes[.doubleTap], thrice: self.wishes[.tripleTap], spot: fingers)
    reach = limits.values.map(\.tap).min() ?? common.tap
    longPress = (limits[.longPress] ?? limits[.tap] ?? common).longPress
  }

  func isWished(_ kind: Gesture.Kind) -> Bool { wishes[kind] != nil }

  func limits(for kind: Gesture.Kind) -> TouchLimits { limits[kind] ?? common }

  /// How contacts that land are told from those that only seemed to lift.
  var landing: TouchLimits { limits[.tap] ?? limits[.touch] ?? limits.first?.value ?? common }

  /// What the fingers of a touch did between landing and lifting; nil where it was nothing that has a name.
  ///
  /// A touch whose end is stamped before its beginning lasted nobody knows how long: it can be a swipe, but no tap.
  func verdict(on fingers: Touch.Fingers, lifted time: Int64) -> Gesture.Kind? {
    let way = Way(fingers)
    let duration = time.elapsed(since: fingers.startTime)
    return way.reach <= reach ? stay(way, fingers, duration) : swipe(way, fingers, duration)
  }

  private func stay(_ way: Way, _ fingers: Touch.Fingers, _ duration: Int64?) -> Gesture.Kind? {
    // Somebody drummed with one finger beside another one.
    guard !way.hasStrayed, fingers.landings == fingers.most, let duration else { return nil }
    if duration < longPress { return .tap }
    // Fingers that press rest together; one that only comes by at the end is none of them.
    guard way.reach <= limits(for: .longPress).rest else { return nil }
    guard let together = way.firstLift.elapsed(since: fingers.lastLanding), together >= duration / 2 else { return nil }
    return .longPress
  }

  private func swipe(_ way: Way, _ fingers: Touch.Fingers, _ duration: Int64?) -> Gesture.Kind? {
    let isSideways = abs(way.sum.x) >= abs(way.sum.y)
    let range = isSideways ? way.across : way.down
    let isForward = (isSideways ? way.sum.x : way.sum.y) > 0
    let kind: Gesture.Kind =
      isSideways ? isForward ? .swipeRight : .swipeLeft : isForward ? .swipeDown : .swipeUp
    let limits = limits(for: kind)
    let total = isSideways ? abs(way.sum.x) : abs(way.sum.y)
    let astray = isSideways ? abs(way.sum.y) : abs(way.sum.x)
    let along = total / Double(fingers.most)
    let (least, longest) =
      isForward ? (range.lowerBound, range.upperBound) : (-range.upperBound, -range.lowerBound)
    // Fingers whose contact broke on the way left pieces, of which only this can be said.
    let isTogether = fingers.landings > fingers.most ? least >= -limits.grain : least >= longest * limits.company
    guard
      along >= limits.swipe, isTogether, astray <= total * limits.slant,
      way.sum.length >= way.path * limits.straightness,
      along >= limits.swipePerSecond * Double(duration ?? 0) / 1e9
    else { return nil }
    return kind
  }

  /// The ways of all fingers of a touch together.
  private struct Way {
    var sum = Stroke.Vector(x: 0, y: 0)
    var path = 0.0
    /// The furthest that any of them ended from its landing.
    var reach = 0.0
    /// How far each went to the right and down: the least and the most of them.
    var across: ClosedRange<Double> = 0...0
    var down: ClosedRange<Double> = 0...0
    var hasStrayed = false
    var firstLift = Int64.max

    init(_ fingers: Touch.Fingers) {
      for (number, stroke) in fingers.strokes.enumerated() {
        let net = stroke.net
        sum = Stroke.Vector(x: sum.x + net.x, y: sum.y + net.y)
        path += stroke.path
        reach = max(reach, net.length)
        across = number == 0 ? net.x...net.x : min(across.lowerBound, net.x)...max(across.upperBound, net.x)
        down = number == 0 ? net.y...net.y : min(down.lowerBound, net.y)...max(down.upperBound, net.y)
        if stroke.hasStrayed { hasStrayed = true }
        firstLift = min(firstLift, stroke.end)
      }
    }
  }
}
