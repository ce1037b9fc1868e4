/// The storage of one channel in a sensor's buffer: the kernel's `le:s12/16X2>>4`
/// (Documentation/ABI/testing/sysfs-bus-iio).
public struct ScanElement: Equatable, Sendable {
  public let isBigEndian: Bool
  public let isSigned: Bool
  /// The number of bits of the value, at least 1.
  public let bits: Int
  /// The number of stored bits; a multiple of 8.
  public let storage: Int
  public let repeats: Int
  /// The number of bits by which the stored number is shifted to the right.
  public let shift: Int

  /// The maximum number of stored bits, which no sensor reaches: a quaternion of 64-bit numbers has 32 bytes.
  private static let mostStorage = 256
  private static let mostRepeats = 64

  /// The reason why a layout is invalid, as a clause.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  /// Parses the content of a `_type` attribute.
  public init(_ text: String) throws(Problem) {
    let problem = Problem("\"\(text.prefix(40))\" is no way to lay out a value")
    var rest = text[...]
    func take(_ word: String) -> Bool {
      guard rest.hasPrefix(word) else { return false }
      rest.removeFirst(word.count)
      return true
    }
    func number(upTo most: Int) -> Int? {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest.removeFirst(digits.count)
      return digits.count <= 4 ? Int(digits).flatMap { $0 <= most ? $0 : nil } : nil
    }
    guard let order = ["be:", "le:"].first(where: take), let sign = ["s", "u"].first(where: take),
      let bits = number(upTo: Self.mostStorage), take("/"), let storage = number(upTo: Self.mostStorage)
    else { throw problem }
    var (repeats, shift) = (1, 0)
    if take("X") {
      guard let number = number(upTo: Self.mostRepeats) else { throw problem }
      repeats = max(1, number)
    }
    if take(">>") {
      guard let number = number(upTo: Self.mostStorage) else { throw problem }
      shift = number
    }
    guard rest.isEmpty, bits >= 1, storage >= 8, storage.isMultiple(of: 8), bits + shift <= storage else {
      throw problem
    }
    (isBigEndian, isSigned) = (order == "be:", sign == "s")
    (self.bits, self.storage, self.repeats, self.shift) = (bits, storage, repeats, shift)
  }

  /// The number of bytes. The alignment is the same number.
  var byteCount: Int { storage / 8 * repeats }

  /// Whether the value fits into 64 bits.
  var isNumber: Bool { storage <= 64 && repeats == 1 }

  /// The largest possible value.
  var largest: Double {
    var value = 1.0
    for _ in 0..<(isSigned ? bits - 1 : bits) { value *= 2 }
    return value - 1
  }

  /// The value stored at `offset`. Must be called only if `isNumber` is true and the bytes exist.
  func value(in bytes: [UInt8], at offset: Int) -> Int64 {
    let count = storage / 8
    var stored: UInt64 = 0
    for index in 0..<count {
      stored = stored << 8 | UInt64(bytes[offset + (isBigEndian ? index : count - 1 - index)])
    }
    // The shift to the top and back drops the bits above the value and extends its sign.
    let unused = UInt64(64 - bits)
    let top = (stored >> UInt64(shift)) << unused
    return isSigned ? Int64(bitPattern: top) >> Int64(unused) : Int64(bitPattern: top >> unused)
  }
}
