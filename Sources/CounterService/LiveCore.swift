import CounterStore
import Counting
import Glibc
public import Platform
import Varlink

/// The core in force, and its server. Where the journal fails, questions are still answered; and once the disk takes
/// writes again another core takes over, which has read everything anew.
///
/// | phase   | event                                     | next                                         |
/// |---------|-------------------------------------------|----------------------------------------------|
/// | –       | the journal is opened                     | serving                                      |
/// | –       | it cannot be, which may pass              | waiting: every call is answered why          |
/// | serving | the disk is full                          | serving; changes are refused until it is not |
/// | serving | a write or a sync fails                   | failed: nothing is written any more          |
/// | failed  | a trial file is written and synced        | serving, or waiting                          |
/// | waiting | the same, and the journal can be opened   | serving                                      |
/// | waiting | only another process could write          | ended with code 75, and started anew         |
/// | waiting | it holds less than was answered before    | waiting, until a person restarts it          |
public final class LiveCore {
  private let loop: EventLoop
  private let listen: () throws -> Descriptor
  private var listener: Descriptor?
  private let state: String
  private let rights: LiveRights
  private(set) var core: Core?
  private var interface: CountersInterface?
  private var server: Server?
  private var retry: TimerSource?
  private var backoff: Backoff
  private let begun = Clock.boottime()
  /// How everything stood that was answered when the journal failed.
  private var answered: Ledger?
  /// Why there is no core, while there is none.
  private(set) var obstacle = StoreError(.failed, "")

  /// How long to wait before the disk is tried again: a second, and in the end a minute.
  public static let patience = Backoff(shortest: 1_000_000_000, longest: 60_000_000_000)

  /// Opens the journal in `state`, then listens and serves.
  ///
  /// - Parameter listen: gives the socket that clients connect to; asked once.
  /// - Throws: ``StoreError`` where the journal cannot be used and that will not pass, ``SystemError``.
  public init(
    loop: EventLoop, state: String, rights: LiveRights, patience: Backoff = patience,
    listen: @escaping () throws -> Descriptor
  ) throws {
    self.loop = loop
    self.listen = listen
    self.state = state
    self.rights = rights
    backoff = patience
    retry = try loop.timer { [unowned self] in tryAgain() }
    do {
      try begin()
    } catch let error as StoreError where error.mayPass {
      try wait(because: error)
    }
  }

  /// Whoever waits still gets his answer.
  public func settle() { interface?.settle() }

  /// Writes the replies that were given.
  public func flush() { server?.flush() }

  /// Goes by the configuration that is in force now.
  public func configure() {
    core?.resetWindow = rights.resetWindow
    server?.applyUserLimits()
  }

  private func begin() throws {
    let store = try CounterStore(folder: state)
    try assertWhole(store)
    let core = try Core(store: store, loop: loop)
    let interface = try CountersInterface(core: core, rights: rights, loop: loop)
    // Until now somebody may have told why there is no core.
    server = nil
    server = try serve { try interface.serve(on: $0) }
    core.onFailure = { [unowned self] error in
      if error.mayPass { tryLater() }
    }
    (self.core, self.interface) = (core, interface)
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
    // Until then the former core answers what it is asked.
    guard CounterStore.takesWrites(inFolder: state) else { return mustGiveWay ? giveWay() : tryLater() }
    if let core {
      answered = core.ledger
      server?.flush()
      core.end()
      // They have the journal to themselves for as long as they are there.
      (self.core, interface, server) = (nil, nil, nil)
    }
    do {
      try begin()
      answered = nil
      backoff.reset()
      Core.tellRecovery()
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

  /// Whether the disk may be well, and only this process's view of it is not, so that systemd must start another one. Not
  /// before five seconds: the service is given up after twenty starts in thirty.
  private var mustGiveWay: Bool {
    core == nil && ServiceProcess.isSupervised && Clock.boottime() - begun > 5_000_000_000
      && MountView(of: state)?.isOutdated == true
  }

  private func giveWay() {
    ServiceProcess.log(
      .notice, "The disk takes writes again, but not from a process that was started before: tallyd is started anew.")
    server?.flush()
    loop.exit(code: EX_TEMPFAIL)
  }

  private func wait(because error: StoreError) throws {
    if obstacle != error { Core.tell(error) }
    obstacle = error
    if server == nil {
      server = try serve { try RefusingInterface(rights: rights) { [unowned self] in obstacle }.serve(on: $0) }
    }
    switch error.code {
    case .full, .failed, .inUse, .unusable: tryLater()
    case .damaged, .newer, .replaced: break
    }
  }

  /// Whatever became of what nobody was told of: all that was answered must be there.
  private func assertWhole(_ store: CounterStore) throws(StoreError) {
    guard let answered else { return }
    let found = try store.load()
    if found.lastSequence > answered.lastSequence { return }
    guard found.lastSequence == answered.lastSequence, found.all == answered.all else {
      throw StoreError(
        .damaged,
        "After the disk had failed, the journal in \(state) does not hold all that was counted before. Nothing more is "
          + "counted; restart tallyd to go on with what is there, or put back a backup first.")
    }
  }
}
