import CoreAPI
import JSON
import Testing
import Text

@testable import Reports
@testable import TallyCommand

@Suite struct FormulaLineTests {
  private func formula(
    _ name: String, _ text: String?, _ formula: String, title: String? = nil, icon: String? = nil
  ) -> FormulaLine {
    var object: JSONObject = ["name": .string(name), "formula": .string(formula), "title": .string(title ?? name)]
    object["text"] = text.map(JSON.string)
    object["icon"] = icon.map(JSON.string)
    return FormulaLine(.init(object))
  }

  @Test func `values stand below each other, then names, then what they say`() {
    let formulas = [formula("hits", "37 %", "goals / shots"), formula("人数", nil, "a + b", title: "All")]
    #expect(
      FormulaLine.table(formulas, width: 80)
        == ["      37 %  hits  = goals / shots", "  no value  人数  All  = a + b"])
    #expect(FormulaLine.section(formulas, width: 80).first == "")
    #expect(FormulaLine.section([], width: 80) == [])
  }

  @Test func `an icon stands before the value, as that of a counter does`() {
    let formulas = [formula("hits", "37 %", "a / b", icon: "🎯"), formula("lead", "5", "a - b")]
    #expect(FormulaLine.table(formulas, width: 80) == ["  🎯 37 %  hits  = a / b", "        5  lead  = a - b"])
  }

  @Test(arguments: [20, 30, 40, 80]) func `a table keeps within the width`(width: Int) {
    let formulas = [
      formula(String(repeating: "n", count: 50), String(repeating: "9", count: 30), "a + b"),
      formula("人数", "5", String(repeating: "犬 + ", count: 30) + "1", icon: "🎯🎯🎯🎯"),
    ]
    for line in FormulaLine.table(formulas, width: width) { #expect(line.columns <= width, "\(line)") }
  }

  @Test(arguments: [
    ("a + * b", 4, "  a + * b\n      ^"), ("größe & x", 6, "  größe & x\n        ^"),
    ("e\u{0301} & x", 3, "  e\u{0301} & x\n    ^"), ("a", 9, "  a\n   ^"), ("a", -1, "  a\n  ^"),
  ])
  func `a mark stands below the place of an error`(formula: String, position: Int, marked: String) {
    #expect(FormulaLine.marked(formula, at: position) == marked)
  }

  @Test(arguments: [
    (["hits", "=", "a", "/", "b"], "hits", "a / b"), (["hits=a / b"], "hits", "a / b"), (["hits", "=a"], "hits", "a"),
    (["hits="], "hits", ""), (["more", "=", "a >= 2"], "more", "a >= 2"), (["hits"], "hits", nil),
  ])
  func `a name and what stands behind the sign are told apart`(words: [String], name: String, formula: String?) throws {
    let parts = try #require(try FormulaCommand.parts(words))
    #expect(parts.name == name)
    #expect(parts.formula == formula)
  }

  @Test func `words without a sign are no formula, and no words ask for all`() throws {
    #expect(throws: (any Error).self) { try FormulaCommand.parts(["hits", "goals / shots"]) }
    #expect(try FormulaCommand.parts([]) == nil)
    #expect(try FormulaCommand.parts(["  "]) == nil)
  }
}
