import Counting
import Glibc
import Linux

/// Saves the readable rows of a damaged journal into a new one, and lists the losses. The damaged one is only read.
public struct JournalRepair {
  /// The content of the new journal.
  public private(set) var saved: [RowWords.Number] = []
  /// Losses and guesses, a sentence each; empty if the copy is complete.
  public private(set) var losses: [String] = []

  private let source: Database
  private let target: Database
  /// Whether the list of tables was unreadable, so that the list of a new journal is used.
  private let isAssumed: Bool
  /// The last event that was confirmed, if it is known.
  private let confirmed: Int64?
  private var leaves: LeafSearch?
  private var rescued = 0
  /// Whether there may be events beyond those that could be read.
  private var areEventsCutOff = false

  /// Repairs the journal in the folder `damaged` into the folder `new`, which belongs to the same user if root calls.
  ///
  /// - Throws: a ``StoreError`` if the damaged folder has no journal or is in use, if the new one exists or cannot be
  ///   written, or if nothing at all can be read; then there is no new one.
  public init(_ damaged: String, into new: String) throws(StoreError) {
    let (owner, maker) = (try FolderOwner(of: damaged), try FolderOwner(of: new))
    guard maker == nil || maker == owner else {
      throw StoreError(
        .unusable, "\(new) lies in a folder of another user. Repair into a folder of root or of the journal's owner.")
    }
    let old = try FolderOwner.acting(as: owner) { () throws(StoreError) in
      try JournalFile.require("\(damaged)/\(JournalFile.name)")
      return try StateFolder(damaged)
    }
    // The user could exchange a new folder inside the user's own folder at any time, so root acts with the user's
    // rights.
    self = try FolderOwner.acting(as: maker) { () throws(StoreError) in
      let folder = try StateFolder(makingAnew: new)
      do throws(StoreError) {
        let repair = try JournalRepair(rescuing: old, into: folder)
        if maker == nil, let owner { try folder.give(JournalFile.name, to: owner) }
        return repair
      } catch {
        folder.remove(JournalFile.name)
        throw error
      }
    }
  }

  private init(rescuing old: StateFolder, into new: StateFolder) throws(StoreError) {
    let (file, copy) = ("\(old.path)/\(JournalFile.name)", "\(new.path)/damaged.sqlite")
    defer { DamagedFile.remove(copy) }
    confirmed = StateFolder.lastConfirmed(in: old.path)
    let unreadable = try DamagedFile.copy(JournalFile.name, in: old.path, to: copy)
    if unsafe access("\(file)-wal", F_OK) == 0 {
      _ = try DamagedFile.copy("\(JournalFile.name)-wal", in: old.path, to: "\(copy)-wal")
    }
    target = try Database(path: "\(new.path)/\(JournalFile.name)")
    try target.setPageSize()
    try target.reserveChecksums()
    try target.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    let opened = try DamagedFile.open(copy)
    (source, isAssumed) = opened
    if isAssumed {
      losses.append("The structure of the file could not be read; that of the present version was assumed.")
    }
    if unreadable > 0 { losses.append("The disk could not read \(unreadable) blocks of 4096 bytes.") }
    do throws(StoreError) { try LogCheck.assertUntorn("\(file)-wal", of: file) } catch {
      losses.append("The write-ahead log is damaged: changes in it that were confirmed later are lost.")
    }
    try rescue()
    // A journal that was read completely may still contain events that no core makes.
    if losses.isEmpty { losses = try Verification(target).differences().map(\.sentence) }
    saved = try RowWords.content.map { words, sql throws(StoreError) in
      RowWords.Number(words: words, count: Int(clamping: try target.integer("SELECT count(*) FROM \(sql)") ?? 0))
    }
    try target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try new.sync()
    do {
      try OutputFolder(of: new.path).sync()
    } catch {
      throw StoreError(.unusable, "\(new.path): \(SystemError.reason(error.code)).")
    }
  }

  private mutating func rescue() throws(StoreError) {
    if (try? source.integer("PRAGMA user_version")) != Schema.version {
      losses.append("Which version wrote the file could not be read; the present one was assumed.")
    }
    try target.execute("BEGIN IMMEDIATE")
    try Schema.createTables(in: target)
    for table in try tables() { try rescue(table) }
    guard losses.isEmpty || rescued > 0 else {
      throw StoreError(.damaged, "Nothing that a journal of Tallymark holds could be read.")
    }
    try target.execute("COMMIT")
    try mend()
  }

  private func tables() throws(StoreError) -> [String] {
    let names = try target.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try names.rows { row throws(StoreError) in row.text(0) }.filter { !Rollups.tables.contains($0) }
  }

  private mutating func rescue(_ table: String) throws(StoreError) {
    let words = RowWords.of(table)
    let rescue: TableRescue
    do {
      rescue = try TableRescue(table, from: source, to: target)
    } catch {
      if table == "event" { areEventsCutOff = true }
      return losses.append("No \(words.many) could be read at all.")
    }
    var outcome = try rescue.run()
    if !outcome.isComplete { try searchLeaves(for: table, rescue, &outcome) }
    if !outcome.isComplete, source.checksums == .kept {
      // A page with one wrong bit may still hold many rows, and refer to more.
      source.isChecking = false
      defer { source.isChecking = true }
      let sound = outcome.rows
      outcome = try rescue.run(isAdding: true)
      let doubtful = outcome.rows
      outcome.rows += sound
      if doubtful > 0 {
        losses.append("Saved from damaged pages, and perhaps wrong: \(words.text(doubtful)).")
      }
    }
    rescued += outcome.rows
    // Missing events and values are not listed here: missing events are listed when all tables are read, and values
    // follow from the events.
    if table == "event" { areEventsCutOff = outcome.isCutOff }
    guard table != "event", table != "standing" else { return }
    for gap in outcome.gaps {
      losses.append(
        "In a damaged part of the file between numbers \(gap.lowerBound) and \(gap.upperBound): \(words.many).")
    }
    if outcome.isCutOff { losses.append("Beyond what could be read there may have been more \(words.many).") }
  }

  /// Adds the rows of leaf pages that could not be reached from the table's root page.
  private mutating func searchLeaves(
    for table: String, _ rescue: TableRescue, _ outcome: inout TableRescue.Outcome
  ) throws(StoreError) {
    if leaves == nil { leaves = try LeafSearch(source, hasHeader: !isAssumed, like: target) }
    guard let leaves else { return }
    var found = TableRescue.Outcome()
    let isWhole = try leaves.each(of: table, through: confirmed) { row throws(StoreError) in
      try rescue.add(row, &found)
    }
    outcome.rows += found.rows
    // In this case only a page that refers to the rows was damaged, and no row is missing.
    if isWhole, found.rows > 0, found.isComplete { outcome = .init(rows: outcome.rows) }
  }

  /// The condition for entities with a value. Groups, formulas, and the entity for all counters have none.
  private static let hasValue = "kind IN ('counter', 'stopwatch')"

  /// Makes the saved rows consistent, by removing rows or changing them.
  private mutating func mend() throws(StoreError) {
    // Rollups are not copied, so the values are those of the last events.
    try target.execute("DELETE FROM standing WHERE counter IN (SELECT counter FROM event)")
    try listMissingEvents()
    // An event cannot be read without its cause.
    try mend(
      "INSERT OR IGNORE INTO cause (id, producer) SELECT DISTINCT cause, 'unknown' FROM event "
        + "WHERE cause NOT IN (SELECT id FROM cause)",
      RowWords.of("cause"), "got the name unknown, because the old name was lost")
    try recoverLostEntities()
    try mend(
      "UPDATE counter SET decimals = min(max(decimals, 0), 9) WHERE decimals NOT BETWEEN 0 AND 9",
      RowWords.of("counter"), "had an impossible number of decimals")
    try mend(
      "INSERT OR IGNORE INTO standing SELECT id, start FROM counter WHERE \(Self.hasValue) "
        + "AND id NOT IN (SELECT counter FROM event)",
      RowWords.of("counter"), "had no value left, and got the start value")
    // Without this row, a counter that is shared again would bring counts into the fleet that the fleet already has.
    try mend(
      """
      UPDATE fleet_former SET event = (SELECT coalesce(max(sequence), 0) FROM event), value = NULL,
          dropped = min(dropped, (SELECT coalesce(max(sequence), 0) FROM event))
        WHERE event > (SELECT coalesce(max(sequence), 0) FROM event)
      """, RowWords.of("counter"),
      "had left a fleet later than any event that was saved, and cannot be brought into it again")
    for odd in InvalidRow.all {
      try mend(
        "DELETE FROM \(odd.table) WHERE \(odd.condition)", RowWords.of(odd.table),
        "did not fit the events that were saved, and had to be left out")
    }
  }

  /// Adds the missing events to the losses, with the counters whose values are older because of them.
  private mutating func listMissingEvents() throws(StoreError) {
    let missing = try MissingEvents(target)
    losses += missing.sentences
    if missing.count > 0 {
      losses.append("A counter whose last events are missing has the value before them.")
    }
    let last = try target.integer("SELECT coalesce(max(sequence), 0) FROM event") ?? 0
    // The last event of the last complete block. A number far above the last event's is damage.
    let summarised =
      (try? source.integer("SELECT (max(number) + 1) * \(Rollups.blockSize) FROM block WHERE number < 1 << 45")) ?? nil
    let known = max(confirmed ?? 0, summarised ?? 0)
    if last < known {
      losses.append("\(MissingEvents.words(last + 1...known)) lost.")
    } else if areEventsCutOff {
      losses.append(last > 0 ? "Later events than \(last) may be lost." : "No event could be read.")
    } else {
      return
    }
    if last > 0 { losses.append("The values are those after event \(last); any later counts are lost.") }
    let older = try target.integer("SELECT count(*) FROM standing JOIN counter ON id = counter WHERE NOT removed") ?? 0
    if older > 0 {
      let moment = summarised.map { "event \($0)" } ?? "an earlier event"
      losses.append(
        "\(RowWords.of("counter").text(Int(older))) without events left: the value is that after \(moment); "
          + "any later counts are lost.")
    }
  }

  /// Restores counters, groups and formulas whose rows are lost by applying their events again.
  private mutating func recoverLostEntities() throws(StoreError) {
    let lost = try target.prepare(Self.lostEntities).rows { row throws(StoreError) in Counter.ID(row.integer(0)) }
    guard !lost.isEmpty else { return }
    try target.execute(
      """
      INSERT INTO counter (id, name, title, start, step, kind)
      SELECT id, 'recovered-' || id, 'Recovered ' || id, 0, 1, kind FROM (\(Self.lostEntities))
      """)
    // Lost events leave gaps, so an event may not fit the one before it.
    var ledger = Ledger()
    var removed: [Counter.ID: Entity] = [:]
    let statements = Statements(target)
    let reader = JournalReader(target, statements)
    _ = try statements.eventsBetween.each([1, .integer(.max)]) { row throws(StoreError) in
      let event = try reader.event(row)
      if event.presence == .disappeared { removed[event.counter] = ledger.entity(event.subject, event.counter) }
      ledger.apply(event, reviving: removed[event.counter])
      ledger.clearUndoLog()
    }
    var restored = 0
    for id in lost {
      let present = ledger.entity(.counter, id) ?? ledger.entity(.group, id) ?? ledger.entity(.formula, id)
      guard let entity = present ?? removed[id] else { continue }
      do {
        try statements.saveCounter.run(CounterRow.values(of: entity, isRemoved: present == nil))
        restored += 1
      } catch {
        // The name of the lost entity now belongs to another entity.
        guard error.code == .constraint else { throw error }
      }
    }
    note(restored, RowWords.of("counter"), "had no settings left, and got them back from events")
    note(
      lost.count - restored, RowWords.of("counter"), "got recovered- and a number as the name, as the old name was lost"
    )
  }

  /// Entities that have events but no row, with the kind that their events imply.
  private static let lostEntities = """
    SELECT DISTINCT counter AS id, CASE
      WHEN EXISTS (SELECT 1 FROM alteration WHERE alteration.event IN
        (SELECT sequence FROM event AS own WHERE own.counter = event.counter) AND field = 'formula') THEN 'formula'
      WHEN EXISTS (SELECT 1 FROM alteration WHERE field = 'group' AND event.counter IN (before, after)) THEN 'group'
      WHEN EXISTS (SELECT 1 FROM event AS own WHERE own.counter = event.counter
        AND own.kind IN ('started', 'stopped', 'lapped')) THEN 'stopwatch'
      ELSE 'counter' END AS kind
    FROM event WHERE counter NOT IN (SELECT id FROM counter)
    """

  private mutating func mend(_ sql: String, _ words: RowWords, _ change: String) throws(StoreError) {
    try target.execute(sql)
    note(Int(clamping: try target.integer("SELECT changes()") ?? 0), words, change)
  }

  private mutating func note(_ count: Int, _ words: RowWords, _ change: String) {
    if count > 0 { losses.append("\(words.text(count)) \(change).") }
  }
}
