import Gestures
import Recordings
import Testing

/// Devices that people reported of other projects, rebuilt from the figures in their reports: what each should count.
@Suite struct PublicReportTests {
  struct Report: CustomTestStringConvertible, Sendable {
    let file: String
    let bindings: [Interest]
    let gestures: [String]

    var testDescription: String { file }

    init(_ file: String, _ bindings: [Interest], _ gestures: [String]) {
      (self.file, self.bindings, self.gestures) = (file, bindings, gestures)
    }
  }

  private static func touch(_ kind: Gesture.Kind, fingers: Int = 1) -> Interest {
    Interest(kind, .touch(fingers: fingers, zone: nil))
  }
  private static func wheel(_ kind: Gesture.Kind) -> Interest { Interest(kind, .wheel) }
  private static let press = Interest(.press, .keys(codes: [], scans: []))
  private static let pressWithin100ms: Interest = {
    var timing = Timing.standard
    timing.bounce = 100_000_000
    return Interest(.press, .keys(codes: [], scans: []), timing: timing)
  }()

  static let all: [Report] = [
    // koreader/koreader#13714: A Kindle reports a second contact without a place beside each touch.
    Report("empty-second-slot", [touch(.tap)], Array(repeating: "tap", count: 3)),
    // koreader/koreader#9552: A Kobo repeats the tracking id in each report; libevdev calls it a double tracking id.
    Report("tracking-id-repeated", [touch(.tap)], ["tap"]),
    // koreader/koreader#11910: A two-finger swipe on a Kobo Clara BW (protocol A, sizes of 0) is seldom seen.
    Report(
      "two-fingers-without-size", [touch(.swipeDown, fingers: 2), touch(.swipeDown), touch(.tap)], ["2 swipe-down"]),
    // koreader/koreader#11691: A tap on a Kindle Scribe, whose size and pressure change in each report.
    Report("size-and-pressure-fall", [touch(.tap)], ["tap"]),
    // libts/tslib#21: A PenMount 1610 says in each report of a touch that it began and that it ended. It is told of, and does not count.
    Report("on-and-off-in-each-report", [touch(.tap)], []),
    // libts/tslib#90: A Sitronix ST1232 has protocol A and neither tracking ids nor BTN_TOUCH.
    Report("lists-alone", [touch(.tap)], ["tap", "tap"]),
    // libts/tslib#176: A second finger that taps while the first one rests is not seen.
    Report("second-finger-late", [touch(.tap)], ["tap", "tap"]),
    // kivy/kivy#2790: A PiTFT gives each contact the greatest size and pressure, and ends it by BTN_TOUCH alone.
    Report("size-always-full", [touch(.tap)], ["tap", "tap"]),
    // lvgl/lvgl#5211: Short taps are lost where landing and lift are read at once.
    Report("landing-and-lift-read-together", [touch(.tap)], Array(repeating: "tap", count: 3)),
    // sezanzeb/input-remapper#1073: A button that reports its press only with its release, 7.8 ms before it.
    Report("press-told-of-at-the-release", [press], Array(repeating: "press", count: 3)),
    // jlam55555/veikk-linux-driver#40: Each button of a tablet is a key with four modifiers in one report.
    Report("four-modifiers", [press], ["press", "press"]),
    // wertarbyte/triggerhappy#31: A rotary encoder whose axis is REL_Y is passed over.
    Report(
      "encoder-on-another-axis", [wheel(.dialRight), wheel(.dialLeft)],
      ["dial-right", "dial-right", "dial-right", "dial-right", "dial-left"]),
    // ShadowBlip/InputPlumber#584: Each click of a wheel is reported as 127 and 128 detents, in one direction.
    Report("wheel-by-127", [wheel(.wheelDown), wheel(.wheelUp)], ["wheel-down"]),
    // jtroo/kanata#395: A fine wheel whose parts are no divisor of a detent.
    Report("sixteenths-of-a-detent", [wheel(.wheelDown)], Array(repeating: "wheel-down", count: 4)),
    // houmain/keymapper#268: A fine wheel that reports whole detents at other times than its parts make one.
    Report("detents-beside-parts", [wheel(.wheelDown)], Array(repeating: "wheel-down", count: 3)),
    // ublue-os/bazzite#5512: A dial that is turned to and fro, twice within 8 ms.
    Report(
      "dial-there-and-back", [wheel(.wheelDown), wheel(.wheelUp)],
      ["wheel-down", "wheel-up", "wheel-down", "wheel-down"]),
    // mqudsi/syngesture#9: A Magic Mouse begins with slots 4 and 11, at places below 0.
    Report("slots-in-the-middle", [touch(.tap, fingers: 2), touch(.tap)], ["2 tap"]),
    // larixer/hid-asus-dkms#9: A touchpad reports a place a little beyond its axis.
    Report("place-beyond-the-axis", [touch(.tap)], ["tap", "tap"]),
    // KarsMulder/evsieve#67: A touchpad reports the place of the finger as a hat, with a wide range.
    Report("hat-with-a-range", [press], ["press"]),
    // Vegz78/McAirpos#10: An axis of an arcade board trembles while a button is pressed.
    Report("stick-that-trembles", [press], ["press"]),
    // skmp/reicast-emulator#786: A hat is pressed in reports that hold trembling axes as well.
    Report("hat-among-axes", [press], ["press", "press"]),
    // Forceu/barcodebuddy#231: A bar-code scanner types B, the code, and C.
    Report("scanner-with-letters", [press], ["press", "press"]),
    // libratbag/libratbag#1103: A worn switch bounces for longer than 25 ms.
    Report("slow-bouncing", [pressWithin100ms], Array(repeating: "press", count: 3)),
    // recalbox/recalbox-os#524: An arcade board has so many buttons that some have the codes of touches and pens. (A stick counts only by its name.)
    Report("buttons-named-as-touches", [press], Array(repeating: "press", count: 3)),
    // libts/tslib#97: A Synaptics panel has no keys, not even BTN_TOUCH.
    Report("no-keys-at-all", [touch(.tap)], ["tap", "tap"]),
    // wertarbyte/triggerhappy#9: The turns of a PowerMate are not recognised.
    Report(
      "powermate", [wheel(.dialRight), wheel(.dialLeft), press], ["dial-right", "dial-right", "dial-left", "press"]),
    // roadrunner2/macbook12-spi-driver#4: A palm that lifts slowly becomes as small as a finger, and the next finger does not count.
    Report("palm-lifted-slowly", [touch(.tap)], ["tap"]),
  ]

  @Test(arguments: all) func `a device of a public report counts what was done`(report: Report) throws {
    let recording = try EvemuRecording(Recording.text("../Reports/\(report.file).evemu"))
    let device = try #require(recording.device)
    var recognizer = DeviceRecognizer(
      description: device, interests: report.bindings, timing: report.bindings.first?.timing ?? .standard)
    _ = recognizer.handle(Frame(time: (recording.frames.first?.time ?? 0) - 1, events: [], isResync: true))
    var gestures: [Gesture] = []
    for frame in recording.frames {
      gestures += recognizer.advance(to: frame.time) + recognizer.handle(frame)
    }
    gestures += recognizer.advance(to: (recording.frames.last?.time ?? 0) + 10_000_000_000)
    let bound = gestures.net.filter { gesture in report.bindings.contains { $0.matches(gesture) } }
    #expect(bound.map(\.name) == report.gestures)
  }

  @Test func `a wheel that reports more than a hand can turn is told of`() {
    var hand = Hand(on: .wheels)
    hand.send([InputEvent(type: 2, code: 8, value: -127)])
    #expect(hand.gestures.isEmpty && hand.reports == [.overturned(detents: 127)])
    hand.send([InputEvent(type: 2, code: 8, value: -64)])
    #expect(hand.gestures.count == 64)
    hand.reports = []
    hand.send([InputEvent(type: 2, code: 8, value: .min)])
    #expect(hand.reports == [.overturned(detents: 1 << 31)])
  }
}

extension Gesture {
  /// The kind, behind the number of fingers if there are several.
  fileprivate var name: String { (fingers > 1 ? "\(fingers) " : "") + kind.rawValue }
}
