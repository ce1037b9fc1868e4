public import Bindings
public import Gestures
public import InputDevices

/// The report on one input device: whether the device would be used, and any obstacle.
public struct DeviceReport: Equatable, Sendable {
  public let node: DeviceNode
  public let use: Use
  public let access: NodeAccess
  /// The positions of the present contacts on the touch surface.
  public let contacts: [Gesture.Position]
  /// A present contact that is ignored because it is outside of the touch surface.
  public let ghost: InputReport?
  /// The numbers of strokes that the daemons using the device have ignored.
  public var ignored: IgnoredStrokes

  public init(
    node: DeviceNode, use: Use, access: NodeAccess, contacts: [Gesture.Position] = [], ghost: InputReport? = nil,
    ignored: IgnoredStrokes = IgnoredStrokes()
  ) {
    self.ignored = ignored
    self.contacts = contacts
    self.ghost = ghost
    self.node = node
    self.use = use
    self.access = access
  }

  /// Whether the device is used for counting.
  public var isUsed: Bool { isWanted && access == .allowed }

  /// Whether the configuration selects the device.
  public var isWanted: Bool { if case .used = use { true } else { false } }

  /// The command that enables an unused device, if the device is meant for counting.
  package var suggestion: String? { use.suggestion(for: node) }

  /// All devices, ordered by number, then the motion sensors. Only selected devices are opened, for a moment.
  public static func all(_ configuration: Configuration) throws -> [DeviceReport] {
    let nodes = try DeviceInventory().nodes()
    return zip(nodes, configuration.uses(of: nodes)).map { node, use in
      let access = NodeAccess(of: node.path)
      var use = use
      var contacts: [Gesture.Position] = []
      var ghost: InputReport?
      if case .used = use, !node.description.isSensor, access == .allowed, let device = try? EvdevDevice(node: node) {
        use = configuration.rule(for: device.description)
        if case .used(let rule) = use {
          var recognizer = rule.recognizer(for: device.description)
          _ = recognizer.handle(device.state())
          contacts = recognizer.contacts
          ghost = recognizer.ghost
        }
      }
      return DeviceReport(node: node, use: use, access: access, contacts: contacts, ghost: ghost)
    }
  }
}

extension Use {
  /// The command that enables an unused device, if the device is meant for counting: a known device that can type
  /// letters, a touchscreen, or a rotary encoder.
  func suggestion(for node: DeviceNode) -> String? {
    switch self {
    case .unused(.typesLetters): "sudo tally-input use \(node.label)   (without sudo for daemons of your own)"
    case .unused(.touchscreen):
      "sudo tally-input use touchscreens   (or use \(node.label) for this one; without sudo for daemons of your own)"
    case .unused(.notNamed) where node.description.isRotaryEncoder:
      "sudo tally-input use \(node.label)   (without sudo for daemons of your own)"
    default: nil
    }
  }
}

/// The numbers of uncounted strokes of a device's keys, since the daemon opened the device.
public struct IgnoredStrokes: Equatable, Sendable {
  /// The number of presses that were classified as the bouncing of a switch.
  public var bounced = 0
  /// The number of keys that were pressed faster than a person types.
  public var typed = 0

  public init(bounced: Int = 0, typed: Int = 0) {
    self.bounced = bounced
    self.typed = typed
  }

  /// Whether both numbers are 0.
  public var isEmpty: Bool { self == IgnoredStrokes() }

  mutating func add(_ report: InputReport) {
    switch report {
    case .bounced(_, let presses): bounced += presses
    case .typed(let keys): typed += keys
    default: break
    }
  }

  /// Both counts for a person: "3 presses (bounce), 12 keys typed faster than a hand can".
  var words: String {
    let parts = [
      bounced > 0 ? "\(bounced) \(bounced == 1 ? "press" : "presses") as the bouncing of a switch (bounce)" : nil,
      typed > 0 ? "\(typed) \(typed == 1 ? "key" : "keys") typed faster than a hand can" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
