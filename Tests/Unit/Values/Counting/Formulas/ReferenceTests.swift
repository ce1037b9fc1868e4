import Counting
import TestKit
import Testing

/// A fraction that is never reduced, of whole numbers that are lists of decimal digits, reckoned as at school. Nothing
/// here is shared with what it checks.
struct SchoolFraction {
  /// Lowest first, without zeros at the end.
  typealias Digits = [Int]
  var isNegative = false
  var top: Digits
  var bottom: Digits = [1]

  static func add(_ one: Digits, _ other: Digits) -> Digits {
    var (sum, carry): (Digits, Int) = ([], 0)
    for index in 0..<max(one.count, other.count) {
      carry += (index < one.count ? one[index] : 0) + (index < other.count ? other[index] : 0)
      sum.append(carry % 10)
      carry /= 10
    }
    return carry > 0 ? sum + [carry] : sum
  }

  static func subtract(_ one: Digits, _ other: Digits) -> Digits {
    var (difference, borrow): (Digits, Int) = ([], 0)
    for index in one.indices {
      let digit = one[index] - borrow - (index < other.count ? other[index] : 0)
      borrow = digit < 0 ? 1 : 0
      difference.append(digit + borrow * 10)
    }
    while difference.last == 0 { difference.removeLast() }
    return difference
  }

  static func multiply(_ one: Digits, _ other: Digits) -> Digits {
    var product: Digits = []
    for (place, digit) in one.enumerated() {
      for _ in 0..<digit { product = add(product, Array(repeating: 0, count: place) + other) }
    }
    while product.last == 0 { product.removeLast() }
    return product
  }

  static func isLess(_ one: Digits, _ other: Digits) -> Bool {
    one.count == other.count ? one.reversed().lexicographicallyPrecedes(other.reversed()) : one.count < other.count
  }

  static func + (one: SchoolFraction, other: SchoolFraction) -> SchoolFraction {
    let (a, b) = (multiply(one.top, other.bottom), multiply(other.top, one.bottom))
    let bottom = multiply(one.bottom, other.bottom)
    if one.isNegative == other.isNegative { return .init(isNegative: one.isNegative, top: add(a, b), bottom: bottom) }
    return isLess(a, b)
      ? .init(isNegative: other.isNegative, top: subtract(b, a), bottom: bottom)
      : .init(isNegative: one.isNegative, top: subtract(a, b), bottom: bottom)
  }

  static prefix func - (one: SchoolFraction) -> SchoolFraction {
    .init(isNegative: !one.isNegative, top: one.top, bottom: one.bottom)
  }

  static func * (one: SchoolFraction, other: SchoolFraction) -> SchoolFraction {
    .init(
      isNegative: one.isNegative != other.isNegative, top: multiply(one.top, other.top),
      bottom: multiply(one.bottom, other.bottom))
  }

  static func / (one: SchoolFraction, other: SchoolFraction) -> SchoolFraction? {
    if other.top.isEmpty { return nil }
    return one * .init(isNegative: other.isNegative, top: other.bottom, bottom: other.top)
  }

  static func < (one: SchoolFraction, other: SchoolFraction) -> Bool {
    let difference = one + -other
    return difference.isNegative && !difference.top.isEmpty
  }

  /// The nearest whole number; from the middle between two the even one.
  var rounded: SchoolFraction {
    // Half of what it is divided by more, and what is left over dropped.
    let (dividend, divisor) = (Self.add(Self.multiply([2], top), bottom), Self.multiply([2], bottom))
    var (quotient, rest): (Digits, Digits) = ([], [])
    for digit in dividend.reversed() {
      rest.insert(digit, at: 0)
      while rest.last == 0 { rest.removeLast() }
      quotient.insert(0, at: 0)
      while !Self.isLess(rest, divisor) {
        rest = Self.subtract(rest, divisor)
        quotient[0] += 1
      }
    }
    // Nothing is left over where it was the middle.
    if rest.isEmpty, let last = quotient.first, last % 2 == 1 { quotient[0] = last - 1 }
    while quotient.last == 0 { quotient.removeLast() }
    return .init(isNegative: isNegative, top: quotient)
  }

  /// Whether it is the same number; `nil` where one of its parts has too many digits to tell.
  func equals(_ number: Rational) -> Bool? {
    func whole(_ digits: Digits) -> Rational? {
      Rational(decimal: digits.isEmpty ? "0" : digits.reversed().map(String.init).joined())
    }
    guard let top = whole(top), let bottom = whole(bottom), let magnitude = top / bottom else { return nil }
    return (isNegative ? -magnitude : magnitude) == number
  }
}

/// A formula thought up at random: its text, with the brackets that precedence does not spare, and what it comes to.
struct RandomFormula {
  let text: String
  let value: SchoolFraction?
  /// How tightly it binds: 0 comparison, 1 sum, 2 product, 3 sign, 4 operand.
  let strength: Int

  static let counters: [(name: String, value: SchoolFraction)] = [
    ("goals", .init(top: [7])), ("home-goals", .init(top: [2, 1])), ("nothing", .init(top: [])),
    ("x.5", .init(isNegative: true, top: [3])), ("seconds", .init(top: [5, 2, 1], bottom: [0, 0, 1])),
  ]

  private static let comparisons: [(String, @Sendable (SchoolFraction, SchoolFraction) -> Bool)] = [
    ("<", { $0 < $1 }), (">", { $1 < $0 }), ("<=", { !($1 < $0) }), (">=", { !($0 < $1) }),
    ("=", { !($0 < $1) && !($1 < $0) }), ("!=", { $0 < $1 || $1 < $0 }),
  ]

  static func any(_ depth: Int, _ random: inout some RandomNumberGenerator) -> RandomFormula {
    guard depth > 0, Int.random(in: 0..<6, using: &random) > 0 else { return leaf(&random) }
    func part(_ strength: Int) -> RandomFormula { any(depth - 1, &random).bracketed(below: strength) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return pair(part(1), " + ", part(2), 1) { $0 + $1 }
    case 2, 3: return pair(part(1), " - ", part(2), 1) { $0 + -$1 }
    case 4, 5: return pair(part(2), "*", part(3), 2) { $0 * $1 }
    case 6, 7: return pair(part(2), "/", part(3), 2) { $0 / $1 }
    case 8:
      let a = part(3)
      return .init(text: "-\(a.text)", value: a.value.map { -$0 }, strength: 3)
    case 9:
      let a = part(4)
      return .init(text: "\(a.text)%", value: a.value.flatMap { $0 / .init(top: [0, 0, 1]) }, strength: 4)
    case 10:
      let (a, b) = (part(1), part(1))
      let (sign, judge) = Self.comparisons[Int.random(in: 0..<6, using: &random)]
      return pair(a, " \(sign) ", b, 0) { SchoolFraction(top: judge($0, $1) ? [1] : []) }
    case 11:
      let a = any(depth - 1, &random)
      return .init(text: "round(\(a.text))", value: a.value?.rounded, strength: 4)
    default:
      let parts = (0..<3).map { _ in any(depth - 1, &random) }
      let sum = both(parts[0], parts[1]) { $0 + $1 }.flatMap { sum in parts[2].value.map { sum + $0 } }
      let list = parts.map(\.text).joined(separator: ", ")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .init(text: "sum(\(list))", value: sum, strength: 4)
      case 1: return .init(text: "average(\(list))", value: sum.flatMap { $0 / .init(top: [3]) }, strength: 4)
      case 2:
        let smaller = both(parts[0], parts[1]) { $0 < $1 ? $0 : $1 }
        let smallest = smaller.flatMap { small in parts[2].value.map { $0 < small ? $0 : small } }
        return .init(text: "min(\(list))", value: smallest, strength: 4)
      default:
        let larger = both(parts[0], parts[1]) { $0 < $1 ? $1 : $0 }
        let largest = larger.flatMap { large in parts[2].value.map { large < $0 ? $0 : large } }
        return .init(text: "max(\(list))", value: largest, strength: 4)
      }
    }
  }

  private static func leaf(_ random: inout some RandomNumberGenerator) -> RandomFormula {
    if Bool.random(using: &random), let counter = counters.randomElement(using: &random) {
      return .init(text: counter.name, value: counter.value, strength: 4)
    }
    let (whole, tenths) = (Int.random(in: 0...99, using: &random), Int.random(in: 0...9, using: &random))
    var digits = [tenths, whole % 10, whole / 10]
    while digits.last == 0 { digits.removeLast() }
    return .init(text: "\(whole).\(tenths)", value: .init(top: digits, bottom: [0, 1]), strength: 4)
  }

  private func bracketed(below strength: Int) -> RandomFormula {
    self.strength < strength ? .init(text: "(\(text))", value: value, strength: 4) : self
  }

  private static func pair(
    _ one: RandomFormula, _ sign: String, _ other: RandomFormula, _ strength: Int,
    _ body: (SchoolFraction, SchoolFraction) -> SchoolFraction?
  ) -> RandomFormula {
    .init(text: one.text + sign + other.text, value: both(one, other, body), strength: strength)
  }

  private static func both(
    _ one: RandomFormula, _ other: RandomFormula, _ body: (SchoolFraction, SchoolFraction) -> SchoolFraction?
  ) -> SchoolFraction? {
    guard let a = one.value, let b = other.value else { return nil }
    return body(a, b)
  }
}

@Suite struct `Formulas beside a slow evaluator` {
  @Test(.seeded) func `random formulas have the value that they have on paper`() throws {
    let fixed = FixedValues(
      values: [
        "goals": Rational(7), "home-goals": Rational(12), "nothing": .zero, "x.5": Rational(-3),
        "seconds": Rational(125, decimals: 2),
      ])
    var random = Seed.generator()
    var (without, compared) = (0, 0)
    for _ in 0..<Rounds.times(1000) {
      let formula = RandomFormula.any(4, &random)
      let parsed: FormulaText
      do throws(FormulaError) {
        parsed = try FormulaText(formula.text)
      } catch {
        // Long ones are refused; nothing else is.
        #expect(formula.text.count > FormulaText.longest, "\(formula.text)")
        continue
      }
      let value = parsed.expression.value(fixed)
      guard let expected = formula.value else {
        without += 1
        #expect(value == nil, "\(formula.text)")
        continue
      }
      // No value is right too where a part of the fraction, which is not reduced, has more than 128 bits.
      guard let value else {
        #expect(max(expected.top.count, expected.bottom.count) > 19, "\(formula.text)")
        continue
      }
      guard let isEqual = expected.equals(value) else { continue }
      #expect(isEqual, "\(formula.text)")
      compared += 1
    }
    #expect(without > 10 && compared > 500)
  }
}
