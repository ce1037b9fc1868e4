import Foundation
import Linux
import Testing

@Suite struct SecretTests {
  @Test func `each secret is another, and is read from its text`() throws {
    let secrets = try (0..<100).map { _ throws in try Secret() }
    #expect(Set(secrets.map(\.text)).count == 100)
    for secret in secrets {
      #expect(secret.text.wholeMatch(of: /[0-9a-f]{32}/) != nil)
      #expect(Secret(secret.text) == secret)
    }
  }

  @Test(arguments: ["", "0", String(repeating: "g", count: 32), String(repeating: "0", count: 33), "\u{0}"])
  func `other text is no secret`(text: String) { #expect(Secret(text) == nil) }

  @Test func `its proof is always the same, and tells nothing of it`() throws {
    try #require(FileManager.default.fileExists(atPath: "/etc/machine-id"))
    let (one, other) = (try Secret(), try Secret())
    #expect(try one.proof == one.proof)
    #expect(try one.proof != other.proof)
    #expect(try one.proof != one.text)
  }
}
