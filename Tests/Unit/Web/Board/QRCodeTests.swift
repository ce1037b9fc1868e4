import Board
import Testing

@Suite struct QRCodeTests {
  /// The pattern in three corners of each code.
  private static let finder = [
    "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
  ]

  @Test func `an address of a pairing is drawn with a margin, two rows a line`() throws {
    let code = try #require(QRCode("http://127.0.0.1:8464/pair#8c1d5e0f7a9b3c2d4e6f8091a2b3c4d5"))
    let rows = code.rows.map { row in row.map { $0 ? "#" : "." }.joined() }
    #expect(rows.prefix(7).map { String($0.prefix(7)) } == Self.finder)
    #expect(rows.prefix(7).map { String($0.suffix(7)) } == Self.finder)
    #expect(rows.suffix(7).map { String($0.prefix(7)) } == Self.finder)
    let lines = code.terminalLines
    #expect(Set(lines.map(\.count)) == [rows.count + 4])
    #expect(lines.count == (rows.count + 5) / 2)
    // Light is drawn: the margin is full, and the first line of the pattern is dark above a light one.
    #expect(lines[0].allSatisfy { $0 == "█" })
    #expect(lines[1].hasPrefix("██ ▄▄▄▄▄ "))
  }

  @Test func `a text without letters, and one of 3,000, have no code`() {
    #expect(QRCode("") == nil)
    #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
  }
}
