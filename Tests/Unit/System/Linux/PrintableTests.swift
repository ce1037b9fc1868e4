import Linux
import Testing
import Text

@Suite struct PrintableTests {
  @Test func `what could change a terminal is replaced, and nothing else`() {
    #expect("plain, “quoted”\n\tline".printable == "plain, “quoted”\n\tline")
    #expect("a\u{1b}[2J\u{7}b\r".printable == "a\u{fffd}[2J\u{fffd}b\u{fffd}")
    #expect("\u{202e}abc\u{2066}\u{9b}".printable == "\u{fffd}abc\u{fffd}\u{fffd}")
  }

  @Test func `styles and moves of the cursor remain where they are wanted, and no other sequence`() {
    let own = "\u{1b}[1;32mgreen\u{1b}[0m\u{1b}[3A\u{1b}[1G\u{1b}[K\u{1b}[J\n"
    #expect(own.printableWithStyles == own)
    let other = "\u{1b}]0;title\u{7}\u{1b}[6n\u{1b}[\u{1b}[12345678901234567m\u{9b}5m\r\u{1b}"
    let shown = "\u{fffd}]0;title\u{fffd}\u{fffd}[6n\u{fffd}[\u{fffd}[12345678901234567m\u{fffd}5m\u{fffd}\u{fffd}"
    #expect(other.printableWithStyles == shown)
  }

  @Test func `a line has no line feeds or tabs`() {
    #expect("a\u{1B}[31mb\nc\td\u{202e}".printableLine == "a\u{fffd}[31mb c d\u{fffd}")
    #expect("犬 é".printableLine == "犬 é")
  }

  @Test func `of an icon that is a picture, the sign is shown`() {
    #expect("🖼1x2y3z".printableIcon == "🖼")
    for icon in ["🖼", "🖼\u{fe0f}", "🖼 a", "🖼A", "🖼../a", "🖼12345678901234"] {
      #expect(icon.pictureName == nil)
      #expect(icon.printableIcon == icon)
    }
    #expect("🧍 A\n".printableIcon == "🧍 A ")
  }
}
