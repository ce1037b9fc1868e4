import Gestures
import TestKit

/// One thing that a hand does on a screen of 1000 by 1000 steps, and what it must be taken for.
struct TouchAct {
  enum Kind: CaseIterable {
    case tap, long, swipe, back, pinch, palm, latePalm, hover
  }

  let kind: Kind
  let fingers: Int
  /// In milliseconds.
  let start: Int64
  let end: Int64
  let direction: Gesture.Kind
  let word: String?
  let lane: Int

  /// Whether a finger lands at all.
  var lands: Bool { kind != .palm && kind != .hover }

  private static let directions: [Gesture.Kind] = [.swipeUp, .swipeDown, .swipeLeft, .swipeRight]

  /// - Parameters:
  ///   - kinds: what it may be, besides a tap.
  ///   - mostFingers: 1 or 5.
  init(
    lane: Int, start: Int64, of kinds: [Kind] = Kind.allCases, mostFingers: Int = 5, random: inout SeededRandom
  ) {
    self.lane = lane
    self.start = start
    kind = Int.random(in: 0..<3, using: &random) > 0 ? .tap : kinds.randomElement(using: &random) ?? .tap
    let isMany = mostFingers > 1 && Int.random(in: 0..<3, using: &random) == 0
    fingers =
      kind == .pinch ? 2 : [.tap, .long, .swipe].contains(kind) && isMany ? .random(in: 2...5, using: &random) : 1
    direction = Self.directions.randomElement(using: &random) ?? .swipeUp
    let length: ClosedRange<Int64> =
      switch kind {
      case .tap, .palm, .latePalm, .hover: 90...250
      case .long: 700...1500
      case .swipe, .back, .pinch: 200...900
      }
    end = start + .random(in: length, using: &random)
    let count = fingers > 1 ? "\(fingers) " : ""
    word =
      switch kind {
      case .tap: count + "tap"
      case .long: count + "long-press"
      case .swipe: count + direction.rawValue
      case .back, .pinch, .palm, .latePalm, .hover: nil
      }
  }

  /// Plays it. Fingers land and lift staggered by up to 30 ms.
  ///
  /// - Parameter chatters: whether the panel loses the contacts now and then for a moment, once all have landed.
  func play(into reports: inout Reports, chatters: Bool, random: inout SeededRandom) {
    for finger in 0..<fingers {
      let slot = Int32(lane * 5 + finger)
      let isInner = finger > 0 && finger < fingers - 1
      // The first finger keeps to the act's ends, so that the pauses between acts are what they were meant to be.
      let landing = start + (finger == 0 ? 0 : .random(in: 0...30, using: &random))
      let lifting = end - (finger == 0 || isInner ? 0 : .random(in: 0...30, using: &random))
      trace(
        finger, slot, landing, lifting, chatters && [.tap, .long, .swipe].contains(kind), into: &reports,
        random: &random)
    }
  }

  private func trace(
    _ finger: Int, _ slot: Int32, _ landing: Int64, _ lifting: Int64, _ chatters: Bool, into reports: inout Reports,
    random: inout SeededRandom
  ) {
    let from = (x: Int32(lane == 0 ? 110 : 610) + Int32(finger * 70), y: Int32(480 + finger * 10))
    let id = { (random: inout SeededRandom) in Int32.random(in: 0...65535, using: &random) }
    var first: [(UInt16, UInt16, Int32)] = [
      (3, 0x2f, slot), (3, 0x39, id(&random)), (3, 0x35, from.x), (3, 0x36, from.y), (3, 0x3b, kind == .hover ? 9 : 0),
      (3, 0x37, kind == .palm ? 2 : 0),
    ]
    reports.report(landing, first)
    // Reports every 10 ms, as panels do.
    var time = landing + 10
    while time < lifting {
      let part = Double(time - landing) / Double(lifting - landing)
      let at = place(from, part, finger, &random)
      first = [(3, 0x2f, slot), (3, 0x35, at.x), (3, 0x36, at.y)]
      if kind == .latePalm, part > 0.5 { first.append((3, 0x37, 2)) }
      reports.report(time, first)
      if chatters, time > start + 40, time + 80 < end, .random(in: 0..<12, using: &random) == 0 {
        reports.report(time + 2, [(3, 0x2f, slot), (3, 0x39, -1)])
        time += .random(in: 12...38, using: &random)
        reports.report(time, [(3, 0x2f, slot), (3, 0x39, id(&random)), (3, 0x35, at.x), (3, 0x36, at.y)])
      }
      time += 10
    }
    reports.report(lifting, [(3, 0x2f, slot), (3, 0x39, -1), (3, 0x37, 0), (3, 0x3b, 0)])
  }

  /// Where a finger is when a part of the time has passed, with the tremor of a hand.
  private func place(
    _ from: (x: Int32, y: Int32), _ part: Double, _ finger: Int, _ random: inout SeededRandom
  ) -> (x: Int32, y: Int32) {
    let way: Double =
      switch kind {
      case .swipe: 160 * min(part * 1.1, 1)
      case .back: 160 * (1 - abs(2 * part - 1))
      case .pinch: 150 * part * (finger == 0 ? 1 : -1)
      case .tap, .long, .palm, .latePalm, .hover: 0
      }
    let (x, y): (Double, Double) =
      switch direction {
      case .swipeUp: (0, -way)
      case .swipeDown: (0, way)
      case .swipeLeft: (-way, 0)
      default: (way, 0)
      }
    let tremor = { (random: inout SeededRandom) in Int32.random(in: -4...4, using: &random) }
    return (from.x + Int32(x) + tremor(&random), from.y + Int32(y) + tremor(&random))
  }
}
