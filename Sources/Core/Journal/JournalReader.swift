public import Counting

/// Reads the journal: history, totals and past values. A reader with a separate connection sees committed events only
/// and never blocks the writer. Each query sees the journal at one moment; see ``snapshot(_:)``. Used by one thread at
/// a time.
public final class JournalReader {
  /// The path of a journal and the identity of its files.
  public struct Location: Sendable {
    let path: String
    let identity: FileIdentity
  }

  /// The range and the order of a page of events.
  public enum Page: Sendable {
    /// Oldest first, after this sequence number.
    case after(Int64)
    /// Newest first, before this sequence number.
    case before(Int64)
  }

  let database: Database
  let statements: Statements
  let past: HistoryStatements
  private lazy var last = database.statement("SELECT max(sequence) FROM event")
  private lazy var counterByName = database.statement(
    """
    SELECT \(CounterRow.columns.joined(separator: ", ")) FROM \(CounterRow.source)
    WHERE name = ? AND NOT removed AND kind IN ('counter', 'stopwatch')
    """)

  /// The page cache in KiB; the kernel caches the file as well.
  private static let cache = 512
  /// The maximum number of names for which each name is looked up separately.
  private static let fewNames = 64

  /// Reads through the connection of a writer.
  init(_ database: Database, _ statements: Statements) {
    self.database = database
    self.statements = statements
    past = HistoryStatements(database)
  }

  /// Opens the journal of a store for reading.
  ///
  /// - Throws: ``StoreError`` if that fails, or if the files are not those that the store uses.
  public convenience init(_ location: Location) throws(StoreError) {
    let database = try Database(path: location.path, for: .reading)
    // The store makes the checkpoints; a reader must leave the file and its log unchanged, even if it is closed last.
    database.keepLog()
    try database.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -\(Self.cache)")
    var identity = location.identity
    if let path = identity.lost() {
      throw StoreError(.replaced, "\(path) was deleted, moved or replaced while tallyd was using it.")
    }
    self.init(database, Statements(database))
  }

  /// Calls `mayGoOn` repeatedly while a statement runs, and interrupts the statement if it returns `false`.
  public func onProgress(_ mayGoOn: @escaping () -> Bool) { database.onProgress(every: 2000, mayGoOn) }

  // MARK: Snapshots

  /// Runs `body` in a read transaction.
  public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try beginSnapshot()
    defer { endSnapshot() }
    return try body()
  }

  /// Starts a read transaction that lasts until ``endSnapshot()``. Meanwhile the write-ahead log cannot restart.
  public func beginSnapshot() throws(StoreError) {
    past.rollups.forget()
    try database.execute("BEGIN")
  }

  /// Ends the read transaction, if there is one, so that later commits become visible.
  public func endSnapshot() {
    // The snapshot wrote nothing, so its end cannot lose anything. An interrupted statement may have ended the
    // transaction.
    if database.isInTransaction { try? statements.rollback.run() }
  }

  // MARK: Reading

  /// The sequence number of the newest event; 0 without any.
  public func lastSequence() throws(StoreError) -> Int64 {
    try last.number() ?? 0
  }

  /// The number of events up to a sequence number. After a repair it is less than the number: lost events leave gaps.
  public func eventCount(through last: Int64) throws(StoreError) -> Int64 {
    try database.integer("SELECT count(*) FROM event WHERE sequence <= \(last)") ?? 0
  }

  /// The state of the counters, as the core holds it in memory.
  public func ledger() throws(StoreError) -> Ledger {
    return Ledger(
      counters: try statements.counters.rows { row throws(StoreError) in CounterRow.counter(row) },
      groups: try groups(),
      formulas: try formulas(),
      current: try currentCounter(), lastSequence: try lastSequence(),
      lastID: try database.integer("SELECT max(id) FROM counter") ?? 0)
  }

  public func currentCounter() throws(StoreError) -> Counter.ID? {
    try database.integer("SELECT counter FROM current").map(Counter.ID.init)
  }

  /// All groups, counters and formulas, removed ones included.
  public func entries() throws(StoreError) -> [Archive.Entry] { try CounterStore.entries(database) }

  /// All formulas that are not removed.
  public func formulas() throws(StoreError) -> [Formula] {
    try statements.formulas.rows { row throws(StoreError) in CounterRow.formula(row) }
  }

  /// All groups that are not removed.
  public func groups() throws(StoreError) -> [Group] {
    try statements.groups.rows { row throws(StoreError) in CounterRow.group(row) }
  }

  /// The counters that have these names, or had them before a removal or a change of name. With many names the query
  /// scans all names ever used.
  public func countersEver(named names: Set<String>) throws(StoreError) -> [String: Counter] {
    var counters: [String: Counter] = [:]
    // Most queries have few names. The index finds a name only in the same spelling.
    if names.count <= Self.fewNames {
      for name in names {
        counters[name] = try counterByName.rows(.text(name)) { row throws(StoreError) in CounterRow.counter(row) }.first
      }
    }
    let names = names.filter { counters[$0] == nil }
    guard !names.isEmpty else { return counters }
    // Compared in Swift, because two spellings of the same letters are the same name.
    var bearers: [String: Int64] = [:]
    for given in [statements.names, statements.formerNames] where bearers.count < names.count {
      var found: [String: Int64] = [:]
      _ = try given.each([]) { row throws(StoreError) in
        let name = row.text(1)
        if names.contains(name), found[name] == nil { found[name] = row.integer(0) }
      }
      bearers.merge(found) { bearer, _ in bearer }
    }
    for (name, id) in bearers {
      counters[name] =
        try statements.counter.rows(.integer(id)) { row throws(StoreError) in CounterRow.counter(row) }.first
    }
    return counters
  }

  /// The counters and formulas with this name, or that had it before they were removed or renamed: the present one
  /// first, then the latest first, at most 100.
  public func bearersEver(of name: String) throws(StoreError) -> [Counter.ID] {
    // The last event of each candidate under the name. The present bearer is ranked later than any event.
    var found: [Counter.ID: Int64] = [:]
    // Compared in Swift, because two spellings of the same letters are the same name.
    let inASCII = name.utf8.allSatisfy { $0 < 0x80 } ? Statement.Value.text(name) : .null
    _ = try statements.bearers.each([inASCII]) { row throws(StoreError) in
      if row.text(1) == name, found.count < 100 { found[Counter.ID(row.integer(0))] = row.integer(2) == 0 ? .max : 0 }
    }
    let summarised = try past.rollups.count() * Rollups.blockSize
    for (id, last) in found where last == 0 {
      found[id] =
        try statements.lastCounterEventUntil.number(.integer(id.number), .integer(.max), .integer(summarised)) ?? 0
    }
    _ = try statements.formerBearers.each([inASCII]) { row throws(StoreError) in
      let id = Counter.ID(row.integer(0))
      if row.text(1) == name, found.count < 100, found[id] == nil { found[id] = row.integer(2) }
    }
    return found.sorted { ($0.value, $0.key.number) > ($1.value, $1.key.number) }.map(\.key)
  }

  func event(_ row: Statement) throws(StoreError) -> Event {
    let sequence = row.integer(0)
    guard let kind = Event.Kind(rawValue: row.text(2)) else {
      throw StoreError(.damaged, "Event \(sequence) in the journal has a kind that this version does not support.")
    }
    let marks = Event.Marks(rawValue: row.integer(13))
    return Event(
      sequence: sequence, time: row.integer(1), kind: kind, subject: Event.Subject(rawValue: row.text(12)) ?? .counter,
      counter: .init(row.integer(3)), name: CounterName(trusted: row.text(4)),
      unit: row.text(12) == "stopwatch" ? .time : .decimal(row.decimals(18)), change: row.integer(5),
      value: row.integer(6), presence: Event.Presence(rawValue: row.integer(11)) ?? .unchanged,
      undoes: row.optionalInteger(7),
      cause: Cause(producer: row.text(8), device: row.optionalText(9), gesture: row.optionalText(10)), marks: marks,
      boundary: row.optionalInteger(14), about: row.optionalInteger(15), batch: row.optionalInteger(16),
      alterations: marks.contains(.altered) ? try alterations(of: sequence) : [], note: row.optionalText(17))
  }

  private func alterations(of sequence: Int64) throws(StoreError) -> [Alteration] {
    try statements.alterations.rows(.integer(sequence)) { row throws(StoreError) in
      guard let field = Field(rawValue: row.text(0)) else {
        throw StoreError(.damaged, "Event \(sequence) changes “\(row.text(0))”, which this version does not support.")
      }
      return Alteration(field, from: .init(row.value(1)), to: .init(row.value(2)))
    }
  }

  // MARK: Search

  /// Events, and where to continue the search.
  public struct Found: Sendable {
    public let events: [Event]
    /// The event after which (or before which, backwards) the next page starts; `nil` at the end.
    public let next: Int64?
  }

  /// Returns at most `limit` events that match `filter`. A long search pauses with fewer events; ``Found/next`` is the
  /// position for the next call.
  ///
  /// - Parameter mayHold: whether to read a block with events between two times; `nil` for all blocks.
  public func search(
    _ filter: EventFilter, _ page: Page, limit: Int64, mayHold: ((Int64, Int64) -> Bool)? = nil
  ) throws(StoreError) -> Found {
    let newest = try lastSequence()
    let range: (first: Int64, last: Int64)
    let direction: EventSearch.Direction
    switch page {
    case .after(let sequence): (range, direction) = ((max(0, sequence).clampedSum(1), newest), .forwards)
    case .before(let sequence): (range, direction) = ((1, min(max(sequence, 1) - 1, newest)), .backwards)
    }
    guard range.first <= range.last, limit > 0 else { return Found(events: [], next: nil) }
    var events: [Event] = []
    let end = try past.eventSearch.each(
      filter, in: range.first...range.last, direction, limit: limit, mayHold: mayHold
    ) { row throws(StoreError) in events.append(try event(row)) }
    switch end {
    case .complete: return Found(events: events, next: nil)
    case .reached(let sequence):
      let isAtEnd = sequence == (direction == .forwards ? range.last : range.first)
      return Found(events: events, next: isAtEnd ? nil : sequence)
    }
  }

  // MARK: Damage

  /// The number of pages that ``findDamage(_:)`` reads at once.
  private static let portion: Int32 = 32

  /// Reads the whole file once, to find damage before the data is needed.
  ///
  /// - Parameter mayGoOn: called after every 64 KiB to make a pause; returns `false` to end the search.
  /// - Returns: the damage as a sentence that says what to do; `nil` if nothing was found.
  public func findDamage(_ mayGoOn: @escaping () -> Bool) throws(StoreError) -> StoreError? {
    guard database.checksums == .kept else { return nil }
    var page: Int64 = 1
    while let count = try database.readPages(from: page, count: Self.portion) {
      guard count > 0, mayGoOn() else { return nil }
      page += count
    }
    // A wrong checksum in the file is no proof of damage: the log may have a good copy of the page, if a power cut
    // stopped the checkpoint.
    database.onProgress(every: 20_000, mayGoOn)
    do throws(StoreError) {
      return try database.text("PRAGMA quick_check(1)") == "ok" ? nil : database.damageError
    } catch {
      guard error.code == .damaged else { throw error }
      return error
    }
  }
}
