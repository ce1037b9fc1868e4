public import Counting
import Glibc

/// The journal on disk, one SQLite file: every event, and the state computed from the events. Appended events become
/// durable together at ``commit(_:)`` or are dropped by ``rollback()``. Used by one thread only.
public final class CounterStore {
  let folder: StateFolder
  public var path: String { folder.path }
  let database: Database
  let statements: Statements
  /// Reads through the writing connection, and so sees uncommitted events.
  let reader: JournalReader
  var past: HistoryStatements { reader.past }
  private let counts: CountInsertBuffer
  var identity = FileIdentity(of: [], in: "")
  private let causes: CauseIDs
  /// The rows of the fleet.
  public let fleetTables: FleetTables
  let passedEvents: PassedEvents
  /// The current counter as last written to the journal, and whether that is known.
  private var written: (current: Counter.ID?, isKnown: Bool) = (nil, false)

  /// Opens the journal in the folder `path`. Creates the folder and the file if they do not exist.
  ///
  /// - Parameters:
  ///   - patience: the time to wait for another core that uses the folder, in nanoseconds.
  ///   - lockWait: the time to wait for another program that has locked the file, in milliseconds; default: 2 seconds.
  /// - Throws: ``StoreError`` if the folder is in use or unusable, or if the file is locked, damaged, of another
  ///   program or of a newer version.
  public init(folder path: String, patience: Int64 = 0, lockWait: Int32? = nil) throws(StoreError) {
    folder = try StateFolder(path, patience: patience)
    try folder.assertOnlyName(of: JournalFile.name)
    try LogCheck.assertWhole(path)
    database = try Database(path: "\(path)/\(JournalFile.name)")
    if let lockWait { database.waitForLocks(lockWait) }
    try Self.assertDurability(of: database)
    try database.keepWriteLock()
    try database.secureLog()
    try Schema.create(in: database)
    try Schema.checkNumbers(database)
    try Self.restoreChecksums(of: database)
    try folder.sync()
    statements = Statements(database)
    reader = JournalReader(database, statements)
    counts = CountInsertBuffer(statements)
    causes = CauseIDs(database, statements)
    fleetTables = FleetTables(database)
    passedEvents = PassedEvents(database, reader.past.rollups)
    try rollUpMissing()
    database.stopCheckpoints()
    identity = FileIdentity(of: ["counters.sqlite", "counters.sqlite-wal"], in: path)
    // A core that was killed right after a commit has not confirmed its events; from now on clients see these events.
    if let last = try database.integer("SELECT max(sequence) FROM event") { folder.confirm(last) }
  }

  deinit {
    release()
    // After a complete checkpoint the log is not needed.
    if mayWrite, !isPending, database.checkpointWhole() { folder.forgetConfirmed() }
  }

  /// The length of the write-ahead log in pages after the last commit. It restarts from 0 at the first commit after a
  /// complete checkpoint without readers.
  public var logPages: Int { database.logPages }

  /// Copies the write-ahead log into the file, as far as no reader needs it, so that the log can restart.
  public func checkpoint() {
    release()
    database.checkpoint()
  }

  /// Prevents all further writes of this object, including those of its deinitialisation.
  public func stopWriting() {
    mayWrite = false
    database.keepLog()
  }

  private var mayWrite = true

  /// Builds the rollups that a repair or a restore left out.
  private func rollUpMissing() throws(StoreError) {
    let last = try database.integer("SELECT max(sequence) FROM event") ?? 0
    guard try past.rollups.isBehind(last) else { return }
    try checkGaps(to: last)
    try statements.begin.run()
    try past.rollups.catchUpWithMany(to: last)
    try statements.commit.run()
  }

  /// Throws if far more events are missing than a repair can have lost. Rollups for so many would fill the disk.
  private func checkGaps(to last: Int64) throws(StoreError) {
    let summarised = try past.rollups.count() * Rollups.blockSize
    let count = try database.integer("SELECT count(*) FROM event WHERE sequence > \(summarised)") ?? 0
    guard (last - summarised) / 10 > count + 1_000_000 else { return }
    throw StoreError(
      .damaged,
      "\(database.path) is damaged: of the events \(summarised + 1) to \(last) only \(count) are there. "
        + JournalFile.recovery(of: database.path))
  }

  // MARK: Checksums

  /// Recomputes all checksums after a program without support for them has changed the file.
  private static func restoreChecksums(of database: Database) throws(StoreError) {
    guard database.checksums == .outdated else { return }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try database.stamp()
  }

  /// Sets the durability options, and checks each by reading it back.
  private static func assertDurability(of database: Database) throws(StoreError) {
    try database.setPageSize()
    // The change to write-ahead logging uses a rollback journal for a moment; the deletion of that journal must be
    // durable, or recovery would roll back later commits.
    try database.execute("PRAGMA synchronous = EXTRA")
    try database.reserveChecksums()
    let mode = try database.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError(
        .unusable,
        "\(database.path) is on a file system that does not support write-ahead logging (journal mode \(mode ?? "none")); "
          + "use a local disk (--state).")
    }
    try database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF")
    guard try database.integer("PRAGMA synchronous") == 2 else {
      throw StoreError(.unusable, "\(database.path) cannot be written durably: SQLite refused synchronous=FULL.")
    }
  }

  /// The last committed state.
  public func load() throws(StoreError) -> Ledger {
    var ledger = try reader.ledger()
    try recallStarts(of: ledger.all.lazy.filter { $0.period != nil }.map(\.id), in: &ledger)
    return ledger
  }

  /// Restores in a ledger what the journal tells of clocks that were back in the present periods of counters.
  public func recallStarts(
    of counters: some Sequence<Counter.ID>, in ledger: inout Ledger
  ) throws(StoreError) {
    var starts: [Counter.ID: [Ledger.StartAlteration]] = [:]
    for id in counters { starts[id] = [] }
    // Each end of a period alters the start of counting, so the latest alterations of each counter are enough.
    let rows = try database.prepare(
      """
      SELECT event.counter, before, after, kind, marks
        FROM alteration JOIN event ON sequence = alteration.event
        WHERE field = 'began' ORDER BY alteration.event DESC LIMIT 65536
      """)
    defer { rows.reset() }
    while !starts.isEmpty, try rows.next() {
      let id = Counter.ID(rows.integer(0))
      guard var known = starts[id] else { continue }
      if let before = rows.optionalInteger(1), let after = rows.optionalInteger(2) {
        known.append(
          Ledger.StartAlteration(
            kind: Event.Kind(rawValue: rows.text(3)), marks: Event.Marks(rawValue: rows.integer(4)), before: before,
            after: after))
        starts[id] = known
        if known.last?.goesOn == true, known.count < 64 { continue }
      }
      ledger.recallStarts(of: id, known)
      starts[id] = nil
    }
    for (id, known) in starts { ledger.recallStarts(of: id, known) }
  }

  /// Events that searches for undo and redo have skipped and will always skip.
  var undoSkips = UndoSkips()
  var endedPeriods = EndedPeriods()
  /// Whether the appended events belong to an import.
  var isImporting = false
  /// For each import, one event that its undo undoes.
  var effective: [ImportOfCounter: Int64] = [:]
  /// Called repeatedly during a long import or its undo.
  public var onProgress: () -> Void = {}
  /// The sequence number of the last event that was committed; 0 if unknown.
  private var lastCommitted: Int64 = 0

  // MARK: Writing

  /// Whether there are uncommitted events.
  public private(set) var isPending = false

  /// Whether all uncommitted events are still in the transaction.
  public var isWhole: Bool { !isPending || database.isInTransaction }

  /// Appends the events of one change.
  ///
  /// - Parameter ledger: the state after the last of them.
  public func append(_ events: [Event], to ledger: @autoclosure () -> Ledger) throws(StoreError) {
    guard events.count > 1 else {
      if let event = events.first { try append(event, to: ledger()) }
      return
    }
    let ledger = ledger()
    // Only the state after the last event is saved: while two entities exchange their names, both have the same name.
    var changed: Set<Entity.Key> = []
    for event in events where try write(event) {
      changed.insert(Entity.Key(subject: event.subject, id: event.counter))
    }
    for key in changed { try statements.removeCounter.run(.integer(key.id.number)) }
    for key in changed { try save(key, ledger) }
  }

  /// Appends an event. `ledger` returns the state after the event; few events need it.
  public func append(_ event: Event, to ledger: @autoclosure () -> Ledger) throws(StoreError) {
    if try write(event) { try save(Entity.Key(subject: event.subject, id: event.counter), ledger()) }
  }

  /// Writes an event and the note that it sets.
  ///
  /// - Returns: whether the event changed more of its subject than the value.
  private func write(_ event: Event) throws(StoreError) -> Bool {
    try begin()
    let cause = try causes.number(of: event.cause)
    if event.isPlain {
      try counts.append(event, cause: cause)
    } else {
      try counts.write()
      try write(event, cause: cause)
    }
    past.rollups.note(EventRow(event, cause: cause))
    endedPeriods.note(event)
    // Imported events are undone by ``effectiveEvents(of:_:in:)``.
    if !isImporting { undoSkips.note(event) }
    if let about = event.about {
      try note(event[.note]?.text, about)
      return false
    }
    return event.subject != .all
      && (event.presence != .unchanged || !event.alterations.isEmpty || event.kind == .locked
        || event.kind == .unlocked)
  }

  /// Saves the present state of an entity, or its state before removal.
  private func save(_ key: Entity.Key, _ ledger: Ledger) throws(StoreError) {
    if let entity = ledger.entity(key.subject, key.id) {
      try statements.saveCounter.run(CounterRow.values(of: entity, isRemoved: false))
    } else if let entity = ledger.removedEntity(key) {
      try statements.saveCounter.run(CounterRow.values(of: entity, isRemoved: true))
    } else {
      try statements.removeCounter.run(.integer(key.id.number))
    }
  }

  /// Writes an event with its field changes and its note.
  private func write(_ event: Event, cause: Int64) throws(StoreError) {
    try statements.appendEvent.run(
      .integer(event.sequence), .integer(event.time), .text(event.kind.rawValue), .integer(event.counter.number),
      .integer(event.change), .integer(event.value), .integer(event.presence.rawValue), .init(event.undoes),
      .integer(cause), .integer(event.marks.rawValue), .init(event.boundary), .init(event.about),
      .init(event.batch))
    for alteration in event.alterations {
      try statements.addAlteration.run(
        .integer(event.sequence), .text(alteration.field.rawValue), .init(alteration.before), .init(alteration.after))
    }
    if let text = event.note { try note(text, event.sequence) }
  }

  private func note(_ text: String?, _ about: Int64) throws(StoreError) {
    guard let text else { return try statements.removeNote.run(.integer(about)) }
    try statements.saveNote.run(.integer(about), .text(text))
  }

  /// Whether rollups are left to be written after an import, a few at each ``commit(_:)``.
  public var isBehind: Bool { mayWrite && ((try? past.rollups.isPostponed(lastCommitted)) ?? false) }

  /// Makes all appended events durable. They are on disk when this returns.
  public func commit(_ head: Ledger.Head) throws(StoreError) {
    if isBehind { try begin() }
    guard isPending else { return }
    try assertTransaction()
    try flush(head)
    // Checked before the commit, so that a refused change does not appear when the file is put back.
    try assertIdentity()
    try statements.commit.run()
    isPending = false
    undoSkips.commit()
    if lastCommitted != head.sequence { folder.confirm(head.sequence) }
    lastCommitted = head.sequence
    if database.isLogLong {
      release()
      database.checkpoint()
    }
  }

  /// Writes buffered counts and the rollups of complete blocks, so that all statements see them before the commit.
  /// After an import only a few rollups are written: events without them are searched one by one.
  func flush(_ head: Ledger.Head) throws(StoreError) {
    guard isPending else { return }
    try counts.write()
    try past.rollups.catchUp(to: head.sequence)
    // Most commits do not change the current counter; skipping the update saves a page.
    guard !written.isKnown || written.current != head.current else { return }
    try statements.saveCurrent.run(.init(head.current?.number))
    written = (head.current, true)
  }

  /// Writes buffered counts, so that searches of single events see them before the commit.
  func writeCounts() throws(StoreError) { try counts.write() }

  /// Drops everything appended since the last commit.
  public func rollback() {
    forgetWritten()
    isPending = false
    if database.isInTransaction { try? statements.rollback.run() }
    release()
  }

  /// Runs `body`. If `body` throws, drops the events that it appended and keeps earlier ones.
  public func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try begin()
    try counts.write()
    try statements.savepoint.run()
    do {
      let result = try body()
      try statements.release.run()
      return result
    } catch {
      forgetWritten()
      if database.isInTransaction { try statements.rollbackToSavepoint.run() }
      throw error
    }
  }

  /// Drops caches of rows that a rollback may have removed.
  private func forgetWritten() {
    counts.forget()
    causes.forget()
    fleetTables.forget()
    written.isKnown = false
    past.rollups.forget()
    // The sequence numbers of uncommitted events are used again.
    undoSkips.rollback()
    endedPeriods.removeAll()
    effective = effective.filter { $0.value <= lastCommitted }
  }

  /// SQLite ends a transaction by itself after some errors. Without this check an empty commit would look like success,
  /// and later writes would be committed one by one.
  private func assertTransaction() throws(StoreError) {
    guard isWhole else { throw StoreError(.failed, "SQLite rolled back the transaction on \(database.path).") }
  }

  func begin() throws(StoreError) {
    guard !isPending else { return try assertTransaction() }
    try statements.begin.run()
    isPending = true
    try hold()
  }

  // MARK: Read lock

  /// Whether a read transaction is open across commits.
  ///
  /// Without an open transaction, SQLite acquires and releases a read lock of the log for each transaction, with four
  /// system calls. The lock prevents checkpoints, so it is released when the log is long.
  private var isHolding = false

  private func hold() throws(StoreError) {
    guard !isHolding else { return }
    isHolding = try statements.hold.next()
  }

  private func release() {
    statements.hold.reset()
    isHolding = false
  }
}
