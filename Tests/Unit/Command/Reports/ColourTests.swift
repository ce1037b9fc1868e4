import Counting
import Testing

@testable import Reports

@Suite struct ColourTests {
  @Test func `every colour that a counter may have is known to terminals and pictures`() {
    for name in Field.colours {
      #expect(Colour.terminal(name) != nil, "\(name)")
      #expect(Colour.picture(name)?.hasPrefix("#") == true, "\(name)")
    }
  }

  @Test func `a colour in numbers is itself`() {
    #expect(Colour.terminal("#ff8800") == "38;2;255;136;0")
    #expect(Colour.picture("#ff8800") == "#ff8800")
  }

  @Test(arguments: [nil, "", "beige", "#ff880", "#ff88000", "ff8800", "#gg8800", "\"/><script>"])
  func `a missing or invalid colour sets none`(colour: String?) {
    #expect(Colour.terminal(colour) == nil)
    #expect(Colour.picture(colour) == nil)
  }
}
