import Glibc
import Linux

/// Bytes to be written to a socket.
struct WriteBuffer {
  /// The buffered bytes, to which messages are appended.
  var bytes: [UInt8] = []
  private var written = 0

  /// Number of unwritten bytes.
  var count: Int { bytes.count - written }

  var isEmpty: Bool { count == 0 }

  /// Number of bytes in memory, including some that are written.
  var bufferedBytes: Int { bytes.count }

  /// Writes as much as the socket accepts now, or everything if the socket blocks.
  ///
  /// - Throws: `EPIPE` if the peer is gone; `SIGPIPE` is not raised.
  mutating func write(to socket: FileDescriptor) throws(SystemError) {
    while !isEmpty {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        return unsafe send(socket.number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        throw .current("write to a socket")
      }
    }
    if isEmpty {
      removeAll()
    } else if written > bytes.count / 2 {
      bytes.removeFirst(written)
      written = 0
    }
  }

  /// Removes all bytes, and frees the memory of large messages.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
    written = 0
  }
}
