import Bindings
import Gestures
import InputKit
import Testing

/// Bindings of all gestures: where they apply, and which of several does.
@Suite struct GestureBindingTests {
  private func touch(_ kind: Gesture.Kind, _ x: Double, _ y: Double, fingers: Int = 1) -> Gesture {
    Gesture(kind: kind, time: 0, fingers: fingers, position: .init(x: x, y: y))
  }

  @Test func `fingers, zones and cells say where a gesture counts for what`() throws {
    let rule = try rule(
      """
      grid = [2, 2]
      [zones]
      door = { left = 0.6, right = 0.8, top = 0.6, bottom = 0.8 }
      [[bind]]
      gesture = "tap"
      do = "add rest"
      [[bind]]
      gesture = "tap"
      zone = "left"
      do = "subtract"
      [[bind]]
      gesture = "tap"
      zone = "door"
      do = "add door"
      [[bind]]
      gesture = "tap"
      cell = [2, 1]
      do = "add corner"
      [[bind]]
      gesture = "tap"
      fingers = 2
      do = "undo"
      [[bind]]
      gesture = "tap"
      fingers = 3
      grid = [1, 4]
      cell = [1, 4]
      do = "add 3"
      """)
    let places = [(0.1, 0.5), (0.7, 0.7), (0.7, 0.2), (0.9, 0.9), (0.5, 0.5)]
    let actions = places.map { rule.action(for: touch(.tap, $0.0, $0.1))?.description }
    #expect(actions == ["subtract", "add door", "add corner", "add rest", "add rest"])
    #expect(rule.action(for: touch(.tap, 0.1, 0.1, fingers: 2))?.description == "undo")
    #expect(rule.action(for: touch(.tap, 0.1, 0.7, fingers: 3)) == nil)
    #expect(rule.action(for: touch(.tap, 0.1, 0.8, fingers: 3))?.description == "add 3")
    #expect(rule.interests.map(\.kind).filter { $0 == .tap }.count == 7)
  }

  @Test func `one gesture does several things, as does its end`() throws {
    let rule = try rule("[[bind]]\ngesture = 'tap'\ndo = ['stop anna', 'start bea']\n")
    let both = try Action(all: ["stop anna", "start bea"])
    #expect(rule.action(for: touch(.tap, 0.5, 0.5)) == both)
  }

  @Test func `nothing takes a single default away, and the others stay`() throws {
    let both = [touch(.tap, 0.1, 0.5), touch(.swipeDown, 0.5, 0.5)]
    let general = try rule(bind("swipe-down", does: "nothing"))
    #expect(both.map { general.action(for: $0)?.description } == ["add", nil])
    let named = try rule(
      "[[device]]\nname = \"*\"\n[[device.bind]]\ngesture = \"tap\"\nzone = \"left\"\ndo = \"nothing\"\n")
    #expect(both.map { named.action(for: $0)?.description } == [nil, "subtract"])
    #expect(named.action(for: touch(.tap, 0.9, 0.5)) == .add)
    #expect(named.binding(for: both[0])?.doesNothing == true)
  }

  @Test func `a default that nothing replaces takes no tap that slips its way`() throws {
    let bind = "gesture = \"swipe-down\"\ndo = \"nothing\"\n"
    let texts = [
      "[[bind]]\n\(bind)", "[[device]]\nname = \"*\"\n[[device.bind]]\n\(bind)",
      // The binding for every device is taken away as well.
      "[[bind]]\ngesture = \"swipe-down\"\ndo = \"undo\"\n[[device]]\nname = \"*\"\n[[device.bind]]\n\(bind)",
    ]
    for text in texts {
      #expect(try !rule(text).interests.map(\.kind).contains(.swipeDown), "\(text)")
    }
    // Elsewhere on the surface the swipe is bound.
    let left = try rule("[[bind]]\nzone = \"left\"\n\(bind)")
    #expect(left.interests.count { $0.kind == .swipeDown } == 2)
    #expect(left.action(for: touch(.swipeDown, 0.9, 0.5)) == .subtract)
    #expect(left.binding(for: touch(.swipeDown, 0.1, 0.5))?.doesNothing == true)
  }

  @Test func `nothing keeps no gesture waiting for one that nothing else is bound to`() throws {
    let rule = try rule(bind("double-tap", does: "nothing"))
    #expect(!rule.interests.contains { $0.kind == .doubleTap })
  }

  @Test func `keys are named by their names, by scan codes, as switches and as directions`() throws {
    let rule = try rule(
      """
      [[device]]
      name = "RDing*"
        [[device.bind]]
        gesture = "double-press"
        keys = ["KEY_A", "HAT_UP"]
        do = "add 2"
        [[device.bind]]
        gesture = "press"
        scan = [0x7004b, "7004e"]
        do = "add scanned"
        [[device.bind]]
        gesture = "chord"
        keys = ["KEY_A", "KEY_B"]
        do = "add both"
        [[device.bind]]
        gesture = "hold"
        key = "KEY_C"
        do = "select inside"
        then = "select outside"
      """, for: .pedal)
    func key(_ kind: Gesture.Kind, _ key: UInt16, _ scan: UInt32?, _ isOn: Bool?) -> Gesture {
      Gesture(kind: kind, time: 0, key: key, scan: scan, isOn: isOn)
    }
    #expect(rule.action(for: key(.doublePress, 30, nil, nil))?.description == "add 2")
    #expect(rule.action(for: key(.doublePress, 0x500, nil, nil))?.description == "add 2")
    #expect(rule.action(for: key(.press, 99, 0x7004e, nil))?.description == "add scanned")
    #expect(rule.action(for: key(.press, 99, 1, nil)) == nil)
    #expect(rule.action(for: key(.hold, 46, nil, true))?.description == "select inside")
    #expect(rule.action(for: key(.hold, 46, nil, false))?.description == "select outside")
    let chord = Gesture(kind: .chord, time: 0, chord: [.init(code: 48), .init(code: 30)])
    #expect(rule.action(for: chord)?.description == "add both")
    #expect(rule.action(for: Gesture(kind: .chord, time: 0, chord: [.init(code: 48), .init(code: 46)])) == nil)
  }

  @Test func `a long press without a word is a finger's where there is a surface, and else any key's`() throws {
    let text = bind("long-press", does: "undo")
    #expect(try rule(text).action(for: touch(.longPress, 0.5, 0.5))?.description == "undo")
    #expect(try rule(text).action(for: Gesture(kind: .longPress, time: 0, key: 48)) == nil)
    let pedal = try rule(text, for: .pedal)
    #expect(pedal.action(for: Gesture(kind: .longPress, time: 0, key: 48))?.description == "undo")
    #expect(pedal.action(for: Gesture(kind: .longPress, time: 0, key: 42)) == nil)
  }

  @Test func `wheels, switches and gamepads can be named`() throws {
    let text = "[[device]]\nname = 'thing'\n[[device.bind]]\ngesture = 'wheel-up'\ndo = 'add'\n"
    let wheel = DeviceDescription(name: "thing", codes: [2: [8]])
    #expect(try rule(text, for: wheel).action(for: Gesture(kind: .wheelUp, time: 0)) == .add)
    for codes in [[5: [0]], [3: [0x10, 0x11]], [2: [7]]] as [[UInt16: Set<UInt16>]] {
      #expect(throws: Never.self) { try rule(text, for: DeviceDescription(name: "thing", codes: codes)) }
    }
  }

  @Test func `who counts landings or releases does not count them once more`() throws {
    #expect(try rule(bind("touch")).action(for: touch(.tap, 0, 0)) == nil)
    #expect(try rule(bind("touch")).action(for: touch(.swipeDown, 0, 0)) == .subtract)
    #expect(try rule(bind("release"), for: .pedal).action(for: Gesture(kind: .press, time: 0, key: 48)) == nil)
    #expect(try rule(bind("double-press"), for: .pedal).action(for: Gesture(kind: .press, time: 0, key: 48)) == .add)
  }

  @Test func `what is shown of a device that is not used is what is bound for every device`() throws {
    let configuration = try Configuration("[[bind]]\ngesture = \"double-press\"\ndo = \"add 2\"\n")
    let preview = configuration.preview(of: .keyboard)
    #expect(preview.source == .everyDevice && preview.interests.map(\.kind) == [.doublePress])
    #expect(configuration.preview(of: .pedal).interests.map(\.kind) == [.doublePress, .press, .tap, .swipeDown])
    #expect(Configuration.standard.preview(of: .keyboard).interests.isEmpty)
  }

  @Test func `an ignored device is not used, whatever it is`() throws {
    let text = "[[device]]\nname = \"EP0430*\"\nignore = true\n"
    #expect(try Configuration(text).rule(for: .touchscreen).description == "ignored by input.toml, line 1")
    let narrower = text + "[[device]]\nname = \"EP0430M09\"\nphys = \"usb-1*\"\n"
    #expect(try rule(narrower, for: .touchscreen.with { $0.phys = "usb-1.2/input0" }).source.description.contains("4"))
  }

  @Test func `a device is found by udev's properties and by the names of its file`() throws {
    let text =
      "[[device]]\nudev = { ID_MODEL = 'Foot*', ID_SEAT = '?*' }\n[[device]]\npath = '/dev/input/by-id/usb-RDing*'"
    let configuration = try Configuration(text)
    var device = DeviceDescription.keyboard
    #expect(configuration.rule(for: device).description.hasPrefix("a keyboard"))
    device.udev = ["ID_MODEL": "FootSwitch", "ID_SEAT": "seat0"]
    #expect(configuration.rule(for: device).description == "named by input.toml, line 1")
    device.links = ["/dev/input/by-path/x", "/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd"]
    #expect(configuration.rule(for: device).description == "named by input.toml, line 3")
    device.udev["ID_SEAT"] = nil
    device.links = []
    #expect(configuration.rule(for: device).description.hasPrefix("a keyboard"))
  }
}
