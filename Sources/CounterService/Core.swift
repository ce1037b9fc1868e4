public import Calendars
public import CounterStore
public import Counting
public import Platform

/// The counter core: does changes in memory at once, makes them durable together, and only then lets them be known.
///
/// Everything that is asked while changes are not yet on disk waits for the same commit; so nobody is ever told of
/// something that could still be lost, and fifty clients share one sync.
public final class Core {
  let store: CounterStore
  public private(set) var ledger: Ledger
  var producers: [Producer.Key: Producer] = [:]
  private var fresh: [Event] = []
  private var waiting: [Waiter] = []
  /// Runs when nothing else is ready, so that a commit takes all requests that wait by then; where clients ask, the
  /// interface settles as soon as that is so.
  var due: DeferredSource?
  /// What ended writing for good, as far as this object is concerned.
  private(set) var failure: StoreError?
  /// What was said of the journal since it was last written.
  private var complaint: StoreError?
  /// Why the last change could not be kept; nil where it could.
  var trouble: StoreError? { failure ?? complaint }

  /// Rings when a counter has to begin anew.
  var alarm: TimerSource?
  /// When that is, in microseconds since 1970; `nil` for never.
  var renewal: Int64?
  /// The clock was set back where it shows less than this; `nil` where it may show anything.
  var earliestTime: Int64?

  /// How long after the first request for a reset the second one does it, in microseconds.
  public var resetWindow: Int64 {
    get { ledger.resetWindow }
    set { ledger.resetWindow = newValue }
  }

  /// Told of all events of a commit, after it, before anyone who waits is answered.
  public var onEvents: ([Event]) -> Void = { _ in }

  /// Runs before the first change after a commit, as long as nothing stands that could still be lost.
  var beforeChanging: () -> Void = {}

  /// Told once, when nothing more will be written.
  var onFailure: (StoreError) -> Void = { _ in }

  /// Who waits for a commit. A bare function in a list would be wrapped in another one.
  private struct Waiter {
    let then: (Outcome) -> Void
  }

  /// How the commit that something waited for went.
  public enum Outcome {
    case durable
    case lost(StoreError)
  }

  /// At most so many wait for one commit; a flood cannot put it off for ever.
  private static let longestBatch = 1024

  /// Takes over the journal, whose commits `loop` makes.
  ///
  /// - Throws: ``StoreError`` where the journal cannot be read, ``SystemError`` where the loop takes no more.
  public init(store: CounterStore, loop: EventLoop, zones: ZoneMemory = ZoneMemory()) throws {
    self.store = store
    ledger = try store.load()
    ledger.zone = { name throws(ZoneError) in try zones.zone(named: name) }
    // From now on they are known, whatever becomes of their files.
    for name in ledger.zones { _ = try? zones.zone(named: name) }
    due = try loop.deferred(priority: .afterwards) { [unowned self] in settle() }
    alarm = try loop.alarm { [unowned self] in ring() }
    scheduleRenewal()
    // What ended while nobody was there is closed before anybody asks.
    try renew()
  }

  // MARK: Changing

  /// Does changes, all or none. What happened is not durable before ``whenDurable(_:)`` says so.
  ///
  /// - Throws: ``CountingError`` where one was refused, ``StoreError`` where nothing can be written.
  public func perform(_ changes: [Request]) throws -> [Event] {
    if changes.count == 1, let only = changes.first { return try perform(only) }
    if let failure { throw failure }
    try renew()
    let mark = ledger.mark
    let recorded = fresh.count
    do {
      return try store.atomically { try changes.flatMap { try performOne($0) } }
    } catch let error as StoreError {
      // It may have taken back by itself what others wait for.
      abandon(error)
      throw error
    } catch {
      ledger.rollback(to: mark)
      fresh.removeSubrange(min(recorded, fresh.count)...)
      throw error
    }
  }

  /// The same for a single change, which is all or none by itself.
  public func perform(_ change: Request) throws -> [Event] {
    if let failure { throw failure }
    try renew()
    return try performOne(change)
  }

  func performOne(_ request: Request) throws -> [Event] {
    guard let change = try change(for: request) else { return [] }
    switch change {
    // These come in floods, and none of them looks at a stopwatch.
    case .add, .subtract, .select, .selectNeighbour: break
    default: readClocks()
    }
    if fresh.isEmpty { beforeChanging() }
    let events = try ledger.perform(change, at: request.time, cause: request.cause)
    try storing { () throws(StoreError) in
      // A loop over the list itself would copy each event.
      let events = events.span
      for index in events.indices { try store.append(events[index], to: ledger) }
    }
    fresh += events
    due?.schedule()
    return events
  }

  /// Notes how the machine's clocks stand, for stopwatches that run.
  func readClocks() { ledger.boot = Boot.current }

  // MARK: Taking in

  /// Told when everything may have become another: watchers must start over.
  public var onReplaced: () -> Void = {}

  /// Takes in an archive that was checked, at once and durably; or only tries it.
  public func take(_ archive: Archive, onClash clash: Archive.Clash, isTrial: Bool) throws -> CounterStore.Imported {
    settle()
    if let failure { throw failure }
    do {
      let (done, next) = try store.take(
        archive, onClash: clash, at: Clock.microsecondsSince1970(), isTrial: isTrial, in: ledger)
      guard !isTrial else { return done }
      ledger = next.inSurroundings(of: ledger)
      scheduleRenewal()
      onReplaced()
      return done
    } catch let error as StoreError {
      abandon(error)
      throw error
    }
  }

  // MARK: Committing

  /// Calls `then` when all that was done so far is durable: now, or after the commit that is due.
  public func whenDurable(_ then: @escaping (Outcome) -> Void) {
    guard isDue else { return then(.durable) }
    waiting.append(Waiter(then: then))
    if waiting.count >= Self.longestBatch { settle() } else { due?.schedule() }
  }

  /// Whether anything was done that is not durable yet, or anybody waits for that.
  var isDue: Bool { store.isPending || !waiting.isEmpty }

  /// Makes everything that was done durable, and lets it be known.
  public func settle() {
    due?.cancel()
    do {
      try store.commit(ledger)
    } catch {
      return abandon(error)
    }
    ledger.settle()
    if complaint != nil, !fresh.isEmpty {
      complaint = nil
      Self.tellRecovery()
    }
    let events = fresh
    fresh.removeAll(keepingCapacity: true)
    if events.contains(where: \.mayConcernRenewals) { scheduleRenewal() }
    if !events.isEmpty { onEvents(events) }
    release(.durable)
  }

  /// Runs `body`; when the journal fails, whatever was not durable is lost and everyone who waits for it is told.
  func storing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      abandon(error)
      throw error
    }
  }

  /// Takes back everything that is not durable and tells everyone who waits for it.
  private func abandon(_ error: StoreError) {
    store.rollback()
    ledger.rollback(to: .beginning)
    producers.removeAll()
    fresh.removeAll()
    // Room can be made on a disk, and then writing goes on; after any other failure nobody knows what the disk holds.
    let isFirst = failure == nil && error.code != .full && error.code != .inUse
    if isFirst {
      failure = error
      store.abandon()
    }
    // At once would be for ever where a period has ended: closing it may be what could not be written.
    scheduleRenewal(notBefore: Self.nextTrial)
    // Said once: those who try again and again must not fill a disk that is short of room already.
    if complaint != error { Self.tell(error) }
    complaint = error
    release(.lost(error))
    if isFirst { onFailure(error) }
  }

  /// Says what keeps anything from being counted, where a person looks for it.
  static func tell(_ error: StoreError) {
    ServiceProcess.log(.error, error.message)
    ServiceProcess.notify("STATUS=\(error.message)")
  }

  static func tellRecovery() {
    ServiceProcess.log(.notice, "The journal takes changes again.")
    ServiceProcess.notify("STATUS=")
  }

  /// Lets go of everyone who is told of something, who may have this object as well.
  func end() {
    onEvents = { _ in }
    beforeChanging = {}
    onReplaced = {}
    onFailure = { _ in }
    (alarm, due) = (nil, nil)
  }

  private func release(_ outcome: Outcome) {
    let released = waiting
    waiting.removeAll(keepingCapacity: true)
    for waiter in released { waiter.then(outcome) }
  }
}
