import CoreAPI
import Counting
import Fleet
import Journal
import Linux
import Varlink

/// The core's side of a fleet: its membership, its station, the bridge, and the state of other stations.
///
/// Own acts follow from the events of shared counters and are saved with them. Acts of other stations change the totals
/// at once, and become events of kind `learned`, at most one per counter and commit: with the next change or question
/// here, and otherwise once a second or after many rows.
final class FleetService {
  unowned let core: Core
  /// The membership; `nil` outside of a fleet.
  var membership: Membership? { didSet { isMember = membership != nil } }
  /// Whether there is a membership. Each count asks; a comparison with `nil` would copy the whole membership.
  private(set) var isMember: Bool
  var member: FleetMember
  var peers = FleetPeers()
  let bridge: BridgeLinks
  var history = HistoryNews()
  var kept = LateCounts()
  private var noticed = FleetLog()
  /// The former name of this station, and the time until which the broker's messages under it are removed, in
  /// nanoseconds of ``Clock/boottime()``.
  var formerName: (name: String, end: Int64)?
  private let proof: WriterProofFile
  private let boot: String?

  /// Whether the membership changed since the last commit.
  var isChanging = false

  /// Commits merged acts of other stations.
  private var learning: TimerSource?
  /// The time of the last commit of merged acts, in nanoseconds of ``Clock/boottime()``.
  var lastLearned: Int64 = 0
  /// Whether the next commit saves merged acts even if nothing else is committed.
  private var isLearningDue = false
  /// The counters whose history was received and saved since the last commit.
  private var heardCounters: Set<Counter.ID> = []
  /// Publishes own acts; see ``FleetService+Publishing``.
  var publishing: TimerSource?
  /// The stations that are being removed, by name; see ``FleetService+Forgetting``.
  var removals: [String: Removal] = [:]
  /// Ends removals that the broker did not accept in time.
  var removing: TimerSource?

  /// The time of the last save of the other stations, in nanoseconds of ``Clock/boottime()``.
  private var peersSaved: Int64 = .min / 2

  /// The shortest times between two saves of the other stations, with and without a new or changed ID, in nanoseconds.
  private static let (peersInterval, seenInterval): (Int64, Int64) = (5_000_000_000, 60_000_000_000)
  /// Whether merged acts were lost in a failed commit, and have not been requested again.
  private(set) var hasLostLearned = false
  /// Whether the present commit writes something.
  private var isWriting = false
  /// Tries the journal again after a loss of merged acts, because other writes may be rare.
  private var trial: TimerSource?

  /// The time between two tries of the journal, in nanoseconds.
  private static let trialInterval: Int64 = 10_000_000_000
  /// The shortest time between two commits of other stations' acts, in nanoseconds.
  private static let learningInterval: Int64 = 1_000_000_000
  /// The number of unsaved rows that are committed at once.
  static let mostUnsaved = 1_000

  init(core: Core, loop: EventLoop, surroundings: Surroundings, limits: Limits) throws {
    self.core = core
    bridge = BridgeLinks(limits)
    proof = WriterProofFile(state: core.folder, runtime: surroundings.runtime)
    boot = surroundings.boot
    let membership = try core.store.membership()
    (self.membership, isMember) = (membership, membership != nil)
    member = try Self.member(in: core.store)
    member.resume(with: proof.read(), boot: boot)
    if membership != nil { peers = try Self.peers(in: core.store) }
    learning = try loop.timer { [unowned core] in core.showLearned(isDue: true) }
    publishing = try loop.timer { [unowned self] in publishAgain() }
    removing = try loop.timer { [unowned self] in expireRemovals(at: Clock.boottime()) }
    trial = try loop.timer { [unowned self] in tryJournal() }
    // Stations may leave meanwhile, which no later message reports.
    bridge.onLost = { [unowned self] in peers.doubtAll() }
    // A crash may have lost the event of a merged act.
    if membership != nil { member.doubtAll() }
  }

  private static func member(in store: CounterStore) throws(StoreError) -> FleetMember {
    FleetMember(
      station: try store.fleetTables.station(), counters: try store.sharedCounters(), dropped: try store.droppedCounts()
    )
  }

  private static func peers(in store: CounterStore) throws(StoreError) -> FleetPeers {
    FleetPeers(try store.knownStations(), claims: try store.claims())
  }

  /// The values that the kernel and systemd give a process; tests replace them.
  struct Surroundings: Sendable {
    var runtime: String?
    var boot: String?

    static var standard: Surroundings {
      Surroundings(runtime: WriterProofFile.standardFolder, boot: WriterProofFile.standardBoot)
    }
  }

  /// Limits of the messages to bridges; tests use smaller ones.
  struct Limits: Sendable {
    /// The number of unread bytes above which a link is ended. A new link receives everything.
    var mostUnread = 4 << 20
    /// The length at which a reply to a link ends, in bytes. The bridge accepts 16 MiB.
    var longestReply = 1 << 20
    /// The shortest time between two reports, in nanoseconds. Bridges keep longer times; other clients may ask, too.
    var reportInterval: Int64 = 1_000_000_000
  }

  // MARK: Values

  /// The shared counters that exist.
  func counters(in ledger: Ledger) -> [CounterID: Counter] {
    var found: [CounterID: Counter] = [:]
    for (local, id) in member.counters {
      if let counter = ledger[local] { found[id] = counter }
    }
    return found
  }

  func period(of counter: Counter) -> CounterPeriod? {
    member.counters[counter.id].map { CounterPeriod($0, start: core.ledger.periodStart(of: counter)) }
  }

  /// The periods of a counter that are kept and sent.
  func room(of id: CounterID) -> PeriodRetention {
    guard let local = member.locals[id], let counter = core.ledger[local] else {
      return PeriodRetention(present: Clock.microsecondsSince1970())
    }
    let start = core.ledger.periodStart(of: counter)
    // The only period of some schedules is in the future.
    return PeriodRetention(present: start ?? (counter.period == nil ? nil : Clock.microsecondsSince1970()))
  }

  /// The largest total that is shown: half of the range of values, so that an invented number leaves room for counts
  /// here.
  static let farthestTotal: Int128 = 1 << 62

  /// The change that brings a shared counter to the total; 0 for any other.
  func missing(in counter: Counter) -> Int64 {
    guard let period = period(of: counter) else { return 0 }
    let total = Int128(counter.start) + member.station.knowledge[period].total()
    return Int64(clamping: max(-Self.farthestTotal, min(total, Self.farthestTotal)) - Int128(counter.value))
  }

  /// The total of a shared counter at the end of a period, late counts included, as far as it is known here; `nil` for
  /// a period that is not kept.
  func total(of counter: Counter, endingAt end: Int64) -> Int64? {
    guard let id = member.counters[counter.id] else { return nil }
    let period = CounterPeriod(id, start: core.ledger.start(of: counter, endingAt: end))
    guard member.station.knowledge.periods.contains(period) else { return nil }
    return Int64(clamping: Int128(counter.start) + member.station.knowledge[period].total())
  }

  /// Passes the shared counters to the ledger: for each, the share of this station, and the counts that are not in the
  /// total.
  func updateShares() {
    var shares: [Counter.ID: Int64] = [:]
    var gone: [Counter.ID: [ClosedRange<Int64>]] = [:]
    if membership != nil {
      for (local, _) in member.counters {
        guard let counter = core.ledger[local], let period = period(of: counter) else { continue }
        shares[local] = Int64(clamping: member.station.own(in: period))
        let ranges = member.station.gone(in: period)
        if !ranges.isEmpty { gone[local] = ranges }
      }
    }
    core.setShares(shares, gone: gone, dropped: member.dropped)
  }

  // MARK: Commits

  /// Whether merged acts must be recorded before a question or a change.
  var hasLearned: Bool { !member.stale.isEmpty }

  /// Whether a commit has anything to save.
  var hasNews: Bool { hasLearned || !member.unsaved.isEmpty || peers.hasForgotten }

  /// Records merged acts as events, without a commit.
  ///
  /// - Parameter change: the earliest time of the changes that follow. The events get this time if it is within the
  ///   last second, in which the acts were received; otherwise the changes would seem to be entered late.
  func recordLearned(before change: Int64? = nil) throws {
    guard hasLearned, core.failure == nil else { return }
    let (now, stale) = (Clock.microsecondsSince1970(), member.stale)
    let next = change ?? now
    let time = now &- Self.learningInterval / 1000..<now ~= next ? next : now
    member.stale = [:]
    for (id, names) in stale.sorted(by: { $0.key < $1.key }) {
      guard let counter = core.ledger[id] else { continue }
      let change = missing(in: counter)
      let station = names.count == 1 ? names.first : nil
      if change != 0 { _ = try core.performLearned(id, by: change, from: station, at: time) }
    }
    updateShares()
  }

  /// Saves the station in the current transaction, and proves that the journal continues.
  func prepareCommit() throws(StoreError) {
    defer { isWriting = core.store.isPending }
    guard core.store.isPending || isLearningDue, core.failure == nil else { return }
    do {
      try recordLearned()
    } catch let error as StoreError {
      throw error
    } catch {
      ServiceProcess.log(.error, "Counts of other stations could not be recorded: \(error)")
    }
    isLearningDue = false
    try saveMember()
    try savePeers()
  }

  private func saveMember() throws(StoreError) {
    guard !member.unsaved.isEmpty else { return }
    if member.hasActs, let boot { proof.write(member.station.continuity(boot: boot)) }
    for (period, rows) in member.unsaved.changed { bridge.turns.add(rows, of: period) }
    history.changed.formUnion(member.unsaved.history.authors)
    heardCounters.formUnion(member.unsaved.history.heardCounters)
    try core.store.save(member.unsaved, of: member.station)
    member.forgetUnsaved()
  }

  /// Saves the other stations with other changes. Only a forgotten station causes a separate commit.
  private func savePeers() throws(StoreError) {
    guard isMember, core.store.isPending || peers.hasForgotten else { return }
    let now = Clock.boottime()
    if now >= peersSaved &+ (peers.isChanged ? Self.peersInterval : Self.seenInterval) {
      try core.store.save(peers.known)
      peers.didSaveStations()
      peersSaved = now
    }
    for writer in peers.unsavedClaims {
      if let station = peers.claims[writer] { try core.store.save(station, of: writer) }
    }
    peers.didSaveClaims()
  }

  /// Publishes new acts after a commit.
  func didCommit() {
    (isChanging, history.isBeginning) = (false, false)
    peers.didCommit()
    if !heardCounters.isEmpty {
      core.updateEarliest(of: heardCounters)
      heardCounters = []
    }
    guard isMember else { return }
    if isWriting, hasLostLearned { hearAgain() }
    if peers.hasForgotten { scheduleLearning() }
    // The messages of a reset take as long as the reset itself, and other calls may come between.
    if !bridge.isEmpty, member.announced.values.contains(where: { !$0.resets.isEmpty }) {
      publishing?.arm(at: Clock.boottime())
    } else {
      publish()
    }
  }

  /// Restores the state before a refused group of changes.
  func restore(_ member: FleetMember) {
    self.member = member
    updateShares()
  }

  /// Restores the state of the journal after a rollback of all uncommitted changes.
  func rollBack() {
    guard membership != nil || isChanging else { return }
    let hadLeft = membership == nil
    do {
      membership = try core.store.membership()
      member = try Self.member(in: core.store)
      // Otherwise the next commit would save the present stations.
      if hadLeft, membership != nil { peers = try Self.peers(in: core.store) }
    } catch {
      // The state could not be read, so none of it may be published.
      member = FleetMember(station: Station())
      ServiceProcess.log(.error, "The state of the fleet could not be read: \(error)")
    }
    history.isBeginning = false
    // Closes the writer, because its last number may be on disk although the commit failed.
    member.resume(with: nil, boot: "")
    if membership != nil {
      member.doubtAll()
      hasLostLearned = true
      peers.saveAgain()
      trial?.arm(at: Clock.boottime() &+ Self.trialInterval)
    }
    updateShares()
  }

  /// Writes rows that are saved already, to test whether the journal accepts changes again.
  func tryJournal() {
    guard hasLostLearned, core.failure == nil, let membership else { return }
    // A failure arms the timer again.
    guard (try? core.storing({ () throws(StoreError) in try core.store.save(membership) })) != nil else { return }
    core.commit()
  }

  /// Ends the links, so that the bridge links again. Then the broker sends all retained messages, and the other
  /// stations send full reports when they receive the description of this station.
  private func hearAgain() {
    hasLostLearned = false
    trial?.disarm()
    let message = "Counts of other stations were lost with a commit that failed, and are heard again."
    endLinks { _ in Counters.Refusal(.storageFailed, message: message).error }
  }

  /// Arms the timer that commits merged acts.
  func scheduleLearning() {
    guard hasNews else { return }
    let (now, isOfMember) = (Clock.boottime(), hasLearned || !member.unsaved.isEmpty)
    let due = isOfMember ? lastLearned &+ Self.learningInterval : peersSaved &+ Self.peersInterval
    // Other calls wait during a commit, so many rows are committed before the interval has passed.
    learning?.arm(at: member.unsaved.count < Self.mostUnsaved ? max(now, due) : now)
  }

  func learningIsDue() {
    isLearningDue = true
    lastLearned = Clock.boottime()
  }

  /// Logs a line about a message of another station.
  func notice(_ line: String) {
    if let line = noticed.admit(line, at: Clock.boottime()) { ServiceProcess.log(.notice, line) }
  }

  func end() {
    (learning, publishing, removing, trial) = (nil, nil, nil, nil)
  }
}
