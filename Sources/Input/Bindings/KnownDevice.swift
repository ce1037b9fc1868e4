import Gestures
import Toml

/// A model of clicker, pedal, presenter, shutter, ring or dial that is used even if no configuration names it.
public struct KnownDevice: Equatable, Sendable {
  /// The kind of device, which decides its key layout and the default actions of its gestures.
  public enum Kind: String, CaseIterable, Sendable {
    case clicker, pedal, presenter, shutter
    /// Sends a simulated swipe for each press, so that every touch gesture of the ring is a press.
    case ring
    /// A knob: a turn to the right adds, a turn to the left subtracts.
    case dial
  }

  /// The name for people.
  public let title: String
  public let kind: Kind
  public let conditions: DeviceConditions
  /// The public source that confirms the identity and the name.
  public let source: String

  /// The models that come with the program (`known-devices.toml`).
  public static let shipped = (try? list(PackageResources.known_devices_toml, file: "known-devices.toml")) ?? []

  /// Whether a node has the keys of this kind of device. An identity alone is not enough: manufacturers use one
  /// identity for several products.
  func fits(_ device: DeviceDescription) -> Bool {
    let hasKey = { (code: UInt16) in device.sends(EventCode.EV_KEY, code) }
    switch kind {
    case .clicker, .pedal: return device.hasKeys
    case .presenter:
      // KEY_PAGEUP and KEY_PAGEDOWN, or KEY_LEFT and KEY_RIGHT.
      return hasKey(104) && hasKey(109) || hasKey(105) && hasKey(106)
    case .shutter:
      // KEY_VOLUMEUP, KEY_ENTER or KEY_CAMERA.
      return hasKey(115) || hasKey(28) || hasKey(212)
    case .ring: return device.touch != .none || device.hasKeys
    case .dial: return device.hasWheels
    }
  }

  static func list(_ bytes: [UInt8], file: String) throws(ConfigurationErrors) -> [KnownDevice] {
    var reader = ConfigurationReader(file: file, keys: KeyNames(code: { _ in nil }))
    var devices: [KnownDevice] = []
    for member in try reader.members(of: bytes, known: ["device"]) {
      for (members, place) in reader.tables(member.key, member.value) {
        if let device = reader.knownDevice(members, at: place) { devices.append(device) }
      }
    }
    try reader.finish()
    return devices
  }
}
