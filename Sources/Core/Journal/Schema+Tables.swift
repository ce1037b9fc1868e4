import Counting

/// The SQL of the journal's tables.
extension Schema {
  static let tables = [counters, events, producers, rollups, fleet, fleetHistory]

  /// Counters, stopwatches, groups and formulas, which share IDs and differ in kind.
  private static let counters: String = {
    let further = Field.further.map { ", \($0.column) \($0.isAmount || $0.kind == .flag ? "INTEGER" : "TEXT")" }
    return """
      CREATE TABLE counter (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        start INTEGER NOT NULL,
        step INTEGER NOT NULL,
        removed INTEGER NOT NULL DEFAULT 0,
        kind TEXT NOT NULL DEFAULT 'counter',
        decimals INTEGER NOT NULL DEFAULT 0,
        locked INTEGER NOT NULL DEFAULT 0,
        colour TEXT,
        icon TEXT,
        note TEXT,
        tags TEXT,
        group_number INTEGER REFERENCES counter,
        place INTEGER NOT NULL DEFAULT 0,
        archived INTEGER NOT NULL DEFAULT 0,
        step_down INTEGER,
        minimum INTEGER,
        maximum INTEGER,
        limits TEXT NOT NULL DEFAULT 'refuse',
        target INTEGER,
        every INTEGER,
        reached_at INTEGER,
        since INTEGER,
        boottime INTEGER,
        boot TEXT,
        lapped INTEGER NOT NULL DEFAULT 0,
        formula TEXT,
        display TEXT,
        period TEXT,
        began INTEGER,
        renews_at INTEGER\(further.joined())
      ) STRICT;
      CREATE UNIQUE INDEX counter_by_name ON counter (name, kind = 'group') WHERE NOT removed;
      -- What events refer to that concern all counters.
      INSERT INTO counter (id, name, title, start, step, kind) VALUES (0, '', '', 0, 1, 'all');
      CREATE TABLE current (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        counter INTEGER REFERENCES counter
      ) STRICT;
      """
  }()

  /// Events with their causes, changed settings and notes, and the events of each import, for its undo.
  private static let events = """
    CREATE TABLE cause (
      id INTEGER PRIMARY KEY,
      producer TEXT NOT NULL,
      device TEXT,
      gesture TEXT
    ) STRICT;
    CREATE INDEX cause_by_content ON cause (producer, device, gesture);
    CREATE TABLE event (
      sequence INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      counter INTEGER NOT NULL REFERENCES counter,
      change INTEGER NOT NULL,
      value INTEGER NOT NULL,
      undoes INTEGER REFERENCES event,
      cause INTEGER NOT NULL REFERENCES cause,
      -- Whether the event made its counter appear (1) or disappear (-1), so that it can be undone.
      presence INTEGER NOT NULL DEFAULT 0,
      marks INTEGER NOT NULL DEFAULT 0,
      boundary INTEGER,
      about INTEGER REFERENCES event,
      batch INTEGER REFERENCES event
    ) STRICT;
    CREATE INDEX event_by_undoes ON event (undoes) WHERE undoes IS NOT NULL;
    CREATE INDEX event_by_batch ON event (batch) WHERE batch IS NOT NULL;
    CREATE TABLE alteration (
      event INTEGER NOT NULL REFERENCES event,
      field TEXT NOT NULL,
      before ANY,
      after ANY,
      PRIMARY KEY (event, field)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alteration_of_name ON alteration (before) WHERE field = 'name';
    CREATE INDEX alteration_of_start ON alteration (event) WHERE field = 'began';
    CREATE TABLE event_note (
      event INTEGER PRIMARY KEY REFERENCES event,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE import (
      first INTEGER PRIMARY KEY REFERENCES event,
      last INTEGER NOT NULL REFERENCES event
    ) STRICT;
    """

  /// Producers and their latest deliveries.
  private static let producers = """
    CREATE TABLE producer (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      epoch INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE delivery (
      producer INTEGER NOT NULL REFERENCES producer,
      slot INTEGER NOT NULL,
      epoch INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      first_event INTEGER NOT NULL,
      last_event INTEGER NOT NULL,
      PRIMARY KEY (producer, slot)
    ) STRICT, WITHOUT ROWID;
    """

  /// See ``Rollups``. Values are in a separate table, so that a block writes short rows.
  private static let rollups = """
    CREATE TABLE block (
      number INTEGER PRIMARY KEY,
      earliest INTEGER NOT NULL,
      latest INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE block_cause (
      cause INTEGER NOT NULL REFERENCES cause,
      block INTEGER NOT NULL REFERENCES block,
      PRIMARY KEY (cause, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE block_counter (
      counter INTEGER NOT NULL REFERENCES counter,
      first INTEGER NOT NULL REFERENCES event,
      last INTEGER NOT NULL REFERENCES event,
      PRIMARY KEY (counter, first)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE standing (
      counter INTEGER PRIMARY KEY REFERENCES counter,
      value INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE quarter (
      counter INTEGER NOT NULL,
      number INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      first INTEGER,
      last INTEGER,
      -- Multiples of 2 to the power of 64.
      added_high INTEGER NOT NULL DEFAULT 0,
      subtracted_high INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (counter, number)
    ) STRICT, WITHOUT ROWID;
    """

  /// The fleet: its settings, the shared counters, and all known registers and resets.
  private static let fleet = """
    CREATE TABLE fleet (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fleet TEXT NOT NULL,
      station TEXT NOT NULL,
      id TEXT NOT NULL,
      broker TEXT NOT NULL,
      -- Certificates of those who may vouch for the broker; empty for those of the system.
      authorities TEXT NOT NULL,
      obeying INTEGER NOT NULL CHECK (obeying IN (0, 1)),
      writer INTEGER REFERENCES fleet_writer
    ) STRICT;
    CREATE TABLE fleet_counter (
      counter INTEGER PRIMARY KEY REFERENCES counter,
      id TEXT NOT NULL UNIQUE,
      -- The last event whose count was dropped when the fleet began to count here; 0 for none.
      dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE fleet_writer (
      id INTEGER PRIMARY KEY,
      writer TEXT NOT NULL UNIQUE,
      own INTEGER NOT NULL DEFAULT 0,
      -- The station, to ascribe the counts of others.
      station TEXT,
      -- The number of the last act of an own writer in this journal. Others may know a later one after the journal was restored.
      last INTEGER
    ) STRICT;
    CREATE TABLE fleet_period (
      id INTEGER PRIMARY KEY,
      counter TEXT NOT NULL,
      start INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX fleet_period_by_start ON fleet_period (counter, coalesce(start, -1));
    CREATE TABLE fleet_register (
      period INTEGER NOT NULL REFERENCES fleet_period,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      number INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      PRIMARY KEY (period, writer)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fleet_reset (
      id INTEGER PRIMARY KEY,
      period INTEGER NOT NULL REFERENCES fleet_period,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      number INTEGER NOT NULL,
      size INTEGER NOT NULL,
      -- The reset that this one builds on.
      base_writer INTEGER REFERENCES fleet_writer,
      base_number INTEGER,
      UNIQUE (period, writer, number)
    ) STRICT;
    CREATE TABLE fleet_seen (
      reset INTEGER NOT NULL REFERENCES fleet_reset,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      number INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      PRIMARY KEY (reset, writer)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fleet_undone (
      period INTEGER NOT NULL REFERENCES fleet_period,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      number INTEGER NOT NULL,
      PRIMARY KEY (period, writer, number)
    ) STRICT, WITHOUT ROWID;
    -- The own resets, which an undo of their events undoes.
    CREATE TABLE fleet_act (
      event INTEGER PRIMARY KEY REFERENCES event,
      period INTEGER NOT NULL REFERENCES fleet_period,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      number INTEGER NOT NULL
    ) STRICT;
    -- The counters that were shared until they were shared no more; the fleet still has their counts. Several counters can
    -- have been the same one of the fleet, one after the other.
    CREATE TABLE fleet_former (
      id TEXT NOT NULL,
      counter INTEGER NOT NULL REFERENCES counter,
      -- The last event before the counter was shared no more, and the value after it; none for a removed counter.
      event INTEGER NOT NULL,
      value INTEGER,
      -- The last event whose count was not in the value then; 0 for none.
      dropped INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (id, counter)
    ) STRICT, WITHOUT ROWID;
    -- The other stations, to name those that are missing while no broker does.
    CREATE TABLE fleet_station (
      name TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      -- When it was last heard, in microseconds since 1970.
      seen INTEGER
    ) STRICT, WITHOUT ROWID;
    """

  /// The history of shared counters by quarter hours and writer, and the difference to the quarter hours of the
  /// journal's own events.
  private static let fleetHistory = """
    CREATE TABLE fleet_quarter (
      counter INTEGER NOT NULL REFERENCES counter,
      number INTEGER NOT NULL,
      -- 0 for the events of this journal.
      writer INTEGER NOT NULL,
      entry INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      first INTEGER,
      last INTEGER,
      PRIMARY KEY (counter, number, writer)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX fleet_quarter_by_entry ON fleet_quarter (counter, writer, entry);
    CREATE TABLE fleet_digest (
      counter INTEGER NOT NULL REFERENCES counter,
      writer INTEGER NOT NULL REFERENCES fleet_writer,
      entry INTEGER NOT NULL,
      number INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      PRIMARY KEY (counter, writer)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE learned_quarter (
      counter INTEGER NOT NULL REFERENCES counter,
      number INTEGER NOT NULL,
      counts INTEGER NOT NULL,
      added INTEGER NOT NULL,
      subtracted INTEGER NOT NULL,
      first INTEGER,
      last INTEGER,
      PRIMARY KEY (counter, number)
    ) STRICT, WITHOUT ROWID;
    """
}
