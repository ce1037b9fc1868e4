import Csystemd
import Glibc

/// Event loop of one thread, on libsystemd's sd-event.
///
/// Sources run one at a time in order of ``Priority``. Not thread-safe: created, used and run by one thread.
@safe
public final class EventLoop {
  /// Order in which ready sources run.
  public enum Priority: Int64, Sendable {
    case input = -100
    case normal = 0
    /// Runs when no source of higher priority is ready, such as the sockets of clients.
    case afterwards = 100
    /// Runs when no socket is ready. For example, commits a batch.
    case paused = 150
    /// Runs when no other source is ready.
    case last = 200
  }

  /// Conditions of a descriptor: to wait for, or found.
  public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Readiness(rawValue: 0x001)
    public static let writable = Readiness(rawValue: 0x004)
    /// An error is pending. Reported, not requested; like ``hungUp``.
    public static let failed = Readiness(rawValue: 0x008)
    public static let hungUp = Readiness(rawValue: 0x010)
  }

  private let loop: OpaquePointer

  public init() throws(SystemError) {
    var made: OpaquePointer?
    let result = unsafe sd_event_new(&made)
    guard let made = unsafe made else { throw SystemError("create an event loop", code: result) }
    unsafe loop = made
  }

  deinit { _ = unsafe sd_event_unref(loop) }

  /// Sends keep-alive messages to the service manager if it requested them (`WatchdogSec=`).
  public func keepWatchdog() throws(SystemError) {
    try check(unsafe sd_event_set_watchdog(loop, 1), "enable the service watchdog")
  }

  /// Runs until ``exit(code:)`` and returns its code.
  public func run() throws(SystemError) -> Int32 {
    let result = unsafe sd_event_loop(loop)
    if result < 0 { throw SystemError("run the event loop", code: result) }
    return result
  }

  /// Waits for at most `microseconds` and handles one ready source; returns `false` after a timeout. For commands that
  /// wait for a condition, and for tests.
  public func runOnce(waiting microseconds: UInt64) throws(SystemError) -> Bool {
    let result = unsafe sd_event_run(loop, microseconds)
    if result < 0 { throw SystemError("run the event loop", code: result) }
    return result > 0
  }

  /// Ends ``run()`` after the current handler.
  public func exit(code: Int32 = 0) { unsafe sd_event_exit(loop, code) }

  /// Watches `descriptor`. The source keeps it open.
  public func watch(
    _ descriptor: FileDescriptor, for interest: Readiness, priority: Priority = .normal,
    _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> DescriptorSource {
    let source = try watch(number: descriptor.number, for: interest, priority: priority, handler)
    source.descriptor = descriptor
    return source
  }

  /// Watches a descriptor that the caller owns and must keep open until the source is deallocated. If the descriptor is
  /// closed earlier while a duplicate exists (as in systemd's store), the kernel continues to report to the freed
  /// source.
  public func watch(
    number: Int32, for interest: Readiness, priority: Priority = .normal,
    _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> DescriptorSource {
    let source = DescriptorSource(handler)
    try unsafe source.adopt(priority, "watch a descriptor") { slot, context in
      unsafe sd_event_add_io(
        loop, slot, number, interest.rawValue,
        { _, _, found, context in
          unsafe EventSource.from(context, DescriptorSource.self).handler(Readiness(rawValue: found))
          return 0
        }, context)
    }
    return source
  }

  /// Creates a timer on `CLOCK_BOOTTIME`, not armed. A deadline that passes during suspend fires at resume.
  public func timer(priority: Priority = .normal, _ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    try timer(on: CLOCK_BOOTTIME, priority, "create a timer", handler)
  }

  /// Creates a timer on wall-clock time, not armed. Setting the clock past the deadline fires it.
  public func alarm(_ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    try timer(on: CLOCK_REALTIME, .normal, "create an alarm", handler)
  }

  private func timer(
    on clock: clockid_t, _ priority: Priority, _ attempt: String, _ handler: @escaping () -> Void
  ) throws(SystemError) -> TimerSource {
    let source = TimerSource(handler)
    try unsafe source.adopt(priority, attempt) { slot, context in
      unsafe sd_event_add_time(
        loop, slot, clock, UInt64.max, 1,
        { _, _, context in
          unsafe EventSource.from(context, TimerSource.self).handler()
          return 0
        }, context)
    }
    return source
  }

  /// Creates a source that runs once, later in the same turn of the loop, each time it is scheduled.
  public func deferred(priority: Priority = .afterwards, _ handler: @escaping () -> Void)
    throws(SystemError) -> DeferredSource
  {
    let source = DeferredSource(handler)
    try unsafe source.adopt(priority, "defer work") { slot, context in
      unsafe sd_event_add_defer(
        loop, slot,
        { _, context in
          unsafe EventSource.from(context, DeferredSource.self).run()
          return 0
        }, context)
    }
    source.cancel()
    return source
  }

  /// Blocks `signal`, and runs `handler` when the process receives it.
  public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) throws(SystemError) -> SignalSource {
    let source = SignalSource(handler)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
    try unsafe source.adopt(.normal, "wait for a signal") { slot, context in
      unsafe sd_event_add_signal(
        loop, slot, signal,
        { _, _, context in
          unsafe EventSource.from(context, SignalSource.self).handler()
          return 0
        }, context)
    }
    return source
  }
}
