import Counting

/// Verifies a journal: replays all events and compares the result with the stored state.
final class Verification {
  /// The maximum number of differences reported.
  private static let most = 100

  /// A difference, as a sentence.
  struct Difference {
    let sentence: String
    /// Whether the difference is in data that a core computes again from the events.
    let isDerived: Bool
  }

  private let database: Database
  private let statements: Statements
  private var found: [Difference] = []

  init(_ database: Database) throws(StoreError) {
    self.database = database
    statements = Statements(database)
  }

  /// The differences at one moment of the journal.
  func differences() throws(StoreError) -> [Difference] {
    try database.execute("BEGIN")
    let quick = try database.text("PRAGMA quick_check(1)") ?? ""
    if let damage = database.damageError { throw damage }
    if quick != "ok" { report("SQLite reports a damaged file: \(quick).") }
    try Schema.checkNumbers(database)
    try checkWords()
    try checkDecimals()
    try checkRows()
    try checkState()
    for fault in try UndoInconsistency.all(in: 1...Int64.max, of: database, limit: Self.most) {
      report(EventFault(sequence: fault.sequence, reason: fault.reason()).message)
    }
    try RollupCheck(database) { [self] in report($0, isDerived: true) }.run()
    try database.execute("COMMIT")
    return found
  }

  private func report(_ sentence: @autoclosure () -> String, isDerived: Bool = false) {
    if found.count < Self.most { found.append(Difference(sentence: sentence(), isDerived: isDerived)) }
  }

  // MARK: The state

  /// Finds unknown words, which this version would read as if they were known.
  private func checkWords() throws(StoreError) {
    let known: [(column: String, words: [String])] = [
      ("kind", ["counter", "stopwatch"] + [.group, .formula, .all].map(\Event.Subject.rawValue)),
      ("limits", [.refuse, .stop].map(\Counter.Limits.rawValue)),
    ]
    for (column, words) in known {
      _ = try database.prepare("SELECT id, \(column) FROM counter").each([]) { row throws(StoreError) in
        let word = row.text(1)
        if !words.contains(word) {
          report("Counter \(row.integer(0)) is stored with the unknown \(column) “\(word.shortened)”.")
        }
      }
    }
  }

  /// Finds counters whose decimals are out of range. All readers use the nearest valid number.
  private func checkDecimals() throws(StoreError) {
    _ = try database.prepare("SELECT id, decimals FROM counter WHERE decimals NOT BETWEEN 0 AND 9").each([]) {
      row throws(StoreError) in
      report("Counter \(row.integer(0)) is stored with \(row.integer(1)) decimals.")
    }
  }

  /// Finds rows that no core writes, in tables other than that of events.
  private func checkRows() throws(StoreError) {
    for odd in InvalidRow.all {
      let sql = "SELECT \(odd.sentence) FROM \(odd.table) WHERE \(odd.condition) LIMIT \(Self.most)"
      _ = try database.prepare(sql).each([]) { row throws(StoreError) in report(row.text(0)) }
    }
  }

  private func checkState() throws(StoreError) {
    let stored = try CounterStore.entries(database)
    var replay = Replay()
    var ledger = Ledger()
    var notes: [Int64: String] = [:]
    var valuesAfterBlocks: [Int64: Int64] = [:]
    let summarised = try Rollups(database).count() * Rollups.blockSize
    let reader = JournalReader(database, statements)
    var missing = MissingEvents()
    _ = try statements.eventsBetween.each([1, .integer(.max)]) { row throws(StoreError) in
      let event = try reader.event(row)
      missing.note(event.sequence)
      // The values of later events depend on the missing ones.
      guard missing.count == 0 else { return }
      if let about = event.about { notes[about] = event[.note]?.text }
      do throws(EventFault) {
        try replay.replay(event, on: &ledger)
      } catch {
        report(error.message)
        // Continues with the recorded value, so that a fault is reported only once.
        ledger.apply(event)
      }
      ledger.clearUndoLog()
      if event.sequence <= summarised, event.subject == .counter, event.about == nil {
        valuesAfterBlocks[event.counter.number] = event.value
      }
    }
    for sentence in missing.sentences { report(sentence) }
    guard missing.count == 0 else { return }
    check(stored, ledger, replay)
    try checkCurrent(ledger)
    try checkNotes(notes)
    try checkSavedValues(valuesAfterBlocks, after: summarised)
  }

  private func check(_ entries: [Archive.Entry], _ ledger: Ledger, _ replay: Replay) {
    var expected: Set<Counter.ID> = []
    for entry in entries {
      let (stored, id) = (entry.entity, entry.entity.id)
      let present = ledger.entity(stored.subject, id)
      guard let replayed = present ?? replay.removedEntity(id) else {
        report("“\(stored.name.text.shortened)” (\(stored.subject.rawValue) \(id.number)) is stored without an event.")
        continue
      }
      if present != nil { expected.insert(id) }
      if entry.isRemoved != (present == nil) {
        report(
          "“\(replayed.name.text.shortened)” is \(entry.isRemoved ? "stored as removed, but was not removed" : "stored as existing, but was removed") by its events."
        )
      }
      compare(stored, replayed)
    }
    let all =
      ledger.all.map { Entity.counter($0) } + ledger.groups.map { .group($0) } + ledger.formulas.map { .formula($0) }
    for entity in all where !expected.contains(entity.id) {
      report(
        "“\(entity.name.text.shortened)” (\(entity.subject.rawValue) \(entity.id.number)) is in the events, but not stored."
      )
    }
  }

  private func compare(_ stored: Entity, _ replayed: Entity) {
    let name = replayed.name.text.shortened
    for field in Field.allCases where stored[field] != replayed[field] {
      report(
        "“\(name)”: “\(field.rawValue)” is stored as \(stored[field].words), but is \(replayed[field].words) by its events."
      )
    }
    guard case .counter(let one) = stored, case .counter(let other) = replayed else { return }
    if one.value != other.value {
      report("“\(name)” is stored with the value \(one.value); its events add up to \(other.value).")
    }
    if one.isLocked != other.isLocked {
      report(
        "“\(name)” is stored as \(one.isLocked ? "locked" : "unlocked"), but is \(one.isLocked ? "unlocked" : "locked") by its events."
      )
    }
    if one.unit != other.unit { report("“\(name)” is stored in another unit than that of its events.") }
  }

  private func checkCurrent(_ ledger: Ledger) throws(StoreError) {
    let stored = try database.integer("SELECT counter FROM current").map(Counter.ID.init)
    guard stored.flatMap({ ledger[$0] })?.id != ledger.current else { return }
    let name = ledger.current.flatMap { ledger[$0]?.name.text.shortened } ?? "none"
    report("The current counter is stored as \(stored?.number.description ?? "none"), but is “\(name)” by the events.")
  }

  private func checkNotes(_ notes: [Int64: String]) throws(StoreError) {
    var notes = notes
    _ = try database.prepare("SELECT event, text FROM event_note").each([]) { row throws(StoreError) in
      if notes.removeValue(forKey: row.integer(0)) != row.text(1) {
        report("The note about event \(row.integer(0)) differs from the note in the events.")
      }
    }
    if let missing = notes.keys.min() { report("The note about event \(missing) is missing.") }
  }

  private func checkSavedValues(_ values: [Int64: Int64], after last: Int64) throws(StoreError) {
    _ = try database.prepare(
      "SELECT id, name, standing.value FROM counter LEFT JOIN standing ON standing.counter = id WHERE kind IN ('counter', 'stopwatch')"
    ).each([]) { row throws(StoreError) in
      let (saved, value) = (row.optionalInteger(2), values[row.integer(0)])
      guard saved != value else { return }
      report(
        "“\(row.text(1).shortened)” is saved as \(saved?.description ?? "nothing") after event \(last); "
          + "its events add up to \(value?.description ?? "nothing").")
    }
  }
}

extension Field.Value {
  /// The value for use in a sentence.
  fileprivate var words: String {
    switch self {
    case .none: "nothing"
    case .integer(let number): String(number)
    case .text(let text): "“\(text.shortened)”"
    }
  }
}
