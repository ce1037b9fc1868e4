public import Bindings
import Gestures
public import InputDevices

/// What there is to say about one input device that the kernel has: whether it would be used, and what keeps it.
public struct DeviceReport: Equatable, Sendable {
  public let node: DeviceNode
  public let use: Use
  public let access: NodeAccess

  public init(node: DeviceNode, use: Use, access: NodeAccess) {
    self.node = node
    self.use = use
    self.access = access
  }

  /// Whether it is counted with.
  public var isUsed: Bool { isWanted && access == .allowed }

  /// Whether the configuration would have it.
  public var isWanted: Bool { if case .used = use { true } else { false } }

  /// All devices, ordered by number, and then the motion sensors. Those that are to be used are opened for a moment; the others never are.
  public static func all(_ configuration: Configuration) throws -> [DeviceReport] {
    let nodes = try DeviceInventory().nodes()
    return zip(nodes, configuration.uses(of: nodes)).map { node, use in
      let access = NodeAccess(of: node.path)
      var use = use
      if case .used = use, !node.description.isSensor, access == .allowed, let device = try? EvdevDevice(node: node) {
        use = configuration.rule(for: device.description)
      }
      return DeviceReport(node: node, use: use, access: access)
    }
  }
}
