import ArgumentParser
import CoreAPI
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
    (["+"], ["add"]), (["-", "--json"], ["subtract", "--json"]), (["+5"], ["add", "5"]),
    (["-1.5"], ["subtract", "1.5"]),
    (["+", "a", "2"], ["add", "a", "2"]), (["--json", "-"], ["subtract", "--json"]), (["status", "a"], ["show", "a"]),
    (["-h"], ["-h"]), (["--help"], ["--help"]),
    (["formula", "net", "=", "-a + b"], ["formula", "--", "net", "=", "-a + b"]),
    (
      ["formula", "net=", "-a", "-", "b", "--title", "-x", "--json"],
      ["formula", "--title", "-x", "--json", "--", "net=", "-a", "-", "b"]
    ),
    (["formula", "net", "=", "a - b", "-h"], ["formula", "net", "=", "a - b", "-h"]),
    (
      ["import", "x", "--column", "-=a b", "--column", "name=c"],
      ["import", "x", "--column=-=a b", "--column", "name=c"]
    ),
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

  @Test func `options become settings in the counter's unit`() throws {
    let options = try SettingOptions.parse([
      "--title", "-5 to begin with", "--tags", "door,main, b", "--start", "-1.5", "--maximum", "10", "--limits", "stop",
      "--colour", "red",
    ])
    #expect(
      try options.settings(in: .decimal(2)) == [
        .title: .text("-5 to begin with"), .colour: .text("red"), .tags: .text("door main b"), .limits: .text("stop"),
        .start: .integer(-150), .maximum: .integer(1000),
      ])
    #expect(throws: (any Error).self) { try options.settings(in: .things) }
    let spaced = try SettingOptions.parse(["--tags", "main door,b"])
    let error = #expect(throws: ValidationError.self) { try spaced.settings(in: .things) }
    #expect(
      error?.message
        == "A tag cannot contain a space: “main door”. Write “main-door”, or a comma between two tags.")
    #expect(try SettingOptions.parse([]).settings(in: .things) == [:])
  }

  @Test(arguments: [(3_000_000, "3"), (600_000, "0.6"), (60_000_000, "60"), (1_250_000, "1.25")])
  func `the time in which a reset is repeated is said without trailing zeros`(microseconds: Int64, text: String) {
    #expect(Reset.seconds(microseconds) == text)
  }

  @Test func `settings are cleared by their names, and an unknown name is refused with the nearest one`() throws {
    var settings: Settings = [:]
    try settings.clear(["goal", "note"])
    #expect(settings == [.target: Field.Value.none, .note: Field.Value.none])
    for name in ["name", "order", "since", "titel"] {
      #expect(throws: ValidationError.self) { try settings.clear([name]) }
    }
    settings[.title] = .text("z")
    let both = #expect(throws: ValidationError.self) { try settings.clear(["title"]) }
    #expect(both?.message == "Either set “title” or clear it.")
    let limits = #expect(throws: ValidationError.self) { try settings.clear(["limits"]) }
    #expect(limits?.message == "To have no limits: --clear minimum --clear maximum")
    let error = #expect(throws: ValidationError.self) { try settings.clear(["titel"]) }
    #expect(error?.message == "“titel” is not a setting that can be cleared. Did you mean “title”?")
    let option = #expect(throws: ValidationError.self) { try settings.clear(["stepdown"]) }
    #expect(option?.message == "“stepdown” is not a setting that can be cleared. Did you mean “step-down”?")
    let unknown = #expect(throws: ValidationError.self) { try settings.clear(["nonsense"]) }
    #expect(unknown?.message.hasSuffix("These can: \(Field.clearable.map(\.option).joined(separator: ", ")).") == true)
    for name in ["step-down", "stepDown"] {
      var settings: Settings = [:]
      try settings.clear([name])
      #expect(settings == [.stepDown: Field.Value.none])
    }
  }

  @Test func `a place is one of those that there are`() throws {
    #expect(try PlaceOptions.parse(["--before", "a"]).place == .before("a"))
    #expect(try PlaceOptions.parse(["--after", "a"]).place == .after("a"))
    #expect(try PlaceOptions.parse(["--first"]).place == .first)
    #expect(try PlaceOptions.parse(["--last"]).place == .last)
    #expect(try PlaceOptions.parse([]).place == .last)
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
