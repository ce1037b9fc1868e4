import Glibc

/// A growing buffer of JSON text.
///
/// Appending to an array checks uniqueness and capacity each time, and a reply consists of dozens of parts.
@safe
package struct ByteWriter: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var room: Int
  package private(set) var count = 0

  /// - Parameter room: the initial capacity in bytes.
  package init(room: Int = 256) {
    self.room = room
    unsafe memory = .allocate(byteCount: room, alignment: 1)
  }

  deinit { unsafe memory.deallocate() }

  /// Calls `body` with the bytes written so far, valid during the call.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// The bytes written so far.
  package var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe put(start, bytes.count)
  }

  package mutating func append(contentsOf bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Appends a literal.
  package mutating func append(_ words: StaticString) {
    reserve(words.utf8CodeUnitCount)
    unsafe put(words.utf8Start, words.utf8CodeUnitCount)
  }

  /// Appends the name of a member with its quotes, colon, and a comma before it. The name must need no escaping.
  package mutating func append(name: StaticString, isFirst: Bool) {
    reserve(name.utf8CodeUnitCount + 4)
    if !isFirst { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    unsafe put(name.utf8Start, name.utf8CodeUnitCount)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  /// Appends an integer in decimal digits.
  package mutating func append(_ number: Int64) {
    let longest = 20
    reserve(longest)
    // Digits are written from the last to the first, at the end of the reserved room, and then moved. Two digits are
    // written at a time, because a division by a hundred takes as long as a division by ten.
    var first = unsafe memory + (count + longest)
    var rest = number.magnitude
    while rest >= 10 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let (tens, ones) = UInt16(truncatingIfNeeded: pair).quotientAndRemainder(dividingBy: 10)
      unsafe first -= 2
      unsafe first.storeBytes(of: (0x3030 | tens | ones << 8).littleEndian, as: UInt16.self)
      rest = quotient
    }
    if unsafe rest > 0 || first == memory + (count + longest) {
      unsafe first -= 1
      unsafe first.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    }
    if number < 0 {
      unsafe first -= 1
      unsafe first.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    }
    unsafe put(first, memory + (count + longest) - first)
  }

  /// Appends `text` in quotes. Escapes the characters that JSON requires to be escaped, and those that could change the
  /// display of a terminal.
  package mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count + 2)
      put(UInt8(ascii: "\""))
      var index = 0
      while index < utf8.count, unsafe Self.isPlain(utf8[index]) {
        unsafe put(utf8[index])
        index += 1
      }
      unsafe append(escaping: utf8, from: index)
      append(UInt8(ascii: "\""))
    }
  }

  /// Whether a byte is a character that is never escaped.
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x7f ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(escaping utf8: UnsafeBufferPointer<UInt8>, from start: Int) {
    var index = start
    while index < utf8.count {
      let byte = unsafe utf8[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        append(escaped: byte)
      } else if byte >= 0x7f, let scalar = unsafe Self.terminalControl(utf8[index...]) {
        append(UInt8(ascii: "\\"))
        append(code: scalar.value)
        index += UTF8.width(scalar) - 1
      } else {
        append(byte)
      }
      index += 1
    }
  }

  /// The scalar that `utf8` begins with, if it is DEL, a C1 control character, or reverses the direction of text.
  private static func terminalControl(_ utf8: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let (first, start) = unsafe (utf8[utf8.startIndex], utf8.startIndex)
    if first == 0x7f { return "\u{7f}" }
    guard unsafe first == 0xc2 || first == 0xe2 && utf8.count > 2, unsafe utf8.count > 1 else { return nil }
    let second = unsafe UInt32(utf8[start + 1] & 0x3f)
    if first == 0xc2 { return second < 0x20 ? Unicode.Scalar(0x80 | second) : nil }
    let value = unsafe 0x2000 | second << 6 | UInt32(utf8[start + 2] & 0x3f)
    return 0x202a...0x202e ~= value || 0x2066...0x2069 ~= value ? Unicode.Scalar(value) : nil
  }

  private mutating func append(code: UInt32) {
    append("u")
    let digits: StaticString = "0123456789abcdef"
    for shift in [12, 8, 4, 0] as [UInt32] {
      digits.withUTF8Buffer { digits in unsafe append(digits[Int(code >> shift & 15)]) }
    }
  }

  private mutating func append(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case 0..<0x20: append(code: UInt32(byte))
    default: append(byte)
    }
  }

  // MARK: Room

  @inline(__always)
  private mutating func reserve(_ needed: Int) {
    if room - count < needed { grow(by: needed) }
  }

  private mutating func grow(by needed: Int) {
    room = max(2 * room, count + needed)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 1)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = larger
  }

  /// Writes a byte; the caller has reserved room.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Writes bytes, which may overlap the destination; the caller has reserved room.
  @inline(__always)
  private mutating func put(_ bytes: UnsafeRawPointer, _ length: Int) {
    unsafe (memory + count).copyMemory(from: bytes, byteCount: length)
    count += length
  }
}
