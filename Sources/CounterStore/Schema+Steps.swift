/// What each version of the journal's file added, as SQL.
extension Schema {
  /// Counters, the events that happened to them and what caused these; and what producers delivered.
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

  /// Whether an event made its counter appear (1) or disappear (-1), so that anything can be taken back.
  static let presence = """
    ALTER TABLE event ADD COLUMN presence INTEGER NOT NULL DEFAULT 0;
    UPDATE event SET presence = 1 WHERE kind = 'created';
    UPDATE event SET presence = -1 WHERE kind = 'removed';
    UPDATE event SET presence = -(SELECT presence FROM event AS taken WHERE taken.sequence = event.undoes)
      WHERE kind = 'undone';
    """

  /// Everything that a counter is besides its value, and what events did to it; groups, which share the numbers of the
  /// counters and are told from them by their kind; and values by themselves, so that a count writes a short row.
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

  /// Formulas, which share names and numbers with the counters; and since when a counter counts, and when it begins anew.
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

  /// Summaries told counters with other decimals and stopwatches apart only from then on; where there are such, all are
  /// made anew when the journal is opened.
  static let summariesByUnit = """
    CREATE TEMP VIEW mixed AS SELECT 1 FROM counter WHERE kind = 'stopwatch' OR (kind = 'counter' AND decimals > 0);
    DELETE FROM block_cause WHERE EXISTS (SELECT * FROM mixed);
    DELETE FROM quarter WHERE EXISTS (SELECT * FROM mixed);
    DELETE FROM block WHERE EXISTS (SELECT * FROM mixed);
    DROP VIEW mixed;
    """
}
