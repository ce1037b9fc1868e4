import JSON
import Journal
import Synchronization

/// A query for a reader thread.
final class ReadJob: Sendable {
  /// Returns the reply, or throws the error to reply.
  typealias Body = @Sendable (ReaderThread) throws -> EncodedObject

  let number: UInt64
  let user: UInt32
  private let body: Mutex<Body?>
  private let hasLeft = Atomic<Bool>(false)

  init(number: UInt64, user: UInt32, _ body: @escaping Body) {
    self.number = number
    self.user = user
    self.body = Mutex(body)
  }

  /// Whether no client waits for the reply any more.
  var isCancelled: Bool { hasLeft.load(ordering: .relaxed) }

  /// Drops the job, or interrupts it if it is running.
  func cancel() {
    hasLeft.store(true, ordering: .relaxed)
    _ = takeBody()
  }

  /// Removes and returns the query, so that it runs only once; `nil` afterwards, and for a dropped job.
  func takeBody() -> Body? {
    body.withLock { body in
      defer { body = nil }
      return body
    }
  }
}

/// The waiting jobs of one user, oldest first.
struct ReadQueue {
  private var jobs: [ReadJob] = []
  /// The index of the first job that was not taken.
  private var first = 0
  private var cancelled = 0

  mutating func append(_ job: ReadJob) { jobs.append(job) }

  /// Takes the oldest job that is not cancelled; `nil` without any.
  mutating func next() -> ReadJob? {
    while first < jobs.count {
      let job = jobs[first]
      first += 1
      if first > 64, first > jobs.count / 2 {
        jobs.removeFirst(first)
        first = 0
      }
      if !job.isCancelled { return job }
      cancelled = max(0, cancelled - 1)
    }
    self = ReadQueue()
    return nil
  }

  /// Counts a cancelled job. When cancelled jobs outnumber the others, they are removed.
  mutating func noteCancelled() {
    cancelled += 1
    guard cancelled > 64, cancelled > (jobs.count - first) / 2 else { return }
    jobs = jobs[first...].filter { !$0.isCancelled }
    (first, cancelled) = (0, 0)
  }

  var isEmpty: Bool { first == jobs.count }
}
