import NIOCore

/// The number of open connections, in all and of each address. Used by the thread of the event loop only.
final class Connections {
  private var count = 0
  /// When a connection was last opened or closed.
  private var lastUse = NIODeadline.now()
  private var counts: [String: Int] = [:]

  private static let most = 2048
  /// Of one address; those of this machine itself, such as a proxy's, are bounded in all only.
  private static let mostOfAddress = 64

  /// Counts a new connection; returns whether it may stay.
  func add(_ address: SocketAddress?) -> Bool {
    count += 1
    use()
    guard let key = Self.key(address) else { return count <= Self.most }
    counts[key, default: 0] += 1
    return count <= Self.most && counts[key, default: 0] <= Self.mostOfAddress
  }

  func remove(_ address: SocketAddress?) {
    count -= 1
    use()
    guard let key = Self.key(address), let rest = counts[key].map({ $0 - 1 }) else { return }
    counts[key] = rest > 0 ? rest : nil
  }

  /// Restarts the idle time.
  func use() { lastUse = .now() }

  /// The earliest time at which `time` can have passed without a connection; not in the future if it has passed.
  func idleDeadline(_ time: TimeAmount) -> NIODeadline { (count == 0 ? lastUse : .now()) + time }

  /// The address by which connections are counted; `nil` for a connection of this machine.
  static func key(_ address: SocketAddress?) -> String? {
    guard let ip = address?.ipAddress, ip != "::1", !ip.hasPrefix("127."), !ip.hasPrefix("::ffff:127.") else {
      return nil
    }
    return ip
  }
}
