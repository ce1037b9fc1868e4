import CLinux
public import Glibc

/// The folder of a file to be written, opened once, so that no other process can exchange the folder meanwhile.
///
/// Root opens it step by step, and follows no link of another user, who could otherwise redirect root anywhere.
public final class OutputFolder {
  private let folder: FileDescriptor
  /// The name of the file in the folder.
  public let name: String
  /// The path of the file, for messages.
  public let path: String

  /// Opens the folder of the file at `path`; if the file is a link, the folder of the link's target.
  ///
  /// - Parameter makesFolders: whether missing folders are created.
  /// - Throws: the kernel's error, or `EACCES` for a link of another user if the caller is root.
  public init(of path: String, makesFolders: Bool = false) throws(SystemError) {
    self.path = path
    (folder, name) = try Self.way(to: path, makesFolders)
  }

  /// The maximum number of links in a path, the same as in the kernel.
  private static let mostLinks = 40

  private static func way(to path: String, _ makesFolders: Bool) throws(SystemError) -> (FileDescriptor, String) {
    let attempt = "write \(path)"
    var links = 0
    var rest = Array(parts(of: path).reversed())
    var folder = try open(path.hasPrefix("/") ? "/" : ".", in: nil, attempt)
    while let part = rest.popLast() {
      // A link such as /dev/stdout leads to a file without a path.
      if rest.isEmpty, isFixed(folder), isDevice(part, in: folder, following: true) { return (folder, part) }
      if let target = try target(of: part, in: folder, attempt) {
        links += 1
        guard links <= mostLinks else { throw SystemError(attempt, code: ELOOP) }
        if target.hasPrefix("/") { folder = try open("/", in: nil, attempt) }
        rest += parts(of: target).reversed()
        continue
      }
      if rest.isEmpty, part != ".." { return (folder, part) }
      if makesFolders { try make(part, in: folder, "create the folder \(part) of \(path)") }
      folder = try open(part, in: folder, attempt)
    }
    throw SystemError(attempt, code: EISDIR)
  }

  /// Creates the folder if it does not exist, and then syncs the folder above it.
  private static func make(_ name: String, in folder: FileDescriptor, _ attempt: String) throws(SystemError) {
    guard unsafe mkdirat(folder.number, name, 0o755) == 0 else {
      guard [EEXIST, EROFS, EACCES].contains(errno) else { throw .current(attempt) }
      return
    }
    try sync(folder, attempt)
  }

  /// Whether only root can change the folder.
  private static func isFixed(_ folder: FileDescriptor) -> Bool {
    var status = stat()
    return unsafe fstat(folder.number, &status) == 0 && status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Whether the path is a device, a pipe or a socket.
  private static func isDevice(_ name: String, in folder: FileDescriptor, following: Bool) -> Bool {
    var status = stat()
    return unsafe fstatat(folder.number, name, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) == 0
      && ![S_IFREG, S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT)
  }

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }

  /// The target of a link; `nil` if `name` is not a link.
  private static func target(of name: String, in folder: FileDescriptor, _ attempt: String) throws(SystemError)
    -> String?
  {
    var status = stat()
    guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
    else { return nil }
    guard geteuid() != 0 || status.st_uid == 0 else {
      throw SystemError("\(attempt): \(name) is a link of another user", code: EACCES)
    }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlinkat(folder.number, name, &bytes, bytes.count)
    guard count > 0 else { throw .current(attempt) }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func open(
    _ name: String, in folder: FileDescriptor?, _ attempt: String
  ) throws(SystemError) -> FileDescriptor {
    let number = unsafe linux_open_folder(folder?.number ?? AT_FDCWD, name)
    guard number >= 0 else { throw SystemError(attempt, code: -number) }
    return FileDescriptor(owning: number)
  }

  /// The permissions of the file; `nil` if there is none.
  public var permissions: mode_t? {
    var status = stat()
    guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return status.st_mode & 0o7777
  }

  /// Whether the path leads to a device, a pipe or a socket, which is written directly instead of being replaced.
  public var isDevice: Bool { Self.isDevice(name, in: folder, following: Self.isFixed(folder)) }

  /// Opens the device, pipe or socket for writing.
  public func openDevice() throws(SystemError) -> FileDescriptor {
    let follows = Self.isFixed(folder) ? 0 : O_NOFOLLOW
    return try descriptor(unsafe openat(folder.number, name, O_WRONLY | O_CLOEXEC | O_NOCTTY | follows))
  }

  /// Creates a file for its owner only. No file `name` may exist in the folder.
  public func create(_ name: String) throws(SystemError) -> FileDescriptor {
    try descriptor(unsafe openat(folder.number, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
  }

  private func descriptor(_ number: Int32) throws(SystemError) -> FileDescriptor {
    guard number >= 0 else { throw .current("write \(path)") }
    return FileDescriptor(owning: number)
  }

  /// Replaces the file by the file `new` in the same folder.
  public func replace(with new: String) throws(SystemError) {
    guard unsafe renameat(folder.number, new, folder.number, name) == 0 else { throw .current("write \(path)") }
  }

  /// Writes the entries of the folder to the disk, so that a replaced file stays replaced after a power cut. Does
  /// nothing in a folder that cannot be read, and on a file system that cannot sync folders.
  public func sync() throws(SystemError) { try Self.sync(folder, "write \(path)") }

  private static func sync(_ folder: FileDescriptor, _ attempt: String) throws(SystemError) {
    let number = unsafe openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    let entries = FileDescriptor(owning: number)
    guard fsync(entries.number) != 0, ![EINVAL, ENOTSUP, EROFS].contains(errno) else { return }
    throw .current(attempt)
  }

  /// Removes the file `name` from the folder, if it exists.
  public func remove(_ name: String) { unsafe unlinkat(folder.number, name, 0) }
}
