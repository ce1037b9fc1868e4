/// A number as people write it on paper, exactly: any decimal, and any quotient of such, so that a third of three is
/// one and nine tenths plus a tenth reach a goal of one. Nothing is rounded before it is shown.
public struct Rational: Hashable, Sendable {
  private let isNegative: Bool
  /// With the denominator in lowest terms.
  private let numerator: Natural
  private let denominator: Natural

  /// Neither part has more binary digits than this: some 300 decimal ones. What would is refused, so that nobody can
  /// make the core compute for hours.
  static let longest = 1024

  /// The result of a calculation has more than some 300 digits.
  public struct TooLong: Error, Equatable, Sendable {
    public init() {}
  }

  public static let zero = Rational(0)

  public init(_ number: Int64) { self.init(number, decimals: 0) }

  /// A number of units of which ten to the power of `decimals` make one: 1250 with 2 decimals is 12.5.
  ///
  /// - Parameter decimals: 0 to 300; others count as the nearest of these.
  public init(_ units: Int64, decimals: Int) {
    let divisor = Natural.powerOfTen(min(max(decimals, 0), 300))
    self.init(reducing: Natural(units.magnitude), over: divisor, isNegative: units < 0)
  }

  private init(reducing numerator: Natural, over denominator: Natural, isNegative: Bool) {
    self.isNegative = isNegative && !numerator.isZero
    let divisor = denominator.isOne ? denominator : Natural.greatestCommonDivisor(numerator, denominator)
    self.numerator = divisor.isOne ? numerator : numerator.divided(by: divisor).quotient
    self.denominator = divisor.isOne ? denominator : denominator.divided(by: divisor).quotient
  }

  /// - Throws: where the result is longer than allowed.
  private static func checked(
    _ numerator: Natural, _ denominator: Natural, _ isNegative: Bool
  ) throws(TooLong) -> Rational {
    let result = Rational(reducing: numerator, over: denominator, isNegative: isNegative)
    guard result.numerator.bitWidth <= longest, result.denominator.bitWidth <= longest else { throw TooLong() }
    return result
  }

  // MARK: Calculating

  public static prefix func - (number: Rational) -> Rational {
    Rational(reducing: number.numerator, over: number.denominator, isNegative: !number.isNegative)
  }

  public static func + (one: Rational, other: Rational) throws(TooLong) -> Rational {
    let (a, b) = (one.numerator * other.denominator, other.numerator * one.denominator)
    let denominator = one.denominator * other.denominator
    if one.isNegative == other.isNegative { return try checked(a + b, denominator, one.isNegative) }
    return try checked(.distance(a, b), denominator, a < b ? other.isNegative : one.isNegative)
  }

  public static func - (one: Rational, other: Rational) throws(TooLong) -> Rational { try one + -other }

  public static func * (one: Rational, other: Rational) throws(TooLong) -> Rational {
    try checked(
      one.numerator * other.numerator, one.denominator * other.denominator, one.isNegative != other.isNegative)
  }

  /// `nil` where `other` is 0.
  public static func / (one: Rational, other: Rational) throws(TooLong) -> Rational? {
    guard !other.numerator.isZero else { return nil }
    return try checked(
      one.numerator * other.denominator, one.denominator * other.numerator, one.isNegative != other.isNegative)
  }

  /// Rounded to so many decimals (0 to 300), halves to the even neighbour as banks do; negative ones round to tens,
  /// hundreds and so on.
  public func rounded(decimals: Int = 0) -> Rational {
    let scale = Natural.powerOfTen(min(abs(decimals.clamped), 300))
    let (up, down) = decimals >= 0 ? (numerator * scale, denominator) : (numerator, denominator * scale)
    let (quotient, remainder) = up.divided(by: down)
    let twice = remainder + remainder
    let isUp = down < twice || (twice == down && (quotient.digits.first ?? 0) & 1 == 1)
    let units = isUp ? quotient + .one : quotient
    return decimals >= 0
      ? Rational(reducing: units, over: scale, isNegative: isNegative)
      : Rational(reducing: units * scale, over: .one, isNegative: isNegative)
  }
}

extension Int {
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -300), 300) }
}

extension Rational: Comparable {
  public static func < (one: Rational, other: Rational) -> Bool {
    guard one.isNegative == other.isNegative else { return one.isNegative }
    let (a, b) = (one.numerator * other.denominator, other.numerator * one.denominator)
    return one.isNegative ? b < a : a < b
  }
}

// MARK: Text

extension Rational {
  /// Reads a decimal such as `12`, `12.50` or `-0.5`: at most 300 digits, and a point only between digits.
  public init?(decimal text: some StringProtocol) {
    guard text.utf8.count <= 302 else { return nil }
    var digits = Array(text.utf8)[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let (whole, fraction) = (digits[..<point], digits[point...].dropFirst())
    guard !whole.isEmpty, point == digits.endIndex || !fraction.isEmpty, whole.count + fraction.count <= 300 else {
      return nil
    }
    var value = Natural.zero
    for digit in whole + fraction {
      guard 0x30...0x39 ~= digit else { return nil }
      value = value * Natural(10) + Natural(UInt64(digit - 0x30))
    }
    self.init(reducing: value, over: .powerOfTen(fraction.count), isNegative: isNegative)
  }

  /// Rounded to at most so many decimals, without zeros at the end: `12.5`, `-0.333`.
  public func text(decimals: Int) -> String {
    let places = max(0, decimals.clamped)
    let rounded = rounded(decimals: places)
    let units = (rounded.numerator * .powerOfTen(places)).divided(by: rounded.denominator).quotient.decimal
    let padded = String(repeating: "0", count: max(0, places + 1 - units.count)) + units
    var fraction = padded.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    return (rounded.isNegative ? "-" : "") + padded.dropLast(places) + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
