import Foundation
import InputDaemon
import TestKit
import Testing

@Suite struct `What the documents say` {
  private static let project = URL(fileURLWithPath: Checkout.folder)

  /// The texts between "```toml" and "```".
  private static func examples(in document: String) throws -> [String] {
    let text = try String(contentsOf: project.appendingPathComponent(document), encoding: .utf8)
    return text.components(separatedBy: "```toml\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  @Test(arguments: ["Documentation/devices.md", "Documentation/input.toml.md"])
  func `every example of a configuration is one`(_ document: String) throws {
    let examples = try Self.examples(in: document)
    #expect(!examples.isEmpty)
    let temporary = TemporaryFolder()
    for example in examples {
      let file = try temporary.write(example + "\n", to: "input.toml")
      #expect(throws: Never.self) { try ConfigurationFile.read(file) }
    }
  }
}
