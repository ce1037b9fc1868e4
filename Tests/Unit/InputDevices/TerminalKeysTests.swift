import InputDevices
import Testing

struct TerminalKeysTests {
  @Test(
    arguments: [
      (" ", [57]), ("\r", [28]), ("\n", [28]), ("-", [12]), ("u", [22]), ("q", [16]), ("x7ä\t", []),
      ("  -u", [57, 57, 12, 22]),
      ("\u{1b}[B", [108]), ("\u{1b}OB", [108]), ("\u{1b}[A", []), ("\u{1b}[1;2B", [108]), ("\u{1b}[3~ ", [57]),
      ("\u{1b} ", [57]), ("\u{1b}\u{1b}[B", [108]), ("\u{1b}[ ", [57]),
    ] as [(String, [UInt16])])
  func `bytes of a terminal become the keys that count`(text: String, codes: [UInt16]) {
    var keys = TerminalKeys()
    #expect(keys.decode(Array(text.utf8)) == codes)
  }

  @Test func `an arrow may come in pieces`() {
    var keys = TerminalKeys()
    #expect("\u{1b}[B ".utf8.flatMap { keys.decode([$0]) } == [108, 57])
  }
}
