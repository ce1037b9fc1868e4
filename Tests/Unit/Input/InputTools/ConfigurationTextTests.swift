import Bindings
import Gestures
import InputDaemon
import InputDevices
import InputKit
import InputTools
import Testing
import Toml

struct ConfigurationTextTests {
  let pedal = DeviceDescription(
    name: "RDing \"Foot\\Switch\"", bus: 3, vendor: 0x0c45, product: 0x7403, phys: "usb-0000:00:14.0-2/input0",
    codes: [1: [30, 48]])

  private func write(
    _ action: String, into text: String, key: UInt16 = 48, beside others: [DeviceDescription] = []
  ) throws -> BindingWriter.Result {
    let all = PhysicalDevice.all(([pedal] + others).enumerated().map { DeviceNode($0, $1) })
    let writer = BindingWriter(
      gesture: Gesture(kind: .press, time: 0, key: key), description: pedal, device: all[0], all: all)
    let action = try Action(all: action.split(separator: ",").map(String.init))
    return try writer.write(action, into: text, file: "input.toml")
  }

  @Test func `a device that is new is added at the end`() throws {
    let result = try write("add people 2", into: "# mine\n[[bind]]\ngesture = \"tap\"  # the screen\ndo = \"add\"")
    #expect(
      result.text == """
        # mine
        [[bind]]
        gesture = "tap"  # the screen
        do = "add"

        [[device]]  # RDing "Foot\\Switch"
        id = "0c45:7403"
        name = "RDing \\"Foot\\\\Switch\\""

          [[device.bind]]
          gesture = "press"
          key = "KEY_B"
          do = "add people 2"

        """)
    #expect(result.line == 6)
  }

  @Test func `touchscreens are switched on in a file that says nothing of them, or says no`() {
    for (before, after) in [
      ("", "[touchscreens]\nuse = true\n"),
      ("[[bind]]\n", "[[bind]]\n\n[touchscreens]\nuse = true\n"),
      ("[touchscreens]  # mine\nuse = false\n[zones]\n", "[touchscreens]  # mine\nuse = true\n[zones]\n"),
      ("[touchscreens]\n", "[touchscreens]\nuse = true\n"),
    ] {
      var text = ConfigurationText(before)
      text.useTouchscreens()
      #expect(text.description == after)
    }
  }

  @Test func `an empty file gets nothing but the device`() throws {
    #expect(try write("add", into: "").line == 1)
  }

  private let mine = """
    # my pedal
    [[device]]
    id = "0c45:7403"  # the left one
    grab = true

    \t[[device.bind]]
    \tgesture = "press"
    \tkey = "KEY_A"
    \tdo = 'add'  # one step

    # the screen
    [[bind]]
    gesture = "tap"
    do = "undo"
    """

  @Test func `another key of a known device goes to the device's others`() throws {
    let result = try write("subtract", into: mine)
    #expect(
      result.text
        == mine.replacing(
          "# one step\n",
          with: """
            # one step

            \t[[device.bind]]
            \tgesture = "press"
            \tkey = "KEY_B"
            \tdo = "subtract"

            """) + "\n")
    #expect(result.line == 11)
    #expect(result.rule.grab)
  }

  @Test func `a key that is bound already gets another action, and its comment stays`() throws {
    let result = try write("add cars 3", into: mine, key: 30)
    #expect(result.text == mine.replacing("'add'  # one step", with: "\"add cars 3\"  # one step") + "\n")
    #expect(result.line == 9)
  }

  @Test func `several actions are written as a list, and a list is replaced as a whole`() throws {
    let list = try write("stop anna, start bea", into: mine, key: 30).text
    #expect(list == mine.replacing("'add'  # one step", with: "[\"stop anna\", \"start bea\"]  # one step") + "\n")
    let text = try write("nothing", into: list, key: 30).text
    #expect(text == mine.replacing("'add'  # one step", with: "\"nothing\"  # one step") + "\n")
  }

  @Test func `the first binding of a device says which defaults it replaces`() throws {
    let first = try write("undo", into: "[[device]]\nid = \"0c45:7403\"\n")
    #expect(first.lostDefaults.map(ConfigurationSummary.text).contains("press → add"))
    #expect(try write("undo", into: first.text, key: 30).lostDefaults == [])
  }

  @Test func `line breaks of another system stay`() throws {
    let text = try write("undo", into: mine.replacing("\n", with: "\r\n")).text
    #expect(text.unicodeScalars.count { $0 == "\n" } == text.unicodeScalars.count { $0 == "\r" })
  }

  @Test func `a file that is wrong already is left alone`() {
    #expect(throws: ConfigurationErrors.self) { try write("add", into: "[[bind]]\ngesture = \"swipe-dwon\"\n") }
  }

  @Test func `a binding that cannot be written without contradiction is not written`() {
    let both =
      "[[device]]\nid = \"0c45:7403\"\nbind = [{ gesture = \"press\", keys = [\"KEY_A\", \"KEY_B\"], do = \"add\" }]\n"
    #expect(throws: (any Error).self) { try write("subtract", into: both) }
  }

  @Test func `another device of the same identity and name is told apart by its port`() throws {
    var other = pedal
    other.phys = "usb-0000:00:14.0-3/input0"
    #expect(try write("add", into: "", beside: [other]).text.contains("phys = \"usb-0000:00:14.0-2/*\"\n"))
    other.name = "Another"
    #expect(try !write("add", into: "", beside: [other]).text.contains("phys"))
  }

  @Test func `the volume knob of a keyboard is named without the node that types`() throws {
    let knob = DeviceDescription(
      name: "Keyboard Consumer Control", bus: 3, vendor: 0x046d, product: 0xc31c, phys: "usb-1/input1",
      codes: [1: [113, 114, 115]])
    let typing = DeviceDescription(
      name: "Keyboard", bus: 3, vendor: 0x046d, product: 0xc31c, phys: "usb-1/input0", codes: [1: Set(1...120)])
    let device = PhysicalDevice.all([DeviceNode(1, typing), DeviceNode(2, knob)])[0]
    let text = BindingText.device(device, knob, among: [device]).joined(separator: "\n")
    let configuration = try Configuration(file: text, keys: .all)
    #expect(throws: Never.self) { try configuration.used(knob) }
    #expect(throws: NotUsed.self) { try configuration.used(typing) }
  }

  @Test func `a Bluetooth device is known by its address`() throws {
    let shutter = DeviceDescription(
      name: "AB Shutter3", bus: 5, vendor: 0x2717, product: 0x40, phys: "00:11", uniq: "AA:BB:CC:00:11:22")
    let device = PhysicalDevice.all([DeviceNode(1, shutter)])[0]
    #expect(BindingText.device(device, shutter, among: [device])[1] == "uniq = \"AA:BB:CC:00:11:22\"")
    #expect(UdevRule.line(for: device.nodes[0]).contains("ATTRS{uniq}==\"AA:BB:CC:00:11:22\""))
  }

  @Test func `a device's name cannot break out of the udev rule or the command`() {
    let rogue = DeviceDescription(name: "a\"; RUN+=\"x' && rm\n$(x)`|")
    let command = UdevRule.command(for: [DeviceNode(1, rogue)])
    #expect(!command.contains("RUN"))
    #expect(command.contains("DEVPATH==\"/1\""))
  }
}
