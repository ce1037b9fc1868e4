import Gestures
import Testing

/// Hands that do anything, beside a shadow that knows what they do.
@Suite struct RandomHandsTests {
  @Test(arguments: 0..<300 as Range<UInt64>) func `random hands give what they did, and nothing else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var hand = Hand()
    var shadow = ShadowHand()
    for step in 0..<400 {
      hand.wait(.random(in: 1...(Bool.random(using: &random) ? 30 : 400), using: &random))
      var expected: [Gesture.Kind] = []
      let slot = Int32.random(in: 0...(Bool.random(using: &random) ? 0 : 9), using: &random)
      if let finger = shadow.fingers[slot] {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4:
          if let kind = shadow.lift(slot, at: hand.now) { expected.append(kind) }
          hand.lift(slot)
        case 5...7:
          let place =
            finger.hasGone
            ? finger.at
            : (
              x: finger.landed.x + .random(in: -20...20, using: &random),
              y: finger.landed.y + .random(in: -20...20, using: &random)
            )
          shadow.move(slot, place.x, place.y)
          hand.move(slot, x: place.x, y: place.y)
        case 8:
          // Straight away in one direction, once.
          guard !finger.hasGone else { continue }
          let way = Int32.random(in: 300...400, using: &random) * (Bool.random(using: &random) ? 1 : -1)
          let isSideways = Bool.random(using: &random)
          let place = (x: finger.landed.x + (isSideways ? way : 0), y: finger.landed.y + (isSideways ? 0 : way))
          shadow.move(slot, place.x, place.y)
          hand.move(slot, x: place.x, y: place.y)
        case 9:
          shadow.vanish(slot)
          hand.report([(0x2f, slot), (0x37, 2)])
          hand.report([(0x39, -1), (0x37, 0)])
        case 10:
          // Another finger takes the place within the frame.
          if let kind = shadow.lift(slot, at: hand.now) { expected.append(kind) }
          shadow.land(slot, 500, 500, at: hand.now)
          hand.land(slot, x: 500, y: 500)
        default:
          // Events were dropped, the lifting of this finger among them or not.
          let isGone = Bool.random(using: &random)
          if isGone { shadow.vanish(slot) }
          shadow.lookAway()
          let last: (UInt16, Int32) = isGone ? (0x39, -1) : (0x35, finger.at.x)
          hand.report([(0x2f, slot), last], isResync: true)
        }
      } else {
        let (x, y) = (Int32.random(in: 420...580, using: &random), Int32.random(in: 420...580, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: hand.report([(0x2f, slot), (0x35, x), (0x36, y), (0x39, -1)])
        case 1:
          // Hovers by, or comes and goes within a frame.
          hand.report([(0x2f, slot), (0x39, 9), (0x3b, 5), (0x35, x), (0x36, y)])
          hand.report([(0x2f, slot), (0x39, -1), (0x3b, 0)])
          hand.report([(0x2f, slot), (0x39, 9), (0x39, -1)])
        case 2:
          // A slot beyond any table.
          hand.land(Int32.random(in: 64...Int32.max, using: &random), x: x, y: y)
        default:
          shadow.land(slot, x, y, at: hand.now)
          hand.land(slot, x: x, y: y)
        }
      }
      #expect(hand.kinds == expected, "seed \(seed), step \(step)")
      guard hand.kinds == expected else { return }
      hand.gestures = []
    }
  }

  /// Numbers that programs stumble over.
  static let awkward: [Int32] = [.min, .min + 1, -1, 0, 1, 2, 5, 15, 16, 63, 64, 500, 1000, 65535, .max - 1, .max]

  @Test(arguments: 0..<300 as Range<UInt64>) func `nothing that a device can say breaks anything`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let value = { (random: inout SeededGenerator) in Self.awkward.randomElement(using: &random) ?? 0 }
    var device = DeviceDescription.screen()
    if Bool.random(using: &random) { device.codes[3]?.remove(0x2f) }
    if device.codes[3]?.contains(0x2f) == false { device.axes[0x2f] = nil }
    if Int.random(in: 0..<3, using: &random) == 0 { device = .singleTouch }
    for code in device.axes.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
      device.axes[code] = .init(
        minimum: value(&random), maximum: value(&random), resolution: value(&random))
    }
    var recognizer = DeviceRecognizer(description: device)
    var held: Set<UInt16> = []
    let absolutes: [UInt16] = [0, 1, 0x19, 0x2f, 0x35, 0x36, 0x37, 0x39, 0x3b, 0xffff]
    for _ in 0..<400 {
      var presses: [UInt16] = []
      let isResync = Int.random(in: 0..<20, using: &random) == 0
      let events = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return InputEvent(type: 0, code: 2, value: 0)
        case 1: return InputEvent(type: 1, code: 0x14a, value: .random(in: 0...1, using: &random))
        case 2:
          let event = InputEvent(type: 1, code: .random(in: 30...33, using: &random), value: value(&random))
          if event.value == 1, held.insert(event.code).inserted { presses.append(event.code) }
          if event.value == 0 { held.remove(event.code) }
          return event
        default:
          return InputEvent(type: 3, code: absolutes.randomElement(using: &random) ?? 0, value: value(&random))
        }
      }
      let time = [Int64.min, 0, .max, .random(in: 0...1 << 40, using: &random)].randomElement(using: &random) ?? 0
      let gestures = recognizer.handle(Frame(time: time, events: events, isResync: isResync))
      #expect(gestures.compactMap(\.key) == (isResync ? [] : presses))
      #expect(!isResync || gestures.isEmpty)
      #expect(gestures.allSatisfy { $0.key != nil || $0.fingers == 1 })
      #expect(
        gestures.compactMap(\.position).allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
    }
    recognizer.cancel()
    #expect(recognizer.handle(Frame(time: 0, events: [InputEvent(type: 1, code: 30, value: 1)])).count == 1)
  }
}
