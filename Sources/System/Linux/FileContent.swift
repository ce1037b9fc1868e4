import Glibc

/// Reads and replaces whole files.
public enum FileContent {
  /// Returns the bytes of the file at `path`. Stops after `limit`: a result of more bytes means that the file is
  /// longer.
  ///
  /// - Throws: the kernel's error, or `EINVAL` for a pipe or a device, which could block endlessly.
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

  /// Whether the file at `path` is a pipe, a socket, a terminal or `/dev/null`, whose content ends. Other devices may
  /// be endless.
  public static func isStreamThatEnds(_ path: String) -> Bool {
    var (status, null) = (stat(), stat())
    guard unsafe stat(path, &status) == 0 else { return false }
    if [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) { return true }
    if unsafe stat("/dev/null", &null) == 0, status.st_rdev == null.st_rdev { return true }
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = FileDescriptor(owning: number)
    return isatty(file.number) == 1
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
    let path = realPath(path)
    guard let slash = path.lastIndex(of: "/") else { return }
    let (folder, name) = (path[...slash], path[path.index(after: slash)...])
    for other in FolderContent.names(in: String(folder)) {
      let number = other.dropFirst(name.count + 1).dropLast(unfinished.count)
      if other == "\(name).\(number)\(unfinished)", Int32(number) != nil { unsafe unlink("\(folder)\(other)") }
    }
  }

  fileprivate static let unfinished = ".new"

  /// The path without links and dots; the path itself if it does not exist.
  public static func realPath(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// A file that is written part by part, and then replaces another file.
public final class FileReplacement {
  private let folder: OutputFolder
  /// The name of the new file.
  private let new: String
  private let file: FileDescriptor
  private let mode: mode_t
  /// Whether the path is a device or a pipe, which is written directly.
  private let isDirect: Bool
  private var isFinished = false

  /// - Parameter mode: the permissions of a file that did not exist.
  /// - Throws: the kernel's error; see ``OutputFolder/init(of:makesFolders:)``.
  public init(of path: String, mode created: UInt32 = 0o644) throws(SystemError) {
    folder = try OutputFolder(of: path, makesFolders: true)
    new = "\(folder.name).\(getpid())\(FileContent.unfinished)"
    isDirect = folder.isDevice
    mode = folder.permissions ?? created
    // An earlier process with the same ID may have left the file.
    if !isDirect { folder.remove(new) }
    file = try isDirect ? folder.openDevice() : folder.create(new)
  }

  deinit { if !isFinished, !isDirect { folder.remove(new) } }

  public func append(_ bytes: [UInt8]) throws(SystemError) { try file.writeAll(bytes) }

  /// Replaces the old file by the new one.
  ///
  /// - Throws: the kernel's error; the old file is unchanged then, unless the disk failed after the replacement.
  public func finish() throws(SystemError) {
    guard !isDirect else { return }
    guard fchmod(file.number, mode) == 0, fsync(file.number) == 0 else { throw .current("write \(folder.path)") }
    try folder.replace(with: new)
    isFinished = true
    try folder.sync()
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

/// A link in the file system.
public enum SymbolicLink {
  /// The target of the link at `path`; `nil` if no link can be read there.
  public static func target(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
