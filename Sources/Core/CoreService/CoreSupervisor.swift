import Counting
import Glibc
import Journal
public import Linux
public import Tallymark
import Varlink

/// Supervises the core and its server. After a failure of the journal, queries are still served. When the disk accepts
/// writes again, a new core reads the journal and takes over.
///
/// | phase   | event                                   | next                                         |
/// |---------|-----------------------------------------|----------------------------------------------|
/// | –       | the journal is opened                   | serving                                      |
/// | –       | it cannot be opened now, or is locked   | waiting: every call returns the reason       |
/// | serving | the disk is full                        | serving; changes are refused until it is not |
/// | serving | a write or a sync fails                 | failed: nothing is written any more          |
/// | failed  | a trial file is written and synced      | serving, or waiting                          |
/// | waiting | the same, and the journal can be opened | serving                                      |
/// | waiting | only another process could write        | exits with code 75; systemd restarts it      |
/// | waiting | the journal lacks acknowledged changes  | waiting, until a person restarts it          |
public final class CoreSupervisor {
  private let loop: EventLoop
  private let listen: () throws -> FileDescriptor
  private var listener: FileDescriptor?
  private let state: String
  private let rights: CurrentRights
  private(set) var core: Core?
  private var interface: CountersInterface?
  private var server: Server?
  private var retry: TimerSource?
  private var search: DamageSearch?
  private let searchDelay: Int64
  private var backoff: Backoff
  /// The time until the next attempt while another program has locked the journal, in nanoseconds.
  private let lockRetry: Int64
  private let begun = Clock.boottime()
  /// The last acknowledged state. A reopened journal must contain at least this state.
  private var answered: Ledger?
  /// The reason why there is no core; `nil` with a core.
  private(set) var obstacle = StoreError(.failed, "")

  /// The time until the next attempt: 1 second at first, 1 minute at most.
  public static let patience = Backoff(shortest: 1_000_000_000, longest: 60_000_000_000)

  /// The time that a start waits for another core on the same journal, in nanoseconds: a core that was just killed
  /// keeps its lock until the kernel has freed its memory.
  public static let lockPatience: Int64 = 2_000_000_000

  /// The time from the start to the search for damage, in nanoseconds.
  public static let searchDelay: Int64 = 60_000_000_000

  /// Opens the journal in `state`, then listens and serves.
  ///
  /// - Parameter listen: returns the listening socket; called once.
  /// - Throws: ``StoreError`` if the journal cannot be used and a retry would not help, ``SystemError``.
  public init(
    loop: EventLoop, state: String, rights: CurrentRights, patience: Backoff = patience,
    lockPatience: Int64 = lockPatience, searchDelay: Int64 = searchDelay, listen: @escaping () throws -> FileDescriptor
  ) throws {
    self.loop = loop
    self.listen = listen
    self.state = state
    self.rights = rights
    backoff = patience
    lockRetry = backoff.next()
    backoff.reset()
    self.searchDelay = searchDelay
    retry = try loop.timer { [unowned self] in tryAgain() }
    do {
      try begin(lockPatience: lockPatience)
    } catch let error as StoreError where error.mayPass {
      try wait(because: error)
    }
  }

  /// Commits what is pending, so that waiting calls still get their replies.
  public func commit() { interface?.commit() }

  /// Sends pending replies.
  public func flush() { server?.flush() }

  /// Applies the configuration in force.
  public func configure() {
    core?.resetWindow = rights.resetWindow
    server?.applyUserLimits()
    interface?.applyRights()
  }

  private func begin(lockPatience: Int64 = 0) throws {
    // A retry must not delay replies, which contain the reason.
    let store = try CounterStore(folder: state, patience: lockPatience, lockWait: lockPatience > 0 ? nil : 0)
    if store.isOpenToOthers {
      ServiceProcess.log(
        .warning, "Other users can replace the counts in \(state); to prevent that: chmod go-w \(state)")
    }
    try assertWhole(store)
    let core = try Core(store: store, loop: loop)
    let interface = try CountersInterface(core: core, rights: rights, loop: loop)
    // Replaces the server that reported why there is no core.
    server = nil
    server = try serve { try interface.serve(on: $0) }
    core.onFailure = { [unowned self] error in
      if error.mayPass { tryLater() }
    }
    (self.core, self.interface) = (core, interface)
    search = try DamageSearch(store.location, loop: loop, after: searchDelay)
    configure()
  }

  private func serve(_ interface: (Service) throws -> Void) throws -> Server {
    let service = Service(
      vendor: Product.name, product: "tallyd", version: Product.version, url: Product.url)
    try interface(service)
    let listener = try listener ?? listen()
    self.listener = listener
    return try Server(loop: loop, listener: listener, service: service) { [rights] in rights.limits(of: $0) }
  }

  // MARK: Failing

  private func tryLater() { retry?.arm(at: Clock.boottime() + backoff.next()) }

  private func tryAgain() {
    // Until the disk accepts writes, the previous core serves queries.
    guard CounterStore.takesWrites(inFolder: state) else { return mustGiveWay ? giveWay() : tryLater() }
    if let core {
      answered = core.ledger
      server?.flush()
      core.end()
      interface?.end()
      // Only one core may have the journal open.
      (self.core, interface, server, search) = (nil, nil, nil, nil)
    }
    do {
      try begin()
      answered = nil
      backoff.reset()
      Core.logRecovery()
    } catch {
      let reason = error as? StoreError ?? StoreError(.failed, "\(error)")
      do {
        try wait(because: reason)
      } catch {
        ServiceProcess.log(.error, "\(error)")
        loop.exit(code: 1)
      }
    }
  }

  /// Whether only this process sees the disk as read-only, so that systemd must restart this service. `false` for the
  /// first five seconds, because systemd gives up after twenty starts in thirty seconds.
  private var mustGiveWay: Bool {
    core == nil && ServiceProcess.isSupervised && Clock.boottime() - begun > 5_000_000_000
      && MountView(of: state)?.isOutdated == true
  }

  private func giveWay() {
    ServiceProcess.log(
      .notice, "The disk accepts writes again, but only from new processes; tallyd restarts.")
    server?.flush()
    loop.exit(code: EX_TEMPFAIL)
  }

  private func wait(because error: StoreError) throws {
    let error = error.code == .locked ? Self.locked(error) : error
    if obstacle != error { Core.log(error) }
    obstacle = error
    if server == nil {
      server = try serve { try UnavailableInterface(rights: rights) { [unowned self] in obstacle }.serve(on: $0) }
    }
    switch error.code {
    // Retried soon: a person who notices that nothing counts closes the other program.
    case .locked: retry?.arm(at: Clock.boottime() + lockRetry)
    case .full, .failed, .inUse, .unusable: tryLater()
    case .damaged, .newer, .replaced, .constraint: break
    }
  }

  private static func locked(_ error: StoreError) -> StoreError {
    StoreError(.locked, "\(error.message) Nothing is counted until the lock is released; tallyd retries by itself.")
  }

  /// Throws unless the journal contains all acknowledged changes. Changes that were not acknowledged may be present or
  /// missing.
  private func assertWhole(_ store: CounterStore) throws(StoreError) {
    guard let answered else { return }
    let found = try store.load()
    if found.lastSequence > answered.lastSequence { return }
    guard found.lastSequence == answered.lastSequence, found.all == answered.all else {
      throw StoreError(
        .damaged,
        "After a disk failure, the journal in \(state) lacks counts that were confirmed before. Nothing is counted; "
          + "restart tallyd to continue with the journal as it is, or restore a backup first.")
    }
  }
}

extension Core {
  /// Logs an error of the journal and shows it in the status of the service.
  static func log(_ error: StoreError) {
    ServiceProcess.log(.error, error.message)
    ServiceProcess.notify("STATUS=\(error.message)")
  }

  static func logRecovery() {
    ServiceProcess.log(.notice, "The journal accepts changes again.")
    ServiceProcess.notify("STATUS=")
  }
}
