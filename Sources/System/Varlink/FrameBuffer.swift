import Glibc

/// Splits a stream of bytes into messages, each of which ends with a NUL byte.
///
/// Bytes may arrive in portions of any size. A message that is complete within one portion is not copied; only
/// incomplete and deferred messages are buffered. The work is linear in the number of bytes, for portions of any size.
package struct FrameBuffer {
  /// The error for a message that is longer than the limit.
  package struct TooLong: Error, Equatable {
    package init() {}
  }

  /// Size in bytes above which memory for the longest message is reserved at once.
  private static let long = 256 << 10
  /// Maximum size of a message in bytes, without its NUL.
  var limit: Int
  /// Buffered bytes; those before `start` were handled.
  private var kept: [UInt8] = []
  private var start = 0
  /// The end of the searched bytes: `kept` has no NUL between `start` and this index.
  private var searched = 0

  package init(limit: Int) { self.limit = limit }

  /// Number of buffered bytes that are not handled.
  package var unreadBytes: Int { kept.count - start }

  /// Number of bytes in memory, including handled bytes that were not removed yet.
  var bufferedBytes: Int { kept.count }

  /// Size in bytes of the memory that holds the buffered bytes.
  var capacity: Int { kept.capacity }

  /// Adds a portion and passes complete messages to `take`, until it returns `false`.
  ///
  /// - Parameter take: receives a message without its NUL, valid during the call; returns whether to continue.
  package mutating func append(
    _ portion: UnsafeRawBufferPointer, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(TooLong) {
    var portion = unsafe portion
    if unreadBytes == 0 {
      forget()
      while let end = unsafe Self.terminator(in: portion) {
        guard end <= limit else { throw TooLong() }
        let wantsMore = unsafe take(UnsafeRawBufferPointer(rebasing: portion[..<end]))
        unsafe portion = UnsafeRawBufferPointer(rebasing: portion[(end + 1)...])
        if !wantsMore { return unsafe keep(portion) }
      }
      unsafe keep(portion)
      searched = kept.count
      if unreadBytes > limit { throw TooLong() }
    } else {
      unsafe keep(portion)
      unsafe try resume(take: take)
    }
  }

  /// Passes complete buffered messages to `take`, until it returns `false`.
  package mutating func resume(take: (UnsafeRawBufferPointer) -> Bool) throws(TooLong) {
    var wantsMore = true
    while wantsMore {
      let end = unsafe kept.withUnsafeBytes { kept in
        unsafe Self.terminator(in: UnsafeRawBufferPointer(rebasing: kept[searched...])).map { $0 + searched }
      }
      guard let end else {
        searched = kept.count
        break
      }
      guard end - start <= limit else { throw TooLong() }
      unsafe kept.withUnsafeBytes { kept in
        unsafe wantsMore = take(UnsafeRawBufferPointer(rebasing: kept[start..<end]))
      }
      start = end + 1
      searched = start
    }
    if unreadBytes == 0 { forget() }
    if wantsMore, unreadBytes > limit { throw TooLong() }
  }

  private mutating func keep(_ portion: UnsafeRawBufferPointer) {
    // Bytes are moved only when more than half of them are handled, so on average each byte is moved at most once.
    if start > kept.count / 2 {
      kept.removeFirst(start)
      searched -= start
      start = 0
    }
    // Growth in steps would copy the whole message at each step, and delay other clients. Reserved pages cost nothing
    // before their first use.
    if kept.count > Self.long, kept.capacity < limit { kept.reserveCapacity(limit + Self.long) }
    unsafe kept.append(contentsOf: portion)
  }

  /// Empties the buffer, and frees the memory of a large message.
  private mutating func forget() {
    kept.removeAll(keepingCapacity: kept.capacity <= 4096)
    start = 0
    searched = 0
  }

  private static func terminator(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = unsafe memchr(base, 0, bytes.count) else { return nil }
    return unsafe UnsafeRawPointer(found) - base
  }
}
