import CLinux
import Csystemd

/// A source of an ``EventLoop``. It is active as long as this object lives.
@safe
public class EventSource {
  final var source: OpaquePointer?
  /// Closed after the source has left the loop, because properties are released after the body of `deinit`.
  final var descriptor: FileDescriptor?

  init() {}

  deinit { _ = unsafe sd_event_source_disable_unref(source) }

  /// Adds the source to its loop with `add`, which receives the slot to fill and the context of the callback.
  final func adopt(
    _ priority: EventLoop.Priority, _ attempt: String,
    _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) {
    // Unretained: the source leaves the loop in deinit, before this pointer dies.
    try check(unsafe add(&source, Unmanaged.passUnretained(self).toOpaque()), attempt)
    unsafe sd_event_source_set_priority(source, priority.rawValue)
  }

  /// The object of a callback's context, retained for the length of the callback.
  static func from<Source: EventSource>(_ context: UnsafeMutableRawPointer?, _: Source.Type) -> Source {
    unsafe Unmanaged<Source>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}

/// Reports that a descriptor is readable or writable.
public final class DescriptorSource: EventSource {
  let handler: (EventLoop.Readiness) -> Void

  init(_ handler: @escaping (EventLoop.Readiness) -> Void) { self.handler = handler }

  /// Replaces the conditions to wait for; an empty set still reports errors and hang-ups.
  public func wait(for interest: EventLoop.Readiness) {
    unsafe sd_event_source_set_io_events(source, interest.rawValue)
  }
}

/// Fires once each time it is armed.
public final class TimerSource: EventSource {
  let handler: () -> Void

  init(_ handler: @escaping () -> Void) { self.handler = handler }

  /// Sets the deadline in nanoseconds of ``Clock/boottime()``, or since 1970 for an alarm; replaces the previous one. A
  /// deadline in the past fires at once.
  public func arm(at deadline: Int64) {
    // Rounded up, so that the timer never fires before its deadline.
    let microseconds = UInt64(clamping: deadline / 1000 &+ 1)
    unsafe sd_event_source_set_time(source, microseconds)
    unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }

  /// Whether a deadline is set.
  var isArmed: Bool { unsafe sd_event_source_get_enabled(source, nil) > 0 }

  /// Removes the deadline, if any.
  public func disarm() { unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)) }
}

/// Runs once each time it is scheduled, in the same turn of the loop.
public final class DeferredSource: EventSource {
  private let handler: () -> Void
  /// Whether the loop will run the source; sd-event creates it scheduled.
  private var isScheduled = true

  init(_ handler: @escaping () -> Void) { self.handler = handler }

  public func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }

  public func cancel() {
    guard isScheduled else { return }
    isScheduled = false
    unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
  }

  func run() {
    isScheduled = false
    handler()
  }
}

public final class SignalSource: EventSource {
  let handler: () -> Void

  init(_ handler: @escaping () -> Void) { self.handler = handler }
}

/// Wakes up a loop from another thread (`eventfd`). Signals before the loop's next turn are combined.
public final class Wakeup: Sendable {
  private let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try check(linux_eventfd(), "create an eventfd"))
  }

  /// Calls `handler` in `loop` after each signal, as long as the source lives.
  public func watch(
    on loop: EventLoop, priority: EventLoop.Priority, _ handler: @escaping () -> Void
  ) throws(SystemError) -> DescriptorSource {
    try loop.watch(descriptor, for: .readable, priority: priority) { [descriptor] _ in
      var count: UInt64 = 0
      _ = unsafe withUnsafeMutableBytes(of: &count) { bytes in unsafe try? descriptor.read(into: bytes) }
      handler()
    }
  }

  /// Wakes up the loop; any thread may call this.
  public func signal() {
    let one: UInt64 = 1
    _ = unsafe withUnsafeBytes(of: one) { bytes in unsafe try? descriptor.write(bytes) }
  }
}
