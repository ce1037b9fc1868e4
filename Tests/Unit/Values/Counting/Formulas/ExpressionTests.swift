import Counting
import Testing

/// Counters and groups with given values.
struct FixedValues: EvaluationContext {
  var values: [String: Rational] = [:]
  var parts: [String: Rational] = [:]
  var groups: [String: [Rational]] = [:]

  func value(of name: String) -> Rational? { values[name] }
  func part(_ part: Expression.Part, of name: String) -> Rational? { parts["\(part) \(name)"] }
  func values(ofGroup name: String) -> [Rational]? { groups[name] }
}

@Suite struct `What formulas say` {
  static let fixed = FixedValues(
    values: [
      "goals": Rational(7), "shots": Rational(21), "none": .zero, "home-goals": Rational(3), "a": Rational(5),
      "b": Rational(2), "player.7": Rational(90), "2nd": Rational(22), "größe": Rational(170), "sum": Rational(1),
      "group": Rational(9), "minutes": Rational(5400),
    ],
    parts: ["rate a": Rational(12), "target a": Rational(10), "left a": Rational(5), "done a": Rational(5)],
    groups: ["home": [Rational(1), Rational(4), Rational(7)], "empty": []])

  static func value(_ text: String) throws -> Rational? { try FormulaText(text).expression.value(fixed) }

  @Test(
    arguments: [
      ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("10 - 3 - 2", "5"), ("100 / 10 / 5", "2"), ("-a + 6", "1"),
      ("2 * -3", "-6"), ("--a", "5"), ("50%", "0.5"), ("200 * 10%", "20"), ("(goals + 3)%", "0.1"), ("-50%", "-0.5"),
      ("goals/shots*3", "1"), ("0.1 + 0.2 = 0.3", "1"), ("goals / shots = 1 / 3", "1"), ("a > b", "1"), ("a <= b", "0"),
      ("a ≥ 5", "1"), ("a != b", "1"), ("a ≠ a", "0"), ("(a > b) + (b < a)", "2"), ("5-3", "2"), ("5 -3", "2"),
      ("home-goals * 2", "6"), ("a - b", "3"), ("a − b", "3"), ("a × b ÷ 4", "2.5"), ("player.7 / 2nd * 22", "90"),
      ("größe + 1", "171"), ("min(a, b, 9)", "2"), ("max(a, b, 9)", "9"), ("sum(group:home)", "12"),
      ("sum(group:home, a)", "17"), ("average(group:home)", "4"), ("average(1, 2)", "1.5"),
      ("max(group: home) - 1", "6"),
      ("sum(group:empty)", "0"), ("sum + 1", "2"), ("sum(group, 1)", "10"), ("round(2.5)", "2"), ("round(3.5)", "4"),
      ("round(goals / shots, 2)", "0.33"), ("round(1250, -2)", "1200"), ("rate(a) / target(a)", "1.2"),
      ("left(a) = done(a)", "1"), ("goals / none", nil), ("goals / (a - 5)", nil),
      ("1 + goals / none", nil), ("max(1, goals / none)", nil), ("average(group:empty)", nil),
      ("min(group:empty)", nil),
      ("gone", nil), ("rate(b)", nil), ("round(1 / 0)", nil), ("round(1, 1 / 0)", nil), ("0 / 0", nil),
      ("goals / none > 1", nil),
    ] as [(String, String?)])
  func `each has its value, or none`(_ text: String, _ expected: String?) throws {
    #expect(try Self.value(text)?.text(decimals: 12) == expected)
  }

  @Test(
    arguments: [
      ("", 0, "A number, a name or an opening bracket is missing here."),
      ("goals /", 7, "A number, a name or an opening bracket is missing here."),
      ("goals / * 2", 8, "A number, a name or an opening bracket is missing here."),
      ("(1 + 2", 6, "A closing bracket is missing."), ("1 + 2)", 5, "This closing bracket has no opening one."),
      ("1,5", 1, "Commas only separate the arguments of a function; write decimals with a point."),
      ("a < b < 3", 6, "Only two values can be compared; put brackets around one comparison."),
      ("goals shots", 6, "A sign such as + or * is missing before this."),
      ("2 (a)", 2, "A sign such as + or * is missing before this."),
      ("goals & shots", 6, "This character has no meaning in a formula."),
      ("a ! b", 2, "This character has no meaning in a formula."),
      ("rate(5)", 5, "rate takes the name of a counter, as in rate(people) or rate(a) + rate(b)."),
      ("left(a + b)", 7, "left takes the name of a counter, as in left(people) or left(a) + left(b)."),
      ("rate(sum(a, b))", 8, "rate takes the name of a counter, as in rate(people) or rate(a) + rate(b)."),
      ("group:home", 0, "A group has many values; combine them, as in sum(group:home)."),
      ("sum(group:)", 10, "The name of a group is missing after the colon."),
      ("sum()", 4, "A number, a name or an opening bracket is missing here."),
      ("a:b", 1, "A colon only follows “group”, as in sum(group:home)."),
      (
        "median(a)", 0,
        "There is no such function; the functions are min, max, sum, average, round, rate, target, left, done."
      ),
      ("round(1, 2, 3)", 10, "Commas only separate the arguments of a function; write decimals with a point."),
      ("1.5.5", 3, "This character has no meaning in a formula."),
      ("a\nb", 1, "A formula is one line without control characters."),
      ("ä + . b", 4, "This character has no meaning in a formula."),
      (String(repeating: "9", count: 39), 0, "This number is too long."),
      (String(repeating: "(", count: 900), 64, "This is nested too deeply; move a part into a formula of its own."),
      (String(repeating: "-", count: 900), 64, "This is nested too deeply; move a part into a formula of its own."),
      (
        String(repeating: "1", count: 1001), 0,
        "A formula has at most 1000 characters; move parts into formulas of their own."
      ),
    ] as [(String, Int, String)])
  func `what makes no sense is refused with its place`(_ text: String, _ position: Int, _ message: String) {
    #expect(throws: FormulaError(at: position, message)) { try FormulaText(text) }
  }

  @Test func `the longest chains are computed, and none grows without end`() throws {
    #expect(try Self.value(String(repeating: "1+", count: 499) + "1") == Rational(500))
    let nines = String(repeating: "9", count: 30)
    #expect(try Self.value(Array(repeating: nines, count: 30).joined(separator: "*")) == nil)
    #expect(try Self.value("round(\(nines), \(nines))") == nil)
  }

  @Test func `what is renamed is called by its new name in formulas`() throws {
    let formula = try FormulaText("goals/(goals + shots) - sum(group:goals) + rate(goals) + goals-2")
    #expect(
      formula.renaming(["goals": "points"], isGroup: false)
        == "points/(points + shots) - sum(group:goals) + rate(points) + goals-2")
    #expect(
      formula.renaming(["goals": "größe"], isGroup: true)
        == "goals/(goals + shots) - sum(group:größe) + rate(goals) + goals-2")
  }

  @Test(arguments: [
    (Display.number, "12.34567", "12.346"), (.number, "-3", "-3"), (.percent, "0.3333333", "33.3 %"),
    (.percent, "1", "100 %"),
    (.duration, "59.6", "1:00"), (.duration, "3723", "1:02:03"), (.duration, "-65", "-1:05"), (.duration, "0", "0:00"),
    (.duration, "99999999999999999999", "99999999999999999999 s"),
    (.percent, "99999999999999999999999999999999999999", "9999999999999999999999999999999999999900 %"),
  ])
  func `a value is shown as number, per cent or duration`(_ display: Display, _ value: String, _ text: String) throws {
    #expect(display.text(try #require(Rational(decimal: value))) == text)
  }
}
