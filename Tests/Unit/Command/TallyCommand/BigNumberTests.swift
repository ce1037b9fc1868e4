import Testing

@testable import TallyCommand

@Suite struct BigNumberTests {
  @Test func `a number is drawn in the largest digits that fit`() {
    #expect(BigNumber.lines("10", columns: 7, rows: 5) == ["▄█  █▀█", " █  █ █", "▀▀▀ ▀▀▀"])
    let large = BigNumber.lines("10", columns: 200, rows: 10)
    #expect(large.count == 10)
    #expect(large[0].count == 28)
    #expect(BigNumber.lines("10", columns: 14, rows: 100)[0].count == 14)
  }

  @Test(arguments: ["0", "7", "1,234,567", "−12.5", "1:02:03.40", "9’223’372", "1\u{202f}234", "50 %"])
  func `it stays in its room`(text: String) {
    for columns in [20, 33, 80, 237] {
      for rows in [1, 2, 3, 7, 24, 60] {
        let lines = BigNumber.lines(text, columns: columns, rows: rows)
        #expect(!lines.isEmpty && lines.count <= rows)
        #expect(lines.allSatisfy { $0.count <= columns })
      }
    }
  }

  @Test(arguments: ["", "abc", "∞"])
  func `what is no number is shown as text`(text: String) {
    #expect(BigNumber.lines(text, columns: 80, rows: 24) == [text])
  }
}
