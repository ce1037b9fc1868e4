public import Counting

/// The journal on disk: every event, and beside them the values that they fold into, in one SQLite file.
///
/// What is appended becomes durable at ``commit(_:)``, all at once, or is gone after ``rollback()``. One thread uses it.
public final class CounterStore {
  private let folder: StateFolder
  let database: Database
  let statements: Statements
  let past: HistoryStatements
  private let counts: WaitingCounts
  private var presence = FilePresence(of: [])
  private let causes: CauseNumbers
  /// The current counter as the journal holds it, and whether it is known what that is.
  private var written: (current: Counter.ID?, isKnown: Bool) = (nil, false)

  /// Opens the journal in the folder `path`, making both where they are missing.
  ///
  /// - Throws: a ``StoreError`` where the folder is in use or unusable, or the file damaged, foreign or newer.
  public init(folder path: String) throws(StoreError) {
    folder = try StateFolder(path)
    database = try Database(path: "\(path)/counters.sqlite")
    try Self.assertDurability(of: database)
    try database.secureLog()
    try Schema.migrate(database)
    try folder.sync()
    statements = try Statements(database)
    past = try HistoryStatements(database)
    counts = WaitingCounts(statements)
    causes = CauseNumbers(database, statements)
    try summariseEarlierEvents()
    presence = FilePresence(of: [database.path, "\(database.path)-wal"])
  }

  /// Whether the disk takes writes in the folder `path` now.
  public static func takesWrites(inFolder path: String) -> Bool { StateFolder.takesWrites(path) }

  /// From now on nothing is written, whatever happens to this object.
  public func abandon() { database.keepLog() }

  /// A journal of an earlier version has no summaries yet.
  private func summariseEarlierEvents() throws(StoreError) {
    let last = try database.integer("SELECT max(sequence) FROM event") ?? 0
    guard try past.summaries.isBehind(last) else { return }
    try statements.begin.run()
    try past.summaries.catchUp(to: last)
    try statements.commit.run()
  }

  /// Sets what the promise rests on, and believes it only after reading it back.
  private static func assertDurability(of database: Database) throws(StoreError) {
    // For a file that is new: a commit writes three pages, so smaller ones make it shorter. With one client 2048 bytes
    // gave 8 % more commits a second than SQLite's 4096; 1024 gave 3 % more still, and a deeper tree.
    // The change to write-ahead logging needs a journal of the other kind for a moment; its deletion must last, or it
    // would take back all that was committed since.
    try database.execute("PRAGMA page_size = 2048; PRAGMA synchronous = EXTRA")
    let mode = try database.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError(
        .unusable,
        "\(database.path) lies on a file system without write-ahead logging (journal mode \(mode ?? "none")).")
    }
    try database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF")
    guard try database.integer("PRAGMA synchronous") == 2 else {
      throw StoreError(.unusable, "\(database.path) cannot be written durably: SQLite refused synchronous=FULL.")
    }
  }

  /// All counters as they were committed last.
  public func load() throws(StoreError) -> Ledger {
    let counters = try statements.counters.rows { row throws(StoreError) in CounterRow.counter(row) }
    let groups = try statements.groups.rows { row throws(StoreError) in CounterRow.group(row) }
    let formulas = try statements.formulas.rows { row throws(StoreError) in CounterRow.formula(row) }
    let current = try database.integer("SELECT counter FROM current")
    return Ledger(
      counters: counters, groups: groups, formulas: formulas, current: current.map(Counter.ID.init),
      lastSequence: try database.integer("SELECT max(sequence) FROM event") ?? 0,
      lastID: try database.integer("SELECT max(id) FROM counter") ?? 0)
  }

  // MARK: Writing

  /// Whether something was appended that is not committed yet.
  public private(set) var isPending = false

  /// Writes an event behind all others; `ledger` is how things stand after it, which most events do not need to know.
  public func append(_ event: Event, to ledger: @autoclosure () -> Ledger) throws(StoreError) {
    try begin()
    let cause = try causes.number(of: event.cause)
    if event.isPlain {
      try counts.append(event, cause: cause)
    } else {
      try counts.write()
      try write(event, as: event.sequence, cause: cause)
    }
    past.summaries.note(Counted(event, cause: cause))
    if let about = event.about { return try note(event[.note]?.text, about) }
    // Values are written once a commit, but whether and as what a counter exists must be known to the statements in
    // between.
    guard
      event.presence != .unchanged || !event.alterations.isEmpty || event.kind == .locked || event.kind == .unlocked
    else { return }
    try save(event, ledger())
  }

  /// Writes what an event made of its subject.
  private func save(_ event: Event, _ ledger: Ledger) throws(StoreError) {
    let values: [Statement.Value]?
    switch event.subject {
    case .all: return
    case .group: values = ledger.group(event.counter).map { CounterRow.values(of: $0) }
    case .formula: values = ledger.formula(event.counter).map { CounterRow.values(of: $0) }
    case .counter: values = ledger[event.counter].map { CounterRow.values(of: $0) }
    }
    guard let values else { return try remove(event) }
    try statements.saveCounter.run(values)
    if event.subject == .counter, event.presence == .appeared, let counter = ledger[event.counter] {
      try statements.addStanding.run(.integer(counter.id.number), .integer(counter.value))
    }
  }

  /// Writes an event under a number, with what it did to fields and what was noted about it.
  func write(_ event: Event, as sequence: Int64) throws(StoreError) {
    try write(event, as: sequence, cause: try causes.number(of: event.cause))
  }

  private func write(_ event: Event, as sequence: Int64, cause: Int64) throws(StoreError) {
    try statements.appendEvent.run(
      .integer(sequence), .integer(event.time), .text(event.kind.rawValue), .integer(event.counter.number),
      .integer(event.change), .integer(event.value), .integer(event.presence.rawValue), .init(event.undoes),
      .integer(cause), .integer(event.marks.rawValue), .init(event.boundary), .init(event.about),
      .init(event.batch))
    for alteration in event.alterations {
      try statements.addAlteration.run(
        .integer(sequence), .text(alteration.field.rawValue), .init(alteration.before), .init(alteration.after))
    }
    if let text = event.note { try note(text, sequence) }
  }

  private func remove(_ event: Event) throws(StoreError) {
    try statements.removeCounter.run(.integer(event.counter.number))
    if event.subject == .counter {
      try statements.saveStanding.run(.integer(event.value), .integer(event.counter.number))
    }
  }

  private func note(_ text: String?, _ about: Int64) throws(StoreError) {
    guard let text else { return try statements.removeNote.run(.integer(about)) }
    try statements.saveNote.run(.integer(about), .text(text))
  }

  /// Makes all that was appended durable, with the counters of `ledger` that changed. When this returns it is on disk.
  public func commit(_ ledger: Ledger) throws(StoreError) {
    guard isPending else { return }
    try assertTransaction()
    try flush(ledger)
    try past.summaries.catchUp(to: ledger.lastSequence)
    try statements.commit.run()
    isPending = false
    try assertPresence()
  }

  /// What was written to a file that has no name any more is as good as lost.
  private func assertPresence() throws(StoreError) {
    guard let path = presence.lost else { return }
    throw StoreError(
      .replaced,
      "\(path) was deleted, moved or replaced while tallyd was using it. Nothing more is counted until it is put back "
        + "and tallyd restarted.")
  }

  /// Writes what waits and the values that changed, so that the statements see them before the commit.
  func flush(_ ledger: Ledger) throws(StoreError) {
    guard isPending else { return }
    try counts.write()
    for case let counter? in ledger.unsettled.values {
      try statements.saveStanding.run(.integer(counter.value), .integer(counter.id.number))
    }
    // Most commits leave the current counter as it was, and are spared a page then.
    guard !written.isKnown || written.current != ledger.current else { return }
    try statements.saveCurrent.run(.init(ledger.current?.number))
    written = (ledger.current, true)
  }

  /// Forgets what was appended since the last commit.
  public func rollback() {
    forgetWritten()
    isPending = false
    if database.isInTransaction { try? statements.rollback.run() }
  }

  /// Runs `body`; if it throws, forgets what it appended and keeps what was appended before.
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

  /// What was taken back may have held what this object remembers as written.
  private func forgetWritten() {
    counts.forget()
    causes.forget()
    written.isKnown = false
    past.summaries.forget()
  }

  /// SQLite ends a transaction by itself after some errors: committing nothing must not look like success, nor must
  /// anything be written that would be committed by itself.
  private func assertTransaction() throws(StoreError) {
    guard database.isInTransaction else { throw StoreError(.failed, "The transaction on \(database.path) was lost.") }
  }

  func begin() throws(StoreError) {
    guard !isPending else { return try assertTransaction() }
    do {
      try statements.begin.run()
    } catch {
      // Everybody waits while this waits for a lock; who comes next must not wait as long again for the same one.
      if error.code == .inUse { database.isPatient = false }
      throw error
    }
    database.isPatient = true
    isPending = true
  }
}
