package import Gestures
import Linux

/// All event nodes of one physical device. A pedal that can also be a mouse and a game pad has three nodes, of which
/// only one sends events.
public struct PhysicalDevice: Equatable, Sendable {
  /// The nodes in the order of their numbers; never empty.
  public let nodes: [DeviceNode]

  public init(nodes: [DeviceNode]) { self.nodes = nodes }

  /// Whether a node belongs to the device, even if its udev properties have changed.
  public func has(_ node: DeviceNode) -> Bool { nodes.contains { $0.syspath == node.syspath } }

  /// Groups nodes by device.
  public static func all(_ nodes: [DeviceNode]) -> [PhysicalDevice] {
    var order: [String] = []
    var groups: [String: [DeviceNode]] = [:]
    for node in nodes {
      let key = key(of: node)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(node)
    }
    return order.compactMap { groups[$0].map(PhysicalDevice.init) }
  }

  /// The key that all nodes of one device share, and no other device has.
  package static func key(of node: DeviceNode) -> String {
    let description = node.description
    let identity = "\(description.vendor):\(description.product)"
    // All Bluetooth devices have the address of this machine's adapter as phys.
    if description.bus == bluetooth {
      return description.uniq.isEmpty ? node.syspath : "uniq \(description.uniq.lowercased())"
    }
    // usb-0000:00:14.0-2/input1: the port, then the number of the input.
    if let slash = description.phys.lastIndex(of: "/"), slash > description.phys.startIndex {
      return "phys \(identity) \(description.phys[..<slash])"
    }
    // pci-0000:00:14.0-usb-0:2:1.1: the port, then the interface.
    if let path = node.properties["ID_PATH"], let colon = path.lastIndex(of: ":"),
      path.split(separator: "-").contains("usb")
    {
      return "path \(identity) \(path[..<colon])"
    }
    // usb-RDing_FootSwitch1F1.-event-kbd, usb-RDing_FootSwitch1F1.-if01-event-mouse
    if let link = node.links.first(where: { $0.hasPrefix("/dev/input/by-id/") }) {
      let name = link.dropFirst("/dev/input/by-id/".count)
      let parts = name.split(separator: "-", omittingEmptySubsequences: false)
      let stem = parts.prefix { $0 != "event" && !isInterface($0) }
      return "id \(identity) \(stem.joined(separator: "-"))"
    }
    return node.syspath
  }

  fileprivate static let bluetooth: UInt16 = 5
  fileprivate static let usb: UInt16 = 3

  private static func isInterface(_ part: Substring) -> Bool {
    part.count == 4 && part.hasPrefix("if") && part.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}

extension DeviceNode {
  /// Whether the motor of another node shakes this accelerometer: a node of the same device, or of the same machine.
  ///
  /// A handheld computer's controls are on USB inside of its case, so a motor on USB may belong to the machine; a motor
  /// on Bluetooth does not.
  public func feels(_ motor: DeviceNode) -> Bool {
    if PhysicalDevice.key(of: self) == PhysicalDevice.key(of: motor) { return true }
    let isBuiltIn = ![PhysicalDevice.usb, PhysicalDevice.bluetooth].contains(description.bus)
    return isBuiltIn && motor.description.bus != PhysicalDevice.bluetooth
  }
}

/// The size of the display behind a touchscreen, for panels that state no resolution.
package enum ConnectedDisplay {
  /// The folder with a folder for each output of the graphics cards.
  package static let outputs = "/sys/class/drm"

  /// The size of the only connected display; nil if no display or several are connected, or if the display states no
  /// size.
  package static func size(in folder: String = outputs) -> PhysicalSize? {
    let connected = FolderContent.names(in: folder).filter {
      $0.hasPrefix("card") && Sysfs.read("\(folder)/\($0)/status") == "connected"
    }
    guard connected.count == 1, let edid = try? FileContent.read("\(folder)/\(connected[0])/edid", upTo: 256) else {
      return nil
    }
    return size(edid: edid)
  }

  /// Reads the size, in whole centimetres, from the first block of an EDID.
  static func size(edid: [UInt8]) -> PhysicalSize? {
    let block = edid.prefix(128)
    guard block.count == 128, block.starts(with: [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]),
      block.reduce(0, &+) == 0
    else { return nil }
    // The sizes are 0 for projectors; one of them is 0 for a display that states only its shape.
    return PhysicalSize(width: Double(block[21]) * 10, height: Double(block[22]) * 10)
  }
}
