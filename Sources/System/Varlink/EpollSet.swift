import CLinux
import Linux

/// A set of sockets as a single source of an event loop (epoll): all ready sockets are handled in one turn.
///
/// An event loop handles one source per turn and polls all sources each time. With many busy clients, polling would
/// cost more than serving them.
final class EpollSet {
  /// Maximum duration of a turn in nanoseconds. Then replies that wait for a commit are sent, and other sources run.
  private static let longestTurn: Int64 = 2_000_000

  private let set: FileDescriptor
  /// Number of sockets in the set.
  private var count = 0
  /// Whether several sockets were ready in the last turn. If not, one epoll_wait(2) per turn is enough.
  private var isCrowded = false
  private var source: DescriptorSource?
  /// Ready sockets, as reported by the kernel.
  private var found = [linux_ready](repeating: linux_ready(), count: 64)
  /// Indexes of `found` that are not handled yet. A turn may end in the middle, and the next turn continues there, so
  /// that no socket is preferred.
  private var waiting = 0..<0
  /// Whether the last turn ended before it had handled all ready sockets.
  var hasWaiting: Bool { !waiting.isEmpty }

  init() throws(SystemError) { set = FileDescriptor(owning: try check(linux_epoll_create(), "wait for connections")) }

  /// Starts passing ready sockets and their conditions to `handler`; runs `then` after each turn.
  func serve(
    on loop: EventLoop, _ handler: @escaping (UInt64, EventLoop.Readiness) -> Void, then: @escaping () -> Void
  ) throws(SystemError) {
    source = try loop.watch(set, for: .readable, priority: .afterwards) { [unowned self] _ in
      let end = Clock.monotonic() &+ Self.longestTurn
      // A turn that continues does not poll again, so that all sockets found before are handled first.
      let isContinued = hasWaiting
      if !isContinued { findReady() }
      let ready = waiting.count
      var isOver = handleReady(handler, until: end)
      // If all sockets were ready, all clients are waiting for replies, so another poll would find nothing.
      if !isContinued, ready > 1 || isCrowded, ready < count {
        isCrowded = ready > 1
        while !isOver, findReady() {
          isCrowded = true
          isOver = handleReady(handler, until: end)
        }
      }
      then()
    }
  }

  /// Polls the set; returns whether any socket is ready.
  @discardableResult
  private func findReady() -> Bool {
    waiting = 0..<max(0, Int(unsafe linux_epoll_ready(set.number, &found, UInt32(found.count))))
    return !waiting.isEmpty
  }

  /// Handles the ready sockets; returns whether the time `end` was reached.
  private func handleReady(_ handler: (UInt64, EventLoop.Readiness) -> Void, until end: Int64) -> Bool {
    while let next = waiting.popFirst() {
      handler(found[next].token, EventLoop.Readiness(rawValue: found[next].events))
      if Clock.monotonic() > end { return true }
    }
    return false
  }

  /// Adds `socket`; the handler receives `token`.
  func add(_ socket: FileDescriptor, as token: UInt64, for interest: EventLoop.Readiness) throws(SystemError) {
    let result = linux_epoll_add(set.number, socket.number, interest.rawValue, token)
    try check(result, "wait for a connection")
    count += 1
  }

  /// Adds a listening socket, which is not counted among the clients.
  func add(listening socket: FileDescriptor, as token: UInt64) throws(SystemError) {
    let result = linux_epoll_add(set.number, socket.number, EventLoop.Readiness.readable.rawValue, token)
    try check(result, "wait for connections")
  }

  /// Replaces the conditions to wait for; an empty set still reports errors and hang-ups.
  func change(_ socket: FileDescriptor, as token: UInt64, to interest: EventLoop.Readiness) {
    _ = linux_epoll_change(set.number, socket.number, interest.rawValue, token)
  }

  /// Removes `socket`, which may be closed afterwards.
  func remove(_ socket: FileDescriptor) {
    _ = linux_epoll_remove(set.number, socket.number)
    count -= 1
  }
}
