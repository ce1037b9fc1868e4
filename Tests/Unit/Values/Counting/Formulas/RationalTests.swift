import Counting
import TestKit
import Testing

@Suite struct `Exact numbers` {
  static func number(_ text: String) throws -> Rational { try #require(Rational(decimal: text)) }

  @Test func `a third of three is one, and a tenth ten times is one`() throws {
    let quotient = Rational(1) / Rational(3)
    let third = try #require(quotient)
    #expect((third + third).flatMap { $0 + third } == Rational(1))
    let tenths = (0..<10).reduce(Rational.zero as Rational?) { sum, _ in sum.flatMap { $0 + Rational(1, decimals: 1) } }
    #expect(tenths == Rational(1))
  }

  @Test func `dividing by nothing has no result`() throws {
    #expect(Rational(1) / .zero == nil)
    #expect(Rational.zero / .zero == nil)
  }

  @Test(arguments: [
    ("0", 0, "0"), ("-0", 2, "0"), ("0012.50", 2, "12.5"), ("12.345", 2, "12.34"), ("12.355", 2, "12.36"),
    ("-2.5", 0, "-2"), ("-3.5", 0, "-4"), ("0.05", 1, "0"), ("-0.05", 1, "0"), ("0.15", 1, "0.2"), ("99.99", 1, "100"),
    ("0.000000000000000000000000000001", 30, "0.000000000000000000000000000001"),
    ("123456789012345678901234567890123456789", 3, "123456789012345678901234567890123456789"),
  ])
  func `halves are rounded to the even neighbour`(_ text: String, _ decimals: Int, _ expected: String) throws {
    #expect(try Self.number(text).text(decimals: decimals) == expected)
  }

  @Test func `one can round to tens and hundreds`() throws {
    #expect(try Self.number("1250").rounded(decimals: -2) == Rational(1200))
    #expect(try Self.number("1350").rounded(decimals: -2) == Rational(1400))
    #expect(Rational(7).rounded(decimals: Int.min) == .zero)
    #expect(Rational(7).rounded(decimals: Int.max) == Rational(7))
  }

  @Test(arguments: [
    "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", "--1", "1.2.3", " 1", "１", String(repeating: "9", count: 39),
    "0." + String(repeating: "0", count: 38) + "1", "170141183460469231731687303715884105728",
  ])
  func `what is no decimal is refused`(_ text: String) { #expect(Rational(decimal: text) == nil) }

  @Test func `units with decimals are what they say`() throws {
    #expect(try Rational(1250, decimals: 2) == Self.number("12.5"))
    #expect(try Rational(Int64.min, decimals: 18) == Self.number("-9.223372036854775808"))
  }

  static let largest = "170141183460469231731687303715884105727"

  @Test func `what leaves 128 bits has no value, and nothing traps`() throws {
    let numbers = try [Self.largest, "-" + Self.largest, "1", "-1", "0", "0.00000000000000000000000000000000000001"]
      .map(
        Self.number)
    let (large, one, tiny) = (numbers[0], numbers[2], numbers[5])
    #expect(large + one == nil && large * large == nil && -large - one == nil && large / tiny == nil)
    // -2^127 fits in the type, but has no negation there.
    let power = Rational(.min) * Rational(.min)
    #expect(try #require(power) * Rational(-2) == nil && -large - one == nil)
    #expect(large + tiny == nil && tiny * tiny == nil && tiny / Rational(10) == nil)
    #expect(large - large == .zero && large / large == one && large * one == large && (one / large) != nil)
    #expect(large.rounded(decimals: -38) == Rational(2) * (try Self.number("1" + String(repeating: "0", count: 38))))
    #expect(large.text(decimals: 38) == Self.largest && (-large).text(decimals: 0) == "-" + Self.largest)
    for a in numbers {
      for b in numbers {
        for result in [a + b, a - b, a * b, a / b, a.rounded(decimals: 38), a.rounded(decimals: -38)] {
          if let result { #expect(Rational(decimal: result.text(decimals: 38)) != nil) }
        }
        #expect((a < b) == !(b < a) || a == b)
      }
    }
    #expect((one / large)?.rounded(decimals: 38) == tiny && (one / large)?.rounded(decimals: 37) == .zero)
    #expect((large / Rational(2))?.text(decimals: 1) == "85070591730234615865843651857942052863.5")
    #expect((large / Rational(2))?.rounded(decimals: 1) != nil && (large / Rational(3))?.rounded(decimals: 1) == nil)
  }

  @Test(.seeded) func `random calculations agree with whole numbers of 128 bits`() throws {
    var random = Seed.generator()
    for _ in 0..<Rounds.times(1_000) {
      // Few bits or many, so that each length turns up.
      func part() -> Int64 {
        Int64.random(in: Int64.min...Int64.max, using: &random) >> Int64.random(in: 0...62, using: &random)
      }
      let (a, b, c, d) = (part(), part(), part(), part())
      let (x, y, z) = (Rational(a), Rational(b), Rational(c))
      #expect(try x + y == Self.number("\(Int128(a) + Int128(b))"))
      #expect(try x - y == Self.number("\(Int128(a) - Int128(b))"))
      #expect(try x * y == Self.number("\(Int128(a) * Int128(b))"))
      #expect((x < y) == (a < b))
      guard let quotient = x / y, let other = z / Rational(d) else { continue }
      #expect(quotient * y == x)
      #expect(
        (quotient < other) == (other > quotient)
          && (quotient == other) == (a.multipliedFullWidth(by: d) == c.multipliedFullWidth(by: b)))
      // What has a result goes back to where it began.
      if let sum = quotient + other { #expect(sum - other == quotient || sum - other == nil) }
      if let product = quotient * other, c != 0 { #expect(product / other == quotient || product / other == nil) }
      #expect(quotient.text(decimals: 3) == quotient.rounded(decimals: 3)?.text(decimals: 9))
      let (whole, rest) = (Int128(a) * 1000).quotientAndRemainder(dividingBy: Int128(b))
      let units = abs(rest) * 2 < abs(Int128(b)) ? whole : nil
      if let units { #expect(quotient.rounded(decimals: 3) == (try Self.number("\(units)")) / Rational(1000)) }
    }
  }
}
