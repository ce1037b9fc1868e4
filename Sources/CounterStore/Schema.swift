/// What the journal's file holds, and how a file of an earlier version becomes one of this version.
enum Schema {
  /// "Taly", in the file's header: tells a journal from any other SQLite file.
  static let applicationID: Int64 = 0x5461_6c79

  /// What leads from one version to the next, the first one from nothing: a file of version 3 has had the first three, and
  /// gets the rest. What was released is never altered and stays in its place; what is new comes last.
  private static let steps = [
    counters,  // 1
    presence,  // 2
    Summaries.schema,  // 3
    fields,  // 4
    formulas,  // 5
    summariesByUnit,  // 6
  ]

  /// The version of the files that this program writes.
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
