import Linux
import Testing

@testable import Varlink

/// Messages cut out of a stream, however it comes.
@Suite struct FrameBufferTests {
  /// Feeds `stream` in portions of `size` bytes; what came out.
  func frames(of stream: [UInt8], in size: Int, limit: Int = 100) throws -> [String] {
    var buffer = FrameBuffer(limit: limit)
    var messages: [String] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      try stream[start..<min(start + size, stream.count)].withUnsafeBytes { portion in
        try buffer.append(portion) { bytes in
          messages.append(String(decoding: bytes, as: UTF8.self))
          return true
        }
      }
    }
    return messages
  }

  @Test(arguments: 1...20) func `portions of any size give the same messages`(size: Int) throws {
    let stream = Array("one\0\0three and more\0é\0unfinished".utf8)
    #expect(try frames(of: stream, in: size) == ["one", "", "three and more", "é"])
  }

  @Test(arguments: [1, 2, 7, 100]) func `a message may be as long as the limit and no longer`(size: Int) throws {
    let stream = [UInt8](repeating: UInt8(ascii: "x"), count: 10) + [0]
    #expect(try frames(of: stream, in: size, limit: 10).count == 1)
    #expect(throws: FrameBuffer.TooLong.self) { try frames(of: stream, in: size, limit: 9) }
    #expect(throws: FrameBuffer.TooLong.self) { try frames(of: stream.dropLast(), in: size, limit: 9) }
  }

  @Test func `what is not wanted yet is kept`() throws {
    var buffer = FrameBuffer(limit: 10)
    var messages: [String] = []
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      messages.append(String(decoding: bytes, as: UTF8.self))
      return false
    }
    try Array("a\0b\0c".utf8).withUnsafeBytes { try buffer.append($0, take: take) }
    #expect(messages == ["a"])
    #expect(buffer.unreadBytes == 3)
    try Array("d\0e\0".utf8).withUnsafeBytes { try buffer.append($0, take: take) }
    #expect(messages == ["a", "b"])
    for count in [3, 4, 4] {
      try buffer.resume(take: take)
      #expect(messages.count == count)
    }
    #expect(messages == ["a", "b", "cd", "e"])
    #expect(buffer.unreadBytes == 0)
  }

  @Test func `a long message in single bytes is moved a few times only`() throws {
    let size = 300 << 10
    var buffer = FrameBuffer(limit: 4 << 20)
    var length = 0
    let byte = [UInt8(ascii: "x")]
    var capacities: Set<Int> = []
    for _ in 0..<size {
      try byte.withUnsafeBytes { try buffer.append($0) { _ in true } }
      capacities.insert(buffer.capacity)
    }
    // Doubled from a few bytes on, and then enough for the longest message.
    #expect(capacities.count < 24)
    #expect(buffer.capacity > 4 << 20)
    try [0].withUnsafeBytes {
      try buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<1])) {
        length = $0.count
        return true
      }
    }
    #expect(length == size)
    #expect(buffer.unreadBytes == 0)
  }
}
