/// The SQL of each version of the journal's file.
extension Schema {
  /// Counters, their events and causes, and the deliveries of producers.
  static let counters = """
    CREATE TABLE counter (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      start INTEGER NOT NULL,
      step INTEGER NOT NULL,
      value INTEGER NOT NULL,
      removed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX counter_by_name ON counter (name) WHERE NOT removed;

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
      cause INTEGER NOT NULL REFERENCES cause
    ) STRICT;
    CREATE INDEX event_by_counter ON event (counter);

    CREATE TABLE current (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      counter INTEGER REFERENCES counter
    ) STRICT;

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

  /// Whether an event made its counter appear (1) or disappear (-1), so that it can be undone.
  static let presence = """
    ALTER TABLE event ADD COLUMN presence INTEGER NOT NULL DEFAULT 0;
    UPDATE event SET presence = 1 WHERE kind = 'created';
    UPDATE event SET presence = -1 WHERE kind = 'removed';
    UPDATE event SET presence = -(SELECT presence FROM event AS taken WHERE taken.sequence = event.undoes)
      WHERE kind = 'undone';
    """

  /// All fields of counters and their changes; groups, which share the ID range of counters and differ in kind; and
  /// values in a table of their own, so that a count writes a short row.
  static let fields = """
    CREATE TABLE standing (
      counter INTEGER PRIMARY KEY REFERENCES counter,
      value INTEGER NOT NULL
    ) STRICT;
    INSERT INTO standing SELECT id, value FROM counter;
    ALTER TABLE counter DROP COLUMN value;
    ALTER TABLE counter ADD COLUMN kind TEXT NOT NULL DEFAULT 'counter';
    ALTER TABLE counter ADD COLUMN decimals INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE counter ADD COLUMN locked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE counter ADD COLUMN colour TEXT;
    ALTER TABLE counter ADD COLUMN icon TEXT;
    ALTER TABLE counter ADD COLUMN note TEXT;
    ALTER TABLE counter ADD COLUMN tags TEXT;
    ALTER TABLE counter ADD COLUMN group_number INTEGER REFERENCES counter;
    ALTER TABLE counter ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE counter ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE counter ADD COLUMN step_down INTEGER;
    ALTER TABLE counter ADD COLUMN minimum INTEGER;
    ALTER TABLE counter ADD COLUMN maximum INTEGER;
    ALTER TABLE counter ADD COLUMN limits TEXT NOT NULL DEFAULT 'refuse';
    ALTER TABLE counter ADD COLUMN target INTEGER;
    ALTER TABLE counter ADD COLUMN every INTEGER;
    ALTER TABLE counter ADD COLUMN reached_at INTEGER;
    ALTER TABLE counter ADD COLUMN since INTEGER;
    ALTER TABLE counter ADD COLUMN boottime INTEGER;
    ALTER TABLE counter ADD COLUMN boot TEXT;
    ALTER TABLE counter ADD COLUMN lapped INTEGER NOT NULL DEFAULT 0;
    UPDATE counter SET place = id << 20;
    DROP INDEX counter_by_name;
    CREATE UNIQUE INDEX counter_by_name ON counter (name, kind = 'group') WHERE NOT removed;
    -- What events refer to that concern all counters.
    INSERT INTO counter (id, name, title, start, step, kind) VALUES (0, '', '', 0, 1, 'all');

    ALTER TABLE event ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event ADD COLUMN boundary INTEGER;
    ALTER TABLE event ADD COLUMN about INTEGER REFERENCES event;
    ALTER TABLE event ADD COLUMN batch INTEGER REFERENCES event;
    CREATE INDEX event_by_batch ON event (batch) WHERE batch IS NOT NULL;

    CREATE TABLE alteration (
      event INTEGER NOT NULL REFERENCES event,
      field TEXT NOT NULL,
      before ANY,
      after ANY,
      PRIMARY KEY (event, field)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alteration_of_name ON alteration (before) WHERE field = 'name';

    CREATE TABLE event_note (
      event INTEGER PRIMARY KEY REFERENCES event,
      text TEXT NOT NULL
    ) STRICT;
    """

  /// Formulas, which share IDs and names with counters; and the start and end of the current period.
  static let formulas = """
    ALTER TABLE counter ADD COLUMN formula TEXT;
    ALTER TABLE counter ADD COLUMN display TEXT;
    ALTER TABLE counter ADD COLUMN period TEXT;
    ALTER TABLE counter ADD COLUMN began INTEGER;
    ALTER TABLE counter ADD COLUMN renews_at INTEGER;
    UPDATE counter SET began =
      (SELECT max(time) FROM event WHERE event.counter = id AND event.kind IN ('created', 'reset'))
      WHERE kind IN ('counter', 'stopwatch');
    """

  /// Rollups distinguish counters by decimals and stopwatches only from this version on. If there are such counters,
  /// all rollups are rebuilt when the journal is opened.
  static let summariesByUnit = """
    CREATE TEMP VIEW mixed AS SELECT 1 FROM counter WHERE kind = 'stopwatch' OR (kind = 'counter' AND decimals > 0);
    DELETE FROM block_cause WHERE EXISTS (SELECT * FROM mixed);
    DELETE FROM quarter WHERE EXISTS (SELECT * FROM mixed);
    DELETE FROM block WHERE EXISTS (SELECT * FROM mixed);
    DROP VIEW mixed;
    """

  /// A count writes only its event: an index by counter and the values cost a page per count. Both are written once per
  /// block of 256 events instead. The new rows are built from the old index, in its order.
  static let countersByBlock = """
    CREATE TABLE block_counter (
      counter INTEGER NOT NULL REFERENCES counter,
      first INTEGER NOT NULL REFERENCES event,
      last INTEGER NOT NULL REFERENCES event,
      PRIMARY KEY (counter, first)
    ) STRICT, WITHOUT ROWID;
    CREATE TEMP VIEW summarised AS SELECT coalesce(max(number) + 1, 0) * 256 AS last FROM block;
    INSERT INTO block_counter SELECT counter, min(sequence), max(sequence) FROM event
      WHERE sequence <= (SELECT last FROM summarised) GROUP BY counter, (sequence - 1) / 256;
    -- A value becomes that before the first event that is in no block; a counter that is in no block has none.
    UPDATE standing SET value = first.value - first.change
      FROM (SELECT counter, value, change, min(sequence) FROM event
        WHERE sequence > (SELECT last FROM summarised) AND about IS NULL GROUP BY counter) AS first
      WHERE first.counter = standing.counter;
    DELETE FROM standing WHERE counter NOT IN (SELECT counter FROM block_counter)
      AND EXISTS (SELECT 1 FROM event WHERE event.counter = standing.counter);
    DROP VIEW summarised;
    DROP INDEX event_by_counter;
    """

  /// Formulas have a group and can be archived, in columns that exist for counters. Earlier versions do not know such
  /// events.
  static let formulaGroups = "UPDATE counter SET archived = 0 WHERE kind = 'formula';"

  /// Pages may have checksums, which earlier versions do not keep.
  static let checksums = ""

  /// The events of each import, which one undo undoes together.
  static let imports = """
    CREATE TABLE import (
      first INTEGER PRIMARY KEY REFERENCES event,
      last INTEGER NOT NULL REFERENCES event
    ) STRICT;
    """

  /// The fleet in which the journal counts: its settings, the counters that it shares, and all that is known of them.
  static let fleet = """
    CREATE TABLE fleet (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fleet TEXT NOT NULL,
      station TEXT NOT NULL,
      id TEXT NOT NULL,
      broker TEXT NOT NULL,
      writer INTEGER REFERENCES fleet_writer
    ) STRICT;
    CREATE TABLE fleet_counter (
      counter INTEGER PRIMARY KEY REFERENCES counter,
      id TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE fleet_writer (
      id INTEGER PRIMARY KEY,
      writer TEXT NOT NULL UNIQUE,
      own INTEGER NOT NULL DEFAULT 0
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
    """

  /// The history of shared counters by quarter hours, of each writer; and what it adds to the quarter hours of the
  /// journal's own events.
  static let fleetHistory = """
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

  /// The counters that were shared until the station left their fleet, which still has their counts.
  static let formerShares = """
    CREATE TABLE fleet_former (
      id TEXT PRIMARY KEY,
      counter INTEGER NOT NULL REFERENCES counter,
      -- The last event before the station left, and the value after it; none for a removed counter.
      event INTEGER NOT NULL,
      value INTEGER
    ) STRICT;
    """

  /// Several counters can have been the same one of the fleet, one after the other.
  static let formerSharesByCounter = """
    ALTER TABLE fleet_former RENAME TO former;
    CREATE TABLE fleet_former (
      id TEXT NOT NULL,
      counter INTEGER NOT NULL REFERENCES counter,
      -- The last event before the counter was shared no more, and the value after it; none for a removed counter.
      event INTEGER NOT NULL,
      value INTEGER,
      PRIMARY KEY (id, counter)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO fleet_former SELECT id, counter, event, value FROM former WHERE id IS NOT NULL;
    DROP TABLE former;
    """

  /// The reset that another one builds on.
  static let resetBases = """
    ALTER TABLE fleet_reset ADD COLUMN base_writer INTEGER REFERENCES fleet_writer;
    ALTER TABLE fleet_reset ADD COLUMN base_number INTEGER;
    """

  /// The last event of a shared counter whose count was dropped when the fleet began to count here; 0 for none.
  static let droppedCounts = "ALTER TABLE fleet_counter ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;"

  /// The last event whose count was not in the value when the counter was shared no more; 0 for none.
  static let droppedCountsOfFormerShares =
    "ALTER TABLE fleet_former ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;"

  /// The other stations, to name those that are missing while no broker does, and to ascribe the counts of others.
  static let stations = """
    CREATE TABLE fleet_station (
      name TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      -- When it was last heard, in microseconds since 1970.
      seen INTEGER
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE fleet_writer ADD COLUMN station TEXT;
    """

  /// The number of the last act of an own writer in this journal, which others may know more of after it was put back.
  static let lastActs = "ALTER TABLE fleet_writer ADD COLUMN last INTEGER;"
}
