import Foundation
import TestKit
import Testing

@testable import TallyCommand

@Suite struct HandoverTests {
  @Test(arguments: [
    ("23 kids", "23%20kids"), ("a&b=c?d#e", "a%26b%3Dc%3Fd%23e"), ("a\nb", "a%0D%0Ab"), ("é", "%C3%A9"), ("\t", "%09"),
    ("-._~aZ09", "-._~aZ09"),
  ])
  func `a part of a mail address is encoded`(text: String, encoded: String) { #expect(Mail.encoded(text) == encoded) }

  @Test(.seeded) func `bytes become the text that Foundation makes of them, and bytes again`() {
    var random = Seed.generator()
    for length in 0..<50 {
      let bytes = (0..<length).map { _ in UInt8(random.below(256)) }
      let text = Base64.text(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(Base64.bytes(of: text) == bytes)
    }
  }
}
