import ArgumentParser
import Varlink

/// `tally correct`: says what a counter should stand at.
struct Correct: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what a counter should stand at.",
    discussion: "Example: tally correct people 12, or tally correct litres -1.25")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Argument(help: "The right value.") var value: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Correct", ["name": .string(name), "quantity": .string(value)])
    Output.line(options.json ? event.json.description : event.sentence)
  }
}
