import Calendars
import Counting
import Synchronization

/// The import of one archive. A new entity gets its events, checked by a ``Replay``. New events of an existing counter
/// are performed under the rules for counts made now: limits, locks, periods and goals.
struct ArchiveImporter {
  let store: CounterStore
  /// The state before the import.
  let before: Ledger
  var ledger: Ledger
  let clash: Archive.Clash
  /// The time of the import, in microseconds since 1970.
  let time: Int64
  /// The cause of the events that the import itself makes, which are one batch.
  private(set) var cause = Cause(producer: Cause.importer)
  private(set) var batch = Batch.begins
  var replay = Replay()
  var summary = CounterStore.ImportSummary()
  /// The treatment of each entity, by its ID in the archive.
  var treatments: [Counter.ID: Treatment] = [:]
  /// The local sequence numbers of imported events.
  var sequences = SequenceMap()
  /// The local sequence numbers of the archive's events that exist already.
  var duplicates: [Int64: Int64] = [:]
  /// The archive's events that existing counters do not receive, and the events that left the same states as undos of
  /// imports; see ``DuplicateFinder``.
  var (gone, states): (Set<Int64>, [Int64: Int64]) = ([], [:])
  /// The local sequence numbers of the archive's batches.
  var batches: [Int64: Int64] = [:]
  /// The local names of entities, by their names in the archive.
  var renamed: [CounterName: CounterName] = [:]
  /// The same for entities that were here before. Other entities may have had their names earlier.
  var twinNames: [CounterName: CounterName] = [:]
  /// Names of the archive that must not be used for other entities.
  var reserved: Set<CounterName> = []
  /// The names of the counters that were created or changed.
  var changed: [Counter.ID: String] = [:]
  /// The entities created by the import; some of them may have been removed again.
  private(set) var created: Set<Entity.Key> = []
  /// The amounts that a limit cut off, by counter.
  var cut: [Counter.ID: (added: Int128, subtracted: Int128)] = [:]
  /// The counters that an earlier import filled and that were renamed since, by their name in that import.
  var present: [String: Counter.ID] = [:]
  /// The counters to which an earlier import gave the value of the table, and which have another one now.
  var outdated: Set<Counter.ID> = []
  /// The numbers of the table's counts that were added.
  var added: [CountMoment: Int64] = [:]
  /// The number of equal counts in the journal, for counts of tables.
  var tableCounts = TableCounts()
  /// The differences to earlier imports, by the counter, time and cause of their rows.
  var replacements: [CountMoment: Replacement] = [:]
  /// The counts of the table's counters and days that a person entered later.
  var enteredLater: [Counter.ID: [Event]] = [:]
  /// The rows of counters with such counts that no earlier import brought.
  var newRows: [CountMoment: NewRow] = [:]
  /// The maximum number of decimals of each counter in a table.
  private(set) var tableDecimals: [String: Int64] = [:]
  /// The last events by which imports set counters that get events to a value, unless the archive has these events.
  var importedValues: [Counter.ID: Event] = [:]
  /// The number of events that the ledger can still roll back.
  var unsettled = 0
  /// The number of entries read. All of them may exist already.
  private var read = 0
  /// The number of events that have no rollups yet.
  private var unsummarised = 0

  /// The maximum of ``unsummarised``: queries read events without rollups one by one, for up to half a second and with
  /// 60 MB.
  static let mostUnsummarised = 1 << 19

  enum Treatment {
    /// A new entity with history; its local ID once its first event is imported.
    case replayed(Counter.ID?)
    /// An existing counter, to which new events are added.
    case merged(Counter.ID)
    /// An existing entity, whose history is not changed.
    case represented(Counter.ID)
    case dropped
  }

  init(_ store: CounterStore, _ ledger: Ledger, _ clash: Archive.Clash, at time: Int64) {
    self.store = store
    before = ledger
    self.ledger = ledger
    // A look at the files of the zone for each row would take a quarter of the import's time.
    self.ledger.zone = ZoneMemory(ledger.zone).zone(named:)
    self.clash = clash
    self.time = time
  }

  mutating func importArchive(_ archive: Archive) throws -> CounterStore.ImportSummary {
    cause = Cause(producer: Cause.importer, device: archive.file)
    reserved = Set(archive.entries.lazy.filter { !$0.isRemoved && $0.entity.subject != .group }.map(\.entity.name))
    try findRenamedCounters(archive)
    try decideTreatments(archive)
    try makeEntitiesWithoutHistory(archive)
    try findDuplicates(archive)
    try archive.events.each { event in
      try add(event)
      reportProgress()
    }
    for count in archive.counts { noteDecimals(of: count.amount, count.name) }
    for value in archive.values { noteDecimals(of: value.value, value.name) }
    for count in archive.counts {
      do { try add(count) } catch let error as CountingError {
        throw ArchiveError.refused(.row(line: count.line), time(of: count), error)
      }
      reportProgress()
    }
    for count in archive.counts where count.again == .replace { try replaceRest(of: count) }
    try checkReplacements()
    try checkNewRows()
    for value in archive.values {
      do { try add(value) } catch let error as CountingError {
        throw ArchiveError.refused(.row(line: value.line), nil, error)
      }
    }
    try selectCurrent(archive)
    let exist = created.filter { ledger.entity($0.subject, $0.id) != nil }
    do throws(CountingError) {
      try ledger.checkFormulas(exist.filter { $0.subject == .formula }.map(\.id))
    } catch {
      throw ArchiveError.counting(error)
    }
    summary.groups = Int64(exist.count { $0.subject == .group })
    summary.counters = Int64(exist.count { $0.subject == .counter })
    summary.formulas = Int64(exist.count { $0.subject == .formula })
    let changed = changed.sorted { $0.key < $1.key }
    summary.names = changed.map { ledger[$0.key]?.name.text ?? $0.value }
    summary.changed = changed.compactMap { ledger[$0.key] }
    summary.cut = summary.changed.compactMap { counter in
      cut[counter.id].map {
        .init(
          counter: counter, added: Int64(clamping: $0.added), subtracted: Int64(clamping: $0.subtracted))
      }
    }
    return summary
  }

  /// Checks that each new undo or redo reverts an event that was in effect before.
  func checkUndos() throws {
    guard before.lastSequence < ledger.lastSequence else { return }
    // Buffered counts need no check: they come after all undos.
    let new = before.lastSequence + 1...ledger.lastSequence
    guard let fault = try UndoInconsistency.all(in: new, of: store.database, limit: 1).first else { return }
    let number = { [sequences] (here: Int64) in sequences.number(of: here) ?? here }
    throw ArchiveError.event(number(fault.sequence), fault.reason(number))
  }

  /// Whether the new events undo each other, in a journal that was not empty.
  mutating func isWithoutEffect() throws(StoreError) -> Bool {
    guard before.lastSequence > 0, before.lastSequence < ledger.lastSequence, before.current == ledger.current,
      created.allSatisfy({ ledger.entity($0.subject, $0.id) == nil }),
      changed.keys.allSatisfy({ before[$0] == ledger[$0] })
    else { return false }
    try flush()
    return try store.effectiveEvents(of: before.lastSequence + 1...ledger.lastSequence, nil, in: ledger).sequences
      .isEmpty
  }

  private mutating func noteDecimals(of number: String, _ name: String) {
    let decimals = Int64(min(9, number.split(separator: ".", maxSplits: 1).dropFirst().first?.utf8.count ?? 0))
    if decimals > 0 { tableDecimals[name] = max(tableDecimals[name] ?? 0, decimals) }
  }

  /// The time of a count as text; for a row of a day, the day.
  func time(of count: Archive.Count) -> String { count.day.map { "\($0)" } ?? ledger.wallTime(count.time) }

  private mutating func reportProgress() {
    read += 1
    if read.isMultiple(of: 4096) { store.onProgress() }
  }

  // MARK: Reading and writing

  mutating func recorded(_ sequence: Int64) throws(StoreError) -> Event? {
    try flush()
    return try store.events(sequence...sequence, in: ledger).first
  }

  /// Writes all events before a search. Single steps are never rolled back here, only the whole transaction.
  mutating func flush() throws(StoreError) {
    try store.flush(ledger.head)
    try store.past.rollups.catchUpWhole(to: ledger.lastSequence)
    ledger.clearUndoLog()
    (unsettled, unsummarised) = (0, 0)
  }

  @discardableResult
  mutating func perform(_ change: Change) throws -> [Event] {
    let events = try ledger.perform(change, at: time, cause: cause, in: batch)
    try appendOwn(events)
    return events
  }

  /// Performs a change with the time and the cause of an event of the archive, or of a count of a table.
  @discardableResult
  mutating func perform(_ change: Change, _ event: Event, isOwn: Bool = false) throws -> [Event] {
    var past: Ledger.Answer?
    if let question = ledger.question(before: change, at: event.time) {
      // A copy of the ledger that still exists at the change would make that change copy the ledger's undo log.
      let now = ledger
      past = try store.answer(question, in: now) { () throws(StoreError) in try flush() }
    }
    var events = try ledger.perform(
      change, at: event.time, cause: event.cause, in: isOwn ? batch : .none, past: past)
    // Counts of a counter that the import created need no mark: its creation has a lower number and a later time.
    if time.clampedDistance(from: event.time) > Event.shortestLateness, let id = events.first?.counter,
      before[id] != nil
    {
      events.markCounts(.late)
    }
    try isOwn ? appendOwn(events) : append(events)
    return events
  }

  /// Appends events that the import itself has made.
  mutating func appendOwn(_ events: [Event]) throws(StoreError) {
    if batch == .begins, let first = events.first?.batch { batch = .goesOn(first) }
    try append(events)
  }

  mutating func append(_ events: [Event]) throws(StoreError) {
    for event in events where event.kind == .created { created.insert(Entity.Key(event)) }
    try store.append(events, to: ledger)
    summary.events += Int64(events.count)
    unsettled += events.count
    unsummarised += events.count
    if unsummarised > Self.mostUnsummarised { try flush() }
    if unsettled > 4096 {
      ledger.clearUndoLog()
      unsettled = 0
    }
  }
}

/// Zones that are each read once, during an import.
private final class ZoneMemory: Sendable {
  private let read: @Sendable (String?) throws(ZoneError) -> Zone
  private let zones = Mutex<[String?: Zone]>([:])

  init(_ read: @escaping @Sendable (String?) throws(ZoneError) -> Zone) { self.read = read }

  func zone(named name: String?) throws(ZoneError) -> Zone {
    if let known = zones.withLock({ $0[name] }) { return known }
    let zone = try read(name)
    zones.withLock { $0[name] = zone }
    return zone
  }
}
