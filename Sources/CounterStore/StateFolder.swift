import Glibc

/// The folder that holds the journal. One core at a time has it, for as long as this object lives.
@safe
final class StateFolder {
  let path: String
  private let lock: Int32

  /// Makes the folder where it is missing, readable by its owner alone, and locks it.
  ///
  /// - Throws: ``StoreError/Code/inUse`` where another core has it, ``StoreError/Code/unusable`` where it cannot be made.
  init(_ path: String) throws(StoreError) {
    self.path = path
    try Self.make(path)
    let file = "\(path)/lock"
    lock = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.unusable(file) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      guard code == EWOULDBLOCK else { throw StoreError(.unusable, "\(file) cannot be locked.") }
      throw StoreError(.inUse, "Another tallyd is running on \(path); it can have only one at a time.")
    }
  }

  /// Makes the folder, which must not be there yet.
  convenience init(makingAnew path: String) throws(StoreError) {
    guard unsafe access(path, F_OK) != 0 else { throw StoreError(.unusable, "\(path) is there already.") }
    try self.init(path)
  }

  deinit { close(lock) }

  /// Removes the folder with its lock and an SQLite file of that name, unless it holds anything else.
  func remove(_ name: String) {
    for file in files(name) { unsafe unlink(file) }
    unsafe rmdir(path)
  }

  /// Gives the folder, with the same in it, to somebody else.
  func give(_ name: String, to owner: FolderOwner) throws(StoreError) { try owner.take(files(name) + [path]) }

  private func files(_ name: String) -> [String] {
    ["lock", name, "\(name)-wal", "\(name)-shm"].map { "\(path)/\($0)" }
  }

  /// Makes a file's name in this folder as durable as its content.
  func sync() throws(StoreError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.unusable(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw Self.unusable(path) }
  }

  /// Whether a file can be written there now, and brought to the disk.
  static func takesWrites(_ path: String) -> Bool {
    let file = "\(path)/trial"
    let trial = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard trial >= 0 else { return false }
    defer {
      close(trial)
      unsafe unlink(file)
    }
    // More than a commit writes.
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    return unsafe bytes.withUnsafeBytes { unsafe write(trial, $0.baseAddress, $0.count) == $0.count }
      && fsync(trial) == 0
  }

  private static func make(_ path: String) throws(StoreError) {
    guard !path.isEmpty else { throw StoreError(.unusable, "The folder for the counts has an empty name.") }
    var made = path.first == "/" ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o700) != 0 else { continue }
      let refusal = unusable(made)
      // Who may make nothing there may still use what is there.
      guard unsafe access(made, F_OK) == 0 else { throw refusal }
    }
  }

  private static func unusable(_ path: String) -> StoreError {
    let number = errno
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    let code = StoreError.Code(systemError: number) ?? .unusable
    return StoreError(code, "\(path) cannot be used for the counts: \(reason).")
  }
}
