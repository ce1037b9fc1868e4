import Reports
import SampleSeries
import Testing
import Text

@testable import TallyCommand

@Suite struct TerminalPlotTests {
  private func plot(_ net: [Int64], width: Int = 40, height: Int = 4) -> [String] {
    TerminalPlot(series: .hours(net), format: ValueText(), width: width, height: height).lines()
  }

  @Test func `columns are as high as what was counted, in eighths of a line`() {
    #expect(
      plot([4, 2, 0, 1]) == [
        "4 ┤█████                   ", "  │█████                   ", "  │█████ █████             ",
        "  │█████ █████       █████ ", "0 ┼────────────────────────", "   08:00       10:00",
      ])
    #expect(plot([32, 1, 5])[3] == "   │█████ ▁▁▁▁▁ ▅▅▅▅▅ ")
  }

  @Test func `the smallest count is visible`() {
    #expect(plot([1_000_000, 1])[3].contains("▁"))
    #expect(!plot([1_000_000, 0])[3].contains("▁"))
  }

  @Test func `negative values hang below the axis`() {
    #expect(
      plot([2, -2, -1], height: 2) == [
        " 2 ┤█████             ", "   │█████             ", " 0 ┼──────────────────", "   │      █████ █████ ",
        "−2 ┤      █████       ", "    08:00       10:00",
      ])
    #expect(plot([-3]).first?.contains("┼") == true)
  }

  @Test func `where nothing was counted a sentence says so`() {
    #expect(plot([]) == ["Nothing was counted in that time."])
    #expect(plot([0, 0]) == ["Nothing was counted in that time."])
  }

  @Test(arguments: [20, 24, 40, 80, 200], [1, 5, 12, 24])
  func `it keeps within the width while a column is left for each step`(
    width: Int, count: Int
  ) {
    let lines = plot((0..<count).map { Int64($0 % 7) * 1000 - 2000 }, width: width)
    // Not narrower than a column for each step, and as wide as one label.
    let most = max(width, count + 8, 13)
    for line in lines { #expect(line.columns <= most, "\(line)") }
  }

  @Test func `the highest and lowest numbers that there are can be drawn`() {
    let lines = plot([.max, .min + 1, 0])
    #expect(lines.count == 10)
  }
}
