import Glibc

/// The zone database of the machine: `/usr/share/zoneinfo`.
public struct ZoneFolder: Sendable {
  public let path: String

  public init(path: String = "/usr/share/zoneinfo") { self.path = path }

  /// The largest file that is read; those of the database have a few thousand bytes.
  static let longestFile = 64 * 1024

  /// The zone called `name`, such as Europe/Berlin.
  ///
  /// - Throws: a ``ZoneError``, a sentence, where there is none or its file cannot be used.
  public func zone(named name: String) throws(ZoneError) -> Zone {
    guard Self.isName(name) else { throw Self.unknown(name) }
    guard let bytes = try read("\(path)/\(name)", name) else {
      // A machine without the database still knows this one.
      if name == Zone.utc.name { return .utc }
      throw Self.unknown(name)
    }
    do throws(ZoneError) {
      return Zone(name: name, rules: try ZoneRules(tzif: bytes))
    } catch {
      throw ZoneError("The file of the time zone “\(name)” cannot be used: \(error).")
    }
  }

  /// The zone that this machine's clock shows: what `TZ` names, or `/etc/localtime` leads to, or universal time.
  ///
  /// - Throws: a ``ZoneError`` where that zone cannot be read now.
  public func local() throws(ZoneError) -> Zone {
    if let value = unsafe getenv("TZ"), unsafe value.pointee != 0 {
      var name = unsafe String(cString: value)
      if name.hasPrefix(":") { name.removeFirst() }
      if let zone = try usableZone(named: name) { return zone }
    }
    guard let resolved = unsafe realpath("/etc/localtime", nil) else { return .utc }
    defer { unsafe free(resolved) }
    let parts = unsafe String(cString: resolved).split(separator: "/")
    guard let folder = parts.firstIndex(of: "zoneinfo") else { return .utc }
    return try usableZone(named: parts[(folder + 1)...].joined(separator: "/")) ?? .utc
  }

  /// `nil` where there is none, or none that makes sense.
  private func usableZone(named name: String) throws(ZoneError) -> Zone? {
    do throws(ZoneError) {
      return try zone(named: name)
    } catch {
      if error.mayPass { throw error }
      return nil
    }
  }

  private static func unknown(_ name: String) -> ZoneError {
    ZoneError("There is no time zone “\(name.prefix(64))” on this machine; zones are called like Europe/Berlin.")
  }

  /// Names lead nowhere but into the folder.
  private static func isName(_ name: String) -> Bool {
    guard 1...64 ~= name.utf8.count else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      guard let first = part.utf8.first, isLetter(first) else { return false }
      return part.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "_+-".utf8.contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF }

  /// What a file holds; `nil` where there is none.
  private func read(_ file: String, _ name: String) throws(ZoneError) -> [UInt8]? {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ZoneError("The file of the time zone “\(name)” cannot be opened.", mayPass: true)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while bytes.count <= Self.longestFile {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else {
        if errno == EISDIR { return nil }
        throw ZoneError("The file of the time zone “\(name)” cannot be read.", mayPass: true)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw ZoneError("The file of the time zone “\(name)” is far too long.")
  }
}
