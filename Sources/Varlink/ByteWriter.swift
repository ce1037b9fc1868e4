import Glibc

/// Text in the making: bytes that are put one behind the other.
///
/// An array would be asked at each piece whether it is shared and has room; replies are made of dozens of pieces.
@safe
struct ByteWriter: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var room: Int
  private(set) var count = 0

  /// - Parameter room: how many bytes there is room for at first.
  init(room: Int = 256) {
    self.room = room
    unsafe memory = .allocate(byteCount: room, alignment: 1)
  }

  deinit { unsafe memory.deallocate() }

  /// What was written so far, for the length of the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// What was written so far.
  var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe put(start, bytes.count)
  }

  mutating func append(contentsOf bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }

  /// Appends words that are fixed at compile time.
  mutating func append(_ words: StaticString) {
    reserve(words.utf8CodeUnitCount)
    unsafe put(words.utf8Start, words.utf8CodeUnitCount)
  }

  /// Appends the name of a member, which needs no escaping, with what belongs around it.
  mutating func append(name: StaticString, isFirst: Bool) {
    reserve(name.utf8CodeUnitCount + 4)
    if !isFirst { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    unsafe put(name.utf8Start, name.utf8CodeUnitCount)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  /// Appends a whole number in decimal digits.
  mutating func append(_ number: Int64) {
    let longest = 20
    reserve(longest)
    // From the last digit to the first, as they come out; then to where they belong.
    var first = unsafe memory + (count + longest)
    var rest = number.magnitude
    repeat {
      unsafe first -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe first.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), as: UInt8.self)
      rest = quotient
    } while rest > 0
    if number < 0 {
      unsafe first -= 1
      unsafe first.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    }
    unsafe put(first, memory + (count + longest) - first)
  }

  /// Appends `text` in quotes; what JSON forbids inside them is escaped, everything else stays as it is.
  mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count + 2)
      append(UInt8(ascii: "\""))
      for index in 0..<utf8.count {
        let byte = unsafe utf8[index]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          append(escaped: byte)
        } else {
          append(byte)
        }
      }
      append(UInt8(ascii: "\""))
    }
  }

  private mutating func append(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case 0..<0x20:
      let digits: StaticString = "0123456789abcdef"
      append("u00")
      digits.withUTF8Buffer { digits in
        unsafe append(digits[Int(byte >> 4)])
        unsafe append(digits[Int(byte & 15)])
      }
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

  /// Where there is room for it.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Where there is room for them; they may lie in that room themselves.
  @inline(__always)
  private mutating func put(_ bytes: UnsafeRawPointer, _ length: Int) {
    unsafe (memory + count).copyMemory(from: bytes, byteCount: length)
    count += length
  }
}
