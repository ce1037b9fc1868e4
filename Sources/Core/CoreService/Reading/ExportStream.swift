import CoreAPI
import Counting
import JSON
import Journal
import Linux
import Synchronization
import Varlink

/// The pages of an export, all from one snapshot. A separate reader keeps the snapshot between two pages. Used by one
/// job at a time.
final class ExportPages: @unchecked Sendable {
  private var reader: JournalReader?
  private var next: Int64?
  /// The last event of the snapshot.
  private var last: Int64 = 0
  private let mustEndSnapshot = Atomic<Bool>(false)
  private var isInSnapshot = false

  /// The number of events of a page.
  private static let pageSize: Int64 = 500

  /// The next page, and whether it is the last one. The first page has all entries that are not events.
  func page(_ thread: ReaderThread) throws -> (entries: [EncodedObject], isLast: Bool) {
    let reader = try self.reader ?? thread.open()
    self.reader = reader
    reader.onProgress(thread.mayGoOn)
    if !isInSnapshot { try reader.beginSnapshot() }
    isInSnapshot = true
    defer { if mustEndSnapshot.exchange(false, ordering: .relaxed) { endSnapshot() } }
    guard let after = next else {
      last = try reader.lastSequence()
      next = 0
      let definitions = Archives.definitions(try reader.entries(), current: try reader.currentCounter())
      return last == 0 ? (definitions + [try end(reader)], true) : (definitions, false)
    }
    let page = min(Self.pageSize, last - after)
    let events = try reader.search(EventFilter(), .after(after), limit: page).events
    next = events.last?.sequence ?? last
    let entries = events.map { ArchiveEntry.event($0).text }
    return next == last ? (entries + [try end(reader)], true) : (entries, false)
  }

  private func end(_ reader: JournalReader) throws -> EncodedObject {
    ArchiveEntry.end(events: try reader.eventCount(through: last)).text
  }

  /// Ends the snapshot, so that the write-ahead log can restart. Later pages use a new snapshot, in which the events
  /// are the same.
  ///
  /// - Parameter isBusy: whether a job is making a page; then the job ends the snapshot.
  func releaseSnapshot(isBusy: Bool) {
    if isBusy { mustEndSnapshot.store(true, ordering: .relaxed) } else { endSnapshot() }
  }

  private func endSnapshot() {
    reader?.endSnapshot()
    isInSnapshot = false
  }
}

/// A call of `Export` with `more`. Makes the next page when the client has read most of the previous ones.
final class ExportStream {
  let call: Call
  private let pages = ExportPages()
  private let pool: ReadPool
  private var job: ReadJob?
  private var hasEnded = false
  private let finish: () -> Void

  /// The number of unread bytes above which a client is sent no further page.
  private static let backlog = 256 << 10

  /// - Parameter finish: called at the end of the stream.
  init(_ call: Call, _ pool: ReadPool, finish: @escaping () -> Void) {
    self.call = call
    self.pool = pool
    self.finish = finish
  }

  func start() {
    call.onGone = { [unowned self] in end() }
    call.onTaken = { [unowned self] in goOn() }
    goOn()
  }

  /// See ``ExportPages/releaseSnapshot(isBusy:)``.
  func releaseSnapshot() { pages.releaseSnapshot(isBusy: job != nil) }

  private func goOn() {
    guard !hasEnded, job == nil, call.backlog < Self.backlog else { return }
    let isLast = SharedFlag()
    job = pool.run(
      for: call.peer.user,
      { [pages] thread in
        let page = try pages.page(thread)
        if page.isLast { isLast.set() }
        return EncodedObject { $0.add(Counters.ExportReply.Member.entries, page.entries) }
      },
      then: { [unowned self] result in
        job = nil
        switch result {
        case .success(let page) where !isLast.isSet:
          call.replyContinuing(page)
          goOn()
        case .success(let page):
          call.reply(page)
          end()
        case .failure(let error):
          call.fail(VarlinkError(error))
          end()
        }
      })
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if let job { pool.cancel(job) }
    job = nil
    (call.onGone, call.onTaken) = (nil, nil)
    finish()
  }

  /// Set by a job, and read after its reply.
  private final class SharedFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    func set() { flag.store(true, ordering: .releasing) }
    var isSet: Bool { flag.load(ordering: .acquiring) }
  }
}

/// The calls of `Export` with `more`. Each user has one running stream at a time.
final class Exports {
  private let pool: ReadPool
  /// The streams of each user, of which the first one is running.
  private var streams: [UInt32: [ExportStream]] = [:]

  init(_ pool: ReadPool) { self.pool = pool }

  func add(_ call: Call) {
    let user = call.peer.user
    let stream = ExportStream(call, pool) { [unowned self, unowned call] in remove(call, of: user) }
    streams[user, default: []].append(stream)
    if streams[user]?.count == 1 {
      stream.start()
    } else {
      call.onGone = { [unowned self, unowned call] in remove(call, of: user) }
    }
  }

  /// Ends all snapshots, so that the write-ahead log can restart even if clients read slowly.
  func releaseSnapshots() { for stream in streams.values.compactMap(\.first) { stream.releaseSnapshot() } }

  private func remove(_ call: Call, of user: UInt32) {
    guard let index = streams[user]?.firstIndex(where: { $0.call === call }) else { return }
    let removed = streams[user]?.remove(at: index)
    if streams[user]?.isEmpty ?? true { streams[user] = nil }
    if index == 0 { streams[user]?.first?.start() }
    withExtendedLifetime(removed) {}
  }
}
