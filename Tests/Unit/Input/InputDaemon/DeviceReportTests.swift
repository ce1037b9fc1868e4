import Bindings
import Gestures
import InputDaemon
import InputDevices
import InputKit
import JSON
import Testing

struct DeviceReportTests {
  private func report(_ description: DeviceDescription, access: NodeAccess = .allowed) -> DeviceReport {
    DeviceReport(node: DeviceNode(5, description), use: Configuration.standard.rule(for: description), access: access)
  }

  private let pedal = DeviceDescription(
    name: "RDing FootSwitch", bus: 3, vendor: 0x0c45, product: 0x7403, codes: [1: [48]])
  private let keyboard = DeviceDescription(name: "Keyboard\u{1b}[2J", vendor: 1, codes: [1: Set(1...120)])
  private let denied = NodeAccess.denied(
    NodeAccess.Denial(
      path: "/dev/input/event5", mode: 0o660, group: "input", isInGroup: false, isListedInGroup: false))

  @Test func `a device in use says by which rule`() {
    #expect(
      report(pedal).text == """
        /dev/input/event5  RDing FootSwitch  (0c45:7403)
            used: known as PCsensor FootSwitch, a pedal
        """)
  }

  @Test func `a known device that can type letters, and a touchscreen, say which command has them count`() throws {
    var typing = pedal
    typing.codes[1] = Set(1...120)
    #expect(
      report(typing).text.hasSuffix(
        "\n    to count with it: sudo tally-input use event5   (without sudo for daemons of your own)"))
    let screen = DeviceDescription(name: "Panel", properties: [1], codes: [1: [0x14a], 3: [0x2f, 0x35, 0x36, 0x39]])
    let object = try JSON(parsing: report(screen).json).object
    #expect(object?["remedy"]?.string?.hasPrefix("sudo tally-input use touchscreens ") == true)
    #expect(object?["problem"] == nil)
    #expect(object?["used"]?.bool == false)
  }

  @Test func `a rotary encoder says which command has it count`() throws {
    let encoder = DeviceDescription(name: "rotary@0", codes: [2: [0]])
    #expect(
      report(encoder).text.hasSuffix(
        "\n    to count with it: sudo tally-input use event5   (without sudo for daemons of your own)"))
  }

  @Test func `a contact beyond the surface is told of beside those on it`() throws {
    let report = DeviceReport(
      node: DeviceNode(5, pedal), use: Configuration.standard.rule(for: pedal), access: .allowed,
      contacts: [.init(x: 0.5, y: 0.4)],
      ghost: .outside(x: 499, y: -3616, isTransposed: false))
    #expect(
      report.text.hasSuffix(
        """
            there is a contact at 50 %, 40 % now; if nobody touches it there, the surface is dirty or broken, or never says that a finger lifts
            a contact at x 499, y -3616 lies outside the ranges that the device states for its axes, and is ignored
        """))
    #expect(try JSON(parsing: report.json).object?["fault"]?.string?.hasPrefix("a contact at x 499") == true)
  }

  @Test func `strokes that the daemon ignored are told of in words and in numbers`() throws {
    var report = report(pedal)
    #expect(try JSON(parsing: report.json).object?["ignored"] == nil)
    report.ignored = IgnoredStrokes(bounced: 1, typed: 12)
    #expect(
      report.text.hasSuffix(
        "\n    ignored since tally-inputd opened it: 1 press as the bouncing of a switch (bounce), 12 keys typed faster than a hand can"
      ))
    let ignored = try JSON(parsing: report.json).object?["ignored"]?.object
    #expect(ignored?["bounced"]?.int == 1)
    #expect(ignored?["typed"]?.int == 12)
  }

  @Test func `a device that may not be read says what mends it`() {
    let text = report(pedal, access: denied).text
    #expect(text.contains("would be used (known as PCsensor FootSwitch, a pedal), but may not be read:"))
    #expect(text.contains("to fix it: sudo usermod -aG input"))
  }

  @Test func `a keyboard is not used, and its name does nothing to the terminal`() {
    let text = report(keyboard, access: denied).text
    #expect(text.contains("not used: a keyboard"))
    #expect(!text.contains("mend"))
    #expect(!text.contains("\u{1b}"))
  }

  @Test func `no devices at all are said in a sentence`() {
    #expect(DeviceReport.text([]).contains("no input devices"))
  }

  @Test func `the object for programs says the same`() throws {
    let object = try JSON(parsing: report(pedal, access: denied).json).object
    #expect(object?["path"]?.string == "/dev/input/event5")
    #expect(object?["id"]?.string == "0c45:7403")
    #expect(object?["used"]?.bool == false)
    #expect(object?["wanted"]?.bool == true)
    #expect(object?["readable"]?.bool == false)
    #expect(object?["remedy"]?.string?.hasPrefix("sudo usermod") == true)
  }
}
