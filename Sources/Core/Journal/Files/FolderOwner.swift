import CLinux
import Glibc
import Linux

/// The user whose rights root uses for a core's folder. A core could not open files that root creates, and another user
/// could redirect root with links and with files beside the journal.
struct FolderOwner: Equatable {
  private let user: uid_t
  private let group: gid_t

  /// The first user other than root who owns `folder`, or a folder or link on its path. `nil` if root owns all of them,
  /// or if the calling user is not root.
  ///
  /// - Throws: ``StoreError`` if other users may put files into the folder, or exchange a part of the path.
  init?(of folder: String) throws(StoreError) {
    guard geteuid() == 0, let owner = try Self.firstStranger(onTheWayTo: folder) else { return nil }
    self = owner
  }

  private init(_ status: stat) { (user, group) = (status.st_uid, status.st_gid) }

  /// The maximum number of links in a path, the same as in the kernel.
  private static let mostLinks = 40

  /// Follows the path to `folder` link by link, as far as it exists.
  private static func firstStranger(onTheWayTo folder: String) throws(StoreError) -> FolderOwner? {
    var rest = Array(parts(of: folder.hasPrefix("/") ? folder : "\(workingFolder)/\(folder)").reversed())
    var (path, links) = ("", 0)
    while let part = rest.popLast() {
      if part == ".." {
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        continue
      }
      let next = "\(path)/\(part)"
      var status = stat()
      guard unsafe lstat(next, &status) == 0, links <= mostLinks else { return nil }
      guard status.st_uid == 0 else { return FolderOwner(status) }
      if status.st_mode & S_IFMT == S_IFLNK {
        links += 1
        let target = SymbolicLink.target(next) ?? ""
        if target.hasPrefix("/") { path = "" }
        rest += parts(of: target).reversed()
        continue
      }
      let isOpen = status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && status.st_gid != 0
      // In a sticky folder, such as /tmp, only root can exchange files of root.
      guard !isOpen || status.st_mode & S_ISVTX != 0 && !rest.isEmpty else {
        throw StoreError(
          .unusable,
          "\(next) can be written by other users, who could mislead root. Use a folder that only its owner can write, or run this command as its owner."
        )
      }
      path = next
    }
    return nil
  }

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }

  private static var workingFolder: String {
    guard let folder = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder)
  }

  /// Runs `body` with the file access rights of the owner of `folder`, if the caller is root.
  ///
  /// - Throws: the errors of `body`, and ``StoreError`` if root may not use the folder.
  static func acting<Result>(of folder: String, _ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try acting(as: try FolderOwner(of: folder), body)
  }

  /// Runs `body` with the file access rights of `owner`; with the caller's for `nil`.
  static func acting<Result>(
    as owner: FolderOwner?, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let owner else { return try body() }
    // The access rights change for this thread only.
    var (formerUser, formerGroup) = (UInt32(0), UInt32(0))
    unsafe linux_user_of_files(&formerUser, &formerGroup)
    defer { _ = linux_use_files_as(formerUser, formerGroup) }
    guard linux_use_files_as(owner.user, owner.group) == 0 else {
      throw StoreError(
        .unusable, "The rights of user \(owner.user) cannot be used; run this command as that user or as root.")
    }
    return try body()
  }

  /// Gives the existing files and folders to the owner. Only for folders where no one but root can create files.
  func take(_ paths: [String]) throws(StoreError) {
    for path in paths where unsafe lchown(path, user, group) != 0 && errno != ENOENT {
      throw StoreError(.unusable, "The owner of \(path) could not be changed to user \(user).")
    }
  }
}
