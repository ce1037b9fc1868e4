import Gestures
import Testing

@Suite struct KeyTests {
  var hand = Hand(on: .pedal)

  @Test mutating func `a press counts on the way down`() {
    hand.key(48, 1)
    #expect(hand.gestures == [Gesture(kind: .press, time: 1_000_000_000, key: 48)])
    hand.key(48, 0)
    #expect(hand.gestures.count == 1)
  }

  @Test mutating func `autorepeat counts nothing, whether or not the press was seen`() {
    hand.key(48, 2)
    hand.key(48, 2)
    #expect(hand.kinds == [])
    hand.key(48, 1)
    for _ in 0..<30 { hand.key(48, 2) }
    #expect(hand.kinds == [.press])
  }

  @Test mutating func `a key that was held at the start counts when it is pressed again, not before`() {
    hand.key(48, 1, isResync: true)
    hand.key(48, 2)
    hand.key(48, 0)
    hand.wait(50)
    #expect(hand.kinds == [])
    hand.key(48, 1)
    #expect(hand.kinds == [.press])
  }

  @Test mutating func `a press that nobody saw happen is none`() {
    hand.key(48, 1)
    hand.key(48, 0, isResync: true)
    hand.key(48, 1, isResync: true)
    hand.key(48, 0)
    #expect(hand.kinds == [.press])
  }

  @Test mutating func `a release that was dropped does not swallow the next press`() {
    hand.key(48, 1)
    hand.key(48, 0, isResync: true)
    hand.key(48, 1)
    #expect(hand.kinds == [.press, .press])
  }

  @Test mutating func `presses and releases within one report count each, for no switch bounces there`() {
    hand.send(
      [1, 0, 1, 0].map { InputEvent(type: 1, code: 48, value: $0) } + [InputEvent(type: 1, code: 49, value: 1)])
    #expect(hand.gestures.map(\.key) == [48, 48, 49])
  }

  @Test mutating func `a press and a release in one report bounce no more than others`() {
    for _ in 0..<4 {
      hand.send([1, 0].map { InputEvent(type: 1, code: 48, value: $0) })
      hand.wait(20)
    }
    #expect(hand.kinds == [.press, .press, .press, .press])
  }

  /// 27 clicks that a delayed radio link delivers 3 to 8 ms apart, each as a report of the press and one of the release.
  @Test mutating func `clicks that come over Bluetooth in a burst count each, and over USB they are bouncing`() {
    for (bus, count) in [(UInt16(5), 27...27), (3, 0...20)] {
      hand = Hand(on: .pedal, timing: .standard(onBus: bus))
      for click in 0..<27 {
        hand.key(48, 1)
        hand.wait(click % 2 == 0 ? 3 : 8)
        hand.key(48, 0)
        hand.wait(click % 3 == 0 ? 3 : 5)
      }
      hand.wait(100)
      #expect(count.contains(hand.kinds.count), "bus \(bus): \(hand.kinds.count)")
    }
  }

  @Test mutating func `a device that goes away while pressed leaves nothing pressed`() {
    hand.key(48, 1)
    hand.recognizer.cancel()
    hand.key(48, 1)
    #expect(hand.kinds == [.press, .press])
  }

  @Test mutating func `what only says that something touches is no key`() {
    for code in [UInt16(0x140), 0x145, 0x148, 0x14a, 0x14d, 0x14f] { hand.key(code, 1) }
    #expect(hand.kinds == [])
    for code in [UInt16(0x14b), 0x14c, 0x149, 0x110, 0x2ff, 0xffff] { hand.key(code, 1) }
    #expect(hand.gestures.count == 6)
  }
}
