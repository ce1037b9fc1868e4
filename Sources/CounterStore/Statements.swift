/// Every statement the journal uses, prepared once.
final class Statements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let savepoint: Statement
  let release: Statement
  let rollbackToSavepoint: Statement
  let counters: Statement
  let removedCounter: Statement
  let lastCounterNamed: Statement
  let saveCounter: Statement
  let saveValue: Statement
  let removeCounter: Statement
  let saveCurrent: Statement
  let appendEvent: Statement
  let lastEventUntil: Statement
  let eventsBetween: Statement
  let findCause: Statement
  let addCause: Statement
  let producer: Statement
  let saveProducer: Statement
  let deliveries: Statement
  let saveDelivery: Statement

  /// What is read of an event, up to the conditions.
  static let eventColumns = """
    SELECT sequence, time, kind, event.counter, name, change, event.value, undoes, producer, device, gesture,
      presence
    FROM event JOIN counter ON counter.id = event.counter JOIN cause ON cause.id = event.cause
    """

  init(_ database: Database) throws(StoreError) {
    let counterColumns = "SELECT id, name, title, start, step, value FROM counter"
    let eventColumns = Self.eventColumns
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    savepoint = try database.prepare("SAVEPOINT together")
    release = try database.prepare("RELEASE together")
    rollbackToSavepoint = try database.prepare("ROLLBACK TO together")
    counters = try database.prepare("\(counterColumns) WHERE NOT removed ORDER BY id")
    removedCounter = try database.prepare("\(counterColumns) WHERE id = ? AND removed")
    lastCounterNamed = try database.prepare("\(counterColumns) WHERE name = ? ORDER BY removed, id DESC LIMIT 1")
    saveCounter = try database.prepare(
      """
      INSERT INTO counter (id, name, title, start, step, value) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET value = excluded.value, removed = 0
      """)
    // Leaves the index of the names alone, which the statement above would write anew each time.
    saveValue = try database.prepare("UPDATE counter SET value = ? WHERE id = ?")
    removeCounter = try database.prepare("UPDATE counter SET removed = 1, value = ? WHERE id = ?")
    saveCurrent = try database.prepare(
      "INSERT INTO current VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET counter = excluded.counter")
    appendEvent = try database.prepare(
      """
      INSERT INTO event (sequence, time, kind, counter, change, value, presence, undoes, cause)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    lastEventUntil = try database.prepare(
      "\(eventColumns) WHERE sequence <= ? AND kind NOT IN ('selected', 'armed') ORDER BY sequence DESC LIMIT 1")
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
  }
}
