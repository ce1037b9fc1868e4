import CLinux
import Glibc

/// The owner of a core's folder. Root works on the folder with the owner's rights: the core could not open files of
/// root, and a link of another owner could lead root anywhere.
struct FolderOwner {
  private let user: uid_t
  private let group: gid_t

  /// `nil` if the folder cannot be inspected, or belongs to the calling user.
  init?(of folder: String) {
    var status = stat()
    guard unsafe stat(folder, &status) == 0, geteuid() == 0, status.st_uid != 0 else { return nil }
    (user, group) = (status.st_uid, status.st_gid)
  }

  /// Runs `body` with the file access rights of the owner of `folder`, if the caller is root.
  ///
  /// - Throws: the errors of `body`, and ``StoreError`` if root may not do that.
  static func acting<Result>(of folder: String, _ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    guard let owner = FolderOwner(of: folder) else { return try body() }
    // Applies to this thread only.
    defer { _ = linux_use_files_as(geteuid(), getegid()) }
    guard linux_use_files_as(owner.user, owner.group) == 0 else {
      throw StoreError(.unusable, "\(folder) belongs to user \(owner.user); run this command as that user or as root.")
    }
    return try body()
  }

  /// Gives the files and folders that exist to the owner. To be used where only root can create files.
  func take(_ paths: [String]) throws(StoreError) {
    for path in paths where unsafe lchown(path, user, group) != 0 && errno != ENOENT {
      throw StoreError(.unusable, "The owner of \(path) could not be changed to user \(user).")
    }
  }
}
