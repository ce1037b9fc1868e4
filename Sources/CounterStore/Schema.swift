import Counting
import Platform

/// The schema of the journal's file, and its migrations.
enum Schema {
  /// "Taly", in the file's header: distinguishes a journal from other SQLite files.
  static let applicationID: Int64 = 0x5461_6c79

  /// The migrations, each from the version before it; the first creates an empty journal. A released migration is never
  /// changed or moved; new ones are appended.
  private static let steps = [
    counters,  // 1
    presence,  // 2
    Rollups.schema,  // 3
    fields,  // 4
    formulas,  // 5
    summariesByUnit,  // 6
    countersByBlock,  // 7
    imports,  // 8
    formulaGroups,  // 9
    checksums,  // 10
    fleet,  // 11
    fleetHistory,  // 12
    formerShares,  // 13
    formerSharesByCounter,  // 14
    resetBases,  // 15
    droppedCounts,  // 16
    stations,  // 17
    lastActs,  // 18
    droppedCountsOfFormerShares,  // 19
    Rollups.wideSums,  // 20
  ]

  /// The schema version that this program writes.
  static var version: Int64 { Int64(steps.count) }

  /// Migrates the file to this version in one transaction. Refuses files of other programs and of newer versions.
  static func migrate(_ database: Database) throws(StoreError) {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == applicationID || (application == 0 && found == 0 && tables == 0) else {
      throw StoreError(
        .damaged, "\(database.path) is an SQLite file of another program; it was not changed.")
    }
    if tables > 0 { try check(database, found) }
    guard found < version else { return }
    try database.execute("BEGIN IMMEDIATE")
    try advance(database, from: found, to: version)
    try database.execute("COMMIT")
  }

  /// Checks that a journal has exactly the tables and indexes of its version. A trigger would change counts, and a view in
  /// the place of a table could return anything.
  ///
  /// - Throws: ``StoreError/Code/newer``, or ``StoreError/Code/damaged`` with the name of the first difference.
  static func check(_ database: Database, _ found: Int64) throws(StoreError) {
    guard 0...version ~= found else {
      throw StoreError(
        .newer,
        "\(database.path) was written by a newer version of tallyd (schema \(found); this version supports up to \(version)); "
          + "install that version.")
    }
    let model = try Database(path: "")
    try advance(model, to: found)
    let (expected, actual) = (try definitions(in: model), try definitions(in: database))
    let names = Set(expected.keys).union(actual.keys)
    guard let name = names.filter({ expected[$0] != actual[$0] }).min() else { return }
    throw StoreError(
      .damaged,
      "\(database.path) is damaged or was changed by another program: “\(name.shortened.printable)” is not defined as in a Tallymark journal of schema \(found)."
    )
  }

  /// Checks the numbers that everything else is counted from. Others are read as they are, and cannot break anything.
  ///
  /// - Throws: ``StoreError/Code/damaged`` if one is out of range.
  static func checkNumbers(_ database: Database) throws(StoreError) {
    for (what, sql) in numbers where try database.integer("SELECT \(sql)") == 1 {
      throw StoreError(
        .damaged,
        "\(database.path) is damaged or was changed by another program: a number of \(what) is out of range. "
          + JournalFile.recovery(of: database.path))
    }
  }

  /// Conditions under which a journal is damaged. SQLite finds each without a search.
  private static let numbers = [
    ("an event", "(SELECT min(sequence) FROM event) < 1 OR (SELECT max(sequence) FROM event) > 1 << 53"),
    ("an import", "(SELECT min(first) FROM import) < -(1 << 53) OR (SELECT max(last) FROM import) > 1 << 53"),
    ("a counter", "(SELECT min(id) FROM counter) < 0 OR (SELECT max(id) FROM counter) > 1 << 53"),
    (
      "a block",
      "(SELECT min(number) FROM block) < 0 OR "
        + "(SELECT max(number) FROM block) >= (SELECT coalesce(max(sequence), 0) / \(Rollups.blockSize) FROM event)"
    ),
  ]

  /// The SQL of each table, index, trigger and view, without white space, which versions of SQLite write differently.
  private static func definitions(in database: Database) throws(StoreError) -> [String: String] {
    var definitions: [String: String] = [:]
    // SQLite makes indexes of its own, without SQL. A name proves nothing: a written schema may use reserved ones.
    _ = try database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
      .each([]) {
        row throws(StoreError) in
        definitions["\(row.text(0)) \(row.text(1))"] = row.text(2).filter { !$0.isWhitespace }
      }
    return definitions
  }

  /// Migrates an empty file, or one of version `found`, to the version `target` within the open transaction.
  static func advance(_ database: Database, from found: Int64 = 0, to target: Int64) throws(StoreError) {
    for step in steps[Int(found)..<Int(target)] { try database.execute(step) }
    try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(target)")
  }
}
