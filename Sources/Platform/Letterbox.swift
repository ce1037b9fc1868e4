import Glibc

/// What one thread waits for and others put in. Holds few letters: where nobody takes them the oldest are dropped.
@safe
public final class Letterbox<Letter: Sendable>: @unchecked Sendable {
  /// What waiting came to.
  public enum Found {
    case letter(Letter)
    /// The deadline came first.
    case nothing
    /// Nothing will come any more.
    case closed
  }

  private let capacity: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var letters: [Letter] = []
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

  /// Never waits for longer than it takes to put a letter in or out.
  public func put(_ letter: Letter) {
    locked {
      if letters.count == capacity { letters.removeFirst() }
      letters.append(letter)
    }
  }

  /// Nothing is put in any more; what waits in it is thrown away.
  public func close() {
    locked {
      letters = []
      isClosed = true
    }
  }

  /// Waits for a letter until ``Clock/boottime()`` reaches `deadline`, or for ever.
  public func take(until deadline: Int64?) -> Found {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isClosed, letters.isEmpty {
      guard let deadline else {
        unsafe pthread_cond_wait(change, mutex)
        continue
      }
      let rest = deadline &- Clock.boottime()
      guard rest > 0 else { return .nothing }
      // No condition is waited for by the clock that goes on while the machine sleeps.
      let end = Clock.monotonic() &+ rest
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      unsafe pthread_cond_timedwait(change, mutex, &time)
    }
    return isClosed ? .closed : .letter(letters.removeFirst())
  }

  private func locked(_ body: () -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body()
    unsafe pthread_cond_broadcast(change)
    unsafe pthread_mutex_unlock(mutex)
  }
}
