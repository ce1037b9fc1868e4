import Gestures
import Testing

@Suite struct KeyTests {
  private static let scenes: [(sentence: String, script: String, expected: [String])] = [
    ("a press counts on the way down", "press 48, 100ms, release 48, 100ms", ["1000ms press 48"]),
    ("autorepeat counts nothing where the press was not seen", "repeat 48, repeat 48", []),
    (
      "autorepeat counts nothing where the press was seen",
      "press 48" + String(repeating: ", repeat 48", count: 30), ["press 48"]
    ),
    (
      "a key that was held at the start counts when it is pressed again, not before",
      "drop press 48, repeat 48, release 48, 50ms, press 48", ["1050ms press 48"]
    ),
    (
      "a press that nobody saw happen is none", "press 48, drop release 48, drop press 48, 9ms, release 48",
      ["1000ms press 48"]
    ),
    (
      "a release that was dropped does not swallow the next press", "press 48, drop release 48, press 48",
      ["press 48", "press 48"]
    ),
    (
      "presses and releases within one report count each, for no switch bounces there",
      "press 48 + release 48 + press 48 + release 48 + press 49", ["press 48", "press 48", "press 49"]
    ),
    (
      "a press and a release in one report bounce no more than others",
      "press 48 + release 48, 20ms, press 48 + release 48, 20ms, press 48 + release 48, 20ms, press 48 + release 48",
      ["press 48", "press 48", "press 48", "press 48"]
    ),
    (
      "a device that goes away while pressed leaves nothing pressed", "press 48, gone, press 48",
      ["press 48", "press 48"]
    ),
    (
      "what only says that something touches is no key",
      "press 320, press 325, press 328, press 330, press 333, press 335", []
    ),
    (
      "what is beside that is a key", "press 331, press 332, press 329, press 272, press 767, press 65535",
      ["press 331", "press 332", "press 329", "press 272", "press 767", "press 65535"]
    ),
  ]

  @Test(arguments: scenes.map { Scene($0.sentence, on: .pedal, $0.script, gives: $0.expected) })
  func `presses are taken for what they are`(scene: Scene) { scene.check() }

  /// 27 clicks that a delayed radio link delivers 3 to 8 ms apart, each as a report of the press and one of the release.
  @Test func `clicks that come over Bluetooth in a burst count each, and over USB they are bouncing`() {
    for (bus, count) in [(UInt16(5), 27...27), (3, 0...20)] {
      var hand = Hand(on: .pedal, timing: .standard(onBus: bus))
      for click in 0..<27 {
        hand.play("press 48, \(click % 2 == 0 ? 3 : 8)ms, release 48, \(click % 3 == 0 ? 3 : 5)ms")
      }
      hand.wait(100)
      #expect(count.contains(hand.kinds.count), "bus \(bus): \(hand.kinds.count)")
    }
  }

  // MARK: Any key

  @Test(arguments: [29, 42, 54, 56, 97, 100, 125, 126, 0x1d0, 58, 69, 70] as [UInt16])
  func `a modifier or lock key counts only by its name`(key: UInt16) {
    for (bound, count) in [("press", 0), ("press KEY \(key)", 2)] {
      var hand = Hand(on: .pedal, bound: bound)
      hand.play("click \(key), 100ms, click \(key), 100ms")
      #expect(hand.counted == count)
    }
  }

  /// sezanzeb/input-remapper#486, thkala/actkbd#6 and home-assistant/core#122137: number pads that send NumLock (69).
  @Test(arguments: [
    "press 69, 8ms, press 79 + release 69, 80ms, release 79 + press 69, 8ms, release 69",
    "press 69, 8ms, release 69, 8ms, press 79, 8ms, release 79, 8ms, press 69, 8ms, release 69",
    "press 69, 8ms, release 69, 8ms, press 79, 8ms, release 79",
  ])
  func `a key of a number pad that sends NumLock beside it counts once`(press: String) {
    var hand = Hand(on: .pedal, bound: "press")
    for _ in 0..<3 { hand.play("\(press), 500ms") }
    #expect(hand.counted == 3)
  }

  @Test(arguments: [
    ("click 29", true), ("press 29 + press 63, 80ms, release 63 + release 29", false),
    ("press 29, 50ms, click 63, 50ms, release 29", false), ("press 48, 50ms, click 29, 50ms, release 48", false),
  ])
  func `a modifier that is pressed alone is reported`(script: String, isReported: Bool) {
    let sentence = "key 29 was pressed alone; as a modifier or lock key it counts only where a binding names it"
    for (bound, said) in [("press", isReported), ("press KEY 29", false), ("press KEY 48", false)] {
      var hand = Hand(on: .pedal, bound: bound)
      hand.play("\(script), 100ms")
      #expect(hand.said == (said ? [sentence] : []))
    }
  }

  // MARK: Scan codes without a key

  /// koreader/koreader#9059: a remote for cameras has a button without a key.
  @Test func `a scan code without a key is a press where it is bound, and reported elsewhere`() {
    let press = "scan 786665, 8ms, scan 786665, 110ms, scan 786665, 500ms"
    var hand = Hand(on: .pedal, bound: "press KEY / 786665")
    for _ in 0..<3 { hand.play(press) }
    #expect(hand.words == Array(repeating: "press 240", count: 3) && hand.counted == 3 && hand.said == [])
    hand = Hand(on: .pedal, bound: "press")
    for _ in 0..<2 { hand.play(press) }
    let sentence = "a button without a key sent the scan code c00e9; it counts where scan = [0xc00e9] is bound"
    #expect(hand.words == [] && hand.said == [sentence, sentence])
  }

  @Test(arguments: [[1, 2, 1], [1, 2, 2]] as [[Int32]])
  func `buttons without keys that are held over each other count each`(scans: [Int32]) {
    var hand = Hand(on: .pedal, ([1, 2] as [UInt32]).map { Interest(.press, .keys(codes: [], scans: [$0])) })
    /// The kernel drops the key of a button while another one holds it down.
    func report(_ scan: Int32, _ value: Int32?) {
      let key = value.map { [InputEvent(type: 1, code: 240, value: $0)] } ?? []
      hand.send([InputEvent(type: 4, code: 4, value: scan)] + key)
      hand.wait(50)
    }
    for _ in 0..<3 {
      report(scans[0], 1)
      report(scans[1], nil)
      report(scans[2], 0)
      report(3 - scans[2], nil)
      hand.wait(400)
      for value in [1, 0] as [Int32] { report(2, value) }
      hand.wait(400)
    }
    #expect(hand.gestures.map(\.scan) == [1, 2, 2, 1, 2, 2, 1, 2, 2])
  }

  /// LibreELEC/LibreELEC.tv#5172: a remote repeats the scan code of a held button without its key.
  @Test func `a scan code that came with a key is no press without it`() {
    var hand = Hand(on: .pedal, bound: "press KEY / 64")
    let press = "scan 64 + press 28, 110ms, scan 64, 310ms, scan 64, 140ms, release 28, 500ms, scan 64"
    for _ in 0..<3 { hand.play(press) }
    #expect(hand.counted == 3 && hand.said == [])
  }

  // MARK: Bounce

  /// A switch that bounces for some milliseconds when it is pressed, by its states and their times.
  @Test(arguments: [
    // Each millisecond, as a device samples it: strokes at equal intervals.
    "press 48, 1ms, release 48, 1ms, press 48, 1ms, release 48, 1ms, press 48, 1ms, release 48, 1ms, press 48, 113ms",
    // Across the end of the bounce time, which is 12 ms.
    "press 48, 11ms, release 48, 2ms, press 48, 90ms", "press 48, 10ms, release 48, 2ms, press 48, 90ms",
  ])
  func `a switch that bounces counts once`(press: String) {
    var hand = Hand(on: .pedal, bound: "press", "release")
    for _ in 0..<3 { hand.play("\(press), release 48, 400ms") }
    #expect(hand.kinds == [.press, .release, .press, .release, .press, .release])
  }
}
