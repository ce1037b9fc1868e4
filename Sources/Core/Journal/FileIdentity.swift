import Glibc

/// Detects that files of a folder were deleted or replaced while they are open: later writes to them would be lost.
///
/// A file only disappears with a change of its folder. So most checks read only the times of the folder; while the
/// folder is watched, they read nothing, except once a second, because a folder above it may have moved.
@safe
struct FileIdentity {
  private let folder: String
  private let files: [(path: String, identity: Identity)]
  /// The times of the folder when all files were found last, if any later change alters these times.
  private var found: FolderState?
  /// Whether ``forget()`` is called after each change of the folder.
  var isWatched = false
  /// The time at which all files were found last, in seconds since 1970; `nil` after a change.
  private var foundAt: Int?

  private struct Identity: Equatable {
    let device: UInt
    let number: UInt

    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
  }

  private struct FolderState: Equatable {
    let identity: Identity
    let (modified, changed): (Int, Int)
    private let (modifiedNanoseconds, changedNanoseconds): (Int, Int)

    init(_ status: stat) {
      identity = Identity(status)
      (modified, modifiedNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      (changed, changedNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }

    /// Whether a change at `now`, in seconds since 1970, alters the times of the folder. The resolution of the coarsest
    /// file system, FAT, is two seconds.
    func isOld(at now: Int) -> Bool { now > max(modified, changed) + 3 }
  }

  /// Records the files that `names` in `folder` refer to now. Names without a file are ignored.
  init(of names: [String], in folder: String) {
    self.folder = folder
    files = names.compactMap { name in
      let path = "\(folder)/\(name)"
      return Self.status(path).map { (path, Identity($0)) }
    }
  }

  /// Returns the first path that does not refer to the same file any more.
  mutating func lost(at now: Int = time(nil)) -> String? {
    if isWatched, foundAt == now { return nil }
    let lost = lookForLost(at: now)
    foundAt = lost == nil ? now : nil
    return lost
  }

  /// Makes the next call look at the folder.
  mutating func forget() { foundAt = nil }

  private mutating func lookForLost(at now: Int) -> String? {
    let state = Self.status(folder).map(FolderState.init)
    if let state, state == found { return nil }
    found = nil
    // A change between the two calls alters the times of the folder, so the next check finds it.
    if let lost = files.first(where: { Self.status($0.path).map(Identity.init) != $0.identity }) { return lost.path }
    if let state, state.isOld(at: now) { found = state }
    return nil
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
