/// The identity of a writer: one boot of one station, as long as the station can prove that its journal continues.
///
/// A station is not a writer, because a copied card or a restored backup would use its numbers twice. 256 bits leave
/// room for the hash of a key.
public struct WriterID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let high: UInt128
  private let low: UInt128

  public static func random(using random: inout some RandomNumberGenerator) -> WriterID {
    WriterID(high: .random(in: 0 ... .max, using: &random), low: .random(in: 0 ... .max, using: &random))
  }

  private init(high: UInt128, low: UInt128) { (self.high, self.low) = (high, low) }

  /// `nil` unless `text` is 64 lowercase hexadecimal digits.
  public init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 64, let high = UInt128(hexadecimal: digits.prefix(32)),
      let low = UInt128(hexadecimal: digits.suffix(32))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// 64 lowercase hexadecimal digits.
  public var description: String {
    String(unsafeUninitializedCapacity: 64) { digits in
      high.write(to: digits, from: 0)
      low.write(to: digits, from: 32)
      return 64
    }
  }

  /// Adds the bits to a hash.
  func mix(into hash: inout StableHash) {
    for half in [high, low] {
      hash.mix(Int64(truncatingIfNeeded: half >> 64))
      hash.mix(Int64(truncatingIfNeeded: half))
    }
  }

  public static func < (one: WriterID, other: WriterID) -> Bool {
    one.high == other.high ? one.low < other.low : one.high < other.high
  }
}

/// The identity of a shared counter, made by the first station and adopted by the others.
public struct CounterID: Hashable, Sendable, CustomStringConvertible {
  private let bits: UInt128

  public static func random(using random: inout some RandomNumberGenerator) -> CounterID {
    CounterID(bits: .random(in: 0 ... .max, using: &random))
  }

  private init(bits: UInt128) { self.bits = bits }

  /// `nil` unless `text` is 32 lowercase hexadecimal digits.
  public init?(_ text: String) {
    guard text.utf8.count == 32, let bits = UInt128(hexadecimal: text.utf8) else { return nil }
    self.init(bits: bits)
  }

  /// 32 lowercase hexadecimal digits.
  public var description: String {
    String(unsafeUninitializedCapacity: 32) { digits in
      bits.write(to: digits, from: 0)
      return 32
    }
  }
}

/// The identity of one committed act of a writer: a count, or a reset.
public struct Entry: Hashable, Comparable, Sendable {
  public let writer: WriterID
  /// The number of the act, from 1, ascending. A writer uses a number for at most one act in a period.
  public let number: Int64

  public init(writer: WriterID, number: Int64) {
    self.writer = writer
    self.number = number
  }

  /// An entry with values from outside; `nil` for values that no writer has.
  public init?(received writer: String, number: Int64) {
    guard let writer = WriterID(writer), number >= 1 else { return nil }
    self.init(writer: writer, number: number)
  }

  public static func < (one: Entry, other: Entry) -> Bool {
    one.writer == other.writer ? one.number < other.number : one.writer < other.writer
  }
}

/// A shared counter in one of its periods.
///
/// Each period has separate registers and resets: a late count changes the period in which it was made, and a reset
/// does not change ended periods.
public struct CounterPeriod: Hashable, Sendable {
  public let counter: CounterID
  /// The start in microseconds since 1970; `nil` for a counter without periods.
  public let start: Int64?

  public init(_ counter: CounterID, start: Int64? = nil) {
    self.counter = counter
    self.start = start
  }
}

extension UInt128 {
  fileprivate init?(hexadecimal digits: some Sequence<UInt8>) {
    self = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt128(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt128(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
  }

  /// Writes 32 hexadecimal digits.
  fileprivate func write(to digits: UnsafeMutableBufferPointer<UInt8>, from start: Int) {
    // Shifts of 64 bits are faster than those of 128.
    var (high, low) = (UInt64(truncatingIfNeeded: self >> 64), UInt64(truncatingIfNeeded: self))
    for place in (start..<start + 16).reversed() {
      digits[place] = Self.digit(high)
      digits[place + 16] = Self.digit(low)
      (high, low) = (high >> 4, low >> 4)
    }
  }

  private static func digit(_ number: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number) & 0xf
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
