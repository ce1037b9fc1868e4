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
}
