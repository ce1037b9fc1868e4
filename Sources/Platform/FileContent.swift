import Glibc

/// Whole files, read in one go.
public enum FileContent {
  /// The bytes of the file at `path`; of a longer one at least one more than `limit`, so that its length can be told.
  public static func read(_ path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
    let attempt = "read \(path)"
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .current(attempt) }
    let file = Descriptor(owning: number)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while content.count <= limit {
      let count = unsafe Glibc.read(file.number, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .current(attempt) }
      if count == 0 { break }
      content += piece.prefix(count)
    }
    return content
  }

  /// Puts a file in the place of the one at `path`, whole or not at all, and makes the folders on the way there. Links
  /// stay links, and the permissions stay as they are.
  ///
  /// - Throws: what the kernel refused; then nothing has changed.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let path = target(of: path)
    let attempt = "write \(path)"
    try makeFolders(for: path)
    var status = stat()
    let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0o644
    let new = "\(path).\(getpid())\(unfinished)"
    // An earlier process of the same number left it.
    unsafe unlink(new)
    let number = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .current(attempt) }
    do throws(SystemError) {
      let file = Descriptor(owning: number)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw .current(attempt) }
        rest = rest.dropFirst(count)
      }
      guard fchmod(file.number, mode) == 0, fsync(file.number) == 0, unsafe rename(new, path) == 0 else {
        throw .current(attempt)
      }
    } catch {
      unsafe unlink(new)
      throw error
    }
  }

  /// Removes what processes left that ended while they were to replace the file at `path`. Only for who has it to himself.
  public static func removeUnfinished(of path: String) {
    let path = target(of: path)
    guard let slash = path.lastIndex(of: "/") else { return }
    let (folder, name) = (path[...slash], path[path.index(after: slash)...])
    for other in FolderContent.names(in: String(folder)) {
      let number = other.dropFirst(name.count + 1).dropLast(unfinished.count)
      if other == "\(name).\(number)\(unfinished)", Int32(number) != nil { unsafe unlink("\(folder)\(other)") }
    }
  }

  private static let unfinished = ".new"

  private static func makeFolders(for path: String) throws(SystemError) {
    for index in path.indices.dropFirst() where path[index] == "/" {
      let folder = String(path[..<index])
      guard unsafe mkdir(folder, 0o755) == 0 || [EEXIST, EROFS, EACCES].contains(errno) else {
        throw .current("make the folder \(folder)")
      }
    }
  }

  private static func target(of path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
