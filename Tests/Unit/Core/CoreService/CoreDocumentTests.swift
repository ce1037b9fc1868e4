import CoreService
import Foundation
import TestKit
import Testing

@Suite struct `What is written about core.toml` {
  private static let project = URL(fileURLWithPath: Checkout.folder)

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `every example is one, and the first tells the defaults`() throws {
    let examples = try Self.text("Documentation/core.toml.md").components(separatedBy: "```toml\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(examples.count == 3)
    for example in examples {
      #expect(throws: Never.self) { try CoreConfiguration(Array((example + "\n").utf8), file: "core.toml") }
    }
    #expect(try CoreConfiguration(Array(examples[0].utf8), file: "core.toml") == CoreConfiguration())
    #expect(try CoreConfiguration(Array(examples[2].utf8), file: "core.toml") == CoreConfiguration())
  }

  @Test func `the file of a package holds the defaults`() throws {
    var packaged = try CoreConfiguration(Array(Self.text("packaging/core.toml").utf8), file: "core.toml")
    #expect(packaged.rights.holders[.administer] == [])
    packaged.rights.holders[.administer] = nil
    #expect(packaged == CoreConfiguration())
  }

  @Test func `every right and every key has its words`() throws {
    let text = try Self.text("Documentation/core.toml.md")
    for key in Right.allCases.map(\.rawValue) + ["reset-window", "connections", "calls", "[rights]", "[limits]"] {
      #expect(text.contains(key))
    }
  }
}
