import Gestures
import Recordings
import TestKit
import Testing

/// What real devices reported, and what was done with them.
@Suite struct RecordingTests {
  /// The verdicts; presses by their key's code, what several fingers did by their number.
  static let verdicts: [(name: String, gestures: [String])] = [
    ("ep0430m09-1-finger-drag-up-down", []),
    // Nothing is bound to two fingers or to a long press, so each finger made a slow tap.
    ("ep0430m09-2-fingers-touch-release", ["tap", "tap"]),
    ("ep0430m09-4-finger-drag-down", ["4 swipe-up"]),
    ("n-trig-1-finger-drag-nw-se", []),
    ("isdv4-e6-single-tap-center", ["tap"]),
    ("alps-glidepoint-double-tap", ["tap", "tap"]),
    ("plantronics-buttons", [258, 257, 256, 259, 259, 256, 257, 258].map { "press \($0)" }),
  ]

  @Test(arguments: verdicts) func `a recording gives what was done`(name: String, expected: [String]) throws {
    let (device, frames) = try Recording.load(name)
    #expect(gestures(of: device, frames).map(\.words) == expected)
  }

  @Test(arguments: [(Gesture.Kind.longPress, ["2 long-press"]), (.tap, ["2 tap"])])
  func `where a gesture of two fingers is bound, two fingers that rest make it`(
    kind: Gesture.Kind, expected: [String]
  ) throws {
    let (device, frames) = try Recording.load("ep0430m09-2-fingers-touch-release")
    #expect(gestures(of: device, frames, .defaults + [.touch(kind, fingers: 2)]).map(\.words) == expected)
  }

  @Test(arguments: verdicts) func `a recording that is played twice gives everything twice`(
    name: String, expected: [String]
  ) throws {
    let (device, frames) = try Recording.load(name)
    // The recording speaks of the first slot without naming it.
    let between = Frame(time: 0, events: [InputEvent(type: 3, code: 0x2f, value: 0)], isResync: true)
    let recognised = gestures(of: device, frames + [between] + frames)
    // The last button of the headset stays down at the end, so it cannot be pressed again first of all.
    let isHeld = name == "plantronics-buttons"
    #expect(recognised.map(\.words) == expected + (isHeld ? Array(expected.dropFirst()) : expected))
  }

  @Test(arguments: [Timing.Mode.wait, .eager]) func `two taps are one double-tap where one is bound`(
    mode: Timing.Mode
  ) throws {
    let (device, frames) = try Recording.load("alps-glidepoint-double-tap")
    let recognised = gestures(of: device, frames, [Interest(words: "double-tap \(mode)")])
    #expect(recognised.net.map(\.words) == ["double-tap"])
    #expect(recognised.map(\.words) == (mode == .wait ? [] : ["tap"]) + ["double-tap"])
  }

  @Test func `the old description of the glide pad, with other ranges, gives two taps as well`() throws {
    let device = try #require(try EvemuRecording(Recording.text("alps-glidepoint.desc")).device)
    let (_, frames) = try Recording.load("alps-glidepoint-double-tap", device: device)
    #expect(gestures(of: device, frames).map(\.kind) == [.tap, .tap])
  }

  /// The panel takes a finger that hovers for 1.4 s for a contact. Where it drifts less far than a swipe, nothing tells it
  /// from a slow tap; a long press must be still.
  @Test(arguments: [Int32(1150), 1920, 4095]) func `a finger that hovers is no long press, and a slow tap at most`(
    range: Int32
  ) throws {
    let device = DeviceDescription.screen(range: range)
    let (_, frames) = try Recording.load("quanta-touch-hover", device: device)
    #expect(gestures(of: device, frames, .defaults + [.touch(.longPress)]).isEmpty)
    #expect(gestures(of: device, frames).map(\.kind).filter { $0 != .tap }.isEmpty)
  }

  @Test(arguments: verdicts) func `joining in the middle, told how things stand, makes up no gesture`(
    name: String, expected: [String]
  ) throws {
    let (device, frames) = try Recording.load(name)
    // Frame by frame in a long run.
    for start in stride(from: 0, to: frames.count, by: max(1, 4 / Rounds.times(1))) {
      let state = Frame(time: frames[start].time, events: frames[..<start].flatMap(\.events), isResync: true)
      let recognised = gestures(of: device, [state] + frames[start...]).map(\.words)
      #expect(expected.suffix(recognised.count).elementsEqual(recognised), "from frame \(start)")
      if start == 0 { #expect(recognised == expected, "nothing was missed") }
    }
  }
}

extension Gesture {
  /// The gesture in the words of these tests.
  var words: String {
    var words = (fingers > 1 ? "\(fingers) " : "") + kind.rawValue
    if let key { words += " \(key)" }
    if !chord.isEmpty { words += " " + chord.map { "\($0.code)" }.joined(separator: "+") }
    if let isOn { words += isOn ? " on" : " off" }
    return words
  }
}
