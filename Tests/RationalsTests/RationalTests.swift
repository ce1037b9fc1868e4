import Rationals
import TestKit
import Testing

@Suite struct `Exact numbers` {
  static func number(_ text: String) throws -> Rational { try #require(Rational(decimal: text)) }

  @Test func `a third of three is one, and a tenth ten times is one`() throws {
    let third = try #require(try Rational(1) / Rational(3))
    #expect(try third + third + third == Rational(1))
    #expect(try (0..<10).reduce(Rational.zero) { sum, _ in try sum + Rational(1, decimals: 1) } == Rational(1))
  }

  @Test func `dividing by nothing has no result`() throws {
    #expect(try Rational(1) / .zero == nil)
    #expect(try Rational.zero / .zero == nil)
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
    "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", "--1", "1.2.3", " 1", "１", String(repeating: "9", count: 301),
  ])
  func `what is no decimal is refused`(_ text: String) { #expect(Rational(decimal: text) == nil) }

  @Test func `units with decimals are what they say`() throws {
    #expect(try Rational(1250, decimals: 2) == Self.number("12.5"))
    #expect(try Rational(Int64.min, decimals: 18) == Self.number("-9.223372036854775808"))
  }

  @Test func `what grows beyond three hundred digits is refused`() throws {
    var number = Rational(Int64.max)
    #expect(throws: Rational.TooLong.self) { while true { number = try number * number } }
    #expect(throws: Rational.TooLong.self) {
      var part = Rational(1)
      while true { part = try #require(try part / Rational(Int64.max)) }
    }
  }

  @Test(.seeded) func `random calculations agree with whole numbers of 128 bits`() throws {
    var random = Seed.generator()
    for _ in 0..<Rounds.times(1_000) {
      // Few bits or many, so that each length of carry turns up.
      func part() -> Int64 {
        Int64.random(in: Int64.min...Int64.max, using: &random) >> Int64.random(in: 0...62, using: &random)
      }
      let (a, b, c, d) = (part(), part(), part(), part())
      let (x, y) = (Rational(a), Rational(b))
      #expect(try x + y == Self.number("\(Int128(a) + Int128(b))"))
      #expect(try x - y == Self.number("\(Int128(a) - Int128(b))"))
      #expect(try x * y == Self.number("\(Int128(a) * Int128(b))"))
      #expect((x < y) == (a < b))
      // Long ones: (a·b·c + d) / b gives back a·c and d / b, which is what the division by two digits and more is for.
      let long = try x * y * Rational(c) + Rational(d)
      guard let divisor = try Rational(d) / y else { continue }
      let quotient = try x * Rational(c)
      #expect(try long / y == quotient + divisor)
      let square = try y * y * y
      #expect(try (long * square) / square == long)
      #expect(try (long / square)?.text(decimals: 3) == (long / square)?.rounded(decimals: 3).text(decimals: 9))
    }
  }
}
