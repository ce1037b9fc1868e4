import Bindings
import Gestures
import InputKit
import Testing

@Suite struct RuleTests {
  // MARK: Without a configuration

  @Test func `a touch surface whose axis is one point is left out with a warning where keys are used`() throws {
    let device = DeviceDescription.touchscreen.with {
      $0.codes[1]?.insert(115)
      $0.axes[0x35] = .init(minimum: 7, maximum: 7)
    }
    let rule = try Configuration("[[device]]\nname = \"EP*\"\n").preview(of: device)
    #expect(
      rule.warnings == ["its touch surface is left out, because its touch axis x runs from 7 to 7, which is no range"])
  }

  @Test func `a known pedal's press adds one to the current counter, and a modifier's does not`() {
    let use = Configuration.standard.rule(for: .pedal)
    #expect(use.description == "known as PCsensor FootSwitch, a pedal")
    #expect(use.press(48) == "add")
    #expect(use.press(42) == nil)
  }

  @Test func `a known pedal that can type letters is used once it is named, and has a pedal's defaults`() throws {
    let pedal = DeviceDescription.pedal.with { $0.codes[1] = Set(1...120) }
    let use = Configuration.standard.rule(for: pedal)
    #expect(
      use.description
        == "known as PCsensor FootSwitch, but it can type letters as a keyboard can, so it is used only once you name it"
    )
    #expect(try Configuration("[[device]]\nid = \"0c45:7403\"\n").rule(for: pedal).press(48) == "add")
  }

  @Test func `a touchscreen is used once the configuration says so; its keys are not ours`() throws {
    let screen = DeviceDescription.touchscreen.with { $0.codes[1]?.insert(102) }
    let without = Configuration.standard.rule(for: screen)
    #expect(
      without.description
        == "a touchscreen, on which every tap of daily work would count; to use it: tally-input use touchscreens")
    #expect(without.touch(.tap) == nil)
    let use = try Configuration("").rule(for: screen)
    #expect(use.description == "it is a touchscreen, and [touchscreens] says that they count")
    #expect(use.touch(.tap) == "add")
    #expect(use.touch(.swipeDown) == "subtract")
    #expect(use.touch(.swipeUp) == nil)
    #expect(use.press(102) == nil)
    #expect(use.does(Gesture(kind: .tap, time: 0, fingers: 2)) == nil)
  }

  static let unused: [(device: DeviceDescription, why: String)] = [
    (.keyboard, "a keyboard, which is used only if a [[device]] in input.toml names it"),
    (.mouse, "a mouse, which is used only if a [[device]] in input.toml names it"),
    (
      .touchscreen.with { $0.codes[1] = [0x14a, 0x140, 0x14b] },
      "a pen tablet, which is used only if a [[device]] in input.toml names it"
    ),
    (
      .touchscreen.with {
        $0.properties = [0]
        $0.codes[1] = [0x14a, 0x145, 0x110]
      },
      "a touchpad, which is used only if a [[device]] in input.toml names it"
    ),
    (
      DeviceDescription(name: "Power Button", bus: 0x19, codes: [1: [116]]),
      "a device with keys that is not known as a clicker, which is used only if a [[device]] in input.toml names it"
    ),
    (
      DeviceDescription(name: "PC Speaker", codes: [0x12: [1]]),
      "a device without keys, which is used only if a [[device]] in input.toml names it"
    ),
    (
      .mouse.with { ($0.vendor, $0.product) = (0x046d, 0xc53e) },
      "the pointer of Logitech Spotlight, whose buttons are a mouse's"
    ),
    (.pedal.with { $0.codes = [4: [4]] }, "it has the id of PCsensor FootSwitch, but not the keys of a pedal"),
  ]

  @Test(arguments: unused) func `what is not used is not used for a reason`(device: DeviceDescription, why: String) {
    let use = Configuration.standard.rule(for: device)
    #expect(throws: NotUsed.self) { try Configuration.standard.used(device) }
    #expect(use.description == why)
  }

  @Test func `a device that is named and cannot be used says why`() throws {
    let screens = try Configuration("")
    let broken = DeviceDescription.touchscreen.with { $0.axes[0x35] = .init(minimum: 5, maximum: 5) }
    #expect(
      screens.rule(for: broken).description
        == "its touch surface cannot be used: its touch axis x runs from 5 to 5, which is no range")
    let pedal = try Configuration("[[device]]\nname = \"RDing*\"\n")
    #expect(
      pedal.rule(for: .pedal.with { $0.codes = [4: [4]] }).description == "nothing on it can be pressed or touched")
  }

  /// DIGImend/digimend-kernel-drivers#482: the dial of a tablet, with a button and touch axes from 0 to 0.
  @Test func `a named device with an unusable touch surface counts by its dial and its button`() throws {
    let empty = DeviceDescription.Axis(minimum: 0, maximum: 0)
    let dial = DeviceDescription(
      name: "UC-Logic ARTISUL D16Pro", codes: [1: [0x100, 0x14a], 2: [7], 3: [0, 1]], axes: [0: empty, 1: empty])
    let named = try Configuration("[[device]]\nname = \"UC-Logic*\"\n")
    let used = try named.used(dial)
    #expect(
      used.warnings
        == ["its touch surface is left out, because its touch axis x runs from 0 to 0, which is no range"])
    #expect(used.action(for: Gesture(kind: .press, time: 0, key: 0x100)) == .add)
    let reason = "its touch surface cannot be used: its touch axis x runs from 0 to 0, which is no range"
    // What has nothing else, and a touchscreen that is not named.
    #expect(named.rule(for: dial.with { $0.codes = [1: [0x14a], 3: [0, 1]] }).description == reason)
    #expect(try Configuration("").rule(for: dial).description == reason)
  }

  @Test func `panels without INPUT_PROP_DIRECT are touchscreens too, tablets of virtual machines are mice`() {
    #expect(DeviceDescription.touchscreen.with { $0.properties = [] }.deviceClass == .touchscreen)
    let virtual = DeviceDescription(
      name: "QEMU QEMU USB Tablet", codes: [1: [0x110, 0x111, 0x112], 2: [8], 3: [0, 1]],
      axes: [0: .init(minimum: 0, maximum: 32767), 1: .init(minimum: 0, maximum: 32767)])
    #expect(virtual.deviceClass == .mouse)
  }

  @Test func `borrowed ids make nothing a clicker, names beside them do`() {
    let standard = Configuration.standard
    let remote = DeviceDescription(name: "Keyboard", bus: 5, codes: [1: [28, 113, 114, 115]])
    let xiaomi = remote.with { ($0.vendor, $0.product) = (0x2717, 0x0040) }
    #expect(standard.rule(for: xiaomi).press(115) == nil)
    #expect(standard.rule(for: xiaomi.with { $0.name = "camera remote control Keyboard" }).press(115) == "add")
    let apple = remote.with { ($0.vendor, $0.product) = (0x05ac, 0x022c) }
    #expect(standard.rule(for: apple).press(115) == nil)
    #expect(standard.rule(for: apple.with { $0.name = "AB Shutter3" }).press(115) == "add")
  }

  @Test func `every gesture of a ring is its press`() {
    let ring = DeviceDescription.touchscreen.with {
      ($0.name, $0.bus, $0.vendor, $0.product) = ("D01", 5, 0x05ac, 0x022c)
      $0.codes[1] = [0x14a, 0x140]
    }
    let use = Configuration.standard.rule(for: ring)
    #expect(use.description == "known as D01 ring, a ring")
    // Its strokes go this way or that; each begins with a landing.
    #expect([.touch, .swipeDown, .swipeUp, .tap].map { use.touch($0) } == ["add", nil, nil, nil])
    #expect(use.press(115) == "add")
  }

  // MARK: With a configuration

  @Test func `a device that the configuration names is used whatever it is`() throws {
    let configuration = try Configuration(
      "# A comment first.\n[[device]]\nname = 'AT Translated Set 2 keyboard'\ngrab = true\n")
    let use = configuration.rule(for: .keyboard)
    #expect(use.description == "named by input.toml, line 2")
    #expect(use.press(30) == "add")
    #expect(try configuration.used(.keyboard).grab)
    #expect(configuration.rule(for: .mouse).press(0x110) == nil)
  }

  /// Rules with `grab = true` that match a device, and whether they name it closely enough to take it.
  static let grabs: [(device: DeviceDescription, conditions: String, isTaken: Bool)] = [
    (.keyboard, #"name = "*""#, false), (.keyboard, #"name = "AT Translated*""#, false),
    (.keyboard, #"udev = { ID_INPUT_KEYBOARD = "1" }"#, false), (.keyboard, #"phys = "isa0060/*""#, false),
    (.keyboard, #"name = ["*x*", "AT Translated Set 2 keyboard"]"#, true), (.keyboard, #"id = "0001:0001""#, true),
    (.keyboard, "name = \"*\"\nid = \"0001:0001\"", true), (.keyboard, #"phys = "isa0060/serio0/input0""#, true),
    (.keyboard, #"uniq = "AA:BB""#, true), (.keyboard, #"uniq = "aa:*""#, false),
    (.keyboard, #"path = "/dev/input/by-path/kbd""#, true), (.keyboard, #"path = "/dev/input/by-path/*""#, false),
    (.mouse, #"name = "*Mouse""#, false), (.mouse, #"name = "Optical Mouse""#, true),
    (DeviceDescription(name: "Power Button", bus: 0x19, codes: [1: [116]]), #"name = "Power*""#, false),
    (DeviceDescription(name: "Lid Switch", bus: 0x19, codes: [5: [0]]), #"name = "*""#, false),
    (.touchscreen, #"name = "**""#, false), (.touchscreen, #"name = "EP*""#, true),
    (.pedal, #"name = "*""#, true), (.pedal.with { $0.codes[1] = Set(1...120) }, #"name = "*FootSwitch*""#, true),
    (.pedal.with { ($0.vendor, $0.codes[1]) = (7, Set(1...120)) }, #"name = "*Foot*""#, false),
    (DeviceDescription(name: "Wireless buttons", bus: 3, codes: [1: [116, 115]]), #"name = "*""#, true),
  ]

  @Test(arguments: grabs) func `a pattern takes from other programs nothing that the machine is worked with`(
    device: DeviceDescription, conditions: String, isTaken: Bool
  ) throws {
    let device = device.with {
      ($0.uniq, $0.links, $0.udev) = ("aa:bb", ["/dev/input/by-path/kbd"], ["ID_INPUT_KEYBOARD": "1"])
    }
    func use(_ more: String) throws -> Use {
      try Configuration("[[device]]\n\(conditions)\n\(more)").rule(for: device)
    }
    guard case .used = try use("") else {
      Issue.record("it is not used without grab = true either: \(try use(""))")
      return
    }
    switch try use("grab = true\n") {
    case .used(let rule): #expect(rule.grab && isTaken)
    case .unused(.grabbedByPattern(_, let file, let line)): #expect(!isTaken && file == "input.toml" && line == 1)
    case .unused(let reason): Issue.record("\(reason)")
    }
  }

  @Test func `the devices that a pattern would take are found, or one that most machines have`() throws {
    let any = try Configuration("\n[[device]]\nname = \"*\"\ngrab = true\n")
    #expect(any.refusedGrabs(of: [.mouse, .pedal]).map(\.device.name) == ["Optical Mouse"])
    #expect(any.refusedGrabs(of: [.pedal]).map(\.noun) == ["a keyboard"])
    #expect(any.refusedGrabs(of: []).map(\.line) == [2])
    let narrow = try Configuration("[[device]]\nname = \"*FootSwitch*\"\ngrab = true\n")
    #expect(narrow.refusedGrabs(of: [.keyboard, .pedal]).isEmpty)
    let named = try Configuration(
      "[[device]]\nname = \"*\"\ngrab = true\n[[device]]\nname = \"Optical Mouse\"\nignore = true\n")
    #expect(!named.refusedGrabs(of: [.mouse]).map(\.device.name).contains("Optical Mouse"))
  }

  @Test func `a device on Bluetooth is not debounced unless it is set`() throws {
    let remote = DeviceDescription.pedal.with { $0.bus = 5 }
    func bounce(_ text: String, _ device: DeviceDescription) throws -> Double {
      try rule("[[device]]\nname = \"RDing*\"\n\(text)", for: device).timing[.bounce]
    }
    #expect(try bounce("", remote) == 0)
    #expect(try bounce("", .pedal) == 0.012)
    #expect(try bounce("bounce = 0.05", remote) == 0.05)
    #expect(try bounce("[timing]\nbounce = 0.03", remote) == 0.03)
  }

  @Test func `a device with bindings of its own does these and what is bound for all, and has no defaults`() throws {
    let configuration = try Configuration(
      """
      [[bind]]
      gesture = "press"
      key = "KEY_C"
      do = "undo"

      [[device]]
      id = "0C45:7403"
        [[device.bind]]
        gesture = "press"
        key = "KEY_B"
        do = "add people 2"
      """)
    let pedal = configuration.rule(for: .pedal)
    #expect([48, 46, 30].map { pedal.press($0) } == ["add people 2", "undo", nil])
    let other = configuration.rule(for: .pedal.with { $0.product = 0x7404 })
    #expect([48, 46, 30].map { other.press($0) } == ["add", "undo", "add"])
  }

  @Test func `a binding that names the key comes before one that does not, wherever it stands`() throws {
    let configuration = try Configuration(
      """
      [[device]]
      name = "RDing*"
        [[device.bind]]
        gesture = "press"
        do = "add"
        [[device.bind]]
        gesture = "press"
        keys = ["KEY_A", "KEY_LEFTSHIFT"]
        do = "subtract"
      """)
    let use = configuration.rule(for: .pedal)
    #expect([48, 30, 42, 29].map { use.press($0) } == ["add", "subtract", "subtract", nil])
  }

  @Test func `a binding for all devices replaces the default for its gesture`() throws {
    let configuration = try Configuration(bind("tap", does: "add visitors") + bind("swipe-up", does: "select staff"))
    let use = configuration.rule(for: .touchscreen)
    #expect([.tap, .swipeUp, .swipeDown].map { use.touch($0) } == ["add visitors", "select staff", "subtract"])
  }

  @Test func `the rule that describes a device most closely wins, wherever it stands`() throws {
    let conditions = [
      "name = \"*\"", "name = \"RDing*\"", "name = \"RDing FootSwitch1F1.\"", "id = \"0c45:7403\"",
      "id = \"0c45:7403\"\nname = \"*Foot*\"", "phys = \"usb-*-2/input?\"", "uniq = \"aa:BB:*\"",
    ]
    let device = DeviceDescription.pedal.with { $0.uniq = "AA:bb:cc" }
    for order in [Array(conditions.indices), conditions.indices.reversed()] {
      for count in 1...conditions.count {
        let kept = order.filter { $0 < count }
        let text = kept.map { "[[device]]\n\(conditions[$0])\n[[device.bind]]\ngesture=\"press\"\ndo=\"add n\($0)\"\n" }
        #expect(try Configuration(text.joined()).rule(for: device).press(48) == "add n\(count - 1)")
      }
    }
  }

  @Test func `all conditions of a rule must hold, and any of several names or ids`() throws {
    let configuration = try Configuration(
      "[[device]]\nname = ['Pedal ?', 'RDing*']\nid = ['0c45:7404', '0c45:7403']\nbus = 'usb'\n")
    #expect(configuration.rule(for: .pedal).description == "named by input.toml, line 1")
    for device in [
      DeviceDescription.pedal.with { $0.name = "Pedal 12" }, .pedal.with { $0.bus = 5 },
      .pedal.with { $0.product = 1 },
    ] { #expect(configuration.rule(for: device).description != "named by input.toml, line 1") }
  }

  @Test func `a pattern of many stars does not take for ever`() throws {
    let pattern = String(repeating: "*a", count: 2000)
    let configuration = try Configuration("[[device]]\nname = \"\(pattern)\"\n")
    let device = DeviceDescription.keyboard.with { $0.name = String(repeating: "a", count: 1999) + "b" }
    #expect(configuration.rule(for: device).press(30) == nil)
  }

  // MARK: Where it lies

  static let places: [(option: String?, configHome: String?, home: String?, places: [String])] = [
    ("x.toml", "/c", "/h", ["x.toml"]),
    (nil, "/c", "/h", ["/c/tallymark/input.toml", "/etc/tallymark/input.toml"]),
    (nil, nil, "/h", ["/h/.config/tallymark/input.toml", "/etc/tallymark/input.toml"]),
    (nil, "relative", "/h", ["/h/.config/tallymark/input.toml", "/etc/tallymark/input.toml"]),
    (nil, "", "", ["/etc/tallymark/input.toml"]), (nil, nil, nil, ["/etc/tallymark/input.toml"]),
  ]

  @Test(arguments: places) func `a configuration is looked for where it should be`(
    option: String?, configHome: String?, home: String?, places: [String]
  ) {
    #expect(Configuration.places(option: option, configHome: configHome, home: home) == places)
  }
}
