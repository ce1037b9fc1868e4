import Linux
import Testing

@Suite struct TerminalKeyTests {
  @Test(
    arguments: [
      ("q ", [.letter("q"), .letter(" ")]), ("\u{1B}[A\u{1B}OB", [.up, .down]),
      ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[H\u{1B}[1~\u{1B}[F\u{1B}[4~", [.home, .home, .end, .end]), ("\r\n", [.enter, .enter]),
      ("\u{1B}q", [.letter("q")]), ("\u{4}", [.letter("q")]), ("\u{1B}\u{1B}[A", [.up]), ("\u{1B}[1;5C\u{7}é", []),
      ("\u{1B}[ ", [.letter(" ")]),
      ("\u{1B}[111111111111q", [.letter("1"), .letter("1"), .letter("1"), .letter("1"), .letter("q")]),
    ] as [(String, [TerminalKey])])
  func `bytes become keys, in one piece or not`(text: String, keys: [TerminalKey]) {
    var whole = TerminalKeyDecoder()
    #expect(whole.decode(text.utf8) == keys)
    var parts = TerminalKeyDecoder()
    #expect(text.utf8.flatMap { parts.decode([$0]) } == keys)
  }
}
