extension Natural {
  /// The quotient, rounded down, and what remains; `divisor` is not 0.
  func divided(by divisor: Natural) -> (quotient: Natural, remainder: Natural) {
    guard let top = divisor.digits.last, !(self < divisor) else { return (.zero, self) }
    guard divisor.digits.count > 1 else {
      let (quotient, remainder) = divided(byDigit: top)
      return (quotient, Natural(UInt64(remainder)))
    }
    // Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D: with a divisor whose first digit is large, each
    // digit of the quotient is guessed from the first ones, at most two too high.
    let shift = top.leadingZeroBitCount
    var rest = Self.shiftedLeft(digits, by: shift) + [0]
    let by = Self.shiftedLeft(divisor.digits, by: shift)
    let count = by.count
    var quotient = [UInt32](repeating: 0, count: rest.count - count)
    for place in quotient.indices.reversed() {
      let high = UInt64(rest[place + count]) << 32 | UInt64(rest[place + count - 1])
      var (guess, left) = high.quotientAndRemainder(dividingBy: UInt64(by[count - 1]))
      while guess >> 32 != 0 || guess * UInt64(by[count - 2]) > left << 32 | UInt64(rest[place + count - 2]) {
        guess -= 1
        left += UInt64(by[count - 1])
        if left >> 32 != 0 { break }
      }
      if Self.subtract(by, times: guess, from: &rest, at: place) {
        guess -= 1
        Self.add(by, to: &rest, at: place)
      }
      quotient[place] = UInt32(truncatingIfNeeded: guess)
    }
    return (Natural(digits: quotient), Natural(digits: Self.shiftedRight(rest, by: shift)))
  }

  /// Division by a single digit other than 0.
  func divided(byDigit divisor: UInt32) -> (quotient: Natural, remainder: UInt32) {
    var quotient = digits
    var rest: UInt64 = 0
    for place in quotient.indices.reversed() {
      rest = rest << 32 | UInt64(quotient[place])
      quotient[place] = UInt32(rest / UInt64(divisor))
      rest %= UInt64(divisor)
    }
    return (Natural(digits: quotient), UInt32(rest))
  }

  /// In decimal digits.
  var decimal: String {
    var parts: [String] = []
    var rest = self
    while !rest.isZero {
      let (quotient, nine) = rest.divided(byDigit: 1_000_000_000)
      parts.append(String(nine))
      rest = quotient
    }
    guard let first = parts.popLast() else { return "0" }
    return parts.reversed().reduce(first) { $0 + String(repeating: "0", count: 9 - $1.count) + $1 }
  }

  /// By less than 32 bits; may begin with a 0.
  private static func shiftedLeft(_ digits: [UInt32], by shift: Int) -> [UInt32] {
    guard shift > 0 else { return digits }
    var carry: UInt32 = 0
    var result = digits.map { digit in
      defer { carry = digit >> (32 - shift) }
      return digit << shift | carry
    }
    if carry > 0 { result.append(carry) }
    return result
  }

  private static func shiftedRight(_ digits: [UInt32], by shift: Int) -> [UInt32] {
    guard shift > 0 else { return digits }
    return digits.indices.map { index in
      digits[index] >> shift | (index + 1 < digits.count ? digits[index + 1] << (32 - shift) : 0)
    }
  }

  /// Takes a multiple off; answers whether it was too much.
  private static func subtract(
    _ digits: [UInt32], times factor: UInt64, from rest: inout [UInt32], at place: Int
  ) -> Bool {
    var carry: UInt64 = 0
    var borrow: Int64 = 0
    for (index, digit) in digits.enumerated() {
      carry += UInt64(digit) * factor
      borrow += Int64(rest[place + index]) - Int64(carry & 0xFFFF_FFFF)
      rest[place + index] = UInt32(truncatingIfNeeded: borrow)
      carry >>= 32
      borrow >>= 32
    }
    borrow += Int64(rest[place + digits.count]) - Int64(carry)
    rest[place + digits.count] = UInt32(truncatingIfNeeded: borrow)
    return borrow < 0
  }

  private static func add(_ digits: [UInt32], to rest: inout [UInt32], at place: Int) {
    var carry: UInt64 = 0
    for (index, digit) in digits.enumerated() {
      carry += UInt64(rest[place + index]) + UInt64(digit)
      rest[place + index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    rest[place + digits.count] &+= UInt32(carry)
  }
}
