import Gestures
import Testing

@Suite struct SurfaceTests {
  // MARK: Ways of reporting

  @Test func `a panel that knows of one finger only has taps and swipes too`() {
    var hand = Hand(on: .singleTouch)
    func frame(_ x: Int32, _ y: Int32, touch: Int32?) -> [InputEvent] {
      [InputEvent(type: 3, code: 0, value: x), InputEvent(type: 3, code: 1, value: y)]
        + (touch.map { [InputEvent(type: 1, code: 0x14a, value: $0)] } ?? [])
    }
    hand.send(frame(400, 500, touch: 1))
    hand.wait(60)
    hand.send(frame(405, 500, touch: 0))
    #expect(
      hand.gestures == [.init(kind: .tap, time: hand.now * 1_000_000, fingers: 1, position: .init(x: 0.4, y: 0.5))])
    hand.send(frame(405, 200, touch: 1))
    for step in 1...10 as ClosedRange<Int32> {
      hand.wait(20)
      hand.send(frame(405, 200 + 50 * step, touch: nil))
    }
    hand.send([InputEvent(type: 1, code: 0x14a, value: 0)])
    #expect(hand.kinds == [.tap, .swipeDown])
    hand.send([InputEvent(type: 1, code: 0x14a, value: 1), InputEvent(type: 1, code: 0x14a, value: 0)])
    #expect(hand.kinds == [.tap, .swipeDown])
  }

  /// A panel of protocol A.
  static let listing = DeviceDescription(
    name: "panel", codes: [1: [0x14a], 3: [0x35, 0x36]],
    axes: [0x35: .init(minimum: 0, maximum: 1000), 0x36: .init(minimum: 0, maximum: 1000)])

  /// A frame of protocol A that lists these contacts.
  static func list(_ contacts: [(x: Int32, y: Int32)]) -> [InputEvent] {
    let listed =
      contacts.isEmpty ? [[]] : contacts.map { [(3, 0x35, $0.x), (3, 0x36, $0.y)] as [(UInt16, UInt16, Int32)] }
    return listed.flatMap { $0 + [(0, 2, 0)] }.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }
  }

  @Test func `a panel that lists its contacts has taps and swipes too`() {
    var hand = Hand(on: Self.listing)
    hand.send(Self.list([(500, 500)]))
    hand.wait(50)
    hand.send(Self.list([(502, 500)]))
    hand.send(Self.list([]))
    #expect(hand.kinds == [.tap])
    for step in 0...8 as ClosedRange<Int32> {
      hand.send(Self.list([(800 - 50 * step, 500)]))
      hand.wait(20)
    }
    hand.send([InputEvent(type: 1, code: 0x14a, value: 0)])
    #expect(hand.kinds == [.tap, .swipeLeft])
  }

  @Test func `listed contacts are told apart by where they were, in whatever order they come`() {
    var hand = Hand(on: Self.listing)
    for step in 0...8 as ClosedRange<Int32> {
      let two: [(x: Int32, y: Int32)] = [(200, 100 + 50 * step), (800, 100 + 50 * step)]
      hand.send(Self.list(step % 2 == 0 ? two : two.reversed()))
      hand.wait(20)
    }
    hand.send(Self.list([(800, 500)]))
    hand.send(Self.list([]))
    #expect(hand.words == ["2 swipe-down"])
    hand.send(Self.list([(100, 100)]))
    hand.send(Self.list([]))
    #expect(hand.kinds == [.swipeDown, .tap])
  }

  @Test(arguments: [0, 1, 2]) func `of listed contacts those that stay keep their places, whichever lifts`(lifted: Int)
  {
    var hand = Hand(on: Self.listing)
    var three: [(x: Int32, y: Int32)] = [(200, 500), (500, 480), (800, 500)]
    hand.send(Self.list(three))
    hand.wait(60)
    three.remove(at: lifted)
    hand.send(Self.list(three))
    hand.wait(10)
    hand.send(Self.list([]))
    #expect(hand.gestures.map(\.position?.x).sorted { $0 ?? 0 < $1 ?? 0 } == [0.2, 0.5, 0.8])
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  @Test func `a list without end is cut off`() {
    var hand = Hand(on: Self.listing)
    hand.send(Self.list((0..<5000).map { (x: $0, y: 100) }))
    hand.send(Self.list([]))
    #expect(hand.kinds.count == 16)
  }

  // MARK: Sizes

  @Test func `where a surface states its size, millimetres decide`() {
    // 500 by 500 mm: a stroke of 40 steps is 20 mm, and a twenty-fifth of the range.
    var large = Hand(on: .screen(range: 1000, resolution: 2))
    large.stroke([(500, 500), (500, 540)])
    #expect(large.kinds == [.swipeDown])
    large.stroke([(500, 500), (500, 508)])
    #expect(large.kinds == [.swipeDown, .tap])
  }

  @Test(arguments: [Int32(-5), 0, 1000, .max]) func `where the size cannot be believed, fractions decide`(
    resolution: Int32
  ) {
    var hand = Hand(on: .screen(range: 1000, resolution: resolution))
    hand.stroke([(500, 500), (500, 540)])
    hand.stroke([(500, 500), (500, 800)])
    #expect(hand.kinds == [.tap, .swipeDown])
  }

  @Test(arguments: [(0, 0), (5, 5), (100, -100), (Int32.max, Int32.min)])
  func `axes that make no sense leave the touch surface out, with a reason`(minimum: Int32, maximum: Int32) {
    var device = DeviceDescription.screen()
    device.axes[0x36] = .init(minimum: minimum, maximum: maximum)
    guard case .unusable(let reason) = device.touch else {
      Issue.record("\(device.touch)")
      return
    }
    #expect(reason == "its touch axis y runs from \(minimum) to \(maximum), which is no range")
    var hand = Hand(on: device)
    hand.tap()
    hand.key(48, 1)
    #expect(hand.kinds == [.press])
  }

  @Test func `the widest axis there can be is an axis`() {
    var device = DeviceDescription.screen()
    for code in [0x35, 0x36] as [UInt16] { device.axes[code] = .init(minimum: .min, maximum: .max, resolution: .max) }
    var hand = Hand(on: device)
    hand.tap(x: .min, y: .max)
    hand.land(x: .min, y: 0)
    hand.wait(50)
    hand.move(x: .max, y: 0)
    hand.lift()
    #expect(hand.kinds == [.tap, .swipeRight])
    #expect(hand.gestures.first?.position == .init(x: 0, y: 1))
  }

  @Test func `places a little beyond the axes are at their ends`() {
    var hand = Hand()
    hand.tap(x: -40, y: 1050)
    #expect(hand.gestures.first?.position == .init(x: 0, y: 1))
  }

  @Test func `a joystick whose many axes run into the touch codes has no touch surface`() {
    var device = DeviceDescription.screen()
    device.codes[3]?.insert(0x2e)
    device.codes[1] = [0x120]
    #expect(device.touch == .none)
  }

  @Test(arguments: [(-5, 1), (0, 1), (9, 10), (Int32.max, 64)]) func `the table of contacts is bounded`(
    highest: Int32, count: Int
  ) {
    guard case .usable(let surface) = DeviceDescription.screen(highestSlot: highest).touch else {
      Issue.record("unusable")
      return
    }
    #expect(surface.reporting == .typeB(slots: count))
  }
}
