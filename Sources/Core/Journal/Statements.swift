import Counting

/// The prepared statements of the journal.
final class Statements {
  private let database: Database
  // The statements of most commits: a lazy property would cost instructions at each use.
  let begin: Statement
  /// Holds a read transaction from its first row until it is reset.
  let hold: Statement
  let commit: Statement
  let rollback: Statement
  let savepoint: Statement
  let release: Statement
  let rollbackToSavepoint: Statement
  let saveCurrent: Statement
  let appendCount: Statement
  /// Like ``appendCount``, for ``countsAtATime`` counts.
  let appendCounts: Statement
  let saveDelivery: Statement

  init(_ database: Database) {
    self.database = database
    begin = database.statement("BEGIN IMMEDIATE")
    hold = database.statement("SELECT 1 FROM sqlite_schema")
    commit = database.statement("COMMIT")
    rollback = database.statement("ROLLBACK")
    savepoint = database.statement("SAVEPOINT together")
    release = database.statement("RELEASE together")
    rollbackToSavepoint = database.statement("ROLLBACK TO together")
    saveCurrent = database.statement(
      "INSERT INTO current VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET counter = excluded.counter")
    appendCount = database.statement(Self.append(counts: 1))
    appendCounts = database.statement(Self.append(counts: Self.countsAtATime))
    saveDelivery = database.statement("INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?)")
  }

  private(set) lazy var counters = database.statement(
    "\(Self.entities) WHERE NOT removed AND kind IN ('counter', 'stopwatch') ORDER BY id")
  private(set) lazy var groups = database.statement("\(Self.entities) WHERE NOT removed AND kind = 'group' ORDER BY id")
  private(set) lazy var formulas = database.statement(
    "\(Self.entities) WHERE NOT removed AND kind = 'formula' ORDER BY id")
  private(set) lazy var counter = database.statement("\(Self.entities) WHERE id = ?")
  private(set) lazy var names = database.statement(
    "SELECT id, name FROM counter WHERE kind IN ('counter', 'stopwatch') ORDER BY removed, id DESC")
  private(set) lazy var formerNames = database.statement(
    """
    SELECT event.counter, before, sequence FROM alteration JOIN event ON sequence = alteration.event
      JOIN counter ON counter.id = event.counter
    WHERE field = 'name' AND counter.kind IN ('counter', 'stopwatch') ORDER BY sequence DESC
    """)
  /// The counters and formulas that may have a name, or have had it.
  private(set) lazy var bearers = database.statement(
    """
    SELECT id, name, removed FROM counter WHERE kind IN ('counter', 'stopwatch', 'formula') AND \(Self.mayBe("name"))
      ORDER BY removed, id DESC
    """)
  private(set) lazy var formerBearers = database.statement(
    """
    SELECT event.counter, before, sequence FROM alteration JOIN event ON sequence = alteration.event
      JOIN counter ON counter.id = event.counter
    WHERE field = 'name' AND counter.kind IN ('counter', 'stopwatch', 'formula') AND \(Self.mayBe("before"))
      ORDER BY sequence DESC
    """)
  private(set) lazy var everyName = database.statement(
    "SELECT id, name, kind FROM counter WHERE kind <> 'all' ORDER BY id")
  private(set) lazy var saveCounter = database.statement(CounterRow.upsert)
  private(set) lazy var removeCounter = database.statement("UPDATE counter SET removed = 1 WHERE id = ?")
  private(set) lazy var appendEvent = database.statement(
    """
    INSERT INTO event (sequence, time, kind, counter, change, value, presence, undoes, cause, marks, boundary, about,
      batch)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private(set) lazy var addAlteration = database.statement("INSERT INTO alteration VALUES (?, ?, ?, ?)")
  private(set) lazy var alterations = database.statement("SELECT field, before, after FROM alteration WHERE event = ?")
  private(set) lazy var saveNote = database.statement("INSERT OR REPLACE INTO event_note VALUES (?, ?)")
  private(set) lazy var removeNote = database.statement("DELETE FROM event_note WHERE event = ?")
  private(set) lazy var lastEventUntil = database.statement(
    "\(Self.eventColumns) WHERE sequence <= ? AND \(Self.undoable) ORDER BY sequence DESC LIMIT 1")
  private(set) lazy var lastCounterEventUntil = database.statement(
    "\(Self.eventColumns) WHERE sequence = \(Self.lastOfCounter(until: "?2"))")
  /// The events that a search for undo or redo skips: see ``CounterStore/last(_:in:_:)``.
  private(set) lazy var settledAll = database.statement(
    Self.settled(
      next: """
        (SELECT sequence FROM event WHERE sequence <= settled.rest AND \(Self.undoable) ORDER BY sequence DESC LIMIT 1)
        """))
  private(set) lazy var settledOfCounter = database.statement(
    Self.settled(next: Self.lastOfCounter(until: "settled.rest")))
  /// The events of the batch ?1 that are not undone, the last one first.
  private(set) lazy var batch = database.statement(
    """
    SELECT sequence, kind FROM event
    WHERE batch = ?1 AND kind NOT IN ('selected', 'armed')
      AND NOT EXISTS (SELECT 1 FROM event AS taker WHERE taker.undoes = event.sequence)
    ORDER BY sequence DESC
    """)
  private(set) lazy var subjectsOfBatch = database.statement(
    "SELECT DISTINCT counter FROM event WHERE batch = ?1 ORDER BY counter")
  private(set) lazy var eventsBetween = database.statement(
    "\(Self.eventColumns) WHERE sequence BETWEEN ? AND ? ORDER BY sequence")
  /// The resets and corrections of the counter ?1 after the events ?2 and ?3.
  private(set) lazy var settersAfter = database.statement(
    """
    SELECT sequence, kind FROM event WHERE counter = ?1 AND sequence > ?2 AND sequence < ?3
      AND kind IN (\(Event.Kind.sql(Event.Kind.all(.sets)))) ORDER BY sequence DESC
    """)
  private(set) lazy var findCause = database.statement(
    "SELECT id FROM cause WHERE producer = ? AND device IS ? AND gesture IS ?")
  private(set) lazy var addCause = database.statement("INSERT INTO cause (producer, device, gesture) VALUES (?, ?, ?)")
  private(set) lazy var producer = database.statement("SELECT id, epoch FROM producer WHERE name = ?")
  private(set) lazy var saveProducer = database.statement(
    """
    INSERT INTO producer (name, epoch) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch
    """)
  private(set) lazy var deliveries = database.statement(
    "SELECT epoch, sequence, first_event, last_event FROM delivery WHERE producer = ?")
  private(set) lazy var saveImport = database.statement("INSERT INTO import VALUES (?, ?)")
  /// The renames of counters that may have had the name ?1, each with the rename before it.
  private(set) lazy var renames = database.statement(
    """
    SELECT event.counter, before, event.sequence, (
      SELECT coalesce(max(former.sequence), 0) FROM alteration JOIN event AS former ON former.sequence = alteration.event
      WHERE field = 'name' AND former.counter = event.counter AND former.sequence < event.sequence)
    FROM alteration JOIN event ON sequence = alteration.event WHERE field = 'name' AND \(Self.mayBe("before"))
    ORDER BY event.counter
    """)
  /// The parts of imports in a range of events.
  private(set) lazy var importsBetween = database.statement(
    "SELECT max(first, ?1), min(last, ?2) FROM import WHERE last >= ?1 AND first <= ?2 ORDER BY first")
  private(set) lazy var importHolding = database.statement(
    "SELECT first, last FROM import WHERE first <= ?1 AND last >= ?1 ORDER BY first DESC LIMIT 1")
  /// Whether an import contains the event ?1, or an event that ?1 undid, directly or through others.
  private(set) lazy var importInChain = database.statement(
    """
    WITH RECURSIVE link(sequence) AS (
      SELECT ?1
      UNION ALL
      SELECT undoes FROM link JOIN event ON event.sequence = link.sequence WHERE undoes < event.sequence LIMIT 1024
    )
    SELECT EXISTS (SELECT 1 FROM link WHERE EXISTS (
      SELECT 1 FROM (SELECT last FROM import WHERE first <= link.sequence ORDER BY first DESC LIMIT 1)
      WHERE last >= link.sequence))
    """)
  /// The last event from ?4 to ?2, of the counter ?1 or of all, that is in effect: it counted, or created an entity
  /// that still exists, and no later event undid it.
  private(set) lazy var effectiveInImport = database.statement(
    """
    \(Self.eventColumns) WHERE sequence = iif(?1 IS NULL,
      (SELECT sequence FROM event WHERE sequence <= ?2 AND \(Self.isEffective) ORDER BY sequence DESC LIMIT 1),
      \(Self.lastOfCounter(until: "?2", where: Self.isEffective)))
    """)
  /// Whether more than ?5 events from ?4 to ?2 are in effect like those of ``effectiveInImport``.
  private(set) lazy var manyEffectiveInImport = database.statement(
    """
    SELECT EXISTS (
      SELECT 1 FROM event WHERE sequence <= ?2 AND \(Self.isEffective) ORDER BY sequence DESC LIMIT 1 OFFSET ?5)
    """)
  /// The columns of events that the undo of an import needs.
  private(set) lazy var changesBetween = database.statement(
    """
    SELECT sequence, event.kind, event.counter, counter.kind, change, presence, undoes, marks
    FROM event JOIN counter ON counter.id = event.counter
    WHERE sequence BETWEEN ? AND ? AND about IS NULL
      AND event.kind NOT IN ('selected', 'armed', 'locked', 'unlocked') ORDER BY sequence
    """)
  /// The events of a range that a later event undid.
  private(set) lazy var undoneSince = database.statement(
    "SELECT undoes FROM event WHERE undoes BETWEEN ?1 AND ?2 AND sequence > ?2")

  /// The query of entities with the values of counters, up to the conditions.
  private static let entities = "SELECT \(CounterRow.columns.joined(separator: ", ")) FROM \(CounterRow.source)"

  /// The query of events, up to the conditions.
  static let eventColumns = """
    SELECT sequence, time, event.kind, event.counter, name, change, event.value, undoes, producer, device, gesture,
      presence, counter.kind, marks, boundary, about, batch, event_note.text, counter.decimals
    FROM event JOIN counter ON counter.id = event.counter JOIN cause ON cause.id = event.cause
      LEFT JOIN event_note ON event_note.event = sequence
    """

  /// Excludes events that cannot be undone, or that have an opposite event of their own.
  static let undoable =
    "event.kind NOT IN ('selected', 'armed', 'locked', 'unlocked', 'renewed') "
    + "AND NOT marks & \(Event.Marks.notUndoable.rawValue)"

  /// The number of plain counts per statement: a statement costs SQLite more than a row.
  static let countsAtATime = 16

  /// Inserts plain counts, each with ``countColumns``.
  private static func append(counts: Int) -> String {
    let row = "(\(repeatElement("?", count: countColumns.count).joined(separator: ", ")))"
    return """
      INSERT INTO event (\(countColumns.joined(separator: ", ")))
      VALUES \(repeatElement(row, count: counts).joined(separator: ", "))
      """
  }

  /// The columns of an event that only changed a value.
  static let countColumns = ["sequence", "time", "kind", "counter", "change", "value", "cause"]

  /// Finds the position at which a search continues before the event ?2 and all settled events before it, down to the
  /// event ?6. An event is settled, that is skipped, if it is of the kind ?4 (undone, or redone in a search for a
  /// redo), or if it is undone itself. An event with the mark ?5 settles all events back to the one that it undid.
  /// Imports are undone in another way, so their events are not skipped.
  ///
  /// One statement per event would take ten times as long.
  ///
  /// - Parameter next: SQL for the number of the next event to check, at or before `settled.rest`.
  static func settled(next: String) -> String {
    func isImported(_ event: String) -> String {
      """
      EXISTS (SELECT 1 FROM (SELECT last FROM import WHERE first <= \(event).sequence ORDER BY first DESC LIMIT 1)
        WHERE last >= \(event).sequence)
      """
    }
    let isSettled = """
      event.sequence > ?6 AND NOT \(isImported("event")) AND (event.kind = ?4 AND event.undoes < event.sequence
        OR (?4 = 'undone' OR event.kind = 'undone') AND EXISTS (
          SELECT 1 FROM event AS taker WHERE taker.undoes = event.sequence AND NOT \(isImported("taker"))))
      """
    let rest = """
      iif(event.kind = ?4 AND event.marks & ?5 AND event.undoes < event.sequence, event.undoes, event.sequence) - 1
      """
    return """
      WITH RECURSIVE settled(rest) AS (
        SELECT \(rest) FROM event WHERE event.sequence = ?2 AND \(isSettled)
        UNION ALL
        SELECT \(rest) FROM settled CROSS JOIN event ON event.sequence = \(next) WHERE \(isSettled)
      )
      SELECT min(rest) FROM settled
      """
  }

  /// The condition that a name may equal ?1, which is in ASCII or NULL. Names with other characters may have several
  /// spellings, which only Swift compares.
  private static func mayBe(_ column: String) -> String {
    "(?1 IS NULL OR \(column) = ?1 OR \(column) GLOB '*[^ -~]*')"
  }

  /// Finds the last event of the counter ?1 up to `end`. Events after ?3 are in no block yet.
  private static func lastOfCounter(until end: String, where condition: String = undoable) -> String {
    """
    coalesce(
      (SELECT sequence FROM event WHERE counter = ?1 AND sequence > ?3 AND sequence <= \(end) AND \(condition)
        ORDER BY sequence DESC LIMIT 1),
      (SELECT sequence FROM block_counter CROSS JOIN event ON sequence BETWEEN first AND min(last, \(end))
        WHERE block_counter.counter = ?1 AND first <= \(end) AND event.counter = ?1 AND \(condition)
        ORDER BY first DESC, sequence DESC LIMIT 1))
    """
  }

  /// The condition for an event from ?4 on that is in effect; see ``effectiveInImport``.
  private static let isEffective = """
    sequence >= ?4 AND about IS NULL AND event.undoes IS NULL
      AND event.kind IN (\(Event.Kind.sql([.created] + Event.Kind.all(.counts, .sets, .times))))
      AND EXISTS (SELECT 1 FROM counter WHERE counter.id = event.counter AND NOT removed
        AND (event.kind = 'created' OR counter.kind IN ('counter', 'stopwatch')))
      AND NOT EXISTS (SELECT 1 FROM event AS taker WHERE taker.undoes = event.sequence)
    """
}

extension Event.Kind {
  /// The kinds as a list of SQL.
  static func sql(_ kinds: [Self]) -> String { kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
}
