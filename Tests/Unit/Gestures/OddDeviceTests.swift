import Gestures
import Testing

/// Devices whose reports mean something else than they seem to.
@Suite struct OddDeviceTests {
  private static func touch(_ value: Int32) -> InputEvent { InputEvent(type: 1, code: 0x14a, value: value) }

  private static func place(_ x: Int32, _ y: Int32) -> [InputEvent] {
    [InputEvent(type: 3, code: 0, value: x), InputEvent(type: 3, code: 1, value: y)]
  }

  // MARK: Sizes of contacts

  @Test func `a contact size that never varies is no palm`() {
    var hand = Hand(.defaults)
    for _ in 0..<5 {
      hand.report([(0x2f, 0), (0x39, 5), (0x30, 1000), (0x35, 500), (0x36, 500)])
      hand.wait(90)
      hand.lift()
      hand.wait(60)
    }
    #expect(hand.count == 5)
  }

  @Test func `where contact sizes vary a large one is a palm, and is reported`() {
    var hand = Hand(.defaults)
    for size in [100, 1000, 120, 1000] as [Int32] {
      hand.report([(0x2f, 0), (0x39, 5), (0x30, 0)])
      hand.report([(0x30, size), (0x35, 500), (0x36, 500)])
      hand.wait(90)
      hand.lift()
      hand.wait(60)
    }
    #expect(hand.count == 2)
  }

  // MARK: Pens

  @Test func `a pen whose distance stays above zero while it touches counts`() {
    var hand = Hand(on: .singleTouch.with { $0.codes[3]?.insert(0x19) }, .defaults)
    for _ in 0..<4 {
      hand.send(Self.place(500, 500) + [InputEvent(type: 3, code: 0x19, value: 6)])
      hand.wait(300)
      hand.send([Self.touch(1)])
      hand.wait(90)
      hand.send([Self.touch(0)])
      hand.wait(60)
    }
    #expect(hand.count == 4)
  }

  // MARK: Late coordinates

  @Test func `a contact whose coordinates come a report later lands where they say`() {
    var hand = Hand(on: .singleTouch, .defaults)
    for (x, y) in [(200, 200), (800, 800), (200, 800)] as [(Int32, Int32)] {
      hand.send([Self.touch(1)])
      hand.wait(10)
      hand.send(Self.place(x, y))
      hand.wait(80)
      hand.send([Self.touch(0)])
      hand.wait(100)
    }
    #expect(hand.kinds == [.tap, .tap, .tap])
    #expect(hand.gestures.map(\.position) == [.init(x: 0.2, y: 0.2), .init(x: 0.8, y: 0.8), .init(x: 0.2, y: 0.8)])
  }

  @Test(arguments: [26, 33, 40, 60] as [Int64])
  func `a contact whose coordinates come later than any wait did not move there`(delay: Int64) {
    var hand = Hand(on: .singleTouch, .defaults)
    for (x, y) in [(200, 200), (800, 800), (200, 800), (200, 200)] as [(Int32, Int32)] {
      hand.send([Self.touch(1)])
      hand.wait(delay)
      hand.send(Self.place(x, y))
      hand.wait(80)
      hand.send([Self.touch(0)])
      hand.wait(100)
    }
    #expect(hand.kinds == [.tap, .tap, .tap, .tap])
    if delay <= 40 { #expect(hand.gestures.map(\.position?.x) == [0.2, 0.8, 0.2, 0.2]) }
  }

  @Test func `in a slot, too, coordinates that come a report after the contact are no movement`() {
    var hand = Hand(.defaults)
    for x in [200, 800, 200, 800] as [Int32] {
      hand.report([(0x2f, 0), (0x39, x)])
      hand.wait(10)
      hand.report([(0x35, x), (0x36, 500)])
      hand.wait(70)
      hand.lift()
      hand.wait(100)
    }
    #expect(hand.kinds == [.tap, .tap, .tap, .tap])
  }

  @Test func `a finger that goes on from the very place of the one before it moves`() {
    var hand = Hand(.defaults)
    hand.tap(x: 500, y: 200)
    hand.report([(0x2f, 0), (0x39, 7)])
    for step in 1...20 as ClosedRange<Int32> {
      hand.wait(10)
      hand.move(x: 500, y: 200 + step * 20)
    }
    hand.lift()
    #expect(hand.kinds == [.tap, .swipeDown])
  }

  // MARK: One report for all

  @Test func `a contact that comes and goes in one report is reported`() {
    var hand = Hand(.defaults)
    hand.report([(0x2f, 0), (0x39, 1), (0x35, 500), (0x36, 500), (0x39, -1)])
    var single = Hand(on: .singleTouch, .defaults)
    single.send([Self.touch(1)] + Self.place(500, 500) + [Self.touch(0)])
    for hand in [hand, single] {
      #expect(hand.count == 0)
      #expect(
        hand.reports.map(\.description) == [
          "a touch at 50 %, 50 % is no gesture: it came and went within one report of the device"
        ])
    }
    // A palm and a hovering contact are no touches.
    hand.reports = []
    hand.report([(0x2f, 0), (0x39, 2), (0x37, 2), (0x39, -1)])
    hand.wait(200)
    hand.report([(0x2f, 0), (0x37, 0), (0x3b, 9), (0x39, 3), (0x39, -1)])
    #expect(hand.reports.isEmpty)
  }

  @Test(arguments: [10, 90] as [Int64])
  func `a contact at the place of the one before, whose coordinates never come, counts`(
    duration: Int64
  ) {
    var hand = Hand(on: .singleTouch, .defaults)
    hand.send(Self.place(300, 400))
    for _ in 0..<3 {
      hand.send([Self.touch(1)])
      hand.wait(duration)
      hand.send([Self.touch(0)])
      hand.wait(100)
    }
    #expect(hand.gestures.map(\.position) == Array(repeating: .init(x: 0.3, y: 0.4), count: 3))
  }

  // MARK: Sizes of surfaces

  @Test func `a size from outside decides where the device states none`() {
    let device = DeviceDescription.screen(range: 4096)
    // 16 mm on a panel of 531 by 299 mm: a flick, and too short where nothing is known of the size.
    for (size, kinds) in [(PhysicalSize(width: 531, height: 299), [.swipeRight]), (nil, [.tap])]
      as [(PhysicalSize?, [Gesture.Kind])]
    {
      var hand = Hand(on: device, .defaults)
      hand.recognizer = DeviceRecognizer(description: device, interests: .defaults, size: size)
      hand.stroke([(2000, 2000), (2000 + 16 * 4096 / 531, 2000)])
      #expect(hand.kinds == kinds)
    }
  }

  @Test(arguments: [(0, 299), (531, 5000), (-1, -1), (.infinity, 299), (.nan, 299)] as [(Double, Double)])
  func `a size that no surface has is none`(width: Double, height: Double) {
    #expect(PhysicalSize(width: width, height: height) == nil)
  }

  // MARK: What gave nothing

  @Test(arguments: [6, 8] as [Int32]) func `a stroke of more fingers than a hand has is reported`(fingers: Int32) {
    var hand = Hand(.defaults)
    for slot in 0..<fingers { hand.land(slot, x: 100 + slot * 100, y: 300) }
    for step in 1...10 as ClosedRange<Int32> {
      hand.wait(10)
      for slot in 0..<fingers { hand.move(slot, x: 100 + slot * 100, y: 300 + step * 40) }
    }
    hand.wait(10)
    for slot in 0..<fingers { hand.lift(slot) }
    hand.wait(1000)
    #expect(hand.count == 0)
    #expect(
      hand.reports.map(\.description) == [
        "a touch at 10 %, 30 % is no gesture: it is a stroke of \(fingers) fingers, more than a hand has"
      ])
  }

  @Test func `each touch that gives nothing is reported with its reason`() {
    var hand = TouchTests.defaultHand()
    hand.tap(x: 10, y: 500, for: 5000)
    hand.stroke([(500, 500), (500, 900), (500, 500)])
    hand.stroke([(500, 500), (700, 700)])
    hand.stroke([(500, 500), (500, 540)], for: 9000)
    hand.land(x: 500, y: 500)
    hand.report([], isResync: true)
    hand.lift()
    #expect(hand.count == 0)
    #expect(
      hand.reports.map(\.description) == [
        "a touch at the left edge is no gesture: it lasted 5.0 s, too long for a tap (3.0 s); bind long-press to count it",
        "a touch at 50 %, 50 % is no gesture: it moved too far for a tap and was not straight enough for a swipe",
        "a touch at 50 %, 50 % is no gesture: it moved diagonally, and a swipe has one direction",
        "a touch at 50 %, 50 % is no gesture: it moved too slowly for a swipe (swipe-speed) and too far for a tap",
        "a touch at 50 %, 50 % is no gesture: it began before its events were seen, or some of them were lost",
      ])
  }
}
