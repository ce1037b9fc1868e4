/// A whole number from 0 on, as long as it needs to be.
struct Natural: Hashable, Sendable {
  /// Digits to the base 2^32, lowest first; the last one is not 0.
  var digits: [UInt32]

  static let zero = Natural(digits: [])
  static let one = Natural(digits: [1])

  var isZero: Bool { digits.isEmpty }

  var isOne: Bool { digits == [1] }

  /// How many binary digits it has.
  var bitWidth: Int { digits.count * 32 - (digits.last?.leadingZeroBitCount ?? 0) }

  init(digits: [UInt32]) {
    self.digits = digits
    while self.digits.last == 0 { self.digits.removeLast() }
  }

  init(_ number: UInt64) { self.init(digits: [UInt32(truncatingIfNeeded: number), UInt32(number >> 32)]) }

  /// The number itself where it has 64 bits.
  var small: UInt64? {
    guard digits.count <= 2 else { return nil }
    return digits.reversed().reduce(0) { $0 << 32 | UInt64($1) }
  }

  static func < (one: Natural, other: Natural) -> Bool {
    guard one.digits.count == other.digits.count else { return one.digits.count < other.digits.count }
    for (a, b) in zip(one.digits.reversed(), other.digits.reversed()) where a != b { return a < b }
    return false
  }

  static func + (one: Natural, other: Natural) -> Natural {
    let (long, short) = one.digits.count < other.digits.count ? (other.digits, one.digits) : (one.digits, other.digits)
    var sum = long
    var carry: UInt64 = 0
    for index in sum.indices {
      carry += UInt64(sum[index]) + (index < short.count ? UInt64(short[index]) : 0)
      sum[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { sum.append(UInt32(carry)) }
    return Natural(digits: sum)
  }

  /// The distance between two.
  static func distance(_ one: Natural, _ other: Natural) -> Natural {
    let (large, small) = one < other ? (other.digits, one.digits) : (one.digits, other.digits)
    var difference = large
    var borrow: Int64 = 0
    for index in difference.indices {
      borrow += Int64(difference[index]) - (index < small.count ? Int64(small[index]) : 0)
      difference[index] = UInt32(truncatingIfNeeded: borrow)
      borrow >>= 32
    }
    return Natural(digits: difference)
  }

  static func * (one: Natural, other: Natural) -> Natural {
    if one.isOne { return other }
    if other.isOne { return one }
    var product = [UInt32](repeating: 0, count: one.digits.count + other.digits.count)
    for (i, a) in one.digits.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in other.digits.enumerated() {
        // The largest of each still fits: (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1.
        carry += UInt64(a) * UInt64(b) + UInt64(product[i + j])
        product[i + j] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      product[i + other.digits.count] = UInt32(carry)
    }
    return Natural(digits: product)
  }

  /// Ten to the power of `exponent`.
  static func powerOfTen(_ exponent: Int) -> Natural {
    var (result, factor, rest) = (one, Natural(10), exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = result * factor }
      rest >>= 1
      if rest > 0 { factor = factor * factor }
    }
    return result
  }

  /// The greatest number that divides both: Euclid's way.
  static func greatestCommonDivisor(_ one: Natural, _ other: Natural) -> Natural {
    var (a, b) = (one, other)
    while !b.isZero {
      if var x = a.small, var y = b.small {
        while y != 0 { (x, y) = (y, x % y) }
        return Natural(x)
      }
      (a, b) = (b, a.divided(by: b).remainder)
    }
    return a
  }
}
