import Glibc

/// A short text in a file that only its owner can read. Rewritten in place and without a sync, for example in a runtime
/// folder, which is empty after a boot.
public struct RecordFile: Sendable {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// The text; `nil` without a file, or if it is longer than `limit` bytes.
  public func read(upTo limit: Int) -> String? {
    guard let bytes = try? FileContent.read(path, upTo: limit), bytes.count <= limit else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the text, and creates the file and its folder if they do not exist.
  ///
  /// - Throws: the kernel's error; then the file may be missing, or contain neither the old nor the new text
  ///   completely.
  public func write(_ text: String) throws(SystemError) {
    let attempt = "write \(path)"
    var number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if number < 0, errno == ENOENT, let slash = path.lastIndex(of: "/") {
      unsafe mkdir(String(path[..<slash]), 0o700)
      number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard number >= 0 else { throw .current(attempt) }
    let file = FileDescriptor(owning: number)
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count, ftruncate(file.number, off_t(count)) == 0 else {
      let error = SystemError.current(attempt)
      remove()
      throw error
    }
  }

  public func remove() { _ = unsafe unlink(path) }
}
