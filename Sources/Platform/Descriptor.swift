import Glibc

/// A file descriptor with one owner: closed when the owner lets go of it.
public final class Descriptor: Sendable {
  /// The number the kernel knows it by; valid for as long as this object lives.
  public let number: Int32

  /// Takes over `number`, which nobody else may close from now on.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Reads at most `buffer.count` bytes.
  ///
  /// - Returns: the number of bytes read, 0 at the end, or `nil` when nothing is there yet.
  /// - Throws: what the kernel refused; an interrupted call is repeated.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
    while true {
      let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { throw .current("read") }
    }
  }

  /// Writes as much of `buffer` as the kernel takes now.
  ///
  /// - Returns: the number of bytes taken, or `nil` when there is no room yet.
  /// - Throws: what the kernel refused; an interrupted call is repeated.
  public func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
    while true {
      let count = unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { throw .current("write") }
    }
  }
}
