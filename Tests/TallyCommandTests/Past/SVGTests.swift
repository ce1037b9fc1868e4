import Testing

@testable import TallyCommand

@Suite struct SVGTests {
  @Test func `an element has its attributes and its text, with what means something to XML escaped`() {
    var svg = SVG()
    svg.add("rect", ["x": "1", "fill": "\"<&>\""])
    svg.add("text", [:], "A & <B> \"C\"\u{1B}")
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
