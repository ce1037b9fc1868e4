import Gestures
import Toml

/// A model of clicker, pedal, presenter, shutter or ring that is used without being named by anyone.
public struct KnownDevice: Equatable, Sendable {
  /// What sort of thing it is; decides what its gestures do by default.
  public enum Kind: String, CaseIterable, Sendable {
    case clicker, pedal, presenter, shutter
    /// Sends a machine-made swipe for each press, so that every touch gesture of it is a press.
    case ring
  }

  /// Its name for people.
  public let title: String
  public let kind: Kind
  public let conditions: DeviceConditions

  /// The models that come with the program (`known-devices.toml`).
  public static let shipped = (try? list(PackageResources.known_devices_toml, file: "known-devices.toml")) ?? []

  /// Reads a list of known devices.
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

extension ConfigurationReader {
  fileprivate mutating func knownDevice(_ members: [Member], at place: Place) -> KnownDevice? {
    checkKeys(members, of: "[[device]]", known: ["title", "kind"] + Self.conditionKeys)
    let conditions = conditions(members, of: "[[device]]", at: place)
    let title = members.first { $0.key == "title" }.flatMap { string("title", $0.value) }
    let kind = members.first { $0.key == "kind" }.flatMap { string("kind", $0.value) }
    guard let title, let kind = kind.flatMap({ KnownDevice.Kind(rawValue: $0) }) else {
      let kinds = KnownDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      fail(place, "[[device]] needs a title and a kind", hint: "kinds are \(kinds)")
      return nil
    }
    return KnownDevice(title: title, kind: kind, conditions: conditions)
  }
}
