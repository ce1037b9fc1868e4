/// Saves what can be read of a damaged journal into a new one, and says what could not. The damaged one is only read.
public struct JournalRepair {
  /// How many rows were saved, by what they hold in people's words.
  public private(set) var saved: [(what: String, count: Int)] = []
  /// What was lost or had to be guessed, in sentences; empty where nothing was.
  public private(set) var losses: [String] = []

  private let source: Database
  private let target: Database

  /// What a table holds. Summaries are made anew from the events.
  private static let words = [
    "event": "events", "counter": "counters", "cause": "causes of events", "standing": "values",
    "delivery": "deliveries of other programs", "producer": "programs that deliver", "alteration": "changed settings",
    "event_note": "notes", "current": "choices of the current counter",
  ]

  /// Repairs the journal in the folder `damaged` into the folder `new`, which belongs to the same user where root asks.
  ///
  /// - Throws: a ``StoreError`` where the damaged folder holds no journal or is in use, the new one exists or cannot be
  ///   written, or nothing at all can be read; then there is no new one.
  public init(_ damaged: String, into new: String) throws(StoreError) {
    try JournalFile.require("\(damaged)/\(JournalFile.name)")
    let old = try StateFolder(damaged)
    let folder = try StateFolder(makingAnew: new)
    do throws(StoreError) {
      try self.init(rescuing: old, into: folder)
      if let owner = FolderOwner(of: damaged) { try folder.give(JournalFile.name, to: owner) }
    } catch {
      folder.remove(JournalFile.name)
      throw error
    }
  }

  private init(rescuing old: StateFolder, into new: StateFolder) throws(StoreError) {
    let (file, copy) = ("\(old.path)/\(JournalFile.name)", "\(new.path)/damaged.sqlite")
    defer { DamagedFile.remove(copy) }
    let unreadable = try DamagedFile.copy(file, to: copy)
    try DamagedFile.copyIfThere("\(file)-wal", to: "\(copy)-wal")
    target = try Database(path: "\(new.path)/\(JournalFile.name)")
    try target.execute("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    let opened = try DamagedFile.open(copy)
    source = opened.database
    if opened.isAssumed {
      losses.append("Where the tables begin could not be read; it was taken from a journal of the present version.")
    }
    if unreadable > 0 { losses.append("The disk could not read \(unreadable) blocks of 4096 bytes.") }
    try rescue()
    try target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try new.sync()
  }

  private mutating func rescue() throws(StoreError) {
    let found = (try? source.integer("PRAGMA user_version")) ?? nil
    let version = found.flatMap { 1...Schema.version ~= $0 ? $0 : nil } ?? Schema.version
    if found != version {
      losses.append("Which version wrote the file could not be read; the present one was assumed.")
    }
    try target.execute("BEGIN IMMEDIATE")
    try Schema.advance(target, to: version)
    for table in try tables() { try rescue(table) }
    guard losses.isEmpty || saved.contains(where: { $0.count > 0 }) else {
      throw StoreError(.damaged, "Nothing that a journal of Tallymark holds could be read.")
    }
    try target.execute("COMMIT")
    try Schema.migrate(target)
    try mend()
  }

  private func tables() throws(StoreError) -> [String] {
    let names = try target.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try names.rows { row throws(StoreError) in row.text(0) }.filter { !Summaries.tables.contains($0) }
  }

  private mutating func rescue(_ table: String) throws(StoreError) {
    let what = Self.words[table] ?? "rows of “\(table)”"
    let rescue: TableRescue
    do {
      rescue = try TableRescue(table, from: source, to: target)
    } catch {
      return losses.append("No \(what) could be read at all.")
    }
    let outcome = try rescue.run()
    saved.append((what, outcome.rows))
    for gap in outcome.gaps {
      losses.append("In a damaged part of the file between numbers \(gap.lowerBound) and \(gap.upperBound): \(what).")
    }
    if outcome.isCutOff { losses.append("Beyond what could be read there may have been more \(what).") }
  }

  /// Groups, formulas, and what stands for all counters have no value.
  private static let isWithoutValue = "kind NOT IN ('counter', 'stopwatch')"

  /// Makes of the saved rows a journal that holds together.
  private mutating func mend() throws(StoreError) {
    let missing = try target.integer("SELECT coalesce(max(sequence), 0) - count(*) FROM event") ?? 0
    if missing > 0 { losses.append("\(missing) events are missing in the history.") }
    try mend(
      "INSERT OR IGNORE INTO standing SELECT counter, value FROM event WHERE sequence IN "
        + "(SELECT max(sequence) FROM event WHERE counter NOT IN (SELECT id FROM counter WHERE \(Self.isWithoutValue)) "
        + "GROUP BY counter)",
      "values of counters were taken from their last event")
    try mend(
      "INSERT OR IGNORE INTO counter (id, name, title, start, step) SELECT DISTINCT counter, 'recovered-' || counter, "
        + "'Recovered ' || counter, 0, 1 FROM event WHERE counter NOT IN (SELECT id FROM counter)",
      "counters had lost their names, and are called recovered- and a number")
    try mend(
      "INSERT OR IGNORE INTO standing SELECT id, start FROM counter WHERE NOT \(Self.isWithoutValue)",
      "counters had lost their values, and stand at their start")
    try mend(
      "INSERT OR IGNORE INTO cause (id, producer) SELECT DISTINCT cause, 'unknown' FROM event "
        + "WHERE cause NOT IN (SELECT id FROM cause)",
      "causes of events had to be called unknown")
  }

  private mutating func mend(_ sql: String, _ what: String) throws(StoreError) {
    try target.execute(sql)
    let count = try target.integer("SELECT changes()") ?? 0
    if count > 0 { losses.append("\(count) \(what).") }
  }
}
