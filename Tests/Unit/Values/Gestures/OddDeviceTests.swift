import Gestures
import Testing

/// Devices whose reports mean something else than they seem to.
@Suite struct OddDeviceTests {
  private static let counted = ["tap", "swipe-down"]

  /// Touches of a panel for one finger whose coordinates come so much later, at one place after the other.
  private static func late(_ delay: Int, _ places: String...) -> String {
    places.map { "touch 1, \(delay)ms, at \($0), 80ms, touch 0, 100ms" }.joined(separator: ",")
  }

  private static let withinReport =
    "a touch at 50 %, 50 % is no gesture: it came and went within one report of the device"

  private static let scenes: [Scene] = [
    Scene(
      "a contact size that never varies is no palm", bound: counted,
      "slot 0 + id 5 + abs 48 1000 + place 0.5 0.5, 90ms, up 0, 60ms", times: 5,
      gives: Array(repeating: "tap", count: 5)),
    Scene(
      "where contact sizes vary a large one is a palm", bound: counted,
      [100, 1000, 120, 1000].map { "slot 0 + id 5 + abs 48 0, abs 48 \($0) + place 0.5 0.5, 90ms, up 0, 60ms" }
        .joined(separator: ","), gives: ["1090ms tap", "1390ms tap"]),
    Scene(
      "sizes that are never small are no palms", bound: counted,
      [1000, 900, 950].map { "slot 0 + id 5 + abs 48 \($0) + place 0.5 0.5, 30ms, abs 48 880, 60ms, up 0, 60ms" }
        .joined(separator: ","), gives: ["tap", "tap", "tap"]),
    Scene(
      "sizes beyond the largest one that the device states are no sizes", bound: counted,
      [2144, 100, 2176, 300].map { "slot 0 + id 5 + abs 48 \($0) + place 0.5 0.5, 90ms, up 0, 60ms" }
        .joined(separator: ","), gives: ["tap", "tap", "tap", "tap"]),
    Scene(
      "a pen whose distance stays above zero while it touches counts",
      on: .singleTouch.with { $0.codes[3]?.insert(0x19) }, bound: counted,
      "at 0.5 0.5 + abs 25 6, 300ms, touch 1, 90ms, touch 0, 60ms", times: 4,
      gives: Array(repeating: "tap", count: 4)),
    // Late coordinates.
    Scene(
      "a contact whose coordinates come a report later lands where they say", on: .singleTouch, bound: counted,
      late(10, "0.2 0.2", "0.8 0.8", "0.2 0.8"), gives: ["tap at 0.2 0.2", "tap at 0.8 0.8", "tap at 0.2 0.8"]),
    Scene(
      "a contact whose coordinates come later than any wait did not move there: 60 ms", on: .singleTouch,
      bound: counted, late(60, "0.2 0.2", "0.8 0.8", "0.2 0.8", "0.2 0.2"), gives: ["tap", "tap", "tap", "tap"]),
    Scene(
      "in a slot, too, coordinates that come a report of 10 or 30 ms after the contact are no movement", bound: counted,
      [(200, 10), (800, 10), (200, 30), (800, 30)].map {
        "slot 0 + id \($0), \($1)ms, place 0.\($0) 0.5, 70ms, up 0, 100ms"
      }
      .joined(separator: ","), gives: ["tap", "tap", "tap", "tap"]),
    Scene(
      "a finger that goes on from the very place of the one before it moves", bound: counted,
      "tap 0.5 0.2, 60ms, slot 0 + id 7, "
        + (1...20).map { "10ms, move 0 0.5 \(0.2 + Double($0) * 0.02), " }.joined() + "up 0",
      gives: ["tap", "swipe-down"]),
    Scene(
      "a contact whose second coordinate comes a report later lands where both say", bound: counted,
      [(200, 100), (500, 450), (800, 100)].map {
        "slot 0 + id \($0) + abs 53 \($0), 16ms, abs 54 \($1), 40ms, up 0, 100ms"
      }
      .joined(separator: ","), gives: ["tap", "tap", "tap"]),
    Scene(
      "a contact whose coordinates come one after the other lands where both say", on: .singleTouch, bound: counted,
      [(200, 100), (500, 450), (800, 100)].map { "touch 1, 1ms, abs 0 \($0), 1ms, abs 1 \($1), 40ms, touch 0, 100ms" }
        .joined(separator: ","), gives: ["tap", "tap", "tap"]),
    Scene(
      "a finger that moves along one axis from the row of the one before it moves", bound: counted,
      "tap 0.5 0.2, 60ms, slot 0 + id 7 + abs 53 510, 10ms, place 0.511 0.3, 10ms, place 0.511 0.4, 10ms, up 0",
      gives: ["tap", "swipe-down"]),
    // D-pads.
    Scene(
      "a D-pad that is reported as buttons, too, counts as a hat",
      on: .gamepad.with { $0.codes[1]?.formUnion(0x220...0x223) }, bound: ["press"],
      "press 546, 1ms, abs 16 -1, 90ms, release 546, 1ms, abs 16 0, 100ms, press 304",
      gives: ["press 1282", "press 304"]),
    Scene(
      "a D-pad whose buttons have the names of happy triggers counts as a hat",
      on: .gamepad.with { $0.codes[1]?.formUnion(0x2c0...0x2c3) }, bound: ["press"],
      "press 706 + abs 17 -1, 90ms, release 706 + abs 17 0", gives: ["press 1280"]),
    Scene(
      "a button of a D-pad that is bound counts",
      on: .gamepad.with { $0.codes[1]?.formUnion(0x220...0x223) }, bound: ["press KEY 546"],
      "press 546 + abs 16 -1, 90ms, release 546 + abs 16 0", gives: ["press 546", "press 1282"]),
    Scene(
      "a D-pad of buttons alone counts",
      on: .gamepad.with { ($0.codes, $0.axes) = ([1: Set(0x220...0x223)], [:]) }, bound: ["press"],
      "press 546, 90ms, release 546", gives: ["press 546"]),
    Scene(
      "buttons of a joystick that has more than sixteen count beside its hat",
      on: .gamepad.with { $0.codes[1] = Set(0x120...0x12f).union(0x2c0...0x2c7) }, bound: ["press"],
      "press 706, 90ms, release 706, 90ms, abs 16 -1", gives: ["press 706", "press 1282"]),
    // BTN_TOUCH.
    Scene(
      "where BTN_TOUCH alone ends contacts, those of a former touch do not count again", bound: counted,
      "touch 1 + slot 0 + id 0 + place 0.3 0.5, 70ms, touch 0, 600ms, "
        + "touch 1 + place 0.3 0.4, 20ms, slot 1 + id 1 + place 0.9 0.8, 40ms, touch 0, 600ms, slot 0, "
        + "touch 1 + place 0.5 0.7, 50ms, touch 0, 600ms, touch 1, 50ms, touch 0",
      gives: ["tap at 0.3 0.5", "tap at 0.3 0.4", "tap at 0.9 0.8", "tap at 0.5 0.7", "tap at 0.5 0.7"]),
    Scene(
      "where BTN_TOUCH goes off whenever a finger lifts, the others rest", bound: counted,
      "slot 0 + id 1 + place 0.2 0.5 + touch 1, 30ms, "
        + (2...4).map { "slot 1 + id \($0) + place 0.8 0.5 + touch 1, 80ms, id -1 + touch 0, 90ms, " }.joined()
        + "slot 0 + abs 53 201, 90ms, id -1 + touch 0", gives: ["tap", "tap", "tap", "tap"]),
    // Axes.
    Scene(
      "a surface that declares slots and reports one contact without them counts", bound: counted,
      [200, 500, 800].map { "touch 1 + at 0.\($0) 0.5, 80ms, touch 0, 100ms" }.joined(separator: ","),
      gives: ["tap at 0.2 0.5", "tap at 0.5 0.5", "tap at 0.8 0.5"]),
    Scene(
      "once slots are reported they count alone", bound: counted,
      "touch 1 + at 0.2 0.5, 80ms, touch 0, 100ms, slot 0 + id 1 + place 0.5 0.5 + touch 1 + at 0.5 0.5, 80ms, "
        + "id -1 + touch 0, 100ms, touch 1 + at 0.3 0.3, 80ms, touch 0", gives: ["tap at 0.2 0.5", "tap at 0.5 0.5"]),
    Scene(
      "slots without tracking IDs mean nothing where the axes for one contact exist",
      on: .screen().with { $0.codes[3]?.remove(0x39) }, bound: counted,
      [200, 500, 800].map { "slot 0 + place 0.\($0) 0.5 + touch 1 + at 0.\($0) 0.5, 80ms, touch 0, 100ms" }
        .joined(separator: ","), gives: ["tap at 0.2 0.5", "tap at 0.5 0.5", "tap at 0.8 0.5"]),
    // One report for all.
    Scene(
      "a contact that comes and goes in one report is reported, also of a panel for one finger", on: .singleTouch,
      bound: counted, "touch 1 + at 0.5 0.5 + touch 0", gives: [], says: withinReport),
    Scene(
      "a contact that comes and goes in one report is reported; palms and hovering contacts are no touches",
      bound: counted,
      "slot 0 + id 1 + place 0.5 0.5 + id -1, slot 0 + id 2 + tool 2 + id -1, 200ms, "
        + "slot 0 + tool 0 + height 9 + id 3 + id -1", gives: [], says: withinReport),
    Scene(
      "each touch that gives nothing is reported with its reason", on: .screen(resolution: 2), bound: counted,
      "down 0 0.01 0.5, 5000ms, up 0, 60ms, stroke 0.5 0.5 0.5 0.9 0.5 0.5, stroke 0.5 0.5 0.7 0.7, "
        + "stroke 0.5 0.5 0.5 0.54 9000ms, down 0 0.5 0.5, drop nothing, up 0", gives: [],
      says:
        "a touch at the left edge is no gesture: it lasted 5.0 s, too long for a tap (3.0 s); bind long-press to count it",
      "a touch at 50 %, 50 % is no gesture: it moved too far for a tap and was not straight enough for a swipe",
      "a touch at 50 %, 50 % is no gesture: it moved diagonally, and a swipe has one direction",
      "a touch at 50 %, 50 % is no gesture: it moved too slowly for a swipe (swipe-speed) and too far for a tap",
      "a touch at 50 %, 50 % is no gesture: it began before its events were seen, or some of them were lost"),
  ]

  private static let delays: [Scene] =
    [26, 33, 40].map { delay in
      Scene(
        "a contact whose coordinates come later than any wait did not move there: \(delay) ms", on: .singleTouch,
        bound: counted, late(delay, "0.2 0.2", "0.8 0.8", "0.2 0.8", "0.2 0.2"),
        gives: ["tap at 0.2 0.2", "tap at 0.8 0.8", "tap at 0.2 0.8", "tap at 0.2 0.2"])
    }
    + [10, 90].map { duration in
      Scene(
        "a contact at the place of the one before, whose coordinates never come, counts: \(duration) ms",
        on: .singleTouch, bound: counted,
        "at 0.3 0.4" + String(repeating: ", touch 1, \(duration)ms, touch 0, 100ms", count: 3),
        gives: Array(repeating: "tap at 0.3 0.4", count: 3))
    }

  @Test(arguments: scenes + delays) func `reports are taken for what the device means`(scene: Scene) { scene.check() }

  @Test(arguments: [6, 8] as [Int32]) func `a stroke of more fingers than a hand has is reported`(fingers: Int32) {
    var hand = Hand(.defaults)
    hand.drag((0..<fingers).map { ($0, 100 + $0 * 100) }, y: 300, steps: 1...10) { (0, $0 * 40) }
    hand.wait(1000)
    #expect(hand.count == 0)
    #expect(
      hand.said == ["a touch at 10 %, 30 % is no gesture: it is a stroke of \(fingers) fingers, more than a hand has"])
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
}
