import Gestures
import Testing

/// Keys that a machine presses: knobs that send a key for each pulse, programs and tokens that type.
@Suite struct MachineStrokeTests {
  var hand = Hand(on: .pedal)

  /// Presses a key for some milliseconds and waits.
  private mutating func stroke(_ key: UInt16, _ down: Int64, _ up: Int64) {
    hand.key(key, 1)
    hand.wait(down)
    hand.key(key, 0)
    hand.wait(up)
  }

  @Test(arguments: [(10, 1), (1, 10), (5, 5), (2, 2), (3, 1), (4, 4), (20, 2)] as [(Int64, Int64)])
  mutating func `strokes as regular as a clock count each, however fast`(down: Int64, up: Int64) {
    for count in [4, 5, 20] {
      hand = Hand(on: .pedal)
      for _ in 0..<count { stroke(115, down, up) }
      hand.wait(1000)
      #expect(hand.kinds == Array(repeating: .press, count: count))
      // A press behind them bounces as any other.
      for _ in 0..<2 { stroke(115, 1, 1) }
      stroke(115, 60, 100)
      #expect(hand.kinds.count == count + 1)
    }
  }

  @Test mutating func `each of fast strokes is a hold with a beginning and an end`() {
    let key = Interest.Target.keys(codes: [115], scans: [])
    hand = Hand(on: .pedal, [Interest(.hold, key), Interest(.press, key), Interest(.release, key)])
    for _ in 0..<10 { stroke(115, 10, 1) }
    hand.wait(1000)
    #expect(hand.kinds.count { $0 == .press } == 10 && hand.kinds.count { $0 == .release } == 10)
    #expect(hand.gestures.filter { $0.kind == .hold }.map(\.isOn) == (0..<20).map { $0 % 2 == 0 })
  }

  @Test mutating func `edges that are not regular are a switch that bounces, and are told of`() {
    for (down, up) in [(1, 2), (2, 1), (1, 1), (60, 200)] as [(Int64, Int64)] { stroke(48, down, up) }
    #expect(hand.kinds == [.press])
    stroke(48, 60, 200)
    #expect(hand.kinds == [.press, .press])
    #expect(hand.reports == [.bounced(key: 48, presses: 3)])
  }

  @Test mutating func `a hand that presses as long as it pauses is no machine, though each release bounces`() {
    for _ in 0..<5 { for (down, up) in [(44, 1), (1, 44)] as [(Int64, Int64)] { stroke(48, down, up) } }
    hand.wait(1000)
    #expect(hand.kinds == Array(repeating: .press, count: 5))
  }

  @Test mutating func `an end that bounces right behind regular strokes is no stroke`() {
    for _ in 0..<6 { stroke(115, 10, 10) }
    hand.key(115, 1)
    hand.wait(10)
    for value in [0, 1, 0] as [Int32] {
      hand.key(115, value)
      hand.wait(2)
    }
    hand.wait(1000)
    #expect(hand.kinds.count == 7)
  }

  // MARK: Strokes without a length

  /// Reports each edge in a frame of its own, at these times in microseconds.
  private mutating func edges(_ times: [Int64]) {
    for (number, time) in times.enumerated() {
      let edge = InputEvent(type: 1, code: 115, value: number % 2 == 0 ? 1 : 0)
      hand.gestures += hand.recognizer.advance(to: time * 1000)
      hand.gestures += hand.recognizer.handle(Frame(time: time * 1000, events: [edge]))
    }
    hand.gestures += hand.recognizer.advance(to: (times.last ?? 0) * 1000 + 1_000_000_000)
  }

  @Test(arguments: [0, 1, 20, 90] as [Int64], [[1000], [8000], [8000, 16_000], [13_268, 6000, 9000]] as [[Int64]])
  mutating func `strokes whose releases come with the presses count each, at any intervals`(
    length: Int64, pauses: [Int64]
  ) {
    for count in [2, 3, 30] {
      hand = Hand(on: .pedal, bound: "press", "release")
      var times: [Int64] = [1_000_000]
      for number in 1..<count { times.append(times[number - 1] + pauses[number % pauses.count]) }
      edges(times.flatMap { [$0, $0 + length] })
      for kind in [.press, .release] as [Gesture.Kind] {
        #expect(hand.gestures.filter { $0.kind == kind }.count == count)
      }
    }
  }

  @Test mutating func `strokes with one stamp count each, and so does a press after a clock that was set back`() {
    hand = Hand(on: .pedal, bound: "press")
    edges(Array(repeating: 1_000_000, count: 6) + [2_000_000, 2_000_000, 500_000, 500_000])
    #expect(hand.kinds.count == 5)
  }

  @Test(
    arguments: [
      [0, 30, 60], [0, 90, 200, 280, 500], [0, 60_000, 60_300, 60_350, 61_000, 61_050, 62_000, 62_020],
      [0, 2000, 2050, 3000, 3050, 4000],
    ] as [[Int64]])
  mutating func `short contacts of a switch that bounces count once`(times: [Int64]) {
    hand = Hand(on: .pedal, bound: "press")
    edges(times.map { 1_000_000 + $0 })
    #expect(hand.kinds == [.press])
  }

  // MARK: Texts

  /// A text of different keys.
  private static let text: [UInt16] = [35, 20, 20, 25, 53, 17, 17, 17, 52, 30, 31, 32, 52, 46, 24, 50]

  @Test(arguments: [(2, 2), (1, 7), (8, 8), (4, 0)] as [(Int64, Int64)])
  mutating func `a text that a pedal types after it was held counts nothing`(down: Int64, up: Int64) {
    stroke(48, 100, 400)
    hand.key(48, 1)
    hand.wait(7000)
    for isHeld in [true, false] {
      if !isHeld {
        hand.key(48, 0)
        hand.wait(60)
      }
      for key in Self.text { stroke(key, down, up) }
      hand.wait(1000)
      #expect(hand.gestures.map(\.key) == [48, 48])
      #expect(hand.reports == Array(repeating: .typed(keys: 16), count: isHeld ? 1 : 2))
    }
    stroke(48, 100, 1000)
    stroke(30, 100, 100)
    #expect(hand.gestures.map(\.key) == [48, 48, 48, 30])
  }

  @Test mutating func `of a text that comes out of nowhere the first key counts, and the others are told of`() {
    for key in Self.text { stroke(key, 4, 4) }
    hand.wait(1000)
    #expect(hand.gestures.map(\.key) == [35])
    #expect(hand.reports == [.typed(keys: 15)])
  }

  @Test mutating func `a text whose report of a key releases the key before is one, too`() {
    var before: UInt16?
    for key in Self.text where key != before {
      var events = [InputEvent(type: 1, code: key, value: 1)]
      if let before { events.append(InputEvent(type: 1, code: before, value: 0)) }
      hand.send(events)
      hand.wait(8)
      before = key
    }
    hand.wait(1000)
    #expect(hand.gestures.map(\.key) == [35])
  }

  @Test mutating func `fingers that take turns on three keys count each, and so do three at once`() {
    for round in 0..<20 { stroke([48, 49, 50][round % 3], 24, 2) }
    for key in [48, 49, 50] as [UInt16] {
      hand.key(key, 1)
      hand.wait(5)
    }
    for key in [48, 49, 50] as [UInt16] { hand.key(key, 0) }
    hand.wait(1000)
    #expect(hand.kinds.count == 23)
    #expect(hand.reports.isEmpty)
  }

  @Test mutating func `a knob that is turned back and forth counts each pulse, with its own time`() {
    for turn in 0..<6 {
      for _ in 0..<5 { stroke(turn % 2 == 0 ? 115 : 114, 10, 1) }
      hand.wait(1)
    }
    hand.wait(1000)
    #expect(hand.kinds.count == 30)
    #expect(hand.gestures.count { $0.key == 114 } == 15)
    #expect(hand.gestures.map(\.time).max() ?? 0 < 1_400_000_000)
  }

  // MARK: Bound keys of a text

  @Test(
    arguments: [
      // namshi/keyscannerjs#1: a scanner ends each code with Enter.
      (["press KEY 28"], [5, 11, 11, 7, 4, 9, 2, 28], 1), (["press KEY 28"], [28, 5, 11, 28, 7], 1),
      (["press KEY 28"], [5, 5, 5, 28], 1), (["press KEY 28"], [5, 28], 1),
      // home-assistant/core#122137: 69, 55, 77 and 69 for one press of a keypad.
      (["press KEY 55"], [69, 55, 77, 69], 1), (["press"], [69, 55, 77, 69], 1),
      (["press KEY 11 7"], [5, 11, 11, 7, 4, 9, 2, 28], 1), (["press KEY 1"], [5, 11, 11, 7, 4, 9, 2, 28], 0),
    ] as [([String], [UInt16], Int)])
  mutating func `of a text the first bound key counts`(bound: [String], text: [UInt16], count: Int) {
    hand = Hand(on: .pedal, bound.map { Interest(words: $0) })
    for _ in 0..<3 {
      for key in text { stroke(key, 4, 4) }
      hand.wait(500)
    }
    #expect(hand.counted == 3 * count)
  }

  @Test mutating func `of a text that a held pedal types no bound key counts`() {
    hand = Hand(on: .pedal, bound: "press KEY 48 46")
    hand.key(48, 1)
    hand.wait(7000)
    for key in Self.text { stroke(key, 2, 2) }
    hand.wait(1000)
    hand.key(48, 0)
    hand.wait(60)
    for key in Self.text { stroke(key, 2, 2) }
    hand.wait(1000)
    #expect(hand.gestures.map(\.key) == [48])
  }

  // MARK: Two keys

  @Test(arguments: [[32, 11], [11, 28], [32, 11, 32]] as [[UInt16]])
  mutating func `of two different keys that a pedal types the first one counts`(text: [UInt16]) {
    hand = Hand(on: .pedal, bound: "press")
    for _ in 0..<5 {
      for key in text { stroke(key, 10, 10) }
      hand.wait(600)
    }
    #expect(hand.counted == 5)
    #expect(hand.reports == Array(repeating: .typed(keys: text.count - 1), count: 5))
  }

  @Test(arguments: [(115, 114), (103, 108), (105, 106), (106, 105), (104, 109)] as [(UInt16, UInt16)])
  mutating func `the two directions of a knob count each`(up: UInt16, down: UInt16) {
    hand = Hand(on: .pedal, bound: "press")
    for _ in 0..<5 {
      for key in [up, down] { stroke(key, 10, 1) }
      hand.wait(600)
    }
    #expect(hand.counted == 10)
  }

  @Test mutating func `keys with a binding each count, however soon one follows the other`() {
    hand = Hand(on: .pedal, bound: "press KEY 183", "press KEY 184")
    for _ in 0..<5 {
      for key in [183, 184] as [UInt16] { stroke(key, 10, 1) }
      hand.wait(600)
    }
    #expect(hand.counted == 10)
  }

  /// Two feet on two pedals, whose switches bounce.
  @Test(arguments: [
    "press 48, 1ms, release 48, 2ms, press 49, 1ms, press 48, 60ms, release 48, 5ms",
    "press 48, 1ms, release 48, 2ms, press 49, 1ms, release 49, 1ms, press 48, 1ms, press 49, 60ms",
    "press 48, 1ms, release 48, 2ms, press 49, 1ms, release 49, 1ms, press 49, 1ms, press 48, 60ms",
    "press 48, 1ms, release 48 + press 49, 2ms, press 48, 60ms",
    "press 48, 19ms, press 49, 1ms, release 48, 60ms",
    "press 48, 25ms, release 48, 1ms, press 49, 25ms, release 49",
  ])
  mutating func `two pedals that are pressed together count each`(press: String) {
    hand = Hand(on: .pedal, bound: "press")
    for _ in 0..<5 { hand.play("\(press), release 48 + release 49, 400ms") }
    #expect(hand.counted == 10)
    #expect(!hand.reports.contains { $0.kind == .typed })
  }

  @Test mutating func `two clicks that come late over Bluetooth count each`() {
    hand = Hand(on: .pedal.with { $0.bus = 5 }, [Interest(words: "press")], timing: .standard(onBus: 5))
    for _ in 0..<5 {
      for key in [48, 49] as [UInt16] { stroke(key, 3, 5) }
      hand.wait(600)
    }
    #expect(hand.counted == 10)
  }
}
