import Glibc
import Platform

/// What is to be written to a socket and was not taken by the kernel yet.
struct OutgoingBytes {
  /// Where messages are appended.
  var bytes: [UInt8] = []
  private var written = 0

  /// How many bytes the other end has not been given yet.
  var count: Int { bytes.count - written }

  var isEmpty: Bool { count == 0 }

  /// How many bytes of memory that takes: some of what was written is kept with it.
  var heldCount: Int { bytes.count }

  /// Writes as much as the socket takes now; all of it, if the socket waits.
  ///
  /// - Throws: `EPIPE` when the other end is gone, without the signal of that name.
  mutating func write(to socket: Descriptor) throws(SystemError) {
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

  /// Forgets everything; the memory of large messages is given back.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
    written = 0
  }
}
