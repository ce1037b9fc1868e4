import JSON
import Journal
import Linux

/// The reader threads, for use in the event loop: runs jobs, and calls their handlers in the loop.
final class ReadPool {
  typealias Handler = (Result<EncodedObject, any Error>) -> Void

  private let scheduler: ReadScheduler
  private let loop: EventLoop
  private var source: DescriptorSource?
  private var handlers: [UInt64: Handler] = [:]
  private var lastNumber: UInt64 = 0
  /// Called when no job is running any more; see ``drain(_:)``.
  private var onDrained: (() -> Void)?

  /// - Parameter patience: the time after which an idle thread ends, in nanoseconds.
  init(
    _ location: JournalReader.Location, loop: EventLoop, patience: Int64 = ReadScheduler.patience
  ) throws(SystemError) {
    let wakeup = try Wakeup()
    self.loop = loop
    scheduler = ReadScheduler(location, wakeup: wakeup, patience: patience)
    // The priority is that of sockets, so that calls and finished jobs take turns.
    source = try wakeup.watch(on: loop, priority: .afterwards) { [unowned self] in deliver() }
  }

  deinit { end() }

  /// Runs `body` on a reader thread when it is the user's turn, then `handler` in the loop, unless the job is
  /// cancelled.
  func run(for user: UInt32, _ body: @escaping ReadJob.Body, then handler: @escaping Handler) -> ReadJob {
    lastNumber += 1
    let job = ReadJob(number: lastNumber, user: user, body)
    handlers[job.number] = handler
    scheduler.add(job)
    return job
  }

  /// Drops a job, or interrupts it if it is running.
  func cancel(_ job: ReadJob) {
    guard handlers.removeValue(forKey: job.number) != nil else { return }
    scheduler.cancel(job)
  }

  /// Starts no further job until the running ones have ended and `then` was called.
  func drain(_ then: @escaping () -> Void) {
    onDrained = then
    scheduler.setDraining(true)
  }

  var isDraining: Bool { onDrained != nil }

  /// Cancels all jobs and ends the threads.
  func end() {
    handlers = [:]
    source = nil
    // A running job checks for the end within 1 to 2 ms.
    scheduler.close(by: Clock.boottime() &+ 1_000_000_000)
  }

  var threadCount: Int { scheduler.threadCount }

  private func deliver() {
    for (number, result) in scheduler.takeReplies() { handlers.removeValue(forKey: number)?(result) }
    if let onDrained, scheduler.isDrained {
      self.onDrained = nil
      onDrained()
      scheduler.setDraining(false)
    }
  }
}
