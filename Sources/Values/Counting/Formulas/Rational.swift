/// An exact fraction. It represents any decimal and any quotient of decimals within its range, so that a third of three
/// is 1 and ten tenths reach a goal of 1.
///
/// In lowest terms, numerator and denominator are each below 2^127, which is about 1.7 × 10^38. A calculation whose
/// result is out of range returns `nil`. No calculation wraps, and only ``rounded(decimals:)`` rounds.
public struct Rational: Hashable, Sendable {
  /// Never `Int128.min`: every value has a negation.
  private let numerator: Int128
  /// At least 1, without a common divisor with the numerator.
  private let denominator: Int128

  public static let zero = Rational(0)

  public init(_ number: Int64) { self.init(lowest: Int128(number), 1) }

  /// A number of units of which ten to the power of `decimals` make 1: 1250 with 2 decimals is 12.5.
  ///
  /// - Parameter decimals: 0 to 38; other values are clamped.
  public init(_ units: Int64, decimals: Int) { self.init(Int128(units), over: Self.powerOfTen(decimals)) }

  /// - Parameter numerator: not `Int128.min`.
  private init(_ numerator: Int128, over denominator: Int128) {
    let divisor = Self.greatestCommonDivisor(numerator, denominator)
    self.init(lowest: numerator / divisor, denominator / divisor)
  }

  private init(lowest numerator: Int128, _ denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  // MARK: Calculating

  public static prefix func - (number: Rational) -> Rational {
    Rational(lowest: -number.numerator, number.denominator)
  }

  /// The sum. Divides by common divisors first, to keep factors small (Knuth, TAOCP 2, 4.5.1).
  public static func + (one: Rational, other: Rational) -> Rational? {
    let common = greatestCommonDivisor(one.denominator, other.denominator)
    let scale = one.denominator / common
    guard let left = one.numerator.times(other.denominator / common), let right = other.numerator.times(scale),
      let sum = left.plus(right)
    else { return nil }
    let divisor = greatestCommonDivisor(sum, common)
    return scale.times(other.denominator / divisor).map { Rational(lowest: sum / divisor, $0) }
  }

  public static func - (one: Rational, other: Rational) -> Rational? { one + -other }

  public static func * (one: Rational, other: Rational) -> Rational? {
    let first = greatestCommonDivisor(one.numerator, other.denominator)
    let second = greatestCommonDivisor(other.numerator, one.denominator)
    guard let numerator = (one.numerator / first).times(other.numerator / second),
      let denominator = (one.denominator / second).times(other.denominator / first)
    else { return nil }
    return Rational(lowest: numerator, denominator)
  }

  /// The quotient; `nil` also if `other` is 0.
  public static func / (one: Rational, other: Rational) -> Rational? {
    guard other.numerator != 0 else { return nil }
    let isNegative = other.numerator < 0
    return one
      * Rational(
        lowest: isNegative ? -other.denominator : other.denominator, isNegative ? -other.numerator : other.numerator)
  }

  /// Rounds to a number of decimals; halves go to the even neighbour. Negative `decimals` round to tens, hundreds and
  /// so on.
  ///
  /// - Parameter decimals: -38 to 38; other values are clamped.
  public func rounded(decimals: Int = 0) -> Rational? {
    let magnitude: Rational?
    if decimals >= 0 {
      let (whole, fraction) = parts(decimals: decimals)
      guard let whole = Int128(exactly: whole) else { return nil }
      magnitude =
        Rational(lowest: whole, 1) + Rational(Int128(fraction), over: Self.powerOfTen(decimals))
    } else {
      let unit = Self.powerOfTen(-max(decimals, -Self.mostDecimals))
      let (divisor, overflow) = denominator.magnitude.multipliedReportingOverflow(by: unit.magnitude)
      // Beyond 128 bits the divisor is more than twice any numerator.
      guard !overflow else { return .zero }
      let (quotient, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor)
      let isUp = Self.roundsUp(rest, of: divisor, isOdd: quotient & 1 == 1)
      magnitude = Int128(quotient + (isUp ? 1 : 0)).times(unit).map { Rational(lowest: $0, 1) }
    }
    return numerator < 0 ? magnitude.map { -$0 } : magnitude
  }

  /// The magnitude, rounded to a number of decimals: its whole part, and the decimals as a whole number.
  private func parts(decimals: Int) -> (whole: UInt128, fraction: UInt128) {
    let divisor = denominator.magnitude
    let scale = Self.powerOfTen(decimals).magnitude
    var (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor)
    // The rest is less than the divisor, so the quotient is less than the scale.
    var (fraction, remainder) = divisor.dividingFullWidth(rest.multipliedFullWidth(by: scale))
    if Self.roundsUp(remainder, of: divisor, isOdd: (scale == 1 ? whole : fraction) & 1 == 1) { fraction += 1 }
    if fraction == scale { (whole, fraction) = (whole + 1, 0) }
    return (whole, fraction)
  }

  private static func roundsUp(_ remainder: UInt128, of divisor: UInt128, isOdd: Bool) -> Bool {
    remainder > divisor - remainder || (isOdd && remainder == divisor - remainder)
  }

  // MARK: Whole numbers

  /// 10^38 is the largest power of ten below 2^127.
  private static let mostDecimals = 38

  private static func powerOfTen(_ exponent: Int) -> Int128 {
    (0..<min(max(exponent, 0), mostDecimals)).reduce(1) { power, _ in power * 10 }
  }

  /// The greatest common divisor, by Euclid's algorithm. At least 1, because no caller passes 0 as `other`.
  private static func greatestCommonDivisor(_ one: Int128, _ other: Int128) -> Int128 {
    var (a, b) = (one.magnitude, other.magnitude)
    while b != 0 {
      // Most numbers are short, and dividing short numbers is many times faster.
      if var x = UInt64(exactly: a), var y = UInt64(exactly: b) {
        while y != 0 { (x, y) = (y, x % y) }
        return Int128(x)
      }
      (a, b) = (b, a % b)
    }
    return Int128(a)
  }
}

extension Int128 {
  /// The sum; `nil` beyond ±(2^127 - 1).
  fileprivate func plus(_ other: Int128) -> Int128? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow || sum == .min ? nil : sum
  }

  /// The product; `nil` beyond ±(2^127 - 1).
  fileprivate func times(_ other: Int128) -> Int128? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow || product == .min ? nil : product
  }
}

extension Rational: Comparable {
  public static func < (one: Rational, other: Rational) -> Bool {
    one.numerator.multipliedFullWidth(by: other.denominator) < other.numerator.multipliedFullWidth(by: one.denominator)
  }
}

// MARK: Text

extension Rational {
  /// Parses a decimal such as `12`, `12.50` or `-0.5`: at most 38 decimals, and a point only between digits.
  public init?(decimal text: some StringProtocol) {
    guard text.utf8.count <= 80 else { return nil }
    var digits = Array(text.utf8)[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let (whole, fraction) = (digits[..<point], digits[point...].dropFirst())
    guard !whole.isEmpty, point == digits.endIndex || !fraction.isEmpty, fraction.count <= Self.mostDecimals else {
      return nil
    }
    var value: Int128 = 0
    for digit in whole + fraction {
      guard 0x30...0x39 ~= digit, let next = value.times(10)?.plus(Int128(digit - 0x30)) else { return nil }
      value = next
    }
    self.init(isNegative ? -value : value, over: Self.powerOfTen(fraction.count))
  }

  /// The number rounded to at most `decimals` decimals (0 to 38), without trailing zeros: `12.5`, `-0.333`.
  public func text(decimals: Int) -> String {
    let places = min(max(decimals, 0), Self.mostDecimals)
    let (whole, fraction) = parts(decimals: places)
    let sign = numerator < 0 && (whole, fraction) != (0, 0) ? "-" : ""
    guard fraction != 0 else { return sign + String(whole) }
    let digits = String(fraction)
    var padded = (String(repeating: "0", count: places - digits.count) + digits)[...]
    while padded.last == "0" { padded.removeLast() }
    return "\(sign)\(whole).\(padded)"
  }
}
