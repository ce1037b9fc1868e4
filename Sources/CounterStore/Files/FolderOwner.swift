import CLinux
import Glibc

/// Whose a core's folder is. Root works on it in the name of that user: a core that cannot open what root has made there
/// cannot start, and where somebody else owns the folder, a link in it could lead root anywhere.
struct FolderOwner {
  private let user: uid_t
  private let group: gid_t

  /// `nil` where the folder cannot be looked at, or is nobody else's than of whoever asks.
  init?(of folder: String) {
    var status = stat()
    guard unsafe stat(folder, &status) == 0, geteuid() == 0, status.st_uid != 0 else { return nil }
    (user, group) = (status.st_uid, status.st_gid)
  }

  /// Runs `body` with the rights that the owner of `folder` has on files; as it is for anybody but root.
  ///
  /// - Throws: what `body` throws, and a ``StoreError`` where root may not do that.
  static func acting<Result>(of folder: String, _ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    guard let owner = FolderOwner(of: folder) else { return try body() }
    // For this thread alone.
    defer { _ = linux_use_files_as(geteuid(), getegid()) }
    guard linux_use_files_as(owner.user, owner.group) == 0 else {
      throw StoreError(.unusable, "\(folder) belongs to user \(owner.user), in whose name nothing can be done here.")
    }
    return try body()
  }

  /// Makes those of the files and folders theirs that are there; for places where nobody but root can put anything.
  func take(_ paths: [String]) throws(StoreError) {
    for path in paths where unsafe lchown(path, user, group) != 0 && errno != ENOENT {
      throw StoreError(.unusable, "\(path) could not be given to user \(user).")
    }
  }
}
