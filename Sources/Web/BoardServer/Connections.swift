import Glibc
import NIOCore

/// The number of open connections, in all and of each address. Used by the thread of the event loop only.
final class Connections {
  private var count = 0
  /// The time at which a connection was last opened or closed.
  private var lastUse = NIODeadline.now()
  private var counts: [String: Int] = [:]
  /// The budgets of addresses that have recently sent requests, with or without a connection now.
  private var budgets: [String: RequestBudget] = [:]
  /// The budget of all connections of this machine together: any user can make many. They take turns, as each of them
  /// has one request at a time.
  private var machine = RequestBudget(burst: .milliseconds(250), each: .milliseconds(1))

  private static let most = 2048
  /// The maximum per address. Connections of this machine itself, such as a proxy's, only count towards the total.
  private static let mostOfAddress = 64
  /// The number of budgets above which full budgets are removed.
  private static let mostBudgets = 4096

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

  /// The earliest time at which `time` can have passed without a connection. A result in the future means that `time`
  /// has not passed.
  func idleDeadline(_ time: TimeAmount) -> NIODeadline { (count == 0 ? lastUse : .now()) + time }

  /// The time for which a request of an address must wait.
  func wait(_ key: String, at now: NIODeadline) -> TimeAmount {
    if budgets.count >= Self.mostBudgets { budgets = budgets.filter { !$0.value.isWhole(at: now) } }
    return budgets[key, default: RequestBudget()].take(at: now)
  }

  /// The time for which a request of this machine must wait.
  func waitOfMachine(at now: NIODeadline) -> TimeAmount { machine.take(at: now) }

  /// The address by which connections are counted; `nil` for a connection of this machine. For IPv6 the network, in
  /// which a host may have any number of addresses.
  static func key(_ address: SocketAddress?) -> String? {
    guard let ip = address?.ipAddress, ip != "::1", !ip.hasPrefix("127."), !ip.hasPrefix("::ffff:127.") else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard !ip.hasPrefix("::ffff:"), unsafe inet_pton(AF_INET6, ip, &bytes) == 1 else { return ip }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }
}

/// Limits the requests of one address: a number at once, then a rate; others wait.
///
/// Stores the time at which the last request would be served if none were served at once (a virtual scheduling
/// algorithm, ITU-T I.371).
struct RequestBudget {
  private let burst: TimeAmount
  private let each: TimeAmount
  private var end = NIODeadline.uptimeNanoseconds(0)

  /// - Parameters:
  ///   - burst: the number of requests that are served at once, as the time that they take at the rate of `each`. A
  ///     page loads some twenty files; several devices may share an address.
  ///   - each: the time between two further requests.
  init(burst: TimeAmount = .seconds(2), each: TimeAmount = .milliseconds(5)) {
    self.burst = burst
    self.each = each
  }

  /// Takes one request from the budget; returns its waiting time.
  mutating func take(at now: NIODeadline) -> TimeAmount {
    end = max(end, now) + each
    return max(.zero, end - now - burst)
  }

  func isWhole(at now: NIODeadline) -> Bool { end <= now }
}
