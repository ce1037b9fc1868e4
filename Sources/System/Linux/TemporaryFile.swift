import Glibc

/// An unnamed file that is removed with this object: for bytes that are appended, and then read any number of times.
///
/// Used by one thread at a time.
public final class TemporaryFile: @unchecked Sendable {
  /// The bytes that were flushed.
  public let lines: LineFile
  /// Bytes that were appended and not written yet.
  private var buffer: [UInt8] = []
  /// Number of bytes appended.
  public private(set) var count = 0

  /// - Parameter folder: a folder of the file system to use.
  public init(in folder: String) throws(SystemError) {
    let number = unsafe open(folder, Self.temporary | O_RDWR | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError("create a temporary file in \(folder)", code: errno) }
    lines = LineFile(FileDescriptor(owning: number))
  }

  /// `O_TMPFILE`, a macro that Swift does not import.
  private static let temporary: Int32 = 0o20_000_000 | O_DIRECTORY

  public func append(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    let before = buffer.count
    buffer.append(contentsOf: bytes)
    count += buffer.count - before
    if buffer.count >= LineFile.portion { try flush() }
  }

  /// Writes the appended bytes to the file, so that ``lines`` includes them.
  public func flush() throws(SystemError) {
    try lines.descriptor.writeAll(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// A file that is read line by line, from the beginning each time.
public final class LineFile: Sendable {
  let descriptor: FileDescriptor

  static let portion = 256 << 10

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Opens the file at `path`.
  ///
  /// - Returns: `nil` for a pipe or a device, which can be read only once.
  public convenience init?(path: String) throws(SystemError) {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .current("read \(path)") }
    let descriptor = FileDescriptor(owning: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw .current("read \(path)") }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError("read \(path)", code: EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(descriptor)
  }

  /// Calls `body` with each line, without its line break.
  ///
  /// - Parameter longest: the maximum number of bytes in a line.
  /// - Throws: `SystemError` of reading, with `EMSGSIZE` for a longer line; any error of `body`.
  public func forEachLine(longest: Int = 1 << 20, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var (rest, offset) = ([UInt8](), 0)
    var portion = [UInt8](repeating: 0, count: Self.portion)
    while true {
      let count = unsafe portion.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor.number, bytes.baseAddress, bytes.count, offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError.current("read") }
      guard count > 0 else { break }
      offset += count
      // The rest of the previous part was searched already.
      let searched = rest.count
      rest += portion[..<count]
      var start = 0
      while let end = rest[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(rest[start..<end])
        start = end + 1
      }
      rest.removeFirst(start)
      guard rest.count <= longest else { throw SystemError("read a line", code: EMSGSIZE) }
    }
    if !rest.isEmpty { try body(rest[...]) }
  }
}
