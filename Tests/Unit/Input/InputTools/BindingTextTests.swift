import Bindings
import Gestures
import InputDaemon
import InputDevices
import InputKit
import InputTools
import Testing

/// What `monitor` prints and `learn` writes binds the very gesture that was done, and no other one.
struct BindingTextTests {
  private static let zones = """
    grid = [3, 2]

    [zones]
    "the \\"door\\"" = { left = 0.6, right = 0.8, top = 0.6, bottom = 0.8 }

    """

  private static let screen = DeviceDescription(
    name: "A [screen]\n#1", properties: [1], codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]],
    axes: [
      0x2f: .init(minimum: 0, maximum: 9), 0x35: .init(minimum: 0, maximum: 1000),
      0x36: .init(minimum: 0, maximum: 1000),
    ])
  private static let pedal = DeviceDescription(
    name: "Pedal", bus: 3, vendor: 0x0c45, product: 0x7403,
    codes: [1: Set(1...120), 2: [6, 7, 8], 3: [16, 17], 5: [0]])

  private static let sensor = DeviceDescription(name: "accelerometer", properties: [EventCode.INPUT_PROP_ACCELEROMETER])

  /// A gesture with what the configuration says of it already, if anything.
  struct Case: CustomTestStringConvertible {
    let gesture: Gesture
    var bound = ""
    var testDescription: String { BindingText.sentence(gesture) }
  }

  private static func touch(_ kind: Gesture.Kind, _ fingers: Int = 1, zone: String? = nil) -> Gesture {
    Gesture(kind: kind, time: 0, fingers: fingers, position: .init(x: 0.7, y: 0.7), zone: zone)
  }

  private static func key(_ kind: Gesture.Kind, _ code: UInt16, scan: UInt32? = nil, isOn: Bool? = nil) -> Gesture {
    Gesture(kind: kind, time: 0, key: code, scan: scan, isOn: isOn)
  }

  /// A code that the kernel has no name for.
  private static let nameless: UInt16 = 84

  static let cases: [Case] = {
    let touches: [Gesture.Kind] = [
      .touch, .tap, .doubleTap, .tripleTap, .longPress, .swipeUp, .swipeDown, .swipeLeft, .swipeRight,
    ]
    let presses: [Gesture.Kind] = [.press, .release, .doublePress, .triplePress, .longPress]
    let wheels: [Gesture.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight, .dialLeft, .dialRight]
    var cases = touches.flatMap { kind in (1...5).map { Case(gesture: touch(kind, $0)) } }
    cases += presses.map { Case(gesture: key($0, 48, scan: 0x70005)) }
    cases += presses.map { Case(gesture: key($0, nameless, scan: 0x7_0099)) }
    cases += [KeyCode.direction(named: "HAT_UP"), EvdevKeys.code(of: "SW_LID")].compactMap { $0 }.map {
      Case(gesture: key(.press, $0))
    }
    cases.append(Case(gesture: Gesture(kind: .shake, time: 0)))
    cases += wheels.map { Case(gesture: Gesture(kind: $0, time: 0)) }
    let chords: [[Gesture.PressedKey]] = [
      [.init(code: 30), .init(code: 48)], [.init(code: 30), .init(code: nameless, scan: 7)],
      [.init(code: nameless, scan: 7), .init(code: nameless, scan: 8), .init(code: 46)],
    ]
    cases += chords.map { Case(gesture: Gesture(kind: .chord, time: 0, chord: $0)) }
    // What is bound already, with all that is said of it.
    cases += [
      Case(gesture: touch(.tap, zone: "right"), bound: bind("tap", "zone = 'right'", does: "subtract")),
      Case(gesture: touch(.tap, 2, zone: "3,2"), bound: bind("tap", "fingers = 2\ncell = [3, 2]", does: "subtract")),
      Case(
        gesture: touch(.touch, zone: "the \"door\""), bound: bind("touch", "zone = 'the \"door\"'", does: "subtract")),
      Case(
        gesture: touch(.doubleTap, zone: "right"),
        bound: bind("double-tap", "mode = 'eager'\ndouble-tap = 0.35\nzone = 'right'", does: "undo")),
      // Another gesture has an interest in the zone.
      Case(gesture: touch(.swipeLeft, zone: "right"), bound: bind("tap", "zone = 'right'", does: "subtract")),
      Case(gesture: key(.longPress, 48), bound: bind("long-press", "key = 'KEY_B'\nlong-press = 1", does: "undo")),
      Case(gesture: key(.press, 48), bound: bind("press", "keys = ['KEY_B', 'KEY_C']\nbounce = 0", does: "undo")),
      Case(gesture: key(.hold, 48, isOn: true), bound: bind("hold", "then = 'add 2'", does: "subtract")),
      Case(gesture: key(.hold, 48, isOn: false), bound: bind("hold", "then = 'add 2'", does: "subtract")),
    ]
    return cases
  }()

  private func configuration(_ text: String) throws -> Configuration { try Configuration(file: text, keys: .all) }

  private func advice(_ gesture: Gesture, _ device: DeviceDescription, by configuration: Configuration) -> String {
    let physical = PhysicalDevice(nodes: [DeviceNode(1, device)])
    let lines = BindingText.advice(
      gesture, of: physical, device, among: [physical], by: configuration.preview(of: device))
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(arguments: cases) func `the lines are accepted, and bind what was done and nothing else`(_ done: Case) throws {
    let device =
      done.gesture.kind == .shake ? Self.sensor : done.gesture.fingers > 0 ? Self.screen : Self.pedal
    let former = try configuration(Self.zones + done.bound)
    let lines = advice(done.gesture, device, by: former)
    let rule = try configuration(Self.zones + lines).used(device)
    let own = rule.bindings.filter { $0.line != nil }
    #expect(own.count == 1)
    let before = former.preview(of: device)
    let expected = before.binding(for: done.gesture)
    #expect(rule.action(for: done.gesture) == (before.action(for: done.gesture) ?? .add), "\(lines)")
    #expect(own.first?.timing == expected?.timing ?? .init())
    #expect(own.first?.ending == expected?.ending)
    let isForAnyKey = expected?.line != nil && expected?.keys == []
    for other in Self.cases where rule.action(for: other.gesture) != nil {
      let isSame =
        other.gesture.kind == done.gesture.kind && other.gesture.fingers == done.gesture.fingers
        && other.gesture.chord == done.gesture.chord && (other.gesture.key == done.gesture.key || isForAnyKey)
      #expect(isSame, "\(lines) binds \(other.testDescription) too")
    }
  }

  @Test func `where the configuration speaks of the device, it is said which lines, and they fit in there`() throws {
    let text = "[[device]]\nid = \"0c45:7403\"\n[[device.bind]]\ngesture = \"press\"\nkey = \"KEY_A\"\ndo = \"undo\"\n"
    let former = try configuration(text)
    let another = advice(Self.key(.press, 48), Self.pedal, by: former)
    #expect(another.hasPrefix("# below the [[device]] on line 1 of input.toml:\n[[device.bind]]\n"))
    let both = try configuration(text + another).used(Self.pedal)
    #expect(both.action(for: Self.key(.press, 48)) == .add)
    let same = advice(Self.key(.press, 30), Self.pedal, by: former)
    #expect(same.hasPrefix("# as it is on line 3 of input.toml:\n[[device.bind]]\n"))
    #expect(same.contains("do = \"undo\""))
  }

  @Test func `a key that nothing can name is not bound, and it is said why`() {
    let text = advice(Self.key(.press, Self.nameless), Self.pedal, by: .standard)
    #expect(text == "# \(BindingWriter.Nameless())\n")
  }
}
