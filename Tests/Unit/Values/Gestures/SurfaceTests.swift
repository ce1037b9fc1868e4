import Gestures
import Testing

@Suite struct SurfaceTests {
  private static let scenes: [Scene] = [
    // Ways of reporting.
    Scene(
      "a panel that knows of one finger only has taps", on: .singleTouch,
      "at 0.4 0.5 + touch 1, 60ms, at 0.405 0.5 + touch 0", gives: ["1060ms tap at 0.4 0.5"]),
    Scene(
      "a panel that knows of one finger only has swipes too", on: .singleTouch,
      "at 0.405 0.2 + touch 1, "
        + (1...10).map { "20ms, at 0.405 \(0.2 + 0.05 * Double($0)), " }.joined() + "touch 0, touch 1 + touch 0",
      gives: ["swipe-down"]),
    Scene(
      "a panel that lists its contacts has taps and swipes too", on: .listing,
      "list 0.5 0.5, 50ms, list 0.502 0.5, list, "
        + (0...8).map { "list \(0.8 - 0.05 * Double($0)) 0.5, 20ms, " }.joined() + "touch 0",
      gives: ["1050ms tap", "1230ms swipe-left"]),
    Scene(
      "listed contacts are told apart by where they were, in whatever order they come", on: .listing,
      (0...8).map { step in
        let y = 0.1 + 0.05 * Double(step)
        let (left, right) = ("list 0.2 \(y)", "list 0.8 \(y)")
        return (step % 2 == 0 ? "\(left) + \(right)" : "\(right) + \(left)") + ", 20ms, "
      }.joined() + "list 0.8 0.5, list, list 0.1 0.1, list", gives: ["2 swipe-down", "tap"]),
    // Sizes: 500 by 500 mm, on which a stroke of 40 steps is 20 mm, and a twenty-fifth of the range.
    Scene(
      "where a surface states its size, millimetres decide", on: .screen(resolution: 2),
      "stroke 0.5 0.5 0.5 0.54, stroke 0.5 0.5 0.5 0.508", gives: ["swipe-down", "tap"]),
    Scene("places a little beyond the axes are at their ends", "tap -0.04 1.05", gives: ["tap at 0.0 1.0"]),
  ]

  private static let unbelievable: [Scene] = [-5, 0, 1000, .max].map { resolution in
    Scene(
      "where the size cannot be believed, fractions decide: \(resolution)", on: .screen(resolution: resolution),
      "stroke 0.5 0.5 0.5 0.54, stroke 0.5 0.5 0.5 0.8", gives: ["tap", "swipe-down"])
  }

  @Test(arguments: scenes + unbelievable) func `a surface is known by what it states`(scene: Scene) { scene.check() }

  /// A frame of protocol A that lists these contacts.
  static func list(_ contacts: [(x: Int32, y: Int32)]) -> [InputEvent] {
    let listed =
      contacts.isEmpty ? [[]] : contacts.map { [(3, 0x35, $0.x), (3, 0x36, $0.y)] as [(UInt16, UInt16, Int32)] }
    return listed.flatMap { $0 + [(0, 2, 0)] }.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }
  }

  @Test(arguments: [0, 1, 2]) func `of listed contacts those that stay keep their places, whichever lifts`(lifted: Int)
  {
    var hand = Hand(on: .listing)
    var three: [(x: Int32, y: Int32)] = [(200, 500), (500, 480), (800, 500)]
    hand.send(Self.list(three))
    hand.wait(60)
    three.remove(at: lifted)
    hand.send(Self.list(three))
    hand.wait(10)
    hand.send(Self.list([]))
    #expect(hand.places.compactMap(\.self).sorted() == [0.2, 0.5, 0.8])
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  @Test func `a list without end is cut off`() {
    var hand = Hand(on: .listing)
    hand.send(Self.list((0..<5000).map { (x: $0, y: 100) }))
    hand.send(Self.list([]))
    #expect(hand.kinds.count == 16)
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
    for x in [0, .max] as [Int32] {
      hand.wait(50)
      hand.move(x: x, y: 0)
    }
    hand.lift()
    #expect(hand.kinds == [.tap, .swipeRight])
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
