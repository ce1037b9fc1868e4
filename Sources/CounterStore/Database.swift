import Csqlite
import Glibc

/// One connection to an SQLite file; the only place that sees its handle.
@safe
final class Database {
  private let handle: OpaquePointer
  let path: String

  /// Without statistics of its memory, which nobody here asks for, SQLite allocates without taking a lock each time.
  private static let isConfigured: Bool = csqlite_omit_memory_statistics() == SQLITE_OK

  /// Opens `path`, making an empty file where there is none.
  init(path: String) throws(StoreError) {
    _ = Self.isConfigured
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened, result == SQLITE_OK else {
      let code = StoreError.Code(systemError: unsafe sqlite3_system_errno(opened)) ?? .unusable
      unsafe sqlite3_close_v2(opened)
      throw StoreError(code, "\(path) cannot be opened: \(Self.words(for: result)).")
    }
    unsafe handle = opened
    self.path = path
    unsafe sqlite3_busy_timeout(handle, Self.patience)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Copies the whole content of `source`, as it is at one moment, over that of this file: SQLite's online backup. Whoever
  /// writes to `source` meanwhile is not held up.
  func copy(from source: Database) throws(StoreError) {
    guard let backup = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw StoreError(.failed, "\(source.path) cannot be copied to \(path).")
    }
    let result = unsafe sqlite3_backup_step(backup, -1)
    unsafe sqlite3_backup_finish(backup)
    try check(result)
  }

  /// How long to wait for another program's lock, in milliseconds: a person with the sqlite3 shell may hold one for a
  /// moment.
  private static let patience: Int32 = 2000

  /// Whether to wait for another program's lock at all.
  var isPatient = true {
    didSet { if isPatient != oldValue { unsafe sqlite3_busy_timeout(handle, isPatient ? Self.patience : 0) } }
  }

  /// Runs one or more statements that answer nothing.
  func execute(_ sql: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Prepares `sql`, which is written for this program and therefore right.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared = unsafe prepared else { throw StoreError(.failed, "An empty statement was prepared.") }
    return unsafe Statement(prepared, of: self)
  }

  /// The single integer that `sql` answers.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.next() ? statement.integer(0) : nil
  }

  /// The single text that `sql` answers.
  func text(_ sql: String) throws(StoreError) -> String? {
    let statement = try prepare(sql)
    return try statement.next() ? statement.text(0) : nil
  }

  /// Whether a transaction is open; SQLite closes one by itself after some errors.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Makes the disk hold what this process sees of a write-ahead log that an earlier one left: where a sync had failed,
  /// it may hold less, and what is written behind a gap is lost with the power.
  func secureLog() throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
    let result = unsafe csqlite_rewrite_log(handle)
    try execute("ROLLBACK")
    try check(result)
  }

  /// From now on nothing is written, not even when the connection is closed: after a failure nobody knows what a write
  /// would be put upon. The next connection finds everything in the log.
  func keepLog() { _ = unsafe csqlite_keep_log_when_closed(handle) }

  /// Turns a result code into the error that a person can act on.
  func check(_ result: Int32) throws(StoreError) {
    // Its log's index could not grow, which SQLITE_FULL does not cover: SQLITE_IOERR_SHMSIZE, a macro hidden to Swift.
    switch result == SQLITE_IOERR | 19 << 8 ? SQLITE_FULL : result & 0xff {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_FULL:
      throw StoreError(.full, "The disk that holds \(path) is full: nothing more can be counted until there is room.")
    case SQLITE_IOERR where unsafe csqlite_write_error(handle) == EDQUOT && result >> 8 == Self.writing:
      throw StoreError(
        .full, "The quota for \(path) is used up: nothing more can be counted until there is room in it.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      throw StoreError(
        .damaged,
        "\(path) is damaged or not a journal of Tallymark; it was left as it is. To save what can be saved: tally repair "
          + "\(path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")) NEWFOLDER"
      )
    case SQLITE_BUSY, SQLITE_LOCKED:
      throw StoreError(.inUse, "Another program holds \(path) locked.")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      let code = StoreError.Code(systemError: unsafe sqlite3_system_errno(handle)) ?? .unusable
      throw StoreError(code, "\(path) cannot be written: \(Self.words(for: result)).")
    default:
      throw StoreError(
        .failed,
        "Writing or reading \(path) failed: \(Self.words(for: result)). Nothing more is counted until the disk takes "
          + "writes again, which tallyd looks for by itself; look after the disk (journalctl -k).")
    }
  }

  /// SQLITE_IOERR_WRITE, a macro hidden to Swift, is this and SQLITE_IOERR.
  private static let writing: Int32 = 3

  private static func words(for result: Int32) -> String {
    guard let words = unsafe sqlite3_errstr(result) else { return "error \(result)" }
    return unsafe String(cString: words)
  }
}
