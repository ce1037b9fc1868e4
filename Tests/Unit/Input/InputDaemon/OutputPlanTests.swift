import Bindings
import Feedback
import Gestures
import InputDaemon
import InputDevices
import InputKit
import Testing

struct OutletPlanTests {
  /// A device with a motor, lights and a buzzer, or whatever of them is asked for.
  private func node(
    _ number: Int, _ name: String = "gamepad", phys: String = "", motor: Bool = false, lights: Set<UInt16> = [],
    buzzer: Bool = false
  ) -> DeviceNode {
    var description = DeviceDescription(name: name, bus: 3, phys: phys)
    if motor { description.codes[0x15] = [0x50] }
    if !lights.isEmpty { description.codes[0x11] = lights }
    if buzzer { description.codes[0x12] = [2] }
    return DeviceNode(number, description)
  }

  private func settings(_ text: String) throws -> FeedbackSettings { try Configuration(file: text).feedback }

  @Test func `the device that made the gesture vibrates, and no other`() {
    let plan = OutputPlan(
      [node(1, motor: true), node(2, motor: true), node(3, motor: true)], used: ["/sys/1", "/sys/2"],
      settings: .standard)
    #expect(plan.channels == ["/sys/1": [.vibration], "/sys/2": [.vibration]])
    #expect(plan.outputs(for: .vibration, origin: "/sys/2") == ["/sys/2"])
    #expect(plan.outputs(for: .vibration, origin: "/sys/3") == [])
    #expect(plan.outputs(for: .vibration, origin: nil) == [])
  }

  @Test func `a motor in another node of the same device will do`() {
    let port = "usb-0000:00:14.0-2"
    let plan = OutputPlan(
      [node(1, phys: "\(port)/input0"), node(2, phys: "\(port)/input1", motor: true), node(3, motor: true)],
      used: ["/sys/1"], settings: .standard)
    #expect(plan.channels == ["/sys/2": [.vibration]])
    #expect(plan.outputs(for: .vibration, origin: "/sys/1") == ["/sys/2"])
  }

  @Test func `a motor that is named stands in for those who have none, and for one that fails`() throws {
    let plan = OutputPlan(
      [node(1, motor: true), node(2, "pedal"), node(3, "gpio-vibrator", motor: true), node(4, "gpio-vibrator")],
      used: ["/sys/1", "/sys/2"], settings: try settings("motor = \"gpio-*\"\n"))
    #expect(plan.channels == ["/sys/1": [.vibration], "/sys/3": [.vibration]])
    #expect(plan.outputs(for: .vibration, origin: "/sys/1") == ["/sys/1", "/sys/3"])
    #expect(plan.outputs(for: .vibration, origin: "/sys/2") == ["/sys/3"])
    #expect(plan.outputs(for: .vibration, origin: "/sys/iio") == ["/sys/3"])
    #expect(plan.outputs(for: .vibration, origin: nil) == ["/sys/3"])
  }

  @Test func `lights and buzzers stay closed where nothing is played on them`() throws {
    let nodes = [node(1, lights: [1], buzzer: true), node(2, "PC Speaker", buzzer: true)]
    #expect(OutputPlan(nodes, used: ["/sys/1"], settings: .standard).channels == [:])
    let text = "[[feedback]]\non = \"added\"\nlight = \"short\"\ntone = 880\n"
    let plan = OutputPlan(nodes, used: ["/sys/1"], settings: try settings(text))
    #expect(plan.channels == ["/sys/1": [.light, .tone], "/sys/2": [.tone]])
    #expect(plan.outputs(for: .tone, origin: "/sys/1") == ["/sys/1", "/sys/2"])
  }

  @Test func `a light that is named is the only one`() throws {
    let nodes = [node(1, lights: [0, 1]), node(2, lights: [0])]
    let own = OutputPlan(nodes, used: ["/sys/1", "/sys/2"], settings: try settings("led = \"LED_CAPSL\"\n"))
    #expect(own.channels == ["/sys/1": [.light]])
    let system = OutputPlan(nodes, used: ["/sys/1", "/sys/2"], settings: try settings("led = \"input*\"\n"))
    #expect(system.channels == [:])
  }
}
