import Bindings
import GestureService
import Gestures
import InputDevices
import Testing
import Toml

struct ConfigurationTextTests {
  let pedal = DeviceDescription(
    name: "RDing \"Foot\\Switch\"", bus: 3, vendor: 0x0c45, product: 0x7403, phys: "usb-0000:00:14.0-2/input0",
    codes: [1: [30, 48]])

  private func node(_ description: DeviceDescription, number: Int = 1) -> DeviceNode {
    DeviceNode(syspath: "/sys/\(number)", path: "/dev/input/event\(number)", description: description)
  }

  private func write(
    _ action: String, into text: String, key: UInt16 = 48, beside others: [DeviceDescription] = []
  ) throws -> BindingWriter.Result {
    let all = PhysicalDevice.all(([pedal] + others).enumerated().map { node($1, number: $0) })
    let writer = BindingWriter(
      gesture: Gesture(kind: .press, time: 0, key: key), description: pedal, device: all[0], all: all)
    return try writer.write(Action(action), into: text, file: "input.toml")
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

          [[device.bind]]
          gesture = "press"
          key = "KEY_B"
          do = "add people 2"

        """)
    #expect(result.line == 6)
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

  @Test func `line breaks of another system stay`() throws {
    let text = try write(
      "undo", into: mine.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    )
    .text
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

  @Test func `another device of the same identity is told apart by its name, or by its port`() throws {
    var other = pedal
    other.phys = "usb-0000:00:14.0-3/input0"
    #expect(try write("add", into: "", beside: [other]).text.contains("phys = \"usb-0000:00:14.0-2/*\"\n"))
    other.name = "Another"
    #expect(
      try write("add", into: "", beside: [other]).text.contains("name = \"RDing \\\"Foot\\\\Switch\\\"\"\n"))
  }

  @Test func `a Bluetooth device is known by its address`() throws {
    let shutter = DeviceDescription(
      name: "AB Shutter3", bus: 5, vendor: 0x2717, product: 0x40, phys: "00:11", uniq: "AA:BB:CC:00:11:22")
    let device = PhysicalDevice.all([node(shutter)])[0]
    #expect(BindingText.device(device, among: [device])[1] == "uniq = \"AA:BB:CC:00:11:22\"")
    #expect(UdevRule.line(for: device).contains("ATTRS{uniq}==\"AA:BB:CC:00:11:22\""))
  }

  @Test func `a device's name cannot break out of the udev rule or the command`() {
    let rogue = DeviceDescription(name: "a\"; RUN+=\"x' && rm\n$(x)`|")
    let command = UdevRule.command(for: PhysicalDevice.all([node(rogue)])[0])
    #expect(command.contains("ATTRS{name}==\"a?; RUN+=?x? && rm??(x)??\""))
  }
}
