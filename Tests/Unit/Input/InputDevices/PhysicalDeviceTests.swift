import Gestures
import InputDevices
import InputKit
import Testing

struct PhysicalDeviceTests {
  private func node(
    _ number: Int, bus: UInt16 = 3, phys: String = "", uniq: String = "", properties: [String: String] = [:],
    links: [String] = []
  ) -> DeviceNode {
    DeviceNode(
      number, DeviceDescription(name: "n\(number)", bus: bus, vendor: 1, product: 2, phys: phys, uniq: uniq),
      properties: properties, links: links)
  }

  private func groups(_ nodes: DeviceNode...) -> [[String]] {
    PhysicalDevice.all(nodes).map { $0.nodes.map(\.description.name) }
  }

  @Test func `the inputs of one USB port are one device`() {
    #expect(
      groups(
        node(1, phys: "usb-0000:00:14.0-2/input0"), node(2, phys: "usb-0000:00:14.0-3/input0"),
        node(3, phys: "usb-0000:00:14.0-2/input1")) == [["n1", "n3"], ["n2"]])
  }

  @Test func `Bluetooth devices are told apart by their own address, not by the adapter's`() {
    let adapter = "00:1a:7d:da:71:13"
    #expect(
      groups(
        node(1, bus: 5, phys: adapter, uniq: "AA:BB"), node(2, bus: 5, phys: adapter, uniq: "aa:bb"),
        node(3, bus: 5, phys: adapter, uniq: "cc:dd"), node(4, bus: 5, phys: adapter), node(5, bus: 5, phys: adapter))
        == [["n1", "n2"], ["n3"], ["n4"], ["n5"]])
  }

  @Test func `without a phys udev's path or its link by id decides`() {
    #expect(
      groups(
        node(1, properties: ["ID_PATH": "pci-0000:00:14.0-usb-0:2:1.0"]),
        node(2, properties: ["ID_PATH": "pci-0000:00:14.0-usb-0:2:1.1"]),
        node(3, properties: ["ID_PATH": "pci-0000:00:14.0-usb-0:3:1.0"]),
        node(4, links: ["/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd"]),
        node(5, links: ["/dev/input/by-id/usb-RDing_FootSwitch1F1.-if01-event-mouse"]))
        == [["n1", "n2"], ["n3"], ["n4", "n5"]])
  }

  @Test func `an accelerometer feels the motor of its own device, and a machine's feels all but those elsewhere`() {
    let controller = [node(1, phys: "usb-0000:00:14.0-2/input0"), node(2, phys: "usb-0000:00:14.0-2/input1")]
    let other = node(3, phys: "usb-0000:00:14.0-3/input0")
    let wireless = [node(4, bus: 5, uniq: "aa:bb"), node(5, bus: 5, uniq: "aa:bb"), node(6, bus: 5, uniq: "cc:dd")]
    let (machine, motor) = (node(7, bus: 0), node(8, bus: 0x19))
    #expect(controller[0].feels(controller[1]) && wireless[0].feels(wireless[1]))
    #expect(!controller[0].feels(other) && !wireless[0].feels(wireless[2]) && !controller[0].feels(motor))
    #expect(machine.feels(motor) && machine.feels(other) && !machine.feels(wireless[0]))
  }

  @Test func `devices of which nothing is known are each their own`() {
    #expect(groups(node(1), node(2)) == [["n1"], ["n2"]])
  }
}
