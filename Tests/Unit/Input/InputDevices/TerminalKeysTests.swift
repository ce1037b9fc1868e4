import Linux
import Testing

@testable import InputDevices

struct TerminalKeysTests {
  @Test(
    arguments: [
      (" ", [57]), ("\r", [28]), ("\n", [28]), ("-", [12]), ("u", [22]), ("q", [16]), ("x7ä\t", []),
      ("  -u", [57, 57, 12, 22]), ("\u{1b}[B", [108]), ("\u{1b}[A", []), ("\u{1b}[3~ ", [57]),
    ] as [(String, [UInt16])])
  func `bytes of a terminal become the keys that count`(text: String, codes: [UInt16]) {
    var keys = TerminalKeyDecoder()
    #expect(keys.decode(text.utf8).compactMap(Terminal.code) == codes)
  }
}
