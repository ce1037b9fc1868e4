/// The statements that look back, prepared once, and what is kept beside the events for them.
final class HistoryStatements {
  let summaries: Summaries
  /// Finds whole events.
  let eventSearch: EventSearch
  /// Finds the sequence number, the time, the kind, the change and the counter of events.
  let countSearch: EventSearch
  let quarters: Statement
  let freshEvents: Statement
  let takenBackBy: Statement
  let firstEvent: Statement
  let valueUntil: Statement
  let changesBetween: Statement
  let blocks: Statement
  let blocksAcross: Statement
  let units: Statement
  let unusualUnits: Statement

  init(_ database: Database) throws(StoreError) {
    summaries = try Summaries(database)
    eventSearch = EventSearch(database, summaries, columns: Statements.eventColumns)
    countSearch = EventSearch(database, summaries, columns: "SELECT sequence, time, kind, change, counter FROM event")
    quarters = try database.prepare(
      """
      SELECT number, counts, added, subtracted, first, last FROM quarter
      WHERE counter = ? AND number >= ? AND number < ? ORDER BY number
      """)
    freshEvents = try database.prepare(
      "SELECT \(Counted.columns) FROM event WHERE sequence > ?")
    takenBackBy = try database.prepare("SELECT sequence FROM event WHERE undoes = ? ORDER BY sequence LIMIT 1")
    firstEvent = try database.prepare(
      "SELECT time, value, change FROM event WHERE counter = ? ORDER BY sequence LIMIT 1")
    valueUntil = try database.prepare(
      "SELECT value, time FROM event WHERE counter = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1")
    changesBetween = try database.prepare(
      "SELECT change FROM event WHERE counter = ? AND sequence BETWEEN ? AND ? AND time >= ? AND time < ?")
    blocks = try database.prepare("SELECT number, earliest, latest FROM block ORDER BY number")
    blocksAcross = try database.prepare(
      """
      SELECT number FROM block WHERE (number < ?1 AND latest > ?2) OR (number >= ?1 AND earliest <= ?2)
      ORDER BY number
      """)
    units = try database.prepare(
      "SELECT id, kind, decimals FROM counter WHERE id IN (SELECT value FROM json_each(?)) AND kind IN ('counter', 'stopwatch')"
    )
    unusualUnits = try database.prepare(
      "SELECT id, kind, decimals FROM counter WHERE kind = 'stopwatch' OR (kind = 'counter' AND decimals > 0)")
  }
}
