import Glibc
import Linux

/// The receiving half of a client: reads and parses replies.
struct ReplyReader {
  /// Result of one read.
  enum Portion<Reply> {
    case replies([Reply])
    /// The read would block.
    case nothing
    /// The service has closed the connection.
    case end
  }

  /// Maximum size of a reply in bytes.
  private static let longestReply = 16 << 20

  private static let portion = 64 << 10

  private var frames = FrameBuffer(limit: longestReply)
  /// Whether the last read returned all bytes that had arrived.
  private(set) var isDrained = false

  /// Reads once.
  ///
  /// - Parameter parse: parses a message without its NUL; returns `nil` for an invalid one.
  /// - Throws: `EBADMSG` if the service violates the protocol; otherwise the kernel's error.
  mutating func read<Reply>(
    from socket: FileDescriptor, _ parse: (UnsafeRawBufferPointer) -> Reply?
  ) throws(SystemError) -> Portion<Reply> {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.portion, alignment: 16)
    defer { unsafe buffer.deallocate() }
    guard let count = unsafe try socket.read(into: buffer) else { return .nothing }
    if count == 0 { return .end }
    isDrained = count < buffer.count
    var replies: [Reply] = []
    var isSound = true
    do {
      unsafe try frames.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { bytes in
        if let reply = unsafe parse(bytes) { replies.append(reply) } else { isSound = false }
        return isSound
      }
    } catch {
      isSound = false
    }
    guard isSound else { throw SystemError("parse a reply", code: EBADMSG) }
    return .replies(replies)
  }
}
