import Glibc

/// Tells whether files are still those that they were: one that is deleted while it is open takes all that is written
/// to it, and nobody finds that again.
@safe
struct FilePresence {
  private let files: [(path: String, identity: Identity)]

  private struct Identity: Equatable {
    let device: UInt
    let number: UInt
  }

  /// Notes which files the `paths` name now; a path without a file is none to ask about.
  init(of paths: [String]) {
    files = paths.compactMap { path in Self.identity(path).map { (path, $0) } }
  }

  /// The path that does not name the same file any more.
  var lost: String? { files.first { Self.identity($0.path) != $0.identity }?.path }

  private static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }
}
