import Gestures

/// The numbers of uncounted strokes of a device's keys, since the daemon opened the device.
public struct IgnoredStrokes: Equatable, Sendable {
  /// Presses that were classified as the bouncing of a switch.
  public var bounced = 0
  /// Keys that were pressed as fast as only a machine types.
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
