import CJournalFile
import Csqlite
import Glibc
import Linux

/// A connection to an SQLite file. The only type that uses its handle.
@safe
final class Database {
  private let handle: OpaquePointer
  let path: String
  private let access: Access
  private let logLength = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  /// Disables SQLite's memory statistics, which are not used, so that allocations take no lock.
  private static let isConfigured: Bool = journal_omit_memory_statistics() == SQLITE_OK

  /// The size of a journal's pages, in bytes. A count writes a whole page, so a small one costs less to write and to
  /// check: 1024 bytes write a quarter less to the disk than 2048, for a file that is 2 % larger.
  static let pageSize = 1024

  /// The access of a connection to its file.
  enum Access {
    case reading
    /// Creates the file if it does not exist.
    case writing

    fileprivate var flags: Int32 {
      switch self {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// The file of a connection to a descriptor, which must stay open.
  private let file: FileDescriptor?

  /// Opens the file at `path`.
  convenience init(path: String, for access: Access = .writing) throws(StoreError) {
    try self.init(path: path, for: access, file: nil)
  }

  /// Opens the database in a file that is already open, and whose contents must not change meanwhile. Files beside it,
  /// such as its log, are not used.
  convenience init(_ file: FileDescriptor, at path: String, for access: Access) throws(StoreError) {
    try self.init(path: path, for: access, file: file)
  }

  /// The names of the file systems of SQLite that check pages: by path, and by descriptor.
  private static let paths = unsafe journal_checked_paths().map { unsafe String(cString: $0) }
  private static let descriptors = unsafe journal_checked_descriptors().map { unsafe String(cString: $0) }

  private init(path: String, for access: Access, file: FileDescriptor?) throws(StoreError) {
    _ = Self.isConfigured
    var opened: OpaquePointer?
    let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let name = file.map { String($0.number) } ?? path
    let result = unsafe sqlite3_open_v2(name, &opened, flags, file == nil ? Self.paths : Self.descriptors)
    guard let opened = unsafe opened, result == SQLITE_OK else {
      let code = StoreError.Code(systemError: unsafe sqlite3_system_errno(opened)) ?? .unusable
      unsafe sqlite3_close_v2(opened)
      throw StoreError(code, "\(path) cannot be opened: \(Self.words(for: result)).")
    }
    unsafe handle = opened
    self.path = path
    self.access = access
    self.file = file
    unsafe logLength.initialize(to: 0)
    unsafe sqlite3_busy_timeout(handle, Self.patience)
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
    unsafe logLength.deallocate()
  }

  // MARK: Checksums

  /// Whether the pages of a file have checksums. SQLite then checks the checksum of each page that it reads.
  enum Checksums: Int32 {
    case none, kept
    /// A program without support for checksums has changed the file, so none is checked.
    case outdated
  }

  var checksums: Checksums { unsafe Checksums(rawValue: journal_checksum_state(handle)) ?? .none }

  /// Makes space for checksums in a new file.
  func reserveChecksums() throws(StoreError) { try check(unsafe journal_reserve(handle)) }

  /// Writes the checksums of all pages as they are, and syncs the file. No other program may use the file meanwhile.
  func stamp() throws(StoreError) { try check(unsafe journal_stamp_all(handle)) }

  /// Whether reading a page fails if its checksum is wrong.
  var isChecking = true {
    didSet { unsafe journal_check(handle, isChecking ? 1 : 0) }
  }

  /// The damage found last, as a sentence; `nil` for none.
  private var damage: String? {
    var isInLog: Int32 = 0
    let offset = unsafe journal_damage(handle, &isInLog)
    return offset < 0 ? nil : "\(path)\(isInLog == 0 ? "" : "-wal") is damaged at byte \(offset)"
  }

  /// The damage found last, as an error; `nil` for none.
  var damageError: StoreError? { damage.map(wrongChecksum) }

  private func wrongChecksum(_ damage: String) -> StoreError {
    StoreError(
      .damaged,
      "\(damage): a checksum is wrong. Bits on the disk have changed, or another program has written to the file. "
        + JournalFile.recovery(of: path))
  }

  /// Reads at most `count` pages, starting with page `first` (from 1), from the file without the write-ahead log.
  ///
  /// - Returns: the number of pages read; 0 at the end. `nil` if a checksum is wrong, or a page is being written.
  func readPages(from first: Int64, count: Int32) throws(StoreError) -> Int64? {
    var count = count
    let result = unsafe journal_read_pages(handle, first, &count)
    if result == Self.wrongChecksum { return nil }
    try check(result)
    return Int64(count)
  }

  /// SQLITE_IOERR_DATA, a macro hidden to Swift.
  private static let wrongChecksum = SQLITE_IOERR | 32 << 8

  // MARK: Log

  /// Sets the size of the pages of a new file.
  func setPageSize() throws(StoreError) { try execute("PRAGMA page_size = \(Self.pageSize)") }

  /// Disables automatic checkpoints. The caller must call ``checkpoint()`` when ``isLogLong``.
  func stopCheckpoints() { unsafe journal_watch_log_length(handle, logLength) }

  /// Whether the write-ahead log had at least 1,000 pages after the last commit, which is SQLite's own limit.
  var isLogLong: Bool { logPages >= 1000 }

  /// The length of the write-ahead log, in pages, after the last commit of this connection.
  var logPages: Int { unsafe Int(logLength.pointee) }

  /// Copies the write-ahead log into the file, up to the first page that a reader still needs. A failure is not an
  /// error, as in SQLite's automatic checkpoints: the log keeps the pages that were not copied.
  func checkpoint() { unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }

  /// Copies the whole log into the file and empties it; returns `false` on failure, or if the log has readers.
  func checkpointWhole() -> Bool {
    unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }

  /// Replaces the content of this file by a consistent copy of `source`, with SQLite's online backup. Does not block
  /// writers of `source`.
  func copy(from source: Database) throws(StoreError) {
    guard let backup = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw StoreError(.failed, "\(source.path) cannot be copied to \(path).")
    }
    let result = unsafe sqlite3_backup_step(backup, -1)
    unsafe sqlite3_backup_finish(backup)
    try check(result)
  }

  /// The time to wait for another program's lock, in milliseconds: the sqlite3 shell may hold a lock for a moment.
  private static let patience: Int32 = 2000

  /// Changes the time to wait for another program's lock, in milliseconds.
  func waitForLocks(_ milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

  /// Runs one or more statements without results.
  func execute(_ sql: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Prepares `sql`, which must be a constant of this program.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    let statement = statement(sql)
    try statement.compile()
    return statement
  }

  /// Returns a statement that is compiled at its first use.
  func statement(_ sql: String) -> Statement { Statement(sql, of: self) }

  /// Compiles a statement for ``Statement``, which frees it.
  func compile(_ sql: String) throws(StoreError) -> OpaquePointer {
    var compiled: OpaquePointer?
    try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil))
    guard let compiled = unsafe compiled else { throw StoreError(.failed, "An empty statement was compiled.") }
    return unsafe compiled
  }

  /// Returns the single integer result of `sql`.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.next() ? statement.integer(0) : nil
  }

  /// Returns the single text result of `sql`.
  func text(_ sql: String) throws(StoreError) -> String? {
    let statement = try prepare(sql)
    return try statement.next() ? statement.text(0) : nil
  }

  /// Whether a transaction is open. SQLite closes a transaction by itself after some errors.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Prevents other programs from writing, from the next transaction on until this object is deallocated.
  func keepWriteLock() throws(StoreError) { try check(unsafe journal_keep_write_lock(handle)) }

  /// Rewrites and syncs the write-ahead log of an earlier process. If a sync failed in that process, the disk may have
  /// less than this process sees, and commits after such a gap would be lost with a power cut.
  func secureLog() throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
    let result = unsafe journal_rewrite_log(handle)
    try execute("ROLLBACK")
    try check(result)
  }

  /// Prevents all further writes, including the checkpoint when the connection is closed: after a failure the content
  /// of the disk is unknown. The next connection recovers from the log.
  func keepLog() { _ = unsafe journal_keep_log_when_closed(handle) }

  // MARK: Hooks

  /// A Swift function that SQLite calls through a C function and a pointer.
  private final class Hook<Function> {
    let function: Function
    init(_ function: Function) { self.function = function }
  }

  private var progress: Hook<() -> Bool>?

  /// Calls `mayGoOn` every `steps` steps of SQLite's virtual machine; interrupts the statement if it returns `false`.
  func onProgress(every steps: Int32, _ mayGoOn: @escaping () -> Bool) {
    let hook = Hook(mayGoOn)
    unsafe sqlite3_progress_handler(
      handle, steps,
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Hook<() -> Bool>>.fromOpaque(context).takeUnretainedValue().function() ? 0 : 1
      }, Unmanaged.passUnretained(hook).toOpaque())
    progress = hook
  }

  /// Throws the error for a result code.
  func check(_ result: Int32) throws(StoreError) {
    switch Self.meaning(of: result) {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    case SQLITE_NOMEM:
      throw StoreError(
        .failed,
        "There is no memory left for \(path); end other programs, or raise the limit (MemoryMax= of the unit)."
          + (access == .reading ? "" : " Nothing is counted until then."))
    case SQLITE_FULL:
      throw StoreError(.full, "The disk that holds \(path) is full; free some space. Nothing is counted until then.")
    case SQLITE_IOERR where unsafe journal_write_error(handle) == EDQUOT && result >> 8 == Self.writing:
      throw StoreError(
        .full,
        "The disk quota for \(path) is used up; free some space or raise the quota. Nothing is counted until then.")
    case SQLITE_IOERR where unsafe journal_write_error(handle) == EFBIG && result >> 8 == Self.writing:
      throw StoreError(
        .full,
        "\(path) has reached the largest size that this process may write; raise the limit (LimitFSIZE= of the unit, "
          + "or ulimit -f). Nothing is counted until then.")
    case SQLITE_IOERR where result == Self.wrongChecksum: throw wrongChecksum(damage ?? "\(path) is damaged")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      throw StoreError(
        .damaged,
        "\(path) is damaged or is not a Tallymark journal; it was not changed. \(JournalFile.recovery(of: path))")
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_TOOBIG:
      throw StoreError(
        .constraint,
        "A change violates a constraint of \(path): \(unsafe String(cString: sqlite3_errmsg(handle))). "
          + "The change was not recorded. This is a bug in tallyd, not a disk failure; please report it.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      throw StoreError(.locked, "Another program has locked \(path); close that program.")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      let code = StoreError.Code(systemError: unsafe sqlite3_system_errno(handle)) ?? .unusable
      throw StoreError(code, "\(path) cannot be written: \(Self.words(for: result)).")
    case _ where access == .reading:
      throw StoreError(
        .failed, "Reading \(path) failed: \(Self.words(for: result)); check the disk (journalctl -k).")
    default:
      throw StoreError(
        .failed,
        "Writing or reading \(path) failed: \(Self.words(for: result)). Nothing is counted until the disk accepts "
          + "writes again; tallyd retries by itself. Check the disk (journalctl -k).")
    }
  }

  /// The primary code; SQLITE_FULL and SQLITE_NOMEM also for the errors of input and output that have these causes.
  private static func meaning(of result: Int32) -> Int32 {
    switch result {
    // SQLITE_IOERR_SHMSIZE, a macro hidden to Swift like the next one: the log's index could not grow.
    case SQLITE_IOERR | 19 << 8: SQLITE_FULL
    // SQLITE_IOERR_NOMEM
    case SQLITE_IOERR | 12 << 8: SQLITE_NOMEM
    default: result & 0xff
    }
  }

  /// SQLITE_IOERR_WRITE, a macro hidden to Swift, is this number combined with SQLITE_IOERR.
  private static let writing: Int32 = 3

  private static func words(for result: Int32) -> String {
    guard let words = unsafe sqlite3_errstr(result) else { return "error \(result)" }
    return unsafe String(cString: words)
  }
}
