import Glibc
import Linux

/// The folder of the journal, locked for one core as long as this object lives.
@safe
final class StateFolder {
  let path: String
  private let lock: Int32

  /// Creates the folder if it does not exist, readable by its owner only, and locks it.
  ///
  /// - Parameter patience: the time to wait for the lock of another core, in nanoseconds.
  /// - Throws: ``StoreError/Code/inUse`` if another core has locked it, ``StoreError/Code/unusable`` if it cannot be
  ///   created.
  convenience init(_ path: String, patience: Int64 = 0) throws(StoreError) {
    try Self.make(path)
    try self.init(locking: path, patience: patience)
  }

  private init(locking path: String, patience: Int64 = 0) throws(StoreError) {
    self.path = path
    let file = "\(path)/lock"
    lock = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.unusable(file) }
    let end = Clock.monotonic() &+ patience
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      if code == EWOULDBLOCK, Clock.monotonic() < end {
        usleep(10_000)
        continue
      }
      close(lock)
      guard code == EWOULDBLOCK else { throw StoreError(.unusable, "\(file) cannot be locked.") }
      throw StoreError(.inUse, "Another tallyd uses \(path); stop it, or use another folder (--state).")
    }
  }

  // MARK: The last confirmed event

  /// Records the sequence number of the last confirmed event in the lock file, without a sync: after a power cut the
  /// number may be an earlier one.
  func confirm(_ sequence: Int64) {
    // A failed write leaves an earlier number.
    _ = unsafe withUnsafeBytes(of: (sequence, ~sequence)) { unsafe pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  /// Forgets the last confirmed event, because the journal is complete without a log or was replaced.
  func forgetConfirmed() { ftruncate(lock, 0) }

  /// Like ``forgetConfirmed()``, and durable when this returns.
  func forgetConfirmedDurably() throws(StoreError) {
    guard ftruncate(lock, 0) == 0, fsync(lock) == 0 else { throw Self.unusable("\(path)/lock") }
  }

  /// The sequence number of the last event that a core has confirmed in the folder `path`; `nil` if that core ended
  /// properly.
  static func lastConfirmed(in path: String) -> Int64? {
    let lock = unsafe open("\(path)/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard lock >= 0 else { return nil }
    defer { close(lock) }
    var numbers: [Int64] = [0, 0]
    let count = unsafe numbers.withUnsafeMutableBytes { unsafe pread(lock, $0.baseAddress, $0.count, 0) }
    return count == 16 && numbers[0] == ~numbers[1] ? numbers[0] : nil
  }

  /// Throws if the file `name` exists and has another hard link: a core that opens the file by the other name has
  /// another lock, and counts into the same file.
  func assertOnlyName(of name: String) throws(StoreError) {
    let file = "\(path)/\(name)"
    var status = stat()
    guard unsafe lstat(file, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK {
      throw StoreError(
        .unusable,
        "\(file) is a link. Another tallyd could use the same file unnoticed; use the folder of the file (--state).")
    }
    if status.st_nlink == 2, try removeKeptName(of: file, status) { return }
    if status.st_nlink > 1 {
      throw StoreError(
        .unusable,
        "\(file) has \(status.st_nlink) names (hard links). Another tallyd could use the same file unnoticed; remove the other names, or replace it by a copy."
      )
    }
  }

  /// Removes the second name of a journal, which a restore gave it before it was cut off.
  ///
  /// - Returns: whether there was one.
  private func removeKeptName(of file: String, _ status: stat) throws(StoreError) -> Bool {
    for kept in JournalFile.keptNames(of: file) {
      var other = stat()
      guard unsafe lstat(kept, &other) == 0, other.st_ino == status.st_ino, other.st_dev == status.st_dev else {
        continue
      }
      guard unsafe unlink(kept) == 0 else { throw Self.unusable(kept) }
      return true
    }
    return false
  }

  /// Whether other users than the owner may replace files of the folder.
  var isOpenToOthers: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & (S_IWGRP | S_IWOTH) != 0
  }

  /// Creates the folder, which must not exist.
  convenience init(makingAnew path: String) throws(StoreError) {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    if !parent.isEmpty { try Self.make(path.hasPrefix("/") ? "/\(parent)" : parent) }
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw errno == EEXIST ? StoreError(.unusable, "\(path) already exists.") : Self.unusable(path)
    }
    try self.init(locking: path)
  }

  deinit {
    // Closing is not enough: a program that another thread is just starting holds a copy of the descriptor, and so the
    // lock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Removes the folder with its lock and the SQLite file `name`, unless it contains other files.
  func remove(_ name: String) {
    for file in files(name) { unsafe unlink(file) }
    unsafe rmdir(path)
  }

  /// Changes the owner of the folder, the lock and the SQLite file `name`.
  func give(_ name: String, to owner: FolderOwner) throws(StoreError) { try owner.take(files(name) + [path]) }

  private func files(_ name: String) -> [String] {
    ["lock", name, "\(name)-wal", "\(name)-shm"].map { "\(path)/\($0)" }
  }

  /// Syncs the folder, so that the names of its files are durable.
  func sync() throws(StoreError) { try Self.sync(path) }

  private static func sync(_ path: String) throws(StoreError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw unusable(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw unusable(path) }
  }

  /// Whether a file can be written and synced in the folder now.
  static func takesWrites(_ path: String) -> Bool {
    let file = "\(path)/trial"
    let trial = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard trial >= 0 else { return false }
    defer {
      close(trial)
      unsafe unlink(file)
    }
    // The trial writes more bytes than a commit.
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    return unsafe bytes.withUnsafeBytes { unsafe write(trial, $0.baseAddress, $0.count) == $0.count }
      && fsync(trial) == 0
  }

  /// Makes a folder and its missing parents. Their names are durable when this returns.
  private static func make(_ path: String) throws(StoreError) {
    guard !path.isEmpty else { throw StoreError(.unusable, "The path of the state folder is empty.") }
    var made = path.first == "/" ? "" : "."
    for part in path.split(separator: "/") {
      let parent = made.isEmpty ? "/" : made
      made += "/" + part
      guard unsafe mkdir(made, 0o700) != 0 else {
        try sync(parent)
        continue
      }
      let refusal = unusable(made)
      // The folder may exist although its parent is not writable.
      guard unsafe access(made, F_OK) == 0 else { throw refusal }
    }
  }

  private static func unusable(_ path: String) -> StoreError {
    let number = errno
    let code = StoreError.Code(systemError: number) ?? .unusable
    return StoreError(code, "\(path) cannot be used for the journal: \(SystemError.reason(number)).")
  }
}
