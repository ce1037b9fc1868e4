import Bindings
import Gestures
import InputDaemon
import InputDevices
import InputKit
import Testing

/// Which of several motion sensors is used.
struct SensorChoiceTests {
  private func sensor(_ number: Int, _ label: String, name: String = "accel") -> DeviceNode {
    DeviceNode(
      syspath: "/sys/devices/iio:device\(number)", path: "/dev/iio:device\(number)",
      description: DeviceDescription(name: name, properties: [6], links: ["/dev/iio:device\(number)"], label: label))
  }

  private func used(_ nodes: [DeviceNode], _ text: String) throws -> [String] {
    zip(nodes, try Configuration(file: text).uses(of: nodes)).compactMap { node, use in
      if case .used = use { node.description.label } else { nil }
    }
  }

  private let bound = bind("shake")

  @Test(arguments: [["base", ""], ["accel-base", "accel-display"], ["", "lid"], ["accel-camera", "accel-display"]])
  func `the one in the lid is preferred, wherever it stands in the list`(labels: [String]) throws {
    let nodes = labels.enumerated().map { sensor($0, $1) }
    #expect(try used(nodes, bound) == [labels[1]])
    #expect(try used(nodes.reversed(), bound) == [labels[1]])
  }

  @Test func `of two that are alike the first is used, and the other one says why not`() throws {
    let nodes = [sensor(0, ""), sensor(1, "")]
    let uses = try Configuration(file: bound).uses(of: nodes)
    #expect(uses.last?.description == "/dev/iio:device0 feels the same shakes and is used")
  }

  @Test func `one that the configuration names is used, whatever it is`() throws {
    let nodes = [sensor(0, "accel-display"), sensor(1, "accel-base")]
    #expect(try used(nodes, "[[device]]\nlabel = \"*base\"\n") == ["accel-base"])
    #expect(try used(nodes, "[[device]]\npath = \"/dev/iio:device1\"\n") == ["accel-base"])
    let both = "[[device]]\nlabel = \"*base\"\n[[device]]\nlabel = \"*display\"\n"
    #expect(try used(nodes, both) == ["accel-display", "accel-base"])
  }
}
