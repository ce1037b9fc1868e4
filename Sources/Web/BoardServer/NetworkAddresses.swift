import NIOCore

/// The addresses by which other devices reach this machine.
public enum NetworkAddresses {
  /// Whether no other device can open any of these addresses of a board.
  public static func areOfThisMachineOnly(_ urls: [String]) -> Bool {
    urls.allSatisfy { url in ["http://127.", "http://[::1]:", "http://localhost:"].contains(where: url.hasPrefix) }
  }

  /// A board's address with each address of this machine in place of an address for all of them (`0.0.0.0`, `[::]`);
  /// otherwise the address as it is.
  public static func resolve(_ url: String) -> [String] {
    guard let any = ["http://0.0.0.0:", "http://[::]:"].first(where: url.hasPrefix) else { return [url] }
    let rest = url.dropFirst(any.count)
    let addresses = ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    // Link-local addresses (fe80::) need the name of an interface, which browsers refuse.
    let reachable = addresses.filter { $0 != "::1" && !$0.hasPrefix("127.") && !$0.lowercased().hasPrefix("fe80:") }
    // IPv4 addresses first, because they are shorter to type.
    let sorted = reachable.filter { !$0.contains(":") } + reachable.filter { $0.contains(":") }
    return sorted.isEmpty ? [url] : sorted.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(rest)" }
  }
}
