import Glibc

/// A bounded queue of messages for one receiving thread. When it is full, the oldest message is dropped.
@safe
public final class Mailbox<Message: Sendable>: @unchecked Sendable {
  /// The result of waiting for a message.
  public enum Found {
    case message(Message)
    /// The deadline passed.
    case nothing
    /// The mailbox is closed.
    case closed
  }

  private let capacity: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var messages: [Message] = []
  private var isClosed = false

  public init(capacity: Int) {
    self.capacity = max(capacity, 1)
    unsafe pthread_mutex_init(mutex, nil)
    var clock = pthread_condattr_t()
    unsafe pthread_condattr_init(&clock)
    unsafe pthread_condattr_setclock(&clock, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(change, &clock)
    unsafe pthread_condattr_destroy(&clock)
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(mutex)
    unsafe change.deallocate()
    unsafe mutex.deallocate()
  }

  /// Appends a message, without waiting for the receiver.
  public func put(_ message: Message) {
    locked {
      if messages.count == capacity { messages.removeFirst() }
      messages.append(message)
    }
  }

  /// Drops all messages and wakes up the receiver, which gets ``Found/closed`` from then on.
  public func close() {
    locked {
      messages = []
      isClosed = true
    }
  }

  /// Waits for a message until ``Clock/boottime()`` reaches `deadline`, or forever without one.
  public func take(until deadline: Int64?) -> Found {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isClosed, messages.isEmpty {
      guard let deadline else {
        unsafe pthread_cond_wait(change, mutex)
        continue
      }
      let rest = deadline &- Clock.boottime()
      guard rest > 0 else { return .nothing }
      // pthread_cond_timedwait does not accept CLOCK_BOOTTIME.
      let end = Clock.monotonic() &+ rest
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      unsafe pthread_cond_timedwait(change, mutex, &time)
    }
    return isClosed ? .closed : .message(messages.removeFirst())
  }

  private func locked(_ body: () -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body()
    unsafe pthread_cond_broadcast(change)
    unsafe pthread_mutex_unlock(mutex)
  }
}
