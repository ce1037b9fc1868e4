import CLinux
import Platform

/// Many sockets as one source of a loop: whatever is ready among them is handled together, in one turn.
///
/// The loop handles one source a turn, and asks the kernel about all others each time. With many busy clients that
/// would cost more than serving them.
final class SocketSet {
  /// How often what has become ready meanwhile is handled in the same turn: it makes for larger batches.
  private static let longestTurn = 8

  private let set: Descriptor
  private var source: DescriptorSource?
  private var found = [linux_ready](repeating: linux_ready(), count: 64)

  init() throws(SystemError) { set = Descriptor(owning: try check(linux_epoll_create(), "wait for connections")) }

  /// Tells `handler` from now on which sockets are ready, and for what; runs `then` after each turn.
  func serve(
    on loop: EventLoop, _ handler: @escaping (UInt64, EventLoop.Readiness) -> Void, then: @escaping () -> Void
  ) throws(SystemError) {
    // At the lowest priority, so that work put off until afterwards takes turns with the clients: it is not kept
    // waiting by clients that never pause.
    source = try loop.watch(set, for: .readable, priority: .afterwards) { [unowned self] _ in
      var rounds = 0
      while rounds < Self.longestTurn, handleReady(handler) { rounds += 1 }
      then()
    }
  }

  /// Handles what is ready now; whether anything was.
  private func handleReady(_ handler: (UInt64, EventLoop.Readiness) -> Void) -> Bool {
    let count = unsafe linux_epoll_ready(set.number, &found, UInt32(found.count))
    for index in 0..<max(0, Int(count)) {
      handler(found[index].token, EventLoop.Readiness(rawValue: found[index].events))
    }
    return count > 0
  }

  /// Waits for `socket`, which the handler knows as `token`.
  func add(_ socket: Descriptor, as token: UInt64, for interest: EventLoop.Readiness) throws(SystemError) {
    let result = linux_epoll_add(set.number, socket.number, interest.rawValue, token)
    try check(result, "wait for a connection")
  }

  /// Waits for `interest` from now on; an empty set still notices failure and hang-up.
  func change(_ socket: Descriptor, as token: UInt64, to interest: EventLoop.Readiness) {
    _ = linux_epoll_change(set.number, socket.number, interest.rawValue, token)
  }

  /// Waits no more for `socket`, which may be closed then.
  func remove(_ socket: Descriptor) {
    _ = linux_epoll_remove(set.number, socket.number)
  }
}
