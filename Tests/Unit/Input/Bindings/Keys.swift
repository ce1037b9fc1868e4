import Bindings
import Gestures
import InputKit
import Toml

extension Configuration {
  /// A configuration in which touchscreens count.
  init(_ text: String) throws(ConfigurationErrors) {
    try self.init(file: text + "\n[touchscreens]\nuse = true\n")
  }
}

/// What is wrong in a configuration, as it is printed.
func complaints(_ text: String) -> [String] { complaints(Array(text.utf8)) }

func complaints(_ bytes: [UInt8]) -> [String] {
  do throws(ConfigurationErrors) {
    _ = try Configuration(bytes, file: "input.toml", keys: .few)
    return []
  } catch {
    return error.errors.map(\.description)
  }
}

/// Devices to match rules against.
extension DeviceDescription {
  static let keyboard = DeviceDescription(
    name: "AT Translated Set 2 keyboard", bus: 0x11, vendor: 1, product: 1, phys: "isa0060/serio0/input0",
    codes: [1: Set(1...120)])
  static let mouse = DeviceDescription(
    name: "Optical Mouse", bus: 3, vendor: 0x1234, product: 1, codes: [1: [0x110, 0x111, 0x112], 2: [0, 1, 8]])
  static let pedal = DeviceDescription(
    name: "RDing FootSwitch1F1.", bus: 3, vendor: 0x0c45, product: 0x7403, phys: "usb-0000:00:14.0-2/input0",
    codes: [1: [29, 30, 42, 46, 48, 113, 114, 115]])
  static let touchscreen = DeviceDescription(
    name: "EP0430M09", bus: 0x18, properties: [1], codes: [1: [0x14a], 3: [0, 1, 0x2f, 0x35, 0x36, 0x39]],
    axes: [
      0x2f: .init(minimum: 0, maximum: 4), 0x35: .init(minimum: 0, maximum: 1279),
      0x36: .init(minimum: 0, maximum: 767),
    ])

  func with(_ change: (inout DeviceDescription) -> Void) -> DeviceDescription {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Use {
  /// What a press of a key does under this rule, in words; nil where nothing.
  func press(_ key: UInt16) -> String? { does(Gesture(kind: .press, time: 0, key: key)) }

  /// What one finger's gesture does under this rule.
  func touch(_ kind: Gesture.Kind) -> String? { does(Gesture(kind: kind, time: 0, fingers: 1)) }

  func does(_ gesture: Gesture) -> String? {
    guard case .used(let rule) = self else { return nil }
    return rule.action(for: gesture)?.description
  }
}

/// The rule by which a device is used where touchscreens count.
func rule(_ text: String, for device: DeviceDescription = .touchscreen) throws -> AppliedRule {
  try Configuration(text).used(device)
}
