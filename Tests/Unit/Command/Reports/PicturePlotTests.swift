import Counting
import SampleSeries
import Testing

@testable import Reports

@Suite struct PicturePlotTests {
  private func picture(_ layers: [(String, String?, [Int64])], title: String = "Kids") -> String {
    PicturePlot(
      title: title, layers: layers.map { .init(name: $0.0, colour: $0.1, series: .hours($0.2)) }, format: ValueText()
    ).text()
  }

  /// The attributes of the bars: rectangles in a colour.
  private func bars(_ text: String, _ colour: String) -> [[String: Double]] {
    text.split(separator: "\n").filter { $0.hasPrefix("<rect") && $0.contains("fill=\"\(colour)\" rx=") }.map { line in
      var found: [String: Double] = [:]
      for part in line.split(separator: " ") {
        let words = part.split(separator: "\"")
        if words.count > 1, let value = Double(words[1]) { found[String(words[0].dropLast())] = value }
      }
      return found
    }
  }

  @Test func `bars are as high as what was counted, and stand on the axis`() throws {
    let bars = bars(picture([("kids", "#112233", [4, 2, 0])]), "#112233")
    #expect(bars.count == 2)
    let (first, second) = try (#require(bars.first), #require(bars.last))
    #expect(abs(try #require(first["height"]) - 2 * (try #require(second["height"]))) < 0.2)
    let ends = try bars.map { try #require($0["y"]) + #require($0["height"]) }
    #expect(abs(ends[0] - ends[1]) < 0.2)
    #expect(try #require(first["x"]) < #require(second["x"]))
  }

  @Test func `several counters are on each other, each in its colour, and named`() throws {
    let text = picture([("kids", "#112233", [4]), ("dogs", "#445566", [2])])
    let (kids, dogs) = try (#require(bars(text, "#112233").first), #require(bars(text, "#445566").first))
    #expect(abs(try #require(dogs["y"]) + #require(dogs["height"]) - #require(kids["y"])) < 0.2)
    #expect(text.contains(">kids 4<") && text.contains(">dogs 2<"))
  }

  @Test func `four long names stand below the heading, within the picture, beside their squares`() {
    let names = (1...4).map { "\($0) " + String(repeating: "long ", count: 8) }
    let text = picture(names.map { ($0, nil, [4]) }, title: String(repeating: "title ", count: 20))
    let marks = text.split(separator: "\n").filter { $0.hasPrefix("<rect") && $0.contains("width=\"12\"") }
    func number(_ name: String, in line: Substring) -> Double? {
      line.split(separator: " ").first { $0.hasPrefix("\(name)=\"") }.flatMap { Double($0.split(separator: "\"")[1]) }
    }
    #expect(marks.count == 4)
    for mark in marks {
      #expect((number("x", in: mark) ?? 0) >= 84 && (number("x", in: mark) ?? 999) < 700)
      #expect((number("y", in: mark) ?? 0) > 60)
    }
    #expect(Set(marks.compactMap { number("y", in: $0) }).count > 1)
  }

  @Test func `counters without a colour are told apart`() {
    let text = picture([("kids", nil, [4]), ("dogs", "none", [2])])
    #expect(bars(text, "#0072b2").count == 1 && bars(text, "#e69f00").count == 1)
    let many = picture((1...20).map { ("c\($0)", nil, [4]) })
    let colours = many.split(separator: "\n").compactMap { line -> Substring? in
      guard line.hasPrefix("<rect"), line.contains("width=\"12\"") else { return nil }
      return line.split(separator: " ").first { $0.hasPrefix("fill=") }
    }
    #expect(colours.count == 20 && Set(colours).count == 20)
  }

  @Test func `long names that differ at their ends differ in the legend`() {
    let names = (1...12).map { "Movement from the northern side of the crossing, turning to exit \($0)" }
    let text = picture(names.map { ($0, nil, [4]) })
    for number in 1...12 { #expect(text.contains("exit \(number) 4<")) }
    #expect(picture([("Movement from the northern side, left", nil, [4]), ("b", nil, [2])]).contains("side, left 4<"))
  }

  @Test(
    arguments: [
      (4000, ["15 min", "30 min", "45 min", "1 h", "1 h 15 min"]), (50, ["10 s", "20 s", "30 s", "40 s", "50 s"]),
      (86_400 * 2, ["10 h", "20 h", "30 h", "40 h", "50 h"]),
    ] as [(Int64, [String])])
  func `an axis of durations has round times`(seconds: Int64, ticks: [String]) {
    let series = CountSeries.hours([seconds * 1_000_000], .time)
    let text = PicturePlot(
      title: "swim", layers: [.init(name: "swim", colour: nil, series: series)], format: series.format
    ).text()
    let labels = text.split(separator: "\n").filter { $0.contains("\"tick\" text-anchor=\"end\"") }.compactMap { line in
      line.split(separator: ">").dropFirst().first?.split(separator: "<").first.map(String.init)
    }
    #expect(labels.count > 1 && labels == ["0"] + ticks)
  }

  @Test func `the title is that of the picture, whatever stands in it`() {
    let text = picture([("kids", nil, [4])], title: "<script>A & B</script>")
    #expect(text.contains("<title>&lt;script&gt;A &amp; B&lt;/script&gt;</title>"))
    #expect(!text.contains("<script>"))
    #expect(text.contains("Counted each hour, 2026-11-21, 08:00 to 09:00 (UTC)"))
    #expect(text.contains(">4 in all<"))
  }

  @Test(arguments: [[0], [], [.max, .max], [.min + 1, .max], [1], [-1, 1]] as [[Int64]])
  func `any numbers make a picture of which every bar is inside`(net: [Int64]) {
    let text = picture([("kids", "#112233", net)])
    #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
    #expect(!text.contains("nan") && !text.contains("inf"))
    for bar in bars(text, "#112233") {
      #expect((bar["x"] ?? -1) >= 84 && (bar["x"] ?? 0) + (bar["width"] ?? 0) <= 936)
      #expect((bar["y"] ?? -1) >= 84 && (bar["y"] ?? 0) + (bar["height"] ?? 0) <= 424.5)
    }
    #expect(bars(text, "#112233").count == net.count { $0 != 0 })
  }
}
