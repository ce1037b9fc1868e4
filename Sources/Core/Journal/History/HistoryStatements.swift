import Counting

/// The prepared statements of history queries, with the rollups.
final class HistoryStatements {
  private let database: Database
  let rollups: Rollups
  /// Searches whole events.
  let eventSearch: EventSearch
  /// Searches the sequence number, time, kind, change and counter of events.
  let countSearch: EventSearch

  init(_ database: Database) {
    self.database = database
    rollups = Rollups(database)
    eventSearch = EventSearch(database, rollups, columns: Statements.eventColumns)
    countSearch = EventSearch(database, rollups, columns: "SELECT sequence, time, kind, change, counter FROM event")
  }

  private(set) lazy var quarters = database.statement(
    """
    SELECT number, \(QuarterHour.Summary.columns) FROM quarter
    WHERE counter = ? AND number >= ? AND number < ? ORDER BY number
    """)
  /// The contributions of fleets to the quarter hours of a counter.
  private(set) lazy var learned = database.statement(
    """
    SELECT number, counts, added, subtracted, first, last, 0, 0 FROM learned_quarter
    WHERE counter = ? AND number >= ? AND number < ?
    """)
  /// The contributions of fleets to the quarter hours of all counters with a number of decimals.
  private(set) lazy var learnedOfAll = database.statement(
    """
    SELECT number, counts, added, subtracted, first, last, 0, 0 FROM counter JOIN learned_quarter ON counter = id
    WHERE kind = 'counter' AND decimals = ? AND number >= ? AND number < ?
    """)
  private(set) lazy var freshEvents = database.statement(
    "SELECT \(EventRow.columns) FROM event WHERE sequence > ?")
  private(set) lazy var freshChanges = database.statement(
    "SELECT counter, time, change, value, sequence FROM event WHERE sequence > ? ORDER BY sequence")
  private(set) lazy var takenBackBy = database.statement(
    "SELECT sequence FROM event WHERE undoes = ?1 AND sequence > ?1 ORDER BY sequence LIMIT 1")
  /// The counts between two times that an undo undid at any time; a redo may have followed.
  private(set) lazy var undoneCounts = database.statement(
    """
    SELECT event.sequence, event.time, event.counter
    FROM event AS taker INDEXED BY event_by_undoes CROSS JOIN event ON event.sequence = taker.undoes
    WHERE taker.undoes IS NOT NULL AND event.kind IN (\(Event.Kind.sql(Event.Kind.all(.counts))))
      AND event.time >= ? AND event.time < ?
    """)
  /// The undos and redos of some counters from an event on.
  private(set) lazy var undosSince = database.statement(
    """
    SELECT \(EventRow.columns) FROM event INDEXED BY event_by_undoes
    WHERE undoes IS NOT NULL AND sequence >= ? AND change <> 0 AND counter IN (SELECT value FROM json_each(?))
    ORDER BY sequence
    """)
  /// The first event of a counter that is in a block.
  private(set) lazy var firstEvent = database.statement(
    """
    SELECT time, value, change FROM event
    WHERE sequence = (SELECT first FROM block_counter WHERE counter = ? ORDER BY first LIMIT 1)
    """)
  /// The last event of a counter in the blocks up to a given event, which must be the last one of its block.
  private(set) lazy var valueUntil = database.statement(
    """
    SELECT value, time, sequence FROM event
    WHERE sequence = (SELECT last FROM block_counter WHERE counter = ? AND first <= ? ORDER BY first DESC LIMIT 1)
    """)
  /// The changes of a counter in one block, between two times.
  private(set) lazy var changesBetween = database.statement(
    """
    SELECT change, sequence FROM block_counter CROSS JOIN event ON sequence BETWEEN block_counter.first AND last
    WHERE block_counter.counter = ?1 AND first BETWEEN ?2 AND ?3 AND event.counter = ?1 AND time >= ?4 AND time < ?5
    """)
  private(set) lazy var blocks = database.statement("SELECT number, earliest, latest FROM block ORDER BY number")
  private(set) lazy var blocksAcross = database.statement(
    """
    SELECT number FROM block WHERE (number < ?1 AND latest > ?2) OR (number >= ?1 AND earliest <= ?2)
    ORDER BY number
    """)
  /// The first block with an event later than a time.
  private(set) lazy var firstBlockAfter = database.statement("SELECT min(number) FROM block WHERE latest > ?")
  /// The first event, from a given event on, that is later than a time.
  private(set) lazy var firstEventAfter = database.statement(
    "SELECT sequence FROM event WHERE sequence >= ? AND time > ? ORDER BY sequence LIMIT 1")
  /// The quarter hours with counts of a counter between two given ones, in ascending order.
  private(set) lazy var quartersBetween = database.statement(
    "SELECT number FROM quarter WHERE counter = ? AND number BETWEEN ? AND ? AND counts > 0 ORDER BY number")
  /// The events that changed the time from which a counter counts, the last one first; with a column for whether the
  /// event set the value to the start.
  private(set) lazy var starts = database.statement(
    """
    SELECT sequence, time, before, after, event.kind IN ('reset', 'renewed', 'learned')
    FROM alteration JOIN event ON sequence = alteration.event
    WHERE field = 'began' AND counter = ? ORDER BY alteration.event DESC
    """)
  /// The ends of periods of a counter between two events, the last one first; with a column for whether the end was ever
  /// undone.
  private(set) lazy var periodEnds = database.statement(
    """
    SELECT sequence, time, before, change,
      EXISTS (SELECT 1 FROM event AS taker WHERE taker.undoes = event.sequence)
    FROM alteration JOIN event ON sequence = alteration.event
    WHERE field = 'began' AND alteration.event > ?2 AND alteration.event < ?3 AND counter = ?1
      AND event.kind = 'renewed' ORDER BY alteration.event DESC
    """)
  /// The event with a sequence number, if it closes an ended period of a counter again.
  private(set) lazy var closing = database.statement(
    """
    SELECT sequence FROM event WHERE sequence = ? AND counter = ? AND kind = 'renewed' AND marks & \(Event.Marks.altered.rawValue) = 0
    """)
  /// The time of the first count of other stations since a time.
  private(set) lazy var learnedSince = database.statement(
    "SELECT first FROM learned_quarter WHERE counter = ? AND first >= ? AND counts > 0 ORDER BY number LIMIT 1")
  private(set) lazy var units = database.statement(
    "SELECT id, kind, decimals FROM counter WHERE id IN (SELECT value FROM json_each(?)) AND kind IN ('counter', 'stopwatch')"
  )
  private(set) lazy var unusualUnits = database.statement(
    "SELECT id, kind, decimals FROM counter WHERE kind = 'stopwatch' OR (kind = 'counter' AND decimals > 0)")
  /// The running stopwatches among some counters.
  private(set) lazy var running = database.statement(
    """
    SELECT \(CounterRow.columns.joined(separator: ", ")) FROM \(CounterRow.source)
    WHERE id IN (SELECT value FROM json_each(?)) AND since IS NOT NULL AND NOT removed
    """)
}
