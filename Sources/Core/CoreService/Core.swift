public import Calendars
public import Counting
public import Journal
public import Linux

/// The counter core. Performs changes in memory at once, commits them in groups, and sends replies only after the
/// commit. No client ever sees a state that could still be lost, and fifty clients share one sync.
public final class Core {
  let store: CounterStore
  public internal(set) var ledger: Ledger
  var producers: [Producer.Key: Producer] = [:]
  /// The producer of the current delivery.
  var deliverer: Producer?
  private var fresh: [Event] = []
  /// Whether each of ``fresh`` is a count that only changed the value of a counter.
  private var areValues = true
  private var waiting: [Waiter] = []
  /// Runs when nothing else is ready, so that a commit includes all waiting requests. The interface commits earlier, as
  /// soon as it has read from all clients.
  var due: DeferredSource?
  /// Whether the caller commits after the present call.
  var isCommitAhead = false
  /// Whether the current changes are rolled back together if one of them fails.
  private var isInGroup = false
  /// The error after which nothing is written any more; `nil` before.
  private(set) var failure: StoreError?
  var folder: String { store.path }
  /// The error that was logged since the last commit.
  private var complaint: StoreError?
  /// The last logged error that concerned only one change.
  private var refusal: StoreError?
  /// The error of the last change; `nil` after a success.
  var trouble: StoreError? { failure ?? complaint }

  /// The core's part of a fleet; `nil` only during initialisation and after the end.
  var fleet: FleetService?
  /// Reports that the journal's files may have disappeared; `nil` where the folder cannot be watched.
  private var folderWatch: FolderWatch?

  /// The alarm for the end of the next period.
  var alarm: TimerSource?
  var periodTimes = PeriodTimes()
  /// The number of periods that ``renew()`` closes at once.
  let mostRenewals: Int
  /// The counters whose rate a formula uses, for which ``Ledger/earliest`` is kept.
  var ratedCounters: Set<Counter.ID> = []

  /// The clock, while it may not have been set since boot; `nil` once it is right.
  var unsetClock: UnsetClock?
  /// Looks at ``unsetClock``.
  var clockCheck: TimerSource?

  /// The time within which a second request confirms a reset, in microseconds.
  public var resetWindow: Int64 {
    get { ledger.resetWindow }
    set { ledger.resetWindow = newValue }
  }

  /// Called after a commit with all its events, before any waiting call gets its reply.
  public var onEvents: ([Event]) -> Void = { _ in }

  /// Called before the first change after a commit, while the whole state is durable.
  var willChange: () -> Void = {}

  /// Called once, when writing has ended for good.
  var onFailure: (StoreError) -> Void = { _ in }

  /// A call that waits for the commit. A struct, because Swift wraps each closure of an array in a further closure.
  private struct Waiter {
    let then: (Outcome) -> Void
  }

  /// The result of a commit, for a call that waits for it.
  public enum Outcome {
    case durable
    case lost(StoreError)
  }

  /// The number of waiting calls that forces a commit, so that a flood cannot delay it.
  private static let longestBatch = 1024

  /// Takes over the journal and commits in `loop`.
  ///
  /// - Throws: ``StoreError`` if the journal cannot be read, ``SystemError`` if the loop cannot add its sources.
  public convenience init(store: CounterStore, loop: EventLoop, zones: ZoneFolder = ZoneFolder()) throws {
    try self.init(store: store, loop: loop, zones: zones, surroundings: .standard)
  }

  /// - Parameters:
  ///   - surroundings: the proof that the journal continues.
  ///   - fleetLimits: limits of the messages to bridges.
  ///   - mostRenewals: the number of periods that ``renew()`` closes at once.
  init(
    store: CounterStore, loop: EventLoop, zones: ZoneFolder = ZoneFolder(), surroundings: FleetService.Surroundings,
    fleetLimits: FleetService.Limits = .init(), mostRenewals: Int = Core.mostRenewals
  ) throws {
    self.store = store
    self.mostRenewals = mostRenewals
    ledger = try store.load()
    // Keeps systemd's watchdog satisfied while the loop waits for the store.
    store.onProgress = { ServiceProcess.notify("WATCHDOG=1") }
    ledger.zone = { name throws(ZoneError) in try zones.zone(named: name) }
    // Loads the zones now, because later there may be no free file descriptor.
    for name in ledger.zones.map(Optional.some) + [nil] { _ = try? zones.zone(named: name) }
    due = try loop.deferred(priority: .paused) { [unowned self] in commit() }
    alarm = try loop.alarm { [unowned self] in ring() }
    // Without a watch, each commit checks the folder.
    folderWatch = try? FolderWatch(loop: loop, path: store.path, for: [.arrivals, .departures]) {
      [unowned self] changes in
      self.store.noteChangeOfFolder(isGone: changes.contains(.folderGone))
    }
    store.isFolderWatched = folderWatch != nil
    updateRatedCounters()
    fleet = try FleetService(core: self, loop: loop, surroundings: surroundings, limits: fleetLimits)
    fleet?.updateShares()
    scheduleRenewal()
    try watchClock(loop)
    // Periods that ended before the start are closed before the first call.
    try renewAtStart()
  }

  // MARK: Changing

  /// Performs changes, all or none. The events are durable only when ``whenDurable(_:)`` calls back.
  ///
  /// - Throws: ``CountingError`` if a change is refused, ``StoreError`` if the journal cannot be written.
  public func perform(_ changes: [Request]) throws -> [Event] {
    if changes.count == 1 { return try perform(changes[0]) }
    try prepare(at: changes.map(\.time).min())
    return try performTogether(changes)
  }

  /// Performs a single change.
  public func perform(_ request: Request) throws -> [Event] {
    try prepare(at: request.time)
    // A count is a single row and needs no savepoint; there are many counts.
    if let count = request.count, pressedStopwatch(of: request) == nil { return try perform(count, for: request) }
    return try performTogether([request])
  }

  /// Brings the state up to date for changes that follow.
  ///
  /// - Parameter time: the earliest time of a change.
  private func prepare(at time: Int64?) throws {
    if let failure { throw failure }
    try renew()
    try fleet?.recordLearned(before: time)
  }

  private func performTogether(_ changes: [Request]) throws -> [Event] {
    var change: Change?
    // Many events are undone in a separate transaction, unless the fleet needs each of them.
    if changes.count == 1, let only = changes.first, only.isTakeback {
      guard let step = try reading({ try step(for: only) }) else { return [] }
      if let what = step.undoable, !what.rest.isEmpty, try !isOfFleet(what) {
        return try takeBack(what, as: step.isRedo ? .redone : .undone, for: only)
      }
      change = try reading { try self.change(step) }
    }
    let mark = ledger.mark
    let recorded = fresh.count
    let member = fleet?.member
    isInGroup = true
    defer { isInGroup = false }
    do {
      return try store.atomically {
        if let change, let only = changes.first { try perform(change, for: only) } else { try performAll(changes) }
      }
    } catch {
      if let error = error as? StoreError {
        guard error.isOfOneChange, store.isWhole else {
          fail(error)
          throw error
        }
        logRefusal(error)
      }
      ledger.rollback(to: mark)
      fresh.removeSubrange(min(recorded, fresh.count)...)
      if let member { fleet?.restore(member) }
      throw error
    }
  }

  /// Runs `body`, which only reads. If `body` needs a row on a damaged page, only its request is refused.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let isWithin = isInGroup
    isInGroup = true
    defer { isInGroup = isWithin }
    do {
      return try body()
    } catch let error as StoreError where error.isOfOneChange {
      logRefusal(error)
      throw error
    }
  }

  func perform(_ change: Change, for request: Request, in batch: Batch = .none) throws -> [Event] {
    var isCount = false
    switch change {
    // Counts are frequent, and do not need the clocks.
    case .add, .subtract: isCount = true
    case .select, .selectNeighbour: break
    default: readClocks()
    }
    try renew(before: change)
    // Most counts are of the present; for them the question would cost a copy of the ledger.
    let mayBePast = !isCount || !areValues || request.time < periodTimes.latestBeginning ?? .min
    let isEntered = request.isLate && request.cause.gesture == nil
    let clock = isEntered || !mayBePast ? nil : Clock.microsecondsSince1970()
    let past = mayBePast ? try ledger.question(before: change, at: request.time, clock: clock).flatMap(answer) : nil
    if fresh.isEmpty { willChange() }
    ledger.person = request.person
    var events = try ledger.perform(change, at: request.time, cause: request.cause, in: batch, past: past)
    if request.isLate { events.markCounts(request.isRepeated ? [.late, .clockLost] : .late) }
    try storing { () throws(StoreError) in
      try store.append(events, to: ledger)
      try fleet?.note(events)
      if isCount { return }
      let revived = events.filter {
        $0.subject == .counter && $0.presence == .appeared && $0.undoes != nil && ledger[$0.counter]?.period != nil
      }
      if !revived.isEmpty { try store.recallStarts(of: revived.map(\.counter), in: &ledger) }
    }
    fresh += events
    areValues = areValues && isCount && events.count == 1
    scheduleCommit()
    return events
  }

  /// Updates the ledger's clocks, for running stopwatches.
  func readClocks() { ledger.boot = Boot.current }

  /// Called when the whole state may have changed: watchers must send it again.
  public var onReplaced: () -> Void = {}

  /// Handles the error of a separate transaction of the store. The transaction is rolled back.
  func failAfterTransaction(_ error: StoreError) {
    // After a violated constraint the journal is unchanged.
    if error.code == .constraint { Self.log(error) } else { fail(error) }
  }

  // MARK: Committing

  /// Calls `then` when all changes so far are durable: now, or after the next commit.
  public func whenDurable(_ then: @escaping (Outcome) -> Void) {
    guard isDue else { return then(.durable) }
    waiting.append(Waiter(then: then))
    if waiting.count >= Self.longestBatch { commit() } else { scheduleCommit() }
  }

  private func scheduleCommit() {
    if !isCommitAhead { due?.schedule() }
  }

  /// Whether there are uncommitted changes or waiting calls.
  var isDue: Bool { store.isPending || !waiting.isEmpty }

  /// Commits all changes, and publishes their events.
  public func commit() {
    due?.cancel()
    do {
      try fleet?.prepareCommit()
      try store.commit(ledger.head)
    } catch {
      return fail(error)
    }
    ledger.clearUndoLog()
    if complaint != nil, !fresh.isEmpty {
      complaint = nil
      Self.logRecovery()
    }
    // The arrays are swapped instead of copied, so that the next commit reuses the memory of this one.
    var events: [Event] = []
    swap(&events, &fresh)
    if !areValues || !ratedCounters.isEmpty { updateRates(after: events) }
    if !areValues, events.contains(where: \.mayConcernRenewals) { scheduleRenewal() }
    areValues = true
    if !events.isEmpty { onEvents(events) }
    release(.durable)
    fleet?.didCommit()
    events.removeAll(keepingCapacity: true)
    if fresh.isEmpty { swap(&events, &fresh) }
    // After an import, calls are handled before the next few rollups.
    if store.isBehind { due?.schedule() }
  }

  // MARK: Fleets

  func setShares(
    _ shares: [Counter.ID: Int64], gone: [Counter.ID: [ClosedRange<Int64>]], dropped: [Counter.ID: Int64]
  ) {
    ledger.shares = shares
    guard ledger.gone != gone || ledger.dropped != dropped else { return }
    (ledger.gone, ledger.dropped) = (gone, dropped)
    // Undone resets of other stations may make counts undoable again.
    store.forgetUndoSkips()
  }

  func setShare(of id: Counter.ID, to share: Int64) { ledger.shares[id] = share }

  func setEarliest(_ earliest: [Counter.ID: Int64]) { ledger.earliest = earliest }

  /// Runs `body`. If the journal fails, all uncommitted changes are lost and their callers get the error. If the error
  /// concerns one change, only the changes that are rolled back together are lost.
  func storing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      if !isInGroup || !error.isOfOneChange { fail(error) }
      throw error
    }
  }

  /// Rolls back all uncommitted changes and sends the error to their callers.
  private func fail(_ error: StoreError) {
    store.rollback()
    ledger.rollback(to: .beginning)
    producers.removeAll()
    fresh.removeAll()
    fleet?.rollBack()
    let isFirst = failure == nil && error.endsWriting
    if isFirst {
      failure = error
      store.stopWriting()
    }
    // Renewal is not scheduled at once: the failed write may have been the end of a period, and the core would loop.
    scheduleRenewal(notBefore: Self.nextTrial)
    // Logged once: clients that retry must not fill a disk that is full already.
    if complaint != error { Self.log(error) }
    complaint = error
    release(.lost(error))
    if isFirst { onFailure(error) }
  }

  /// Logs the error of one change; equal errors only once.
  private func logRefusal(_ error: StoreError) {
    guard refusal != error else { return }
    refusal = error
    Self.log(error)
  }

  /// Removes the callbacks, because the owners of a callback may own this object.
  func end() {
    onEvents = { _ in }
    willChange = {}
    onReplaced = {}
    onFailure = { _ in }
    fleet?.end()
    (alarm, due, fleet, folderWatch, clockCheck) = (nil, nil, nil, nil, nil)
  }

  private func release(_ outcome: Outcome) {
    var released: [Waiter] = []
    swap(&released, &waiting)
    for waiter in released { waiter.then(outcome) }
    released.removeAll(keepingCapacity: true)
    if waiting.isEmpty { swap(&released, &waiting) }
  }
}
