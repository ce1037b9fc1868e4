import Testing

@testable import Reports

@Suite struct SVGTests {
  @Test(arguments: ["<\u{308}script>", "a&\u{301}b", "\"\u{20dd} onload=\"x", "\u{1b}[2J", "\u{202e}evil", "]]>"])
  func `whatever a title contains, it stays a text`(_ title: String) throws {
    var svg = SVG()
    svg.add("text", ["title": title], title)
    let scalars = svg.text.unicodeScalars
    #expect(scalars.count { $0 == "<" } == 2 && scalars.count { $0 == ">" } == 2 && scalars.count { $0 == "\"" } == 2)
    #expect(!scalars.contains("\u{1b}") && !scalars.contains("\u{202e}"))
  }

  @Test func `an element has its attributes and its text, with what means something to XML escaped`() {
    var svg = SVG()
    svg.add("rect", ["x": "1", "fill": "\"<&>\""])
    svg.add("text", [:], "A & <B> \"C\"")
    #expect(
      svg.text == "<rect x=\"1\" fill=\"&quot;&lt;&amp;&gt;&quot;\"/>\n<text>A &amp; &lt;B&gt; &quot;C&quot;</text>\n")
  }

  @Test(arguments: [
    (0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (0.04, "0"), (0.05, "0.1"), (-0.3, "-0.3"), (12.34, "12.3"), (.nan, "0"),
    (.infinity, "0"), (1e12, "0"),
  ])
  func `a number has at most one decimal, in whatever locale`(value: Double, text: String) {
    #expect(SVG.number(value) == text)
  }
}
