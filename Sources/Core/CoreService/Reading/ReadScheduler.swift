import JSON
import Journal
import Linux
import Synchronization
import Varlink

/// Runs read jobs on a few threads, only one of which runs at a time: all queries together use at most one processor,
/// which is shared equally between users.
///
/// Users take turns. A job that has run for ``turn`` is paused if another user waits. Each user has at most one started
/// job. Threads are started on demand, and end after their patience without work.
final class ReadScheduler: Sendable {
  private static let mostThreads = 4
  /// The time of a turn, in nanoseconds.
  private static let turn: Int64 = 5_000_000
  /// The usual time after which an idle thread ends, in nanoseconds.
  static let patience: Int64 = 3_000_000_000

  typealias Reply = (job: UInt64, result: Result<EncodedObject, any Error>)

  /// The order of turns.
  private enum Entry: Equatable {
    /// The next job of a user without a started job.
    case user(UInt32)
    /// The paused job of a thread.
    case thread(Int)
  }

  private struct State {
    var queues: [UInt32: ReadQueue] = [:]
    var line: [Entry] = []
    /// Wakes a thread when its turn comes.
    var threads = [Worker<Void>?](repeating: nil, count: ReadScheduler.mostThreads)
    /// The current job of each thread; `nil` for an idle thread.
    var jobs = [ReadJob?](repeating: nil, count: ReadScheduler.mostThreads)
    var running: Int?
    var replies: [Reply] = []
    /// Whether no job may start, so that all snapshots end.
    var isDraining = false
    var isClosed = false

    var isIdle: Bool { jobs.allSatisfy { $0 == nil } }
  }

  private let location: JournalReader.Location
  private let wakeup: Wakeup
  private let patience: Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - wakeup: signalled when ``takeReplies()`` has something to return, or when ``isDrained`` became true.
  ///   - patience: the time after which an idle thread ends, in nanoseconds.
  init(_ location: JournalReader.Location, wakeup: Wakeup, patience: Int64) {
    self.location = location
    self.patience = patience
    self.wakeup = wakeup
  }

  // MARK: From the loop

  func add(_ job: ReadJob) {
    state.withLock { state in
      guard !state.isClosed else { return }
      let isWaiting = state.queues[job.user] != nil
      state.queues[job.user, default: ReadQueue()].append(job)
      let hasBegun = state.jobs.contains { $0?.user == job.user }
      if !isWaiting, !hasBegun { state.line.append(.user(job.user)) }
      if state.running == nil { passTurn(&state) }
    }
  }

  func cancel(_ job: ReadJob) {
    job.cancel()
    state.withLock { $0.queues[job.user]?.noteCancelled() }
  }

  /// Returns the replies since the last call.
  func takeReplies() -> [Reply] {
    state.withLock { state in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// Starts no further job until this is set to `false` again.
  func setDraining(_ isDraining: Bool) {
    let isDrained = state.withLock { state in
      state.isDraining = isDraining
      if !isDraining, state.running == nil { passTurn(&state) }
      return isDraining && state.isIdle
    }
    if isDrained { wakeup.signal() }
  }

  /// Whether all jobs have ended since draining started.
  var isDrained: Bool { state.withLock { $0.isDraining && $0.isIdle } }

  /// Interrupts all jobs and ends the threads; waits for them until ``Clock/boottime()`` reaches `deadline`.
  func close(by deadline: Int64) {
    let threads = state.withLock { state in
      state.isClosed = true
      for job in state.jobs { job?.cancel() }
      for user in state.queues.keys { while let job = state.queues[user]?.next() { job.cancel() } }
      (state.queues, state.line, state.replies) = ([:], [], [])
      defer { state.threads = state.threads.map { _ in nil } }
      return state.threads.compactMap(\.self)
    }
    for thread in threads { thread.mailbox.close() }
    for thread in threads { thread.end(by: deadline) }
  }

  var threadCount: Int { state.withLock { $0.threads.count { $0 != nil } } }

  // MARK: Turns

  /// Gives the turn to the first job in line that can run.
  ///
  /// - Parameter own: the calling thread, if it is idle; it needs no wakeup.
  private func passTurn(_ state: inout State, from own: Int? = nil) {
    state.running = nil
    var index = 0
    while index < state.line.count, !state.isClosed {
      switch state.line[index] {
      case .thread(let thread):
        state.line.remove(at: index)
        state.running = thread
        state.threads[thread]?.mailbox.put(())
        return
      case .user(let user):
        guard !state.isDraining, let thread = own ?? freeThread(&state) else {
          index += 1
          continue
        }
        state.line.remove(at: index)
        let job = state.queues[user]?.next()
        if state.queues[user]?.isEmpty ?? true { state.queues[user] = nil }
        guard let job else { continue }
        guard own != nil || start(thread, &state) else {
          let error = StoreError(.unusable, "The system allows no more threads; try again later.")
          state.replies.append((job.number, .failure(error)))
          wakeup.signal()
          if state.queues[user] != nil { state.line.append(.user(user)) }
          continue
        }
        state.jobs[thread] = job
        state.running = thread
        if own == nil { state.threads[thread]?.mailbox.put(()) }
        return
      }
    }
  }

  /// The number of an idle thread, or of a thread that can be started.
  private func freeThread(_ state: inout State) -> Int? {
    let free = state.jobs.indices.filter { state.jobs[$0] == nil }
    return free.first { state.threads[$0] != nil } ?? free.first
  }

  /// Starts a thread, unless it is running.
  private func start(_ thread: Int, _ state: inout State) -> Bool {
    if state.threads[thread] == nil {
      state.threads[thread] = try? Worker(capacity: 1) { [self] mailbox in run(thread, mailbox) }
    }
    return state.threads[thread] != nil
  }

  /// Pauses the job of a thread after its turn, if another user waits.
  private func pause(_ thread: Int, _ mailbox: Mailbox<Void>) -> Bool {
    let mustWait = state.withLock { state in
      guard !state.line.isEmpty else { return false }
      state.line.append(.thread(thread))
      passTurn(&state)
      return true
    }
    guard mustWait else { return true }
    guard case .message = mailbox.take(until: nil) else { return false }
    return true
  }

  // MARK: On a thread

  private func run(_ thread: Int, _ mailbox: Mailbox<Void>) {
    do {
      let current = CurrentJob()
      let reader = ReaderThread(location) { [unowned self] in
        guard let job = current.job, !job.isCancelled else { return false }
        guard Clock.monotonic() &- current.began > Self.turn else { return true }
        guard pause(thread, mailbox), !job.isCancelled else { return false }
        current.began = Clock.monotonic()
        return true
      }
      while wait(thread, mailbox) {
        while let job = job(of: thread) {
          (current.job, current.began) = (job, Clock.monotonic())
          let result = Result { () throws -> EncodedObject? in try job.takeBody()?(reader) }
          if case .failure(let error) = result, error is StoreError, !job.isCancelled { reader.close() }
          finish(job, of: thread, result)
        }
      }
    }
    // Releases the memory of a query before the next one.
    if threadCount == 0 { ServiceProcess.trimHeap() }
  }

  /// The state of a thread, for its interrupt callback.
  private final class CurrentJob {
    var job: ReadJob?
    /// The start of its turn.
    var began: Int64 = 0
  }

  /// Waits for the thread's turn; returns `false` when the thread must end.
  private func wait(_ thread: Int, _ mailbox: Mailbox<Void>) -> Bool {
    while true {
      switch mailbox.take(until: Clock.boottime() &+ patience) {
      case .message: return true
      case .closed: return false
      case .nothing:
        let isOver = state.withLock { state in
          guard state.jobs[thread] == nil else { return false }
          state.threads[thread] = nil
          return true
        }
        if isOver { return false }
      }
    }
  }

  private func job(of thread: Int) -> ReadJob? {
    state.withLock { $0.running == thread ? $0.jobs[thread] : nil }
  }

  private func finish(_ job: ReadJob, of thread: Int, _ result: Result<EncodedObject?, any Error>) {
    let isNews = state.withLock { state in
      state.jobs[thread] = nil
      guard !state.isClosed else { return false }
      var isNews = state.isDraining && state.isIdle
      if !job.isCancelled {
        switch result {
        case .success(let reply?): state.replies.append((job.number, .success(reply)))
        case .success(nil): break
        case .failure(let error): state.replies.append((job.number, .failure(error)))
        }
        isNews = true
      }
      if state.queues[job.user] != nil { state.line.append(.user(job.user)) }
      passTurn(&state, from: thread)
      return isNews
    }
    if isNews { wakeup.signal() }
  }
}
