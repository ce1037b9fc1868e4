import TestKit
import Testing

@testable import Text

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{0301}", 1), ("犬と猫", 6), ("한글", 4), ("ｱ", 1), ("ＡＢ", 4), ("🚗", 2), ("🧍‍♀️", 2),
    ("👨‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("\u{0301}", 0), ("▸ █░", 4), ("−", 1),
  ])
  func `a text takes the columns that a terminal gives it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test func `styles take no room`() {
    #expect("\u{1B}[1;32mabc\u{1B}[0m".columns == 3)
    #expect("\u{1B}[K\u{1B}[7Gab".columns == 2)
  }

  @Test func `a text is padded by columns, on either side, and never cut`() {
    #expect("犬".padded(to: 4) == "犬  ")
    #expect("犬".padded(to: 4, onLeft: true) == "  犬")
    #expect("abc".padded(to: 2) == "abc")
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("犬と猫", 6, "犬と猫"),
    ("犬と猫", 5, "犬と…"), ("犬と猫", 4, "犬…"), ("e\u{0301}e\u{0301}e\u{0301}", 2, "e\u{0301}…"), ("", 0, ""),
  ])
  func `a text is cut with an ellipsis`(text: String, width: Int, expected: String) {
    #expect(text.clipped(to: width) == expected)
  }

  @Test(arguments: [
    ("abcdefghi", 9, "abcdefghi"), ("abcdefghi", 8, "abcde…hi"), ("犬と猫と鳥", 9, "犬と猫…鳥"), ("abc", 1, "…"), ("abc", 0, ""),
  ])
  func `a text is cut in its middle`(text: String, width: Int, expected: String) {
    #expect(text.clippedInside(to: width) == expected)
  }

  @Test func `a text that is cut keeps its styles, so that what follows has none`() {
    #expect("\u{1B}[1mabcdef\u{1B}[0m".clipped(to: 3) == "\u{1B}[1mab…\u{1B}[0m")
  }

  @Test(.seeded) func `a text that is cut fits, however it is made up`() {
    var random = Seed.generator()
    let parts = ["a", "犬", "e\u{0301}", "🧍‍♀️", "\u{1B}[1m", "\u{1B}[0m", " ", "ｱ"]
    for _ in 0..<Rounds.times(500) {
      let text = (0..<random.below(12)).map { _ in parts[random.below(parts.count)] }.joined()
      let width = random.below(14)
      #expect(text.clipped(to: width).columns <= max(width, 0), "\(text.debugDescription) in \(width)")
      if text.columns <= width { #expect(text.clipped(to: width) == text) }
    }
  }
}
