import ArgumentParser
import Counting
import Testing
import Varlink

@testable import TallyCommand

/// Words of a command line before they are parsed, and after.
@Suite struct ArgumentTests {
  @Test(arguments: [
    ([], ["show"]), (["--json"], ["show", "--json"]), (["--json", "add", "a"], ["add", "--json", "a"]),
    (["--socket", "/x", "add", "a"], ["add", "--socket", "/x", "a"]), (["--socket=/x"], ["show", "--socket=/x"]),
    (["correct", "a", "-3"], ["correct", "a", "--", "-3"]),
    (["correct", "a", "-3", "--json"], ["correct", "a", "--json", "--", "-3"]),
    (["correct", "a", "--", "-3"], ["correct", "a", "--", "-3"]), (["add", "a", "3"], ["add", "a", "3"]),
    (["new", "a", "--start", "-5"], ["new", "a", "--start", "-5"]), (["add", "a", "-x"], ["add", "a", "-x"]),
  ])
  func `global options may precede the verb, and a negative amount is an amount`(
    words: [String], arranged: [String]
  ) {
    #expect(Tally.arranged(words) == arranged)
  }

  @Test func `the socket of a line that is being typed is found`() {
    #expect(Tally.socket(in: ["tally", "add", "--socket", "/x", ""]) == "/x")
    #expect(Tally.socket(in: ["tally", "--socket=/x", "add"]) == "/x")
    #expect(Tally.socket(in: ["tally", "add", "--socket"]) == nil)
    #expect(Tally.socket(in: ["tally", "add"]) == nil)
  }

  @Test func `settings become members of a call, in the counter's unit`() throws {
    let options = try SettingOptions.parse([
      "--title", "-5 to begin with", "--tags", "door,main b", "--start", "-1.5", "--maximum", "10", "--limits", "stop",
      "--colour", "red",
    ])
    #expect(
      try options.parameters(in: .decimal(2)) == [
        "title": "-5 to begin with", "colour": "red", "tags": ["door", "main", "b"], "limits": "stop", "start": -150,
        "maximum": 1000,
      ])
    #expect(throws: (any Error).self) { try options.parameters(in: .things) }
    #expect(try SettingOptions.parse([]).parameters(in: .things) == [:])
  }

  @Test func `a place is one of those that there are`() throws {
    #expect(try PlaceOptions.parse(["--before", "a"]).parameters == ["before": "a"])
    #expect(try PlaceOptions.parse(["--first"]).parameters == ["first": true])
    #expect(try PlaceOptions.parse(["--last"]).parameters == [:])
    #expect(throws: (any Error).self) { try PlaceOptions.parse(["--first", "--after", "a"]) }
  }

  @Test func `every verb has an example in its help`() {
    #expect(Tally.configuration.subcommands.count > 35)
    for command in Tally.configuration.subcommands {
      let verb = command._commandName
      let examples = Tally.helpMessage(for: command).split(separator: "Example").dropFirst()
      #expect(examples.contains { $0.contains("tally \(verb)") }, "\(verb)")
    }
  }
}
