import Glibc

/// Reads and replaces whole files.
public enum FileContent {
  /// Returns the bytes of the file at `path`. Stops after `limit`: a result of more bytes means that the file is
  /// longer.
  ///
  /// - Throws: the kernel's error, or `EINVAL` for a pipe or a device, which could block for ever.
  public static func read(_ path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
    var status = stat()
    if unsafe stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw SystemError("read \(path), which is a pipe, a socket or a device", code: EINVAL)
    }
    var content: [UInt8] = []
    try forEachPortion(of: path) { portion throws(SystemError) in
      content += portion
      return content.count <= limit
    }
    return content
  }

  /// Calls `body` with successive parts of the file at `path` until it returns `false`.
  public static func forEachPortion(
    of path: String, _ body: (ArraySlice<UInt8>) throws(SystemError) -> Bool
  ) throws(SystemError) {
    let attempt = "read \(path)"
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .current(attempt) }
    let file = FileDescriptor(owning: number)
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(file.number, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .current(attempt) }
      guard count > 0, try body(piece.prefix(count)) else { return }
    }
  }

  /// Replaces the file at `path` atomically, and creates its parent folders. Keeps symbolic links and permissions.
  /// Writes directly to a device or a pipe.
  ///
  /// - Parameter mode: the permissions of a file that did not exist.
  /// - Throws: the kernel's error; the file is unchanged then.
  public static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o644) throws(SystemError) {
    let file = try FileReplacement(of: path, mode: mode)
    try file.append(bytes)
    try file.finish()
  }

  /// Removes files left by processes that ended before they could replace the file at `path`. The caller must be the
  /// only writer.
  public static func removeUnfinished(of path: String) {
    let path = target(of: path)
    guard let slash = path.lastIndex(of: "/") else { return }
    let (folder, name) = (path[...slash], path[path.index(after: slash)...])
    for other in FolderContent.names(in: String(folder)) {
      let number = other.dropFirst(name.count + 1).dropLast(unfinished.count)
      if other == "\(name).\(number)\(unfinished)", Int32(number) != nil { unsafe unlink("\(folder)\(other)") }
    }
  }

  fileprivate static let unfinished = ".new"

  fileprivate static func makeFolders(for path: String) throws(SystemError) {
    for index in path.indices.dropFirst() where path[index] == "/" {
      let folder = String(path[..<index])
      guard unsafe mkdir(folder, 0o755) == 0 || [EEXIST, EROFS, EACCES].contains(errno) else {
        throw .current("create the folder \(folder)")
      }
    }
  }

  /// Throws if `path` leads through a link of another user while the caller is root, who could be led anywhere.
  public static func assertOwnLinks(_ path: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    for end in path.indices.dropFirst().filter({ path[$0] == "/" }) + [path.endIndex] {
      var status = stat()
      let part = String(path[..<end])
      guard unsafe lstat(part, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid != 0 else { continue }
      throw SystemError("write \(path): \(part) is a link of another user", code: EACCES)
    }
  }

  fileprivate static func target(of path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// A file that is written part by part, and then replaces another file.
public final class FileReplacement {
  private let path: String
  private let new: String
  private let file: FileDescriptor
  private let mode: mode_t
  /// Whether the path is a device or a pipe, which is written directly.
  private let isDirect: Bool
  private var isFinished = false

  /// - Parameter mode: the permissions of a file that did not exist.
  /// - Throws: the kernel's error.
  public init(of name: String, mode created: UInt32 = 0o644) throws(SystemError) {
    try FileContent.assertOwnLinks(name)
    path = FileContent.target(of: name)
    let attempt = "write \(path)"
    try FileContent.makeFolders(for: path)
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    isDirect = exists && status.st_mode & S_IFMT != S_IFREG
    mode = exists ? status.st_mode & 0o7777 : created
    new = "\(path).\(getpid())\(FileContent.unfinished)"
    // An earlier process with the same ID may have left it.
    if !isDirect { unsafe unlink(new) }
    let number =
      isDirect
      ? unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      : unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .current(attempt) }
    file = FileDescriptor(owning: number)
  }

  deinit { if !isFinished, !isDirect { unsafe unlink(new) } }

  public func append(_ bytes: [UInt8]) throws(SystemError) { try file.writeAll(bytes) }

  /// Replaces the old file by the new one.
  ///
  /// - Throws: the kernel's error; the old file is unchanged then.
  public func finish() throws(SystemError) {
    guard !isDirect else { return }
    guard fchmod(file.number, mode) == 0, fsync(file.number) == 0, unsafe rename(new, path) == 0 else {
      throw .current("write \(path)")
    }
    isFinished = true
  }
}

/// Lists folders.
public enum FolderContent {
  /// Returns the sorted names of a folder's entries; empty if it cannot be read.
  public static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
