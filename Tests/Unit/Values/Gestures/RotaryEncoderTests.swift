import Gestures
import Testing

/// Rotary encoders on the pins of a board.
@Suite struct RotaryEncoderTests {
  private static let stepping = DeviceDescription(name: "rotary", codes: [0: [0], 2: [0]])
  private static let turning = DeviceDescription(
    name: "rotary", codes: [3: [0]], axes: [0: .init(minimum: 0, maximum: 24)])

  @Test func `an encoder of steps is a dial, on whichever axis`() {
    for code in 0...9 as ClosedRange<UInt16> {
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

  @Test func `a wheel with keys or a second axis is no encoder`() {
    for (keys, axes) in [([], [6, 8]), ([0x110], [8])] as [(Set<UInt16>, Set<UInt16>)] {
      let device = Self.stepping.with { ($0.codes[1], $0.codes[2]) = (keys, axes) }
      var hand = Hand(on: device)
      hand.send([InputEvent(type: 2, code: 8, value: 1)])
      #expect(hand.kinds == [.wheelUp] && !device.isRotaryEncoder)
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
    for axis in [1, 3, 6, 8, 15] as [UInt16] {
      hand = Hand(on: Self.turning.with { ($0.codes[3], $0.axes) = ([axis], [axis: .init(minimum: 0, maximum: 24)]) })
      for position in [1, 2, 1, 0, 23] as [Int32] { hand.report([(axis, position)]) }
      #expect(hand.kinds == [.dialRight, .dialRight, .dialLeft, .dialLeft, .dialLeft])
    }
    // Without a range, with a second axis or as a motion sensor it is something else.
    #expect(!Self.turning.with { $0.axes = [:] }.isRotaryEncoder)
    #expect(!Self.turning.with { $0.codes[3] = [0, 1] }.isRotaryEncoder)
    #expect(!Self.turning.with { $0.properties = [6] }.isRotaryEncoder)
  }

  @Test func `an encoder that states its last position instead of their number turns past its ends as well`() {
    var hand = Hand(on: Self.turning.with { $0.axes[0]?.maximum = 23 })
    hand.report([(0, 22)], isResync: true)
    for position in [23, 0, 1, 0, 23] as [Int32] { hand.report([(0, position)]) }
    #expect(hand.kinds == [.dialRight, .dialRight, .dialRight, .dialLeft, .dialLeft])
    hand = Hand(on: Self.turning)
    hand.report([(0, 24)])
    #expect(hand.kinds == [])
  }
}
