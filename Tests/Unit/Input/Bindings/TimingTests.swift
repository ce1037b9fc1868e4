import Bindings
import Gestures
import InputKit
import Testing
import Toml

/// Times and distances that a person sets.
@Suite struct TimingTests {
  @Test func `a setting holds for all devices, for one, or for one binding, the closest one first`() throws {
    let rule = try rule(
      """
      [timing]
      double-tap = 0.5
      long-press = 1
      touch-dropout = false
      mode = "eager"
      [[device]]
      name = "EP0430*"
      double-tap = 0.3
      swipe-length = 0.2
        [[device.bind]]
        gesture = "tap"
        do = "add"
        [[device.bind]]
        gesture = "double-tap"
        do = "subtract"
        [[device.bind]]
        gesture = "double-tap"
        fingers = 2
        double-tap = 0.25
        mode = "wait"
        do = "undo"
      """)
    #expect(rule.timing.pause(before: .doubleTap) == 300_000_000 && rule.timing.longPress == 1_000_000_000)
    #expect(rule.timing.touchDropout == 0 && rule.timing.mode == .eager)
    #expect(rule.timing.swipe == .init(fraction: 0.2))
    let timings = rule.interests.map(\.timing)
    #expect(timings.map { $0.pause(before: .doubleTap) } == [300_000_000, 300_000_000, 250_000_000])
    #expect(timings.map(\.mode) == [.eager, .eager, .wait])
    #expect(try BindingsTests.rule("", for: .pedal).timing == .standard)
  }

  /// The levels on which a setting can be written, with a gesture that it concerns.
  private static let levels = [
    "[timing]\nVALUE\n", "[[device]]\nname = \"EP*\"\nVALUE\n",
    "[[bind]]\ngesture = \"GESTURE\"\nWITH\ndo = \"add\"\nVALUE\n",
    "[[device]]\nname = \"EP*\"\n[[device.bind]]\ngesture = \"GESTURE\"\nWITH\ndo = \"add\"\nVALUE\n",
  ]

  @Test(arguments: Timing.Setting.allCases) func `each setting can be set on each level, and refused on each`(
    setting: Timing.Setting
  ) throws {
    let gesture = try #require(Gesture.Kind.allCases.first { setting.concerns($0) })
    let with = gesture == .chord ? "keys = [\"KEY_A\", \"KEY_B\"]" : ""
    let (low, high) = (setting.range.lowerBound, setting.range.upperBound)
    let middle = (low + high) / 2
    #expect(abs(Timing.standard[setting] - middle) > 1e-6, "it would not show")
    for (number, level) in Self.levels.enumerated() {
      let text = { (value: Double) in
        level.replacing("GESTURE", with: gesture.rawValue).replacing("WITH", with: with)
          .replacing("VALUE", with: "\(setting.rawValue) = \(value)")
      }
      let rule = try rule(text(middle))
      let own = rule.bindings.firstIndex { $0.gesture == gesture && $0.line != nil }.map { rule.interests[$0].timing }
      #expect(abs((number < 2 ? rule.timing : own ?? rule.timing)[setting] - middle) < 1e-9, "\(level)")
      if number >= 2 { #expect(rule.timing[setting] == Timing.standard[setting], "it is the binding's alone") }
      for outside in [low - 0.001, high + 0.001] {
        #expect(complaints(text(outside)).count == 1, "\(text(outside))")
      }
    }
    #expect(complaints("\(setting.rawValue) = \(middle)\n").count == 1, "outside of a table it means nothing")
  }

  @Test func `the recogniser goes by what is set`() throws {
    let device = DeviceDescription.touchscreen
    let down = [(0x2f, 0), (0x39, 5), (0x35, 600), (0x36, 300)] as [(UInt16, Int32)]
    let frame = { (time: Int64, events: [(UInt16, Int32)]) in
      Frame(time: time * 1_000_000, events: events.map { InputEvent(type: 3, code: $0.0, value: $0.1) })
    }
    func kinds(_ text: String) throws -> [Gesture.Kind] {
      var recognizer = try rule(text).recognizer(for: device)
      var gestures: [Gesture] = []
      for start in [0, 800] as [Int64] {
        gestures += recognizer.handle(frame(start, down)) + recognizer.handle(frame(start + 100, [(0x39, -1)]))
      }
      return (gestures + recognizer.advance(to: 1 << 60)).map(\.kind)
    }
    let double = "[[bind]]\ngesture = \"double-tap\"\ndo = \"add 2\"\n"
    #expect(try kinds(double) == [.tap, .tap])
    #expect(try kinds("[timing]\ndouble-tap = 0.8\n" + double) == [.doubleTap])
    #expect(try kinds(double + "double-tap = 0.8\nmode = \"eager\"\n") == [.tap, .doubleTap])
  }

  @Test(arguments: Timing.Setting.allCases) func `every default lies in its range and is what it reads as`(
    setting: Timing.Setting
  ) throws {
    let value = Timing.standard[setting]
    #expect(setting.range.contains(value))
    var timing = Timing.standard
    timing[setting] = value
    if setting.unit == .seconds { #expect(timing == .standard) }
    for end in [setting.range.lowerBound, setting.range.upperBound] {
      let rule = try rule("[timing]\n\(setting.rawValue) = \(end)\n")
      #expect(abs(rule.timing[setting] - end) < 1e-9)
    }
    #expect(Gesture.Kind.allCases.contains { setting.concerns($0) })
  }

  @Test func `a device's surface is as it is said to be mounted, or as udev knows it`() throws {
    let inverted = try rule("[[device]]\nname = \"EP*\"\ninvert-y = true\n").calibration
    #expect(inverted == Calibration(invertsY: true))
    let turned = try rule("[[device]]\nname = \"EP*\"\nrotate = 90\nswap-xy = true\n").calibration
    #expect(turned == Calibration(swapsAxes: true, turn: .right))
    let matrix = try rule("[[device]]\nname = \"EP*\"\ncalibration = \"0 -1 1 1 0 0\"\n").calibration
    #expect(matrix == Calibration(turn: .right))
    let known = try rule("", for: .touchscreen.with { $0.udev["LIBINPUT_CALIBRATION_MATRIX"] = "-1 0 1 0 -1 1" })
    #expect(known.calibration == Calibration(turn: .over) && known.warnings.isEmpty)
    let odd = try rule("", for: .touchscreen.with { $0.udev["LIBINPUT_CALIBRATION_MATRIX"] = "1 0 0" })
    #expect(odd.calibration == .none && odd.warnings.count == 1)
  }
}

@Suite struct SurfaceSizeTests {
  private func size(
    _ text: String, udev: [String: String] = [:], resolution: Int32 = 0, display: PhysicalSize? = nil
  ) throws -> PhysicalSize? {
    let axis = DeviceDescription.Axis(minimum: 0, maximum: 4096, resolution: resolution)
    var device = DeviceDescription(
      name: "EP0430M09", properties: [1], codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]],
      axes: [0x2f: .init(minimum: 0, maximum: 9), 0x35: axis, 0x36: axis], udev: udev)
    device.display = display
    return try Configuration(text).preview(of: device).size
  }

  @Test func `a surface is as large as the configuration says, else udev where the device is silent`() throws {
    let rule = "[[device]]\nname = \"EP*\"\nsize-mm = [300, 500.5]\n"
    let udev = ["ID_INPUT_WIDTH_MM": "531", "ID_INPUT_HEIGHT_MM": "299"]
    #expect(try size(rule, udev: udev) == PhysicalSize(width: 300, height: 500.5))
    #expect(try size(rule + "rotate = 90\n") == PhysicalSize(width: 500.5, height: 300))
    #expect(try size("", udev: udev) == PhysicalSize(width: 531, height: 299))
    #expect(try size("", udev: udev, resolution: 10) == nil)
    #expect(try size("", udev: ["ID_INPUT_WIDTH_MM": "0", "ID_INPUT_HEIGHT_MM": "0"]) == nil)
    let display = PhysicalSize(width: 300, height: 530)
    #expect(try size("", display: display) == display)
    #expect(try size("", udev: udev, display: display) == PhysicalSize(width: 531, height: 299))
    #expect(try size(rule, display: display) == PhysicalSize(width: 300, height: 500.5))
    #expect(try size("", resolution: 10, display: display) == nil)
  }

  @Test(arguments: ["[0, 5]", "12", "[300]", "[300, \"x\"]", "[1e9, 300]"])
  func `a size that makes no sense is refused`(
    value: String
  ) {
    #expect(throws: ConfigurationErrors.self) {
      try Configuration("[[device]]\nname = \"EP*\"\nsize-mm = \(value)\n")
    }
  }
}
