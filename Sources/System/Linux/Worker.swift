import CLinux
import Csystemd
import Glibc

/// A thread for blocking calls, controlled by messages.
///
/// The thread ends when its body returns, and should return when ``mailbox`` is closed. Deallocating the worker closes
/// the mailbox and does not wait.
public final class Worker<Message: Sendable>: Sendable {
  /// Messages to the thread.
  public let mailbox: Mailbox<Message>
  private let ended = Mailbox<Never>(capacity: 1)

  /// - Parameters:
  ///   - capacity: the maximum number of waiting messages.
  ///   - body: runs on the thread.
  /// - Throws: `EAGAIN` at the system's limit of threads.
  public init(capacity: Int, _ body: @escaping @Sendable (Mailbox<Message>) -> Void) throws(SystemError) {
    let mailbox = Mailbox<Message>(capacity: capacity)
    self.mailbox = mailbox
    let job = Job { [ended] in
      body(mailbox)
      ended.close()
    }
    // The event loop handles signals, so they are blocked in the new thread.
    var all = sigset_t()
    var former = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(job).toOpaque())
    guard code == 0 else {
      unsafe Unmanaged.passUnretained(job).release()
      throw SystemError("start a thread", code: code)
    }
    pthread_detach(thread)
  }

  deinit { mailbox.close() }

  /// Gives the calling thread the lowest priority for the processor and the disk.
  public static func runIdle() where Message == Void { linux_run_idle() }

  /// Closes the mailbox and waits for the end of the thread until ``Clock/boottime()`` reaches `deadline`.
  public func end(by deadline: Int64) {
    mailbox.close()
    _ = ended.take(until: deadline)
  }
}

/// The body of a thread, without generic parameters, for a C callback.
private final class Job {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
