import Csystemd
import Glibc

/// A thread of its own, for calls that may block and must hold up nothing else.
///
/// It ends when ``letters`` are closed and what it was doing is done; nobody has to wait for that.
public final class Worker<Letter: Sendable>: Sendable {
  /// What the thread is told.
  public let letters: Letterbox<Letter>
  private let ended = Letterbox<Never>(capacity: 1)

  /// - Parameters:
  ///   - capacity: how many letters wait at most.
  ///   - body: runs on the thread, and ends it by returning.
  /// - Throws: where the system has no more threads.
  public init(capacity: Int, _ body: @escaping @Sendable (Letterbox<Letter>) -> Void) throws(SystemError) {
    let letters = Letterbox<Letter>(capacity: capacity)
    self.letters = letters
    let job = Job { [ended] in
      body(letters)
      ended.close()
    }
    // Signals are the loop's, whose thread blocks and then asks for them.
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

  deinit { letters.close() }

  /// Asks the thread to end, and waits for that until ``Clock/boottime()`` reaches `deadline`.
  public func end(by deadline: Int64) {
    letters.close()
    _ = ended.take(until: deadline)
  }
}

/// What a thread runs, without the type of its letters, which C knows nothing of.
private final class Job {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
