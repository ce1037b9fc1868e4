package import Bindings
package import Gestures
package import InputDevices
package import Toml

extension Frame {
  /// A frame of some events, each with its type, code and value.
  package init(at time: Int64 = 0, _ events: (UInt16, UInt16, Int32)..., isResync: Bool = false) {
    self.init(time: time, events: events.map { InputEvent(type: $0.0, code: $0.1, value: $0.2) }, isResync: isResync)
  }

  /// A frame in which a key goes down (1), up (0) or repeats (2).
  package static func key(_ code: UInt16, _ value: Int32, at time: Int64, isResync: Bool = false) -> Frame {
    Frame(at: time, (1, code, value), isResync: isResync)
  }
}

extension DeviceNode {
  /// A node of `/dev/input`.
  package init(
    _ number: Int, _ description: DeviceDescription, properties: [String: String] = [:], links: [String] = []
  ) {
    self.init(
      syspath: "/sys/\(number)", path: "/dev/input/event\(number)", description: description, properties: properties,
      links: links)
  }
}

extension KeyNames {
  /// A few keys, as libevdev names them.
  package static let few: KeyNames = {
    let codes: [String: UInt16] = [
      "KEY_A": 30, "KEY_B": 48, "KEY_C": 46, "KEY_VOLUMEUP": 115, "KEY_LEFTSHIFT": 42, "BTN_LEFT": 0x110,
      "BTN_TOUCH": 0x14a, "HAT_UP": 0x500, "BTN_TOOL_FINGER": 0x145,
    ]
    return KeyNames(code: { codes[$0] }, known: codes.keys.sorted())
  }()

  /// All keys that libevdev names.
  package static let all = KeyNames(code: { EvdevKeys.code(of: $0) }, known: EvdevKeys.names)
}

/// A `[[bind]]` of a configuration, with more lines between the gesture and what it does.
package func bind(_ gesture: String, _ lines: String = "", does action: String = "add") -> String {
  "[[bind]]\ngesture = '\(gesture)'\n\(lines.isEmpty ? "" : lines + "\n")do = '\(action)'\n"
}

extension Configuration {
  /// The configuration that `input.toml` would be.
  package init(file text: String, keys: KeyNames = .few) throws(ConfigurationErrors) {
    try self.init(Array(text.utf8), file: "input.toml", keys: keys)
  }

  /// The rule by which a device is used.
  ///
  /// - Throws: an error where it is not.
  package func used(_ device: DeviceDescription) throws -> AppliedRule {
    let use = rule(for: device)
    guard case .used(let rule) = use else { throw NotUsed(description: "\(device.name) is not used: \(use)") }
    return rule
  }
}

package struct NotUsed: Error, CustomStringConvertible {
  package let description: String
}
