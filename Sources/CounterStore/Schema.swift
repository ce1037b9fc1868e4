/// What the journal's file holds, and how a file of an earlier version becomes one of this version.
enum Schema {
  /// "Taly", in the file's header: tells a journal from any other SQLite file.
  static let applicationID: Int64 = 0x5461_6c79

  /// The version of each step's result is its place in this list, from 1.
  private static let steps = [
    """
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
    """,
    // 2: whether an event made its counter appear (1) or disappear (-1), so that anything can be taken back.
    """
    ALTER TABLE event ADD COLUMN presence INTEGER NOT NULL DEFAULT 0;
    UPDATE event SET presence = 1 WHERE kind = 'created';
    UPDATE event SET presence = -1 WHERE kind = 'removed';
    UPDATE event SET presence = -(SELECT presence FROM event AS taken WHERE taken.sequence = event.undoes)
      WHERE kind = 'undone';
    """,
    // 3: what the history is searched and summed up by.
    Summaries.schema,
    // 4: everything that a counter is besides its value, and what events did to it; groups, which share the numbers of
    // the counters and are told from them by their kind; and values by themselves, so that a count writes a short row.
    """
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
    """,
    // 5: formulas, which share names and numbers with the counters; and since when a counter counts, and when it begins
    // anew.
    """
    ALTER TABLE counter ADD COLUMN formula TEXT;
    ALTER TABLE counter ADD COLUMN display TEXT;
    ALTER TABLE counter ADD COLUMN period TEXT;
    ALTER TABLE counter ADD COLUMN began INTEGER;
    ALTER TABLE counter ADD COLUMN renews_at INTEGER;
    UPDATE counter SET began =
      (SELECT max(time) FROM event WHERE event.counter = id AND event.kind IN ('created', 'reset'))
      WHERE kind IN ('counter', 'stopwatch');
    """,
  ]

  static var version: Int64 { Int64(steps.count) }

  /// Brings the file to this version in one transaction, and refuses what is not ours or newer.
  static func migrate(_ database: Database) throws(StoreError) {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == applicationID || (application == 0 && found == 0 && tables == 0) else {
      throw StoreError(
        .damaged, "\(database.path) is an SQLite file of another program; it was left as it is.")
    }
    guard found <= version, found >= 0 else {
      throw StoreError(
        .newer,
        "\(database.path) was written by a newer version of tallyd (schema \(found), this one knows \(version)); "
          + "install that version again.")
    }
    guard found < version else { return }
    try database.execute("BEGIN IMMEDIATE")
    try advance(database, from: found, to: version)
    try database.execute("COMMIT")
  }

  /// Makes of a file of an earlier version, or of an empty one, one of the version `target`, within a transaction.
  static func advance(_ database: Database, from found: Int64 = 0, to target: Int64) throws(StoreError) {
    for step in steps[Int(found)..<Int(target)] { try database.execute(step) }
    try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(target)")
  }
}
