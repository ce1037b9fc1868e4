import Bindings
import Gestures
import InputKit
import Testing

/// Which motion sensors are used, what a shake of them does, and what a shake must be like.
@Suite struct ShakeBindingTests {
  private static let lid = DeviceDescription(name: "accel_3d", properties: [6], label: "accel-display")
  private static let pad = DeviceDescription(
    name: "Nintendo Switch Left Joy-Con IMU", bus: 5, properties: [6], codes: [3: [0, 1, 2]])
  private static let shake = Gesture(kind: .shake, time: 0)
  private static let bound = bind("shake", does: "add people 2")

  @Test func `a motion sensor is left alone while no shake is bound`() throws {
    for text in ["", "[[device]]\nname = \"other\"\n", bind("tap")] {
      let use = try Configuration(text).rule(for: Self.lid)
      #expect(use.does(Self.shake) == nil)
      #expect(use.description == "a motion sensor, which is used only where gesture = \"shake\" is bound to it")
    }
    let pressed = "[[device]]\nname = \"accel_3d\"\n[[device.bind]]\ngesture = \"press\"\ndo = \"add\"\n"
    #expect(try Configuration(pressed).rule(for: Self.lid) == .unused(.noShakeBound))
  }

  @Test func `a shake that is bound for every device powers the machine's sensor, and no controller's`() throws {
    let configuration = try Configuration(Self.bound)
    #expect(configuration.rule(for: Self.lid).does(Self.shake) == "add people 2")
    #expect(
      configuration.rule(for: Self.pad).description
        == "a motion sensor, which is used only if a [[device]] in input.toml names it")
  }

  @Test(arguments: ["name = \"accel_3d\"", "label = \"accel-d*\""])
  func `a shake of a sensor that is named adds one`(condition: String) throws {
    let configuration = try Configuration("[[device]]\n\(condition)\n")
    #expect(configuration.rule(for: Self.lid).does(Self.shake) == "add")
    #expect(configuration.rule(for: Self.lid.with { ($0.name, $0.label) = ("", "base") }).does(Self.shake) == nil)
  }

  @Test func `a controller that is named counts by its own accelerometer`() throws {
    let configuration = try Configuration("[[device]]\nname = \"*Joy-Con*\"\n")
    #expect(configuration.rule(for: Self.pad).does(Self.shake) == "add")
  }

  @Test func `what a shake must be like is set for all sensors and for one, the closest first`() throws {
    let text = """
      [shake]
      sensitivity = "hard"
      rest = 0.5
      strokes = 5
      [[device]]
      name = "accel_3d"
      [device.shake]
      sensitivity = "light"
      strokes = 3
      """
    let rule = try rule(text, for: Self.lid)
    var expected = ShakeParameters.light
    try expected.set("rest", to: 0.5)
    try expected.set("strokes", to: 3)
    #expect(rule.shake == expected)
    let general = try Configuration(text).preview(of: Self.pad)
    #expect(general.shake["strength"] == ShakeParameters.hard["strength"] && general.shake["strokes"] == 5)
  }

  @Test(arguments: ShakeParameters.names) func `every parameter can be set by its name`(name: String) throws {
    let value = try #require(ShakeParameters.hard[name])
    let text = name == "strokes" ? String(Int(value)) : String(value)
    #expect(complaints("[shake]\n\(name) = \(text)\n") == [])
  }

  static let wrong: [(text: String, complaint: String)] = [
    ("[shake]\nsensitivty = 'hard'\n", #"2:1: [shake] has no "sensitivty": did you mean "sensitivity"?"#),
    ("[shake]\nsensitivity = 'frim'\n", #"2:15: "frim" is no sensitivity: did you mean "firm"?"#),
    ("[shake]\nstrokes = 3.5\n", "2:11: strokes must be a whole number"),
    ("[shake]\nstrength = 1000\n", "2:12: strength must be from 3.0 to 100.0"),
    ("[shake]\nstrength = '12'\n", "2:12: strength must be a number, and this is a text"),
    (
      "[shake]\nshortest-stroke = 0.5\nlongest-stroke = 0.4\n",
      "3:18: shortest-stroke is 0.5 and longest-stroke 0.4, so that no stroke lies between them"
    ),
    ("shake = 4\n", "1:9: shake must be a table, and this is a whole number: write [shake]"),
    (bound + "key = 'KEY_A'\n", "4:1: a shake has no key: only what is done with keys has"),
    (bound + "refractory = 1\n", "4:1: refractory does not apply to a shake"),
    (
      bound + "mode = 'wait'\n",
      "4:1: \"mode\" does not belong to shake: it belongs to \(gesturesWithMode)"
    ),
    (bound + bound, "4:1: shake is bound already on line 1"),
  ]

  @Test(arguments: wrong) func `what is wrong about a shake is said`(text: String, complaint: String) {
    #expect(complaints(text) == ["input.toml:\(complaint)"])
  }
}
