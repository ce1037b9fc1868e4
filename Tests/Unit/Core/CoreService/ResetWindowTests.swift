import CoreService
import Testing
import Toml

@Suite struct `The time in which a reset is confirmed` {
  @Test(arguments: [("reset-window = 5", 5_000_000), ("reset-window = 1.5", 1_500_000), ("", 3_000_000)])
  func `it is set in core toml, in seconds`(_ text: String, _ window: Int64) throws {
    #expect(try CoreConfiguration(Array(text.utf8), file: "core.toml").resetWindow == window)
  }

  @Test(arguments: ["reset-window = 0", "reset-window = 61", "reset-window = nan", "reset-window = \"5\""])
  func `a time that makes no sense is refused`(_ text: String) {
    #expect {
      try CoreConfiguration(Array(text.utf8), file: "core.toml")
    } throws: {
      ($0 as? ConfigurationErrors)?.errors.first?.reason.hasPrefix("reset-window must be a number of seconds") ?? false
    }
  }
}
