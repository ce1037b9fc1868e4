import Gestures
import Testing

@Suite struct TouchTests {
  var hand = Hand()

  // MARK: Taps

  @Test mutating func `a tap counts on release, and says where it was`() {
    hand.land(x: 250, y: 750)
    hand.wait(90)
    #expect(hand.gestures.isEmpty)
    hand.lift()
    #expect(
      hand.gestures == [
        Gesture(kind: .tap, time: 1_090_000_000, fingers: 1, position: .init(x: 0.25, y: 0.75))
      ])
  }

  @Test mutating func `taps at ten a second are all taps`() {
    for _ in 0..<50 {
      hand.tap(for: 50)
      hand.wait(50)
    }
    #expect(hand.kinds == Array(repeating: .tap, count: 50))
  }

  @Test(arguments: [(0, true), (24, true), (499, true), (500, false), (1300, false)])
  func `where a long press is bound a tap is over before it begins`(milliseconds: Int64, isTap: Bool) {
    var hand = Hand([
      Interest(.tap, .touch(fingers: 1, zone: nil)), Interest(.longPress, .touch(fingers: 1, zone: nil)),
    ])
    hand.tap(for: milliseconds)
    #expect(hand.kinds == [isTap ? .tap : .longPress])
  }

  @Test(arguments: [(500, true), (620, true), (1500, true), (3000, true), (3001, false), (20_000, false)])
  mutating func `where no long press is bound a slow tap is a tap, and a hand that rests is none`(
    milliseconds: Int64, isTap: Bool
  ) {
    hand.tap(for: milliseconds)
    #expect(hand.kinds == (isTap ? [.tap] : []))
  }

  /// A hand on a screen of 500 by 500 mm at two steps a millimetre, with the bindings that a touchscreen has by default.
  static func defaultHand(_ resolution: Int32 = 2) -> Hand {
    Hand(on: .screen(resolution: resolution), .defaults)
  }

  @Test(arguments: [(6, [.tap]), (10, [.tap]), (11, [.tap]), (13, [.swipeUp])] as [(Int32, [Gesture.Kind])])
  func `towards a side without a swipe a tap may slip until a swipe would begin`(
    millimetres: Int32, kinds: [Gesture.Kind]
  ) {
    var hand = Self.defaultHand()
    hand.stroke([(500, 500), (500, 500 - 2 * millimetres)])
    #expect(hand.kinds == kinds)
  }

  @Test(arguments: [(4, [.tap]), (6, []), (11, []), (13, [.swipeDown])] as [(Int32, [Gesture.Kind])])
  func `towards a side with a swipe what is neither is nothing, and reported`(
    millimetres: Int32, kinds: [Gesture.Kind]
  ) {
    var hand = Self.defaultHand()
    hand.stroke([(500, 500), (500, 500 + 2 * millimetres)])
    #expect(hand.kinds == kinds)
    let sentence =
      "a touch at 50 %, 50 % is no gesture: it moved \(millimetres).0 mm, too far for a tap (5.0 mm) and too short for a swipe (swipe-length is 12.0 mm)"
    #expect(hand.reports.map(\.description) == (kinds.isEmpty ? [sentence] : []))
  }

  @Test(arguments: [(7, true), (9, false)]) func `towards a side with a swipe a tap may stray further than it may lift`(
    millimetres: Int32, isTap: Bool
  ) {
    var hand = Self.defaultHand()
    hand.stroke([(500, 500), (500, 500 + 2 * millimetres), (500, 500)])
    #expect(hand.kinds == (isTap ? [.tap] : []))
  }

  @Test mutating func `a finger that settles may be reported elsewhere at first`() {
    hand.land(x: 500, y: 500)
    hand.wait(10)
    hand.move(x: 500, y: 620)
    hand.wait(60)
    hand.move(x: 500, y: 510)
    hand.wait(20)
    hand.lift()
    #expect(hand.kinds == [.tap])
  }

  @Test mutating func `a finger that rests elsewhere has strayed, though nothing is reported meanwhile`() {
    hand.land(x: 500, y: 500)
    hand.wait(10)
    hand.move(x: 500, y: 620)
    hand.wait(200)
    hand.move(x: 500, y: 510)
    hand.lift()
    #expect(hand.kinds == [])
  }

  @Test mutating func `two thumbs that take turns within a frame tap twice`() {
    hand.land(0, x: 200, y: 500)
    hand.wait(50)
    hand.report([(0x2f, 0), (0x39, -1), (0x2f, 1), (0x39, 7), (0x35, 800), (0x36, 500)])
    hand.wait(50)
    hand.lift(1)
    #expect(hand.kinds == [.tap, .tap])
  }

  @Test mutating func `a slot that is given another contact within a frame held two touches`() {
    hand.land(x: 200, y: 500)
    hand.wait(50)
    hand.land(x: 800, y: 500)
    hand.wait(50)
    hand.lift()
    #expect(hand.gestures.map(\.position?.x) == [0.2, 0.8])
  }

  @Test mutating func `the same tracking id again is a new contact after the old one lifted`() {
    for _ in 0..<3 {
      hand.report([(0x2f, 0), (0x39, 5), (0x35, 100), (0x36, 100)])
      hand.wait(50)
      hand.report([(0x39, -1)])
      hand.wait(50)
    }
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  @Test mutating func `a contact whose place did not change since the last one is where that was`() {
    hand.tap(x: 300, y: 400)
    hand.report([(0x39, 9)])
    hand.wait(50)
    hand.report([(0x39, -1)])
    #expect(hand.gestures.map(\.position?.x) == [0.3, 0.3])
  }

  @Test mutating func `a contact that comes and goes within a frame was never there`() {
    hand.report([(0x2f, 0), (0x39, 5), (0x35, 100), (0x36, 100), (0x39, -1)])
    hand.tap()
    #expect(hand.kinds == [.tap])
  }

  // MARK: Swipes

  static let directions: [(x: Int32, y: Int32, kind: Gesture.Kind)] = [
    (0, 1, .swipeDown), (0, -1, .swipeUp), (1, 0, .swipeRight), (-1, 0, .swipeLeft),
  ]

  @Test(arguments: directions) mutating func `a stroke is a swipe in its direction`(
    x: Int32, y: Int32, kind: Gesture.Kind
  ) {
    hand.stroke([(500, 500), (500 + 300 * x, 500 + 300 * y)])
    #expect(hand.kinds == [kind])
    #expect(hand.gestures.first?.position == .init(x: 0.5, y: 0.5))
  }

  @Test mutating func `a slow stroke sideways is still a swipe`() {
    hand.stroke([(100, 500), (900, 520)], for: 1300)
    #expect(hand.kinds == [.swipeRight])
  }

  @Test mutating func `a flick of three reports is a swipe`() {
    hand.land(x: 500, y: 500)
    hand.wait(12)
    hand.move(x: 500, y: 560)
    hand.wait(12)
    hand.move(x: 500, y: 700)
    hand.wait(12)
    hand.lift()
    #expect(hand.kinds == [.swipeDown])
  }

  @Test mutating func `a resting finger that drifts is nothing`() {
    hand.stroke([(500, 500), (500, 620)], for: 5000)
    #expect(hand.kinds == [])
  }

  @Test(arguments: [(98, false), (102, true)]) mutating func `a swipe has a least length`(length: Int32, isSwipe: Bool)
  {
    hand.stroke([(500, 500), (500, 500 + length)])
    #expect(hand.kinds == [isSwipe ? .swipeDown : .tap])
  }

  @Test mutating func `where one swipe may be shorter, less is a tap`() {
    var timing = Timing.standard
    timing[.swipeLength] = 0.04
    hand = Hand([Interest(.swipeDown, .touch(fingers: 1, zone: nil), timing: timing)])
    hand.stroke([(500, 500), (500, 545)])
    hand.stroke([(500, 500), (500, 520)])
    hand.stroke([(500, 500), (545, 500)])
    // To the side it may still slip as far as any other swipe is long.
    #expect(hand.kinds == [.swipeDown, .tap, .tap])
  }

  @Test(arguments: [(260, true), (275, false)]) mutating func `a diagonal has no direction`(
    across: Int32, isSwipe: Bool
  ) {
    // The screen may be a wide one or a tall one, as its axes are equally long: 0.5 · 16/9 of the way may be across.
    hand.stroke([(500, 500), (500 + across, 800)])
    #expect(hand.kinds == (isSwipe ? [.swipeDown] : []))
  }

  @Test(arguments: [(500, false), (650, false), (760, true)]) mutating func `a stroke that comes back is nothing`(
    end: Int32, isSwipe: Bool
  ) {
    hand.stroke([(500, 500), (500, 800), (500, end)])
    #expect(hand.kinds == (isSwipe ? [.swipeDown] : []))
  }

  @Test mutating func `a sensor's noise adds nothing to the way`() {
    hand.land(x: 500, y: 100)
    for step in 0..<200 as Range<Int32> {
      hand.wait(5)
      hand.move(x: 500 + step % 2 * 8, y: 100 + step * 2)
    }
    hand.lift()
    #expect(hand.kinds == [.swipeDown])
  }

  // MARK: Several fingers

  @Test func `where a tap of two fingers is bound it is one, however they land and lift`() {
    var hand = Hand([Interest(.tap, .touch(fingers: 1, zone: nil)), Interest(.tap, .touch(fingers: 2, zone: nil))])
    hand.land(0, x: 300, y: 500)
    hand.wait(10)
    hand.land(1, x: 600, y: 500)
    hand.wait(40)
    hand.lift(0)
    hand.wait(40)
    hand.lift(1)
    #expect(hand.words == ["2 tap"])
    hand.wait(60)
    hand.tap()
    #expect(hand.words == ["2 tap", "tap"])
  }

  @Test(arguments: [0, 10, 54, 100, 149] as [Int64], [0, 1, 20] as [Int64])
  func `two fingers that land and lift staggered press long together`(landing: Int64, lifting: Int64) {
    let zones: [Zone?] = [nil, Zone.halves[0]]
    for (zone, single) in zones.flatMap({ zone in
      [[], [.tap], [.tap, .swipeDown], [.tap, .longPress], [.doubleTap]].map { (zone, $0) }
    })
      as [(Zone?, [Gesture.Kind])]
    {
      let two = Interest(.longPress, .touch(fingers: 2, zone: zone))
      for duration in [500, 520, 560, 800, 2500] as [Int64] {
        for drift in [0, 1, 2] as [Int32] {
          var hand = Hand(single.map { Interest($0, .touch(fingers: 1, zone: nil)) } + [two])
          hand.land(0, x: 200, y: 500)
          hand.wait(landing)
          hand.land(1, x: 400, y: 500)
          for step in 1...10 as ClosedRange<Int32> {
            hand.wait(duration / 10)
            hand.move(0, x: 200 + step * drift, y: 500)
            hand.move(1, x: 400 + step * drift, y: 500)
          }
          hand.lift(1)
          hand.wait(lifting)
          hand.lift(0)
          hand.wait(1000)
          #expect(hand.words == ["2 long-press"], "\(duration) ms, \(drift * 10), \(single)")
        }
      }
    }
  }

  @Test mutating func `a finger that taps while another rests counts each time`() {
    hand.land(0, x: 100, y: 100)
    hand.wait(300)
    for _ in 0..<3 { hand.tap(1) }
    #expect(hand.kinds == [.tap, .tap, .tap])
    hand.wait(4000)
    hand.lift(0)
    #expect(hand.kinds == [.tap, .tap, .tap])
  }

  // MARK: What does not touch

  @Test mutating func `hovering is nothing, and a touch begins where it ends`() {
    hand.report([(0x2f, 0), (0x39, 5), (0x3b, 20), (0x35, 100), (0x36, 100)])
    hand.wait(1000)
    hand.move(x: 800, y: 800)
    hand.report([(0x39, -1)])
    #expect(hand.kinds == [])
    hand.report([(0x39, 6), (0x35, 100), (0x36, 100)])
    hand.wait(1000)
    hand.report([(0x3b, 0), (0x35, 500)])
    hand.wait(50)
    hand.report([(0x3b, 20), (0x35, 900)])
    #expect(hand.gestures.map(\.position?.x) == [0.5])
  }

  @Test mutating func `contacts hover while a surface that uses BTN_TOUCH has taken it back`() {
    let touch = { InputEvent(type: 1, code: 0x14a, value: $0) }
    let contact = { InputEvent(type: 3, code: 0x39, value: $0) }
    hand.report([(0x35, 500), (0x36, 500)])
    hand.send([contact(1), touch(1)])
    hand.send([contact(-1), touch(0)])
    #expect(hand.kinds == [.tap])
    hand.send([contact(2)])
    hand.send([contact(-1)])
    #expect(hand.kinds == [.tap])
    hand.send([contact(3)])
    hand.wait(2000)
    hand.send([touch(1)])
    hand.send([touch(0)])
    #expect(hand.kinds == [.tap, .tap])
  }

  @Test mutating func `a palm is nothing, also one that was taken for a finger at first`() {
    hand.report([(0x2f, 0), (0x39, 5), (0x37, 2), (0x35, 100), (0x36, 100)])
    hand.wait(50)
    hand.lift(0)
    hand.report([(0x39, 6), (0x37, 0)])
    hand.wait(20)
    hand.report([(0x37, 2)])
    hand.wait(20)
    hand.lift(0)
    #expect(hand.kinds == [])
  }

  @Test mutating func `a finger beside a resting palm taps`() {
    hand.report([(0x2f, 0), (0x39, 5), (0x37, 2), (0x35, 900), (0x36, 900)])
    hand.wait(400)
    hand.tap(1)
    #expect(hand.kinds == [.tap])
  }
}
