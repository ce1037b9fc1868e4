import Glibc

/// A file descriptor that is closed when this object is deallocated.
public final class FileDescriptor: Sendable {
  /// The kernel's number; valid as long as this object lives.
  public let number: Int32

  /// Takes ownership of `number`; no other code may close it.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// A second descriptor of the same open file, which the caller must close.
  public func duplicate() throws(SystemError) -> Int32 {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .current("duplicate a descriptor") }
    return copy
  }

  /// Reads at most `buffer.count` bytes.
  ///
  /// - Returns: the number of bytes read, 0 at the end of the file, or `nil` if the read would block.
  /// - Throws: the kernel's error; interrupted calls are repeated.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
    while true {
      let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { throw .current("read") }
    }
  }

  /// Writes all of `bytes` to a file.
  ///
  /// - Throws: the kernel's error; some of the bytes may have been written.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(number, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .current("write") }
      written += count
    }
  }

  /// Writes as much of `buffer` as the kernel accepts now.
  ///
  /// - Returns: the number of bytes written, or `nil` if the write would block.
  /// - Throws: the kernel's error; interrupted calls are repeated.
  public func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
    while true {
      let count = unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { throw .current("write") }
    }
  }
}
