import Glibc

/// Cuts a stream of bytes into messages, each of which ends with a NUL byte.
///
/// Bytes may come in any portions. A message that lies whole in one portion is handed on without being copied; only
/// what is unfinished, or not wanted yet, is kept. The work is linear in the bytes, however small the portions.
package struct FrameBuffer {
  /// The stream holds a message longer than the limit.
  package struct TooLong: Error, Equatable {
    package init() {}
  }

  /// More bytes than most messages ever have.
  private static let long = 256 << 10
  /// The most bytes that one message may have, its NUL not counted.
  var limit: Int
  /// What is kept; what lies before `start` was handed on.
  private var kept: [UInt8] = []
  private var start = 0
  /// No NUL lies in `kept` from `start` up to here.
  private var searched = 0

  package init(limit: Int) { self.limit = limit }

  /// How many bytes are kept.
  package var keptCount: Int { kept.count - start }

  /// How many bytes of memory that takes: some of what was handed on is kept with it.
  var heldCount: Int { kept.count }

  /// Adds the next portion and hands on the messages that are complete, until `take` answers that it wants no more.
  ///
  /// - Parameter take: gets a message without its NUL, for the length of the call; whether it wants another one.
  package mutating func append(
    _ portion: UnsafeRawBufferPointer, take: (UnsafeRawBufferPointer) -> Bool
  ) throws(TooLong) {
    var portion = unsafe portion
    if keptCount == 0 {
      forget()
      while let end = unsafe Self.terminator(in: portion) {
        guard end <= limit else { throw TooLong() }
        let wantsMore = unsafe take(UnsafeRawBufferPointer(rebasing: portion[..<end]))
        unsafe portion = UnsafeRawBufferPointer(rebasing: portion[(end + 1)...])
        if !wantsMore { return unsafe keep(portion) }
      }
      unsafe keep(portion)
      searched = kept.count
      if keptCount > limit { throw TooLong() }
    } else {
      unsafe keep(portion)
      unsafe try resume(take: take)
    }
  }

  /// Hands on complete messages that were kept because they were not wanted.
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
    if keptCount == 0 { forget() }
    if wantsMore, keptCount > limit { throw TooLong() }
  }

  private mutating func keep(_ portion: UnsafeRawBufferPointer) {
    // Moved only when more was handed on than is left: so each byte is moved at most once on average.
    if start > kept.count / 2 {
      kept.removeFirst(start)
      searched -= start
      start = 0
    }
    // One that grew step by step would be copied as a whole at each step, and all other clients would wait for that. The
    // kernel gives memory as it is used.
    if kept.count > Self.long, kept.capacity < limit { kept.reserveCapacity(limit + Self.long) }
    unsafe kept.append(contentsOf: portion)
  }

  /// Empties the buffer; the memory of a large message is given back.
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
