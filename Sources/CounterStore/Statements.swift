import Counting

/// Every statement the journal uses, prepared once.
final class Statements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let savepoint: Statement
  let release: Statement
  let rollbackToSavepoint: Statement
  let counters: Statement
  let groups: Statement
  let formulas: Statement
  let counter: Statement
  let names: Statement
  let formerNames: Statement
  let everyName: Statement
  let saveCounter: Statement
  let addStanding: Statement
  let saveStanding: Statement
  let removeCounter: Statement
  let saveCurrent: Statement
  let appendEvent: Statement
  let appendCount: Statement
  /// ``countsAtATime`` of them.
  let appendCounts: Statement
  let addAlteration: Statement
  let alterations: Statement
  let saveNote: Statement
  let removeNote: Statement
  let lastEventUntil: Statement
  let lastCounterEventUntil: Statement
  let takenBack: Statement
  let batch: Statement
  let eventsBetween: Statement
  let findCause: Statement
  let addCause: Statement
  let producer: Statement
  let saveProducer: Statement
  let deliveries: Statement
  let saveDelivery: Statement
  let copyDeliveries: Statement

  /// What is read of an event, up to the conditions.
  static let eventColumns = """
    SELECT sequence, time, event.kind, event.counter, name, change, event.value, undoes, producer, device, gesture,
      presence, counter.kind, marks, boundary, about, batch, event_note.text, counter.decimals
    FROM event JOIN counter ON counter.id = event.counter JOIN cause ON cause.id = event.cause
      LEFT JOIN event_note ON event_note.event = sequence
    """

  /// How many plain counts are written by one statement where many wait: a statement costs SQLite more than a row.
  static let countsAtATime = 16

  /// Writes plain counts, each by ``countColumns``.
  private static func append(counts: Int) -> String {
    let row = "(\(repeatElement("?", count: countColumns.count).joined(separator: ", ")))"
    return """
      INSERT INTO event (\(countColumns.joined(separator: ", ")))
      VALUES \(repeatElement(row, count: counts).joined(separator: ", "))
      """
  }

  /// What there is to say of an event that did nothing but change a value.
  private static let countColumns = ["sequence", "time", "kind", "counter", "change", "value", "cause"]

  init(_ database: Database) throws(StoreError) {
    let counterColumns = CounterRow.columns.joined(separator: ", ")
    let counters = "SELECT \(counterColumns) FROM counter LEFT JOIN standing ON standing.counter = counter.id"
    let eventColumns = Self.eventColumns
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    savepoint = try database.prepare("SAVEPOINT together")
    release = try database.prepare("RELEASE together")
    rollbackToSavepoint = try database.prepare("ROLLBACK TO together")
    self.counters = try database.prepare(
      "\(counters) WHERE NOT removed AND kind IN ('counter', 'stopwatch') ORDER BY id")
    groups = try database.prepare("\(counters) WHERE NOT removed AND kind = 'group' ORDER BY id")
    formulas = try database.prepare("\(counters) WHERE NOT removed AND kind = 'formula' ORDER BY id")
    counter = try database.prepare("\(counters) WHERE id = ?")
    names = try database.prepare(
      "SELECT id, name FROM counter WHERE kind IN ('counter', 'stopwatch') ORDER BY removed, id DESC")
    everyName = try database.prepare(
      "SELECT id, name, kind FROM counter WHERE kind <> 'all' ORDER BY id")
    formerNames = try database.prepare(
      """
      SELECT event.counter, before FROM alteration JOIN event ON sequence = alteration.event
        JOIN counter ON counter.id = event.counter
      WHERE field = 'name' AND counter.kind IN ('counter', 'stopwatch') ORDER BY sequence DESC
      """)
    saveCounter = try database.prepare(CounterRow.upsert)
    addStanding = try database.prepare("INSERT OR REPLACE INTO standing VALUES (?, ?)")
    saveStanding = try database.prepare("UPDATE standing SET value = ? WHERE counter = ?")
    removeCounter = try database.prepare("UPDATE counter SET removed = 1 WHERE id = ?")
    saveCurrent = try database.prepare(
      "INSERT INTO current VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET counter = excluded.counter")
    appendEvent = try database.prepare(
      """
      INSERT INTO event (sequence, time, kind, counter, change, value, presence, undoes, cause, marks, boundary, about,
        batch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    appendCount = try database.prepare(Self.append(counts: 1))
    appendCounts = try database.prepare(Self.append(counts: Self.countsAtATime))
    addAlteration = try database.prepare("INSERT INTO alteration VALUES (?, ?, ?, ?)")
    alterations = try database.prepare("SELECT field, before, after FROM alteration WHERE event = ?")
    saveNote = try database.prepare("INSERT OR REPLACE INTO event_note VALUES (?, ?)")
    removeNote = try database.prepare("DELETE FROM event_note WHERE event = ?")
    // What is no deed of its own, or has its own opposite, is passed over.
    let until =
      "sequence <= ? AND event.kind NOT IN ('selected', 'armed', 'locked', 'unlocked') "
      + "AND NOT marks & \(Event.Marks.byClock.rawValue)"
    lastEventUntil = try database.prepare("\(eventColumns) WHERE \(until) ORDER BY sequence DESC LIMIT 1")
    lastCounterEventUntil = try database.prepare(
      "\(eventColumns) WHERE event.counter = ? AND \(until) ORDER BY sequence DESC LIMIT 1")
    takenBack = try database.prepare("SELECT 1 FROM event WHERE undoes = ?")
    batch = try database.prepare(
      """
      \(eventColumns) WHERE batch = ? AND NOT EXISTS (SELECT 1 FROM event AS taker WHERE taker.undoes = event.sequence)
        ORDER BY sequence
      """)
    eventsBetween = try database.prepare("\(eventColumns) WHERE sequence BETWEEN ? AND ? ORDER BY sequence")
    findCause = try database.prepare("SELECT id FROM cause WHERE producer = ? AND device IS ? AND gesture IS ?")
    addCause = try database.prepare("INSERT INTO cause (producer, device, gesture) VALUES (?, ?, ?)")
    producer = try database.prepare("SELECT id, epoch FROM producer WHERE name = ?")
    saveProducer = try database.prepare(
      """
      INSERT INTO producer (name, epoch) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch
      """)
    deliveries = try database.prepare(
      "SELECT epoch, sequence, first_event, last_event FROM delivery WHERE producer = ?")
    saveDelivery = try database.prepare("INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?)")
    copyDeliveries = try database.prepare(
      """
      INSERT INTO delivery SELECT ?, slot, epoch, sequence, first_event, last_event FROM delivery WHERE producer = ?
      """)
  }
}
