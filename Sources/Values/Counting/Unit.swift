/// The unit of a counter's integers, with exact conversion from and to text.
public enum Unit: Hashable, Sendable {
  /// A decimal fraction: one unit is 10 to the power of minus n, where n is 0 to 9.
  case decimal(Int64)
  /// Microseconds.
  case time

  public static let things = Unit.decimal(0)

  // MARK: Writing

  /// Formats a number: `12.5`, or for a time `1:02:03.40`, truncated to hundredths of a second.
  public func text(_ number: Int64) -> String {
    let sign = number < 0 ? "-" : ""
    switch self {
    case .decimal(let decimals):
      let divisor = Self.powerOfTen(decimals)
      let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: divisor)
      return decimals > 0 ? "\(sign)\(whole).\(Self.padded(rest, Int(decimals)))" : "\(sign)\(whole)"
    case .time:
      let (minutes, rest) = (number.magnitude / 10_000).quotientAndRemainder(dividingBy: 6000)
      let seconds = "\(Self.padded(rest / 100, 2)).\(Self.padded(rest % 100, 2))"
      return minutes < 60
        ? "\(sign)\(minutes):\(seconds)" : "\(sign)\(minutes / 60):\(Self.padded(minutes % 60, 2)):\(seconds)"
    }
  }

  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func powerOfTen(_ exponent: Int64) -> UInt64 {
    (0..<min(max(exponent, 0), 18)).reduce(1) { power, _ in power * 10 }
  }

  // MARK: Reading

  /// Parses a number: `12`, `12.5`, `-3`, and for a time seconds (`90`, `1.5`) or `1:30`, `1:02:03`.
  ///
  /// - Throws: ``CountingError/badQuantity(_:reason:)`` for any other text, and for too many decimals.
  public func number(_ text: String) throws(CountingError) -> Int64 {
    func bad(_ reason: String) -> CountingError { .badQuantity(text.shortened, reason: reason) }
    guard text.utf8.count <= 32 else { throw bad("it is too long") }
    let isNegative = text.first == "-"
    let unsigned = isNegative ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= (self == .time ? 3 : 1) else {
      throw bad(self == .time ? "it has too many colons" : "it is not a number")
    }
    let decimals = if case .decimal(let decimals) = self { Int(decimals) } else { 6 }
    var sum: Int64 = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let places = isLast ? decimals : 0
      guard let digits = Self.digits(part, decimals: places) else {
        throw bad(decimals == 0 ? "it must be a whole number" : "it must be a number with at most \(decimals) decimals")
      }
      guard let value = Int64(digits) else { throw bad("it is outside the range of a counter") }
      let limit = 60 * (isLast ? Int64(Self.powerOfTen(Int64(decimals))) : 1)
      if index > 0, value >= limit { throw bad("a number after a colon must be below 60") }
      let scale: Int64 = isLast && parts.count > 1 ? limit : 60
      let (product, overflow) = index == 0 ? (0, false) : sum.multipliedReportingOverflow(by: scale)
      let (next, overflows) = product.addingReportingOverflow(value)
      if overflow || overflows { throw bad("it is outside the range of a counter") }
      sum = next
    }
    return isNegative ? -sum : sum
  }

  /// The digits of an unsigned number in units of 10 to the power of −`decimals`; `nil` if the text is not a number.
  private static func digits(_ text: Substring, decimals: Int) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty else { return nil }
    var fraction = parts.count > 1 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    guard fraction.utf8.count <= decimals else { return nil }
    let digits = whole + fraction + String(repeating: "0", count: decimals - fraction.utf8.count)
    return digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) ? String(digits) : nil
  }
}

extension Counter {
  public var unit: Unit { isStopwatch ? .time : .decimal(decimals) }
}

/// An amount: in the counter's unit, or as text, which means the same for every counter.
public enum Quantity: Equatable, Sendable, ExpressibleByIntegerLiteral {
  case units(Int64)
  case text(String)

  public init(integerLiteral number: Int64) { self = .units(number) }

  func number(in unit: Unit) throws(CountingError) -> Int64 {
    switch self {
    case .units(let number): number
    case .text(let text): try unit.number(text)
    }
  }
}
