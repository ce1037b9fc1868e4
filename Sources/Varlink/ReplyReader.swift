import Glibc
import Platform

/// The receiving half of a client: makes replies of what a service sends.
struct ReplyReader {
  /// What one read brought.
  enum Portion {
    case replies([ReplyMessage])
    /// Nothing is there yet.
    case nothing
    /// The service has closed the connection.
    case end
  }

  /// The longest reply in bytes that is taken.
  private static let longestReply = 16 << 20

  private var frames = FrameBuffer(limit: longestReply)

  /// Reads once.
  ///
  /// - Throws: `EBADMSG` where the service breaks the protocol, and what the kernel refused.
  mutating func read(from socket: Descriptor) throws(SystemError) -> Portion {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { unsafe buffer.deallocate() }
    guard let count = unsafe try socket.read(into: buffer) else { return .nothing }
    if count == 0 { return .end }
    var replies: [ReplyMessage] = []
    var isSound = true
    do {
      unsafe try frames.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { bytes in
        if let reply = unsafe ReplyMessage(parsing: bytes) { replies.append(reply) } else { isSound = false }
        return isSound
      }
    } catch {
      isSound = false
    }
    guard isSound else { throw SystemError("understand an answer", code: EBADMSG) }
    return .replies(replies)
  }
}
