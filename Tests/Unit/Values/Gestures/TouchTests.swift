import Gestures
import Testing

@Suite struct TouchTests {
  private static let taps: [Scene] = [
    Scene(
      "a tap counts on release, and says where it was", "down 0 0.25 0.75, 90ms, up 0",
      gives: ["1090ms tap at 0.25 0.75"]),
    Scene(
      "taps at ten a second are all taps", "down 0 0.5 0.5, 50ms, up 0, 110ms", times: 50,
      gives: Array(repeating: "tap", count: 50)),
    Scene(
      "a finger that settles may be reported elsewhere at first",
      "down 0 0.5 0.5, 10ms, move 0 0.5 0.62, 60ms, move 0 0.5 0.51, 20ms, up 0", gives: ["tap"]),
    Scene(
      "a finger that rests elsewhere has strayed, though nothing is reported meanwhile",
      "down 0 0.5 0.5, 10ms, move 0 0.5 0.62, 200ms, move 0 0.5 0.51, up 0", gives: []),
    Scene(
      "two thumbs that take turns within a frame tap twice",
      "down 0 0.2 0.5, 50ms, up 0 + down 1 0.8 0.5, 50ms, up 1", gives: ["tap", "tap"]),
    Scene(
      "a slot that is given another contact within a frame held two touches",
      "down 0 0.2 0.5, 50ms, down 0 0.8 0.5, 50ms, up 0", gives: ["tap at 0.2 0.5", "tap at 0.8 0.5"]),
    Scene(
      "the same tracking id again is a new contact after the old one lifted",
      "slot 0 + id 5 + place 0.1 0.1, 50ms, id -1, 50ms", times: 3, gives: ["tap", "tap", "tap"]),
    Scene(
      "a contact whose place did not change since the last one is where that was",
      "tap 0.3 0.4, 60ms, id 9, 50ms, id -1", gives: ["tap at 0.3 0.4", "tap at 0.3 0.4"]),
    Scene(
      "a contact that comes and goes within a frame was never there",
      "slot 0 + id 5 + place 0.1 0.1 + id -1, tap 0.5 0.5", gives: ["tap at 0.5 0.5"]),
  ]

  private static let lengths: [Scene] =
    [0, 24, 499, 500, 1300].map { time in
      Scene(
        "where a long press is bound a tap is over before it begins: \(time) ms", bound: ["tap", "long-press"],
        "down 0 0.5 0.5, \(time)ms, up 0, 60ms", gives: [time < 500 ? "tap" : "long-press"])
    }
    + [500, 620, 1500, 3000, 3001, 20_000].map { time in
      Scene(
        "where no long press is bound a slow tap is a tap, and a hand that rests is none: \(time) ms",
        "down 0 0.5 0.5, \(time)ms, up 0", gives: time <= 3000 ? ["tap"] : [])
    }

  private static let swipes: [Scene] = [
    Scene("a stroke is a swipe in its direction: down", "stroke 0.5 0.5 0.5 0.8", gives: ["swipe-down at 0.5 0.5"]),
    Scene("a stroke is a swipe in its direction: up", "stroke 0.5 0.5 0.5 0.2", gives: ["swipe-up at 0.5 0.5"]),
    Scene("a stroke is a swipe in its direction: right", "stroke 0.5 0.5 0.8 0.5", gives: ["swipe-right at 0.5 0.5"]),
    Scene("a stroke is a swipe in its direction: left", "stroke 0.5 0.5 0.2 0.5", gives: ["swipe-left at 0.5 0.5"]),
    Scene("a slow stroke sideways is still a swipe", "stroke 0.1 0.5 0.9 0.52 1300ms", gives: ["swipe-right"]),
    Scene("a resting finger that drifts is nothing", "stroke 0.5 0.5 0.5 0.62 5000ms", gives: []),
    Scene("a swipe has a least length: 98", "stroke 0.5 0.5 0.5 0.598", gives: ["tap"]),
    Scene("a swipe has a least length: 102", "stroke 0.5 0.5 0.5 0.602", gives: ["swipe-down"]),
    // The screen may be a wide one or a tall one, as its axes are equally long: 0.5 · 16/9 of the way may be across.
    Scene("a diagonal has no direction: 260", "stroke 0.5 0.5 0.76 0.8", gives: ["swipe-down"]),
    Scene("a diagonal has no direction: 275", "stroke 0.5 0.5 0.775 0.8", gives: []),
    Scene("a stroke that comes back is nothing: 500", "stroke 0.5 0.5 0.5 0.8 0.5 0.5", gives: []),
    Scene("a stroke that comes back is nothing: 650", "stroke 0.5 0.5 0.5 0.8 0.5 0.65", gives: []),
    Scene("a stroke that comes back is nothing: 760", "stroke 0.5 0.5 0.5 0.8 0.5 0.76", gives: ["swipe-down"]),
    Scene(
      "a sensor's noise adds nothing to the way",
      "down 0 0.5 0.1, "
        + (0..<200).map { "5ms, move 0 \(0.5 + Double($0 % 2) * 0.008) \(0.1 + Double($0) * 0.002), " }.joined()
        + "up 0", gives: ["swipe-down"]),
  ]

  /// On a screen of 500 by 500 mm at two steps a millimetre, with the bindings that a touchscreen has by default.
  private static let slips: [(sentence: String, way: String, expected: [String])] = [
    ("towards a side without a swipe a tap may slip until a swipe would begin: 6 mm", "0.5 0.488", ["tap"]),
    ("towards a side without a swipe a tap may slip until a swipe would begin: 10 mm", "0.5 0.48", ["tap"]),
    ("towards a side without a swipe a tap may slip until a swipe would begin: 11 mm", "0.5 0.478", ["tap"]),
    ("towards a side without a swipe a tap may slip until a swipe would begin: 13 mm", "0.5 0.474", ["swipe-up"]),
    ("towards a side with a swipe a tap may stray further than it may lift: 7 mm", "0.5 0.514 0.5 0.5", ["tap"]),
    ("towards a side with a swipe a tap may stray further than it may lift: 9 mm", "0.5 0.518 0.5 0.5", []),
  ]

  private static let others: [Scene] = [
    Scene(
      "where a tap of two fingers is bound it is one, however they land and lift", bound: ["tap", "tap 2"],
      "down 0 0.3 0.5, 10ms, down 1 0.6 0.5, 40ms, up 0, 40ms, up 1, 60ms, tap 0.5 0.5", gives: ["2 tap", "tap"]),
    Scene(
      "a finger that taps while another rests counts each time",
      "down 0 0.1 0.1, 300ms, " + String(repeating: "down 1 0.5 0.5, 90ms, up 1, 60ms, ", count: 3) + "4000ms, up 0",
      gives: ["1390ms tap", "1540ms tap", "1690ms tap"]),
    Scene(
      "hovering is nothing, and a touch begins where it ends",
      "slot 0 + id 5 + height 20 + place 0.1 0.1, 1000ms, move 0 0.8 0.8, id -1, id 6 + place 0.1 0.1, 1000ms, "
        + "height 0 + abs 53 500, 50ms, height 20 + abs 53 900", gives: ["3050ms tap at 0.5 0.1"]),
    Scene(
      "contacts hover while a surface that uses BTN_TOUCH has taken it back",
      "place 0.5 0.5, id 1 + touch 1, id -1 + touch 0, id 2, id -1, id 3, 2000ms, touch 1, touch 0",
      gives: ["1000ms tap", "3000ms tap"]),
    Scene(
      "a palm is nothing, also one that was taken for a finger at first",
      "slot 0 + id 5 + tool 2 + place 0.1 0.1, 50ms, up 0, id 6 + tool 0, 20ms, tool 2, 20ms, up 0", gives: []),
    Scene(
      "a finger beside a resting palm taps",
      "slot 0 + id 5 + tool 2 + place 0.9 0.9, 400ms, down 1 0.5 0.5, 90ms, up 1", gives: ["tap"]),
  ]

  @Test(arguments: taps + lengths + swipes + others) func `touches are taken for what they are`(scene: Scene) {
    scene.check()
  }

  @Test(arguments: slips) func `what slips is a tap until it is a swipe`(
    sentence: String, way: String, expected: [String]
  ) {
    var hand = Hand(on: .screen(resolution: 2), .defaults)
    hand.play("stroke 0.5 0.5 \(way)")
    #expect(hand.words == expected, "\(sentence)")
  }

  @Test(arguments: [(4, [.tap]), (6, []), (11, []), (13, [.swipeDown])] as [(Int32, [Gesture.Kind])])
  func `towards a side with a swipe what is neither is nothing, and reported`(
    millimetres: Int32, kinds: [Gesture.Kind]
  ) {
    var hand = Hand(on: .screen(resolution: 2), .defaults)
    hand.stroke([(500, 500), (500, 500 + 2 * millimetres)])
    #expect(hand.kinds == kinds)
    let sentence =
      "a touch at 50 %, 50 % is no gesture: it moved \(millimetres).0 mm, too far for a tap (5.0 mm) and too short for a swipe (swipe-length is 12.0 mm)"
    #expect(hand.said == (kinds.isEmpty ? [sentence] : []))
  }

  @Test func `where one swipe may be shorter, less is a tap`() {
    var timing = Timing.standard
    timing[.swipeLength] = 0.04
    var hand = Hand([.touch(.swipeDown, timing: timing)])
    hand.play("stroke 0.5 0.5 0.5 0.545, stroke 0.5 0.5 0.5 0.52, stroke 0.5 0.5 0.545 0.5")
    // To the side it may still slip as far as any other swipe is long.
    #expect(hand.kinds == [.swipeDown, .tap, .tap])
  }

  @Test(arguments: [0, 10, 54, 100, 149] as [Int64], [0, 1, 20] as [Int64])
  func `two fingers that land and lift staggered press long together`(landing: Int64, lifting: Int64) {
    for zone in [nil, Zone.halves[0]] {
      for single in [[], [.tap], [.tap, .swipeDown], [.tap, .longPress], [.doubleTap]] as [[Gesture.Kind]] {
        for (duration, drift) in [500, 520, 560, 800, 2500].flatMap({ time in (0...2).map { (time, $0) } })
          as [(Int64, Int32)]
        {
          var hand = Hand(single.map { .touch($0) } + [.touch(.longPress, fingers: 2, zone: zone)])
          hand.land(0, x: 200, y: 500)
          hand.wait(landing)
          hand.land(1, x: 400, y: 500)
          for step in 1...10 as ClosedRange<Int32> {
            hand.wait(duration / 10)
            for slot in 0...1 as ClosedRange<Int32> { hand.move(slot, x: 200 + slot * 200 + step * drift, y: 500) }
          }
          hand.play("up 1, \(lifting)ms, up 0, 1000ms")
          #expect(hand.words == ["2 long-press"], "\(duration) ms, \(drift * 10), \(single)")
        }
      }
    }
  }
}
