import ArgumentParser
import Testing

@testable import TallyCommand

@Suite struct HelpTests {
  static let commands =
    Tally.configuration.subcommands + GroupCommand.configuration.subcommands
    + FleetCommand.configuration.subcommands

  @Test(arguments: [60, 120]) func `prose fills the lines of any terminal`(_ columns: Int) {
    for command in Self.commands {
      let help = Tally.helpMessage(for: command, columns: columns)
      let overview = help.split(separator: "\n\nUSAGE:", maxSplits: 1)[0]
      let lines = overview.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for (line, next) in zip(lines, lines.dropFirst()) {
        guard !line.isEmpty, !next.isEmpty, ![line, next].contains(where: Self.isExample) else { continue }
        let word = next.prefix { $0 != " " }
        // ArgumentParser leaves the last column free.
        #expect(line.count + 1 + word.count >= columns, "\(command): \(line)")
      }
    }
  }

  private static func isExample(_ line: String) -> Bool { line.hasPrefix("  ") || line.hasPrefix("Example") }

  @Test func `each command prints JSON`() {
    for command in Self.commands where command.configuration.subcommands.isEmpty {
      #expect(Tally.helpMessage(for: command).contains("--json"), "\(command)")
    }
  }

  @Test func `examples fit into 80 columns, and each command has one`() {
    for command in Self.commands {
      let examples = command.configuration.discussion.split(separator: "\n").map(String.init).filter(Self.isExample)
      #expect(!examples.isEmpty, "\(command)")
      for example in examples { #expect(example.count <= 80, "\(example)") }
    }
  }
}
