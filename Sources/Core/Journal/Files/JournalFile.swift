import Glibc
import Linux

/// Backup, restore and verification of the journal's file.
///
/// The file, its folder and the files beside it may belong to a user who wants to mislead root. Two rules apply:
/// - The journal in a core's folder is used with the rights of the folder's owner, and only if all its parts are files.
/// - Any other file is used through one descriptor, so that no link, log or rollback journal beside it has an effect.
public enum JournalFile {
  /// The name of the file in the folder of a core.
  public static let name = "counters.sqlite"

  /// Copies the journal in `folder` to the file `destination`, consistently. A running core is not disturbed.
  ///
  /// - Parameter replaces: whether an existing file is replaced, once the copy is complete.
  /// - Throws: ``StoreError`` if `folder` has no journal, or if `destination` exists or cannot be written.
  public static func backUp(_ folder: String, to destination: String, replaces: Bool = false) throws(StoreError) {
    do {
      let place = try OutputFolder(of: destination)
      let isThere = place.permissions != nil
      guard !isThere || replaces else {
        throw StoreError(.unusable, "\(destination) exists already. Choose another name, or replace it with --force.")
      }
      var (old, journal) = (stat(), stat())
      if isThere {
        guard unsafe stat("\(folder)/\(name)", &journal) == 0, unsafe lstat(destination, &old) == 0,
          old.st_mode & S_IFMT == S_IFREG, old.st_ino != journal.st_ino || old.st_dev != journal.st_dev
        else { throw StoreError(.unusable, "\(destination) is not the file of a backup. Choose another name.") }
      }
      let new = isThere ? "\(place.name).new" : place.name
      let file = try place.create(new)
      do {
        try copyJournal(of: folder, to: file, at: destination)
        if isThere { try place.replace(with: new) }
        try place.sync()
      } catch {
        place.remove(new)
        throw error
      }
    } catch let error as SystemError {
      throw StoreError(.unusable, "\(destination): \(SystemError.reason(error.code)).")
    } catch {
      throw error as? StoreError ?? StoreError(.unusable, "\(error)")
    }
  }

  private static func copyJournal(
    of folder: String, to file: FileDescriptor, at destination: String
  ) throws(StoreError) {
    try FolderOwner.acting(of: folder) { () throws(StoreError) in
      let source = "\(folder)/\(name)"
      try require(source)
      try assertFiles(in: folder)
      try LogCheck.assertWhole(folder)
      try copy(try Database(path: source), to: file, at: destination)
    }
  }

  /// Replaces the journal in `folder` by a backup; no core may use the folder. The previous journal is kept beside the
  /// new one. Root restores with the rights of the folder's owner. Data that follows from the events may be wrong: the
  /// core computes it again at its start.
  ///
  /// - Returns: the path of the previous journal; `nil` if there was none.
  public static func restore(_ backup: String, to folder: String) throws(StoreError) -> String? {
    let source = try openAlone(backup)
    return try FolderOwner.acting(of: folder) { () throws(StoreError) in
      let state = try StateFolder(folder)
      try assertFiles(in: folder)
      let (place, new) = ("\(folder)/\(name)", "\(folder)/\(name).new")
      unsafe unlink(new)
      do throws(StoreError) {
        try copy(source, to: try make(new), at: new)
        // Checks the copy rather than the backup, which may change meanwhile.
        let found = try differences(in: new)
        if let first = found.first(where: { !$0.isDerived }) {
          throw StoreError(.damaged, "\(backup) was not restored, because it is not consistent: \(first.sentence)")
        }
        if !found.isEmpty { try dropRollups(of: new) }
        // The restored file may lack events that are confirmed now.
        try state.forgetConfirmedDurably()
        let kept = try put(new, inPlaceOf: place)
        try state.sync()
        return kept
      } catch {
        unsafe unlink(new)
        // The error must name the backup, which is damaged: the copy is deleted.
        guard error.code == .damaged, error.message.hasPrefix(new) else { throw error }
        throw StoreError(.damaged, backup + error.message.dropFirst(new.count))
      }
    }
  }

  /// Replaces a journal by `new`. The previous journal is kept beside the new one.
  ///
  /// After a crash at any point one of the two journals exists; otherwise a core would start with an empty one.
  ///
  /// - Returns: the path of the previous journal; `nil` if there was none.
  static func put(_ new: String, inPlaceOf place: String) throws(StoreError) -> String? {
    guard let old = keptNames(of: place).first(where: { unsafe access($0, F_OK) != 0 }) else {
      throw StoreError(.unusable, "There are too many files like \(place).before-restore; move some away.")
    }
    let isThere = unsafe access(place, F_OK) == 0
    if isThere {
      // Checkpoints the log, so that one file is complete. If the file is too damaged for a checkpoint, it keeps its
      // log.
      do throws(StoreError) {
        try LogCheck.assertUntorn("\(place)-wal", of: place)
        try Database(path: place).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      } catch {
        guard error.code == .damaged else { throw error }
      }
      guard unsafe link(place, old) == 0 else { throw refusal(old) }
    }
    // SQLite would use the log of the previous journal for the new one.
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

  /// Lists the differences between the state of a journal and its events; empty if there are none.
  ///
  /// - Parameter path: a backup, or the folder of a core. The core may be running.
  public static func verify(_ path: String) throws(StoreError) -> [String] {
    let folder = folder(of: path)
    guard let folder else {
      return try verify(try openAlone(path)).map(\.sentence)
    }
    return try FolderOwner.acting(of: folder) { () throws(StoreError) in
      try require("\(folder)/\(name)")
      try assertFiles(in: folder)
      // Checked before the journal is opened, because SQLite would remove a damaged log.
      try LogCheck.assertWhole(folder)
      return try differences(in: "\(folder)/\(name)").map(\.sentence)
    }
  }

  /// The folder of a core, if `path` is such a folder or the journal in it.
  private static func folder(of path: String) -> String? {
    if unsafe access("\(path)/\(name)", F_OK) == 0 { return path }
    guard path == name || path.hasSuffix("/\(name)") else { return nil }
    let folder = path.dropLast(name.count)
    return folder.isEmpty ? "." : folder.count == 1 ? "/" : String(folder.dropLast())
  }

  private static func differences(in file: String) throws(StoreError) -> [Verification.Difference] {
    try require(file)
    return try verify(try Database(path: file))
  }

  /// Removes the rollups from a file that no other program uses. A core writes them again when it starts.
  private static func dropRollups(of path: String) throws(StoreError) {
    let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { throw refusal(path) }
    let file = FileDescriptor(owning: number)
    let database = try Database(file, at: path, for: .writing)
    // The file is complete without a log.
    try database.execute("PRAGMA journal_mode = OFF; BEGIN")
    let tables = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .rows { row throws(StoreError) in row.text(0) }
    for table in tables where Rollups.tables.contains(table) { try database.execute("DELETE FROM \(table)") }
    // The values after the last block follow from the events.
    try database.execute("DELETE FROM standing WHERE counter IN (SELECT counter FROM event); COMMIT")
    try database.stamp()
    guard fsync(file.number) == 0 else { throw refusal(path) }
  }

  /// - Throws: ``StoreError`` if `database` is not a journal, or is one of a newer version.
  private static func verify(_ database: Database) throws(StoreError) -> [Verification.Difference] {
    try database.execute("PRAGMA trusted_schema = OFF")
    try Schema.check(database)
    return try Verification(database).differences()
  }

  /// The command that recovers the data of a damaged journal, as a sentence.
  static func recovery(of path: String) -> String {
    guard path.hasSuffix("/\(name)") else {
      return "Use another backup, or copy this one as \(name) to a folder of its own; then: "
        + "tally repair FOLDER NEWFOLDER"
    }
    return "To recover its data: tally repair \(path.dropLast(name.count + 1)) NEWFOLDER"
  }

  // MARK: Files

  /// Opens a backup for reading. Files beside it are not used.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read, is no regular file, or if its log is beside it.
  private static func openAlone(_ path: String) throws(StoreError) -> Database {
    // Opening a FIFO would wait for its writer.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw refusal(path) }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.unusable, "\(path) is not a file.")
    }
    for log in ["-wal", "-journal"] {
      var status = stat()
      guard unsafe lstat(path + log, &status) == 0, status.st_size > 0 else { continue }
      throw StoreError(
        .unusable,
        "\(path) is not complete without \(path)\(log). Put both into a folder of their own as \(name) and \(name)\(log), and name that folder."
      )
    }
    return try Database(file, at: path, for: .reading)
  }

  /// Creates a new file that only its owner can read, regardless of the umask.
  private static func make(_ path: String) throws(StoreError) -> FileDescriptor {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw refusal(path) }
    return FileDescriptor(owning: number)
  }

  /// Copies a journal into an empty file, which is complete without a log, and syncs it.
  private static func copy(_ source: Database, to file: FileDescriptor, at path: String) throws(StoreError) {
    let copy = try Database(file, at: path, for: .writing)
    try copy.execute("PRAGMA journal_mode = OFF")
    try copy.copy(from: source)
    // Both version numbers of the file format: 1 is a file without a write-ahead log (sqlite.org/fileformat2.html).
    guard unsafe pwrite(file.number, [1, 1] as [UInt8], 2, 18) == 2 else { throw refusal(path) }
    try copy.stamp()
    guard fsync(file.number) == 0 else { throw refusal(path) }
  }

  /// Throws if a part of the journal in `folder` is not a regular file: SQLite would wait for the writer of a FIFO, and
  /// follow a link.
  static func assertFiles(in folder: String) throws(StoreError) {
    for end in ["", "-wal", "-shm", "-journal"] {
      let path = "\(folder)/\(name)\(end)"
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
      throw StoreError(.unusable, "\(path) is not a regular file. It was not opened.")
    }
  }

  /// Throws if the file does not exist, because SQLite would create it.
  static func require(_ path: String) throws(StoreError) {
    guard unsafe access(path, R_OK) == 0 else { throw refusal(path) }
  }

  /// The names under which restores keep the previous journals, in order.
  static func keptNames(of place: String) -> some Sequence<String> {
    (0..<1000).lazy.map { "\(place).before-restore" + ($0 == 0 ? "" : ".\($0)") }
  }

  private static func refusal(_ path: String) -> StoreError {
    StoreError(.unusable, "\(path): \(SystemError.reason(errno)).")
  }
}
