import CoreAPI
import Linux
import Testing

@testable import TallyCommand

@Suite struct KeyTests {
  @Test func `a key has the name that it has on a device`() {
    let keys: [TerminalKey] = [.letter(" "), .letter("u"), .letter("-"), .letter("+"), .down, .enter]
    #expect(
      keys.map(\.cause.gesture) == [
        "press KEY_SPACE", "press KEY_U", "press KEY_MINUS", "press KEY_KPPLUS", "press KEY_DOWN", "press KEY_ENTER",
      ])
    #expect(TerminalKey.letter("!").cause.gesture == "press" && TerminalKey.enter.cause.device == "terminal")
  }
}
