import Gestures
import Testing

/// Rotary encoders on the pins of a board.
@Suite struct RotaryEncoderTests {
  private static let stepping = DeviceDescription(name: "rotary", codes: [0: [0], 2: [0]])
  private static let turning = DeviceDescription(
    name: "rotary", codes: [3: [0]], axes: [0: .init(minimum: 0, maximum: 24)])

  @Test func `an encoder of steps is a dial, on whichever axis`() {
    for code in [0, 1, 7] as [UInt16] {
      var hand = Hand(on: Self.stepping.with { $0.codes[2] = [code] })
      for step in [1, 1, -1, 2, -1] as [Int32] { hand.send([InputEvent(type: 2, code: code, value: step)]) }
      #expect(hand.kinds == [.dialRight, .dialRight, .dialLeft, .dialRight, .dialRight, .dialLeft])
    }
    for device in [Self.stepping.with { $0.codes[2] = [0, 1] }, Self.stepping.with { $0.codes[1] = [0x110] }] {
      var hand = Hand(on: device)
      hand.send([InputEvent(type: 2, code: 0, value: 1)])
      #expect(hand.kinds == [] && !device.isRotaryEncoder && !device.hasWheels)
    }
  }

  @Test func `an encoder that reports its position is a dial, past the end of its range as well`() {
    #expect(Self.turning.isRotaryEncoder && Self.turning.hasWheels)
    var hand = Hand(on: Self.turning)
    hand.report([(0, 22)], isResync: true)
    for position in [23, 0, 1, 0, 23, 21] as [Int32] { hand.report([(0, position)]) }
    #expect(hand.kinds == [.dialRight, .dialRight, .dialRight, .dialLeft, .dialLeft, .dialLeft, .dialLeft])
    for (first, kinds) in [(1, [.dialRight]), (23, [.dialLeft]), (7, [])] as [(Int32, [Gesture.Kind])] {
      hand = Hand(on: Self.turning)
      hand.report([(0, first)])
      #expect(hand.kinds == kinds)
    }
    // Without a range, with a second axis or as a motion sensor it is something else.
    #expect(!Self.turning.with { $0.axes = [:] }.isRotaryEncoder)
    #expect(!Self.turning.with { $0.codes[3] = [0, 1] }.isRotaryEncoder)
    #expect(!Self.turning.with { $0.properties = [6] }.isRotaryEncoder)
  }
}
