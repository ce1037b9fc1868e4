import Counting
import Linux
import Text

/// The schema of the journal's file.
enum Schema {
  /// "Taly", in the file's header: distinguishes a journal from other SQLite files.
  static let applicationID: Int64 = 0x5461_6c79

  /// The version of the tables that this program reads and writes, in the file's header.
  static let version: Int64 = 1

  /// Creates the tables of an empty file in one transaction. Refuses files of other programs and of other versions.
  static func create(in database: Database) throws(StoreError) {
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    let application = try database.integer("PRAGMA application_id") ?? 0
    let found = try database.integer("PRAGMA user_version") ?? 0
    guard tables == 0, application == 0, found == 0 else { return try check(database) }
    try database.execute("BEGIN IMMEDIATE")
    try createTables(in: database)
    try database.execute("COMMIT")
  }

  /// Creates the tables within the open transaction.
  static func createTables(in database: Database) throws(StoreError) {
    for table in tables { try database.execute(table) }
    try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  /// Checks that a file is a journal with exactly the tables and indexes of this version. A trigger would change
  /// counts, and a view in the place of a table could return anything.
  ///
  /// - Throws: ``StoreError/Code/newer``, or ``StoreError/Code/damaged`` with the name of the first difference.
  static func check(_ database: Database) throws(StoreError) {
    guard try database.integer("PRAGMA application_id") == applicationID else {
      throw StoreError(.damaged, "\(database.path) is not a Tallymark journal; it was not changed.")
    }
    let found = try database.integer("PRAGMA user_version") ?? 0
    guard found <= version else {
      throw StoreError(
        .newer,
        "\(database.path) was written by a newer version of tallyd (schema \(found); this version supports \(version)); "
          + "install that version.")
    }
    guard found == version else {
      throw StoreError(
        .damaged,
        "\(database.path) has the unknown schema \(found); this version of tallyd supports \(version). It was not changed."
      )
    }
    let (expected, actual) = (definitions, try definitions(in: database))
    let names = Set(expected.keys).union(actual.keys)
    guard let name = names.filter({ expected[$0] != actual[$0] }).min() else { return }
    throw StoreError(
      .damaged,
      "\(database.path) is damaged or was changed by another program: “\(name.shortened.printable)” is not defined as in a Tallymark journal of schema \(version)."
    )
  }

  /// Checks the numbers on which all counting depends. All other numbers are harmless, and are read as they are.
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

  /// Conditions for a damaged journal. SQLite evaluates each without a scan.
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

  /// SQL by kind and name, without white space, which versions of SQLite write differently.
  private typealias Definitions = [String: [UInt8]]

  private static func withoutSpace(_ sql: some Sequence<UInt8>) -> [UInt8] { sql.filter { $0 > UInt8(ascii: " ") } }

  /// The tables and indexes of this version. Each statement consists of whole lines; comments may stand between
  /// statements.
  private static var definitions: Definitions {
    var definitions: Definitions = [:]
    var (key, sql): (String?, [UInt8]) = (nil, [])
    for line in tables.joined(separator: "\n").utf8.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "CREATE ".utf8) {
        // The words of "CREATE UNIQUE INDEX name ON …"
        let words = Substring(line).split(separator: " ").drop { $0 != "TABLE" && $0 != "INDEX" }.prefix(2)
        (key, sql) = (words.joined(separator: " ").lowercased(), [])
      }
      guard let name = key else { continue }
      sql += withoutSpace(line)
      guard line.last == UInt8(ascii: ";") else { continue }
      definitions[name] = Array(sql.dropLast())
      key = nil
    }
    return definitions
  }

  /// The tables, indexes, triggers and views of a file.
  private static func definitions(in database: Database) throws(StoreError) -> Definitions {
    var definitions: Definitions = [:]
    // SQLite's automatic indexes have no SQL. Their reserved names prove nothing, because a written schema may contain
    // such a name.
    _ = try database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
      .each([]) { row throws(StoreError) in
        definitions["\(row.text(0)) \(row.text(1))"] = withoutSpace(row.text(2).utf8)
      }
    return definitions
  }
}
