import Glibc

/// The journal as a file of its own: copied while a core runs, put back, and checked.
public enum JournalFile {
  /// The journal's name in the folder of a core.
  static let name = "counters.sqlite"

  /// Copies the journal in `folder` to the file `destination`, as it is at one moment. A core that runs goes on counting.
  ///
  /// - Throws: a ``StoreError`` where `folder` holds no journal, or `destination` is there already or cannot be written.
  public static func backUp(_ folder: String, to destination: String) throws(StoreError) {
    let source = "\(folder)/\(name)"
    try require(source)
    guard unsafe access(destination, F_OK) != 0 else {
      throw StoreError(.unusable, "\(destination) is there already; a backup never replaces a file.")
    }
    try copy(try Database(path: source), to: destination)
  }

  /// Puts a backup in the place of the journal in `folder`, which no core may use meanwhile. What was there is kept
  /// beside it. Root restores in the name of the folder's owner.
  ///
  /// - Returns: where the journal that was replaced lies now; `nil` where there was none.
  public static func restore(_ backup: String, to folder: String) throws(StoreError) -> String? {
    try require(backup)
    let differences = try verify(backup)
    if let first = differences.first {
      throw StoreError(.damaged, "\(backup) was not restored, since it does not hold together: \(first)")
    }
    let source = try Database(path: backup)
    // It may lie where only root can look.
    try source.execute("BEGIN; SELECT count(*) FROM sqlite_schema")
    return try FolderOwner.acting(of: folder) { () throws(StoreError) in try restore(source, to: folder) }
  }

  private static func restore(_ backup: Database, to folder: String) throws(StoreError) -> String? {
    let state = try StateFolder(folder)
    let (place, new) = ("\(folder)/\(name)", "\(folder)/\(name).new")
    unsafe unlink(new)
    try copy(backup, to: new)
    let kept = try put(new, inPlaceOf: place)
    try state.sync()
    return kept
  }

  /// Puts the journal `new` in the place of another one, which is kept beside it.
  ///
  /// Whatever ends this halfway, there is always one of the two: a core that found none would begin an empty one.
  ///
  /// - Returns: where the other one lies now; `nil` where there was none.
  static func put(_ new: String, inPlaceOf place: String) throws(StoreError) -> String? {
    let old = try free("\(place).before-restore")
    let isThere = unsafe access(place, F_OK) == 0
    if isThere {
      // Its log goes into the file, so that one file is all of it; one that is too damaged for that keeps its log.
      do throws(StoreError) {
        try Database(path: place).execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
      } catch {
        guard error.code == .damaged else { throw error }
      }
      guard unsafe link(place, old) == 0 else { throw refusal(old) }
    }
    // SQLite would take the log of another journal for that of the new one.
    for log in ["-wal", "-shm", "-journal"] where unsafe rename(place + log, old + log) != 0 && errno != ENOENT {
      throw refusal(place + log)
    }
    guard unsafe rename(new, place) == 0 else {
      let refusal = refusal(place)
      if isThere { unsafe unlink(old) }
      throw refusal
    }
    return isThere ? old : nil
  }

  /// Says how the values of a journal differ from what its events add up to; nothing where all is well.
  ///
  /// - Parameter path: the file, or the folder of a core, which may run.
  public static func verify(_ path: String) throws(StoreError) -> [String] {
    let file = unsafe access("\(path)/\(name)", F_OK) == 0 ? "\(path)/\(name)" : path
    try require(file)
    return try Verification(inThisVersion(file)).differences()
  }

  /// The journal in `file` or, of one that an earlier version wrote, a copy as this version would make it.
  private static func inThisVersion(_ file: String) throws(StoreError) -> Database {
    let database = try Database(path: file)
    guard try database.integer("PRAGMA application_id") == Schema.applicationID else {
      throw StoreError(.damaged, "\(file) is no journal of Tallymark.")
    }
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard version != Schema.version else { return database }
    guard 1..<Schema.version ~= version else {
      throw StoreError(
        .newer, "\(file) is a journal of a newer version (schema \(version), this one reads \(Schema.version)).")
    }
    // SQLite keeps what has no name in a temporary file, which is gone with the connection.
    let copy = try Database(path: "")
    try copy.copy(from: database)
    try Schema.migrate(copy)
    return copy
  }

  // MARK: Files

  private static func copy(_ source: Database, to destination: String) throws(StoreError) {
    // For its owner alone, whatever others may read of what this process makes.
    let made = unsafe open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard made >= 0 else { throw refusal(destination) }
    close(made)
    do throws(StoreError) {
      let copy = try Database(path: destination)
      try copy.copy(from: source)
      // One file, without a log beside it.
      try copy.execute("PRAGMA journal_mode = DELETE")
    } catch {
      unsafe unlink(destination)
      throw error
    }
    let file = unsafe open(destination, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw refusal(destination) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw refusal(destination) }
  }

  /// SQLite would make an empty file where there is none.
  static func require(_ path: String) throws(StoreError) {
    guard unsafe access(path, R_OK) == 0 else { throw refusal(path) }
  }

  private static func free(_ path: String) throws(StoreError) -> String {
    for number in 0..<1000 {
      let candidate = number == 0 ? path : "\(path).\(number)"
      if unsafe access(candidate, F_OK) != 0 { return candidate }
    }
    throw StoreError(.unusable, "There are too many files like \(path); move some away.")
  }

  private static func refusal(_ path: String) -> StoreError {
    let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    return StoreError(.unusable, "\(path): \(reason).")
  }
}
