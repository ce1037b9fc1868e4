import Glibc

/// The machine's zone database, and the zone of this process.
public struct ZoneFolder: Sendable {
  private let path: String
  private let localFile: String

  /// - Parameters:
  ///   - path: the absolute path of the database; `nil` for `TZDIR`, or else /usr/share/zoneinfo.
  ///   - localFile: the file of the machine's zone.
  public init(path: String? = nil, localFile: String = "/etc/localtime") {
    let chosen = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
    self.path = path ?? chosen ?? "/usr/share/zoneinfo"
    self.localFile = localFile
  }

  /// The zone called `name`, such as Europe/Berlin; for `nil`, the zone of this process, by `TZ` or /etc/localtime.
  ///
  /// Changed files are read again. If a file cannot be read at the moment, its zone stays as it was read before.
  ///
  /// - Throws: ``ZoneError`` for an unknown name, and for a file that is no zone or was never readable.
  public func zone(named name: String?) throws(ZoneError) -> Zone {
    guard let name else { return try local() }
    if let zone = try databaseZone(name) { return zone }
    // UTC needs no database.
    if name == Zone.utc.name { return .utc }
    throw ZoneError(
      "there is no time zone “\(name.prefix(64))” on this machine; zones have names such as Europe/Berlin")
  }

  private func databaseZone(_ name: String) throws(ZoneError) -> Zone? {
    guard Self.isName(name) else { return nil }
    return try ZoneLibrary.load(file: "\(path)/\(name)", of: name).map { setting in
      Zone(name: name, isInDatabase: true, setting: setting)
    }
  }

  /// The zone that the C library uses in this process.
  private func local() throws(ZoneError) -> Zone {
    guard var rule = ZoneLibrary.processSetting else { return try zone(file: localFile) }
    if rule.hasPrefix(":") { rule.removeFirst() }
    if rule.isEmpty { return .utc }
    if rule.hasPrefix("/") { return try zone(file: rule) }
    if let zone = try databaseZone(rule) { return zone }
    return Zone(name: String(rule.prefix(64)), isInDatabase: false, setting: rule)
  }

  /// The zone of a file, under its database name if links lead into the database.
  private func zone(file: String) throws(ZoneError) -> Zone {
    if let resolved = unsafe realpath(file, nil) {
      defer { unsafe free(resolved) }
      let parts = unsafe String(cString: resolved).split(separator: "/")
      if let folder = parts.firstIndex(of: "zoneinfo"),
        let zone = try databaseZone(parts[(folder + 1)...].joined(separator: "/"))
      {
        return zone
      }
    }
    let setting = try ZoneLibrary.load(file: file, of: file)
    return setting.map { Zone(name: file, isInDatabase: false, setting: $0) } ?? .utc
  }

  /// Whether a name cannot refer to a file outside of the folder.
  private static func isName(_ name: String) -> Bool {
    guard 1...64 ~= name.utf8.count else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      guard let first = part.utf8.first, isLetter(first) else { return false }
      return part.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "_+-".utf8.contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF }
}
