import Csystemd

/// Something an ``EventLoop`` waits for. It is waited for as long as somebody holds this object.
@safe
public class EventSource {
  final var source: OpaquePointer?
  /// Closed after the source has left the loop: the properties of a class outlive the body of its `deinit`.
  final var descriptor: Descriptor?

  init() {}

  deinit { _ = unsafe sd_event_source_disable_unref(source) }

  /// Adds the source to its loop with `add`, which gets the slot to fill and the context of the callback.
  final func adopt(
    _ priority: EventLoop.Priority, _ attempt: String,
    _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) {
    // Unretained: the source leaves the loop in deinit, before this pointer dies.
    try check(unsafe add(&source, Unmanaged.passUnretained(self).toOpaque()), attempt)
    unsafe sd_event_source_set_priority(source, priority.rawValue)
  }

  /// The object behind a callback's context, held for the length of the callback even if its handler lets go of it.
  static func from<Source: EventSource>(_ context: UnsafeMutableRawPointer?, _: Source.Type) -> Source {
    unsafe Unmanaged<Source>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}

/// Waits for a descriptor to become readable or writable.
public final class DescriptorSource: EventSource {
  let handler: (EventLoop.Readiness) -> Void

  init(_ handler: @escaping (EventLoop.Readiness) -> Void) { self.handler = handler }

  /// Waits for `interest` from now on; an empty set still notices failure and hang-up.
  public func wait(for interest: EventLoop.Readiness) {
    unsafe sd_event_source_set_io_events(source, interest.rawValue)
  }
}

/// Fires once each time it is armed.
public final class TimerSource: EventSource {
  let handler: () -> Void

  init(_ handler: @escaping () -> Void) { self.handler = handler }

  /// Fires when ``Clock/boottime()``, or for an alarm the time since 1970, reaches `deadline` (nanoseconds), at once if
  /// it has passed; replaces an earlier one.
  public func arm(at deadline: Int64) {
    // Rounded up: a timer that fires early would find its deadline still ahead.
    let microseconds = UInt64(clamping: deadline / 1000 &+ 1)
    unsafe sd_event_source_set_time(source, microseconds)
    unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }

  /// Whether it will fire.
  var isArmed: Bool { unsafe sd_event_source_get_enabled(source, nil) > 0 }

  /// Forgets the deadline, if there is one.
  public func disarm() { unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)) }
}

/// Runs once each time it is scheduled, in the same turn of the loop.
public final class DeferredSource: EventSource {
  private let handler: () -> Void
  /// What the loop knows; it makes a new source one that is due.
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

/// Waits for a signal to the process.
public final class SignalSource: EventSource {
  let handler: () -> Void

  init(_ handler: @escaping () -> Void) { self.handler = handler }
}
