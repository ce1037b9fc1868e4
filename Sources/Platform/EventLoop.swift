import Csystemd
import Glibc

/// One thread's loop: everything a daemon waits for is a source of it. libsystemd's sd-event does the waiting.
///
/// Sources run one at a time and in order of ``Priority``, so a source of low priority sees everything that was
/// ready before it. Not thread-safe: made, used and run by one thread.
@safe
public final class EventLoop {
  /// Which of several ready sources runs first.
  public enum Priority: Int64, Sendable {
    case input = -100
    case normal = 0
    /// Runs when nothing of higher priority is ready: where a batch is closed.
    case afterwards = 100
    /// Runs when nothing else at all is ready.
    case last = 200
  }

  /// What a descriptor is waited for, and what was found.
  public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Readiness(rawValue: 0x001)
    public static let writable = Readiness(rawValue: 0x004)
    /// Found only: an error is pending, or the other end is gone.
    public static let failed = Readiness(rawValue: 0x008)
    public static let hungUp = Readiness(rawValue: 0x010)
  }

  private let loop: OpaquePointer

  public init() throws(SystemError) {
    var made: OpaquePointer?
    let result = unsafe sd_event_new(&made)
    guard let made = unsafe made else { throw SystemError("make an event loop", code: result) }
    unsafe loop = made
  }

  deinit { _ = unsafe sd_event_unref(loop) }

  /// Tells the service manager again and again that the loop turns, where it asked for that (`WatchdogSec=`).
  public func keepWatchdog() throws(SystemError) {
    try check(unsafe sd_event_set_watchdog(loop, 1), "tell the service manager that the loop turns")
  }

  /// Runs until ``exit(code:)``; returns its code.
  public func run() throws(SystemError) -> Int32 {
    let result = unsafe sd_event_loop(loop)
    if result < 0 { throw SystemError("run the event loop", code: result) }
    return result
  }

  /// Handles what is ready, waiting for at most `microseconds`; `false` when nothing was. For commands that go on
  /// after they have waited for something, and for tests.
  public func runOnce(waiting microseconds: UInt64) throws(SystemError) -> Bool {
    let result = unsafe sd_event_run(loop, microseconds)
    if result < 0 { throw SystemError("run the event loop", code: result) }
    return result > 0
  }

  /// Ends ``run()`` after the handler that is running now.
  public func exit(code: Int32 = 0) { unsafe sd_event_exit(loop, code) }

  /// Waits for `descriptor`, which the source keeps open for as long as it lives.
  public func watch(
    _ descriptor: Descriptor, for interest: Readiness, priority: Priority = .normal,
    _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> DescriptorSource {
    let source = try watch(number: descriptor.number, for: interest, priority: priority, handler)
    source.descriptor = descriptor
    return source
  }

  /// Waits for a descriptor that the caller owns and must keep open until the source is gone. If it is closed earlier
  /// and a duplicate exists (systemd's store keeps some), the kernel continues to report to the freed source.
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

  /// A timer that is armed later. What came due while the machine slept fires when it wakes up.
  public func timer(priority: Priority = .normal, _ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    let source = TimerSource(handler)
    try unsafe source.adopt(priority, "make a timer") { slot, context in
      unsafe sd_event_add_time(
        loop, slot, CLOCK_BOOTTIME, UInt64.max, 1,
        { _, _, context in
          unsafe EventSource.from(context, TimerSource.self).handler()
          return 0
        }, context)
    }
    return source
  }

  /// A timer on the time that people read: it fires when that has come, also because the clock was set or the machine
  /// slept.
  public func alarm(_ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    let source = TimerSource(handler)
    try unsafe source.adopt(.normal, "make an alarm") { slot, context in
      unsafe sd_event_add_time(
        loop, slot, CLOCK_REALTIME, UInt64.max, 1,
        { _, _, context in
          unsafe EventSource.from(context, TimerSource.self).handler()
          return 0
        }, context)
    }
    return source
  }

  /// Work to be done once, later in this turn of the loop, when it was asked for.
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

  /// Runs `handler` when the process gets `signal`, which is blocked otherwise.
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
