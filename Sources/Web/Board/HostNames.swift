/// The names under which the board may be addressed.
///
/// DNS rebinding makes a stranger's name resolve to this machine. The browser then sends that name in `Host`, and this
/// check refuses it.
public struct HostNames: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - machine: the machine's host name; also allowed with `.local`.
  ///   - others: further names, such as that of a proxy.
  public init(machine: String, others: [String] = []) {
    let machine = machine.lowercased()
    names = Set(["localhost", machine, "\(machine).local"] + others.map { $0.lowercased() }).subtracting(["", ".local"])
  }

  /// Whether a `Host` header names this board: by an IP address, or by one of its names; with any port.
  public func allow(_ header: String) -> Bool {
    guard let name = Self.name(in: header) else { return false }
    return Self.isAddress(name) || names.contains(name.lowercased())
  }

  /// The host without its port; `nil` for invalid text.
  private static func name(in header: String) -> String? {
    guard 1...255 ~= header.utf8.count, header.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
    let (name, port): (Substring, Substring?)
    if header.hasPrefix("[") {
      guard let end = header.firstIndex(of: "]") else { return nil }
      let rest = header[header.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      (name, port) = (header[...end], rest.isEmpty ? nil : rest.dropFirst())
    } else {
      let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      (name, port) = (parts[0], parts.count > 1 ? parts[1] : nil)
    }
    if let port { guard UInt16(port) != nil else { return nil } }
    // A full stop at the end names the same host.
    return String(name.hasSuffix(".") ? name.dropLast() : name)
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("[") {
      let digits = name.dropFirst().dropLast()
      return digits.utf8.count >= 2 && digits.contains(":") && digits.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.count <= 3 && $0.allSatisfy(\.isNumber) }
  }
}
